#include "plan/search/choose_tiles.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan/model/one_step.h"
#include "plan/schedule/staged_values.h"
#include "plan/search/choose.h"
#include "plan/search/choose_blocks.h"

namespace stencilc::plan {
namespace {

// How many times as long as predicted steps last in 3-D that keep very short values in tiles, and
// those of several launches that keep long ones.
constexpr double kShortInSpace = 1.5, kLongOfMany = 1.5;
// In 2-D (bench/notes/tiles.md, "How the compiler chooses").
constexpr double kInPlane = 0.88;
constexpr double kShortValues = 100;  // instructions, at most, that are computed together
// In 2-D: steps of long values whose threads compute one cell each.
constexpr double kLongOfOne = 1.25;
// If one shape is so much slower than what there is, no other one is tried.
constexpr double kFar = 1.25;
constexpr int kTileRegisters = 128;  // registers
// Kernels of which so many times as many words live at once as a thread may have registers spill
// hundreds of bytes. The estimate for those of less is not precise enough.
constexpr double kHopeless = 1.25;

// The most instructions of values that are computed together.
double longest_work(Survey& survey, const Schedule& schedule) {
  double most = 0;
  for (const Launch& launch : survey.stages(schedule).launches)
    most =
        std::max(most, staged_values(survey.stencil, launch, schedule.tile_values).longest_work());
  return most;
}

// Kernels of long values gain where another block fits on the multiprocessor, those of short ones
// where they need few registers anyway.
bool gains_by_limit(Survey& survey, const Schedule& schedule, bool is_long) {
  const std::vector<KernelSize>& sizes = survey.kernel_sizes(schedule);
  return std::ranges::any_of(sizes, [&](const KernelSize& size) {
    return is_long == (registers_of(size) > kTileRegisters) &&
           gains_by_limit(size, kTileRegisters, schedule.block_threads());
  });
}

bool is_hopeless(Survey& survey, const Schedule& schedule, const Device& device) {
  const int most = std::min(device.thread_registers, device.registers / schedule.block_threads());
  return std::ranges::any_of(survey.kernel_sizes(schedule), [&](const KernelSize& size) {
    return size.live_words > kHopeless * most;
  });
}

struct Shape {
  std::array<int, 3> threads;
  int coarsen, axis;
};

// Long values take many registers: a thread computes few of them.
std::vector<Shape> shapes_of(int rank, bool is_long) {
  if (rank == 1) return {};
  if (rank == 3) return {{{32, 4, 4}, 1, 2}};
  if (is_long) return {{{32, 8, 1}, 2, 1}, {{32, 8, 1}, 1, 1}};
  return {{{32, 4, 1}, 4, 1}};
}

// In 2-D: whether threads that keep values in tiles have less to compute than those of one cell
// that keep none, or need fewer registers. Without either they only wait for each other
// (bench/notes/tiles.md, "How the compiler chooses").
bool saves(Survey& survey, const Schedule& tiled) {
  constexpr double kInstructions = 0.9, kRegisters = 0.85;
  const auto of = [&](const Schedule& schedule) {
    double instructions = 0, registers = 0;
    for (const KernelSize& size : survey.kernel_sizes(schedule)) {
      instructions += instructions_of(size.code);
      registers = std::max(registers, registers_of(size));
    }
    return std::pair(instructions, registers);
  };
  const auto [less, few] = of(tiled);
  const auto [all, many] = of(with_blocks(survey, naive(survey.stencil.rank())));
  return less <= kInstructions * all || (less <= all && few <= kRegisters * many);
}

// Whether threads compute their cells in a loop that is too long to be unrolled: such tiles do not
// last less long than predicted.
bool in_turns(Survey& survey, const Schedule& schedule) {
  return std::ranges::any_of(survey.kernel_sizes(schedule),
                             [](const KernelSize& size) { return size.code.turns > 1; });
}

// `lasts`: how many times as long as predicted.
std::optional<Timed> fastest_of(Survey& survey, const Schedule& base,
                                const std::vector<Shape>& shapes, bool is_long, double lasts,
                                const Device& device, double least,
                                const std::function<double(const Schedule& schedule)>& seconds) {
  std::optional<Timed> best;
  for (const Shape& shape : shapes) {
    Schedule one = base;
    one.threads = shape.threads;
    one.coarsen = shape.coarsen;
    one.coarsen_axis = shape.axis;
    one.reason = "each thread computes one cell";
    if (shape.coarsen > 1) {
      one.preset = "coarsened";
      one.reason = "each thread computes several cells";
    }
    one.reason += ", and values for others of its block, in shared memory";
    if (staged_bytes(survey.stencil, survey.stages(one).launches, one) > device.block_shared)
      continue;
    if (is_hopeless(survey, one, device)) continue;
    if (gains_by_limit(survey, one, is_long)) one.registers = kTileRegisters;
    const bool long_of_one = is_long && shape.coarsen == 1 && survey.stencil.rank() == 2;
    const double time = seconds(one) * (in_turns(survey, one) ? std::max(1.0, lasts) : lasts) *
                        (long_of_one ? kLongOfOne : 1);
    if (!best || time < best->seconds) best = Timed{one, time};
    if (time > kFar * least) break;
  }
  return best;
}

}  // namespace

std::optional<Timed> with_tiles(Survey& survey, const std::vector<std::string>& values,
                                const Device& device, bool early, double least,
                                const std::function<double(const Schedule& schedule)>& seconds) {
  Schedule base = naive(survey.stencil.rank());
  base.early = early;
  base.tile_values = values;
  const double work = longest_work(survey, base);
  if (work == 0) return std::nullopt;  // no launch computes them for several cells
  const bool is_long = work > kLongValues;
  const int rank = survey.stencil.rank();
  const bool many = std::ranges::count_if(survey.stages(base).launches, [](const Launch& launch) {
                      return !launch.stores.empty();
                    }) > 1;
  const double lasts = rank < 3               ? kInPlane
                       : work <= kShortValues ? kShortInSpace
                       : is_long && many      ? kLongOfMany
                                              : 1;
  std::optional<Timed> best =
      fastest_of(survey, base, shapes_of(rank, is_long), is_long, lasts, device, least, seconds);
  if (best && rank == 2 && survey.makes_kernels() && !saves(survey, best->schedule))
    return std::nullopt;
  return best;
}

std::optional<Timed> with_tiles_beside_memory(
    Survey& survey, const std::vector<std::string>& values, const Device& device, bool early,
    const std::function<double(const Schedule& schedule)>& seconds) {
  if (survey.stencil.rank() != 2) return std::nullopt;
  Schedule base = naive(2);
  base.early = early;
  base.tile_values = values;
  const double work = longest_work(survey, base);
  if (work == 0) return std::nullopt;
  // Most of such a launch are the values in memory, for which the forecast is.
  return fastest_of(survey, base, {{{32, 4, 1}, 1, 1}}, work > kLongValues, 1, device, HUGE_VAL,
                    seconds);
}

}  // namespace stencilc::plan
