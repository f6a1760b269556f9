#include "plan/model/one_step_small.h"

#include <algorithm>
#include <cmath>

#include "plan/model/one_step.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Fitted to 26 kernels of 5 stencils on grids of 64 to 160 cells along each axis on an H200; seven
// of them are naive and start late (3700). Values are clocks of a multiprocessor
// (bench/results/2026-11-23-h200-small-in-space.txt, parts 3 and 4, and 2026-11-23-h200-line.txt,
// part 2).
constexpr double kBusy =
    0.777;  // fraction of what the model for large grids predicts for caches and instructions
constexpr double kBegin = 690;       // per block
constexpr double kAccess = 78;       // per load or store of a thread
constexpr double kDivision = 116;    // per division on which the next cell of the thread depends
constexpr double kAtBoundary = 356;  // per cell near the boundary that may keep its value: a branch
constexpr double kFurther =
    0.155;  // fraction of the waiting time for blocks of the third and later waves
constexpr double kLaunch = 740;

// Whether cells near the boundary may keep their values.
bool keeps_cells(const ir::Stencil& stencil) {
  for (const ir::Field& field : stencil.fields)
    for (const auto& sides : field.boundary.sides)
      for (const ir::Side& side : sides)
        if (side.edge == ir::Edge::fixed) return true;
  return std::any_of(stencil.updates.begin(), stencil.updates.end(), [](const ir::Update& update) {
    const ir::Domain& domain = update.cases[0].domain;
    return update.cases.size() > 1 || !domain.everywhere() || domain.mask || !domain.limits.empty();
  });
}

}  // namespace

double seconds_of_small(Survey& survey, const Schedule& schedule, const Device& device,
                        const std::array<int64_t, 3>& extents) {
  const Card& card = card_for(device);
  const std::array<int, 3> tile = schedule.tile();
  double blocks = 1, cells = 1;  // per block
  for (int a = 0; a < 3; ++a) {
    blocks *= std::ceil(static_cast<double>(extents[a]) / tile[a]);
    cells *= tile[a];
  }
  const ir::Stencil& stencil = survey.stencil;
  const bool keeps = keeps_cells(stencil);
  double clocks = 0;
  for (const Launch& launch : survey.stages(schedule).launches) {
    if (launch.stores.empty()) continue;
    const Reads& reads = survey.reads(launch);
    const Footprint footprint = footprint_of(reads, schedule, stencil.rank());
    const Prediction one = predict(reads, footprint, schedule, device, card, extents);
    if (one.resident == 0 || one.spills) return HUGE_VAL;
    const double caches = std::max({one.clocks[1], one.clocks[2], one.clocks[3]});
    const double busy = std::max(one.clocks[0], kBusy * caches);
    const double of_cell =
        kDivision * reads.work.divisions + (keeps ? kAtBoundary * one.edge_blocks : 0);
    const double waits =
        kBegin + footprint.passes * (kAccess * footprint.accesses + of_cell * footprint.cells);
    const double waves = std::ceil(blocks / card.multiprocessors / one.resident);
    clocks += std::ceil(blocks / card.multiprocessors) * cells * busy +
              (std::min(2.0, waves) + kFurther * std::max(0.0, waves - 2)) * waits + kLaunch;
  }
  return clocks / (*card.clock * 1e9);
}

}  // namespace stencilc::plan
