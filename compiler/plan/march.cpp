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

// Measured: the text of the ends takes about ten rows of the inside for each that it has; strips at
// the rim take a third longer, and more than twice as long where their last vector is not filled,
// or where cells stay as they are.
MarchCosts march_costs(const ir::Stencil& stencil, const Temporal& temporal) {
  const int64_t beside = static_cast<int64_t>(temporal.steps) * (temporal.behind + temporal.lag);
  if (alike_at_ends(stencil, temporal)) return {{beside, 0, 100}, {beside, 0, 100}};
  const bool stays = temporal.staying >= 0;
  const int64_t ends = (stays ? 20 : 10) * temporal.steps * std::max(temporal.behind, temporal.lag);
  if (wraps(stencil, 0)) return {{beside, ends, 110}, {beside, ends, 110}};
  return {{beside, ends, stays ? 240 : 135}, {beside, ends, stays ? 300 : 230}};
}

st::March march_of(const ir::Stencil& stencil, const Schedule& schedule, const Temporal& temporal,
                   const std::array<int64_t, 3>& extents, int64_t places) {
  const int64_t strips = temporal.strips(extents[0], schedule.vector);
  if (!schedule.full) return st::chunks_of(strips, extents[1], schedule.coarsen);
  const MarchCosts costs = march_costs(stencil, temporal);
  return st::march_of(strips, extents[1], std::max<int64_t>(places, 1),
                      extents[0] % schedule.vector == 0 ? costs.filled : costs.ragged);
}

}  // namespace stencilc::plan
