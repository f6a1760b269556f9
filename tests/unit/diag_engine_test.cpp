#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

#include "diag/codes.h"
#include "diag/diagnostic.h"
#include "support/tables.h"

namespace stencilc::diag {
namespace {

TEST(Position, CountsLinesAndBytes) {
  Source source{"a.stn", "ab\n\ncde"};
  auto at = [&](uint32_t offset) {
    Position p = position(source, offset);
    return std::pair(p.line, p.column);
  };
  EXPECT_EQ(at(0), std::pair(1u, 1u));
  EXPECT_EQ(at(2), std::pair(1u, 3u));
  EXPECT_EQ(at(3), std::pair(2u, 1u));
  EXPECT_EQ(at(4), std::pair(3u, 1u));
  EXPECT_EQ(at(7), std::pair(3u, 4u));
  EXPECT_EQ(at(99), std::pair(3u, 4u));
}

TEST(Nearest, FindsTyposOfAThirdOfTheLength) {
  const auto near = [](const std::string& word) {
    return std::string(nearest(word, std::vector<std::string>{"field", "param", "pressure", "u"}));
  };
  stencilc::testing::expect_rows(near, R"(
feild => field
fild => field
fielld => field
presure => pressure
PARAM => param
U => u
--- nothing is close
v =>
fxxld =>
--- a name is no misspelling of itself
field =>
)");
  EXPECT_EQ(near(""), "");
  EXPECT_EQ(near(std::string(100'000, 'f')), "");
}

TEST(Nearest, PrefersTheCloserThenTheFirst) {
  EXPECT_EQ(nearest("velocity", {"velocities", "velocityx"}), "velocityx");
  EXPECT_EQ(nearest("flux1", {"flux2", "flux3"}), "flux2");
}

TEST(Engine, CountsAndKeepsTheOrder) {
  Engine engine;
  engine.report(unknown_name, {1, 2, 0}, "first").note("a note").help("a help");
  engine.report(unused_name, {3, 4, 0}, "second");
  EXPECT_TRUE(engine.has_errors());
  EXPECT_EQ(engine.errors(), 1);
  EXPECT_EQ(engine.warnings(), 1);
  ASSERT_EQ(engine.all().size(), 2u);
  EXPECT_EQ(engine.all()[0].notes.at(0).text, "a note");
  EXPECT_EQ(engine.all()[0].helps.at(0).text, "a help");
  EXPECT_EQ(engine.all()[1].severity, Severity::warning);
}

TEST(Engine, LevelsChangeWarningsOnly) {
  Engine engine;
  engine.set_level(unused_name, 0);
  engine.set_level(boundary_unused, 2);
  engine.set_level(unknown_name, 0);
  engine.report(unused_name, {}, "ignored").note("goes nowhere");
  engine.report(boundary_unused, {}, "now an error");
  engine.report(unknown_name, {}, "an error as ever");
  ASSERT_EQ(engine.all().size(), 2u);
  EXPECT_EQ(engine.errors(), 2);
  EXPECT_EQ(engine.warnings(), 0);
  engine.set_level(unused_name, 1);
  engine.report(unused_name, {}, "a warning again");
  EXPECT_EQ(engine.warnings(), 1);
}

TEST(Codes, EveryCodeOfTheHeaderHasARowOfItsName) {
  std::ifstream file(STENCILC_SOURCE_DIR "/compiler/diag/codes.h");
  std::set<int> numbers;
  for (std::string line; std::getline(file, line);) {
    char name[64];
    int number = 0;
    if (std::sscanf(line.c_str(), "inline constexpr Code %63[a-z0-9_]{%d};", name, &number) != 2)
      continue;
    std::replace(std::begin(name), std::end(name), '_', '-');
    numbers.insert(number);
    const Row* row = find_row(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_EQ(row->code.number, number) << name;
    EXPECT_EQ(find_row(id(row->code)), row);
  }
  EXPECT_GT(numbers.size(), 40u);
  EXPECT_EQ(numbers.size(), table().size()) << "a row that no code of the header has";
}

TEST(Codes, RowsAreComplete) {
  int last = 0;
  for (const Row& row : table()) {
    SCOPED_TRACE(row.name);
    EXPECT_GT(row.code.number, last) << "rows stand in the order of their numbers";
    last = row.code.number;
    EXPECT_GT(row.explanation.size(), 30u);
    EXPECT_EQ(row.failing.empty(), row.mended.empty());
    EXPECT_TRUE(row.failing.empty() || row.failing != row.mended);
    bool warning = row.code.number / 100 == 8;
    EXPECT_EQ(row.severity, warning ? Severity::warning : Severity::error);
  }
}

TEST(Codes, UnknownIdsAreNotFound) {
  EXPECT_EQ(id(unknown_name), "STN0201");
  EXPECT_EQ(find_row("STN9999"), nullptr);
  EXPECT_EQ(find_row(""), nullptr);
}

}  // namespace
}  // namespace stencilc::diag
