#include "plan/temporal/shared_planes.h"

#include <algorithm>

#include "ir/node_map.h"
#include "plan/schedule/launch.h"
#include "plan/temporal/legality.h"

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

  // Whether this is a sum that can be built plane by plane.
  bool adds_planes(const ir::ExprPtr& value) {
    const auto* sum = ir::as<ir::Sum>(value);
    if (!sum || varies(sum->bias)) return false;
    std::vector<int> planes;
    bool before = false;
    for (const ir::Sum::Term& term : sum->terms) {
      const ir::Read* read = ir::read_of_tap(term.tap);
      // Values that the step itself computes do not arrive with planes.
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
      found.problem = "a step reads neighbours of " + quoted(stencil.fields[read->field].name) +
                      " outside of sums that can be built plane by plane along " +
                      quoted(stencil.axes[2]);
    ir::for_each_child(*value, [&](const ir::ExprPtr& child) { in(child); });
  }
};

}  // namespace

void drop_sides_of_reductions(ir::Stencil& stencil) {
  std::vector<std::array<bool, ir::kMaxRank>> beside(stencil.fields.size());
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::ExprPtr& root : roots_of(update)) values.push_back(root);
  for (const ir::ExprPtr& node : ir::nodes_of(values))
    if (const auto* read = ir::as<ir::Read>(node))
      for (int a = 0; a < ir::kMaxRank; ++a) beside[read->field][a] |= read->offset[a] != 0;
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    for (int a = 0; a < stencil.rank(); ++a) {
      ir::Field& field = stencil.fields[f];
      if (field.role != ir::Role::stepped || beside[f][a]) continue;
      for (ir::Side& side : field.boundary.sides[a])
        if (side.edge == ir::Edge::periodic) side = {.edge = ir::Edge::fixed};
    }
}

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

// Carrying such cells in sums needs registers, of which f32 has too few; in f64, keeping planes
// loses 2 % (bench/results/2026-11-25-h200-columns.txt, part 13). Values that read the cell itself
// already have it.
int unassigned_planes(const ir::Stencil& stencil, const PlaneReads& reads, const Schedule& schedule,
                      Temporal temporal) {
  constexpr int kBytes = 4;
  if (stencil.fields.size() != 1 || ir::bytes(stencil.fields[0].type) != kBytes ||
      stencil.updates.size() != 1 || reads.sums != 1 || reads.own_besides ||
      temporal.before_bytes > 0 || !unassigned_at_boundary(stencil))
    return -1;
  const ir::Domain& box = stencil.updates[0].cases[0].domain;
  for (int axis = 0; axis < 3; ++axis)
    if (goes_round(stencil, axis) && (box.low[axis] > 0 || box.high[axis] > 0)) return -1;
  temporal.unassigned_rows = temporal.steps * temporal.step_lag();
  return temporal.shared_bytes(schedule) <= kMostBytes ? temporal.unassigned_rows : -1;
}

std::string problem_of_planes(const ir::Stencil& stencil, const PlaneReads& reads,
                              const Schedule& schedule, const Temporal& temporal) {
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.mask) return "a step updates cells under a mask";
  if (!schedule.scatter)
    return "blocks that stream add each plane to partial sums: write `sums=scatter`";
  if (!reads.problem.empty()) return reads.problem;
  if (reads.sums == 0) return "a step has no sum that can be built plane by plane";
  if (reads.high != temporal.lag)
    return "the ghost planes need planes further ahead than the sums read";
  if (reads.before_in_sums && reads.before_at_end && temporal.step_lag() > 1)
    return "a step reads `t-1` both in a sum that is built plane by plane and outside of it, " +
           std::to_string(temporal.step_lag() - 1) +
           (temporal.step_lag() == 2 ? " plane" : " planes") + " later";
  if (temporal.first_rows > 1)
    return "the ghost planes at the start of " + quoted(stencil.axes[2]) +
           " are copies of planes that have not arrived yet";
  if (schedule.rows < 2) return "a thread needs two rows or more: write `rows=2`";
  const int rows = std::max(temporal.below, temporal.above);
  if (schedule.rows < rows)
    return "a step reads rows at a distance of " + std::to_string(rows) +
           ", so a thread needs as many rows";
  for (const ir::Field& field : stencil.fields)
    if (field.role == ir::Role::stepped)
      for (const int end : {0, 1})
        if (mapped_rows(field.boundary.sides[1][end], end == 0 ? temporal.below : temporal.above) >
            schedule.rows)
          return "a step needs more rows for the ghost cells than a thread has";
  if (temporal.stored_rows(schedule) < schedule.rows)
    return "with " + std::to_string(schedule.steps) + " steps the halo covers a whole tile of " +
           std::to_string(schedule.threads[1] * schedule.rows) + " rows";
  return "";
}

int Temporal::past() const {
  if (before_bytes == 0) return 0;
  if (!plane_stream() || !plane_stream()->before_at_end) return step_lag();
  return 2 * step_lag() - (later ? 1 : 0);
}

int Temporal::shared_bytes(const Schedule& schedule) const {
  const int places = schedule.ahead + 1, tile = tile_rows(schedule);
  const int halo = 2 * schedule.threads[1] * (below + above);
  const int rows = (places + planes_held_back()) * loaded_rows(schedule) + (steps - 1) * halo;
  const int held_rows = past_is_held() ? 0 : (steps - 1) * held * tile;
  const int before_rows = (places + past_planes()) * tile;
  return 32 * schedule.vector *
         (rows * cell_bytes + held_rows * (plane_stream() ? plane_stream()->held_bytes : 0) +
          before_rows * before_bytes);
}

}  // namespace stencilc::plan
