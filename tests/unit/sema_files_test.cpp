// Several stencils in one file, and what stands beside them.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;

struct Files {
  diag::Sources sources;
  diag::Engine engine;
  std::vector<ir::Stencil> stencils;
  std::string complaints() const {
    std::string text;
    for (const diag::Diagnostic& one : engine.all()) text += diag::render_gnu(one, sources, false);
    return text;
  }
};

// The stencils of `text`, which uses the functions and constants of `library`; those of the library
// itself are ignored.
Files with_library(const std::string& library, const std::string& text) {
  Files result;
  result.sources = {
      {"in.stn", text},
      {"library.stn", library + "\nstencil other { axes x; field f32 u; u[t+1] = u; }"}};
  ast::Program program = parse::parse(result.sources, 0, result.engine);
  ast::Program other = parse::parse(result.sources, 1, result.engine);
  program.functions.insert(program.functions.begin(), other.functions.begin(),
                           other.functions.end());
  program.constants.insert(program.constants.begin(), other.constants.begin(),
                           other.constants.end());
  result.stencils = sema::analyse(program, {}, result.engine);
  return result;
}

std::vector<ir::Stencil> stencils(const std::string& text, const sema::Defines& defines = {}) {
  testing::Parsed parsed = testing::parsed(text);
  std::vector<ir::Stencil> result = sema::analyse(parsed.program, defines, parsed.engine);
  EXPECT_EQ(testing::rendered(parsed), "");
  return result;
}

std::string first_value(const ir::Stencil& stencil) {
  return ir::print(stencil.updates.at(0).cases.at(0).value, stencil);
}

TEST(SemaFiles, EveryStencilOfTheFileIsAnalysed) {
  const auto all = stencils(
      "const f32 k = 0.5, w[-1..1] = {1, 2, 1} / 4;\n"
      "fn half(a) = k*a;\n"
      "stencil one { axes x; field f32 u boundary zero; u[t+1] = half(u[x-1]); }\n"
      "stencil two { axes a, b; field f32 u in boundary zero; field f32 d out; d = "
      "w[1]*half(u[b+1]); "
      "}\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "one");
  EXPECT_EQ(first_value(all[0]), "mul(0.5, u[x-1])");
  EXPECT_EQ(all[1].name, "two");
  EXPECT_EQ(first_value(all[1]), "mul(0.25, mul(0.5, u[b+1]))");
}

TEST(SemaFiles, AnErrorInOneLeavesNone) {
  const std::string text =
      "stencil one { axes x; field f32 u; u[t+1] = oops; }\n"
      "stencil two { axes x; field f32 u; u[t+1] = ups; }\n";
  EXPECT_FALSE(testing::analysed(text).stencil);
  EXPECT_EQ(complaints(text),
            "in.stn:1:45: error: `oops` is not declared [STN0201]\n"
            "   1 | stencil one { axes x; field f32 u; u[t+1] = oops; }\n"
            "     |                                             ^~~~\n"
            "  help: declare it, as in `param f32 oops;`\n"
            "in.stn:2:45: error: `ups` is not declared [STN0201]\n"
            "   2 | stencil two { axes x; field f32 u; u[t+1] = ups; }\n"
            "     |                                             ^~~\n"
            "  help: declare it, as in `param f32 ups;`\n");
}

TEST(SemaFiles, WhatStandsBesideThemIsJudgedOnce) {
  const std::string both =
      "stencil one { axes x; field f32 u; u[t+1] = f(u); }\n"
      "stencil two { axes x; field f32 u; u[t+1] = f(u) + k; }\n";
  EXPECT_EQ(complaints("const f32 k = 1; fn f(a) = a + oops;\n" + both),
            "in.stn:1:32: error: `oops` is not declared [STN0201]\n"
            "   1 | const f32 k = 1; fn f(a) = a + oops;\n"
            "     |                                ^~~~\n");
  EXPECT_EQ(complaints("const u8 k = 300; fn f(a) = a;\n" + both),
            "in.stn:1:14: error: 300 does not fit `u8` [STN0305]\n"
            "   1 | const u8 k = 300; fn f(a) = a;\n"
            "     |              ^~~\n");
}

TEST(SemaFiles, TwoStencilsHaveTwoNames) {
  EXPECT_EQ(complaints("stencil s { axes x; field f32 u; u[t+1] = u; }\n"
                       "stencil s { axes y; field f32 u; u[t+1] = u; }\n"),
            "in.stn:2:9: error: a second stencil `s` [STN0202]\n"
            "   2 | stencil s { axes y; field f32 u; u[t+1] = u; }\n"
            "     |         ^\n"
            "in.stn:1:9: note: the first is here\n"
            "   1 | stencil s { axes x; field f32 u; u[t+1] = u; }\n"
            "     |         ^\n");
}

TEST(SemaFiles, ADefinitionNamesAParamOfOneOfThem) {
  const std::string text =
      "stencil one { axes x; field f32 u; param f32 a; u[t+1] = a*u; }\n"
      "stencil two { axes x; field f32 u; param f32 b; u[t+1] = b*u; }\n";
  const auto all = stencils(text, {{"b", "3"}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(first_value(all[0]), "mul(a, u)");
  EXPECT_EQ(first_value(all[1]), "mul(3, u)");
  EXPECT_EQ(complaints(text, {{"c", "3"}}),
            "in.stn:1:9: error: `-D c=...` names no param of any stencil [STN0214]\n"
            "   1 | stencil one { axes x; field f32 u; param f32 a; u[t+1] = a*u; }\n"
            "     |         ^~~\n");
}

TEST(SemaFiles, NamesOfTheFileAreTaken) {
  EXPECT_EQ(complaints("const f32 k = 1;\nstencil s { axes x; field f32 k; k[t+1] = k; }\n"),
            "in.stn:2:31: error: `k` is declared twice [STN0202]\n"
            "   2 | stencil s { axes x; field f32 k; k[t+1] = k; }\n"
            "     |                               ^\n"
            "in.stn:1:11: note: it is declared here first\n"
            "   1 | const f32 k = 1;\n"
            "     |           ^\n");
}

TEST(SemaFiles, WhatNoStencilUsesIsSaidOnce) {
  EXPECT_EQ(complaints("const f32 k = 1; fn f(a) = a; fn g(a) = a;\n"
                       "stencil one { axes x; field f32 u; u[t+1] = f(u); }\n"
                       "stencil two { axes x; field f32 u; u[t+1] = u; }\n"),
            "in.stn:1:34: warning: `g` is never used [STN0801]\n"
            "   1 | const f32 k = 1; fn f(a) = a; fn g(a) = a;\n"
            "     |                                  ^\n"
            "in.stn:1:11: warning: `k` is never used [STN0801]\n"
            "   1 | const f32 k = 1; fn f(a) = a; fn g(a) = a;\n"
            "     |           ^\n");
}

TEST(SemaFiles, LibrariesOfferFunctionsAndConstants) {
  const Files good =
      with_library("const f64 pi = 3; fn area(r) = pi*r*r; fn unused(r) = r;",
                   "stencil s { axes x; field f64 u boundary zero; u[t+1] = area(u[x-1]) + pi; }");
  EXPECT_EQ(good.complaints(), "");
  ASSERT_EQ(good.stencils.size(), 1u);
  EXPECT_EQ(first_value(good.stencils[0]), "add(mul(mul(3, u[x-1]), u[x-1]), 3)");
  EXPECT_EQ(with_library("fn area(r) = pi*r*r;",
                         "stencil s { axes x; field f64 u; u[t+1] = area(u) + area(2*u); }")
                .complaints(),
            "library.stn:1:14: error: `pi` is not declared [STN0201]\n"
            "   1 | fn area(r) = pi*r*r;\n"
            "     |              ^~\n");
}

}  // namespace
}  // namespace stencilc
