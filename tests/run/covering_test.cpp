// tests/run/covering.txt: does it cover what it says?
#include "run/covering.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "driver/system/files.h"
#include "run/all_tests.h"

namespace stencilc::run_test {
namespace {

const std::string kCoveringList = std::string(STENCILC_SOURCE_DIR) + "/tests/run/covering.txt";

std::string listed() {
  constexpr size_t kMost = 1u << 20;
  return driver::read_text(kCoveringList, kMost).text;
}

TEST(Covering, EveryPairIsInARowOrHasAReason) {
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr) {
    EXPECT_EQ(driver::write_text(kCoveringList, print(make_covering())), "");
    FAIL() << "rewrote " << kCoveringList
           << "; look at the change, then test without STENCILC_UPDATE_GOLDEN";
  }
  const Covering covering = read_covering(listed());
  std::set<std::string> covered;
  for (const Row& row : covering.rows)
    for (const std::string& pair : pairs_of(row)) covered.insert(pair);
  for (const std::string& pair : all_pairs()) {
    const auto reason = covering.impossible.find(pair);
    EXPECT_NE(covered.count(pair) != 0, reason != covering.impossible.end()) << pair;
    if (reason != covering.impossible.end()) {
      EXPECT_NE(reason->second, "") << pair;
    }
  }
  EXPECT_EQ(print(covering), listed());
}

// What no row can have is not what the compiler takes meanwhile: one of the pairs is tried.
TEST(Covering, ReasonsStillHold) {
  if (!kAllTests) GTEST_SKIP() << "./scripts/test --all makes the whole list again";
  EXPECT_EQ(print(make_covering()), listed());
}

// Blocks that read nothing outside the grid, and others: of every strategy, by its first row.
TEST(Covering, RunsHaveInteriorAndEdgeBlocks) {
  std::set<std::string> known;
  for (const Row& row : read_covering(listed()).rows) {
    if (!known.insert(row.strategy).second) continue;
    std::string why;
    const auto compiled = compile(row, "", why);
    ASSERT_TRUE(compiled) << why;
    const std::vector<driver::Case> cases = cases_of(*compiled, 0);
    ASSERT_GE(cases.size(), 3u);
    const kernel::Kernel& kernel = sweep_of(*compiled).kernel;
    const ir::Reach reach = ir::reach(compiled->stencil);
    for (int a = 0; a < compiled->stencil.rank(); ++a) {
      const bool streamed = !kernel.partition.name.empty() && a == compiled->stencil.rank() - 1;
      const int64_t steps = std::max(1, kernel.most_steps), tile = streamed ? 1 : kernel.tile[a];
      for (size_t c = 0; c < 2; ++c) {
        int inside = 0, at_boundary = 0;
        for (int64_t first = 0; first < cases[c].extents[a]; first += tile)
          ++(first >= reach.low[a] * steps &&
                     first + tile + reach.high[a] * steps <= cases[c].extents[a]
                 ? inside
                 : at_boundary);
        EXPECT_GT(inside, 0) << row.strategy << ", axis " << a;
        EXPECT_GT(at_boundary, 0) << row.strategy << ", axis " << a;
      }
    }
    EXPECT_NE(cases[0].extents[0] % 32, cases[1].extents[0] % 32) << "rows of both kinds";
  }
  EXPECT_EQ(known.size(), strategies().size());
}

}  // namespace
}  // namespace stencilc::run_test
