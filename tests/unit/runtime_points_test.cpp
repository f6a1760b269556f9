// Points: the cells that places belong to, lists of them by cell, and what a run refuses.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/device_points.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "runtime/expect.h"

namespace {

TEST(RuntimePoints, APlaceHasSharesOfTheCellsOnBothSides) {
  struct Row {
    double place;
    int64_t cell;  // the lower one; -1: none has a share
    double fraction;
  };
  const double half = 0.5, below_one = std::nextafter(1.0, 0.0);
  for (const Row& row :
       {Row{0, 0, 0}, Row{half, 0, half}, Row{7.25, 7, 0.25}, Row{3, 3, 0}, Row{-0.25, -1, 0.75},
        Row{-1, -1, 0}, Row{below_one, 0, below_one}, Row{8.9e15, 8'900'000'000'000'000, 0}}) {
    SCOPED_TRACE(row.place);
    const auto lower = st::share<double>(row.place, false),
               upper = st::share<double>(row.place, true);
    EXPECT_EQ(lower.cell, row.cell);
    EXPECT_EQ(upper.cell, row.cell + 1);
    EXPECT_EQ(lower.weight, 1 - row.fraction);
    EXPECT_EQ(upper.weight, row.fraction);
  }
  for (const double place : {-1.25, 9.0e15, std::nan(""), -HUGE_VAL, HUGE_VAL})
    for (const bool upper : {false, true}) {
      EXPECT_EQ(st::share<float>(place, upper).cell, -1) << place;
      EXPECT_EQ(st::share<float>(place, upper).weight, 0.0f) << place;
    }
}

TEST(RuntimePoints, EntriesAreFoundByTheirKeys) {
  const std::vector<int64_t> keys = {2, 2, 5, 9, 9, 9}, numbers = {4, 7, 0, 1, 2, 3};
  const st::Entries entries = {keys.data(), numbers.data(), 6};
  EXPECT_EQ(entries.first(2), 0);
  EXPECT_EQ(entries.first(9), 3);
  EXPECT_EQ(entries.first(3), -1);
  EXPECT_EQ(entries.first(10), -1);
  EXPECT_EQ(entries.next(0), 1);
  EXPECT_EQ(entries.next(1), -1);
  EXPECT_EQ(entries.next(5), -1);
  EXPECT_EQ(entries.number(1), 7);
  EXPECT_TRUE(entries.any(5, 6));
  EXPECT_FALSE(entries.any(3, 5));
  EXPECT_FALSE(entries.any(10, 20));
}

TEST(RuntimePoints, NumbersOfASetFollowEachOther) {
  const std::vector<int> numbers = {0, 1, 5, 31, 32, 40, 62, 63};
  int64_t set = st::with(int64_t{0}, 7, false);
  for (const int number : numbers) set = st::with(set, number, true);
  std::vector<int> found;
  for (int at = st::next_in(set, -1); at >= 0; at = st::next_in(set, at)) found.push_back(at);
  EXPECT_EQ(found, numbers);
}

TEST(RuntimePoints, NoneAreAListToo) {
  const int32_t at[] = {1, 2};
  EXPECT_TRUE(stencil::check_points("wave", "sources", nullptr, 0).ok());
  EXPECT_TRUE(stencil::check_points("wave", "sources", at, 2).ok());
  stencil::expect_failure(stencil::check_points("wave", "sources", at, -1),
                          stencil::Code::bad_extents, "`wave`: `sources` has -1 points");
  stencil::expect_failure(stencil::check_points("wave", "sources", nullptr, 2),
                          stencil::Code::null_pointer,
                          "`wave`: the 2 points `sources` are a null pointer");
}

TEST(RuntimePoints, ASeriesHoldsAllStepsOfTheRun) {
  const float data[6] = {};
  const auto check = [&](const void* from, int64_t points, int64_t first, int64_t count) {
    return stencil::check_series("wave", "pulse", from, points, 3, first, count);
  };
  EXPECT_TRUE(check(data, 2, 0, 3).ok());
  EXPECT_TRUE(check(data, 2, 2, 1).ok());
  EXPECT_TRUE(check(data, 2, 5, 0).ok());
  EXPECT_TRUE(check(nullptr, 0, 0, 3).ok());
  EXPECT_TRUE(check(nullptr, 2, 0, 0).ok());
  stencil::expect_failure(check(nullptr, 2, 0, 1), stencil::Code::null_pointer,
                          "`wave`: the series `pulse` is a null pointer");
  for (const int64_t first : {1, -1})
    EXPECT_EQ(check(data, 2, first, 3).code(), stencil::Code::bad_extents);
}

}  // namespace
