#include "plan/search/spatial_shapes.h"

#include <algorithm>
#include <map>

#include "plan/model/one_step.h"

namespace stencilc::plan {
namespace {

constexpr int kAccess = 16;  // bytes that one access moves at most

// As many cells as one access moves, or half as many.
std::vector<int> widths(const Reads& reads) {
  // Narrow values are computed in registers of four bytes.
  const int whole = std::min(8, kAccess / reads.widest);
  std::vector<int> result = {whole};
  if (whole > 2) result.push_back(whole / 2);
  return result;
}

// Whether the cell above reads some of the same cells.
bool shares_rows(const Reads& reads) {
  std::map<std::pair<int, int>, int> rows;
  for (const auto& [row, offsets] : reads.rows)
    if (++rows[{row.field, row.level}] > 1) return true;
  return false;
}

// Blocks of 128 threads come first, so that they are taken where others are predicted to be as
// fast: they were faster (bench/notes/one-step.md, "Blocks of one cell per thread").
std::vector<Schedule> shapes_in_the_plane(const Reads& reads) {
  std::vector<Schedule> result;
  Schedule shape;
  shape.coarsen_axis = 1;
  // Rows share nothing, or the code of one row is so long that several rows cannot run side by
  // side.
  constexpr size_t kFields = 4;  // with more fields, several rows need too many registers
  const bool alone =
      !shares_rows(reads) || reads.bytes.size() > kFields || (reads.slow && reads.widest == 8);
  for (const int width : widths(reads))
    for (const int rows : {1, 2, 4, 6, 8})
      for (const std::array<int, 3>& threads : {std::array{32, 4, 1}, std::array{64, 4, 1},
                                                std::array{32, 8, 1}, std::array{128, 2, 1}}) {
        if (alone && rows > 1) continue;
        shape.vector = width;
        shape.threads = threads;
        shape.coarsen = rows;
        result.push_back(shape);
      }
  if (reads.widest != 2 || alone) return result;
  // Half-precision values from another lane are already converted; for bytes that gained nothing.
  shape.vector = widths(reads)[0];
  shape.coarsen = 1;
  shape.lanes = true;
  for (const int rows : {2, 4})
    for (const std::array<int, 3>& threads : {std::array{32, 4, 1}, std::array{64, 4, 1}}) {
      shape.threads = threads;
      shape.rows = rows;
      result.push_back(shape);
    }
  return result;
}

// Sums of more taps than the first number may be loops; above the second they always are, because
// the code for terms would not fit an instruction cache.
constexpr int kManyTaps = 40, kMostTerms = 64;
constexpr int kMostUnrolled = 2500;  // products per thread
constexpr int kMostOfRow = 1600;  // products per row of taps; more do not fit the instruction cache

// A thread adds each row to its sums as it arrives. Wide vectors save loads of weights, and many
// rows save loads of cells.
std::vector<Schedule> shapes_of_loops(const Reads& reads) {
  constexpr int kSums =
      40;  // registers of four bytes; with more, ptxas spills some long before its limit
  std::vector<Schedule> result;
  Schedule shape;
  shape.coarsen_axis = 1;
  for (const int width : {4, 8, 16})
    for (const int rows : {2, 4, 6, 8})
      for (const Taps taps : {Taps::unrolled, Taps::rolled})
        for (const std::array<int, 3>& threads : {std::array{32, 4, 1}, std::array{32, 8, 1}}) {
          if (reads.boxes * width * rows * std::max(1, reads.widest / 4) > kSums) continue;
          const int row = reads.reach.low[0] + reads.reach.high[0] + 1;
          if (taps == Taps::rolled && row * width * rows > kMostOfRow) continue;
          if (taps == Taps::unrolled && reads.taps * width * rows > kMostUnrolled) continue;
          shape.vector = width;
          shape.rows = rows;
          shape.taps = taps;
          shape.threads = threads;
          result.push_back(shape);
        }
  return result;
}

// The same with rows from a tile in shared memory. A vector of 16 cells shares each load of a
// weight. If threads fill the tile, its vectors are padded to different banks. Bulk copies cannot
// pad, but cost threads nothing; blocks of 128 threads then lose least while they wait for their
// tile.
void add_tiles_of_loops(const Reads& reads, const Device& device, std::vector<Schedule>& result) {
  constexpr int kSums = 48;  // registers of four bytes; more leave too few warps
  Schedule shape;
  shape.coarsen_axis = 1;
  shape.shared = tile_of_loops(device);
  const bool boxes = shape.shared == Shared::boxes;
  if (!boxes && reads.taps <= kMostTerms) return;
  const int row = reads.reach.low[0] + reads.reach.high[0] + 1;
  using Threads = std::vector<std::array<int, 3>>;
  const auto add = [&](Taps taps, int width, int rows, const Threads& all) {
    if (reads.boxes * width * rows * std::max(1, reads.widest / 4) > kSums) return;
    if (taps == Taps::rolled && row * width * rows > kMostOfRow) return;
    if (taps == Taps::unrolled && reads.taps * width * rows > kMostUnrolled) return;
    shape.taps = taps;
    shape.vector = width;
    shape.rows = rows;
    for (const std::array<int, 3>& threads : all) {
      shape.threads = threads;
      result.push_back(shape);
    }
  };
  const int cells = std::min(16, 64 / reads.widest);  // of 64 bytes
  if (!boxes) {
    for (const int rows : {1, 2, 4}) {
      add(Taps::rolled, cells / 2, rows, {{16, 16, 1}});
      add(Taps::rolled, cells, rows, {{8, 32, 1}});
    }
    return;
  }
  for (const int rows : {2, 4}) add(Taps::rolled, cells / 2, rows, {{16, 16, 1}, {32, 8, 1}});
  for (const int rows : {2, 3}) add(Taps::rolled, cells, rows, {{8, 16, 1}});
  for (const int rows : {4, 6}) add(Taps::unrolled, cells / 4, rows, {{32, 4, 1}, {32, 8, 1}});
}

// Whether a single field is read in sums only, so that bulk copies can bring all its planes.
bool may_take_boxes(const Reads& reads, const Device& device) {
  return device.box_copies && reads.adds_planes && !reads.slow && !reads.recomputes &&
         reads.beside.size() == 1 && reads.narrowest >= 4 &&
         reads.reach.low[2] + reads.reach.high[2] > 0;
}

// Whether the planes above and below are read in more than the column.
bool is_box(const Reads& reads) {
  return std::any_of(reads.rows.begin(), reads.rows.end(), [](const auto& row) {
    return row.first.z != 0 && (row.first.y != 0 || row.second != std::set<int>{0});
  });
}

// Whether cells read so many other planes that short columns load too much twice, and registers can
// hold the planes of a few rows.
constexpr int kFewPlanes = 8, kFarPlanes = 4;
bool is_far(const Reads& reads) { return reads.reach.low[2] + reads.reach.high[2] >= kFarPlanes; }

// With this many registers per thread, half of the maximum number of threads fit a multiprocessor.
constexpr int kHalfOfThem = 64;

std::vector<Schedule> shapes_in_space(const Reads& reads, const Device& device) {
  std::vector<Schedule> result;
  Schedule shape;
  shape.coarsen_axis = 2;
  const bool box = is_box(reads);  // whose planes are too large to be kept
  const bool far = is_far(reads);
  const bool squeezed = makes_do(device) && reads.widest == 8 && reads.bytes.size() == 1 &&
                        !reads.slow && !reads.recomputes;
  for (const int width : widths(reads))
    for (const int rows : {1, 2, 4})
      for (const int column : {8, 16, 32, 48})
        for (const std::array<int, 3>& threads :
             {std::array{32, 4, 1}, std::array{32, 8, 1}, std::array{64, 4, 1}})
          for (const bool scatter : {false, true}) {
            if (scatter ? !reads.adds_planes : box && reads.adds_planes) continue;
            if (far && (column <= kFewPlanes || (!scatter && rows > 2))) continue;
            shape.vector = width;
            shape.threads = threads;
            shape.rows = rows;
            shape.coarsen = column;
            shape.scatter = scatter;
            // By itself, ptxas uses more registers than needed, mostly for cells at the boundary.
            shape.resident = device.registers / kHalfOfThem / shape.block_threads();
            if (squeezed && !scatter) result.push_back(shape);
            shape.resident = 0;
            result.push_back(shape);
          }
  shape.resident = 0;
  if (!may_take_boxes(reads, device)) return result;
  shape.vector = kAccess / reads.widest;
  shape.scatter = true;
  shape.shared = Shared::boxes;
  shape.ahead = 3;
  shape.coarsen = 48;  // 96 was slower in all measurements, by up to 5 %
  for (const auto& [threads, rows] :
       {std::pair(std::array{64, 8, 1}, 4), std::pair(std::array{32, 12, 1}, 3),
        std::pair(std::array{32, 16, 1}, 2), std::pair(std::array{32, 8, 1}, 4),
        std::pair(std::array{64, 4, 1}, 8)}) {
    shape.threads = threads;
    shape.rows = rows;
    result.push_back(shape);
  }
  return result;
}

}  // namespace

std::vector<Schedule> shapes(const Reads& all, int rank, const Device& device) {
  if (rank == 3) return shapes_in_space(all, device);
  const bool loops = all.taps >= kManyTaps && !all.recomputes;
  std::vector<Schedule> result;
  if (!loops || all.taps <= kMostTerms) result = shapes_in_the_plane(all);
  if (!loops) return result;
  for (Schedule& shape : shapes_of_loops(all)) result.push_back(std::move(shape));
  if (weighs_tiles(all, rank, device.box_copies)) add_tiles_of_loops(all, device, result);
  // Many sums of few taps each are too many to be held, and stay terms.
  return result.empty() ? shapes_in_the_plane(all) : result;
}

std::vector<Schedule> shapes_of_lanes(const Reads& all) {
  std::vector<Schedule> result;
  Schedule shape;
  shape.coarsen_axis = 2;
  shape.vector = widths(all)[0];
  shape.lanes = true;
  for (const int rows : {1, 2})
    for (const int column : {8, 16, 32})
      for (const int warps : {4, 8})
        for (const bool scatter : {false, true}) {
          if (is_far(all) && column <= kFewPlanes) continue;
          if (scatter ? !all.adds_planes : is_box(all) && all.adds_planes) continue;
          shape.threads = {kWarp, warps, 1};
          shape.rows = rows;
          shape.coarsen = column;
          shape.scatter = scatter;
          result.push_back(shape);
        }
  return result;
}

bool weighs_tiles(const Reads& all, int rank, bool boxes) {
  return rank == 2 && all.taps > (boxes ? kManyTaps : kMostTerms) && !all.recomputes;
}

Shared tile_of_loops(const Device& device) {
  if (device.box_copies) return Shared::boxes;
  return device.async_copies ? Shared::async : Shared::loads;
}

}  // namespace stencilc::plan
