#include "plan/model/one_step.h"

#include <algorithm>
#include <cmath>

#include "plan/machine/occupancy.h"
#include "plan/model/resident_tile_cost.h"
#include "plan/model/temporal_1d.h"
#include "plan/model/temporal_2d.h"
#include "plan/schedule/staged_values.h"
#include "plan/schedule/streamed_values.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// What a multiprocessor does per clock, and how limits go together.
struct Rates {
  double memory;  // fraction of the bandwidth of a copy
  double l2, l1;  // bytes
  double issue;   // instructions of threads
  // The distance between neighbours along the axis at which the L2 still holds half of what they
  // share, as a fraction of the L2 size.
  double held_by_l2;
  double hiding;  // exponent: how well limits overlap
};

// Fitted to 741 kernels of 41 stencils on an H200, by least squares of the logarithms
// (bench/model). The costs of lane exchanges and of loads beside bulk copies are fitted to 430 more
// kernels of 9 stencils. Values are clocks of a multiprocessor unless stated otherwise.
constexpr Rates kRates = {0.966, 38.3, 128, 115, 1.32, 3.67};
constexpr double kAlongMissed = 1.0;  // fraction of the data shared by neighbours along the axis
                                      // that the L2 has already dropped
// Seconds between the starts of two launches, at least; and with `launches=early`.
constexpr double kLaunch = 2.5e-6, kEarly = 1.0e-6;
// A kernel of ghost cells: its launch, which is never early, and its few cells.
constexpr double kGhosts = 5e-6;
constexpr double kHeldInL2 = 0.8;  // fraction of the L2 size: what it holds from step to step
constexpr double kAround = 0.76, kDrift = 58;  // neighbours in the plane lose the first fraction
                                               // after the second number of cells along the axis
constexpr double kL2Boxes = 25;                // bytes per clock
constexpr double kLine = 217;                  // additional cost of a row of a bulk copy, in bytes
// In instructions. Divisions and functions of f64 take kDouble times as many.
constexpr double kDouble = 1.59, kInteger = 0.44, kDivision = 30, kFunction = 13, kConversion = 1.8;
constexpr double kAccess = 4.3, kMove = 0.1, kPass = 0.15, kThread = 12.3;
constexpr double kShuffled = 8.6;  // for a value of four bytes from another lane
constexpr double kLatency = 903, kLatencyBoxes = 338;  // for the first loads of a pass
constexpr double kLatencyBeside = 1500;                // for loads beside bulk copies
constexpr double kChain = 4.34;  // for an instruction that depends on another one
// Loads of f64 from this many rows take longer than the other terms predict.
constexpr double kManyRows = 1.08;
constexpr size_t kRows = 9;
constexpr double kTail = 0.33;  // fraction of the last wave that is lost

// Where the kernel is known, its operations are counted in its code, and these constants apply. How
// many instructions an operation takes is fitted to what ncu counts in 82 kernels of generated
// programs and applications; but conversions, and divisions and functions of f64, to times of 180
// programs (bench/notes/model.md). The others are fitted to kernels of generated programs of odd
// numbers (bench/model/kernels.py).
namespace of_code {
constexpr double kF32 = 0.97, kF64 = 1.43, kInteger = 0.5, kChoice = 0.94, kConversion = 1.7;
constexpr double kDivision = 12.4, kDivisionF64 = 13, kFunction = 12, kFunctionF64 = 58;
constexpr double kAccess = 3.2, kMove = 0.3, kThread = 16.5;
constexpr double kAtEdges = 1.6;  // additional fraction in blocks at the edges of the grid
// The same for cells near the boundary that have threads of their own: few of their neighbours are
// in the same warp.
constexpr double kAtEdgeCells = 2.5;
// Additional instructions there, for a place among the ghost cells of temporaries.
constexpr double kPlace = 30;
constexpr Rates kRates = {0.836, 190, 175, 111, 0.67, 1.46};
// Limits overlap the better, the more warps are resident: what 64 of them add to the exponent.
constexpr double kHidingOfWarps = 0.56;
constexpr double kTail = 0.6;  // as the one above
// A pass of so many instructions a cell lasts kLatency + kChain instructions^kLong cells^kBeside if
// nothing else runs: long code has more that is independent, and so have cells side by side.
constexpr double kLatency = 700, kChain = 8.4, kLong = 0.85, kBeside = 0.73;
// What is left, by form: the medians of the errors without these (bench/notes/model.md).
constexpr double kOneCell = 0.81, kVectors = 0.75, kVectorStreams = 0.79, kColumns = 1.0,
                 kStreams = 0.93;  // the last one of columns that keep values along the stream
// Fraction of the maximum of registers above which kernels of several cells spill.
constexpr double kSafe = 0.75;
}  // namespace of_code

// For taps in loops. Like instructions: sums do not depend on each other, and rows come from nearby
// caches.
constexpr double kChainOfSums = 1, kLatencyOfRow = 250;
// With a tile in shared memory: one instruction loads a vector of a row, and one address serves all
// of them.
constexpr double kAccessOfTile = 1.5, kLatencyOfTile = 40;

constexpr double kWideIndices = 10;  // additional registers for 64-bit indices

// Registers per thread, fitted to what ptxas allocates for the same kernels.
constexpr double kBase = 14.4, kHeld = 0.835, kFresh = 1.03, kResult = 0.163, kArray = 1.0,
                 kWork = 0.41, kWorkOfDivision = 3.29;
constexpr double kBaseBoxes = 19.4, kHeldBoxes = 1.15, kFreshBoxes = 0.444;
// Fraction of the maximum above which some kernels spill.
constexpr double kSafe = 0.97, kSafeBoxes = 1.03;

// Where the kernel is known: what ptxas allocates, of the words that are live at once in its order,
// those of edge blocks and those of the others. The longer the code is, the more loads it begins
// ahead. Fitted to generated programs of odd numbers (bench/model/registers.py).
constexpr double kKnownBase = 10.5, kKeptWords = 0.2, kInsideWords = 0.5, kOperation = 0.54,
                 kAddress = 0.16;
// With the estimate from what cells read, where that says that kernels spill.
constexpr double kLiveBase = 16, kLiveWords = 1.35;
// Fraction of the maximum above which it spills. Partial sums leave it less to load ahead.
constexpr double kLiveSafe = 0.74, kLiveSafeOfSums = 1.05;
// Operations of a thread above which vectors gain nothing (a local Laplacian, non-local means).
constexpr double kMostOperations = 7000;

// The registers that a thread would like to have.
double wanted(const Reads& reads, const Footprint& footprint) {
  if (footprint.arrivals != 0) return kBase + kHeld * footprint.held + kFresh * footprint.fresh;
  if (footprint.plane_bytes != 0)
    return kBaseBoxes + kHeldBoxes * footprint.held + kFreshBoxes * footprint.fresh;
  const double work = reads.work.f32 + 2 * reads.work.f64 + reads.work.integer +
                      kWorkOfDivision * reads.work.divisions * reads.widest / 4;
  const double results =
      footprint.cells * footprint.stored / 4.0 * std::max(1.0, 4.0 / reads.widest);
  return kBase + kHeld * footprint.held + kFresh * footprint.fresh + kResult * results +
         kArray * footprint.arrays + kWork * std::sqrt(work * footprint.cells);
}

// The fraction of these with which f64 sums in 3-D still work under launch bounds. With 64 of 73
// registers, ptxas does not spill for 7 points on sm_90, whatever the boundary; for others it
// spills 4 to 16 bytes.
constexpr double kDoWith = 0.84;

// How many cells along an axis have threads of their own (`edges=cells`), where cells read so far:
// all of threads that compute several and would read beyond an end, and those behind the last
// whole thread, half of one on average.
double cells_near_ends(const Schedule& schedule, size_t axis, int low, int high) {
  const int of_thread = axis == 0 ? schedule.vector : axis == 1 ? schedule.rows : 1;
  const auto whole = [&](int cells) { return (cells + of_thread - 1) / of_thread * of_thread; };
  return whole(low) + whole(high) + (of_thread - 1) / 2.0;
}

// The maximum under launch bounds.
int most(const Schedule& schedule, const Device& device, int threads) {
  const int blocks = std::max(1, schedule.resident);
  const int unit = device.register_unit / kWarp;
  return std::min(device.thread_registers, device.registers / (threads * blocks) / unit * unit);
}

}  // namespace

double registers_of(const KernelSize& size) {
  return kKnownBase + kKeptWords * size.kept_words + kInsideWords * size.inside_words +
         kOperation * std::sqrt(size.operations) + kAddress * size.addresses;
}

bool gains_by_limit(const KernelSize& size, int registers, int block_threads) {
  constexpr double kLeast = 90.0 / 128, kMost = 170.0 / 128, kMostOfSmall = 150.0 / 128;
  constexpr int kSmall = 128;
  // nvcc takes about half of the estimate for code of integers (a census of 48 neighbours: 48
  // registers), and more than that only if it may.
  if (size.code.integer + size.code.choices > size.code.f32 + size.code.f64) return false;
  const double needed = registers_of(size);
  return needed > kLeast * registers &&
         needed <= (block_threads <= kSmall ? kMostOfSmall : kMost) * registers;
}

bool is_too_large(const KernelSize& size, const Schedule& schedule, const Device& device) {
  if (schedule.shared == Shared::boxes) return false;  // the estimate is fitted to these as well
  const double safe = schedule.scatter ? kLiveSafeOfSums : kLiveSafe;
  return size.live_words > safe * most(schedule, device, schedule.block_threads()) ||
         (size.operations > kMostOperations && schedule.taps == Taps::terms);
}

namespace {

double instructions(const Reads& reads, const Footprint& footprint) {
  const ir::Instructions& work = reads.work;
  double count =
      work.f32 + kDouble * work.f64 + kInteger * work.integer +
      (kDivision * work.divisions + kFunction * work.functions) * (reads.widest == 8 ? kDouble : 1);
  if (reads.widest < 4)
    count +=
        kConversion * (1 + static_cast<double>(footprint.loaded) / reads.widest / footprint.cells);
  const double access =
      footprint.arrivals != 0 && footprint.plane_bytes != 0 ? kAccessOfTile : kAccess;
  return count + footprint.weights +
         (access * footprint.accesses + kMove * footprint.moved + kShuffled * footprint.shuffled) /
             footprint.cells;
}

// Of a cell, by the code of the kernel.
double instructions(const KernelCode& code) {
  return (of_code::kF32 * code.f32 + of_code::kF64 * code.f64 + of_code::kInteger * code.integer +
          of_code::kChoice * code.choices + of_code::kConversion * code.conversions +
          of_code::kDivision * code.divisions + of_code::kDivisionF64 * code.divisions_f64 +
          of_code::kFunction * code.functions + of_code::kFunctionF64 * code.functions_f64 +
          of_code::kAccess * (code.loads + code.stores) + of_code::kMove * code.moves +
          of_code::kThread) /
         code.cells;
}

// What the time of a kernel of this form is multiplied with.
double of_form(const Schedule& schedule) {
  const bool columns = schedule.coarsen > 1, space = schedule.tile()[2] > 1;
  if (schedule.vector > 1) return space && columns ? of_code::kVectorStreams : of_code::kVectors;
  return columns && !space ? of_code::kColumns : of_code::kOneCell;
}

// Additional time, as a fraction, because the last wave of blocks does not fill the GPU.
double lost_at_the_end(double waves, double tail) { return tail * (std::ceil(waves) / waves - 1); }

}  // namespace

double instructions_of(const KernelCode& code) { return code.cells > 0 ? instructions(code) : 0; }

double share_of_branching(const std::vector<KernelSize>& sizes) {
  double branching = 0, all = 0;
  for (const KernelSize& size : sizes) {
    const KernelCode& code = size.code;
    all += instructions_of(code);
    if (code.cells > 0)
      branching +=
          (of_code::kFunction * code.branching + of_code::kFunctionF64 * code.functions_f64) /
          code.cells;
  }
  return all > 0 ? branching / all : 0;
}

bool makes_do(const Device& device) { return device.arch == 90; }

std::string_view name(Limit limit) {
  constexpr std::string_view kNames[] = {"memory bandwidth", "L2 bandwidth", "L1 bandwidth",
                                         "instruction issue", "latency"};
  return kNames[static_cast<size_t>(limit)];
}

Prediction predict(const Reads& reads, const Footprint& footprint, const Schedule& schedule,
                   const Device& device, const Card& card, const std::array<int64_t, 3>& extents,
                   const KernelSize* size, bool by_reads, int staged) {
  Prediction result;
  if (size) result.size = *size;
  const int threads = schedule.block_threads();
  const double want = wanted(reads, footprint);
  const int limit = most(schedule, device, threads);
  const bool loops = footprint.arrivals != 0;
  const bool boxes = footprint.plane_bytes != 0 && !loops;
  const bool does_with = schedule.resident > 0 && makes_do(device) && reads.widest == 8 &&
                         footprint.arrays <= 2 && schedule.coarsen_axis == 2 && !schedule.scatter &&
                         !boxes && !loops;
  const double needed = does_with ? kDoWith * want : want;
  // Launch bounds apply to kernels with 32-bit indices only.
  const bool wide = !boxes && schedule.resident <= 1;
  result.spills = needed + (wide ? kWideIndices : 0) > limit * (boxes ? kSafeBoxes : kSafe);
  result.registers = std::min(limit, static_cast<int>(std::ceil(want)));
  // The estimate from what cells read takes all of it as held at once.
  const bool known = size && !by_reads && !boxes && !loops;
  const bool counted = known && size->code.cells > 0;
  const bool several = schedule.vector * schedule.rows * schedule.coarsen > 1;
  const bool too_large = size && is_too_large(*size, schedule, device);
  if (known || (size && !boxes && (result.spills || too_large))) {
    result.spills = too_large;
    const double needs = known ? registers_of(*size) : kLiveBase + kLiveWords * size->live_words;
    result.registers = std::min(limit, static_cast<int>(std::ceil(needs)));
    result.spills |= counted && several && needs > of_code::kSafe * limit;
  }
  if (known && schedule.registers > 0 && gains_by_limit(*size, schedule.registers, threads))
    result.registers = std::min(result.registers, schedule.registers);
  result.shared = footprint.plane_bytes * footprint.stages + staged;
  result.resident = result.shared > device.block_shared
                        ? 0
                        : occupancy(device, threads, result.registers, result.shared);
  if (result.resident == 0) return result;
  result.warps = result.resident * warps_of(threads);

  const std::array<int, 3> tile = schedule.tile();
  double blocks = 1, inside = 1;
  for (size_t a = 0; a < 3; ++a) {
    const double cells = static_cast<double>(extents[a]), along = std::ceil(cells / tile[a]);
    const int low = reads.margin.low[a], high = reads.margin.high[a];
    const double ends = schedule.edge_cells ? cells_near_ends(schedule, a, low, high) / cells
                                            : ((low > 0 ? 1 : 0) + (high > 0 ? 1 : 0)) / along;
    blocks *= along;
    inside *= std::max(0.0, 1 - ends);
  }
  result.edge_blocks = 1 - inside;
  const double clock = *card.clock * 1e9;
  const double copied = card.copy ? *card.copy : card.bandwidth.value_or(0) * 0.88;
  const double memory = copied * 1e9 / card.multiprocessors / clock;  // bytes per clock
  const double again = 1 + footprint.extra / footprint.passes;
  const double drift = tile[2] > 1 ? tile[2] / (tile[2] + kDrift) : 0;
  // All other blocks of a slab run between two blocks that are neighbours along the axis.
  // Planes that lie between them, or which threads of one plane read.
  const int depth = tile[2] > 1 ? tile[2] : 1 + reads.reach.low[2] + reads.reach.high[2];
  const bool swizzled = schedule.swizzle > 0 && schedule.swizzle < extents[1];
  const double rows = static_cast<double>(swizzled ? schedule.swizzle : extents[1]);
  const double slab =
      static_cast<double>(extents[0]) * rows *
      (counted ? tile[2] * (footprint.compulsory + footprint.planes + footprint.stored)
               : depth * (footprint.compulsory + footprint.stored));
  // The rows around a band are read again with the next one.
  const int beside = reads.reach.low[1] + reads.reach.high[1];
  const double of_bands = swizzled ? footprint.compulsory * beside / rows : 0;
  const Rates& rates = counted ? of_code::kRates : kRates;
  const double held = rates.held_by_l2 * card.l2.value_or(1) * 1048576;
  const double missed = kAlongMissed / (1 + std::pow(held / slab, 3));
  const double at_edges = schedule.edge_cells ? of_code::kAtEdgeCells : of_code::kAtEdges;
  const double instructions_of_cell =
      counted ? instructions(size->code) * again * (1 + at_edges * result.edge_blocks) +
                    of_code::kPlace * size->code.edge_places / size->code.cells * result.edge_blocks
              : instructions(reads, footprint) * again + kPass * again / footprint.cells +
                    kThread / (footprint.cells * footprint.passes);
  const double in_flight = static_cast<double>(result.resident) * threads * footprint.cells;
  result.moved = {footprint.loaded * again / footprint.cells, footprint.fetched,
                  footprint.compulsory + missed * (counted ? footprint.planes : footprint.along) +
                      kAround * drift * footprint.around + of_bands,
                  static_cast<double>(footprint.stored)};
  result.clocks[0] = (result.moved.read + footprint.stored) / (rates.memory * memory);
  // The result of a step may still be in the L2 when the next step reads it.
  const double all_bytes = static_cast<double>(extents[0]) * static_cast<double>(extents[1]) *
                           static_cast<double>(extents[2]) *
                           (footprint.compulsory + footprint.stored);
  if (all_bytes < kHeldInL2 * card.l2.value_or(0) * 1048576) result.clocks[0] = 0;
  result.clocks[1] = (footprint.fetched + footprint.stored) / rates.l2;
  if (boxes)
    result.clocks[1] = (footprint.compulsory * (1 + kLine / (tile[0] * reads.widest)) *
                            (1 + footprint.around / footprint.compulsory) +
                        footprint.along + footprint.stored) /
                       kL2Boxes;
  const double shuffled = 4 * footprint.shuffled * again / footprint.cells;  // bytes
  result.clocks[2] = (result.moved.loaded + shuffled + footprint.stored) / rates.l1;
  result.clocks[3] = instructions_of_cell / rates.issue;
  const double chain = loops ? kChainOfSums : kChain;
  const double row = footprint.plane_bytes != 0 ? kLatencyOfTile : kLatencyOfRow;
  double pass = kLatency + chain * instructions_of_cell * footprint.cells +
                row * std::max(0, footprint.arrivals - 1);
  if (boxes) pass = kLatencyBoxes + (footprint.arrays > 2 ? kLatencyBeside : 0);
  if (counted) {
    const double turns = schedule.coarsen_axis == 2 ? 1 : size->code.turns;
    pass = turns *
           (of_code::kLatency + of_code::kChain * std::pow(instructions_of_cell, of_code::kLong) *
                                    std::pow(footprint.cells / turns, of_code::kBeside));
  }
  result.clocks[4] = pass * again / in_flight;
  const double hiding =
      rates.hiding + (counted ? of_code::kHidingOfWarps * result.warps / 64.0 : 0);
  double sum = 0;
  for (const double one : result.clocks) sum += std::pow(one, hiding);
  result.together = std::pow(sum, 1 / hiding);
  if (!boxes && !counted && reads.widest == 8 && reads.rows.size() >= kRows)
    result.together *= kManyRows;
  if (counted) result.together *= of_form(schedule);
  result.limit = static_cast<Limit>(std::max_element(result.clocks.begin(), result.clocks.end()) -
                                    result.clocks.begin());
  result.waves = blocks / (static_cast<double>(card.multiprocessors) * result.resident);
  result.together *= 1 + lost_at_the_end(result.waves, counted ? of_code::kTail : kTail);
  return result;
}

double Prediction::tail() const {
  const bool counted = size && size->code.cells > 0;
  const double lost = lost_at_the_end(waves, counted ? of_code::kTail : kTail);
  return lost / (1 + lost);
}

const Prediction& longest(const Forecast& forecast) {
  return *std::max_element(forecast.launches.begin(), forecast.launches.end(),
                           [](const auto& a, const auto& b) { return a.together < b.together; });
}

namespace {

Prediction predict_single(Survey& survey, const Launch& launch, const Schedule& schedule,
                          const Device& device, const Card& card,
                          const std::array<int64_t, 3>& extents, const KernelSize* size) {
  const Reads& reads = survey.reads(launch);
  if (!schedule.stream_values.empty()) {
    const StreamedValues values =
        streamed_values(survey.stencil, launch, false, schedule.stream_values, schedule.vector);
    const Schedule own = schedule_of(schedule, values, streamed_axis(survey.stencil));
    Prediction result = predict(reads, footprint_of(reads, own, survey.stencil.rank()), own, device,
                                card, extents, size, survey.by_reads);
    if (!values.empty())
      result.together *=
          of_code::kStreams / of_form(own) * static_cast<double>(kWarp) / values.warp_lanes();
    return result;
  }
  if (!schedule.has_tiles())
    return predict(reads, footprint_of(reads, schedule, survey.stencil.rank()), schedule, device,
                   card, extents, size, survey.by_reads);
  const int staged = staged_bytes(survey.stencil, {launch}, schedule);
  Schedule own = schedule;  // what is copied for values is in `staged`
  own.shared = Shared::none;
  return predict(reads, footprint_of(reads, own, survey.stencil.rank()), own, device, card, extents,
                 size, survey.by_reads, staged);
}

}  // namespace

Forecast forecast(const ir::Stencil& stencil, const Schedule& schedule, const Device& device,
                  const std::array<int64_t, 3>& extents, const std::vector<KernelSize>& sizes) {
  Survey survey(stencil, [&](const Schedule&) { return sizes; });
  if (!sizes.empty()) survey.kernel_sizes(schedule.steps == 1 ? schedule : schedule.one_step());
  return forecast(survey, schedule, device, extents);
}

Forecast forecast(Survey& survey, const Schedule& schedule, const Device& device,
                  const std::array<int64_t, 3>& extents) {
  Forecast result;
  result.card = &card_for(device);
  result.extents = extents;
  double clocks = 0;
  bool runs = true;
  const Temporal several = temporal(survey, schedule);
  const bool blocked = several.steps > 1;
  const Schedule single = blocked || schedule.steps == 1 ? schedule : schedule.one_step();
  const auto add = [&](const Prediction& one) {
    runs &= one.resident > 0;
    result.spills |= one.spills;
    clocks += one.together;
    result.launches.push_back(one);
  };
  if (blocked && several.resident_tile())
    add((survey.stencil.rank() == 1 ? predict_line : predict_tiles)(survey, schedule, several,
                                                                    device, *result.card, extents));
  const std::vector<KernelSize>* sizes = survey.known_sizes(single);
  size_t number = 0;  // of the launch
  double ghost_kernels = 0;
  for (const Launch& launch : survey.stages(schedule).launches) {
    ghost_kernels += static_cast<double>(ghosts_by_width(survey.stencil, launch).size());
    if (launch.stores.empty() || (blocked && several.resident_tile())) continue;
    add(blocked ? predict_steps(survey, launch, schedule, several, device, *result.card, extents)
                : predict_single(survey, launch, single.of_launch(survey.stencil, launch), device,
                                 *result.card, extents,
                                 sizes && number < sizes->size() ? &(*sizes)[number++] : nullptr));
  }
  // Each colour is a launch, which moves most of the bytes again.
  if (sizes && !survey.by_reads && survey.stencil.colors.count() != 0)
    clocks *= survey.stencil.colors.count();
  if (runs && clocks > 0)
    result.rate = result.card->multiprocessors * *result.card->clock * 1e9 / clocks;
  if (result.launches.empty()) return result;
  const double steps = std::max(1, result.launches.front().steps);
  // The model of resident tiles already includes the time of launches, except the minimum.
  if (!blocked || !several.resident_tile())
    result.wait =
        (single.early ? kEarly : kLaunch) * static_cast<double>(result.launches.size()) / steps +
        kGhosts * ghost_kernels / steps;
  else if (result.rate > 0)
    result.wait = std::max(0.0, kLeastOfLaunch / steps - result.seconds());
  return result;
}

bool computes(const Forecast& forecast) {
  double instructions = 0, memory = 0;
  for (const Prediction& launch : forecast.launches) {
    instructions += launch.clocks[static_cast<size_t>(Limit::issue)];
    memory += launch.clocks[static_cast<size_t>(Limit::memory)];
  }
  return instructions > memory;
}

bool is_held_by_l2(const Forecast& forecast) {
  return std::ranges::any_of(forecast.launches, [](const Prediction& launch) {
    return launch.clocks[static_cast<size_t>(Limit::memory)] == 0;
  });
}

double Forecast::cells() const {
  double cells = 1;
  for (const int64_t extent : extents) cells *= static_cast<double>(extent);
  return cells;
}

double Forecast::seconds() const { return cells() / rate + wait; }

std::array<int64_t, 3> usual_extents(int rank) {
  if (rank == 1) return {1 << 28, 1, 1};
  return rank == 2 ? std::array<int64_t, 3>{16384, 16384, 1}
                   : std::array<int64_t, 3>{768, 768, 768};
}

}  // namespace stencilc::plan
