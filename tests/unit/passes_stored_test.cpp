// Reductions of values that the step stores read them.
#include <gtest/gtest.h>

#include <string>

#include "passes/stored_values.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::passes {
namespace {

using stencilc::testing::expect_rows;

// The reductions of a stencil after the pass, and whether they are computed before or after a step.
std::string reduced(const std::string& items) {
  ir::Stencil stencil = testing::canonical("stencil s { axes x, y; " + items + " }");
  reduce_stored_values(stencil);
  ir::infer_levels(stencil);
  std::string text;
  for (const ir::Reduction& one : stencil.reductions)
    text += (text.empty() ? "" : "; ") + std::string(one.after ? "after " : "before ") +
            ir::print(one.value, stencil);
  return text;
}

TEST(StoredValues, AReductionOfWhatIsStoredReadsIt) {
  expect_rows(reduced, R"(field f32 u in boundary zero; field f32 r out; let d = u[x-1] - u; r = d; reduce n = norm2(d);
=> after mul(r[t+1], r[t+1])
field f32 u in boundary zero; field f32 r out; r = u[x-1] - u; reduce n = max(abs(u[x-1] - u));
=> after abs(r[t+1])
field f32 u boundary zero; u[t+1] = 0.5*(u[x-1] + u[x+1]); reduce n = sum(0.5*(u[x-1] + u[x+1]));
=> after u[t+1]
field f32 u in boundary zero; field f32 r out; r = u[x-1]*u; reduce n = sum(f64(u[x-1]*u) + 1.0);
=> after add(f64(r[t+1]), 1)
)");
}

// What is stored rounded or to some cells, in place, copies, what updates ask for, and what an
// injection changes after it was stored or read.
TEST(StoredValues, OthersAreComputedAsTheyAreWritten) {
  expect_rows(reduced, R"(field f32 u in boundary zero; field f16 r out; r = f16(u[x-1] - u); reduce n = max(u[x-1] - u);
=> before sum(1 * u[x-1], -1 * u)
field f32 u in boundary zero; field f32 r out; r = u[x-1] - u on x > 0; reduce n = max(u[x-1] - u);
=> before sum(1 * u[x-1], -1 * u)
field f32 u boundary zero; points p; series f32 a(p); u[t+1] = u[x-1] - u; inject u[t+1] += a[t] at p; reduce n = max(u[x-1] - u);
=> before sum(1 * u[x-1], -1 * u)
field f32 u; points p; series f32 a(p); u[t+1] = 2*u; field f32 r out; r = u[t+1]*u; inject u[t+1] += a[t] at p; reduce n = max(u[t+1]*u);
=> after mul(u[t+1], u)
field f32 u in; field f32 r out; r = u; reduce n = max(u);
=> before u
field f32 u boundary zero; reduce n = max(u[x-1] - u); u[t+1] = u[x-1] - u; field f32 r out; r = n;
=> before sum(1 * u[x-1], -1 * u)
field f32 u boundary zero; color red, black by (x + y) % 2; u = u[x-1] + u[x+1]; reduce n = max(u[x-1] + u[x+1]);
=> before sum(1 * u[x-1], 1 * u[x+1])
)");
}

}  // namespace
}  // namespace stencilc::passes
