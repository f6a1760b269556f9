// No program takes more than n log n: for each shape the instructions at 1, 2, 4 and 8 times a
// size, as callgrind counts them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "growth/shapes.h"
#include "support/process.h"

namespace stencilc::growth {
namespace {

namespace fs = std::filesystem;

// What a doubling may add, times what the one before it added: twice for linear growth, and some
// more where logarithms are small. Quadratic growth is 4. What does not grow at all cancels out.
constexpr double kMost = 2.5;

#ifdef STENCILC_ALL_TESTS
constexpr bool kAll = true;
#else
constexpr bool kAll = false;
#endif

// A shape at four sizes.
struct Series {
  const Shape* shape;
  bool planned;
  std::array<std::string, 4> programs;
};

std::vector<Series> all_series() {
  std::vector<Series> result;
  for (const Shape& shape : shapes())
    for (const bool planned : {false, true}) {
      if (!kAll && (shape.kind == Shape::only_long || (planned && shape.kind != Shape::planned)))
        continue;
      if (planned && shape.kind == Shape::refused) continue;
      int first = shape.size;
      while (kAll && first < 16 * shape.size && 16 * first <= shape.most) first *= 2;
      Series one{&shape, planned, {}};
      for (std::string& program : one.programs) {
        program = shape.name + (":" + std::to_string(first)) + (planned ? ":planned" : "");
        first *= 2;
      }
      result.push_back(one);
    }
  return result;
}

// Instructions of each program, all of them compiled by one process.
std::vector<int64_t> counted(const std::vector<std::string>& programs) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/growth-files";
  fs::create_directories(folder);
  const fs::path log = folder / "log";
  std::vector<std::string> words = {STENCILC_VALGRIND,
                                    "--tool=callgrind",
                                    "--callgrind-out-file=/dev/null",
                                    "--log-file=" + log.string(),
                                    STENCILC_GROWTH,
                                    "count",
                                    folder};
  words.insert(words.end(), programs.begin(), programs.end());
  const test::Finished finished = test::run(folder, words);
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  std::vector<int64_t> sums;  // of all instructions so far
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);)
    if (const size_t at = line.find("events-1: "); at != std::string::npos)
      sums.push_back(std::strtoll(line.c_str() + at + 10, nullptr, 10));
  std::vector<int64_t> result;
  for (size_t i = 1; i < sums.size(); ++i) result.push_back(sums[i] - sums[i - 1]);
  return result;
}

// Which schedules are weighed depends on the program, so that the work makes jumps: where the
// compiler chooses one, it is the whole that may not be more than so many times that of half the
// size.
bool is_too_much(const Series& series, const int64_t* work) {
  if (work[3] - work[2] < work[3] / 50) return false;  // it hardly grows
  if (series.planned) return static_cast<double>(work[3]) > kMost * static_cast<double>(work[2]);
  const int64_t before = std::max(work[2] - work[1], work[1] - work[0]);
  return static_cast<double>(work[3] - work[2]) > kMost * static_cast<double>(before);
}

TEST(Growth, NoShapeIsWorseThanNLogN) {
  const std::vector<Series> all = all_series();
  std::vector<std::string> programs;
  for (const Series& one : all)
    programs.insert(programs.end(), one.programs.begin(), one.programs.end());
  const std::vector<int64_t> work = counted(programs);
  ASSERT_EQ(work.size(), programs.size());
  for (size_t s = 0; s < all.size(); ++s) {
    std::string text;
    for (size_t k = 0; k < 4; ++k)
      text += all[s].programs[k] + " takes " + std::to_string(work[4 * s + k] / 1000) +
              " thousand instructions\n";
    if (std::getenv("STENCILC_SHOW_GROWTH")) std::cout << text;
    EXPECT_FALSE(is_too_much(all[s], &work[4 * s])) << text;
  }
}

// Quadratic growth would be seen.
TEST(Growth, APlantedSquareIsSeen) {
  const Series squares{nullptr, false, {"squares:50", "squares:100", "squares:200", "squares:400"}};
  const std::vector<int64_t> work = counted({squares.programs.begin(), squares.programs.end()});
  ASSERT_EQ(work.size(), 4u);
  EXPECT_TRUE(is_too_much(squares, work.data()));
}

}  // namespace
}  // namespace stencilc::growth
