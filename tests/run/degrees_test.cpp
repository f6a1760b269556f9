// Which stencils take how many steps a launch, and in which form: tests/run/degrees.txt.
#include "run/degrees.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "driver/files.h"

namespace stencilc::run_test {
namespace {

const std::string kFolder = STENCILC_SOURCE_DIR;
const std::string kList = kFolder + "/tests/run/degrees.txt";

std::vector<Program> all_programs() {
  return programs_of_degrees({kFolder + "/examples", kFolder + "/bench/temporal"});
}

// Lines of one text that the other lacks.
std::string lacking(const std::string& text, const std::string& other) {
  const auto lines = [](const std::string& all) {
    std::vector<std::string> list;
    std::string stencil;
    for (size_t at = 0; at < all.size();) {
      const size_t end = std::min(all.find('\n', at), all.size());
      const std::string line = all.substr(at, end - at);
      if (line[0] != ' ') stencil = line.substr(0, line.find(':'));
      list.push_back(line[0] == ' ' ? stencil + line : line);
      at = end + 1;
    }
    return list;
  };
  const std::vector<std::string> others = lines(other);
  const std::set<std::string> known(others.begin(), others.end());
  std::string result;
  for (const std::string& line : lines(text))
    if (known.count(line) == 0) result += line + "\n";
  return result;
}

TEST(Degrees, WhatIsTakenAndWhatIsRefusedIsInTheList) {
  const std::string list = list_of_degrees(all_programs(), {1, 8});
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr) {
    EXPECT_EQ(driver::write_text(kList, list), "");
    FAIL() << "rewrote " << kList << "; look at the change, then test without "
           << "STENCILC_UPDATE_GOLDEN";
  }
  constexpr size_t kMost = 1u << 20;
  const std::string expected = driver::read_text(kList, kMost).text;
  EXPECT_EQ(lacking(list, expected), "") << "this is not in the list";
  EXPECT_EQ(lacking(expected, list), "") << "the list says so";
}

TEST(Degrees, EveryPartHasSomeAndNoneIsInTwo) {
  constexpr int kParts = 12;
  const std::vector<Program> programs = all_programs();
  EXPECT_GT(programs.size(), 500u);
  for (const Program& program : programs) {
    int parts = 0;
    for (int part = 0; part < kParts; ++part)
      parts += is_in_part(program.name, part, kParts) ? 1 : 0;
    EXPECT_EQ(parts, 1) << program.name;
  }
}

}  // namespace
}  // namespace stencilc::run_test
