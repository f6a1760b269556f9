#include "plan/search/choose_tiles.h"

#include <algorithm>

#include "plan/model/one_step.h"
#include "plan/schedule/staged_values.h"
#include "plan/search/choose.h"

namespace stencilc::plan {
namespace {

// How many times as long as predicted steps last that keep short values in tiles: in columns of
// cells in 2-D, and in 3-D (bench/notes/tiles.md). The forecast is for long ones.
constexpr double kOverColumns = 1.35, kShort = 1.16;
// If one shape is so much slower than what there is, no other one is tried.
constexpr double kFar = 1.25;
constexpr int kTileRegisters = 128;  // registers

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
  std::optional<Timed> best;
  for (const Shape& shape : shapes_of(survey.stencil.rank(), is_long)) {
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
    if (gains_by_limit(survey, one, is_long)) one.registers = kTileRegisters;
    const double longer = is_long ? 1 : shape.coarsen > 1 ? kOverColumns : kShort;
    const double time = seconds(one) * longer;
    if (!best || time < best->seconds) best = Timed{one, time};
    if (time > kFar * least) break;
  }
  return best;
}

}  // namespace stencilc::plan
