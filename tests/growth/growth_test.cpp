// No program takes more than n log n: for each shape the instructions at 1, 2, 4 and 8 times a size, as callgrind counts them.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "growth/shapes.h"
#include "support/process.h"

namespace stencilc::growth {
namespace {

namespace fs = std::filesystem;

// What a doubling may cost more than the one before: twice, and some more where logarithms are small. Quadratic growth
// is 4. What does not grow at all cancels out.
constexpr double kMost = 2.5;

struct Sizes {
  const char* shape;
  std::vector<int> n;
};

std::vector<Sizes> all_sizes() {
  std::vector<Sizes> result;
  for (const Shape& shape : shapes()) {
    if (shape.size == 0) continue;
#ifndef STENCILC_ALL_TESTS
    if (shape.only_long) continue;
    const int first = shape.size;
#else
    const int first = 8 * shape.size <= shape.most / 2 ? 2 * shape.size : shape.size;
#endif
    result.push_back({shape.name, {first, 2 * first, 4 * first, 8 * first}});
  }
  return result;
}

// Instructions of each program, all of them compiled by one process.
std::vector<int64_t> counted(const std::vector<std::string>& programs) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/growth-files";
  fs::create_directories(folder);
  const fs::path log = folder / "log";
  std::vector<std::string> words = {STENCILC_VALGRIND, "--tool=callgrind", "--callgrind-out-file=/dev/null",
                                    "--log-file=" + log.string(), STENCILC_GROWTH, "count", folder};
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

TEST(Growth, NoShapeIsWorseThanNLogN) {
  const std::vector<Sizes> sizes = all_sizes();
  std::vector<std::string> programs;
  for (const Sizes& one : sizes)
    for (const int n : one.n) programs.push_back(one.shape + (":" + std::to_string(n)));
  const std::vector<int64_t> work = counted(programs);
  ASSERT_EQ(work.size(), programs.size());
  for (size_t s = 0; s < sizes.size(); ++s) {
    const auto more = [&](size_t k) {
      return static_cast<double>(work[4 * s + k + 1] - work[4 * s + k]);
    };
    const std::string all = std::string(sizes[s].shape) + ": " + std::to_string(work[4 * s]) + ", " +
                            std::to_string(work[4 * s + 1]) + ", " + std::to_string(work[4 * s + 2]) +
                            ", " + std::to_string(work[4 * s + 3]) + " instructions";
    if (std::getenv("STENCILC_SHOW_GROWTH"))
      std::printf("%s; %.2f %.2f\n", all.c_str(), more(1) / more(0), more(2) / more(1));
    EXPECT_LT(more(2), kMost * std::max(more(1), more(0))) << all << " at " << programs[4 * s] << " and 2, 4, 8 times";
  }
}

// Quadratic growth would be seen.
TEST(Growth, APlantedSquareIsSeen) {
  const std::vector<int64_t> work = counted({"squares:100", "squares:200", "squares:400", "squares:800"});
  ASSERT_EQ(work.size(), 4u);
  EXPECT_GT(static_cast<double>(work[3] - work[2]), kMost * static_cast<double>(work[2] - work[1]));
}

}  // namespace
}  // namespace stencilc::growth
