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
// the last strip takes as long, though it loads cell by cell; but not of narrow values, for which
// it waits in each row.
MarchCosts march_costs(const ir::Stencil& stencil, const Temporal& temporal) {
  constexpr int64_t kRim = 170, kLoads = 350, kWaits = 250;  // percent; the last is an estimate
  const int64_t beside = static_cast<int64_t>(temporal.steps) * (temporal.behind + temporal.lag);
  if (temporal.bits) return {{beside, 0, 100}, {beside, 0, 100}};
  const bool alike = alike_at_ends(stencil, temporal);
  const bool stays = temporal.staying >= 0, loads = !alike && stays && !temporal.passes;
  const int64_t rim = loads ? kLoads : kRim;
  const int64_t each = alike ? 0 : loads ? 20 : stays ? 6 : 10;
  const int64_t ends = each * temporal.steps * std::max(temporal.behind, temporal.lag);
  return {{beside, ends, rim}, {beside, ends, is_narrow(stencil) ? std::max(rim, kWaits) : rim}};
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
