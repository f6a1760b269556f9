#include "plan/model/temporal_1d.h"

#include <algorithm>
#include <cmath>

#include "plan/machine/occupancy.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Fitted to 24 launches of 4 stencils on an H200 (bench/model/fit_line.py), except for what was
// hidden there by other limits: the L2, lane exchanges and latencies. Values are clocks of a
// multiprocessor unless stated otherwise. A launch takes as long as the slowest of all limits.
constexpr double kMemory = 0.872;  // fraction of the bandwidth of a copy
constexpr double kL2 = 38.3;       // bytes per clock
constexpr double kHeldInL2 = 0.8;  // fraction of its size that holds data from launch to launch
constexpr double kIssue = 122;     // instructions of threads issued per clock
constexpr double kDouble = 2;      // in these units: one f64 instruction
constexpr double kTile = 236;      // for the work of a lane before and after the steps
constexpr double kTaken = 32;      // registers from other lanes per clock
constexpr double kBegun = 0.826;   // blocks (of one warp each) that a GPU starts per clock
constexpr double kStep = 30;       // per step of a warp whose latency nothing hides
constexpr double kChain = 4.3;     // per instruction of a cell
constexpr double kLoad = 900;      // for the loads of a warp
constexpr double kLaunch = 2250;   // per launch

// Registers per thread, fitted to what ptxas allocates for 42 kernels of 14 stencils: for cells
// that are carried from step to step, and for inputs with their addresses.
constexpr double kBase = 18, kCarried = 1.42;
constexpr double kSafe = 0.97;  // fraction of the maximum

// Per lane.
struct Use {
  double instructions = 0, chain = 0;  // per step; and the chain of one cell
  double carried = 0;                  // registers
  double taken = 0;                    // from other lanes, per step
  int passes = 0;
  double loaded = 0, stored = 0;  // bytes per cell and launch
  bool wraps = false;
};

Use use_of(Survey& survey, int width) {
  const ir::Stencil& stencil = survey.stencil;
  Use use;
  const auto registers = [&](int field) {
    return std::max(1.0, ir::bytes(stencil.fields[field].type) / 4.0);
  };
  for (const Pass& pass : survey.passes()) {
    ++use.passes;
    use.chain += plan::instructions(survey.reads(pass.launch), {}, kDouble);
    for (const PassRead& read : pass.reads)
      use.taken += (read.left + read.right) * registers(read.field);
  }
  use.instructions = width * use.chain;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const double cells = width * registers(static_cast<int>(f));
    const int bytes = ir::bytes(field.type);
    const int levels = has_before(field) ? 2 : 1;
    if (field.role == ir::Role::input) {
      if (!ir::has_all_axes(stencil, field)) continue;
      use.carried += cells + width;
      use.loaded += bytes;
      continue;
    }
    use.carried += levels * cells;
    use.stored += levels * bytes;
    if (field.role != ir::Role::stepped) continue;
    use.loaded += levels * bytes;
    use.wraps |= field.boundary.sides[0][0].edge == ir::Edge::periodic;
  }
  return use;
}

}  // namespace

Prediction predict_line(Survey& survey, const Schedule& schedule, const Temporal& temporal,
                        const Device& device, const Card& card,
                        const std::array<int64_t, 3>& extents) {
  Prediction result;
  const Use use = use_of(survey, schedule.vector);
  const int threads = schedule.block_threads(), steps = temporal.steps;
  const double want = kBase + kCarried * use.carried;
  const int most = std::min(device.thread_registers, device.registers / threads / 8 * 8);
  result.steps = steps;
  result.spills = want > most * kSafe;
  result.registers = std::min(most, static_cast<int>(std::ceil(want)));
  result.resident = occupancy(device, threads, result.registers, 0);
  const int held = kWarp * schedule.vector;
  if (extents[0] < (use.wraps ? held : std::max(temporal.left, temporal.right) + 1))
    result.resident = 0;
  if (result.resident == 0) return result;
  result.warps = result.resident * warps_of(threads);

  const auto cells = static_cast<double>(extents[0]);
  const double tiles_x =
      std::ceil(cells / static_cast<double>(temporal.stored_cells(schedule.vector)));
  const double of_one = std::ceil(tiles_x / card.multiprocessors);
  result.waves = tiles_x / (static_cast<double>(card.multiprocessors) * result.resident);
  result.computed = tiles_x * held / cells;
  result.edge_blocks = std::min(1.0, 2 / tiles_x);
  result.moved.loaded = result.moved.fetched = use.loaded * result.computed / steps;
  result.moved.read = use.loaded * result.computed / steps;
  result.moved.stored = use.stored / steps;

  const double clock = *card.clock * 1e9;
  const double copied = card.copy ? *card.copy : card.bandwidth.value_or(0) * 0.88;
  const double memory = kMemory * copied * 1e9 / card.multiprocessors / clock;  // bytes per clock
  const double bytes = (tiles_x * held * use.loaded + cells * use.stored) / card.multiprocessors;
  const bool in_l2 = cells * (use.loaded + use.stored) < kHeldInL2 * card.l2.value_or(0) * 1048576;
  const double chain = steps * (kStep * use.passes + kChain * use.chain) + kLoad;
  // Per launch.
  result.clocks = {in_l2 ? 0 : bytes / memory, bytes / kL2,
                   of_one * steps * kWarp * use.taken / kTaken,
                   of_one * kWarp * (steps * use.instructions + kTile) / kIssue,
                   std::max(tiles_x / kBegun, chain * std::max(1.0, result.waves))};
  const auto longest = std::max_element(result.clocks.begin(), result.clocks.end());
  result.limit = static_cast<Limit>(longest - result.clocks.begin());
  const double units = cells * steps / card.multiprocessors;
  result.together = (*longest + kLaunch) / units;
  for (double& one : result.clocks) one /= units;
  return result;
}

}  // namespace stencilc::plan
