// How blocks that march in space share out a grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "runtime/include/stencil/columns.h"

namespace st {
namespace {

struct Taken {
  int64_t strip = -1, tile = -1, first = -1, behind = -1;
  int64_t planes() const { return behind - first; }
};
Taken taken_by(const Columns& columns, int64_t block) {
  Taken taken;
  column_of<int64_t>(columns, block, taken.strip, taken.tile, taken.first, taken.behind);
  return taken;
}

void expect_all_once(const Columns& columns, int64_t strips, int64_t tiles, int64_t planes) {
  std::vector<int> times(strips * tiles * planes, 0);
  for (int64_t block = 0; block < columns.blocks(); ++block) {
    const Taken taken = taken_by(columns, block);
    EXPECT_GT(taken.planes(), 0);
    for (int64_t plane = taken.first; plane < taken.behind; ++plane)
      ++times.at((taken.tile * strips + taken.strip) * planes + plane);
  }
  for (const int count : times) ASSERT_EQ(count, 1) << strips << " x " << tiles << " x " << planes;
}

TEST(Columns, EachPlaneOfEachColumnIsTakenOnce) {
  for (const int64_t strips : {1, 2, 3, 7, 19})
    for (const int64_t tiles : {1, 5, 32, 90})
      for (const int64_t planes : {1, 7, 50, 771})
        for (const int64_t places : {1, 7, 132, 264})
          for (const ColumnCost& cost : {ColumnCost{}, ColumnCost{10, 114, 150, 140}})
            expect_all_once(columns_of(strips, tiles, planes, places, cost), strips, tiles, planes);
}

TEST(Columns, EvenChunksTakeEachPlaneOnce) {
  for (const int64_t strips : {1, 2, 5})
    expect_all_once(columns_of(strips, 7, 1000, 192), strips, 7, 1000);
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
        (taken.planes() + cost.beside) * cost.of(columns, taken.strip, taken.tile));
  }
  const double mean =
      std::accumulate(until.begin(), until.end(), 0.0) / static_cast<double>(places);
  return *std::max_element(until.begin(), until.end()) / mean;
}

TEST(Columns, PlacesAreDoneAtAboutTheSameTime) {
  const ColumnCost cost{10, 114, 114};
  for (const auto& [strips, tiles, planes] :
       {std::array<int64_t, 3>{7, 32, 768}, {5, 21, 512}, {3, 11, 256}, {14, 23, 768}}) {
    EXPECT_LT(longest(columns_of(strips, tiles, planes, 132, cost), 132, cost), 1.05)
        << strips << " x " << tiles << " x " << planes;
  }
}

// As many as there are places come whole, and before all pieces; these from the longest on.
TEST(Columns, WholeOnesComeFirst) {
  const ColumnCost cost{10, 114, 114};
  const Columns columns = columns_of(7, 32, 768, 132, cost);
  EXPECT_EQ(columns.inside, 132);
  EXPECT_EQ(columns.at_rim, 0);
  for (int64_t block = 0; block < 132; ++block) EXPECT_EQ(taken_by(columns, block).planes(), 768);
  EXPECT_GT(columns.count, 132);
  EXPECT_GE(taken_by(columns, 132).planes() + 20, taken_by(columns, columns.blocks() - 1).planes());
}

// Where blocks have to march side by side chunks are even: those that are over soonest.
TEST(Columns, WhatHasToMarchSideBySideTakesEvenChunks) {
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

}  // namespace
}  // namespace st
