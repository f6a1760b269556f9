#include "plan/march.h"

#include <algorithm>

namespace stencilc::plan {
namespace {

bool wraps(const ir::Stencil& stencil, int axis) {
  return std::any_of(stencil.fields.begin(), stencil.fields.end(), [&](const ir::Field& field) {
    return field.role == ir::Role::stepped &&
           field.boundary.sides[axis][0].edge == ir::Edge::periodic;
  });
}

}  // namespace

bool alike_at_ends(const ir::Stencil& stencil, const Temporal& temporal) {
  return temporal.bits || wraps(stencil, stencil.rank() - 1);
}

namespace {

// Are values of less than four bytes stepped, of which none is copied by itself while a lane goes
// on?
bool is_narrow(const ir::Stencil& stencil) {
  return std::any_of(stencil.fields.begin(), stencil.fields.end(), [](const ir::Field& field) {
    return field.role == ir::Role::stepped && ir::bytes(field.type) < 4;
  });
}

}  // namespace

// Measured (bench/results/2026-11-24-h200-ragged.txt): the text of the ends takes about ten rows of
// the inside for each that it has, less where rows pass through the sums, and more where rows are
// loaded that stay. Strips at the rim have a text that no other warp of a multiprocessor runs, and
// take two thirds longer, or more where cells that stay are loaded. Where vectors do not fill rows,
// the last strip takes as long, though it loads cell by cell, but for narrow values, of which it
// waits for each row; chunks in one wave are over soonest then.
MarchCosts march_costs(const ir::Stencil& stencil, const Temporal& temporal) {
  constexpr int64_t kRim = 170, kLoads = 350;  // percent
  constexpr int64_t kWaits = 300;              // not measured
  const int64_t beside = static_cast<int64_t>(temporal.steps) * (temporal.behind + temporal.lag);
  if (temporal.bits) return {{beside, 0, 100}, {beside, 0, 100}};
  const int64_t ragged = is_narrow(stencil) ? kWaits : kRim;
  if (alike_at_ends(stencil, temporal)) return {{beside, 0, kRim}, {beside, 0, ragged, 1}};
  const bool stays = temporal.staying >= 0, loads = stays && !temporal.passes;
  const int64_t ends = (loads   ? 20
                        : stays ? 6
                                : 10) *
                       temporal.steps * std::max(temporal.behind, temporal.lag);
  if (loads) return {{beside, ends, kLoads}, {beside, ends, kLoads, 1}};
  return {{beside, ends, kRim}, {beside, ends, ragged, 1}};
}

st::MarchCost march_cost(const ir::Stencil& stencil, const Temporal& temporal, int64_t cells,
                         int width) {
  const MarchCosts costs = march_costs(stencil, temporal);
  return cells % width == 0 ? costs.filled : costs.ragged;
}

st::March march_of(const ir::Stencil& stencil, const Schedule& schedule, const Temporal& temporal,
                   const std::array<int64_t, 3>& extents, int64_t places) {
  const int64_t strips = temporal.strips(extents[0], schedule.vector);
  if (!schedule.full) return st::chunks_of(strips, extents[1], schedule.coarsen);
  return st::march_of(strips, extents[1], std::max<int64_t>(places, 1),
                      march_cost(stencil, temporal, extents[0], schedule.vector));
}

}  // namespace stencilc::plan
