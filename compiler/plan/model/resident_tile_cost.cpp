#include "plan/model/resident_tile_cost.h"

#include <algorithm>
#include <cmath>

#include "plan/machine/occupancy.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Fitted to 307 launches of 6 stencils on an H200, most of them of a handwritten kernel of this
// form (bench/model/fit_tiles.py). Values are clocks of a multiprocessor unless stated otherwise.
constexpr double kIssue = 171;     // instructions of threads issued per clock
constexpr double kDouble = 2;      // in these units: one f64 instruction
constexpr double kTaken = 1;       // per register from another lane
constexpr double kMoved = 0.64;    // per register that a step has computed
constexpr double kChain = 0.56;    // per instruction of a thread that depends on another one
constexpr double kBarrier = 10.2;  // per warp of a block and pass of a step
constexpr double kLaunch = 1850;   // per launch, with its first loads and last stores
constexpr double kByte = 0.053;    // per byte from the L2 or memory
constexpr double kTail = 0.22;     // fraction of the last wave that is lost

// For 3-D, fitted to 24 kernels of 7 points on grids of 64 to 192 cells along each axis.
constexpr double kIssueInSpace = 86;
constexpr double kChainInSpace = 0.06;
constexpr double kByteInSpace = 0.0524;
constexpr double kWaveInSpace = 60, kLaunchInSpace = 1680;
constexpr double kTailOfOne = 0.8;  // if a multiprocessor holds one block

// Registers per thread: for rows that are carried from step to step, and for inputs, which are kept
// as well.
constexpr double kBase = 30, kCarried = 1.35;
// The same for kernels that need the most, and for what a step reads beside its rows.
constexpr double kMostBase = 17, kMostCarried = 2, kMostBeside = 0.5;
// The same for all planes of a thread in 3-D: from 14 kernels that nvcc 13.0 compiled for sm_90.
constexpr double kBaseInSpace = 14, kCarriedInSpace = 1.7;

// Per row of a thread and step.
struct Use {
  double instructions = 0, carried = 0, taken = 0;
  double beside = 0;  // registers of earlier rows, and of other lanes in all rows that are read
  int passes = 0;
  double loaded = 0, stored = 0;  // bytes per cell and launch
};

Use use_of(Survey& survey, const Schedule& schedule) {
  const ir::Stencil& stencil = survey.stencil;
  Use use;
  const int width = schedule.vector;
  const auto registers = [&](int field) {
    return std::max(1.0, ir::bytes(stencil.fields[field].type) / 4.0);
  };
  for (const Pass& pass : survey.passes()) {
    ++use.passes;
    use.instructions += width * plan::instructions(survey.reads(pass.launch), {}, kDouble);
    double beside = 0;
    for (const PassRead& read : pass.reads) {
      const double taken = (read.left + read.right) * registers(read.field);
      use.taken += taken;
      beside += width * registers(read.field) * read.below + taken * (read.last - read.first + 1);
    }
    use.beside = std::max(use.beside, beside);
  }
  double made = 0;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const int of = static_cast<int>(f);
    const int bytes = ir::bytes(field.type);
    if (field.role == ir::Role::input) {
      if (!ir::has_all_axes(stencil, field)) continue;
      use.carried += width * registers(of);
      use.loaded += bytes;
      continue;
    }
    made += width * registers(of);
    use.stored += bytes;
    const int levels = has_before(field) ? 2 : 1;
    use.carried += levels * width * registers(of);
    if (field.role == ir::Role::stepped) use.loaded += levels * bytes;
    use.stored += (levels - 1) * bytes;
  }
  use.instructions += kTaken * use.taken + kMoved * made;
  return use;
}

}  // namespace

Prediction predict_tiles(Survey& survey, const Schedule& schedule, const Temporal& temporal,
                         const Device& device, const Card& card,
                         const std::array<int64_t, 3>& extents) {
  Prediction result;
  const ir::Stencil& stencil = survey.stencil;
  const Use use = use_of(survey, schedule);
  const bool in_space = stencil.rank() == 3;
  const int threads = schedule.block_threads(), steps = temporal.steps;
  const int rows = schedule.rows * schedule.planes;  // per thread
  const double in_planes = kBaseInSpace + kCarriedInSpace * rows * use.carried;
  const double want = in_space ? in_planes : kBase + kCarried * rows * use.carried;
  const int most = std::min(device.thread_registers, device.registers / threads / 8 * 8);
  result.steps = steps;
  result.spills =
      (in_space ? in_planes
                : kMostBase + kMostCarried * rows * use.carried + kMostBeside * use.beside) > most;
  result.registers = std::min(most, static_cast<int>(std::ceil(want)));
  result.shared = halo_bytes(stencil, survey.passes(), schedule, temporal);
  result.resident = result.shared > device.block_shared
                        ? 0
                        : occupancy(device, threads, result.registers, result.shared);
  if (schedule.whole && extents[0] > static_cast<int64_t>(kWarp) * schedule.vector)
    result.resident = 0;
  if (extents[1] < temporal.tile_rows(schedule) || (in_space && extents[2] < schedule.planes))
    result.resident = 0;
  if (result.resident == 0) return result;
  result.warps = result.resident * warps_of(threads);

  const double width = static_cast<double>(temporal.stored_cells(schedule.vector));
  const double tiles_x = std::ceil(static_cast<double>(extents[0]) / width);
  const double tiles = std::ceil(static_cast<double>(extents[1]) / temporal.stored_rows(schedule));
  const double layers =
      in_space ? std::ceil(static_cast<double>(extents[2]) / temporal.stored_planes(schedule)) : 1;
  const double blocks = tiles_x * tiles * layers;
  const double cells = static_cast<double>(extents[0]) * static_cast<double>(extents[1]) *
                       static_cast<double>(in_space ? extents[2] : 1);
  const double held =
      static_cast<double>(kWarp) * schedule.vector * temporal.tile_rows(schedule) * schedule.planes;
  const double at_once =
      std::min<double>(result.resident, std::ceil(blocks / card.multiprocessors));
  const double waves = blocks / (static_cast<double>(card.multiprocessors) * result.resident);
  result.computed = blocks * held / cells;
  result.moved.loaded = result.moved.fetched = use.loaded * result.computed / steps;
  result.moved.read = use.loaded / steps;
  result.moved.stored = use.stored / steps;

  // For the blocks that run at the same time, and all steps.
  const double of_thread = rows * use.instructions;
  const double issue = steps * at_once * threads * of_thread / (in_space ? kIssueInSpace : kIssue);
  const double chain =
      in_space ? steps * kChainInSpace * of_thread + kWaveInSpace
               : steps * (kChain * of_thread + use.passes * kBarrier * warps_of(threads)) + kLaunch;
  const double bytes = at_once * held * use.loaded * (in_space ? kByteInSpace : kByte);
  const double tail = in_space && result.resident == 1 ? kTailOfOne : kTail;
  const double taken = waves <= 1 ? 1 : waves + tail * (std::ceil(waves) - waves);
  const double all = taken * (issue + chain + bytes) + (in_space ? kLaunchInSpace : 0);
  const double units = cells * steps / card.multiprocessors;
  result.clocks[1] = taken * bytes / units;
  result.clocks[3] = taken * issue / units;
  result.clocks[4] = taken * chain / units;
  result.together = all / units;
  result.limit = static_cast<Limit>(std::max_element(result.clocks.begin(), result.clocks.end()) -
                                    result.clocks.begin());
  result.waves = waves;
  result.edge_blocks = std::min(1.0, 2 / tiles_x + 2 / tiles + (in_space ? 2 / layers : 0));
  return result;
}

}  // namespace stencilc::plan
