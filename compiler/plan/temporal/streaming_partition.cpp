#include "plan/temporal/streaming_partition.h"

#include <algorithm>

#include "ir/boundary.h"

namespace stencilc::plan {

bool alike_at_ends(const ir::Stencil& stencil, const Temporal& temporal) {
  return temporal.bits() || goes_round(stencil, stencil.rank() - 1);
}

namespace {

// Whether fields of fewer than four bytes per cell are updated, for which asynchronous copies of
// single cells do not exist.
bool is_narrow(const ir::Stencil& stencil) {
  return std::any_of(stencil.fields.begin(), stencil.fields.end(), [](const ir::Field& field) {
    return field.role == ir::Role::stepped && ir::bytes(field.type) < 4;
  });
}

}  // namespace

// Measured (bench/results/2026-11-24-h200-ragged.txt): the code for the ends of the streamed axis
// takes about as long as ten interior rows for each of its rows, less if carried cells pass through
// sums, and more if carried rows are loaded. Tiles at the boundary run code that no other warp of a
// multiprocessor runs, and take two thirds longer, or more if carried cells are loaded. If rows are
// no multiple of a vector, the last tile loads cell by cell but takes no longer, except for narrow
// values, where it waits in each row.
PartitionCosts partition_costs(const ir::Stencil& stencil, const Temporal& temporal) {
  constexpr int64_t kBoundary = 170, kLoads = 350,
                    kWaits = 250;  // percent; the last one is an estimate
  const int64_t steps = temporal.steps, around = temporal.planes_before + temporal.lag;
  int64_t beside = steps * around;
  // The first rows take half of the steps.
  if (const int64_t half = steps / 2; !temporal.bits() && steps >= kFewestFilled)
    beside -= half * around * (steps - half) / steps;
  if (temporal.bits()) return {{beside, 0, 100}, {beside, 0, 100}};
  const bool alike = alike_at_ends(stencil, temporal);
  const bool unassigned = temporal.unassigned_rows >= 0,
             loads = !alike && unassigned && !temporal.passes;
  const int64_t boundary = loads ? kLoads : kBoundary;
  const int64_t each = alike ? 0 : loads ? 20 : unassigned ? 6 : 10;
  const int64_t ends = each * temporal.steps * std::max(temporal.planes_before, temporal.lag);
  return {{beside, ends, boundary},
          {beside, ends, is_narrow(stencil) ? std::max(boundary, kWaits) : boundary}};
}

st::PartitionCost partition_cost(const ir::Stencil& stencil, const Temporal& temporal,
                                 int64_t cells, int width) {
  const PartitionCosts costs = partition_costs(stencil, temporal);
  return cells % width == 0 ? costs.filled : costs.ragged;
}

st::Partition partition_of(const ir::Stencil& stencil, const Schedule& schedule,
                           const Temporal& temporal, const std::array<int64_t, 3>& extents,
                           int64_t places, int64_t schedulers) {
  const int64_t tiles_x = temporal.tiles_x(extents[0], schedule.vector);
  if (!schedule.full) return st::chunks_of(tiles_x, extents[1], schedule.coarsen);
  return st::partition_of(tiles_x, extents[1], std::max<int64_t>(places, 1),
                          partition_cost(stencil, temporal, extents[0], schedule.vector), 0,
                          schedulers);
}

namespace {

// Additional time per plane in percent: for a column at an end of rows, and for a column at the
// first or last row, if that has code of its own.
struct Longer {
  int64_t at_boundary, at_ends;
};
Longer longer(const ir::Side& side, int reach) {
  switch (ir::ghost_cost(side.edge)) {
    case ir::GhostCost::nothing:
      return {0, 0};
    case ir::GhostCost::around:
      return {7, 0};
    case ir::GhostCost::number:
      return {21 * reach, 0};
    case ir::GhostCost::kept:
      return {20, 40};
    case ir::GhostCost::computation:
      return {100, 80};  // not measured
    case ir::GhostCost::copy:
      break;
  }
  return {14, 0};
}

}  // namespace

// Measured (bench/results/2026-11-25-h200-columns.txt): if a step moves more than 3 bytes per cell,
// planes that two blocks share come from memory twice, unless the blocks stream side by side.
st::ColumnCost column_cost(const ir::Stencil& stencil, const Schedule& schedule,
                           const Temporal& temporal, int64_t cells) {
  // If rows are no multiple of a vector, cells of the last tile are copied and stored one by one,
  // and so are cells that wrap around.
  constexpr int64_t kOfVector = 12, kRound = 5;
  constexpr int64_t kApart = 15, kBytes = 3;
  const int width = schedule.vector;
  const bool ragged = cells % width != 0, round = goes_round(stencil, 0);
  st::ColumnCost cost;
  cost.beside =
      static_cast<int64_t>(temporal.steps) * (temporal.planes_before + temporal.step_lag());
  if (2 * (temporal.cell_bytes + temporal.before_bytes) > kBytes * temporal.steps)
    cost.apart = kApart;
  int64_t more[2] = {0, 0};
  for (const ir::Field& field : stencil.fields)
    for (const int end : {0, 1}) {
      if (field.role != ir::Role::stepped) continue;
      const int reach = std::max(1, end == 0 ? temporal.left : temporal.right);
      more[end] = std::max(more[end], longer(field.boundary.sides[0][end], reach).at_boundary);
      cost.tile = std::max(cost.tile, 100 + longer(field.boundary.sides[1][end], 1).at_ends);
    }
  cost.first = 100 + more[0] + (ragged && round ? kRound * width : 0);
  cost.last = 100 + more[1] + (ragged ? (round ? kRound : kOfVector) * width : 0);
  return cost;
}

st::Columns columns_of(const ir::Stencil& stencil, const Schedule& schedule,
                       const Temporal& temporal, const std::array<int64_t, 3>& extents,
                       int64_t places) {
  const int64_t tiles_x = temporal.tiles_x(extents[0], schedule.vector);
  const int64_t tiles = temporal.tiles(extents[1], schedule);
  if (!schedule.full) return st::columns_of(tiles_x, tiles, extents[2], schedule.coarsen);
  return st::columns_of(tiles_x, tiles, extents[2], std::max<int64_t>(places, 1),
                        column_cost(stencil, schedule, temporal, extents[0]));
}

}  // namespace stencilc::plan
