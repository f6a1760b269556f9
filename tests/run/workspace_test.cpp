// Values in memory that the caller gives: where it begins at no multiple, where it ends, and where
// it is too small.
#include <gtest/gtest.h>

#include <stdexcept>

#include "driver/verify/compare.h"
#include "run/agreement.h"
#include "run/batch.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// The adapter gives a run `bytes` of memory from an odd address on; `needed` is what it asks for.
driver::Compiled with_workspace(driver::Compiled program, const std::string& bytes) {
  const std::string own = program.module.name, run = "status = " + own + "::run(args";
  std::string& text = program.host_call;
  const size_t at = text.find(run);
  if (at == std::string::npos) throw std::runtime_error("the adapter runs nothing");
  text.replace(at, run.size(), "status = " + own + "::run(given");
  const size_t line = text.rfind('\n', at) + 1;
  text.insert(line, "const size_t needed = " + own + "::workspace(args), bytes = " + bytes + ";\n" +
                        "stencil::Array<uint8_t> memory(static_cast<int64_t>(bytes) + 1);\n" + own +
                        "::Args given = args;\n" +
                        "given.workspace = {memory.data() + 1, bytes};\n");
  return program;
}

driver::Compiled compiled_as(const std::string& text, plan::Target target,
                             const std::string& schedule, const std::string& suffix = "") {
  std::string problem;
  auto result = compile({"workspace", "", text}, target, schedule, suffix, problem);
  if (!result) throw std::runtime_error(problem);
  return std::move(*result);
}

const std::string kText =
    "stencil s { axes x, y; field f32 u boundary clamp; field f64 w in boundary zero; "
    "let g = 0.5*u*u[x+1] - u[y-1]; let h = w[x-1]*w; "
    "u[t+1] = 0.25*(g[x+1] - g[x-2] + g[y+1]) + f32(h[y-1] - 0.5*h[y+1]); }";

std::vector<driver::Case> cases_of_sizes() {
  std::vector<driver::Case> cases;
  for (const data::Extents& size : std::vector<data::Extents>{{1, 1}, {7, 3}, {65, 33}, {130, 9}})
    cases.push_back({size, 3, "random", 5});
  return cases;
}

TEST(Workspace, HoldsTheValues) {
  for (const char* schedule : {"naive,global=g+h", "coarsened,global=g", "naive,global=none"})
    run_test::expect_agreement(
        with_workspace(compiled_as(kText, plan::Target::cuda, schedule), "needed"),
        cases_of_sizes(), schedule);
}

TEST(Workspace, MayBeLarger) {
  run_test::expect_agreement(
      with_workspace(compiled_as(kText, plan::Target::cuda, "naive,global=g+h"), "needed + 1000"),
      cases_of_sizes(), "larger");
}

TEST(Workspace, TooSmallIsRefusedWithBothSizes) {
  const driver::Compiled program =
      with_workspace(compiled_as(kText, plan::Target::cuda, "naive,global=g+h"), "needed - 1");
  const Batch batch = execute_batch({&program});
  ASSERT_EQ(batch.problem, "");
  ASSERT_TRUE(batch.machines[0].call) << batch.machines[0].problem;
  const std::string said = driver::compare(program, batch.machines[0], {{7, 3}, 3, "random", 5}, 0);
  EXPECT_NE(said.find("the workspace has "), said.npos) << said;
  EXPECT_NE(said.find("bytes, and values need "), said.npos) << said;
}

}  // namespace
}  // namespace stencilc::run_test
