#include "plan/search/choose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "plan/analysis/reads.h"
#include "plan/model/one_step.h"
#include "plan/model/one_step_small.h"
#include "plan/search/choose_blocks.h"
#include "plan/search/choose_steps.h"
#include "plan/search/spatial_shapes.h"
#include "plan/search/temporal_shapes.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Predicts the time of shapes, for all launches of a step.
class Judge {
 public:
  Judge(Survey& survey, const Device& device)
      : rank_(survey.stencil.rank()), device_(device), card_(card_for(device)) {
    for (const Launch& launch : survey.best().launches)
      if (!launch.stores.empty()) launches_.push_back(survey.reads(launch));
  }

  double clocks(const Schedule& shape) const { return clocks(shape, nullptr, false); }
  // If it did not spill.
  double clocks_at_best(const Schedule& shape) const { return clocks(shape, nullptr, true); }
  double clocks_at_best(const Schedule& shape, const std::vector<KernelSize>& sizes) const {
    return clocks(shape, &sizes, true);
  }
  // With kernels of these sizes. `by_reads`: as in predict().
  double clocks(const Schedule& shape, const std::vector<KernelSize>& sizes,
                bool by_reads = true) const {
    return clocks(shape, &sizes, false, by_reads);
  }

 private:
  double clocks(const Schedule& shape, const std::vector<KernelSize>* sizes, bool at_best,
                bool by_reads = true) const {
    double sum = 0;
    for (size_t n = 0; n < launches_.size(); ++n) {
      const Prediction one = predict(launches_[n], footprint_of(launches_[n], shape, rank_), shape,
                                     device_, card_, usual_extents(rank_),
                                     sizes && n < sizes->size() ? &(*sizes)[n] : nullptr, by_reads);
      if (one.resident == 0 || (one.spills && !at_best))
        return std::numeric_limits<double>::infinity();
      sum += one.together;
    }
    return sum;
  }

  int rank_;
  const Device& device_;
  const Card& card_;
  std::vector<Reads> launches_;
};

// Whether no kernel spills or is too long.
bool fits(Survey& survey, const Schedule& shape, const Device& device) {
  const std::vector<KernelSize>& sizes = survey.kernel_sizes(shape);
  return std::none_of(sizes.begin(), sizes.end(),
                      [&](const KernelSize& size) { return is_too_large(size, shape, device); });
}

// One cell a thread, in the blocks and with the registers that it is best with.
Schedule one_cell(Survey& survey) { return with_blocks(survey, naive(survey.stencil.rank())); }

// Whether threads stream vectors of f64 in space in several launches, or hold so many that few
// warps are resident.
bool streams_much_f64(Survey& survey, const Schedule& shape, bool several) {
  constexpr double kMany = 110;  // registers
  if (survey.stencil.rank() < 3 || shape.coarsen == 1 || shape.shared != Shared::none ||
      survey.reads().widest < 8 || !survey.makes_kernels())
    return false;
  return several || std::ranges::any_of(survey.kernel_sizes(shape), [](const KernelSize& size) {
           return registers_of(size) > kMany;
         });
}

// Whether functions that branch make most of the code: cells of a thread do not run side by side.
bool calls_much(Survey& survey, const Schedule& shape) {
  constexpr double kMost = 0.4;
  return survey.makes_kernels() && share_of_branching(survey.kernel_sizes(shape)) > kMost;
}

}  // namespace

// The least predicted gain over one cell a thread for which several are chosen. Columns of a thread
// gain less than predicted, and so do one shape for many launches, vectors of what is read once and
// streams of much f64 (bench/notes/model.md).
double least_gain(Survey& survey, const Schedule& shape) {
  constexpr double kColours = 1.35, kVectors = 0.96, kStreams = 0.84, kStreamsOfMany = 0.97,
                   kForMany = 1.05, kCalls = 1.05, kLines = 1.2, kColumns = 1.05, kMuchF64 = 1.2;
  const int rank = survey.stencil.rank();
  if (survey.stencil.colors.count() != 0) return kColours;
  if (rank == 1) return kLines;
  if (shape.vector == 1) return kColumns;
  const std::vector<Launch>& all = survey.stages(shape).launches;
  const auto launches = std::count_if(all.begin(), all.end(), [](const Launch& launch) {
    return !launch.stores.empty() || launch.every_step;
  });
  if (streams_much_f64(survey, shape, launches > 1 || survey.is_one_of_several())) return kMuchF64;
  if (calls_much(survey, shape)) return kCalls;
  const bool once = streams_from_one_neighbour(survey.stencil, false);
  if (rank == 3 && shape.coarsen > 1) return launches > 1 || once ? kStreamsOfMany : kStreams;
  if (launches > (rank == 3 ? 1 : 2)) return kForMany;
  return launches > 1 && once ? kForMany : kVectors;
}

namespace {

// Whether one cell a thread is as fast, by the code of the kernels. Taps in loops and boxes in
// shared memory have forecasts of their own.
bool is_slower_than_one_cell(Survey& survey, const Judge& judge, const Schedule& shape) {
  if (shape.taps != Taps::terms || shape.shared != Shared::none) return false;
  const Schedule one = one_cell(survey);
  return judge.clocks(shape, survey.kernel_sizes(shape), false) * least_gain(survey, shape) >
         judge.clocks(one, survey.kernel_sizes(one), false);
}

// Of shapes whose kernels do not spill, the fastest by their code. Kernels are made for a few
// shapes: of those whose threads hold the same, for one. If all of them spill, threads of one cell
// spill least.
Schedule fastest_that_fits(Survey& survey, const Judge& judge,
                           const std::vector<Schedule>& shapes) {
  constexpr size_t kTried = 6;
  std::map<std::array<int, 5>, double> kinds;  // and their time, if they did not spill
  const auto kind_of = [](const Schedule& shape) {
    return std::array{shape.vector, shape.rows, static_cast<int>(shape.scatter),
                      static_cast<int>(shape.shared), static_cast<int>(shape.taps)};
  };
  for (const Schedule& shape : shapes) {
    double& least = kinds.try_emplace(kind_of(shape), HUGE_VAL).first->second;
    least = std::min(least, judge.clocks_at_best(shape));
  }
  std::vector<std::pair<double, std::array<int, 5>>> order;
  for (const auto& [kind, clocks] : kinds) order.emplace_back(clocks, kind);
  std::sort(order.begin(), order.end());
  const Schedule one = one_cell(survey);
  Schedule best = naive(survey.stencil.rank());
  double least = judge.clocks(one, survey.kernel_sizes(one), false);
  for (size_t n = 0; n < std::min(order.size(), kTried); ++n)
    for (const Schedule& shape : shapes) {
      if (kind_of(shape) != order[n].second) continue;
      const double clocks =
          judge.clocks(shape, survey.kernel_sizes(shape), false) * least_gain(survey, shape);
      if (clocks >= least) continue;
      least = clocks;
      best = shape;
    }
  return best;
}

// The fastest shape; of those that are equally fast, the first.
Schedule fastest(Survey& survey, const Device& device) {
  const int rank = survey.stencil.rank();
  // Predictions are not more precise. In 3-D simpler shapes are much shorter to read.
  const double as_fast = rank == 3 ? 1.025 : 1.011;
  Judge judge(survey, device);
  const std::vector<Schedule> all = shapes(survey.reads(), rank, device);
  std::vector<double> clocks;
  for (const Schedule& shape : all) clocks.push_back(judge.clocks(shape));
  const double least = *std::min_element(clocks.begin(), clocks.end());
  const auto first = std::find_if(clocks.begin(), clocks.end(),
                                  [&](double one) { return one <= least * as_fast; });
  const Schedule& best = all[first - clocks.begin()];
  if (!survey.makes_kernels()) return best;
  if (fits(survey, best, device) && !is_slower_than_one_cell(survey, judge, best)) return best;
  return fastest_that_fits(survey, judge, all);
}

// Blocks in bands gain a quarter less than predicted (bench/notes/model.md).
constexpr double kGainOfBands = 1.25;

// In 3-D, for threads of one plane: with blocks in bands, if that saves much of what the L2 would
// have to load again.
Schedule swizzled(Survey& survey, Schedule shape, const Device& device) {
  if (survey.stencil.rank() < 3 || shape.tile()[2] > 1) return shape;
  const Judge judge(survey, device);
  // In another order of blocks a kernel spills neither more nor less.
  const auto clocks = [&](const Schedule& one) {
    const std::vector<KernelSize>* sizes = survey.known_sizes(one);
    return sizes ? judge.clocks_at_best(one, *sizes) : judge.clocks_at_best(one);
  };
  double least = clocks(shape) / kGainOfBands;
  for (const int rows : {32, 64, 128}) {
    Schedule other = shape;
    other.swizzle = rows;
    if (rows < other.tile()[1] || clocks(other) >= least) continue;
    least = clocks(other);
    shape = other;
  }
  return shape;
}

constexpr const char* kNaive = "each thread computes one cell; neighbours come from the caches";
constexpr const char* kColumns =
    "each thread computes several cells, and reuses loaded values in registers";
constexpr const char* kReuse = ", and reuses loaded values in registers";
std::string reason_of_vectors(int cells) {
  if (cells == 1) return "each thread computes several cells";
  return "each thread loads and stores " + std::to_string(cells) + " cells at once";
}

constexpr int kThreads = 256;  // per block on a small grid
constexpr int kAlongX[] = {32, 8, 16, 24, 40, 48, 64};

// For steps of one launch: a thread keeps as many cells of a plane as on large grids.
Schedule of_few_planes(Survey& survey, const Schedule& given, const Device& device,
                       const std::array<int64_t, 3>& extents) {
  constexpr double kPass =
      0.3e-6;  // seconds per pass: few blocks have to wait for each of their rows
  Schedule one = given;
  double least = std::numeric_limits<double>::infinity();
  for (const int along_x : kAlongX)
    for (const int planes : {8, 4, 2}) {
      Schedule shape = given;
      shape.threads = {along_x, std::max(1, kThreads / along_x), 1};
      shape.coarsen = planes;
      const Forecast seen = forecast(survey, shape, device, extents);
      if (seen.rate == 0 || seen.spills) continue;
      double computed = 1;  // cells, including those that threads outside the grid leave out
      for (int a = 0; a < 3; ++a)
        computed *= std::ceil(static_cast<double>(extents[a]) / shape.tile()[a]) * shape.tile()[a];
      const double time = computed / seen.rate + kPass * planes;
      if (time >= least) continue;
      least = time;
      one = shape;
    }
  return one;
}

// For all other steps: also fewer cells of a plane, since each has to be waited for; in narrow
// vectors, unless wide ones gain much.
Schedule of_few_cells(Survey& survey, const Schedule& given, const Device& device,
                      const std::array<int64_t, 3>& extents) {
  constexpr double kAsFast = 1.01, kWide = 1.05;
  Schedule one = given;
  double least = std::numeric_limits<double>::infinity();
  for (const int vector : {1, given.vector / 2, given.vector}) {
    const double before = least;
    for (const int along_x : kAlongX)
      for (const int planes : {1, 2, 4, 8}) {
        Schedule shape = given;
        shape.scatter = false;
        shape.shared = Shared::none;
        shape.vector = vector;
        shape.rows = 1;
        shape.threads = {along_x, std::max(1, kThreads / along_x), 1};
        shape.coarsen = planes;
        const double time = seconds_of_small(survey, shape, device, extents);
        if (time * kAsFast >= least || time * kWide >= before) continue;
        least = time;
        one = shape;
      }
  }
  if (std::isinf(least)) return given;
  if (one.vector > 1)
    one.reason = reason_of_vectors(one.vector) + (one.coarsen > 1 ? kReuse : "");
  else
    one.reason = one.coarsen > 1 ? kColumns : kNaive;
  return one;
}

// The schedule, or one cell a thread if it is not predicted to be faster on this grid. Vectors move
// memory faster: where the L2 holds the grids, they have to gain more by prediction.
Schedule if_it_gains(Survey& survey, Schedule schedule, const Device& device,
                     const std::array<int64_t, 3>& extents) {
  constexpr double kHeld = 1.15;
  constexpr double kEdges = 0.9;  // short steps gain less than predicted by edges=cells
  if (!survey.makes_kernels() || schedule.preset == "naive" || schedule.taps != Taps::terms ||
      schedule.shared != Shared::none)
    return schedule;
  Schedule one = naive(survey.stencil.rank());
  one.early = schedule.early;
  one.reason = std::string(kNaive) + "; several per thread are not predicted to gain";
  const auto forecast_of = [&](const Schedule& of) {
    survey.kernel_sizes(of);
    return forecast(survey, of, device, extents);
  };
  const Forecast several = forecast_of(schedule);
  const double gain = std::max(least_gain(survey, schedule), is_held_by_l2(several) ? kHeld : 0);
  const Schedule blocks = with_blocks(survey, one);
  double rate = forecast_of(blocks).rate;
  if (survey.stencil.rank() > 1 && several.launches.size() > 1) {
    Schedule edges = blocks;
    edges.edge_cells = true;
    rate = std::max(rate, kEdges * forecast_of(edges).rate);
  }
  return several.rate >= gain * rate ? schedule : one;
}

// Without bands, if they do not gain on grids of these extents.
Schedule without_needless_bands(Survey& survey, Schedule schedule, const Device& device,
                                const std::array<int64_t, 3>& extents) {
  if (schedule.swizzle == 0 || !survey.makes_kernels()) return schedule;
  Schedule plain = schedule;
  plain.swizzle = 0;
  const auto rate_of = [&](const Schedule& of) {
    survey.kernel_sizes(of);
    return forecast(survey, of, device, extents).rate;
  };
  return rate_of(schedule) < kGainOfBands * rate_of(plain) ? plain : schedule;
}

// Whether several steps per launch gain by the code of the kernels of one, too.
bool steps_gain(Survey& survey, const Schedule& one, const Schedule& steps, const Device& device,
                const std::array<int64_t, 3>& extents) {
  // Lines gain more than predicted.
  const double gain = survey.stencil.rank() == 1 ? 0.7 : 1.1;
  if (!survey.makes_kernels()) return true;
  const Schedule blocks = with_blocks(survey, one);
  survey.kernel_sizes(blocks);
  return gain * forecast(survey, steps, device, extents).seconds() <
         forecast(survey, blocks, device, extents).seconds();
}

// The gains that some choices ask for were set with registers estimated from what cells read.
template <class Choice>
auto by_reads(Survey& survey, const Choice& choice) {
  survey.by_reads = true;
  auto chosen = choice();
  survey.by_reads = false;
  return chosen;
}

// The shape from what cells read, or one cell a thread, before its blocks are chosen.
Schedule before_blocks(Survey& survey, Schedule schedule, const Device& device,
                       const std::array<int64_t, 3>& extents, bool small) {
  // In 2-D, resident tiles were measured against launches that start late.
  if (small && survey.stencil.rank() == 3)
    schedule = by_reads(survey, [&] { return fitted(survey, schedule, device, extents); });
  return if_it_gains(survey, std::move(schedule), device, extents);
}

Schedule with_own_blocks(Survey& survey, Schedule schedule, const Device& device,
                         const std::array<int64_t, 3>& extents, bool small) {
  if (small && survey.stencil.rank() < 3)
    schedule = by_reads(survey, [&] { return fitted(survey, schedule, device, extents); });
  schedule = with_edges(survey, with_blocks(survey, schedule), device, extents);
  return without_needless_bands(survey, std::move(schedule), device, extents);
}

}  // namespace

Schedule shape_of_one_step(Survey& survey, const Device& device,
                           const std::array<int64_t, 3>& extents, bool small) {
  return with_own_blocks(survey,
                         before_blocks(survey, coarsened(survey, device), device, extents, small),
                         device, extents, small);
}

Schedule naive(int rank) {
  Schedule schedule;
  schedule.preset = "naive";
  schedule.threads = rank == 1 ? std::array{256, 1, 1} : std::array{32, 8, 1};
  schedule.reason = kNaive;
  return schedule;
}

Schedule columns(int rank) {
  Schedule schedule = naive(rank);
  schedule.preset = "coarsened";
  schedule.coarsen_axis = rank - 1;
  schedule.coarsen = rank == 2 ? 8 : 4;
  if (rank == 2) schedule.threads = {128, 1, 1};
  if (rank == 3) schedule.threads = {64, 4, 1};
  schedule.reason = kColumns;
  return schedule;
}

Schedule fitted(Survey& survey, Schedule one, const Device& device,
                const std::array<int64_t, 3>& extents) {
  one.early = true;
  one.swizzle = 0;  // the planes of a small grid stay in the L2
  if (survey.stencil.rank() < 3 || one.vector == 1 || one.coarsen_axis != 2 || one.threads[2] > 1)
    return one;
  const auto stores = [](const Launch& launch) { return !launch.stores.empty(); };
  const auto& launches = survey.stages(one).launches;
  const bool streams = one.shared != Shared::none || one.scatter;
  if (!streams && std::count_if(launches.begin(), launches.end(), stores) == 1)
    return of_few_planes(survey, one, device, extents);
  return of_few_cells(survey, one, device, extents);
}

Schedule coarsened(const ir::Stencil& stencil, const Device& device) {
  Survey survey(stencil);
  return coarsened(survey, device);
}

Schedule coarsened(Survey& survey, const Device& device) {
  const int rank = survey.stencil.rank();
  Schedule schedule = naive(rank);
  schedule.preset = "coarsened";
  schedule.coarsen_axis = rank - 1;
  const Reads& reads = survey.reads();
  // Cells of one colour are not adjacent, so they are not vectorised.
  if (survey.stencil.colors.count() != 0 || (rank > 1 && reads.shares && reads.beside.size() <= 2))
    return columns(rank);
  if (rank == 1) {
    constexpr int kAccess = 16;  // bytes that one access moves at most
    schedule.coarsen = 1;
    schedule.vector = reads.widest == 1 ? 4 : kAccess / reads.widest;
    if (reads.recomputes) schedule.vector = std::max(2, schedule.vector / 2);
    schedule.reason = reason_of_vectors(schedule.vector);
    // Of each sum: loops over few taps only keep many sums at once.
    constexpr int kManyTaps = 16;
    if (reads.boxes > 0 && reads.taps / reads.boxes >= kManyTaps && schedule.vector > 1)
      schedule.taps = Taps::unrolled;
    return schedule;
  }
  schedule = swizzled(survey, fastest(survey, device), device);
  if (schedule.preset == "naive" && schedule.vector == 1 && schedule.coarsen == 1 &&
      schedule.rows == 1) {
    schedule.reason =
        std::string(kNaive) + "; with several cells, threads would hold too many registers";
    return schedule;
  }
  schedule.preset = "coarsened";
  schedule.reason = schedule.shared == Shared::boxes
                        ? "planes are prefetched into shared memory by bulk copies (TMA) and added "
                          "to partial sums"
                        : reason_of_vectors(schedule.vector) +
                              (schedule.coarsen * schedule.rows > 1 ? kReuse : "");
  // With this word ptxas takes operands of the loops from the reuse cache. Blocks of 128 threads
  // were up to 1.3 times as fast; larger ones slower, with more registers
  // (bench/notes/convolutions.md).
  constexpr int kLargest = 128;  // threads
  if (schedule.taps == Taps::rolled && schedule.block_threads() <= kLargest) schedule.resident = 2;
  if (schedule.taps != Taps::terms)
    schedule.reason = "sums of " + std::to_string(reads.taps) +
                      " taps are loops: each thread adds every row that it loads to the partial "
                      "sums of " +
                      std::to_string(schedule.rows) + " rows of " +
                      std::to_string(schedule.vector) + " cells, which it keeps in registers";
  return schedule;
}

Schedule choose(const ir::Stencil& stencil, Target target, int optimisation, const Device& device) {
  return choose(stencil, target, optimisation, device, usual_extents(stencil.rank()));
}

Schedule choose(const ir::Stencil& stencil, Target target, int optimisation, const Device& device,
                const std::array<int64_t, 3>& extents, KernelSizes sizes) {
  return choose_all(stencil, target, optimisation, device, extents, std::move(sizes)).schedule;
}

Schedules choose_all(const ir::Stencil& stencil, Target target, int optimisation,
                     const Device& device, const std::array<int64_t, 3>& extents,
                     KernelSizes sizes) {
  Survey survey(stencil, std::move(sizes));
  Schedule schedule;
  if (target == Target::cpu) {
    schedule.preset = "loops";
    schedule.reason = "the rows are spread over all cores, and the cells of a row are vectorised";
  } else {
    schedule = optimisation == 0 ? naive(stencil.rank()) : coarsened(survey, device);
  }
  const bool fits =
      target == Target::cuda && optimisation > 0 && stencil.steps() && is_small(extents);
  if (target == Target::cpu || optimisation == 0) return schedule;
  schedule = before_blocks(survey, std::move(schedule), device, extents, fits);
  StepChoice several =
      by_reads(survey, [&] { return choose_steps(survey, schedule, device, extents); });
  if (several.schedules &&
      !steps_gain(survey, schedule, several.schedules->schedule, device, extents))
    several.schedules.reset();
  if (!several.schedules) {
    return with_own_blocks(survey, std::move(schedule), device, extents, fits);
  }
  several.schedules->single = coarsened(survey, device);
  return std::move(*several.schedules);
}

}  // namespace stencilc::plan
