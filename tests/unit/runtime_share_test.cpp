// How blocks that stream in space, and warps that stream in the plane, share out a grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/include/stencil/columns.h"
#include "runtime/include/stencil/device_borders.h"
#include "runtime/include/stencil/partition.h"
#include "runtime/include/stencil/window.h"

namespace st {
namespace {

// Parts of lines: each cell is in one.
using Pieces = std::vector<std::vector<std::pair<int64_t, int64_t>>>;
void expect_whole(Pieces lines, int64_t length) {
  for (auto& line : lines) {
    std::sort(line.begin(), line.end());
    int64_t next = 0;
    for (const auto& [first, end] : line) {
      ASSERT_EQ(first, next);
      ASSERT_GT(end, first);
      next = end;
    }
    ASSERT_EQ(next, length);
  }
}

struct Taken {
  int64_t tile_x = -1, tile_y = -1, first = -1, end = -1;
  int64_t planes() const { return end - first; }
};
Taken taken_by(const Columns& columns, int64_t block) {
  Taken taken;
  column_of<int64_t>(columns, block, taken.tile_x, taken.tile_y, taken.first, taken.end);
  return taken;
}

void expect_all_once(const Columns& columns, int64_t tiles_x, int64_t tiles_y, int64_t planes) {
  SCOPED_TRACE(std::to_string(tiles_x) + " x " + std::to_string(tiles_y) + " x " +
               std::to_string(planes));
  Pieces pieces(tiles_x * tiles_y);
  for (int64_t block = 0; block < columns.blocks(); ++block) {
    const Taken taken = taken_by(columns, block);
    pieces.at(taken.tile_y * tiles_x + taken.tile_x).emplace_back(taken.first, taken.end);
  }
  expect_whole(pieces, planes);
}

TEST(Columns, EachPlaneOfEachColumnIsTakenOnce) {
  for (const int64_t tiles_x : {1, 2, 3, 7, 19})
    for (const int64_t tiles_y : {1, 5, 32, 90})
      for (const int64_t planes : {1, 7, 50, 771})
        for (const int64_t places : {1, 7, 132, 264})
          for (const ColumnCost& cost : {ColumnCost{}, ColumnCost{10, 114, 150, 140}})
            expect_all_once(columns_of(tiles_x, tiles_y, planes, places, cost), tiles_x, tiles_y,
                            planes);
}

TEST(Columns, EvenChunksTakeEachPlaneOnce) {
  for (const int64_t tiles_x : {1, 2, 5})
    expect_all_once(columns_of(tiles_x, 7, 1000, 192), tiles_x, 7, 1000);
}

TEST(Columns, LongOnesAreCutAtWholeUnits) {
  const Columns columns = columns_of(3, 5, 200001, 132, {10, 114, 114});
  EXPECT_EQ(columns.unit, 4);
  expect_all_once(columns, 3, 5, 200001);
}

// Blocks go to the place that is free first, as on a card. When is the last one free, beside the
// mean?
double longest(const Columns& columns, int64_t places, const ColumnCost& cost) {
  std::vector<double> until(places, 0);
  for (int64_t block = 0; block < columns.blocks(); ++block) {
    const Taken taken = taken_by(columns, block);
    *std::min_element(until.begin(), until.end()) += static_cast<double>(
        (taken.planes() + cost.beside) * cost.of(columns, taken.tile_x, taken.tile_y));
  }
  const double mean =
      std::accumulate(until.begin(), until.end(), 0.0) / static_cast<double>(places);
  return *std::max_element(until.begin(), until.end()) / mean;
}

TEST(Columns, PlacesAreDoneAtAboutTheSameTime) {
  const ColumnCost cost{10, 114, 114};
  for (const auto& [tiles_x, tiles_y, planes] :
       {std::array<int64_t, 3>{7, 32, 768}, {5, 21, 512}, {3, 11, 256}, {14, 23, 768}}) {
    EXPECT_LT(longest(columns_of(tiles_x, tiles_y, planes, 132, cost), 132, cost), 1.05)
        << tiles_x << " x " << tiles_y << " x " << planes;
  }
}

// As many as there are places come whole, and before all pieces; these from the longest on.
TEST(Columns, WholeOnesComeFirst) {
  const ColumnCost cost{10, 114, 114};
  const Columns columns = columns_of(7, 32, 768, 132, cost);
  EXPECT_EQ(columns.inside, 132);
  EXPECT_EQ(columns.at_boundary, 0);
  for (int64_t block = 0; block < 132; ++block) EXPECT_EQ(taken_by(columns, block).planes(), 768);
  EXPECT_GT(columns.count, 132);
  EXPECT_GE(taken_by(columns, 132).planes() + 20, taken_by(columns, columns.blocks() - 1).planes());
}

// Where blocks have to stream side by side chunks are even: those that are over soonest.
TEST(Columns, WhatHasToStreamSideBySideTakesEvenChunks) {
  const Columns columns = columns_of(14, 23, 768, 132, {8, 114, 114, 100, 15});
  EXPECT_EQ(columns.count, 0);
  EXPECT_EQ(columns.length, 128);
  const ColumnCost cost{8, 114, 114, 100, 15};
  EXPECT_LT(expected_time(columns, 132, cost),
            expected_time(columns_of(14, 23, 768, 132, {8, 114, 114}), 132, cost));
}

// A table of pieces that an argument has no room for is none: chunks are even.
TEST(Columns, ManyPlacesTakeEvenChunks) {
  const Columns columns = columns_of(7, 200, 768, 900, {10, 114, 114});
  EXPECT_EQ(columns.count, 0);
  EXPECT_LT(columns.length, 768);
  expect_all_once(columns, 7, 200, 768);
}

void expect_all_once(const Partition& partition, int64_t rows) {
  Pieces pieces(partition.tiles_x);
  for (int64_t part = 0; part < partition.parts() + 3; ++part) {
    int64_t tile_x = -1, first = -1, end = -1;
    chunk_of<int64_t>(partition, part, rows, tile_x, first, end);
    if (part >= partition.parts()) {
      EXPECT_GE(first, end);
    }
    ASSERT_TRUE(tile_x >= 0 && tile_x < partition.tiles_x) << tile_x;
    if (first < end) pieces.at(tile_x).emplace_back(first, end);
  }
  expect_whole(pieces, rows);
}

TEST(Partition, EachRowOfEachTileIsTakenOnce) {
  for (const int64_t tiles_x : {1, 2, 3, 7, 71})
    for (const int64_t rows : {1, 15, 16, 100, 1013, 4096})
      for (const int64_t places : {1, 7, 132, 1056})
        for (const PartitionCost& cost :
             {PartitionCost{}, PartitionCost{22, 110, 150}, PartitionCost{4, 20, 300}})
          expect_all_once(partition_of(tiles_x, rows, places, cost), rows);
}

TEST(Partition, EvenChunksTakeEachRowOnce) {
  for (const int64_t tiles_x : {1, 2, 5}) expect_all_once(chunks_of(tiles_x, 1000, 64), 1000);
}

TEST(Partition, WhatSlotsAreLeftTakeFurtherChunksOfSomeTiles) {
  const Partition partition = partition_of(71, 16384, 1056, {22, 110, 150});
  EXPECT_GT(partition.more, 0);
  EXPECT_LT(partition.more, partition.inside());
  EXPECT_EQ(partition.finer.count, partition.inner.count + 1);
  EXPECT_LT(partition.finer.rows, partition.inner.rows);
  EXPECT_EQ(partition.parts() % 1056, 0);
}

TEST(Partition, TilesAtTheBoundaryHaveFewerRowsAChunk) {
  const Partition partition = partition_of(71, 16384, 1056, {22, 110, 150});
  EXPECT_LT(partition.boundary.rows, partition.inner.rows);
  EXPECT_GT(partition.boundary.count, partition.inner.count);
  EXPECT_GT(partition.inner.less, 50);
  EXPECT_LE(partition.inner.less, 110);
  const Partition even = chunks_of(74, 16384, 432);
  EXPECT_EQ(even.boundary.rows, 432);
  EXPECT_EQ(even.inner.rows, 432);
  EXPECT_EQ(even.parts(), 74 * 38);
}

// 132 multiprocessors, each with places for 8 warps: chunks of half as many warps have twice as
// many rows for as many beside them.
TEST(Partition, ShortColumnsGetHalfAsManyWarps) {
  constexpr int64_t kPlaces = 1056, kSchedulers = 528;
  const PartitionCost cost{22, 66, 170};
  EXPECT_LE(partition_of(18, 2048, kPlaces, cost, 0, kSchedulers).parts(), kPlaces / 2);
  EXPECT_EQ(partition_of(18, 2048, kPlaces, cost).parts(), kPlaces);
  EXPECT_EQ(partition_of(36, 8192, kPlaces, cost, 0, kSchedulers).parts(), kPlaces);
  // One warp of a scheduler is no half.
  EXPECT_EQ(partition_of(18, 2048, kSchedulers, cost, 0, kSchedulers).parts(),
            partition_of(18, 2048, kSchedulers, cost).parts());
  EXPECT_EQ(percent_of_waves(kPlaces + 1, kPlaces, kSchedulers), 160);
  EXPECT_EQ(percent_of_waves(kPlaces, kPlaces, kSchedulers), 100);
  EXPECT_EQ(percent_of_waves(kPlaces / 2 + 1, kPlaces, kSchedulers), 100);
  EXPECT_EQ(percent_of_waves(kPlaces / 2, kPlaces, 0), 100);
}

TEST(Partition, SmallGridsHaveNoShorterChunksThanPay) {
  const Partition partition = partition_of(3, 64, 1056, {22, 110, 150});
  EXPECT_GE(partition.inner.rows, 16);
  expect_all_once(partition, 64);
}

// What takes longest comes first, and tiles side by side follow each other.
TEST(Partition, EndsOfTilesComeFirst) {
  constexpr int64_t kRows = 16384;
  const Partition partition = partition_of(71, kRows, 1056, {22, 110, 150});
  const auto part = [&](int64_t n) {
    int64_t tile_x, first, end;
    chunk_of<int64_t>(partition, n, kRows, tile_x, first, end);
    return std::array{tile_x, first, end};
  };
  EXPECT_EQ(part(0)[0], 0);
  EXPECT_EQ(part(1)[0], 70);
  const int64_t of_boundary = partition.at_boundary() * partition.boundary.count;
  const int64_t of_finer = of_boundary + partition.more * partition.finer.count;
  for (const auto& [from, tiles_x, first, chunks] :
       {std::tuple(of_boundary, partition.more, int64_t{1}, partition.finer),
        std::tuple(of_finer, partition.inside() - partition.more, 1 + partition.more,
                   partition.inner)}) {
    const int64_t end = chunks.rows - chunks.less;
    EXPECT_EQ(part(from), (std::array<int64_t, 3>{first, 0, end}));
    EXPECT_EQ(part(from + 1), (std::array<int64_t, 3>{first + 1, 0, end}));
    EXPECT_EQ(part(from + tiles_x)[0], first);
    EXPECT_EQ(part(from + tiles_x)[2], kRows);
    EXPECT_EQ(part(from + 2 * tiles_x), (std::array{first, end, end + chunks.rows}));
  }
}

// ---- windows, whose neighbours read the planes at their ends ----

// All low ends begin in the first wave, and the columns that are taken whole come last.
TEST(Borders, LowEndsOfColumnsComeFirst) {
  constexpr int64_t kPlaces = 132;
  const ColumnCost cost{10, 114, 114};
  for (const auto& [tiles_x, tiles_y, planes] :
       {std::array<int64_t, 3>{7, 32, 384}, {5, 22, 256}, {4, 16, 192}, {3, 11, 128}}) {
    const Columns columns = columns_of(tiles_x, tiles_y, planes, kPlaces, cost, {0, 0, true});
    expect_all_once(columns, tiles_x, tiles_y, planes);
    int64_t others = 0, low = 0, before = 0;
    for (int64_t block = 0; block < columns.blocks(); ++block) {
      const Taken taken = taken_by(columns, block);
      const bool whole = taken.planes() == planes;
      if (taken.first == 0 && !whole) {
        ++low;
        before += others;
      }
      others += taken.first == 0 ? 0 : 1;
    }
    EXPECT_EQ(before, 0) << "a low end waits for other planes";
    EXPECT_EQ(low + columns.at_boundary * (columns.chunks() == 1) +
                  columns.inside * (columns.chunks() == 1),
              tiles_x * tiles_y);
  }
}

TEST(Borders, FirstBlocksHaveTheHighEndAlone) {
  constexpr int64_t kRows = 4096, kHigh = 13;
  const Partition partition = partition_of(36, kRows - kHigh, 1056, {22, 66, 170});
  Borders borders;
  borders.high = kHigh;
  Pieces pieces(36);
  for (int64_t part = 0; part < borders.parts(36) + partition.parts(); ++part) {
    int64_t tile_x = -1, first = -1, end = -1;
    chunk_of<int64_t>(partition, borders, part, kRows, tile_x, first, end);
    EXPECT_EQ(part < 36, first == kRows - kHigh) << part;
    pieces.at(tile_x).emplace_back(first, end);
  }
  expect_whole(pieces, kRows);
}

// What is counted is stored by those that stream from the low end on; so they have all of it.
TEST(Borders, AreNotCountedWhereTheFirstChunkIsShorter) {
  const Partition partition = chunks_of(5, 1000, 20);
  int64_t counted[2] = {};
  stencil::BorderPlanes planes;
  planes.counted = counted;
  planes.early = {20, 0, nullptr};
  EXPECT_EQ(planes.of(partition).low, 20);
  EXPECT_EQ(counted[0], 5);
  planes.early = {21, 7, nullptr};
  EXPECT_EQ(planes.of(partition).low, 0);
  EXPECT_EQ(planes.of(partition).high, 7);
  EXPECT_EQ(counted[0], 5);
  EXPECT_EQ(counted[1], 10);
  EXPECT_EQ(planes_at_low_end(chunks_of(5, 20, 20), 100), 100) << "one chunk is all there is";
  EXPECT_EQ(end_of_low<int64_t>(planes.early, 0, 40), 61);
  EXPECT_LT(end_of_low<int64_t>(planes.early, 20, 40), -1000);
}

}  // namespace
}  // namespace st
