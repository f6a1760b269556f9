// The index maps of kernels (stencil/device_index.h) against the tables of scipy.ndimage, entry by
// entry, and the folds of two different ends against the walk they stand for.
#include <gtest/gtest.h>
#include <stencil/device_index.h>

#include <cstdint>
#include <string>

#include "support/ndimage_tables.h"

namespace {

using st::Side;
using stencilc::testing::kBeyond;
using stencilc::testing::kLongest;

template <typename Index>
struct Map {
  const char* name;
  Index (*function)(Index, Index);
  const char* const* table;
};

template <typename Index>
void expect_tables() {
  using namespace stencilc::testing;
  const Map<Index> maps[] = {
      {"clamp", st::clamp<Index>, kNearest},
      {"reflect", st::reflect<Index>, kReflect},
      {"mirror", st::mirror<Index>, kMirror},
      {"wrap", st::wrap<Index>, kWrap},
      {"fold clamp", st::fold<Side::clamp, Side::clamp, Index>, kNearest},
      {"fold reflect", st::fold<Side::reflect, Side::reflect, Index>, kReflect},
      {"fold antireflect", st::fold<Side::antireflect, Side::reflect, Index>, kReflect},
      {"fold mirror", st::fold<Side::mirror, Side::mirror, Index>, kMirror},
      {"fold stop", st::fold<Side::stop, Side::stop, Index>, kConstant}};
  for (const Map<Index>& map : maps)
    for (Index n = 1; n <= kLongest; ++n)
      for (Index radius = 1; radius <= kBeyond; ++radius)
        for (Index i = -radius; i < n + radius; ++i) {
          const Index cell = map.function(i, n);
          const char letter = st::inside(cell, n) ? static_cast<char>('a' + cell) : '.';
          ASSERT_EQ(letter, map.table[n - 1][i + kBeyond])
              << map.name << " of " << n << " at " << i;
          if (letter == '.') {
            ASSERT_EQ(cell, i) << map.name;
          }
        }
}

TEST(IndexMaps, AreThoseOfNdimage) {
  expect_tables<int>();
  expect_tables<int64_t>();
}

// At -6 .. n+5; upper case: the sign is changed; a dot: the index stays beyond a side that stops.
template <Side low, Side high>
std::string walk(int n) {
  std::string cells;
  for (int i = -6; i < n + 6; ++i) {
    const int cell = st::fold<low, high>(i, n);
    const char first = st::flips<low, high>(i, n) ? 'A' : 'a';
    cells += st::inside(cell, n) ? static_cast<char>(first + cell) : '.';
  }
  return cells;
}

TEST(IndexMaps, TwoEndsTakeTurns) {
  EXPECT_EQ((walk<Side::clamp, Side::reflect>(3)), "aaaaaaabccbaaaa");
  EXPECT_EQ((walk<Side::reflect, Side::clamp>(3)), "ccccbaabccccccc");
  EXPECT_EQ((walk<Side::mirror, Side::antireflect>(3)), "BABCcbabcCBABCc");
  EXPECT_EQ((walk<Side::antireflect, Side::antireflect>(3)), "abcCBAabcCBAabc");
  EXPECT_EQ((walk<Side::reflect, Side::mirror>(2)), "abaabaabaabaab");
  EXPECT_EQ((walk<Side::mirror, Side::reflect>(1)), "aaaaaaaaaaaaa");
  EXPECT_EQ((walk<Side::reflect, Side::stop>(2)), "....baab......");
  EXPECT_EQ((walk<Side::stop, Side::mirror>(3)), "......abcba....");
  // beyond a side that stops the index is kept, with the sign it has by then
  EXPECT_EQ((st::fold<Side::antireflect, Side::stop>(-4, 2)), 3);
  EXPECT_TRUE((st::flips<Side::antireflect, Side::stop>(-4, 2)));
  EXPECT_EQ((st::fold<Side::antireflect, Side::stop>(5, 2)), 5);
  EXPECT_FALSE((st::flips<Side::antireflect, Side::stop>(5, 2)));
}

}  // namespace
