// Where a statement applies: `on` and `where`.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

// What stands behind the statement `u[t+1] = 1 ...` in the IR.
std::string clauses(const std::string& text) {
  const std::string all = statements_of(
      "stencil s { axes x, y; param i32 k = 3; param f32 a; const i32 c = 2; field f32 u; u[t+1] = "
      "k*a*u " +
      text + "; }");
  const size_t at = all.find("  ");
  return at == std::string::npos ? "" : all.substr(at + 2, all.size() - at - 3);
}

TEST(SemaDomains, ComparisonsWithPlacesNearTheRimAreLimits) {
  EXPECT_EQ(clauses("on x >= 1"), "on x >= 1");
  EXPECT_EQ(clauses("on x > 1"), "on x >= 2");
  EXPECT_EQ(clauses("on x < 3"), "on x < 3");
  EXPECT_EQ(clauses("on x <= 3"), "on x < 4");
  EXPECT_EQ(clauses("on x < nx-1"), "on x < nx-1");
  EXPECT_EQ(clauses("on y <= ny - c"), "on y < ny-1");
  EXPECT_EQ(clauses("on x >= nx-2"), "on x >= nx-2");
  EXPECT_EQ(clauses("on x > -2 + nx"), "on x >= nx-1");
  EXPECT_EQ(clauses("on x == 2*c"), "on x >= 4, x < 5");
  EXPECT_EQ(clauses("on x == nx-2"), "on x >= nx-2, x < nx-1");
  EXPECT_EQ(clauses("on x >= c, y < 2*ny - ny"), "on x >= 2");
  EXPECT_EQ(clauses("on x >= 64"), "on x >= 64");
}

TEST(SemaDomains, TheAxisMayStandOnTheRight) {
  EXPECT_EQ(clauses("on 1 <= x"), "on x >= 1");
  EXPECT_EQ(clauses("on nx-1 > x"), "on x < nx-1");
  EXPECT_EQ(clauses("on 3 == y"), "on y >= 3, y < 4");
}

TEST(SemaDomains, WhatHoldsEverywhereIsLeftOut) {
  EXPECT_EQ(clauses("on x >= 0"), "");
  EXPECT_EQ(clauses("on x < nx, y > -1"), "");
  EXPECT_EQ(clauses("on x == 0"), "on x < 1");
  EXPECT_EQ(clauses("on x == nx-1"), "on x >= nx-1");
  EXPECT_EQ(clauses("where c == 2"), "");
}

TEST(SemaDomains, OtherPlacesAreJudgedByTheMask) {
  EXPECT_EQ(clauses("on x != 3"), "where ne(x, 3)");
  EXPECT_EQ(clauses("on x < k"), "where lt(x, i64(k))");
  EXPECT_EQ(clauses("on x < 65"), "where lt(x, 65)");
  EXPECT_EQ(clauses("on x <= 64"), "where le(x, 64)");
  EXPECT_EQ(clauses("on x < ny"), "where lt(x, ny)");
  EXPECT_EQ(clauses("on x < idiv(nx, 2)"), "where lt(x, idiv(nx, 2))");
  EXPECT_EQ(clauses("on x < 2*nx - 3"), "where lt(x, sub(mul(2, nx), 3))");
  EXPECT_EQ(clauses("on x < 2.5"), "where lt(f32(x), 2.5)");
  EXPECT_EQ(clauses("on x >= 1, x < k where u > 0"),
            "on x >= 1  where and(lt(x, i64(k)), gt(u, 0))");
}

TEST(SemaDomains, EachStatementHasItsOwn) {
  const std::string text =
      "stencil s { axes x, y; field i32 u boundary zero; field bool m in;\n"
      "u[t+1] = u[x-1] on x >= 1; u[t+1] = 7 on x == 0, y != 1; u[t+1] = -u where m; }";
  EXPECT_EQ(statements_of(text),
            "u[t+1] = u[x-1]  on x >= 1\n"
            "u[t+1] = 7  on x < 1  where ne(y, 1)\n"
            "u[t+1] = neg(u)  where m\n");
  Interpreted run(text, {3, 2, 1});
  run.field("u", {1, 2, 3, 4, 5, 6}).field("m", {0, 1, 0, 0, 0, 1}).run(1);
  EXPECT_EQ(run.field("u"), (Numbers{7, -2, 2, 4, 4, -6}));
}

TEST(SemaDomains, CellsNoStatementAppliesToKeepTheirValue) {
  Interpreted run(
      "stencil s { axes x; field i32 u; field i32 d out; u[t+1] = u + 1 on x < 2;\n"
      "d = 5*u on x >= nx-1; }",
      {4, 1, 1});
  run.field("u", {1, 2, 3, 4}).field("d", {9, 9, 9, 9}).run(2);
  EXPECT_EQ(run.field("u"), (Numbers{3, 4, 3, 4}));
  EXPECT_EQ(run.field("d"), (Numbers{9, 9, 9, 20}));
}

TEST(SemaDomains, AMaskMayReadTheNewLevelOfAnotherField) {
  Interpreted run(
      "stencil s { axes x; field i32 u, v; v[t+1] = 0 where u[t+1] > 2; u[t+1] = u+1; }",
      {3, 1, 1});
  run.field("u", {0, 1, 2}).field("v", {8, 8, 8}).run(1);
  EXPECT_EQ(run.field("v"), (Numbers{8, 8, 0}));
}

TEST(SemaDomains, AConditionThatComparesNoAxis) {
  EXPECT_EQ(
      complaints("stencil s {\n"
                 "  axes x, y; field f32 u;\n"
                 "  u[t+1] = 2*u on u > 0;\n"
                 "  u[t+1] = 2*u on x - 1 > 0;\n"
                 "  u[t+1] = 2*u on x < y;\n"
                 "}\n"),
      "in.stn:3:19: error: a condition of `on` compares one of the axes `x`, `y` with a place "
      "[STN0408]\n"
      "   3 |   u[t+1] = 2*u on u > 0;\n"
      "     |                   ^~~~~\n"
      "  help: as in `on x >= 1, x < nx-1`; write any other condition behind `where`\n"
      "in.stn:4:19: error: a condition of `on` compares one of the axes `x`, `y` with a place "
      "[STN0408]\n"
      "   4 |   u[t+1] = 2*u on x - 1 > 0;\n"
      "     |                   ^~~~~~~~~\n"
      "  help: as in `on x >= 1, x < nx-1`; write any other condition behind `where`\n"
      "in.stn:5:19: error: a condition of `on` compares one of the axes `x`, `y` with a place "
      "[STN0408]\n"
      "   5 |   u[t+1] = 2*u on x < y;\n"
      "     |                   ^~~~~\n"
      "  help: as in `on x >= 1, x < nx-1`; write any other condition behind `where`\n");
}

TEST(SemaDomains, APlaceThatDiffersFromCellToCell) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x, y; field f32 u;\n"
                       "  u[t+1] = 2*u on x < y + 1;\n"
                       "}\n"),
            "in.stn:3:23: error: `on` compares an axis with a value that differs from cell to cell "
            "[STN0408]\n"
            "   3 |   u[t+1] = 2*u on x < y + 1;\n"
            "     |                       ^~~~~\n"
            "  help: write the condition behind `where`\n");
}

TEST(SemaDomains, AMaskIsACondition) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u;\n"
                       "  u[t+1] = 2*u where u;\n"
                       "}\n"),
            "in.stn:3:22: error: a condition is expected here, and this is a number [STN0301]\n"
            "   3 |   u[t+1] = 2*u where u;\n"
            "     |                      ^\n"
            "  help: compare it: `... != 0`\n");
}

}  // namespace
}  // namespace stencilc
