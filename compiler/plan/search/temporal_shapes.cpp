#include "plan/search/temporal_shapes.h"

#include <algorithm>
#include <cmath>

#include "ir/boundary.h"
#include "plan/model/temporal_2d.h"

namespace stencilc::plan {
namespace {

constexpr int kAccess = 16;  // bytes that one access moves at most
constexpr int kChunk = 256;

Schedule shape_along(int axis) {
  Schedule shape;
  shape.preset = "coarsened";
  shape.coarsen_axis = axis;
  return shape;
}

// The launch that stores; null if there are several.
const Launch* only_launch(Survey& survey, const Schedule& schedule) {
  const Launch* only = nullptr;
  for (const Launch& launch : survey.stages(schedule).launches) {
    if (launch.stores.empty()) continue;
    if (only) return nullptr;
    only = &launch;
  }
  return only;
}

// Requests the registers that the kernel needs, if ptxas would spill otherwise.
void request_registers(Survey& survey, const Launch& launch, const Device& device,
                       Schedule& shape) {
  const double want = wanted_registers(survey, launch, shape, temporal(survey, shape));
  if (want <= kOfTwelveWarps * 0.97) return;
  shape.resident = device.registers / device.partitions / ((device.thread_registers + 1) * kWarp) *
                   device.partitions / shape.threads[1];
}

std::vector<Schedule> deep_shapes_in_space(Survey& survey, const Device& device,
                                           const std::array<int64_t, 3>& extents) {
  std::vector<Schedule> result;
  Schedule shape = shape_along(2);
  shape.scatter = true;
  const Launch* launch = only_launch(survey, shape);
  if (!launch) return {};
  // With narrower types the same number of bytes would need too many registers.
  shape.vector = kAccess / std::max(4, survey.reads(*launch).widest);
  // Rows shorter than 32 vectors get narrower vectors.
  if (extents[0] < static_cast<int64_t>(kWarp) * shape.vector && shape.vector > 2)
    shape.vector /= 2;
  shape.coarsen = kChunk;  // not 1, which means no streaming
  shape.full = true;
  const Card& card = card_for(device);
  const bool two_levels =
      std::any_of(survey.stencil.fields.begin(), survey.stencil.fields.end(), plan::has_before);
  for (const int steps : {2, 3, 4, 5, 6, 8})
    for (const int warps : {8, 12, 16, 20, 24})
      for (const int rows : {2, 3, 4, 5, 6, 8}) {
        shape.steps = steps;
        shape.threads = {kWarp, warps, 1};
        shape.rows = rows;
        shape.ahead = 2;
        Temporal several = temporal(survey, shape);
        // If each plane brings two levels, one plane of prefetch is as fast.
        if (several.steps == 1 && two_levels) {
          shape.ahead = 1;
          several = temporal(survey, shape);
        }
        if (several.steps == 1) continue;
        const Prediction seen =
            predict_steps(survey, *launch, shape, several, device, card, extents);
        if (seen.resident == 0 || seen.spills) continue;
        result.push_back(shape);
      }
  return result;
}

// For cells that are packed into bits. Blocks of eight warps were up to 1.3 times as fast as those
// of one (bench/notes/temporal-2d.md, "What is chosen").
std::vector<Schedule> shapes_of_bits(Survey& survey, Schedule shape, const Launch& launch,
                                     const Device& device, const std::array<int64_t, 3>& extents) {
  std::vector<Schedule> result;
  constexpr int kTogether = 8;  // warps
  shape.vector = kCellsOfBits;
  for (const int warps : {kTogether, 1})
    for (const int steps : {4, 8, 12, 16}) {
      shape.threads[1] = warps;
      shape.steps = steps;
      const Temporal several = temporal(survey, shape);
      if (several.steps == 1) continue;
      const Prediction seen =
          predict_steps(survey, launch, shape, several, device, card_for(device), extents);
      if (seen.resident > 0 && !seen.spills) result.push_back(shape);
    }
  return result;
}

std::vector<Schedule> deep_shapes_in_the_plane(Survey& survey, const Device& device,
                                               const std::array<int64_t, 3>& extents) {
  std::vector<Schedule> result;
  Schedule shape = shape_along(1);
  shape.threads = {kWarp, 1, 1};
  shape.coarsen = kChunk;  // not 1, which means no streaming
  shape.full = true;
  const Launch* launch = only_launch(survey, shape);
  if (!launch) return {};
  if (holds_bits(survey)) return shapes_of_bits(survey, shape, *launch, device, extents);
  const int widest = survey.reads(*launch).widest;
  for (const int steps : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16})
    for (const int width : {kAccess / widest, 2 * kAccess / widest}) {
      shape.steps = steps;
      shape.vector = width;
      shape.scatter = true;
      shape.resident = 0;
      const Temporal several = temporal(survey, shape);
      if (several.steps == 1) continue;
      shape.scatter = temporal_footprint(survey, *launch, shape, several).adds;
      request_registers(survey, *launch, device, shape);
      const Prediction seen =
          predict_steps(survey, *launch, shape, several, device, card_for(device), extents);
      if (seen.resident > 0) result.push_back(shape);
    }
  return result;
}

// Whether cells near the boundary run the same code as interior cells, or little more.
bool is_alike_at_boundary(const ir::Stencil& stencil) {
  for (const ir::Field& field : stencil.fields) {
    if (field.role == ir::Role::input) return false;
    for (const auto& sides : field.boundary.sides)
      for (const ir::Side& side : sides)
        if (ir::kind_of(side).computes()) return false;
  }
  for (const ir::Update& update : stencil.updates) {
    const ir::Domain& domain = update.cases[0].domain;
    if (update.cases.size() > 1 || domain.mask || !domain.limits.empty()) return false;
  }
  return true;
}

// Resident tiles in 3-D, for grids that leave most of a GPU idle, with few cells per thread.
std::vector<Schedule> tiles_in_space(Survey& survey, const Device& device,
                                     const std::array<int64_t, 3>& extents) {
  std::vector<Schedule> result;
  Schedule shape = shape_along(2);
  const int widest = std::max(4, survey.reads().widest);
  const int most_cells =
      is_alike_at_boundary(survey.stencil) ? 64 : 32;  // each cell has code of its own
  for (const int steps : {2, 3, 4})
    for (const int vector : {kAccess / widest / 2, kAccess / widest})
      for (const bool whole : {true, false})
        for (const int warps : {8, 12, 16, 20})
          for (const int rows : {1, 2})
            for (const int planes : {6, 8, 10, 12, 14, 15, 16, 20}) {
              shape.steps = steps;
              shape.vector = vector;
              shape.whole = whole;
              shape.threads = {kWarp, warps, 1};
              shape.rows = rows;
              shape.planes = planes;
              if (vector < 2 || vector * rows * planes > most_cells ||
                  (whole && extents[0] > static_cast<int64_t>(kWarp) * vector) ||
                  warps * kWarp > device.block_threads || temporal(survey, shape).steps == 1)
                continue;
              result.push_back(shape);
            }
  return result;
}

// Warps that keep a tile in 1-D.
std::vector<Schedule> line_shapes(Survey& survey) {
  std::vector<Schedule> result;
  Schedule shape = shape_along(0);
  shape.threads = {kWarp, 1, 1};
  for (const int vector : {4, 8, 16})
    for (const int steps : {2, 4, 8, 12, 16, 24, 32}) {
      shape.vector = vector;
      shape.steps = steps;
      if (temporal(survey, shape).steps > 1) result.push_back(shape);
    }
  return result;
}

}  // namespace

bool holds_bits(Survey& survey) { return survey.bits().why_not.empty(); }

bool is_small(const std::array<int64_t, 3>& extents) {
  constexpr int64_t kCells = int64_t{1} << 23;
  return extents[0] * extents[1] * extents[2] <= kCells;
}

std::vector<Schedule> tiles_in_the_plane(Survey& survey, const Device& device) {
  std::vector<Schedule> result;
  Schedule shape = shape_along(1);
  shape.vector = kAccess / survey.reads().widest;
  // Each row has code of its own, and once more if cells near the boundary differ.
  const int most_rows = is_alike_at_boundary(survey.stencil) ? 16 : 8;
  for (const int steps : {2, 3, 4, 6, 8, 12})
    for (const int warps : {8, 16})
      for (const int rows : {2, 3, 4, 5, 6, 8, 10, 12, 16}) {
        shape.steps = steps;
        shape.threads = {kWarp, warps, 1};
        shape.rows = rows;
        if (rows > most_rows || warps * kWarp > device.block_threads ||
            temporal(survey, shape).steps == 1)
          continue;
        result.push_back(shape);
      }
  return result;
}

std::vector<Schedule> deep_shapes(Survey& survey, const Device& device,
                                  const std::array<int64_t, 3>& extents) {
  const int rank = survey.stencil.rank();
  if (rank == 1) return line_shapes(survey);
  if (rank == 3) {
    std::vector<Schedule> shapes = deep_shapes_in_space(survey, device, extents);
    if (is_small(extents))
      for (Schedule& tile : tiles_in_space(survey, device, extents))
        shapes.push_back(std::move(tile));
    return shapes;
  }
  std::vector<Schedule> shapes = deep_shapes_in_the_plane(survey, device, extents);
  for (Schedule& tile : tiles_in_the_plane(survey, device)) shapes.push_back(std::move(tile));
  return shapes;
}

}  // namespace stencilc::plan
