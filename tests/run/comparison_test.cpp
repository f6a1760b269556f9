// The comparison can fail: what a program does is compared with the interpreter's idea of another
// one that differs in a single place, and the difference must be found.
#include <gtest/gtest.h>

#include "driver/verify/compare.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

driver::Compiled compiled(const std::string& text, ir::Numerics numerics = {}) {
  std::string problem;
  auto result =
      compile({"test", "", text, {}, numerics}, plan::Target::cuda, "coarsened", "", problem);
  if (!result) throw std::runtime_error(problem);
  return std::move(*result);
}

// The first difference between what the machine makes of one stencil and what the interpreter makes
// of the other.
std::string first_difference(driver::Compiled program, const driver::Machine& machine,
                             const ir::Stencil& other) {
  program.stencil = other;
  for (const driver::Case& test : driver::awkward_cases(program, 1)) {
    const std::string difference = driver::compare(program, machine, test, 0);
    if (!difference.empty()) return difference;
  }
  return "";
}

driver::Machine executor(const driver::Compiled& program) {
  driver::Machine machine = driver::execute(program, true, true);
  if (!machine.call) throw std::runtime_error(machine.problem);
  return machine;
}

void expect_told_apart(const driver::Compiled& program, const ir::Stencil& other,
                       const std::string& what) {
  const driver::Machine machine = executor(program);
  EXPECT_EQ(first_difference(program, machine, program.stencil), "") << what;
  EXPECT_NE(first_difference(program, machine, other), "") << what;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no `" + from + "` in " + text);
  return text.replace(at, from.size(), to);
}

const std::string kPlane = R"(
stencil plane {
  axes x, y;
  field f32 u boundary clamp;
  field f32 c in boundary reflect;
  u[t+1] = 0.3*u + 0.1*u[x-2] + 0.21*u[x+2] + 0.05*u[y-1] + 0.17*u[y+1] + 0.04*max(c[x+1], u[t-1]);
}
)";

class OnePlaceChanged : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OnePlaceChanged, is_found) {
  const auto [from, to] = GetParam();
  expect_told_apart(compiled(kPlane), compiled(with(kPlane, from, to)).stencil, from);
}

INSTANTIATE_TEST_SUITE_P(
    comparison, OnePlaceChanged,
    testing::Values(std::pair("0.17", "0.17000002"), std::pair("x-2", "x-1"),
                    std::pair("x+2", "x+3"), std::pair("y-1", "x-1"), std::pair("y+1", "y-1"),
                    std::pair("0.3*u ", "0.3*u[t-1] "), std::pair("max", "min"),
                    std::pair("c[x+1]", "c"), std::pair("+ 0.04", "- 0.04"),
                    std::pair("reflect", "mirror"),
                    std::pair("0.1*u[x-2] + 0.21*u[x+2]", "0.21*u[x-2] + 0.1*u[x+2]")));

TEST(comparison, tells_boundaries_apart) {
  const std::vector<std::string> kinds = {"clamp", "reflect", "mirror",     "periodic",
                                          "zero",  "none",    "constant 1", "constant 2"};
  for (const std::string& kind : kinds) {
    const driver::Compiled program = compiled(with(kPlane, "clamp", kind));
    const driver::Machine machine = executor(program);
    for (const std::string& other : kinds) {
      const ir::Stencil stencil = compiled(with(kPlane, "clamp", other)).stencil;
      EXPECT_EQ(first_difference(program, machine, stencil) == "", kind == other)
          << kind << " for " << other;
    }
  }
}

TEST(comparison, tells_domains_apart) {
  for (const std::string kind : {"none", "fixed"})
    for (int axis = 0; axis < 2; ++axis)
      for (const int change : {-1, 1})
        for (const bool low : {true, false}) {
          const driver::Compiled program = compiled(with(kPlane, "clamp", kind));
          ir::Stencil other = program.stencil;
          // One cell further would be read outside of the grid: the interpreter needs an edge
          // there.
          for (auto& sides : other.fields[0].boundary.sides)
            for (ir::Side& side : sides) side.edge = ir::Edge::clamp;
          ir::Domain& domain = other.updates[0].cases[0].domain;
          (low ? domain.low : domain.high)[axis] += change;
          expect_told_apart(program, other, kind);
        }
}

TEST(comparison, tells_roundings_apart) {
  const driver::Compiled program = compiled(kPlane);
  expect_told_apart(program, compiled(kPlane, {ir::Numerics::canonical, false}).stencil, "no fma");
  expect_told_apart(program, compiled(kPlane, {ir::Numerics::source, true}).stencil,
                    "source order");
}

// A program that keeps its outputs from being written in some cells, and levels from each other.
const std::string kLevels = R"(
stencil levels {
  axes x;
  field i32 u boundary none;
  field i32 dst out;
  u[t+1] = u[x-1] + u[t-1];
  dst = u[x+1];
}
)";

TEST(comparison, looks_at_every_cell_of_every_level) {
  const driver::Compiled program = compiled(kLevels);
  const driver::Machine machine = executor(program);
  const driver::Case test{{37}, 2, "random", 5};
  ASSERT_EQ(driver::compare(program, machine, test, 0), "");
  for (const int buffer : {0, 1, 2})
    for (const int cell : {0, 1, 17, 36}) {
      driver::Machine wrong = machine;
      wrong.call = [&](stencil_host_call* call) {
        const int code = machine.call(call);
        ++static_cast<int32_t*>(call->buffers[buffer])[cell];
        return code;
      };
      const std::string difference = driver::compare(program, wrong, test, 0);
      EXPECT_NE(difference.find("cell (" + std::to_string(cell) + ", 0, 0)"), std::string::npos)
          << difference;
    }
}

TEST(comparison, an_output_that_nobody_writes_is_found) {
  const driver::Compiled program = compiled(kLevels);
  driver::Machine idle;
  idle.call = [](stencil_host_call*) { return 0; };
  EXPECT_NE(driver::compare(program, idle, {{37}, 1, "random", 5}, 0), "");
}

TEST(comparison, a_failed_call_is_a_difference) {
  const driver::Compiled program = compiled(kLevels);
  driver::Machine failing;
  failing.call = [](stencil_host_call* call) {
    call->message[0] = 'x';
    return 3;
  };
  EXPECT_EQ(driver::compare(program, failing, {{37}, 1, "random", 5}, 0), "x");
}

}  // namespace
}  // namespace stencilc::run_test
