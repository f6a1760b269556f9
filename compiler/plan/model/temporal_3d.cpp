#include "plan/model/temporal_3d.h"

#include <algorithm>
#include <cmath>

#include "ir/boundary.h"
#include "plan/machine/occupancy.h"
#include "plan/temporal/streaming_partition.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Fitted to 132 kernels of 3 stencils on an H200 (bench/model/fit_planes.py), except for what only
// other stencils have. Values are clocks of a multiprocessor unless stated otherwise.
constexpr double kMemory = 1;   // fraction of the bandwidth of a copy: planes are prefetched early
constexpr double kL2 = 38.3;    // bytes per clock
constexpr double kIssue = 106;  // instructions of threads issued per clock
constexpr double kDouble = 1.65;  // in these units: one f64 instruction
constexpr double kTaken = 0.5;    // per register from another lane
constexpr double kExchanged =
    14.5;                        // per register of a row that goes through shared memory, both ways
constexpr double kRow = 8.2;     // per row that comes from memory: the prefetch and its addresses
constexpr double kStep = 8.4;    // per plane and step whose latency nothing hides
constexpr double kChain = 1.89;  // per instruction of a thread that depends on another one
constexpr double kHiding = 4.42;  // exponent: how well limits overlap
constexpr double kLast = 0.714;   // boundary blocks among the last ones
constexpr int64_t kFirst = 4;     // planes in whose time the first ones arrive, for short chunks

// Additional time of a block whose tile has ghost cells, as a fraction.
constexpr double kPeriodic = 0.5, kConstant = 0.78, kFixed = 0.62, kMoved = 0.48;
constexpr double kMade = 4.8;  // for computing ghost cells, from one kernel

// Registers per thread, fitted to what ptxas allocates for 157 kernels of 3 stencils for sm_90,
// median error 4 % (bench/results/2026-11-23-sm90-planes-registers.txt).
constexpr double kCarried = 0.87;  // of what a step keeps of a row
constexpr double kStepOfRow = 3.4;
constexpr double kBeside = 5.8;   // per row, for each plane that is read before or after a plane
constexpr double kLater = 8;      // per row, if a step completes the plane that came before
constexpr double kLaterStep = 4;  // and per step, in addition
constexpr double kOther = 42;
constexpr double kBefore =
    55;  // if t-1 is read: from 20 kernels; those that spill were fitted apart
// Fraction of the maximum above which kernels spill in interior code. Stars of radius 2 in f32
// whose ghost cells are copies spill only in boundary code at first; if cells are carried, 8 warps
// spill earlier.
constexpr double kSafe = 1.08, kSafeMoved = 1.165, kSafeFixed = 1.07;

double boundary_cost_of(ir::GhostCost cost) {
  constexpr double kCosts[] = {0, kPeriodic, kConstant, kFixed, kMoved, kMade};  // by class
  return kCosts[static_cast<size_t>(cost)];
}

double boundary_cost_of(const ir::Stencil& stencil) {
  double worst = 0;
  for (const ir::Field& field : stencil.fields) {
    if (field.role != ir::Role::stepped) continue;
    for (const ir::Side& side : field.boundary.sides[0])
      worst = std::max(worst, boundary_cost_of(ir::ghost_cost(side.edge)));
  }
  return worst;
}

// Blocks of a grid: planes computed per stored plane, and the fraction of the cells that all blocks
// could store which the grid has.
struct Tiles {
  double tiles_x = 0, tiles = 0, chunks = 0;
  double overlap = 1, filled = 0;
  // All of it, in waves of blocks, and in units of one block without boundary costs.
  double waves = 0, time = 0;
};

// The time of all blocks, in units of an interior block, one after the other where there is room.
double time_of_waves(const Tiles& tiles, double boundary) {
  const double mean = 1 + 2 / tiles.tiles_x * boundary, longest = 1 + boundary;
  if (tiles.waves <= 1) return std::max(longest, mean);
  return std::max(longest, tiles.waves * mean + kLast * (longest - mean));
}

// With chunks of a fixed number of planes.
void take_chunks(const Schedule& schedule, const Temporal& temporal, double planes, double places,
                 double boundary, Tiles& tiles) {
  const double length = schedule.coarsen;
  tiles.chunks = std::ceil(planes / length);
  tiles.filled *= planes / (tiles.chunks * length);
  tiles.overlap =
      (length + temporal.steps * (temporal.planes_before + temporal.step_lag())) / length;
  tiles.waves = tiles.tiles_x * tiles.tiles * tiles.chunks / places;
  tiles.time = time_of_waves(tiles, boundary);
}

// With columns and chunks that fill the GPU.
void take_columns(const ir::Stencil& stencil, const Schedule& schedule, const Temporal& temporal,
                  const std::array<int64_t, 3>& extents, double places, Tiles& tiles) {
  const auto blocks = static_cast<int64_t>(places);
  const st::Columns columns = columns_of(stencil, schedule, temporal, extents, blocks);
  st::ColumnCost cost = column_cost(stencil, schedule, temporal, extents[0]);
  const double planes = tiles.tiles_x * tiles.tiles * static_cast<double>(extents[2]);
  const double computed = planes + static_cast<double>(columns.blocks() * cost.beside);
  tiles.chunks = static_cast<double>(columns.blocks()) / (tiles.tiles_x * tiles.tiles);
  tiles.overlap = computed / planes;
  tiles.waves = 1;
  cost.beside += kFirst;
  tiles.time = st::expected_time(columns, blocks, cost) * places / computed;
}

}  // namespace

double wanted_registers_of_planes(const TemporalFootprint& use, const Schedule& schedule,
                                  const Temporal& temporal) {
  const double rows = schedule.rows, steps = temporal.steps;
  const double beside = temporal.below + temporal.above;
  double of_row = steps * (kCarried * use.carried + kStepOfRow) + kBeside * (beside - 2);
  if (temporal.later) of_row += kLater + kLaterStep * steps;
  return rows * of_row + kOther + (temporal.before_bytes > 0 ? kBefore : 0);
}

Prediction predict_planes(Survey& survey, const Launch& launch, const Schedule& schedule,
                          const Temporal& temporal, const Device& device, const Card& card,
                          const std::array<int64_t, 3>& extents) {
  const ir::Stencil& stencil = survey.stencil;
  Prediction result;
  const Reads& reads = survey.reads(launch);
  const TemporalFootprint use = temporal_footprint(survey, launch, schedule, temporal);
  const int steps = temporal.steps, width = schedule.vector, rows = schedule.rows;
  const int threads = schedule.block_threads();
  const double boundary = boundary_cost_of(stencil);
  const double want = wanted_registers_of_planes(use, schedule, temporal);
  const int most = std::min(device.thread_registers, device.registers / threads / 8 * 8);
  const bool fixed =
      boundary == kFixed && temporal.unassigned_rows < 0;  // are cells carried in sums?
  const bool moved =
      !fixed && reads.widest == 4 && !temporal.later && temporal.below + temporal.above > 2;
  const bool sooner = fixed && most == device.thread_registers;
  result.steps = steps;
  result.spills = want > most * (moved ? kSafeMoved : sooner ? kSafeFixed : kSafe);
  result.registers = std::min(most, static_cast<int>(std::ceil(want)));
  result.shared = temporal.shared_bytes(schedule);
  result.resident = occupancy(device, threads, result.registers, result.shared);
  if (result.resident == 0) return result;
  result.warps = result.resident * warps_of(threads);

  Tiles tiles;
  tiles.tiles_x = static_cast<double>(temporal.tiles_x(extents[0], width));
  tiles.tiles = static_cast<double>(temporal.tiles(extents[1], schedule));
  tiles.filled = static_cast<double>(extents[0]) / (tiles.tiles_x * temporal.stored_cells(width)) *
                 static_cast<double>(extents[1]) / (tiles.tiles * temporal.stored_rows(schedule));
  const double places = static_cast<double>(card.multiprocessors) * result.resident;
  if (schedule.full)
    take_columns(stencil, schedule, temporal, extents, places, tiles);
  else
    take_chunks(schedule, temporal, static_cast<double>(extents[2]), places, boundary, tiles);
  const double active = result.resident * std::min(1.0, tiles.waves);
  const double beside = temporal.below + temporal.above;
  const double lanes = static_cast<double>(kWarp) * width;
  const double stored = static_cast<double>(temporal.stored_cells(width)) *
                        temporal.stored_rows(schedule) * tiles.filled;
  // For a plane that all blocks of a multiprocessor store, and all steps.
  const double cells = active * stored * steps / tiles.overlap;
  result.computed = lanes * temporal.tile_rows(schedule) * tiles.overlap / stored;

  double out = 0;
  for (const int bytes : reads.stores) out += bytes;
  const double loaded = lanes * temporal.loaded_rows(schedule) * tiles.overlap *
                        temporal.cell_bytes / (stored * steps);
  const double before = temporal.before_bytes * result.computed / steps;
  const double inputs = use.input_bytes * result.computed;
  result.moved.fetched = loaded + before + inputs;
  result.moved.loaded = result.moved.fetched;
  result.moved.read = loaded + before + use.input_bytes;
  result.moved.stored = (out + temporal.before_bytes) / steps;

  const double clock = *card.clock * 1e9;
  const double copied = card.copy ? *card.copy : card.bandwidth.value_or(0) * 0.88;
  const double memory = copied * 1e9 / card.multiprocessors / clock;  // bytes per clock
  const double taken = use.taken * (rows + (temporal.later ? beside : 0));
  const double of_thread = steps * (width * rows * instructions(reads, use, kDouble) +
                                    kTaken * taken + kExchanged * beside / 2 * use.own / width) +
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
  result.waves = tiles.waves;
  result.edge_blocks = std::min(1.0, 2 / tiles.tiles_x + 2 / tiles.tiles + 2 / tiles.chunks);
  result.together *= tiles.time / std::max(1.0, tiles.waves);
  return result;
}

}  // namespace stencilc::plan
