// What is said about text that does not match, word for word.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "support/parsed.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::diagnostics;
using testing::expect_pages;
using testing::expect_statements;
using testing::parsed;
using testing::Parsed;
using testing::rendered;

const std::string kBegin = "stencil s {\n", kEnd = "\n}\n";

TEST(ParseErrors, OfStatements) {
  expect_statements(diagnostics, kBegin, kEnd, R"(
--- expected and found
let a = ;
        ^ error: expected an expression, found `;` [STN0101]
let a = b c;
          ^ error: expected `;`, found `c` [STN0101]
let color = 1;
    ^~~~~ error: expected a name, found the reserved word `color` [STN0101]
param a = 1;
        ^ error: expected the name of the parameter, found `=` [STN0101]
  help: the type comes first, as in `param f32 a = 1;`
const f32 w[-1, 1] = { 1 };
              ^ error: expected `..`, found `,` [STN0101]
  help: an array of weights has a range for each index, both ends included: `w[0..2]` has three elements
field f32 u boundary;
                    ^ error: expected the kind of boundary, found `;` [STN0101]
  help: a boundary is written `boundary clamp` or `boundary constant 0`
{ }
^ error: expected a statement, found `{` [STN0101]
--- misspelled keywords
feild f32 u;
^~~~~ error: expected a statement, found `feild` [STN0101]
  help: did you mean `field`?
--- misspelled clauses
field f32 u boundry clamp;
            ^~~~~~~ error: expected a role, `compute` or `boundary`, found `boundry` [STN0101]
  help: did you mean `boundary`?
--- habits from other languages
let a = b ** 2;
           ^ error: expected an expression, found `*` [STN0101]
  help: a power is written `^`
let a = b & c;
          ^ error: expected `;`, found `&` [STN0101]
  help: the logical and is written `&&`; that of the bits of integers is `bit_and(a, b)`
let a = b << 2;
           ^ error: expected an expression, found `<` [STN0101]
  help: there are no shifts: `a << 3` is `a * 8`
let a = b >> 2;
           ^ error: expected an expression, found `>` [STN0101]
  help: there are no shifts: `a >> 3` is `idiv(a, 8)`
let a = (b = c);
           ^ error: expected an operator or `)`, found `=` [STN0101]
  help: equality is written `==`
let a = b ? sweep(c)[x+1] : c;
                    ^ error: expected `:`, found `[` [STN0101]
  help: only a name has neighbours: name the value, as in `let a = ...;`, and write `a[x-1]`
let a = sum(i in -1..1 : (b*b)[x+i]);
                              ^ error: expected an operator or `)`, found `[` [STN0101]
  help: only a name has neighbours: name the value, as in `let a = ...;`, and write `a[x-1]`
let a = (b + c)[x-1];
               ^ error: expected `;`, found `[` [STN0101]
  help: only a name has neighbours: name the value, as in `let a = ...;`, and write `a[x-1]`
let a = b[x-1][t-1];
              ^ error: expected `;`, found `[` [STN0101]
  help: write all indices in one bracket, as in `u[t-1, x+1]`
let a = 2[x];
         ^ error: expected `;`, found `[` [STN0101]
  help: a number is the same in every cell: leave out the bracket
let a = b ? c & d : e;
              ^ error: expected `:`, found `&` [STN0101]
  help: the logical and is written `&&`; that of the bits of integers is `bit_and(a, b)`
u(t+1) = 2;
 ^ error: expected `=` or `[`, found `(` [STN0101]
  help: a position in the grid is written in brackets: `u[t+1]`
--- chained comparisons
let a = (b) < (c + 1) <= d;
                      ^~ error: comparisons do not chain [STN0101]
  note: the first comparison yields true or false, which is then compared
  help: write `(b) < (c + 1) && (c + 1) <= d`
--- brackets that are not closed
u[t+1] = 2 * (a + b;
                   ^ error: expected `)`, found `;` [STN0106]
             ^ note: this `(` is not closed
u[t+1) = 2;
     ^ error: expected `]`, found `)` [STN0106]
 ^ note: this `[` is not closed
--- numbers
let a = 0.5f + 0x10;
        ^~~~ error: `0.5f` is not a number [STN0105]
  help: numbers have no suffix: write `0.5`
               ^~~~ error: `0x10` is not a number [STN0105]
  note: numbers are written in decimal
let a = 9223372036854775808;
        ^~~~~~~~~~~~~~~~~~~ error: `9223372036854775808` is out of the range of `i64` [STN0105]
  help: write `9223372036854775808.0` for a floating-point number
--- characters
let a = b $ c; let d = ;
          ^ error: unexpected character `$` [STN0102]
                       ^ error: expected an expression, found `;` [STN0101]
)");
  expect_pages(diagnostics, kBegin, kEnd, R"(
--- brackets that are not closed
const f32 w[0..1] = { 1, 2;
                          ^ error: expected `}`, found `;` [STN0106]
                    ^ note: this `{` is not closed
let a = 1;
)");
  EXPECT_EQ(parsed("stencil s { let a = b < c < d < e == f; }").engine.errors(), 1);
  EXPECT_EQ(parsed("stencil s { let a = b < c && d < e; }").engine.errors(), 0);
  for (std::string number : {"1e999", "1e-999"})
    EXPECT_TRUE(diagnostics(kBegin + "let a = " + number + ";" + kEnd)
                    .starts_with("in.stn:2:9: error: `" + number +
                                 "` is out of the range of `f64` [STN0105]\n"));
}

TEST(ParseErrors, OfFiles) {
  expect_pages(diagnostics, R"(
--- misspelled keywords
stencl a {
^~~~~~ error: expected `stencil`, `fn`, `const` or `use`, found `stencl` [STN0101]
  help: did you mean `stencil`?
  axes x;
}
stencil b { }

--- missing semicolon at the end of a line
stencil s {
  field f32 u boundary clamp
                            ^ error: expected `;` at the end of the statement [STN0101]
  help: add `;`
  u[t+1] = v  // w
            ^ error: expected `;` at the end of the statement [STN0101]
  help: add `;`
  let a = 1
           ^ error: expected `;` at the end of the statement [STN0101]
  help: add `;`
}

--- braces that are not closed
stencil a {
          ^ note: this `{` of stencil `a` is not closed
stencil b { }
^~~~~~~ error: expected `}`, found the reserved word `stencil` [STN0106]

stencil a { }
}
^ error: this `}` has no matching `{` [STN0106]

--- unterminated comment
stencil s {
  let a = ; /* b /* c
            ^~ error: this comment has no end [STN0103]
  help: close it with `*/`
}

--- statements at file scope
param f32 a;
^~~~~ error: expected `stencil`, `fn`, `const` or `use`, found the reserved word `param` [STN0101]
  help: statements come inside the braces of a `stencil name { ... }`
let b = 2;
stencil s { }

--- use
use file.stn;
    ^~~~ error: expected the name of a file in quotes, found `file` [STN0101]
  help: as in `use "file.stn";`
stencil s { }

use "file.stn;
    ^~~~~~~~~~ error: this string does not end on its line [STN0101]
  help: as in `use "file.stn";`
stencil s { }

use "";
    ^~ error: this string is empty [STN0101]
  help: as in `use "file.stn";`
stencil s { }

use "file.stn"
              ^ error: expected `;` at the end of the statement [STN0101]
  help: add `;`
stencil s { }
)");
  auto result = parsed("stencil s {\n  field f32 u\n  u[t+1] = v\n  let a = 1\n}\n");
  EXPECT_EQ(result.program.stencils.at(0).items.size(), 3u);
}

// What is said of a stencil whose last statement is read.
std::string passed_over(const std::string& text) {
  const Parsed result = parsed(text);
  EXPECT_EQ(ast::print(result.program), "stencil s {\n  let k = 7;\n}\n");
  return rendered(result);
}

TEST(ParseErrors, OfStatementsBeforeOthers) {
  const std::string next = "\nlet k = 7;\n}\n";
  expect_statements(passed_over, kBegin, next, R"(
--- clauses of updates
u[t+1] = 2 where m on x >= 1;
                   ^~ error: expected `;`, found the reserved word `on` [STN0101]
  help: `on` comes before `where`
u[t+1] = 2 where m
   on x >= 1;
   ^~ error: expected `;`, found the reserved word `on` [STN0101]
  help: `on` comes before `where`
u[t+1] = 2 on x >= 1 on y >= 1;
                     ^~ error: expected `;`, found the reserved word `on` [STN0101]
  help: the conditions of one `on` are separated by commas: `on x >= 1, y < 3`
u[t+1] = 2 where a, b;
                  ^ error: expected `;`, found `,` [STN0101]
  help: write all conditions in one `where`, joined with `&&`
u[t+1] = 2 on ;
              ^ error: expected a condition such as `x >= 1`, found `;` [STN0101]
let a = 2 on x > 1;
          ^~ error: expected `;`, found the reserved word `on` [STN0101]
  help: only updates and reductions have `on`
on x > 1;
^~ error: expected a statement, found the reserved word `on` [STN0101]
  help: `on` comes at the end of an update or a reduction, before its `;`
u[t+1] = 2 were m;
           ^~~~ error: expected `;`, found `were` [STN0101]
  help: did you mean `where`?
u[t+1] += amp[t] at src;
                 ^~ error: expected `;`, found `at` [STN0101]
  help: write `inject` to add values at points, as in `inject u[t+1] += amp[t] at src;`
--- clauses of fields
field f32 u boundary clamp compute f64;
                           ^~~~~~~ error: expected `;`, found the reserved word `compute` [STN0101]
  help: `compute` comes before `boundary`
let a = 1 compute f32;
          ^~~~~~~ error: expected `;`, found the reserved word `compute` [STN0101]
  help: only fields have `compute`
field f16 u in compte f32;
               ^~~~~~ error: expected `;`, found `compte` [STN0101]
  help: did you mean `compute`?
field f16 u compute boundary clamp;
                    ^~~~~~~~ error: expected a type, found the reserved word `boundary` [STN0101]
field f32 u
boundary u, v clamp;
          ^ error: expected `;`, found `,` [STN0101]
  help: `;` is missing before `boundary`
--- boundaries
boundary u { x periodic }
               ^~~~~~~~ error: expected `:`, found `periodic` [STN0101]
  help: a side is written `x: periodic;` or `x.lo: clamp;`
field f32 u boundary { x: periodic, y: clamp };
                                  ^ error: expected `;` or `}`, found `,` [STN0101]
  help: sides are separated by `;`
boundary u { x.: periodic }
               ^ error: expected `lo` or `hi`, found `:` [STN0101]
boundary u { }
             ^ error: expected the name of an axis, found `}` [STN0101]
  help: a side is written `x: periodic;` or `x.lo: clamp;`
boundary clamp;
              ^ error: expected the kind of boundary, found `;` [STN0101]
  help: the field comes first, as in `boundary u clamp;`
boundary u { x: 0.5*sin(t) }
                ^~~ error: expected the kind of boundary, found `0.5` [STN0101]
  help: a value takes a word before it: `constant 0.5`, or `expr 0.5*x` for one that differs from cell to cell or with `t`
boundary { x: clamp; }
         ^ error: expected the name of a field, found `{` [STN0101]
  help: the field comes first, as in `boundary u clamp;`
--- reductions
reduce r = max(u) + 1;
                  ^ error: expected `;`, found `+` [STN0101]
  help: a reduction is one call: do arithmetic with `r` where it is used
reduce r = max(u, v);
                ^ error: expected an operator or `)`, found `,` [STN0101]
  help: a reduction has one expression, as in `reduce r = max(max(u, v));`
reduce r = max(i in 0..1 : u[x+i]);
                 ^~ error: expected an operator or `)`, found the reserved word `in` [STN0101]
  help: write the window inside the call, as in `reduce r = max(max(i in 0..1 : u[x+i]));`
reduce max(u);
          ^ error: expected `=`, found `(` [STN0101]
  help: the result has a name, as in `reduce r = sum(u);`
reduce r = 3;
           ^ error: expected the kind of reduction, found `3` [STN0101]
  help: the kinds are sum, prod, min, max and norm2, as in `reduce r = sum(u);`
reduce r = u;
            ^ error: expected `(`, found `;` [STN0101]
  help: a reduction is one call, as in `reduce r = sum(u);`
--- numbers of steps
iterate 100;
           ^ error: expected `times`, found `;` [STN0101]
  help: write `iterate 100 times;` or `iterate until r < tol, limit 1000;`
iterate ;
        ^ error: expected a number of steps or `until`, found `;` [STN0101]
iterate until c check every 5, limit 10;
                ^~~~~ error: expected `;`, found `check` [STN0101]
  help: add `,` before `check`
iterate until c
  limit 10;
  ^~~~~ error: expected `;`, found `limit` [STN0101]
  help: add `,` before `limit`
iterate until c, limit 5, check every 3;
                        ^ error: expected `;`, found `,` [STN0101]
  help: `check` comes before `limit`
iterate until c, limit 5 check every 2;
                         ^~~~~ error: expected `;`, found `check` [STN0101]
  help: `check` comes before `limit`
iterate until c, check 5, limit 10;
                       ^ error: expected `every`, found `5` [STN0101]
  help: as in `check every 10`
iterate until c, limt 10;
                 ^~~~ error: expected `check every` or `limit`, found `limt` [STN0101]
  help: did you mean `limit`?
itrate 10 times;
^~~~~~ error: expected a statement, found `itrate` [STN0101]
  help: did you mean `iterate`?
--- colours
color red, black (x+y) % 2;
                 ^ error: expected `by`, found `(` [STN0101]
  help: as in `color red, black by (x+y) % 2;`
--- points and series
points src linaer;
           ^~~~~~ error: expected `;`, found `linaer` [STN0101]
  help: did you mean `linear`?
series amp(src);
          ^ error: expected the name of the series, found `(` [STN0101]
  help: the type comes first, as in `series f32 amp(src);`
series f32 amp;
              ^ error: expected `(`, found `;` [STN0101]
  help: a series belongs to a list of points, as in `series f32 amp(src);`
weights f32 w;
             ^ error: expected `[`, found `;` [STN0101]
  help: weights have a range for each index, as in `weights w[-1..1];`
inject u[t+1] = 2 at src;
              ^ error: expected `+=` or `-=`, found `=` [STN0101]
  help: a source is added to a field, as in `inject u[t+1] += amp[t] at src;`
inject u[t+1] += 2;
                  ^ error: expected `at`, found `;` [STN0101]
  help: say where, as in `inject u[t+1] += amp[t] at src;`
inject u[t+1] += 2 at (3, 4);
                      ^ error: expected the name of a list of points, found `(` [STN0101]
  help: the places are given at run time, to a list such as `points src;`
sample u at rec;
         ^~ error: expected `=`, found `at` [STN0101]
  help: a series takes the values, as in `sample trace[t] = u at rec;`
sample trace[t] = u;
                   ^ error: expected `at`, found `;` [STN0101]
  help: say where, as in `sample trace[t] = u at rec;`
--- use
use "a.stn";
^~~ error: expected a statement, found the reserved word `use` [STN0101]
  help: `use` comes at the top of the file, outside of stencils
)");
  expect_pages(passed_over, kBegin, next, R"(
--- boundaries
boundary u {
  x: periodic
  y: clamp
  ^ error: expected `;` or `}`, found `y` [STN0101]
  help: sides are separated by `;`
}

boundary u { x: periodic
           ^ note: this `{` is not closed
u[t+1] = 2;
^ error: expected `;` or `}`, found `u` [STN0106]

boundary u { x: periodic;
           ^ note: this `{` is not closed
u[t+1] = 2;
 ^ error: expected `:`, found `[` [STN0106]
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
  EXPECT_EQ(parsed("stencil a { stencil b { } }").engine.errors(), 1);
}

TEST(ParseErrors, Characters) {
  EXPECT_EQ(diagnostics(kBegin + "let a = 2 \xC3\x97 3; let b = \xE2\x88\x92 1;" + kEnd),
            "in.stn:2:11: error: unexpected character `\xC3\x97` [STN0102]\n"
            "   2 | let a = 2 \xC3\x97 3; let b = \xE2\x88\x92 1;\n"
            "     |           ^\n"
            "  help: write `*`\n"
            "in.stn:2:25: error: unexpected character `\xE2\x88\x92` [STN0102]\n"
            "   2 | let a = 2 \xC3\x97 3; let b = \xE2\x88\x92 1;\n"
            "     |                        ^\n"
            "  help: write `-`\n");
  EXPECT_TRUE(
      diagnostics(kBegin + "let \xC3\xA9t\xC3\xA9 = 1;" + kEnd)
          .starts_with("in.stn:2:5: error: unexpected character `\xC3\xA9` [STN0102]\n   2 | let"));
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
    std::string text = diagnostics(kBegin + hidden + kEnd);
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

// A schedule with lets around it, which are read.
std::string around(const std::string& item) {
  return "stencil s {\n  let a = 1;\n" + item + "  let b = 2;\n}\n";
}

TEST(ParseSchedules, WhatIsWrongIsSaidOnceAndReadingGoesOnBehindTheBlock) {
  const auto refusal = [](const std::string& text) {
    const Parsed result = parsed(text);
    EXPECT_EQ(ast::print(result.program), around("")) << text;
    return rendered(result);
  };
  const std::string before = "stencil s {\n  let a = 1;\n", after = "\n  let b = 2;\n}\n";
  expect_statements(refusal, before, after, R"(
  schedule tiled;
           ^~~~~ error: expected `{`, found `tiled` [STN0101]
  help: as in `schedule { coarsened, threads = 32x8 }` or `schedule for sm_90 { ... }`
  schedule { };
             ^ error: expected a part of a schedule, found `}` [STN0101]
  help: as in `schedule { coarsened, threads = 32x8 }`
  schedule { coarsened, = 3 }
                        ^ error: expected a part of a schedule, found `=` [STN0101]
  help: as in `schedule { coarsened, threads = 32x8 }`
  schedule { coarsened; threads = 32x8; }
                      ^ error: expected `,` or `}`, found `;` [STN0101]
  help: the parts of a schedule are separated by `,`
  schedule { threads: 32x8, a = { b; } }
                    ^ error: expected `,` or `}`, found `:` [STN0101]
  help: write a value after `=`, as in `threads = 32x8`
  schedule { threads 32x8 };
                     ^~~~ error: expected `,` or `}`, found `32x8` [STN0101]
  help: write a value after `=`, as in `threads = 32x8`
  schedule { threads = 32 x 8 }
                          ^ error: expected `,` or `}`, found `x` [STN0101]
  help: write a value without blanks, as in `threads = 32x8`
  schedule { threads = }
                       ^ error: expected a word or a number, found `}` [STN0101]
  help: as in `threads = 32x8` or `coarsen = y4`
  schedul { coarsened }
  ^~~~~~~ error: expected a statement, found `schedul` [STN0101]
  help: did you mean `schedule`?
  schedule for { coarsened }
               ^ error: expected an architecture such as `sm_90`, or `cpu`, found `{` [STN0101]
)");
  expect_pages(refusal, before, after, R"(
  schedule {
    coarsened
    threads = 32x8
    ^~~~~~~ error: expected `,` or `}`, found `threads` [STN0101]
  help: add `,`
  }
)");
}

TEST(ParseSchedules, ABlockThatIsNotClosed) {
  for (const char* next : {"let b = 2; let c = 3;", "u[t+1] = 2; let c = 3;"}) {
    const Parsed result =
        parsed(std::string("stencil s {\n  schedule { coarsened\n  ") + next + "\n}\n");
    ASSERT_EQ(result.engine.all().size(), 1u) << rendered(result);
    EXPECT_EQ(result.engine.all()[0].code, diag::unbalanced);
    EXPECT_EQ(result.engine.all()[0].notes.at(0).text, "this `{` is not closed");
    EXPECT_EQ(ast::print(result.program), "stencil s {\n  let c = 3;\n}\n");
  }
}

TEST(ParseSchedules, NoneStandsBesideTheStencils) {
  const Parsed result = parsed("stencil s { }\nschedule for cpu { loops }\nfn f(a) = a;\n");
  EXPECT_EQ(result.engine.errors(), 1) << rendered(result);
  EXPECT_NE(rendered(result).find("statements come inside the braces of a `stencil"),
            std::string::npos);
  EXPECT_EQ(ast::print(result.program), "fn f(a) = a;\nstencil s {\n}\n");
}

}  // namespace
}  // namespace stencilc
