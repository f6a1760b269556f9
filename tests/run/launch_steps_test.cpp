// Which stencils take how many steps per launch, and in which form: tests/run/launch_steps.txt.
#include "run/launch_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "driver/system/files.h"
#include "run/all_tests.h"

namespace stencilc::run_test {
namespace {

const std::string kFolder = STENCILC_SOURCE_DIR;
const std::string kList = kFolder + "/tests/run/launch_steps.txt";

std::vector<Program> all_programs() {
  return programs_of_launch_steps({kFolder + "/examples", kFolder + "/bench/temporal"});
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

// The line without the boundaries that it is for, and without numbers: which form takes some
// numbers of steps, and why it does not take others.
std::string outcome_of(const std::string& line) {
  const size_t begin = line.find(" ["), end = line.find("]: ");
  std::string text = begin == std::string::npos || end == std::string::npos
                         ? line
                         : line.substr(0, begin) + line.substr(end + 1);
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == ','; });
  return text;
}

// Stencils of the list such that every outcome is that of one of them: in a short run the others
// are left out. By the greedy method for covers of sets.
std::set<std::string> stencils_with_every_outcome(const std::string& list) {
  std::map<std::string, std::set<std::string>> outcomes;
  std::string stencil;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (line[0] != ' ')
      stencil = line.substr(0, line.find(':'));
    else
      outcomes[stencil].insert(outcome_of(line));
  }
  std::set<std::string> open, chosen;
  for (const auto& [name, own] : outcomes) open.insert(own.begin(), own.end());
  const auto gain = [&](const std::set<std::string>& own) {
    return std::count_if(own.begin(), own.end(),
                         [&](const std::string& one) { return open.count(one) != 0; });
  };
  while (!open.empty()) {
    const auto best = std::max_element(
        outcomes.begin(), outcomes.end(),
        [&](const auto& a, const auto& b) { return gain(a.second) < gain(b.second); });
    chosen.insert(best->first);
    for (const std::string& one : best->second) open.erase(one);
  }
  return chosen;
}

// The lines of these stencils.
std::string lines_of(const std::string& list, const std::set<std::string>& stencils) {
  std::string text;
  bool wanted = false;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (line[0] != ' ') wanted = stencils.count(line.substr(0, line.find(':'))) != 0;
    if (wanted) text += line + "\n";
  }
  return text;
}

TEST(LaunchSteps, WhatIsTakenAndWhatIsRefusedIsInTheList) {
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr) {
    EXPECT_EQ(driver::write_text(kList, list_of_launch_steps(all_programs(), {1, 8})), "");
    FAIL() << "rewrote " << kList << "; look at the change, then test without "
           << "STENCILC_UPDATE_GOLDEN";
  }
  constexpr size_t kMost = 1u << 20;
  std::string expected = driver::read_text(kList, kMost).text;
  std::vector<Program> programs = all_programs();
  if (!kAllTests) {
    const std::set<std::string> some = stencils_with_every_outcome(expected);
    std::erase_if(programs,
                  [&](const Program& program) { return some.count(program.stencil) == 0; });
    expected = lines_of(expected, some);
  }
  ASSERT_FALSE(programs.empty());
  const std::string list = list_of_launch_steps(programs, {1, 8});
  EXPECT_EQ(lacking(list, expected), "") << "this is not in the list";
  EXPECT_EQ(lacking(expected, list), "") << "the list says so";
}

TEST(LaunchSteps, EveryPartHasSomeAndNoneIsInTwo) {
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
