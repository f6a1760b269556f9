// Values that are kept in memory or in tiles have the bits of the interpreter, whichever of them
// are, and whatever lies outside the grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "driver/verify/compare.h"
#include "plan/schedule/value_placement.h"
#include "run/agreement.h"
#include "run/all_tests.h"
#include "run/batch.h"
#include "run/covering.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// The names of values that can be kept.
std::vector<std::string> values_of(const ir::Stencil& stencil) {
  std::vector<std::string> names;
  for (const plan::Value& value : plan::values_in(stencil))
    if (value.problem.empty() && plan::placement_problem(stencil, {value.name}, "global").empty() &&
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

// Of programs with longer texts only the long tests take values: the executor's compiler takes
// seconds for each.
constexpr size_t kShort = 40'000;

// Returns whether the program has values that were compared.
bool agrees_in_subsets(const Program& program, uint64_t seed) {
  std::string problem;
  const auto inlined = compile(program, plan::Target::cuda, "naive", "_inlined", problem);
  EXPECT_TRUE(inlined) << problem << "\n" << program.text;
  if (!inlined || (!kAllTests && inlined->source.size() > kShort)) return false;
  const std::vector<std::string> names = values_of(inlined->stencil);
  if (names.empty()) return false;
  // In tiles of few cells, so that all of them fit into shared memory.
  const std::string of_rank[] = {"32", "8x4", "8x4x2"};
  const std::string threads = ",threads=" + of_rank[inlined->stencil.rank() - 1];
  const std::string last = inlined->stencil.axes.back();
  const std::string kPlacements[] = {
      "naive,global=", "naive" + threads + ",tile=", "coarsened,global=",
      "coarsened,vector=1" + threads + ",coarsen=" + last + "3,tile=", "loops,global="};
  for (const std::string& names_of : subsets(names, seed)) {
    const std::string& placement = kPlacements[seed++ % 5];
    const std::string schedule = placement + names_of;
    const plan::Target target =
        placement.starts_with("loops") ? plan::Target::cpu : plan::Target::cuda;
    const auto compiled = compile(program, target, schedule, "", problem);
    EXPECT_TRUE(compiled) << problem << "\n" << schedule << "\n" << program.text;
    if (!compiled) return false;
    driver::Machine machine;
    if (target == plan::Target::cuda) {
      Batch batch = execute_batch({&*compiled});
      EXPECT_EQ(batch.problem, "") << program.text;
      if (!batch.problem.empty()) return false;
      machine = std::move(batch.machines[0]);
      machine.set_mode(true, true);
    } else {
      machine = driver::build(*compiled, target, {"-O0"});
    }
    EXPECT_TRUE(machine.call) << machine.problem << "\n" << program.text;
    if (!machine.call) return false;
    for (const driver::Case& test : cases_of(*compiled, seed))
      EXPECT_EQ(driver::compare(*compiled, machine, test, 0), "")
          << program.name << ", " << schedule << ", " << driver::print(test) << "\n"
          << program.text;
  }
  return true;
}

TEST(Values, OfProgramsShapedLikeApplications) {
  constexpr uint64_t kSeeds = 200;
  constexpr int kWanted = 4;  // in a short run
  int compared = 0;
  for (uint64_t seed = 1; seed <= kSeeds && (kAllTests || compared < kWanted); ++seed)
    compared += agrees_in_subsets(real_seeded_program(seed, false), seed);
  EXPECT_GE(compared, kWanted);
}

// Ghost cells of a value are what its expression gives there, by the boundaries of what it reads;
// near a side without values, cells that nobody reads are not computed. A value reads another one,
// and a field of this step.
TEST(Values, OutsideTheGrid) {
  const std::vector<std::string> kinds = {"clamp",    "reflect",      "mirror",      "antireflect",
                                          "periodic", "constant 0.5", "neumann 0.1", "expr 0.1*{}",
                                          "ghost",    "fixed",        "none"};
  std::vector<driver::Compiled> programs;
  std::vector<std::vector<driver::Case>> cases;
  for (size_t k = 0; k < kinds.size(); ++k) {
    const size_t rank = k % 3 + 1;
    std::string axes, low, high, reads, sides;
    for (size_t a = 0; a < rank; ++a) {
      const std::string axis(1, "xyz"[a]);
      const auto side = [&](std::string kind) {
        if (const size_t at = kind.find("{}"); at != std::string::npos) kind.replace(at, 2, axis);
        return kind;
      };
      // Another kind at the other end, where it is not periodic.
      const std::string &one = kinds[k], &two = kinds[(k + 5 + a) % kinds.size()];
      const bool both = one == "periodic" || two == "periodic";
      axes += (a == 0 ? "" : ", ") + axis;
      sides += axis + ".lo: " + side(one) + "; " + axis + ".hi: " + side(both ? one : two) + "; ";
      reads += " - 0.1*g[" + axis + "-2] + 0.2*g[" + axis + "+1]*h[" + axis + "+1]";
    }
    const std::string threads =
        ",threads=" + std::vector<std::string>{"16", "8x3", "8x2x3"}[rank - 1];
    for (const std::string placed :
         {",global=g+h", ",global=h", k % 2 == 0 ? ",tile=g+h" : ",global=h,tile=g"}) {
      const std::string text = "stencil s { axes " + axes + "; field f32 u; boundary u { " + sides +
                               "} field f32 w in boundary clamp; field f32 v out boundary reflect; "
                               "v = 0.5*u + 0.1*w; let h = v*u[x+1] - 0.3*w[x-1]; "
                               "let g = h[x-1]*w + 0.2*h[x+1]; u[t+1] = 0.5*u" +
                               reads + "; }";
      Program program{"values", "", text};
      std::string problem;
      const std::string schedule = (placed.find("tile") != std::string::npos ? "naive" + threads
                                    : k % 2 == 0                             ? "naive"
                                                                             : "coarsened") +
                                   placed;
      auto compiled = compile(program, plan::Target::cuda, schedule,
                              "_" + std::to_string(programs.size()), problem);
      ASSERT_TRUE(compiled) << problem << "\n" << text;
      cases.push_back(cases_of(*compiled, k));
      programs.push_back(std::move(*compiled));
    }
  }
  std::vector<const driver::Compiled*> all;
  for (const driver::Compiled& one : programs) all.push_back(&one);
  Batch batch = execute_batch(all);
  ASSERT_EQ(batch.problem, "");
  for (size_t n = 0; n < programs.size(); ++n) {
    ASSERT_TRUE(batch.machines[n].call) << batch.machines[n].problem;
    batch.machines[n].set_mode(true, true);
    for (const driver::Case& test : cases[n])
      EXPECT_EQ(driver::compare(programs[n], batch.machines[n], test, 0), "")
          << programs[n].source.substr(0, 600) << driver::print(test);
  }
}

}  // namespace
}  // namespace stencilc::run_test
