// At a limit all is well, above it there is one diagnostic, and the stack is never the limit; what
// the parser only just refuses, and what it only just takes.
#include <gtest/gtest.h>

#include "parse/expressions.h"
#include "parse/text.h"
#include "support/near_miss.h"

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

#ifdef STENCILC_ALL_TESTS
constexpr int kDeep = 100'000;
#else  // enough for any stack, if a level took but 300 bytes
constexpr int kDeep = 30'000;
#endif

TEST(ParseLimits, Nesting) {
  for (const Nest& nest : nests) {
    auto at_the_limit = parsed(nest.of(parse::max_nesting));
    EXPECT_EQ(testing::rendered(at_the_limit), "") << nest.open;
    for (int depth : {parse::max_nesting + 1, kDeep}) {
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
  std::string text = "stencil s { }  // ";
  text.resize(parse::max_file_size, 'x');
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

constexpr const char* kBorders = R"(
syntax chain | f64 | {{0 < u < 1 => (0 < u) == (u < 1)}} ? 1 : 2
syntax power | f64 | u *{{*  =>  +}}u
syntax separator | x | field f32 u boundary { x.lo: clamp{{ => ;}} x.hi: zero }; u[t+1] = u[x-1];
syntax keyword | x | field f32 u; field f32 {{where => wheres}} in; u[t+1] = u;
syntax order | x | field f32 u; u[t+1] = u {{where u > 0 on x => on x > 0 where u}} > 0;
bad-character comment | f64 | u {{× => /* × */ *}} 2
unterminated-comment overlap | file | stencil s { axes x; field f64 u boundary clamp; u[t+1] = u; } /*{{ => *}}/
unterminated-comment nesting | file | stencil s { axes x; field f64 u boundary clamp; u[t+1] = u; } /* /* */ /{{ => /}}*
bad-number i64 | f64 | u + {{9223372036854775808 => 9223372036854775807}}
bad-number f64 | f64 | u + 1.{{8e308 => 7976931348623157e308}}
bad-number tiny | f64 | u + {{1e => 5e}}-324
bad-number suffix | f64 | u + 0.{{5f => 5}}
bad-number hexadecimal | f64 | u + {{0x10 => 010}}
unbalanced closed | x | field f64 u boundary clamp; u[t+1] = u; }{{ =>  //}}
syntax part | x | field f32 u; u[t+1] = u; schedule { coarsened{{; => ,}} rows = 2{{ => ,}} }
)";
const std::string kUpdate = "stencil s { axes x; field f64 u boundary clamp; u[t+1] = *; }";

std::vector<testing::NearMiss> near_misses() {
  std::vector<testing::NearMiss> rows = testing::near_misses(kBorders, {{"f64", kUpdate}});
  const auto update = [](const std::string& value) { return testing::framed(kUpdate, value); };
  const auto nested = [&](int levels, const std::string& open, const std::string& close) {
    return update(times(levels, open) + "u" + times(levels, close));
  };
  const int levels = parse::max_nesting;
  const int terms = parse::max_height;
  rows.push_back({diag::bad_character, "quote", update("u - u'"), update("u - u // u'\n")});
  rows.push_back({diag::empty_file, "comment", "fn half(a) = a / 2; // " + update("u"),
                  "fn half(a) = a / 2; //\n" + update("u")});
  rows.push_back({diag::unbalanced, "comment", update("(u // )\n"), update("u // (\n")});
  rows.push_back(
      {diag::nesting_limit, "brackets", nested(levels + 1, "(", ")"), nested(levels, "(", ")")});
  rows.push_back(
      {diag::nesting_limit, "prefixes", nested(levels + 1, "-", ""), nested(levels, "-", "")});
  rows.push_back({diag::size_limit, "terms", update("u" + times(terms, " + u")),
                  update("u" + times(terms - 1, " + u"))});
  return rows;
}

TEST(ParseNearMiss, EachBorderIsWhereTheRowSays) {
  testing::expect_borders(near_misses(), parsed);
  testing::expect_all_codes(near_misses(), [](diag::Code code) {
    return code.number < 200 || code == diag::nesting_limit || code == diag::size_limit;
  });
}

// The examples of the table of codes, as far as the parser sees them.
TEST(ParseCodes, ExamplesReportTheirCodeOrNothing) {
  const auto is_the_parsers = [](diag::Code code) {
    return code.number < 200 || code == diag::nesting_limit;
  };
  testing::expect_examples(parsed, is_the_parsers);
  for (const diag::Row& row : diag::table()) {
    if (row.failing.empty() || is_the_parsers(row.code)) continue;
    EXPECT_EQ(testing::diagnostics(std::string(row.failing)), "") << row.name;
  }
}

}  // namespace
}  // namespace stencilc
