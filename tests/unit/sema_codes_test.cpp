// The examples of the table of codes, which `--explain` shows: the failing ones fail as they say,
// the mended ones do not.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "sema/sema.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

testing::Parsed analysed(std::string_view text) {
  testing::Parsed result = testing::parsed(std::string(text));
  if (!result.engine.has_errors()) sema::analyse(result.program, {}, result.engine);
  return result;
}

bool is_of_lint(diag::Code code) {
  return code.number >= diag::unstable.number && code.number <= diag::separable_weights.number;
}

// The planner reads what a `schedule` says.
bool is_of_plan(diag::Code code) { return code == diag::bad_schedule || code == diag::bad_arch; }

TEST(SemaCodes, FailingExamplesReportTheirCodeOnceAndNoOther) {
  for (const diag::Row& row : diag::table()) {
    if (row.failing.empty() || is_of_lint(row.code) || is_of_plan(row.code)) continue;
    testing::Parsed result = analysed(row.failing);
    ASSERT_EQ(result.engine.all().size(), 1u) << row.name << "\n" << testing::rendered(result);
    EXPECT_EQ(result.engine.all()[0].code, row.code) << row.name;
  }
}

TEST(SemaCodes, MendedExamplesReportNothing) {
  for (const diag::Row& row : diag::table()) {
    if (row.mended.empty()) continue;
    EXPECT_EQ(testing::rendered(analysed(row.mended)), "") << row.name;
  }
}

}  // namespace
}  // namespace stencilc
