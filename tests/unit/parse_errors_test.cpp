// What is said about text that does not match, word for word.
#include <gtest/gtest.h>

#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::diagnostics;
using testing::parsed;

// The diagnostics of one statement, which stands on line 2 of a stencil.
std::string of_statement(const std::string& statement) {
  return diagnostics("stencil s {\n" + statement + "\n}\n");
}

TEST(ParseErrors, ExpectedAndFound) {
  EXPECT_EQ(of_statement("let a = ;"),
            R"(in.stn:2:9: error: expected an expression, found `;` [STN0101]
   2 | let a = ;
     |         ^
)");
  EXPECT_EQ(of_statement("let a = b c;"),
            R"(in.stn:2:11: error: expected `;`, found `c` [STN0101]
   2 | let a = b c;
     |           ^
)");
  EXPECT_EQ(of_statement("let color = 1;"),
            R"(in.stn:2:5: error: expected a name, found the reserved word `color` [STN0101]
   2 | let color = 1;
     |     ^~~~~
)");
  EXPECT_EQ(of_statement("param a = 1;"),
            R"(in.stn:2:9: error: expected the name of the parameter, found `=` [STN0101]
   2 | param a = 1;
     |         ^
  help: the type comes first, as in `param f32 a = 1;`
)");
  EXPECT_EQ(of_statement("const f32 w[-1, 1] = { 1 };"),
            R"(in.stn:2:15: error: expected `..`, found `,` [STN0101]
   2 | const f32 w[-1, 1] = { 1 };
     |               ^
)");
  EXPECT_EQ(of_statement("field f32 u boundary;"),
            R"(in.stn:2:21: error: expected the kind of boundary, found `;` [STN0101]
   2 | field f32 u boundary;
     |                     ^
  help: the kinds are none, fixed, clamp, reflect, mirror, antireflect, periodic, ghost, zero, constant, expr and neumann
)");
  EXPECT_EQ(of_statement("{ }"),
            R"(in.stn:2:1: error: expected a statement, found `{` [STN0101]
   2 | { }
     | ^
)");
}

TEST(ParseErrors, MisspelledKeywords) {
  EXPECT_EQ(of_statement("feild f32 u;"),
            R"(in.stn:2:1: error: expected a statement, found `feild` [STN0101]
   2 | feild f32 u;
     | ^~~~~
  help: did you mean `field`?
)");
  EXPECT_EQ(
      diagnostics("stencl a {\n  axes x;\n}\nstencil b { }\n"),
      R"(in.stn:1:1: error: expected `stencil`, `fn`, `const` or `use`, found `stencl` [STN0101]
   1 | stencl a {
     | ^~~~~~
  help: did you mean `stencil`?
)");
}

TEST(ParseErrors, MisspelledClauses) {
  EXPECT_EQ(
      of_statement("field f32 u boundry clamp;"),
      R"(in.stn:2:13: error: expected a role, `compute` or `boundary`, found `boundry` [STN0101]
   2 | field f32 u boundry clamp;
     |             ^~~~~~~
  help: did you mean `boundary`?
)");
}

TEST(ParseErrors, HabitsFromOtherLanguages) {
  EXPECT_EQ(of_statement("let a = b ** 2;"),
            R"(in.stn:2:12: error: expected an expression, found `*` [STN0101]
   2 | let a = b ** 2;
     |            ^
  help: power is written `^`
)");
  EXPECT_EQ(of_statement("let a = b & c;"),
            R"(in.stn:2:11: error: expected `;`, found `&` [STN0101]
   2 | let a = b & c;
     |           ^
  help: the logical and is written `&&`
)");
  EXPECT_EQ(of_statement("let a = (b = c);"),
            R"(in.stn:2:12: error: expected an operator or `)`, found `=` [STN0101]
   2 | let a = (b = c);
     |            ^
  help: comparison is written `==`
)");
  EXPECT_EQ(of_statement("u(t+1) = 2;"),
            R"(in.stn:2:2: error: expected `=` or `[`, found `(` [STN0101]
   2 | u(t+1) = 2;
     |  ^
  help: a place in a grid is written in brackets: `u[t+1]`
)");
}

TEST(ParseErrors, ChainedComparisons) {
  EXPECT_EQ(of_statement("let a = (b) < (c + 1) <= d;"),
            R"(in.stn:2:23: error: comparisons do not chain [STN0101]
   2 | let a = (b) < (c + 1) <= d;
     |                       ^~
  note: the first comparison yields true or false, which is then compared
  help: write `(b) < (c + 1) && (c + 1) <= d`
)");
  EXPECT_EQ(parsed("stencil s { let a = b < c < d < e == f; }").engine.errors(), 1);
  EXPECT_EQ(parsed("stencil s { let a = b < c && d < e; }").engine.errors(), 0);
}

TEST(ParseErrors, MissingSemicolonAtTheEndOfALine) {
  EXPECT_EQ(diagnostics(
                "stencil s {\n  field f32 u boundary clamp\n  u[t+1] = v  // w\n  let a = 1\n}\n"),
            R"(in.stn:2:29: error: expected `;` at the end of the statement [STN0101]
   2 |   field f32 u boundary clamp
     |                             ^
  help: add `;`
in.stn:3:13: error: expected `;` at the end of the statement [STN0101]
   3 |   u[t+1] = v  // w
     |             ^
  help: add `;`
in.stn:4:12: error: expected `;` at the end of the statement [STN0101]
   4 |   let a = 1
     |            ^
  help: add `;`
)");
  auto result = parsed("stencil s {\n  field f32 u\n  u[t+1] = v\n  let a = 1\n}\n");
  EXPECT_EQ(result.program.stencils.at(0).items.size(), 3u);
}

TEST(ParseErrors, BracketsThatAreNotClosed) {
  EXPECT_EQ(of_statement("u[t+1] = 2 * (a + b;"),
            R"(in.stn:2:20: error: expected `)`, found `;` [STN0106]
   2 | u[t+1] = 2 * (a + b;
     |                    ^
in.stn:2:14: note: this `(` is not closed
   2 | u[t+1] = 2 * (a + b;
     |              ^
)");
  EXPECT_EQ(of_statement("u[t+1) = 2;"),
            R"(in.stn:2:6: error: expected `]`, found `)` [STN0106]
   2 | u[t+1) = 2;
     |      ^
in.stn:2:2: note: this `[` is not closed
   2 | u[t+1) = 2;
     |  ^
)");
  EXPECT_EQ(of_statement("const f32 w[0..1] = { 1, 2;\nlet a = 1;"),
            R"(in.stn:2:27: error: expected `}`, found `;` [STN0106]
   2 | const f32 w[0..1] = { 1, 2;
     |                           ^
in.stn:2:21: note: this `{` is not closed
   2 | const f32 w[0..1] = { 1, 2;
     |                     ^
)");
}

TEST(ParseErrors, BracesThatAreNotClosed) {
  EXPECT_EQ(diagnostics("stencil a {\n  let b = 1;\n"),
            R"(in.stn:3:1: error: expected `}`, found the end of the file [STN0106]
   3 | 
     | ^
in.stn:1:11: note: this `{` of stencil `a` is not closed
   1 | stencil a {
     |           ^
)");
  EXPECT_EQ(diagnostics("stencil a {\n  let b = (1 +"),
            R"(in.stn:2:15: error: expected `}`, found the end of the file [STN0106]
   2 |   let b = (1 +
     |               ^
in.stn:1:11: note: this `{` of stencil `a` is not closed
   1 | stencil a {
     |           ^
)") << "a text that ends early has one error";
  EXPECT_EQ(diagnostics("stencil a {\nstencil b { }\n"),
            R"(in.stn:2:1: error: expected `}`, found the reserved word `stencil` [STN0106]
   2 | stencil b { }
     | ^~~~~~~
in.stn:1:11: note: this `{` of stencil `a` is not closed
   1 | stencil a {
     |           ^
)");
  EXPECT_EQ(parsed("stencil a { stencil b { } }").engine.errors(), 1);
  EXPECT_EQ(diagnostics("stencil a { }\n}\n"),
            R"(in.stn:2:1: error: this `}` closes nothing [STN0106]
   2 | }
     | ^
)");
}

TEST(ParseErrors, Numbers) {
  EXPECT_EQ(of_statement("let a = 0.5f + 0x10;"),
            R"(in.stn:2:9: error: `0.5f` is not a number [STN0105]
   2 | let a = 0.5f + 0x10;
     |         ^~~~
  help: numbers have no suffix: write `0.5`
in.stn:2:16: error: `0x10` is not a number [STN0105]
   2 | let a = 0.5f + 0x10;
     |                ^~~~
  note: numbers are written in decimal
)");
  EXPECT_EQ(of_statement("let a = 9223372036854775808;"),
            R"(in.stn:2:9: error: `9223372036854775808` is out of the range of `i64` [STN0105]
   2 | let a = 9223372036854775808;
     |         ^~~~~~~~~~~~~~~~~~~
  help: write `9223372036854775808.0` for a floating-point number
)");
  for (std::string number : {"1e999", "1e-999"}) {
    EXPECT_EQ(of_statement("let a = " + number + ";").substr(0, 60),
              ("in.stn:2:9: error: `" + number + "` is out of the range of `f64` [STN0105]")
                  .substr(0, 60));
  }
}

TEST(ParseErrors, Characters) {
  EXPECT_EQ(of_statement("let a = 2 \xC3\x97 3; let b = \xE2\x88\x92 1;"),
            "in.stn:2:11: error: unexpected character `\xC3\x97` [STN0102]\n"
            "   2 | let a = 2 \xC3\x97 3; let b = \xE2\x88\x92 1;\n"
            "     |           ^\n"
            "  help: write `*`\n"
            "in.stn:2:25: error: unexpected character `\xE2\x88\x92` [STN0102]\n"
            "   2 | let a = 2 \xC3\x97 3; let b = \xE2\x88\x92 1;\n"
            "     |                        ^\n"
            "  help: write `-`\n");
  EXPECT_EQ(of_statement("let a = b $ c; let d = ;"),
            R"(in.stn:2:11: error: unexpected character `$` [STN0102]
   2 | let a = b $ c; let d = ;
     |           ^
in.stn:2:24: error: expected an expression, found `;` [STN0101]
   2 | let a = b $ c; let d = ;
     |                        ^
)");
  EXPECT_EQ(of_statement("let \xC3\xA9t\xC3\xA9 = 1;").substr(0, 60),
            std::string("in.stn:2:5: error: unexpected character `\xC3\xA9` [STN0102]\n   2 | let")
                .substr(0, 60));
}

TEST(ParseErrors, BinaryFiles) {
  EXPECT_EQ(diagnostics(std::string("\x7f"
                                    "ELF\x02\0\0;;;",
                                    10)),
            "in.stn:1:1: error: control character `\\x7f` [STN0102]\n"
            "   1 | \\x7fELF\\x02\\x00\\x00;;;\n"
            "     | ^~~~\n"
            "  note: a .stn file is a text file\n");
  EXPECT_EQ(diagnostics(std::string("stencil s { /* \0 */ }", 21)),
            "in.stn:1:16: error: control character `\\x00` [STN0102]\n"
            "   1 | stencil s { /* \\x00 */ }\n"
            "     |                ^~~~\n"
            "  note: a .stn file is a text file\n");
  EXPECT_EQ(diagnostics("stencil s { let a = \xff\xfe; }"),
            "in.stn:1:21: error: byte `\\xff` is not valid UTF-8 [STN0102]\n"
            "   1 | stencil s { let a = \\xff\\xfe; }\n"
            "     |                     ^~~~\n"
            "  note: a .stn file is a text file\n");
}

TEST(ParseErrors, NoControlCharacterReachesTheTerminal) {
  for (std::string hidden :
       {"// \x1b[31m", "let a = \"\x1b[31m\";", "let \x1b = 1;", "use \"a\x1b\";"}) {
    std::string text = of_statement(hidden);
    EXPECT_NE(text.find("control character `\\x1b` [STN0102]"), std::string::npos) << hidden;
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << hidden;
  }
}

TEST(ParseErrors, FilesWithoutAStencil) {
  for (std::string text : {"", " \n\t", "// a\n# b\n/* c */", "\xEF\xBB\xBF", "fn f(a) = a;"}) {
    EXPECT_NE(
        diagnostics(text).find("in.stn:1:1: error: there is no stencil in this file [STN0104]\n"),
        std::string::npos);
    EXPECT_EQ(parsed(text).engine.errors(), 1) << text;
  }
}

TEST(ParseErrors, UnterminatedComment) {
  EXPECT_EQ(diagnostics("stencil s {\n  let a = ; /* b /* c\n}\n"),
            R"(in.stn:2:13: error: this comment has no end [STN0103]
   2 |   let a = ; /* b /* c
     |             ^~
  help: close it with `*/`
)");
}

TEST(ParseErrors, StatementsAtFileScope) {
  EXPECT_EQ(
      diagnostics("param f32 a;\nlet b = 2;\nstencil s { }\n"),
      R"(in.stn:1:1: error: expected `stencil`, `fn`, `const` or `use`, found the reserved word `param` [STN0101]
   1 | param f32 a;
     | ^~~~~
  help: statements stand inside the braces of a `stencil name { ... }`
)");
}

TEST(ParseErrors, OneForEachBrokenStatementAndTheRestIsKept) {
  auto result = parsed(R"(
fn f(a) = (a;
fn g(a) = a;
stencil one {
  axes x
  let a = ) + 2;
  let b = 1;
  const f32 w[0..2] = { 1, 2 3 } / 4;
  u[t+1] = (b + ] * 2;
  { { ; } }
  let c = 2;
  if (c) { u = 1; } else { u = 2; }
  let d = 3;
}
stencil { axes x; }
stencil two let x = 1; }
stencil three { let e = 4; }
)");
  EXPECT_EQ(result.engine.errors(), 10) << testing::rendered(result);
  EXPECT_EQ(ast::print(result.program),
            "fn g(a) = a;\n"
            "stencil one {\n  axes x;\n  let b = 1;\n  let c = 2;\n  let d = 3;\n}\n"
            "stencil three {\n  let e = 4;\n}\n");
}

}  // namespace
}  // namespace stencilc
