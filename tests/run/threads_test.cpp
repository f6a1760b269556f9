// Two threads of the host call the same emitted entry at once, each on arrays of its own.
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "driver/verify/compare.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// Of each form of launches, with what a call allocates besides: words of bits, partial results of
// reductions, places of points.
constexpr std::array<const char*, 4> kPrograms = {
    "axes x, y; field f32 u boundary clamp; u[t+1] = 0.2*u + 0.3*u[x-1] + 0.25*u[y+1]; reduce "
    "total "
    "= sum(u[t+1]);",
    "axes x, y; field u8 u boundary periodic; u[t+1] = u[x-1] + u[y+1] > 1 ? 1 : 0;",
    "axes x, y, z; field f64 u boundary neumann 1; u[t+1] = 0.2*u + 0.1*u[x-1] + 0.3*u[z+1];",
    "axes x, y; field f32 u boundary zero; points at; u[t+1] = 0.5*u[x+1]; inject u[t+1] += 1 at "
    "at;"};

void run_side_by_side(const driver::Compiled& program, const driver::Machine& machine) {
  ASSERT_TRUE(machine.call) << machine.problem;
  const data::Extents extents =
      program.module.extents.size() == 3 ? data::Extents{40, 21, 9} : data::Extents{150, 67};
  std::array<std::string, 2> differences;
  std::array<std::thread, 2> threads;
  for (size_t n = 0; n < threads.size(); ++n) {
    const driver::Case test{extents, 7, "random", n + 1};
    const interp::State expected = driver::expected(program.stencil, test);
    threads[n] = std::thread([&, n, test, expected] {
      for (int again = 0; again < 3 && differences[n].empty(); ++again)
        differences[n] = driver::compare(program, machine, test, expected, 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences[0], "") << program.source;
  EXPECT_EQ(differences[1], "") << program.source;
}

driver::Compiled of_statements(const std::string& statements, plan::Target target,
                               const std::string& schedule) {
  std::string problem;
  auto result =
      compile({"threads", "", "stencil s { " + statements + " }"}, target, schedule, "", problem);
  if (!result) throw std::runtime_error(problem);
  return std::move(*result);
}

#ifdef STENCILC_HAS_CHECK
TEST(Threads, OfTheHostShareACompiledStencilOnTheExecutor) {
  for (const char* statements : kPrograms) {
    driver::Compiled program = of_statements(statements, plan::Target::cuda, "");
    fix_index(program.source, false);
    run_side_by_side(program, driver::execute(program, true, true));
  }
}
#endif

TEST(Threads, OfTheHostShareACompiledStencilOnTheCpu) {
  const driver::Compiled program = of_statements(kPrograms[0], plan::Target::cpu, "");
  run_side_by_side(program, driver::build(program, plan::Target::cpu, {}));
}

}  // namespace
}  // namespace stencilc::run_test
