#include "lower/tile/shared_ring_fields.h"

#include <algorithm>

#include "lower/boundary/interior_split.h"
#include "lower/cell/addressing.h"
#include "lower/tile/partial_sums.h"
#include "plan/schedule/convolutions.h"

namespace stencilc::lower {
namespace {

using Reaches = std::map<std::pair<int, int>, ir::Reach>;

void widen(ir::Reach& reach, int axis, int low, int high) {
  reach.low[axis] = std::max(reach.low[axis], -low);
  reach.high[axis] = std::max(reach.high[axis], high);
}

// All that arrives for sums along the streamed axis is in the ring.
void add_sums(const Context& context, const plan::Schedule& schedule, const Patch& patch,
              bool edges, Reaches& reaches) {
  Names names;
  const PlaneSums sums = sums_along(context, values_of(context, edges), schedule.coarsen_axis,
                                    patch.width, patch.rows, names);
  for (const ir::ExprPtr& node : ir::nodes_of(sums.taps))
    if (const auto* read = ir::as<ir::Read>(node)) {
      ir::Reach& reach = reaches[{read->field, read->level}];
      // A row that arrives is loaded of all fields, whether the sums read it or not.
      if (context.rank() < 3 && schedule.coarsen_axis == 1) widen(reach, 1, sums.low, sums.high);
    }
}

// The same where taps are loops: all rows that some sum reads arrive of all fields.
void add_loops(const Context& context, bool edges, Reaches& reaches) {
  const std::vector<plan::Convolution> sums =
      plan::convolutions_of(context.stencil, context.launch, values_of(context, edges)).sums;
  for (const plan::Convolution& rows : sums)
    for (const plan::Convolution& one : sums)
      widen(reaches[{one.box.field, one.box.level}], 1, rows.box.low[1], rows.box.high[1]);
}

}  // namespace

bool is_read_beside(const Context& context, const ir::ExprPtr& node) {
  const auto* read = ir::as<ir::Read>(node);
  return read && read->offset != ir::Offset{} &&
         ir::has_all_axes(context.stencil, context.stencil.fields[read->field]) &&
         in_memory(context, *read);
}

Reaches reaches_of(const Context& context, const plan::Schedule& schedule, const Patch& patch) {
  Reaches reaches;
  for (const bool edges : {true, false})
    for (const ir::ExprPtr& node : ir::nodes_of(values_of(context, edges))) {
      if (!is_read_beside(context, node)) continue;
      const auto* read = ir::as<ir::Read>(node);
      ir::Reach& reach = reaches[{read->field, read->level}];
      for (int a = 0; a < 2; ++a) widen(reach, a, read->offset[a], read->offset[a]);
    }
  if (reaches.empty()) return reaches;
  for (const bool edges : {false, true}) {
    if (schedule.scatter) add_sums(context, schedule, patch, edges, reaches);
    if (schedule.taps != plan::Taps::terms && context.rank() < 3)
      add_loops(context, edges, reaches);
  }
  return reaches;
}

}  // namespace stencilc::lower
