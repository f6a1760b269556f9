// Every error of a text in one run, each said once, and nothing that only follows from another.
#include <gtest/gtest.h>

#include "support/analysed.h"

namespace stencilc {
namespace {

using testing::complaints;

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
// The first line of each error.
std::string headlines(const std::string& text) {
  const std::string all = complaints(text);
  std::string result;
  for (size_t at = 0; at < all.size();) {
    const size_t end = all.find('\n', at);
    const std::string line = all.substr(at, end - at);
    if (line.find(": error: ") != std::string::npos) result += line + "\n";
    at = end + 1;
  }
  return result;
}

TEST(SemaErrors, SeveralInOneRun) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x, y;\n"
                       "  param f32 speed;\n"
                       "  field f32 u, v boundary clamp;\n"
                       "  let a = u[x-1] + oops;\n"
                       "  u[t+1] = a + v[q+1];\n"
                       "  v[t+1] = u ? sped : 2;\n"
                       "  w = 3;\n"
                       "}\n"),
            "in.stn:5:20: error: `oops` is not declared [STN0201]\n"
            "   5 |   let a = u[x-1] + oops;\n"
            "     |                    ^~~~\n"
            "  help: declare it, as in `param f32 oops;`\n"
            "in.stn:6:18: error: `q` is not declared [STN0201]\n"
            "   6 |   u[t+1] = a + v[q+1];\n"
            "     |                  ^\n"
            "  help: an offset goes by an axis, here `x` or `y`, as in `u[x-1]`\n"
            "in.stn:7:16: error: `sped` is not declared [STN0201]\n"
            "   7 |   v[t+1] = u ? sped : 2;\n"
            "     |                ^~~~\n"
            "  help: did you mean `speed`?\n"
            "in.stn:8:3: error: `w` is not declared [STN0201]\n"
            "   8 |   w = 3;\n"
            "     |   ^\n"
            "  help: declare it: `field f32 w;`, or `let w = ...;` for an intermediate value\n");
}

TEST(SemaErrors, AFieldWithoutBoundaryIsNamedOnceAStatement) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x, y; field f32 u;\n"
                       "  u[t+1] = u[x-1] + u[x+1] + u[y-1] + u[y+1];\n"
                       "}\n"),
            "in.stn:3:12: error: `u` is read beside the cell, and nothing says what lies beyond "
            "its rim [STN0404]\n"
            "   3 |   u[t+1] = u[x-1] + u[x+1] + u[y-1] + u[y+1];\n"
            "     |            ^~~~~~\n"
            "in.stn:2:24: note: `u` is declared here without a boundary\n"
            "   2 |   axes x, y; field f32 u;\n"
            "     |                        ^\n"
            "  help: add one of `boundary clamp`, `reflect`, `mirror`, `periodic`, `zero`, "
            "`constant VALUE`, `fixed` or "
            "`none`\n");
  const std::string two = complaints(
      "stencil s { axes x; field f32 u, v; u[t+1] = u[x-1] > v[x+1] ? u[x-2] : v[x+2]; v[t+1] = "
      "u[x-1]; }");
  EXPECT_EQ(count(two, "`u` is read beside the cell"), 2) << two;
  EXPECT_EQ(count(two, "`v` is read beside the cell"), 1) << two;
}

TEST(SemaErrors, ARadiusTooLargeIsSaidOnceAStatement) {
  EXPECT_EQ(headlines("stencil s { axes x; field f32 u boundary clamp;\nu[t+1] = u[x-70] + u[x+70] "
                      "+ u[x+80]; }"),
            "in.stn:2:10: error: `u` is read 70 cells away along x; the limit is 64 [STN0407]\n");
}

TEST(SemaErrors, ARecursionIsSaidOnce) {
  EXPECT_EQ(headlines("stencil s { axes x; field f32 u, v;\nfn f(a) = f(a) + f(2*a);\nu[t+1] = "
                      "f(u) + f(v);\nv[t+1] = f(v); }"),
            "in.stn:2:11: error: `f` calls itself [STN0213]\n");
  EXPECT_EQ(headlines("stencil s { axes x; field f32 u, v;\nfn f(a) = g(a);\nfn g(a) = "
                      "f(a);\nu[t+1] = f(u);\nv[t+1] = g(v); }"),
            "in.stn:3:11: error: `f` calls itself [STN0213]\n");
}

TEST(SemaErrors, AnErrorInAFunctionIsSaidOnceNotOnceACall) {
  EXPECT_EQ(headlines("stencil s { axes x; field f32 u, v;\nfn f(a) = a + oops;\nu[t+1] = f(u) + "
                      "f(v);\nv[t+1] = f(v); }"),
            "in.stn:2:15: error: `oops` is not declared [STN0201]\n");
  // An error in the argument is the caller's, and the function is used again.
  EXPECT_EQ(headlines("stencil s { axes x; field f32 u, v;\nfn f(a) = 2*a;\nu[t+1] = "
                      "f(oops);\nv[t+1] = f(ups); }"),
            "in.stn:3:12: error: `oops` is not declared [STN0201]\n"
            "in.stn:4:12: error: `ups` is not declared [STN0201]\n");
}

TEST(SemaErrors, AnUnknownNameIsSaidOnceAStatement) {
  EXPECT_EQ(headlines("stencil s { axes x; field f32 u, v;\nu[t+1] = oops > 1 ? oops : "
                      "2*oops;\nv[t+1] = oops; }"),
            "in.stn:2:10: error: `oops` is not declared [STN0201]\n"
            "in.stn:3:10: error: `oops` is not declared [STN0201]\n");
}

TEST(SemaErrors, TheFirstOfTwoDeclarationsIsTheOneAbove) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u boundary clamp;\n"
                       "  let u = 3;\n"
                       "  u[t+1] = u[x-1];\n"
                       "}\n"),
            "in.stn:3:7: error: `u` is declared twice [STN0202]\n"
            "   3 |   let u = 3;\n"
            "     |       ^\n"
            "in.stn:2:21: note: it is declared here first\n"
            "   2 |   axes x; field f32 u boundary clamp;\n"
            "     |                     ^\n");
  EXPECT_EQ(
      headlines(
          "stencil s { axes x;\nlet u = 3;\nfield f32 u boundary clamp;\nu[t+1] = u[x-1, t-1]; }"),
      "in.stn:3:11: error: `u` is declared twice [STN0202]\n");
}

TEST(SemaErrors, NothingFollowsFromARejectedName) {
  EXPECT_EQ(headlines("stencil s { axes x;\nfield f32 nx boundary clamp;\nnx[t+1] = nx[x-1]; }"),
            "in.stn:2:11: error: `nx` is the extent along the axis `x` [STN0203]\n");
  EXPECT_EQ(headlines("stencil s { axes x;\nfield f32 t;\nt[t+1] = 2*t; }"),
            "in.stn:2:11: error: `t` is the time index [STN0203]\n");
  EXPECT_EQ(
      headlines("stencil s { axes x; field f32 u;\nfn sqrt(a, b) = a*b;\nu[t+1] = sqrt(u, 2); }"),
      "in.stn:2:4: error: `sqrt` has a meaning of its own in the language [STN0203]\n");
}

TEST(SemaErrors, NothingFollowsFromAStatementTheParserLeftOut) {
  EXPECT_EQ(headlines("stencil s {\naxes x y;\nfield f32 u boundary clamp; u[t+1] = u[x-1]; }"),
            "in.stn:2:8: error: expected `;`, found `y` [STN0101]\n");
  EXPECT_EQ(
      headlines("stencil s { axes x; field f32 u boundary clamp;\nlet k = 3 3;\nu[t+1] = k*u; }"),
      "in.stn:2:11: error: expected `;`, found `3` [STN0101]\n");
  EXPECT_EQ(headlines("stencil s { axes x;\nfild f32 u boundary clamp;\nu[t+1] = 2*u; }"),
            "in.stn:2:1: error: expected a statement, found `fild` [STN0101]\n");
  // What does not depend on it is found all the same.
  EXPECT_EQ(
      headlines(
          "stencil s { axes x; field f32 u, v;\nlet k = 3 3;\nu[t+1] = v ? 1 : 2;\nv[t+1] = k; }"),
      "in.stn:2:11: error: expected `;`, found `3` [STN0101]\n"
      "in.stn:3:10: error: a condition is expected here, and this is a number [STN0301]\n");
}

TEST(SemaErrors, AFailedLetIsReportedWhereItStandsAndNowhereElse) {
  EXPECT_EQ(headlines("stencil s { axes x; field f32 u, v;\nlet a = oops + 1;\nlet b = "
                      "2*a;\nu[t+1] = a + b;\nv[t+1] = b; }"),
            "in.stn:2:9: error: `oops` is not declared [STN0201]\n");
}

TEST(SemaErrors, WarningsComeOnlyWithoutErrors) {
  const std::string declarations = "stencil s { axes x; param f32 k; field f32 u boundary clamp; ";
  EXPECT_EQ(count(complaints(declarations + "u[t+1] = 2*u; }"), "warning:"), 2);
  EXPECT_EQ(count(complaints(declarations + "u[t+1] = 2*v; }"), "warning:"), 0);
}

}  // namespace
}  // namespace stencilc
