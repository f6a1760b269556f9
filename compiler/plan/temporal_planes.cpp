#include "plan/temporal_planes.h"

#include <algorithm>

#include "ir/node_map.h"
#include "plan/temporal_problems.h"

namespace stencilc::plan {
namespace {

bool is_stepped(const ir::Stencil& stencil, int field) {
  return stencil.fields[field].role == ir::Role::stepped;
}

std::string quoted(const std::string& name) { return "`" + name + "`"; }

bool varies(const ir::ExprPtr& value) { return value && value->varies; }

struct Search {
  const ir::Stencil& stencil;
  PlaneReads found;
  ir::NodeSet seen = {};

  // Is it a sum that planes are added to as they arrive?
  bool adds_planes(const ir::ExprPtr& value) {
    const auto* sum = ir::as<ir::Sum>(value);
    if (!sum || varies(sum->bias)) return false;
    std::vector<int> planes;
    bool before = false;
    for (const ir::Sum::Term& term : sum->terms) {
      const auto* read = ir::as<ir::Read>(term.tap);
      if (const auto* cast = ir::as<ir::Cast>(term.tap)) read = ir::as<ir::Read>(cast->value);
      // What the step itself makes arrives with no plane.
      if (!read || !is_stepped(stencil, read->field) || read->level > 0 || varies(term.weight))
        return false;
      before |= read->level < 0;
      planes.push_back(read->offset[2]);
    }
    if (!std::is_sorted(planes.begin(), planes.end()) || planes.front() == planes.back())
      return false;
    found.high = std::max(found.high, planes.back());
    found.before_in_sums |= before;
    ++found.sums;
    return true;
  }
  void in(const ir::ExprPtr& value) {
    if (!value || !seen.insert(value.get()) || adds_planes(value)) return;
    const auto* read = ir::as<ir::Read>(value);
    if (read && read->level < 0) found.before_at_end = true;
    if (read && read->level == 0) found.own_besides = true;
    if (read && is_stepped(stencil, read->field) && read->offset != ir::Offset{})
      found.problem = "it reads " + quoted(stencil.fields[read->field].name) +
                      " beside the cell for more than sums that planes along " +
                      quoted(stencil.axes[2]) + " are added to";
    ir::for_each_child(*value, [&](const ir::ExprPtr& child) { in(child); });
  }
};

}  // namespace

bool goes_round(const ir::Stencil& stencil, int axis) {
  return std::any_of(stencil.fields.begin(), stencil.fields.end(), [&](const ir::Field& field) {
    return field.role == ir::Role::stepped &&
           field.boundary.sides[axis][0].edge == ir::Edge::periodic;
  });
}

PlaneReads plane_reads(const ir::Stencil& stencil, const std::vector<ir::ExprPtr>& values) {
  Search search{stencil, {}, {}};
  for (const ir::ExprPtr& value : values) search.in(value);
  return search.found;
}

// Sums that pass such cells on take registers, which f32 lacks; in f64 planes that stay lose 2 %
// (bench/results/2026-11-25-h200-columns.txt, part 13). Values that read a cell itself have it.
int staying_planes(const ir::Stencil& stencil, const PlaneReads& reads, const Schedule& schedule,
                   Temporal temporal) {
  constexpr int kBytes = 4;
  if (stencil.fields.size() != 1 || ir::bytes(stencil.fields[0].type) != kBytes ||
      stencil.updates.size() != 1 || reads.sums != 1 || reads.own_besides ||
      temporal.before_bytes > 0 || !stays_at_rim(stencil))
    return -1;
  const ir::Domain& box = stencil.updates[0].cases[0].domain;
  for (int axis = 0; axis < 3; ++axis)
    if (goes_round(stencil, axis) && (box.low[axis] > 0 || box.high[axis] > 0)) return -1;
  temporal.staying = temporal.steps * temporal.back();
  return temporal.shared_bytes(schedule) <= kMostBytes ? temporal.staying : -1;
}

std::string problem_of_planes(const ir::Stencil& stencil, const PlaneReads& reads,
                              const Schedule& schedule, const Temporal& temporal) {
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.mask) return "its cells are chosen by a mask";
  if (!schedule.scatter) return "planes are added to sums as they arrive: give `sums=scatter`";
  if (!reads.problem.empty()) return reads.problem;
  if (reads.sums == 0) return "it has no sum that planes are added to";
  if (reads.high != temporal.lag)
    return "the last plane that stands for others beyond the rim comes behind those of the sums";
  if (reads.before_in_sums && reads.before_at_end && temporal.back() > 1)
    return "it reads `t-1` both in sums that planes are added to and besides them, " +
           std::to_string(temporal.back() - 1) + (temporal.back() == 2 ? " plane" : " planes") +
           " later";
  if (temporal.first_rows > 1)
    return "what lies before the first plane along " + quoted(stencil.axes[2]) +
           " stands for planes behind that one";
  if (schedule.rows < 2) return "a thread has one row of a block's tile; give `rows=2` or more";
  const int rows = std::max(temporal.below, temporal.above);
  if (schedule.rows < rows)
    return "a step reads " + std::to_string(rows) + " rows beside a cell's; a thread needs as many";
  for (const ir::Field& field : stencil.fields)
    if (field.role == ir::Role::stepped)
      for (const int end : {0, 1})
        if (rows_beyond(field.boundary.sides[1][end], end == 0 ? temporal.below : temporal.above) >
            schedule.rows)
          return "a step reads further beyond a row than a thread has rows";
  if (temporal.stored_rows(schedule) < schedule.rows)
    return std::to_string(schedule.steps) + " steps leave nothing of a tile of " +
           std::to_string(schedule.threads[1] * schedule.rows) + " rows";
  return "";
}

int Temporal::past() const {
  if (before_bytes == 0) return 0;
  if (!before_at_end) return back();
  return 2 * back() - (later ? 1 : 0);
}

int Temporal::shared_bytes(const Schedule& schedule) const {
  const int places = schedule.ahead + 1, tile = tile_rows(schedule);
  const int lent = 2 * schedule.threads[1] * (below + above);
  const int rows = (places + planes_behind()) * loaded_rows(schedule) + (steps - 1) * lent;
  const int held_rows = past_is_held() ? 0 : (steps - 1) * held * tile;
  const int before_rows = (places + past_planes()) * tile;
  return 32 * schedule.vector *
         (rows * cell_bytes + held_rows * held_bytes + before_rows * before_bytes);
}

}  // namespace stencilc::plan
