#include "lower/temporal/common/carried_rows.h"

#include <set>

#include "ir/boundary.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/unassigned_cells.h"

namespace stencilc::lower {
namespace {

// What stands for cells beyond the last of a row may lie before a vector that ends with it:
// wherever the former are read, the latter are there, too.
void add_before_ends(const ir::Stencil& stencil, std::vector<ir::ExprPtr>& read) {
  for (const ir::ExprPtr& node : ir::nodes_of(read)) {
    const auto* one = ir::as<ir::Read>(node);
    if (!one || one->offset[0] <= 0) continue;
    const ir::Field& field = stencil.fields[one->field];
    const ir::EdgeKind& kind = ir::kind_of(field.boundary.sides[0][1]);
    if (!kind.mirrors()) continue;
    ir::Read before = *one;
    before.offset[0] = -kind.inward(one->offset[0]);
    read.push_back(ir::make(field.type, before));
  }
}

}  // namespace

CarriedRows carried_by_step(const Context& context, const plan::Schedule& schedule,
                            const plan::Temporal& temporal) {
  CarriedRows carried;
  const ir::Stencil& stencil = context.stencil;
  std::vector<ir::ExprPtr> values = values_of(context, false);
  for (const ir::ExprPtr& value : values_of(context, true)) values.push_back(value);
  const int stream_axis = stencil.rank() - 1;
  const kernel::Count rows =
      stream_axis == 2 ? context.count("rows", schedule.rows) : kernel::Count(1);
  // What no statement assigns has to be the same at all steps, as it was in memory.
  // With two axes the rows of t-1 are among those that are kept, and so all that sums would hold.
  if (schedule.scatter && (stream_axis == 2 || temporal.before_bytes == 0) && !has_masks(context))
    carried.sums = sums_along(context, values, stream_axis, schedule.vector, temporal.steps * rows,
                              context.names);
  // The sums of a row are complete when the last row has arrived that other values read.
  if (!carried.sums.sums.empty() && carried.sums.high != temporal.lag) carried.sums = {};
  // What no step makes does not arrive.
  const auto of_t = [&](const ir::Read& one) {
    return stencil.fields[one.field].role == ir::Role::stepped && one.level == 0;
  };
  const auto is_stepped = [&](int field) {
    return stencil.fields[field].role == ir::Role::stepped;
  };
  for (const ir::ExprPtr& node : ir::nodes_of(carried.sums.taps))
    if (const auto* one = ir::as<ir::Read>(node); one && !is_stepped(one->field)) {
      carried.sums = {};
      break;
    }
  std::vector<ir::ExprPtr> read = carried.sums.sums.empty() ? values : carried.sums.others;
  // A row waits until the last row of all fields has arrived that its cells read.
  std::set<int> fields;
  for (const ir::ExprPtr& node : ir::nodes_of(read))
    if (const auto* one = ir::as<ir::Read>(node); one && one->level == 0 && is_stepped(one->field))
      fields.insert(one->field);
  for (const int field : fields) {
    ir::Offset last = {};
    last[stream_axis] = temporal.lag;
    read.push_back(ir::make(stencil.fields[field].type, ir::Read{field, 0, last}));
  }
  // What is the row of t-1 for the next time step, and the row that goes on.
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    for (const int along : {-temporal.lag, 0, temporal.lag})
      if (stream_axis == 1 && plan::has_before(stencil.fields[f])) {
        ir::Offset row = {};
        row[stream_axis] = along;
        read.push_back(ir::make(stencil.fields[f].type, ir::Read{static_cast<int>(f), 0, row}));
      }
  add_before_ends(stencil, read);
  const Patch patch = {context.count("width", schedule.vector), rows, stream_axis, true};
  carried.tiles = register_tiles_of(context, read, patch, context.names, of_t);
  for (RegisterTile& regs : carried.tiles)
    for (RegisterTile::Plane& plane : regs.planes) plane.registers.rows = temporal.steps * rows;
  Patch arriving = patch;
  arriving.axis = -1;
  std::vector<ir::ExprPtr> taps = carried.sums.taps;
  add_before_ends(stencil, taps);
  carried.arriving = register_tiles_of(context, taps, arriving, context.names, of_t);
  for (PlaneSum& sum : carried.sums.sums) sum.partials.back().rows = 1;
  return carried;
}

void spell_carried(const TileLayout& layout, CarriedRows& carried,
                   const TileLayout::Factors& rows) {
  for (RegisterTile& regs : carried.tiles)
    for (RegisterTile::Plane& plane : regs.planes)
      if (plane.registers.rows > 1) plane.registers.rows.text = layout.spelt(rows);
  for (PlaneSum& sum : carried.sums.sums)
    for (kernel::Buffer& partial : sum.partials) {
      layout.spell_registers(partial, rows);
      if (partial.rows == 1) partial.rows.text.clear();
    }
}

}  // namespace stencilc::lower
