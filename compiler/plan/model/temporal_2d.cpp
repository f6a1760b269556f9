#include "plan/model/temporal_2d.h"

#include <algorithm>
#include <cmath>

#include "ir/boundary.h"
#include "plan/machine/occupancy.h"
#include "plan/model/temporal_3d.h"
#include "plan/temporal/streaming_partition.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Fitted to 89 kernels of 4 stencils on an H200 (bench/model/fit_steps.py), except for latencies,
// which other warps hide there, and for what only other stencils have. Values are clocks of a
// multiprocessor unless stated otherwise.
constexpr double kMemory =
    0.8;                      // fraction of the bandwidth of a copy: rows are prefetched one by one
constexpr double kL2 = 38.3;  // bytes per clock
constexpr int64_t kSchedulers = 4;  // of a multiprocessor, which give out instructions of warps
constexpr double kIssue = 108.4;    // instructions of threads issued per clock
constexpr double kDouble = 1.94;    // in these units: one f64 instruction
constexpr double kTaken = 1.28;     // per register from another lane
constexpr double kStep = 30;        // per row and step whose latency nothing hides
constexpr double kRow = 300;        // per row, for all steps
constexpr double kWaiting = 30;     // per row of an input field in shared memory
// For cells packed into bits, which are computed one word after another. For a division or root, in
// f32 and f64; and for a function, which cells compute one by one.
constexpr double kFastDivision = 8, kFastDivisionOfF64 = 120;
// Each division and root of a lane in the steps of a row (f64 counts twice) has a slow path of its
// own in the code. Above this number, a step takes longer by this fraction for each, probably
// because the loop leaves the instruction cache.
constexpr double kVariants = 40, kOfVariant = 0.007;
constexpr double kLong = 82, kLongOfF64 = 112;
constexpr double kStepOfBits = 125, kRowOfBits = 800;
constexpr double kHiding = 7.0;  // exponent: how well limits overlap
constexpr double kTail = 0.32;   // fraction of the last wave that is lost
constexpr double kTailOfBits = 0.1;
constexpr double kLastOfFull = 1 / 12.0;  // of a chunk, with chunks that fill the GPU
constexpr double kLast = 1.0;  // fraction of the additional time of the last chunk of a tile

// Additional costs of ghost cells, for a warp that has them: beyond the ends of rows, and of the
// streamed axis.
struct BoundaryCost {
  double row = 0, along = 0;
};
constexpr BoundaryCost kPeriodic = {10.3, 22.5}, kConstant = {40.5, 20}, kFixed = {89.4, 201},
                       kMoved = {21.7, 84.6};  // clamp, and other boundaries that copy a cell

// Registers per thread, fitted to what ptxas allocates.
constexpr double kBase = 26.4, kCarried = 1.31, kOwn = 0.61, kLess = 0.47;
constexpr double kBaseOfRows = 33, kCarriedRows = 0.97;
constexpr double kOfWork = 0.28;  // per operation above this number
constexpr int kLittleWork = 60;
constexpr double kBaseOfTwo = 14;
constexpr double kOwnNearEnds =
    4.3;  // per row, if the ends of the streamed axis have code of their own
constexpr double kCarriedOfTwo = 1.35;  // for rows that are also those of t-1
constexpr double kBaseOfBits = 32, kCarriedBits = 1.4;
constexpr double kUnassigned = 5;  // per row, if carried cells near the boundary are loaded
constexpr double kSafe = 0.985;    // fraction of the maximum above which most kernels spill
// The same for as many warps as there are registers for, if a thread can do with fewer.
constexpr double kMakesDo = 1.055;

// Registers that ptxas spills to allow twelve warps, as a factor of the registers that these have.
constexpr double kSqueezed[] = {1.08, 1.18};

BoundaryCost boundary_cost_of(const ir::Side& side) {
  switch (ir::ghost_cost(side.edge)) {
    case ir::GhostCost::nothing:
      return {};
    case ir::GhostCost::around:
      return kPeriodic;
    case ir::GhostCost::number:
      return kConstant;
    case ir::GhostCost::kept:
      return kFixed;
    default:
      return kMoved;
  }
}

// The worst of all fields that a step updates. If rows are kept for t-1, carried cells are among
// them.
BoundaryCost boundary_cost_of(const ir::Stencil& stencil) {
  BoundaryCost worst;
  const auto boundary = [](const ir::Field& field, const ir::Side& side) {
    return has_before(field) && side.edge == ir::Edge::fixed ? kConstant : boundary_cost_of(side);
  };
  for (const ir::Field& field : stencil.fields) {
    if (field.role != ir::Role::stepped) continue;
    for (const ir::Side& side : field.boundary.sides[0])
      worst.row = std::max(worst.row, boundary(field, side).row);
    for (const ir::Side& side : field.boundary.sides[stencil.rank() - 1])
      worst.along = std::max(worst.along, boundary(field, side).along);
  }
  return worst;
}

bool wraps_along_stream(const ir::Stencil& stencil) {
  return std::any_of(stencil.fields.begin(), stencil.fields.end(), [&](const ir::Field& field) {
    return field.role == ir::Role::stepped &&
           field.boundary.sides[stencil.rank() - 1][0].edge == ir::Edge::periodic;
  });
}

// How much is computed per stored cell.
struct Overlap {
  double rows = 1, along = 1;
  double tiles_x = 0, chunks = 0;
  double all() const { return rows * along; }
};

Overlap overlap_of(const Schedule& schedule, const Temporal& temporal,
                   const std::array<int64_t, 3>& extents, double length) {
  Overlap result;
  const auto x = static_cast<double>(extents[0]), y = static_cast<double>(extents[1]);
  result.tiles_x = static_cast<double>(temporal.tiles_x(extents[0], schedule.vector));
  result.chunks = std::ceil(y / length);
  result.rows = kWarp * result.tiles_x * schedule.vector / x;
  result.along = 1 + result.chunks * temporal.steps * (temporal.planes_before + temporal.lag) / y;
  return result;
}

// The time of all chunks, one after the other on the available warps, in units of an interior
// chunk.
double time_of_waves(const Overlap& overlap, const Schedule& schedule, const Temporal& temporal,
                     const BoundaryCost& boundary, double own, double rows, double waves) {
  const double tail = temporal.bits() ? kTailOfBits : kTail;
  const double beside = 1 + boundary.row / own, ends = boundary.along / own;
  const double slow = 1.5 * temporal.steps * (temporal.planes_before + temporal.lag) / 2;  // rows
  const double chunk = schedule.coarsen + temporal.steps * (temporal.planes_before + temporal.lag);
  const double last = std::min(1.0, slow / chunk) * ends;
  const double mean =
      1 + 2 / overlap.tiles_x * (beside - 1) + 2 * slow / (rows * overlap.along) * ends;
  const double longest = beside * (1 + last);
  if (waves <= 1) return std::max(longest, mean);
  const double all = waves * mean;
  return std::max(longest, all + tail * (std::ceil(all) - all) + kLast * last);
}

}  // namespace

double wanted_registers(Survey& survey, const Launch& launch, const Schedule& schedule,
                        const Temporal& temporal) {
  const ir::Stencil& stencil = survey.stencil;
  const TemporalFootprint use = temporal_footprint(survey, launch, schedule, temporal);
  if (stencil.rank() == 3) return wanted_registers_of_planes(use, schedule, temporal);
  if (temporal.bits()) return kBaseOfBits + kCarriedBits * use.carried * temporal.steps;
  const bool unassigned = temporal.unassigned_rows >= 0 && !temporal.passes;
  const double boundary = unassigned ? kUnassigned * std::max(0.0, use.own - 4) : 0;
  if (use.adds)
    return kBase + kCarried * use.carried * temporal.steps - kLess * use.carried + kOwn * use.own +
           boundary;
  if (temporal.before_bytes == temporal.cell_bytes)
    return kBaseOfTwo + kCarriedOfTwo * use.carried * temporal.steps + kOwn * use.own;
  const ir::Instructions& work = survey.reads(launch).work;
  const double values = kOfWork * std::max(0, work.f32 + 2 * work.f64 - kLittleWork);
  return kBaseOfRows + kCarriedRows * use.carried * temporal.steps + values +
         (wraps_along_stream(stencil) ? 0 : kOwnNearEnds * use.own);
}

Prediction predict_steps(Survey& survey, const Launch& launch, const Schedule& schedule,
                         const Temporal& temporal, const Device& device, const Card& card,
                         const std::array<int64_t, 3>& extents) {
  const ir::Stencil& stencil = survey.stencil;
  if (stencil.rank() == 3)
    return predict_planes(survey, launch, schedule, temporal, device, card, extents);
  Prediction result;
  const Reads& reads = survey.reads(launch);
  const TemporalFootprint use = temporal_footprint(survey, launch, schedule, temporal);
  const int steps = temporal.steps, width = schedule.vector;
  const int threads = schedule.block_threads();
  const double want = wanted_registers(survey, launch, schedule, temporal);
  const int most = std::min(device.thread_registers,
                            device.registers / (threads * std::max(1, schedule.resident)) / 8 * 8);
  result.steps = steps;
  const bool squeezed = schedule.resident == 0 && want > kOfTwelveWarps * kSqueezed[0] &&
                        want < kOfTwelveWarps * kSqueezed[1];
  const bool makes_do = temporal.unassigned_rows < 0 || temporal.passes;
  result.spills = want > most * (makes_do ? kMakesDo : kSafe) || squeezed;
  result.registers = std::min(most, static_cast<int>(std::ceil(want)));
  result.shared = shared_bytes_of_rows(schedule, temporal);
  result.resident = occupancy(device, threads, result.registers, result.shared);
  if (result.resident == 0) return result;
  result.warps = result.resident * warps_of(threads);

  const double slots = static_cast<double>(card.multiprocessors) * result.warps;
  const int64_t schedulers = kSchedulers * static_cast<int64_t>(card.multiprocessors);
  const st::Partition along =
      partition_of(stencil, schedule, temporal, extents, static_cast<int64_t>(slots), schedulers);
  const Overlap overlap =
      overlap_of(schedule, temporal, extents, static_cast<double>(along.inner.rows));
  result.computed = overlap.all();
  const double clock = *card.clock * 1e9;
  const double copied = card.copy ? *card.copy : card.bandwidth.value_or(0) * 0.88;
  const double memory = copied * 1e9 / card.multiprocessors / clock;  // bytes per clock
  const double read = temporal.cell_bytes + temporal.before_bytes;
  double stored = temporal.before_bytes;
  for (const int bytes : reads.stores) stored += bytes;
  const double inputs = (use.input_bytes - temporal.input_bytes()) * result.computed;
  result.moved.fetched = (read + temporal.input_bytes()) * result.computed / steps + inputs;
  result.moved.read = (read + use.input_bytes) * result.computed / steps;
  result.moved.loaded = result.moved.fetched;
  result.moved.stored = stored / steps;

  const double waves = overlap.tiles_x * overlap.chunks / slots;
  // Half as many warps as there are places are slower together by what was measured, not by
  // latencies.
  const int64_t percent =
      st::percent_of_waves(along.parts(), static_cast<int64_t>(slots), schedulers);
  const bool half = schedule.full && percent < 100;
  // On a multiprocessor at the same time.
  const double warps = result.warps * (half ? 1 : std::min(1.0, waves));
  result.clocks[0] = (result.moved.read + result.moved.stored) / (kMemory * memory);
  result.clocks[1] = (result.moved.fetched + result.moved.stored) / kL2;
  const double count = temporal.bits() ? instructions_of_bits(use, steps)
                                       : instructions(reads, use, kDouble) +
                                             (kTaken * use.taken + use.moved) / width;
  result.clocks[3] = count * result.computed / kIssue;
  const bool f64 = reads.widest == 8;
  const int divisions = reads.work.divisions + reads.work.roots;
  result.clocks[3] *=
      1 + kOfVariant * std::max(0.0, divisions * (f64 ? 2 : 1) * width * steps - kVariants);
  const double slow =
      divisions * (f64 ? kFastDivisionOfF64 : kFastDivision) +
      (reads.work.functions - reads.work.roots) * (f64 ? kLongOfF64 : kLong) * width;
  const double latency =
      temporal.bits()
          ? kStepOfBits + kRowOfBits / steps
          : kStep + slow + kWaiting * static_cast<double>(temporal.inputs().size()) + kRow / steps;
  result.clocks[4] = latency * result.computed / (warps * kWarp * width);
  double sum = 0;
  for (const double one : result.clocks) sum += std::pow(one, kHiding);
  result.together = std::pow(sum, 1 / kHiding);
  result.limit = static_cast<Limit>(std::max_element(result.clocks.begin(), result.clocks.end()) -
                                    result.clocks.begin());
  // Clocks of a warp for one step of one cell of each lane.
  const double own = warps * kWarp * result.together / result.computed;
  // At the boundary, words of bits only need a mask, which costs little.
  const BoundaryCost boundary = temporal.bits() ? BoundaryCost{} : boundary_cost_of(stencil);
  const double taken = time_of_waves(overlap, schedule, temporal, boundary, own,
                                     static_cast<double>(extents[1]), waves);
  result.waves = waves;
  result.edge_blocks = std::min(1.0, 2 / overlap.tiles_x + 2 / overlap.chunks);
  if (schedule.full) {
    // Waves in which all warps take equally long, and the last warp.
    const st::PartitionCost cost = partition_cost(stencil, temporal, extents[0], width);
    result.waves = static_cast<double>(percent) / 100;
    const auto longest = static_cast<double>(along.inner.rows + cost.beside);
    const auto mean = static_cast<double>(st::partitioning::mean(along, cost));
    const double all = result.waves * mean / longest + kLastOfFull * std::min(1.0, result.waves);
    result.together *=
        all / (half ? static_cast<double>(along.parts()) / slots : std::max(1.0, waves));
    return result;
  }
  result.together *= taken / std::max(1.0, waves);
  return result;
}

}  // namespace stencilc::plan
