#include "plan/temporal/resident_tile.h"

#include <algorithm>
#include <map>

#include "ir/boundary.h"
#include "plan/schedule/launch.h"
#include "plan/temporal/legality.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

constexpr int kLanes = 32;
constexpr int kMostOfPoints = 64;  // a word marks the cells of a thread that have points

// Whether the output differs from what the last step assigns to every cell.
bool is_partial(const ir::Stencil& stencil, int field) {
  const ir::Update& update = stencil.updates[stencil.update_of(field)];
  const ir::Domain& domain = update.cases[0].domain;
  return update.cases.size() > 1 || !domain.everywhere() || !domain.limits.empty() || domain.mask;
}

std::string problem_of_passes(const ir::Stencil& stencil, const std::vector<Launch>& launches) {
  for (const Launch& launch : launches)
    if (launch.every_step) return "each step reads a reduction over the grid";
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (stencil.fields[f].role == ir::Role::output && is_partial(stencil, static_cast<int>(f)))
      return "`" + stencil.fields[f].name +
             "` is an output field that is not written in every cell";
  return "";
}

// Rows or planes that fill ghost cells beyond the ends of an axis, for this many ghost cells.
int ghost_reach(const ir::Stencil& stencil, int axis, int low, int high) {
  int most = 0;
  for (const ir::Field& field : stencil.fields)
    if (field.role != ir::Role::input)
      for (const int end : {0, 1})
        most = std::max(most, mapped_rows(field.boundary.sides[axis][end], end == 0 ? low : high));
  return most;
}

std::string problem_of_rows(const ir::Stencil& stencil, const Schedule& schedule,
                            const Temporal& temporal) {
  const int rows = std::max(temporal.below, temporal.above);
  if (schedule.rows < rows)
    return "a step reads rows at a distance of " + std::to_string(rows) +
           ", so a thread needs as many rows";
  if (ghost_reach(stencil, 1, temporal.below, temporal.above) > schedule.rows)
    return "a step needs more rows for the ghost cells than a thread has";
  if (temporal.stored_rows(schedule) < 1)
    return "with " + std::to_string(schedule.steps) + " steps the halo covers a whole tile of " +
           std::to_string(temporal.tile_rows(schedule)) + " rows";
  if (temporal.stored_cells(schedule.vector) < 4 * schedule.vector)
    return "with " + std::to_string(schedule.steps) +
           " steps the halo covers a whole tile of 32 vectors";
  return "";
}

std::string problem_of_tile_planes(const ir::Stencil& stencil, const Schedule& schedule,
                                   const Temporal& temporal) {
  const ResidentTile& tile = std::get<ResidentTile>(temporal.form);
  if (ghost_reach(stencil, 2, tile.low, tile.high) > schedule.planes)
    return "a step needs more planes for the ghost cells than a thread has";
  if (temporal.stored_planes(schedule) < 1)
    return "with " + std::to_string(schedule.steps) + " steps the halo covers a whole tile of " +
           std::to_string(schedule.planes) + " planes";
  return "";
}

std::vector<Launch> those_that_store(std::vector<Launch> launches) {
  std::erase_if(launches, [](const Launch& launch) { return launch.stores.empty(); });
  return launches;
}

}  // namespace

std::vector<Launch> passes_of(const ir::Stencil& stencil) {
  return those_that_store(stages(stencil, Fusion::split, true).launches);
}

std::vector<PassRead> reads_of_pass(const ir::Stencil& stencil, const Launch& pass) {
  std::map<std::pair<int, int>, PassRead> reads;
  std::vector<ir::ExprPtr> values;
  for (const Stored& stored : pass.stores)
    for (const ir::ExprPtr& root : roots_of(stencil.updates[stored.update])) values.push_back(root);
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || stencil.fields[read->field].role == ir::Role::input) continue;
    if (read->level == 1 && pass.stores_field(stencil, read->field)) continue;
    PassRead& one = reads[{read->field, read->level}];
    one.field = read->field;
    one.level = read->level;
    const int x = read->offset[0], y = read->offset[1], z = read->offset[2];
    one.below = std::max(one.below, -y);
    one.above = std::max(one.above, y);
    one.low = std::max(one.low, -z);
    one.high = std::max(one.high, z);
    one.corners |= y != 0 && z != 0;
    if (x == 0) continue;
    const bool none = one.first > one.last;
    one.first = none ? y : std::min(one.first, y);
    one.last = none ? y : std::max(one.last, y);
    one.first_plane = none ? z : std::min(one.first_plane, z);
    one.last_plane = none ? z : std::max(one.last_plane, z);
    one.left = std::max(one.left, -x);
    one.right = std::max(one.right, x);
  }
  std::vector<PassRead> result;
  for (auto& [key, one] : reads) {
    // Cells that fill ghost cells at the end of a row may be in the vector before the last one.
    const ir::Side& last = stencil.fields[one.field].boundary.sides[0][1];
    one.left = std::max(one.left, ir::kind_of(last).inward(one.right));
    result.push_back(one);
  }
  return result;
}

std::pair<std::vector<Pass>, std::string> passes_or_problem(const ir::Stencil& stencil,
                                                            const Stages& split) {
  std::pair<std::vector<Pass>, std::string> result;
  result.second = problem_of_passes(stencil, split.launches);
  for (Launch& launch : those_that_store(split.launches)) {
    std::vector<PassRead> reads = reads_of_pass(stencil, launch);
    result.first.push_back({std::move(launch), std::move(reads)});
  }
  return result;
}

// For each level of a field that a pass reads in neighbouring cells.
int halo_bytes(const ir::Stencil& stencil, const std::vector<Pass>& passes,
               const Schedule& schedule, const Temporal& temporal) {
  std::map<std::pair<int, int>, int> halo;  // bytes per cell
  for (const Pass& pass : passes)
    for (const PassRead& read : pass.reads)
      if (read.below + read.above > 0)
        halo[{read.field, read.level}] = ir::bytes(stencil.fields[read.field].type);
  int bytes = 0;
  for (const auto& [key, of_cell] : halo) bytes += of_cell;
  return halo_buffers(stencil.rank()) * bytes * schedule.threads[1] * schedule.planes *
         temporal.halo_rows(schedule) * kLanes * schedule.vector;
}

Temporal temporal_of_resident_tile(const Stepping& stepping, const Schedule& schedule) {
  const ir::Stencil& stencil = stepping.stencil;
  Temporal result;
  ResidentTile& tile = result.form.emplace<ResidentTile>();
  result.why_one = stepping.problem;
  if (result.why_one.empty()) result.why_one = problem_of_whole_rows(stencil, schedule);
  if (result.why_one.empty()) result.why_one = stepping.of_passes;
  if (result.why_one.empty()) result.why_one = stepping.of_tiles;
  if (!result.why_one.empty()) return result;
  int left = 0, right = 0;  // per step, for all its passes
  for (const Pass& pass : stepping.passes) {
    PassRead most;
    for (const PassRead& read : pass.reads) {
      most.left = std::max(most.left, read.left);
      most.right = std::max(most.right, read.right);
      most.below = std::max(most.below, read.below);
      most.above = std::max(most.above, read.above);
      most.low = std::max(most.low, read.low);
      most.high = std::max(most.high, read.high);
    }
    left += most.left;
    right += most.right;
    tile.lost_below += schedule.steps * most.below;
    tile.lost_above += schedule.steps * most.above;
    tile.lost_low += schedule.steps * most.low;
    tile.lost_high += schedule.steps * most.high;
    tile.low = std::max(tile.low, most.low);
    tile.high = std::max(tile.high, most.high);
    result.left = std::max(result.left, most.left);
    result.right = std::max(result.right, most.right);
    result.below = std::max(result.below, most.below);
    result.above = std::max(result.above, most.above);
  }
  lose_ends(schedule, left, right, schedule.vector, result);
  for (const ir::Field& field : stencil.fields) {
    if (field.role != ir::Role::stepped) continue;
    result.cell_bytes += ir::bytes(field.type);
    if (has_before(field)) result.before_bytes += ir::bytes(field.type);
  }
  result.steps = schedule.steps;
  tile.exchanges_all = stencil.rank() == 3 && schedule.rows < result.below + result.above;
  const int bytes = halo_bytes(stencil, stepping.passes, schedule, result);
  const int cells = schedule.vector * schedule.rows * schedule.planes;
  result.why_one = problem_of_columns(stencil, schedule, result);
  if (result.why_one.empty()) result.why_one = problem_of_rows(stencil, schedule, result);
  if (result.why_one.empty() && stencil.rank() == 3)
    result.why_one = problem_of_tile_planes(stencil, schedule, result);
  if (result.why_one.empty() && bytes > kMostBytes)
    result.why_one = "the halo exchange between warps needs " + std::to_string(bytes) +
                     " bytes of shared memory, and a block has " + std::to_string(kMostBytes);
  if (result.why_one.empty() && has_points(stencil) && cells > kMostOfPoints)
    result.why_one = "with sources or receivers a thread can have at most " +
                     std::to_string(kMostOfPoints) + " cells, and this schedule gives it " +
                     std::to_string(cells);
  if (!result.why_one.empty()) result.steps = 1;
  return result;
}

}  // namespace stencilc::plan
