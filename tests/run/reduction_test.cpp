// Reductions on the GPU's side, run by the executor: every level of the tree, and its ends.
#include <gtest/gtest.h>

#include "driver/verify/compare.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// Reductions before and after the updates, in launches of their own and in that of the updates.
const std::string kStatements =
    "field f32 u boundary periodic; field i32 k; u[t+1] = 0.5*u[x-1] + 0.25*u; k[t+1] = 3*k + 1; "
    "reduce total = sum(u[t+1]); reduce length = norm2(u - u[x+1]); reduce least = min(u[t+1]*u); "
    "reduce greatest = max(k[t+1]) where u > 0; reduce product = prod(1.001*u[t+1]) on x != 5; "
    "reduce count = sum(u[t+1] > 0.5); reduce beside = sum(u[x+1, t+1]); ";

driver::Compiled compiled(const std::string& axes, const std::string& schedule) {
  std::string problem;
  auto result = compile({"reductions", "", "stencil s { axes " + axes + "; " + kStatements + "}"},
                        plan::Target::cuda, schedule, "", problem);
  if (!result) throw std::runtime_error(problem);
  return std::move(*result);
}

void expect_reductions(const driver::Compiled& program, const driver::Machine& machine,
                       const data::Extents& extents) {
  for (const char* data : {"random", "wild"}) {
    const driver::Case test{extents, 2, data, 3};
    ASSERT_EQ(driver::compare(program, machine, test, 0), "") << driver::print(test);
  }
}

TEST(reductions, of_a_line_agree_at_every_end_of_the_tree) {
  for (const char* schedule : {"naive,threads=32", "coarsened"}) {
    const driver::Compiled program = compiled("x", schedule);
    const driver::Machine machine = driver::execute(program, true, true);
    ASSERT_TRUE(machine.call) << machine.problem;
    std::vector<int64_t> sizes = {1, 2, 31, 32, 33, 63, 64, 65, 100, 511, 1023, 1024, 1025, 2100};
    for (const int64_t cells : {32 * 32 - 1, 32 * 32, 32 * 32 + 1, 32 * 1024, 32 * 1024 + 1})
      sizes.push_back(cells);  // results that fill a block, and one more
    for (const int64_t cells : sizes) expect_reductions(program, machine, {cells});
  }
}

TEST(reductions, of_rows_agree_whatever_their_number) {
  for (const char* schedule : {"naive", "coarsened"}) {
    const driver::Compiled plane = compiled("x, y", schedule);
    const driver::Machine machine = driver::execute(plane, false, false);
    ASSERT_TRUE(machine.call) << machine.problem;
    for (const int64_t nx : {1, 32, 33, 95})
      for (const int64_t ny : {int64_t{1}, int64_t{7}, int64_t{33}, 1025 / nx + 1})
        expect_reductions(plane, machine, {nx, ny});
    const driver::Compiled volume = compiled("x, y, z", schedule);
    const driver::Machine cube = driver::execute(volume, true, false);
    ASSERT_TRUE(cube.call) << cube.problem;
    for (const int64_t nz : {1, 3, 20}) expect_reductions(volume, cube, {33, 5, nz});
  }
}

}  // namespace
}  // namespace stencilc::run_test
