// At a limit all is well, above it there is one diagnostic, and the stack is never the limit.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "parse/expressions.h"
#include "parse/text.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::parsed;

std::string times(int n, const std::string& text) {
  std::string result;
  for (int i = 0; i < n; ++i) result += text;
  return result;
}

struct Nest {
  std::string open, middle, close;
  std::string of(int depth) const {
    return "stencil s { let e = " + times(depth, open) + middle + times(depth, close) +
           "; let f = 2; }";
  }
};

const std::vector<Nest> nests = {{"(", "u", ")"},
                                 {"-", "u", ""},
                                 {"!", "u", ""},
                                 {"u^", "u", ""},
                                 {"u[", "x", "]"},
                                 {"f(", "x", ")"},
                                 {"f(a = ", "x", ")"},
                                 {"u ? u : ", "u", ""},
                                 {"u ? ", "u", " : u"},
                                 {"sum(i in 0..1 : ", "u", ")"},
                                 {"sum(i in 0..", "1", " : u)"}};

TEST(ParseLimits, Nesting) {
  for (const Nest& nest : nests) {
    auto at_the_limit = parsed(nest.of(parse::max_nesting));
    EXPECT_EQ(testing::rendered(at_the_limit), "") << nest.open;
    for (int depth : {parse::max_nesting + 1, 100'000}) {
      auto above = parsed(nest.of(depth));
      ASSERT_EQ(above.engine.all().size(), 1u) << nest.open << depth;
      EXPECT_EQ(above.engine.all()[0].code, diag::nesting_limit);
      EXPECT_EQ(above.engine.all()[0].text, "nesting deeper than 256 levels");
      EXPECT_EQ(ast::print(above.program), "stencil s {\n  let f = 2;\n}\n");
    }
  }
}

TEST(ParseLimits, NestingIsNotCountedAcrossStatementsOrTerms) {
  EXPECT_EQ(parsed("stencil s {" + times(1000, "let a = -(u[x]^2);") + "}").engine.errors(), 0);
  EXPECT_EQ(parsed("stencil s { let a = " + times(1000, "-(u[x]^2) * ") + "u; }").engine.errors(),
            0);
}

TEST(ParseLimits, BlocksWithinEachOther) {
  for (std::string before : {"", "schedule ", "let a = "}) {
    auto result = parsed("stencil s { " + before + times(100'000, "{") + times(100'000, "}") +
                         " let f = 2; }");
    EXPECT_EQ(result.engine.errors(), 1) << before;
    EXPECT_EQ(ast::print(result.program), "stencil s {\n  let f = 2;\n}\n");
  }
}

TEST(ParseLimits, TermsOfASum) {
  auto sum = [](int terms) {
    return parsed("stencil s { let e = " + times(terms - 1, "u + ") + "u; let f = 2; }");
  };
  auto at_the_limit = sum(parse::max_height);
  EXPECT_EQ(testing::rendered(at_the_limit), "");
  EXPECT_GT(ast::print(at_the_limit.program).size(), 5u * parse::max_height);
  for (int terms : {static_cast<int>(parse::max_height) + 1, 100'000}) {
    auto above = sum(terms);
    ASSERT_EQ(above.engine.all().size(), 1u);
    EXPECT_EQ(above.engine.all()[0].code, diag::size_limit);
    EXPECT_EQ(ast::print(above.program), "stencil s {\n  let f = 2;\n}\n");
  }
}

TEST(ParseLimits, OperandsOfAFile) {
  std::string statement = "let a = " + times(999, "u * ") + "u;";
  auto result = parsed("stencil s {" + times(1001, statement) + "}");
  ASSERT_EQ(result.engine.all().size(), 1u);
  EXPECT_EQ(result.engine.all()[0].text, "the file has more than 2000000 operands");
}

TEST(ParseLimits, SizeOfAFile) {
  std::string text = "stencil s { }";
  text.resize(parse::max_file_size, ' ');
  EXPECT_EQ(parsed(text).engine.errors(), 0);
  auto above = parsed(text + " ");
  ASSERT_EQ(above.engine.all().size(), 1u);
  EXPECT_EQ(above.engine.all()[0].code, diag::size_limit);
}

TEST(ParseLimits, Errors) {
  EXPECT_EQ(parsed("stencil s {" + times(100'000, "let a = ;") + "}").engine.errors(), 1000);
  EXPECT_EQ(parsed("stencil s {" + times(100'000, "let a = 1\n") + "}").engine.errors(), 1000);
  EXPECT_EQ(parsed("stencil s { let a = f(" + times(100'000, "0x1, ") + "2); }").engine.errors(),
            1000);
  EXPECT_EQ(parsed(times(100'000, "} ")).engine.errors(), 1000);
  EXPECT_EQ(parsed("stencil s {" + times(100'000, "let a = 2 $ 3;") + "}").engine.errors(), 20);
}

}  // namespace
}  // namespace stencilc
