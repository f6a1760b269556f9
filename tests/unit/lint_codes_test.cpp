// The examples of the table of codes, and the form of the messages.
#include <gtest/gtest.h>

#include "support/linted.h"

namespace stencilc {
namespace {

bool is_of_lint(diag::Code code) {
  return code.number >= diag::unstable.number && code.number <= diag::separable_weights.number;
}

TEST(LintCodes, FailingExamplesReportTheirCodeOnceAndNoOther) {
  int count = 0;
  for (const diag::Row& row : diag::table()) {
    if (!is_of_lint(row.code)) continue;
    ++count;
    const testing::Parsed result = testing::linted(row.failing);
    ASSERT_EQ(result.engine.all().size(), 1u) << row.name << "\n" << testing::rendered(result);
    EXPECT_EQ(result.engine.all()[0].code, row.code) << row.name;
    EXPECT_EQ(row.severity, diag::Severity::warning) << row.name;
  }
  EXPECT_EQ(count, 8);
}

TEST(LintCodes, MendedExamplesOfAllCodesReportNothing) {
  for (const diag::Row& row : diag::table()) {
    if (row.mended.empty()) continue;
    EXPECT_EQ(testing::rendered(testing::linted(row.mended)), "") << row.name;
  }
}

std::string rendered_example(std::string_view name) {
  return testing::rendered(testing::linted(diag::find_row(name)->failing));
}

TEST(LintCodes, MessagesPointAtTheirPlace) {
  EXPECT_EQ(
      rendered_example("unstable"),
      R"(in.stn:5:3: warning: unstable for `dt` > 0.25: each step multiplies the wave number (pi, pi) of `u` by 1.4 [STN0803]
   5 |   u[t+1] = u + dt * laplacian(u);
     |   ^~~~~~
  note: by von Neumann's analysis, with the defaults of the params and without boundaries
)");
  EXPECT_EQ(rendered_example("weight-sum"),
            R"(in.stn:4:13: warning: the weights of `w` sum to 0.999, which is close to 1 [STN0804]
   4 |   const f32 w[-1..1] = { 0.25, 0.499, 0.25 };
     |             ^
  help: divide them by their sum: `/ 0.999`
)");
  EXPECT_EQ(
      rendered_example("double-literal"),
      R"(in.stn:4:12: warning: `0.3333333333333` has more digits than `f32` holds: it is 0.33333334 [STN0806]
   4 |   u[t+1] = 0.3333333333333 * (u[x-1] + u + u[x+1]);
     |            ^~~~~~~~~~~~~~~
  help: write `0.33333334`, or compute in `f64`
)");
}

}  // namespace
}  // namespace stencilc
