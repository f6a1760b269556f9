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

// Do cells beyond the ends of rows come of the row's own last ones, or are they constants?
bool makes_do_at_ends(const ir::Stencil& stencil, const Temporal& temporal) {
  const auto simple = [](const ir::Side& side) {
    return side.edge == ir::Edge::none || side.edge == ir::Edge::clamp ||
           side.edge == ir::Edge::constant;
  };
  return temporal.staying < 0 &&
         std::all_of(stencil.fields.begin(), stencil.fields.end(), [&](const ir::Field& field) {
           const auto& sides = field.boundary.sides[0];
           return field.role != ir::Role::stepped || (simple(sides[0]) && simple(sides[1]));
         });
}

}  // namespace

// Measured (bench/results/2026-11-24-h200-ragged.txt): the text of the ends takes about ten rows of
// the inside for each that it has, less where rows pass through the sums, and more where rows are
// loaded that stay. Strips at the rim have a text that no other warp of a multiprocessor runs, and
// take two thirds longer; where their last vector is not filled, three times as long, or four where
// what lies beyond is not a row's own last cell or a constant; and where cells that stay are loaded
// (not measured where vectors do not fill rows). Less would be worse than more: all others wait for
// the last strip. Where the rim takes so long, chunks in one wave are over soonest.
MarchCosts march_costs(const ir::Stencil& stencil, const Temporal& temporal) {
  constexpr int64_t kRim = 170, kLoads = 350;       // percent
  constexpr int64_t kRagged = 300, kFurther = 400;  // of what is made of other cells
  const int64_t beside = static_cast<int64_t>(temporal.steps) * (temporal.behind + temporal.lag);
  if (temporal.bits) return {{beside, 0, 100}, {beside, 0, 100}};
  const int64_t ragged = makes_do_at_ends(stencil, temporal) ? kRagged : kFurther;
  if (alike_at_ends(stencil, temporal)) return {{beside, 0, kRim}, {beside, 0, ragged, 1}};
  const bool stays = temporal.staying >= 0, loads = stays && !temporal.passes;
  const int64_t ends = (loads   ? 20
                        : stays ? 6
                                : 10) *
                       temporal.steps * std::max(temporal.behind, temporal.lag);
  return {{beside, ends, loads ? kLoads : kRim}, {beside, ends, ragged, 1}};
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
