// How warps that march share out a grid.
#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <vector>

#include "runtime/include/stencil/march.h"

namespace st {
namespace {

// How often each row of each strip is a part's own.
std::vector<int> taken(const March& march, int64_t rows) {
  std::vector<int> times(march.strips * rows, 0);
  for (int64_t part = 0; part < march.parts() + 3; ++part) {
    int64_t strip = -1, first = -1, behind = -1;
    part_of<int64_t>(march, part, rows, strip, first, behind);
    if (part >= march.parts()) {
      EXPECT_GE(first, behind);
    }
    for (int64_t row = first; row < behind; ++row) ++times.at(strip * rows + row);
  }
  return times;
}

void expect_all_once(const March& march, int64_t rows) {
  for (const int times : taken(march, rows)) ASSERT_EQ(times, 1);
}

TEST(March, EachRowOfEachStripIsTakenOnce) {
  for (const int64_t strips : {1, 2, 3, 7, 71})
    for (const int64_t rows : {1, 15, 16, 100, 1013, 4096})
      for (const int64_t places : {1, 7, 132, 1056})
        for (const MarchCost& cost : {MarchCost{}, MarchCost{22, 110, 150}, MarchCost{4, 20, 300}})
          expect_all_once(march_of(strips, rows, places, cost), rows);
}

TEST(March, EvenChunksTakeEachRowOnce) {
  for (const int64_t strips : {1, 2, 5}) expect_all_once(chunks_of(strips, 1000, 64), 1000);
}

TEST(March, WhatPlacesAreLeftTakeFurtherChunksOfSomeStrips) {
  const March march = march_of(71, 16384, 1056, {22, 110, 150});
  EXPECT_GT(march.more, 0);
  EXPECT_LT(march.more, march.inside());
  EXPECT_EQ(march.finer.count, march.inner.count + 1);
  EXPECT_LT(march.finer.rows, march.inner.rows);
  EXPECT_EQ(march.parts() % 1056, 0);
}

TEST(March, StripsAtTheRimHaveFewerRowsAChunk) {
  const March march = march_of(71, 16384, 1056, {22, 110, 150});
  EXPECT_LT(march.rim.rows, march.inner.rows);
  EXPECT_GT(march.rim.count, march.inner.count);
  EXPECT_GT(march.inner.less, 50);
  EXPECT_LE(march.inner.less, 110);
  const March even = chunks_of(74, 16384, 432);
  EXPECT_EQ(even.rim.rows, 432);
  EXPECT_EQ(even.inner.rows, 432);
  EXPECT_EQ(even.parts(), 74 * 38);
}

TEST(March, SmallGridsHaveNoShorterChunksThanPay) {
  const March march = march_of(3, 64, 1056, {22, 110, 150});
  EXPECT_GE(march.inner.rows, 16);
  expect_all_once(march, 64);
}

// What takes longest comes first, and strips side by side follow each other.
TEST(March, EndsOfStripsComeFirst) {
  constexpr int64_t kRows = 16384;
  const March march = march_of(71, kRows, 1056, {22, 110, 150});
  const auto part = [&](int64_t n) {
    int64_t strip, first, behind;
    part_of<int64_t>(march, n, kRows, strip, first, behind);
    return std::array{strip, first, behind};
  };
  EXPECT_EQ(part(0)[0], 0);
  EXPECT_EQ(part(1)[0], 70);
  const int64_t of_rim = march.at_rim() * march.rim.count;
  const int64_t of_finer = of_rim + march.more * march.finer.count;
  for (const auto& [from, strips, first, chunks] :
       {std::tuple(of_rim, march.more, int64_t{1}, march.finer),
        std::tuple(of_finer, march.inside() - march.more, 1 + march.more, march.inner)}) {
    const int64_t end = chunks.rows - chunks.less;
    EXPECT_EQ(part(from), (std::array<int64_t, 3>{first, 0, end}));
    EXPECT_EQ(part(from + 1), (std::array<int64_t, 3>{first + 1, 0, end}));
    EXPECT_EQ(part(from + strips)[0], first);
    EXPECT_EQ(part(from + strips)[2], kRows);
    EXPECT_EQ(part(from + 2 * strips), (std::array{first, end, end + chunks.rows}));
  }
}

}  // namespace
}  // namespace st
