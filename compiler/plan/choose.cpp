#include "plan/choose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plan/model.h"
#include "plan/reads.h"
#include "plan/space.h"

namespace stencilc::plan {
namespace {

// How fast shapes are, over all launches of a step.
class Judge {
 public:
  Judge(const ir::Stencil& stencil, const Device& device)
      : rank_(stencil.rank()), device_(device), card_(card_for(device)) {
    for (const Launch& launch : stages(stencil, Fusion::best, true).launches)
      if (!launch.stores.empty()) launches_.push_back(reads_of(stencil, launch));
  }

  double clocks(const Schedule& shape) {
    double sum = 0;
    for (const Reads& reads : launches_) {
      const Prediction one = predict(reads, footprint_of(reads, shape, rank_), shape, device_,
                                     card_, usual_extents(rank_));
      if (one.resident == 0 || one.spills) return std::numeric_limits<double>::infinity();
      sum += one.together;
    }
    return sum;
  }

 private:
  int rank_;
  const Device& device_;
  const Card& card_;
  std::vector<Reads> launches_;
};

// The fastest; of those that are as fast, the first.
Schedule fastest(const ir::Stencil& stencil, const Reads& reads, const Device& device) {
  // Predictions are no better than that. In space simpler shapes are much shorter to read.
  const double as_fast = stencil.rank() == 3 ? 1.025 : 1.011;
  Judge judge(stencil, device);
  const std::vector<Schedule> all = shapes(reads, stencil.rank(), device);
  std::vector<double> clocks;
  for (const Schedule& shape : all) clocks.push_back(judge.clocks(shape));
  const double least = *std::min_element(clocks.begin(), clocks.end());
  const auto first = std::find_if(clocks.begin(), clocks.end(),
                                  [&](double one) { return one <= least * as_fast; });
  return all[first - clocks.begin()];
}

}  // namespace

Schedule naive(int rank) {
  Schedule schedule;
  schedule.preset = "naive";
  schedule.threads = rank == 1 ? std::array{256, 1, 1} : std::array{32, 8, 1};
  schedule.reason = "one cell a thread; neighbours come from the caches";
  return schedule;
}

Schedule columns(int rank) {
  Schedule schedule = naive(rank);
  schedule.preset = "coarsened";
  schedule.coarsen_axis = rank - 1;
  schedule.coarsen = rank == 2 ? 8 : 4;
  if (rank == 2) schedule.threads = {128, 1, 1};
  if (rank == 3) schedule.threads = {64, 4, 1};
  schedule.reason = "a thread keeps what it has loaded for its next cells";
  return schedule;
}

Schedule fitted(const ir::Stencil& stencil, Schedule one, const Device& device,
                const std::array<int64_t, 3>& extents) {
  constexpr int kThreads = 256;
  constexpr double kPass = 0.3e-6;  // seconds of one: few blocks wait for each of their rows
  one.early = true;
  if (stencil.rank() < 3 || one.vector == 1 || one.coarsen_axis != 2 || one.threads[2] > 1 ||
      one.shared != Shared::none || one.scatter)
    return one;
  one.stages = stages(stencil, one.fusion, true);
  // Of steps of several launches it was measured to err: 0.7 of a naive kernel (fdtd3d, 96^3).
  const auto stores = [](const Launch& launch) { return !launch.stores.empty(); };
  const auto& launches = one.stages.launches;
  if (std::count_if(launches.begin(), launches.end(), stores) > 1) return one;
  const Schedule given = one;
  double least = std::numeric_limits<double>::infinity();
  for (const int along_x : {32, 8, 16, 24, 40, 48, 64})
    for (const int planes : {8, 4, 2}) {
      Schedule shape = given;
      shape.threads = {along_x, std::max(1, kThreads / along_x), 1};
      shape.coarsen = planes;
      const Forecast seen = forecast(stencil, shape, device, extents);
      if (seen.rate == 0 || seen.spills) continue;
      double computed = 1;  // cells, also those that threads beyond the rim leave out
      for (int a = 0; a < 3; ++a)
        computed *= std::ceil(static_cast<double>(extents[a]) / shape.tile()[a]) * shape.tile()[a];
      const double time = computed / seen.rate + kPass * planes;
      if (time >= least) continue;
      least = time;
      one = shape;
    }
  return one;
}

Schedule coarsened(const ir::Stencil& stencil, const Device& device) {
  const int rank = stencil.rank();
  Schedule schedule = naive(rank);
  schedule.preset = "coarsened";
  schedule.coarsen_axis = rank - 1;
  const Reads reads = reads_of(stencil);
  // Cells of one colour are no neighbours, so nothing is moved together.
  if (stencil.colors.count() != 0 || (rank > 1 && reads.shares && reads.beside.size() <= 2))
    return columns(rank);
  if (rank == 1) {
    constexpr int kAccess = 16;  // bytes that one access moves at most
    schedule.coarsen = 1;
    schedule.vector = reads.widest == 1 ? 4 : kAccess / reads.widest;
    if (reads.recomputes) schedule.vector = std::max(2, schedule.vector / 2);
    schedule.reason = "a thread moves " + std::to_string(schedule.vector) + " cells at once";
    constexpr int kManyTaps = 16;
    if (reads.taps >= kManyTaps && schedule.vector > 1) schedule.taps = Taps::unrolled;
    return schedule;
  }
  schedule = fastest(stencil, reads, device);
  schedule.preset = "coarsened";
  schedule.reason = schedule.shared == Shared::boxes
                        ? "planes are copied ahead as boxes, and added to the sums that read them"
                        : "a thread moves " + std::to_string(schedule.vector) +
                              " cells at once, and keeps what it has loaded for its next ones";
  if (schedule.taps != Taps::terms)
    schedule.reason = "sums of " + std::to_string(reads.taps) +
                      " taps are loops: a thread adds the "
                      "rows that arrive to " +
                      std::to_string(schedule.rows) + " rows of " +
                      std::to_string(schedule.vector) + " sums, which it holds";
  return schedule;
}

}  // namespace stencilc::plan
