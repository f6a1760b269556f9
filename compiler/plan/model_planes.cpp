#include "plan/model_planes.h"

#include <algorithm>
#include <cmath>

#include "plan/occupancy.h"

namespace stencilc::plan {
namespace {

// Fitted to 66 kernels of 3 stencils on an H200 (bench/model/fit_planes.py), but for what other
// stencils have besides. Clocks of a multiprocessor, unless they say otherwise.
constexpr double kMemory = 1;     // of the rate of a copy: planes are asked for long before
constexpr double kL2 = 38.3;      // bytes a clock
constexpr double kIssue = 108;    // instructions of a thread that begin in a clock
constexpr double kDouble = 1.55;  // in these: one of f64
constexpr double kTaken = 1.57;   // a register from another lane
constexpr double kLent = 9.4;     // a row's register that goes through shared memory, both ways
constexpr double kRow = 19;       // a row that comes from memory: asking for it, and where it goes
constexpr double kStep = 136;     // a plane of a step, of which nothing hides the latency
constexpr double kChain = 2.1;    // an instruction of a thread, behind another one
constexpr double kHiding = 3;     // exponent: so far do limits hide each other
constexpr double kLast = 1.3;     // blocks at the rim among the last ones
constexpr double kEnds = 0.41;    // what a plane near the ends of a march takes longer

// What a block takes longer whose strip has cells beyond the rim.
constexpr double kPeriodic = 0.25, kConstant = 0.39, kFixed = 0.9, kMoved = 0.39;

// Registers of a thread beside those that a step keeps, fitted to what ptxas gives.
constexpr double kOther = 5;        // copies of a plane, of its rows in a thread
constexpr double kOtherLater = 24;  // of a step that completes what came a plane before
constexpr double kWide = 3;         // of f64, and a step
constexpr double kSafe = 0.985;     // of the most that it may have: beyond, most kernels spill

double rim_of(const ir::Stencil& stencil) {
  double worst = 0;
  for (const ir::Field& field : stencil.fields) {
    if (field.role != ir::Role::stepped) continue;
    for (const ir::Side& side : field.boundary.sides[0]) {
      const double one = side.edge == ir::Edge::none       ? 0
                         : side.edge == ir::Edge::periodic ? kPeriodic
                         : side.edge == ir::Edge::constant ? kConstant
                         : side.edge == ir::Edge::fixed    ? kFixed
                                                           : kMoved;
      worst = std::max(worst, one);
    }
  }
  return worst;
}

// Blocks of a grid, the planes that one marches over, and the part of what all could store that the
// grid has.
struct Tiles {
  double strips = 0, tiles = 0, chunks = 0;
  double march = 0, filled = 0;
  double blocks() const { return strips * tiles * chunks; }
};

Tiles tiles_of(const Schedule& schedule, const Temporal& temporal,
               const std::array<int64_t, 3>& extents) {
  const double sizes[] = {static_cast<double>(temporal.stored_lanes()) * schedule.vector,
                          static_cast<double>(temporal.stored_rows(schedule)),
                          static_cast<double>(schedule.coarsen)};
  double counts[3], filled = 1;
  for (int a = 0; a < 3; ++a) {
    const auto cells = static_cast<double>(extents[a]);
    counts[a] = std::ceil(cells / sizes[a]);
    filled *= cells / (counts[a] * sizes[a]);
  }
  const double march = sizes[2] + temporal.steps * (temporal.behind + temporal.back());
  return {counts[0], counts[1], counts[2], march, filled};
}

// In units of a block inside: what all blocks take, one after the other where there is room.
double time_of_waves(const Tiles& tiles, const Temporal& temporal, double rim, double waves) {
  const double slow = 1.5 * temporal.steps * (temporal.behind + temporal.back());  // planes
  const double near = std::min(1.0, slow / tiles.march);
  const double mean = 1 + 2 / tiles.strips * rim + 2 * near / tiles.chunks * kEnds;
  const double longest = (1 + rim) * (1 + near * kEnds);
  if (waves <= 1) return std::max(longest, mean);
  return std::max(longest, waves * mean + kLast * (longest - mean));
}

}  // namespace

double wanted_registers_of_planes(const StripUse& use, const Schedule& schedule,
                                  const Temporal& temporal) {
  const bool wide = use.own > schedule.vector;
  const double later = temporal.later ? kOtherLater + (wide ? 3 * kWide : 0) : 0;
  return schedule.rows * (use.kept * temporal.steps + kOther * use.own) + later +
         (wide ? kWide * temporal.steps : 0);
}

Prediction predict_planes(const ir::Stencil& stencil, const Launch& launch,
                          const Schedule& schedule, const Temporal& temporal, const Device& device,
                          const Card& card, const std::array<int64_t, 3>& extents) {
  Prediction result;
  const Reads reads = reads_of(stencil, launch);
  const StripUse use = strip_use(stencil, launch, schedule, temporal);
  const int steps = temporal.steps, width = schedule.vector, rows = schedule.rows;
  const int threads = schedule.block_threads();
  const double want = wanted_registers_of_planes(use, schedule, temporal);
  const int most = std::min(device.thread_registers, device.registers / threads / 8 * 8);
  result.steps = steps;
  result.spills = want > most * kSafe;
  result.registers = std::min(most, static_cast<int>(std::ceil(want)));
  result.shared = temporal.shared_bytes(schedule);
  result.resident = occupancy(device, threads, result.registers, result.shared);
  if (result.resident == 0) return result;
  result.warps = result.resident * warps_of(threads);

  const Tiles tiles = tiles_of(schedule, temporal, extents);
  const double waves =
      tiles.blocks() / (static_cast<double>(card.multiprocessors) * result.resident);
  const double active = result.resident * std::min(1.0, waves);
  const double beside = temporal.below + temporal.above;
  const double lanes = static_cast<double>(kWarp) * width;
  const double stored = static_cast<double>(temporal.stored_lanes()) * width *
                        temporal.stored_rows(schedule) * tiles.filled;
  // Of a plane that all blocks of a multiprocessor store, all steps.
  const double cells = active * stored * steps * schedule.coarsen / tiles.march;
  result.computed = lanes * temporal.tile_rows(schedule) * tiles.march / schedule.coarsen / stored;

  double out = 0;
  for (const int bytes : reads.stores) out += bytes;
  const double loaded = lanes * temporal.loaded_rows(schedule) * tiles.march / schedule.coarsen *
                        temporal.cell_bytes / (stored * steps);
  const double inputs = use.input_bytes * result.computed;
  result.moved.fetched = loaded + inputs;
  result.moved.loaded = result.moved.fetched;
  result.moved.read = loaded + use.input_bytes;
  result.moved.stored = out / steps;

  const double clock = *card.clock * 1e9;
  const double copied = card.copy ? *card.copy : card.bandwidth.value_or(0) * 0.88;
  const double memory = copied * 1e9 / card.multiprocessors / clock;  // bytes a clock
  const double taken = use.taken * (rows + (temporal.later ? beside : 0));
  const double of_thread = steps * (width * rows * instructions(reads, use, kDouble) +
                                    kTaken * taken + kLent * beside / 2 * use.own / width) +
                           kRow * rows;
  result.clocks[0] = (result.moved.read + result.moved.stored) / (kMemory * memory);
  result.clocks[1] = (result.moved.fetched + result.moved.stored) / kL2;
  result.clocks[3] = active * threads * of_thread / kIssue / cells;
  result.clocks[4] = (kStep * steps + kChain * of_thread) / cells;
  double sum = 0;
  for (const double one : result.clocks) sum += std::pow(one, kHiding);
  result.together = std::pow(sum, 1 / kHiding);
  result.limit = static_cast<Limit>(std::max_element(result.clocks.begin(), result.clocks.end()) -
                                    result.clocks.begin());
  result.waves = waves;
  result.rim = std::min(1.0, 2 / tiles.strips + 2 / tiles.tiles + 2 / tiles.chunks);
  result.together *= time_of_waves(tiles, temporal, rim_of(stencil), waves) / std::max(1.0, waves);
  return result;
}

}  // namespace stencilc::plan
