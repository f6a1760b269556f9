#include "plan/degree.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ir/bits.h"
#include "plan/model_steps.h"
#include "plan/model_tiles.h"
#include "plan/reads.h"
#include "plan/strip_use.h"

namespace stencilc::plan {
namespace {

constexpr double kLaunch = 2.5e-6;  // seconds between the beginnings of two launches, at least

// The launch that stores; null: there are several.
const Launch* only_launch(const Schedule& schedule) {
  const Launch* only = nullptr;
  for (const Launch& launch : schedule.stages.launches) {
    if (launch.stores.empty()) continue;
    if (only) return nullptr;
    only = &launch;
  }
  return only;
}

bool holds_bits(const ir::Stencil& stencil) { return ir::bits_of(stencil).why_not.empty(); }

// Do divisions, roots or longer functions take the number of the step? One step a launch takes them
// once for each thread; several would for each row.
bool counts_long(const ir::Stencil& stencil) {
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::ExprPtr& root : roots_of(update)) values.push_back(root);
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* apply = ir::as<ir::Apply>(node);
    if (!apply || !ir::is_float(node->type)) continue;
    const bool takes_long =
        apply->op == ir::Op::div || apply->op == ir::Op::sqrt || ir::is_transcendental(apply->op);
    if (takes_long && ir::has_time(ir::nodes_of({node}))) return true;
  }
  return false;
}

// Why the model does not say anything of tiles that blocks dwell on, and of warps or blocks that
// march; empty: it does.
std::string problem_of_tiles(const ir::Stencil& stencil, const Reads& reads) {
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.mask) return "the model is not fitted to tiles with cells under a mask";
  if (reads.narrowest < 4)
    return "the model is not fitted to tiles of fields with fewer than 4 bytes a cell";
  if (reads.slow)
    return "the model is not fitted to tiles with divisions, roots or longer functions";
  return "";
}
std::string problem_of_marches(const ir::Stencil& stencil, const Reads& reads) {
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.mask) return "the model is not fitted to several steps of cells under a mask";
  if (reads.narrowest < 4 && reads.work.integer > 0 && !holds_bits(stencil))
    return "the model is not fitted to several steps of integers in fewer than 4 bytes that bits "
           "do not hold";
  if (reads.slow && reads.shares)
    return "the model is not fitted to several steps with divisions, roots or longer functions "
           "that neighbouring cells share";
  if (reads.slow && stencil.rank() == 3)
    return "the model is not fitted to several steps in space with divisions, roots or longer "
           "functions";
  return "";
}

// Asks for the registers that it wants, where ptxas would rather spill.
void ask_for_registers(const ir::Stencil& stencil, const Launch& launch, const Device& device,
                       Schedule& shape) {
  const double want = wanted_registers(stencil, launch, shape, temporal(stencil, shape));
  if (want <= kOfTwelveWarps * 0.97) return;
  shape.resident = device.registers / device.partitions / ((device.thread_registers + 1) * kWarp) *
                   device.partitions / shape.threads[1];
}

// Chunks of as many rows as let all warps come in full waves, a little less for those at the rim,
// which take longer. In fewer waves than that chunks of several lengths come together badly.
std::vector<int> chunks_of(const Prediction& seen, const Temporal& temporal, int width,
                           const Card& card, const std::array<int64_t, 3>& extents) {
  constexpr int kFewest = 4, kMost = 12, kRows = 64;
  constexpr double kFull = 0.97;
  const double strips =
      std::ceil(static_cast<double>(extents[0]) / (temporal.stored_lanes() * width));
  std::vector<int> rows;
  for (int waves = kFewest; waves <= kMost; ++waves) {
    const double places = kFull * card.multiprocessors * seen.warps * waves;
    const double chunks = std::floor(places / strips);
    if (chunks < 1) continue;
    const int count = static_cast<int>(std::ceil(static_cast<double>(extents[1]) / chunks));
    if (count >= kRows) rows.push_back(count);
  }
  // Where a grid is too small for so many waves.
  if (rows.empty()) rows = {32, 64, 128, 256};
  return rows;
}

// Seconds of a step, launches counted; infinite: it does not run well.
double seconds(const ir::Stencil& stencil, const Schedule& schedule, const Device& device,
               const std::array<int64_t, 3>& extents) {
  const Forecast seen = forecast(stencil, schedule, device, extents);
  if (seen.rate == 0 || seen.spills) return HUGE_VAL;
  double cells = 1;
  for (int a = 0; a < stencil.rank(); ++a) cells *= static_cast<double>(extents[a]);
  const int steps = seen.launches.front().steps;
  // The model of tiles counts them.
  if (steps > 1 && dwells(schedule)) return std::max(cells / seen.rate, kLeastOfLaunch / steps);
  return cells / seen.rate + kLaunch * static_cast<double>(seen.launches.size()) / steps;
}

// With fewer blocks another schedule is faster, as one step after the other.
int least_blocks(const ir::Stencil& stencil, const Schedule& one, const Schedule& several,
                 const Device& device, const std::array<int64_t, 3>& extents) {
  const int rank = stencil.rank();
  const int64_t smallest = rank == 2 ? 128 : 32;
  const Temporal found = temporal(stencil, several);
  const int64_t march =
      static_cast<int64_t>(several.coarsen) * (rank == 2 ? several.threads[1] : 1);
  const std::array<int64_t, 3> tile = {static_cast<int64_t>(found.stored_lanes()) * several.vector,
                                       rank == 2 ? march : found.stored_rows(several), march};
  for (int64_t n = smallest; n < *std::min_element(extents.begin(), extents.begin() + rank);
       n += n / 4) {
    const std::array<int64_t, 3> grid = {n, n, rank == 2 ? 1 : n};
    if (seconds(stencil, several, device, grid) >= seconds(stencil, one, device, grid)) continue;
    int64_t blocks = 1;
    for (int a = 0; a < rank; ++a) blocks *= (n - 1) / tile[a] + 1;
    return n == smallest ? 1 : static_cast<int>(blocks);
  }
  return 1;
}

// Counts of blocks along the marched axis that come in nearly full waves and compute little twice.
std::vector<int> chunks_in_space(const Prediction& seen, const Schedule& shape,
                                 const Temporal& temporal, const Card& card,
                                 const std::array<int64_t, 3>& extents) {
  constexpr int kMostChunks = 16;
  constexpr size_t kTaken = 3;
  const int64_t width = static_cast<int64_t>(temporal.stored_lanes()) * shape.vector;
  const int64_t columns =
      ((extents[0] - 1) / width + 1) * ((extents[1] - 1) / temporal.stored_rows(shape) + 1);
  const int beside = temporal.steps * (temporal.behind + temporal.back());
  std::vector<std::pair<double, int>> found;  // what is lost, planes
  for (int count = 1; count <= kMostChunks; ++count) {
    const auto planes = static_cast<int>((extents[2] - 1) / count + 1);
    const double waves = static_cast<double>(columns * ((extents[2] - 1) / planes + 1)) /
                         (static_cast<double>(card.multiprocessors) * seen.resident);
    found.emplace_back(std::ceil(waves) / waves * (planes + beside) / planes, planes);
  }
  std::sort(found.begin(), found.end());
  std::vector<int> result;
  for (const auto& [lost, planes] : found)
    if (result.size() < kTaken && std::find(result.begin(), result.end(), planes) == result.end())
      result.push_back(planes);
  return result;
}

std::vector<Schedule> deep_shapes_in_space(const ir::Stencil& stencil, const Device& device,
                                           const std::array<int64_t, 3>& extents) {
  constexpr int kAccess = 16;  // bytes that one access moves at most
  std::vector<Schedule> result;
  Schedule shape;
  shape.preset = "coarsened";
  shape.coarsen_axis = 2;
  shape.scatter = true;
  shape.stages = stages(stencil, Fusion::best, true);
  const Launch* launch = only_launch(shape);
  if (!launch) return {};
  // Of narrower types as many cells fill too many registers.
  shape.vector = kAccess / std::max(4, reads_of(stencil, *launch).widest);
  const Card& card = card_for(device);
  const bool two_levels =
      std::any_of(stencil.fields.begin(), stencil.fields.end(), plan::has_before);
  for (const int steps : {2, 3, 4, 5, 6, 8})
    for (const int warps : {8, 12, 16, 20, 24})
      for (const int rows : {2, 3, 4, 5, 6, 8}) {
        shape.steps = steps;
        shape.threads = {kWarp, warps, 1};
        shape.rows = rows;
        shape.coarsen = static_cast<int>(extents[2]);
        shape.ahead = 2;
        Temporal several = temporal(stencil, shape);
        // One plane ahead is as fast, where two levels come with each.
        if (several.steps == 1 && two_levels) {
          shape.ahead = 1;
          several = temporal(stencil, shape);
        }
        if (several.steps == 1) continue;
        const Prediction seen =
            predict_steps(stencil, *launch, shape, several, device, card, extents);
        if (seen.resident == 0 || seen.spills) continue;
        for (const int planes : chunks_in_space(seen, shape, several, card, extents)) {
          shape.coarsen = planes;
          result.push_back(shape);
        }
      }
  return result;
}

// Of cells that are held as bits.
std::vector<Schedule> shapes_of_bits(const ir::Stencil& stencil, Schedule shape,
                                     const Launch& launch, const Device& device,
                                     const std::array<int64_t, 3>& extents) {
  std::vector<Schedule> result;
  shape.vector = kCellsOfBits;
  for (const int steps : {4, 8, 12, 16, 24})
    for (const int rows : {64, 96, 128, 192, 256, 384, 512}) {
      shape.steps = steps;
      shape.coarsen = rows;
      const Temporal several = temporal(stencil, shape);
      if (several.steps == 1) continue;
      const Prediction seen =
          predict_steps(stencil, launch, shape, several, device, card_for(device), extents);
      if (seen.resident > 0 && !seen.spills) result.push_back(shape);
    }
  return result;
}

std::vector<Schedule> deep_shapes_in_the_plane(const ir::Stencil& stencil, const Device& device,
                                               const std::array<int64_t, 3>& extents) {
  constexpr int kAccess = 16;  // bytes that one access moves at most
  std::vector<Schedule> result;
  Schedule shape;
  shape.preset = "coarsened";
  shape.threads = {kWarp, 1, 1};
  shape.coarsen_axis = 1;
  shape.stages = stages(stencil, Fusion::best, true);
  const Launch* launch = only_launch(shape);
  if (!launch) return {};
  if (holds_bits(stencil)) return shapes_of_bits(stencil, shape, *launch, device, extents);
  const int widest = reads_of(stencil, *launch).widest;
  for (const int steps : {2, 3, 4, 5, 6, 8, 10, 12, 14, 16})
    for (const int width : {kAccess / widest, 2 * kAccess / widest}) {
      shape.steps = steps;
      shape.vector = width;
      shape.coarsen = 256;
      shape.scatter = true;
      shape.resident = 0;
      const Temporal several = temporal(stencil, shape);
      if (several.steps == 1) continue;
      shape.scatter = strip_use(stencil, *launch, shape, several).adds;
      ask_for_registers(stencil, *launch, device, shape);
      const Prediction seen =
          predict_steps(stencil, *launch, shape, several, device, card_for(device), extents);
      if (seen.resident == 0) continue;
      for (const int rows : chunks_of(seen, several, width, card_for(device), extents)) {
        shape.coarsen = rows;
        result.push_back(shape);
      }
    }
  return result;
}

// Is the text of a cell near the rim that of a cell inside, or little more?
bool is_alike_at_rim(const ir::Stencil& stencil) {
  for (const ir::Field& field : stencil.fields) {
    if (field.role == ir::Role::input) return false;
    for (const auto& sides : field.boundary.sides)
      for (const ir::Side& side : sides)
        if (side.edge == ir::Edge::antireflect || side.edge == ir::Edge::neumann ||
            side.edge == ir::Edge::expr)
          return false;
  }
  for (const ir::Update& update : stencil.updates) {
    const ir::Domain& domain = update.cases[0].domain;
    if (update.cases.size() > 1 || domain.mask || !domain.limits.empty()) return false;
  }
  return true;
}

// Blocks that dwell on tiles: of fewer rows and more steps for small grids.
std::vector<Schedule> tiles_in_the_plane(const ir::Stencil& stencil, const Device& device) {
  constexpr int kAccess = 16;  // bytes that one access moves at most
  std::vector<Schedule> result;
  Schedule shape;
  shape.preset = "coarsened";
  shape.coarsen_axis = 1;
  shape.stages = stages(stencil, Fusion::best, true);
  shape.vector = kAccess / reads_of(stencil).widest;
  // Each row is a text of its own, and where cells near the rim differ, one more.
  const int most_rows = is_alike_at_rim(stencil) ? 16 : 8;
  for (const int steps : {2, 3, 4, 6, 8, 12})
    for (const int warps : {8, 16})
      for (const int rows : {2, 3, 4, 5, 6, 8, 10, 12, 16}) {
        shape.steps = steps;
        shape.threads = {kWarp, warps, 1};
        shape.rows = rows;
        if (rows > most_rows || warps * kWarp > device.block_threads ||
            temporal(stencil, shape).steps == 1)
          continue;
        result.push_back(shape);
      }
  return result;
}

// The fastest, in seconds of a step.
std::pair<const Schedule*, double> fastest(const ir::Stencil& stencil,
                                           const std::vector<Schedule>& shapes,
                                           const Device& device,
                                           const std::array<int64_t, 3>& extents) {
  constexpr double kAsFast = 1.01;  // predictions are no better than that
  std::vector<double> times;
  for (const Schedule& shape : shapes) times.push_back(seconds(stencil, shape, device, extents));
  if (times.empty()) return {nullptr, HUGE_VAL};
  const double least = *std::min_element(times.begin(), times.end());
  const auto first = std::find_if(times.begin(), times.end(),
                                  [&](double time) { return time <= least * kAsFast; });
  return {&shapes[first - times.begin()], least};
}

std::string reason_of(const Schedule& best, const ir::Stencil& stencil) {
  const std::string steps = std::to_string(best.steps) + " steps a launch: a ";
  if (dwells(best)) return steps + "block holds a tile in registers and takes all steps of it";
  const bool blocks = stencil.rank() == 3;
  return steps + (blocks ? "block" : "warp") + " marches along `" + stencil.axes.back() +
         "`, and each step keeps in registers " +
         (blocks         ? "the plane that came last and the sums that planes are added to"
          : best.scatter ? "the sums that rows are added to"
                         : "the rows that it reads again") +
         (best.vector == kCellsOfBits ? ", 32 cells a word" : "");
}

}  // namespace

std::vector<Schedule> deep_shapes(const ir::Stencil& stencil, const Device& device,
                                  const std::array<int64_t, 3>& extents) {
  if (stencil.rank() == 1) return {};
  if (stencil.rank() == 3) return deep_shapes_in_space(stencil, device, extents);
  std::vector<Schedule> shapes = deep_shapes_in_the_plane(stencil, device, extents);
  for (Schedule& tile : tiles_in_the_plane(stencil, device)) shapes.push_back(std::move(tile));
  return shapes;
}

Degree degree(const ir::Stencil& stencil, const Schedule& one, const Device& device,
              const std::array<int64_t, 3>& extents) {
  if (stencil.rank() == 1) return {};
  Degree result;
  const Reads reads = reads_of(stencil);
  const bool dwell = stencil.rank() == 2 && problem_of_tiles(stencil, reads).empty();
  result.why_one = reads.beside.empty() ? "a step reads nothing beside the cell"
                   : counts_long(stencil)
                       ? "the model is not fitted to divisions, roots or longer functions of the "
                         "number of the step"
                   : dwell ? ""
                           : problem_of_marches(stencil, reads);
  if (!result.why_one.empty()) return result;
  std::vector<Schedule> shapes = deep_shapes(stencil, device, extents);
  const bool march = problem_of_marches(stencil, reads).empty();
  std::erase_if(shapes, [&](const Schedule& one) { return dwells(one) ? !dwell : !march; });
  if (shapes.empty()) {
    Schedule two;
    two.vector = two.threads[1] = two.rows = 4;
    two.steps = 2;
    two.threads[0] = kWarp;
    if (stencil.rank() == 3) {
      two.threads[1] = 8;
      two.scatter = true;
      two.coarsen = 64;
      two.coarsen_axis = 2;
    }
    two.stages = one.stages;
    result.why_one = temporal(stencil, two).why_one;
    return result;
  }
  const auto [found, least] = fastest(stencil, shapes, device, extents);
  // Rows that are kept were measured less than sums; and what gains little is not worth its text.
  if (least * (found->scatter ? 1.1 : 1.3) > seconds(stencil, one, device, extents)) return result;
  Schedule best = *found;
  best.reason = reason_of(best, stencil);
  if (!dwells(best)) {
    // For grids that leave most of a card idle, tiles of their own.
    constexpr int64_t kSmall = 1024;
    const std::array<int64_t, 3> small = {kSmall, kSmall, 1};
    std::vector<Schedule> tiles;
    if (dwell) tiles = tiles_in_the_plane(stencil, device);
    const auto [tile, time] = fastest(stencil, tiles, device, small);
    if (tile && time * 1.3 < seconds(stencil, one, device, small)) {
      best.smaller = {*tile};
      best.smaller[0].reason = reason_of(*tile, stencil);
    }
    best.least_blocks =
        least_blocks(stencil, best.smaller.empty() ? one : *tile, best, device, extents);
  }
  result.schedule = best;
  return result;
}

}  // namespace stencilc::plan
