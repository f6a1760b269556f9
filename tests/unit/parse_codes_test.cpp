// The examples of the table of codes, as far as the parser sees them.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

bool is_the_parsers(diag::Code code) { return code.number < 200 || code == diag::nesting_limit; }

TEST(ParseCodes, FailingExamplesReportTheirCodeAndNoOther) {
  for (const diag::Row& row : diag::table()) {
    if (row.failing.empty()) continue;
    auto result = testing::parsed(std::string(row.failing));
    if (!is_the_parsers(row.code)) {
      EXPECT_EQ(testing::rendered(result), "") << row.name;
      continue;
    }
    ASSERT_EQ(result.engine.all().size(), 1u) << row.name << "\n" << testing::rendered(result);
    EXPECT_EQ(result.engine.all()[0].code, row.code) << row.name;
  }
}

TEST(ParseCodes, MendedExamplesParse) {
  for (const diag::Row& row : diag::table()) {
    if (row.mended.empty()) continue;
    EXPECT_EQ(testing::diagnostics(std::string(row.mended)), "") << row.name;
  }
}

}  // namespace
}  // namespace stencilc
