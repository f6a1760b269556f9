// Every error of a text in one run, each said once, and nothing that only follows from another;
// several stencils in one file, and what stands beside them; what people write who come from C,
// Python or a textbook.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "support/interpreted.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::expect_pages;
using testing::expect_rows;

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// The tables themselves: a page stands for the whole text, and a row that is wrong is named.
TEST(Tables, SayWhichRowIsWrong) {
  const testing::Page page = testing::pages_of(R"(
--- a title
let a = b[x];
    ^ note 2: a place
        ^~~~ error: one [STN0001]
  help: do this
let c = 1;
    ^ error: two [STN0002]
  note: why
)",
                                               9, false)
                                 .at(0);
  EXPECT_EQ(page.text, "let a = b[x];\nlet c = 1;");
  EXPECT_EQ(page.said,
            "in.stn:9:9: error: one [STN0001]\n   9 | let a = b[x];\n     |         ^~~~\n"
            "  help: do this\n"
            "in.stn:10:5: error: two [STN0002]\n  10 | let c = 1;\n     |     ^\n"
            "in.stn:9:5: note: a place\n   9 | let a = b[x];\n     |     ^\n"
            "  note: why\n");
  const auto same = [](const std::string& text) { return text + "\n"; };
  expect_rows(same, "one => one\ntwo\nlines => two\n   lines\n");
  EXPECT_NONFATAL_FAILURE(expect_rows(same, "--- a title\none => another\n"), "a title\none");
  EXPECT_NONFATAL_FAILURE(expect_rows(same, "one ~> another\n"), "one");
  EXPECT_NONFATAL_FAILURE(expect_pages(complaints, "let a = 1;\n    ^ error: wrong\n"), "let a");
}

TEST(SemaErrors, EachIsSaidOnce) {
  expect_pages(complaints, R"(
--- several in one run
stencil s { axes x, y;
  param f32 speed;
  field f32 u, v boundary clamp;
  let a = u[x-1] + oops;
                   ^~~~ error: `oops` is not declared [STN0201]
  help: declare it, for example `param f32 oops;`
  u[t+1] = a + v[q+1];
                 ^ error: `q` is not declared [STN0201]
  help: an offset names an axis, here `x` or `y`, as in `u[x-1]`
  v[t+1] = u ? sped : 2;
               ^~~~ error: `sped` is not declared [STN0201]
  help: did you mean `speed`?
  w = 3; }
  ^ error: `w` is not declared [STN0201]
  help: declare it: `field f32 w;`, or `let w = ...;` for an intermediate value

--- a const is used above its declaration
stencil s { axes x;
  const f32 half = whole / 2;
                   ^~~~~ error: `whole` is declared below its use [STN0201]
  const f32 whole = 1;
            ^~~~~ note: it is declared here
  help: a const and the range of an array use only consts and functions that are declared above them
  field f32 u boundary clamp;
  u[t+1] = half*u; }

--- a field without boundary is named once a statement
stencil s { axes x, y; field f32 u;
                                 ^ note: `u` is declared here without a boundary
  u[t+1] = u[x-1] + u[x+1] + u[y-1] + u[y+1]; }
           ^~~~~~ error: `u` is read in neighbouring cells, but it has no boundary [STN0404]
  help: add one of `boundary clamp`, `reflect`, `mirror`, `periodic`, `zero`, `constant VALUE`, `fixed` or `none`

--- nor in another statement, or by a let that is read beside the cell
stencil s { axes x; field f32 u, v boundary clamp; field f32 c in;
                                                             ^ note: `c` is declared here without a boundary
  let s = c*u;
          ^ error: `c` is read in neighbouring cells, but it has no boundary [STN0404]
  help: add one of `boundary clamp`, `reflect`, `mirror`, `periodic`, `zero`, `constant VALUE`, `fixed` or `none`
  u[t+1] = s[x+1] - s[x-1];
  v[t+1] = s[x+2] - c[x-1]; }

--- every name of an expression that is not declared, once
stencil s { axes x; field f32 u boundary clamp; param f32 alpha;
  u[t+1] = alpa*u[x-1] + (True ? sin(three) : siin(u)) + sum(i in -1..1 : i*w[i]) + 2*u[q, x+wide] + alpa;
           ^~~~ error: `alpa` is not declared [STN0201]
  help: did you mean `alpha`?
                          ^~~~ error: `True` is not declared [STN0201]
  help: did you mean `true`?
                                     ^~~~~ error: `three` is not declared [STN0201]
  help: declare it, for example `param f32 three;`
                                              ^~~~ error: there is no function `siin` [STN0201]
  help: did you mean `sin`?
                                                                            ^ error: `w` is not declared [STN0201]
  help: declare it, for example `field f32 w;`
                                                                                        ^ error: `q` is not declared [STN0201]
  help: an offset names an axis, here `x`, as in `u[x-1]`
                                                                                             ^~~~ error: `wide` is not declared [STN0201]
  help: an offset names an axis, here `x`, as in `u[x-1]`
}

--- in a let
stencil s { axes x; field f32 u boundary clamp;
  let z = one + two + one;
          ^~~ error: `one` is not declared [STN0201]
  help: declare it, for example `param f32 one;`
                ^~~ error: `two` is not declared [STN0201]
  help: declare it, for example `param f32 two;`
  u[t+1] = z + z[x-1]; }

--- in a function, whatever calls it
stencil s { axes x; field f32 u boundary clamp;
  fn f(q) = first*q + second[x-1];
            ^~~~~ error: `first` is not declared [STN0201]
                      ^~~~~~ error: `second` is not declared [STN0201]
  u[t+1] = f(u) + f(2*u); }

--- a field with wrong axes is not asked for a boundary
stencil s { axes x, y; field f32 u;
  field f32 m(y, x) in;
                 ^ error: the axes of `m` have to be in the order of the stencil, each at most once [STN0204]
  note: the stencil has the axes `x`, `y`
  u[t+1] = m[x+1] * u; }

--- a radius too large is said once a statement
stencil s { axes x; field f32 u boundary clamp;
u[t+1] = u[x-70] + u[x+70] + u[x+80]; }
         ^~~~~~~ error: `u` is read 70 cells away along x; the limit is 64 [STN0407]

--- and once a reduction
stencil s { axes x; field f32 u boundary clamp; u[t+1] = u;
reduce r = sum(u[x-70] + u[x+70]);
               ^~~~~~~ error: `u` is read 70 cells away along x; the limit is 64 [STN0407]
reduce q = max(u[x+70]); }
               ^~~~~~~ error: `u` is read 70 cells away along x; the limit is 64 [STN0407]

--- a recursion is said once
stencil s { axes x; field f32 u, v;
fn f(a) = f(a) + f(2*a);
          ^~~~ error: `f` calls itself [STN0213]
  help: functions are inlined, so they cannot be recursive
   ^ note: it is declared here
u[t+1] = f(u) + f(v);
v[t+1] = f(v); }

stencil s { axes x; field f32 u, v;
fn f(a) = g(a);
   ^ note: it is declared here
fn g(a) = f(a);
          ^~~~ error: `f` calls itself [STN0213]
  help: functions are inlined, so they cannot be recursive
u[t+1] = f(u);
v[t+1] = g(v); }

--- an error in a function is said once not once a call
stencil s { axes x; field f32 u, v;
fn f(a) = a + oops;
              ^~~~ error: `oops` is not declared [STN0201]
u[t+1] = f(u) + f(v);
v[t+1] = f(v); }

--- An error in the argument is the caller's, and the function is used again.
stencil s { axes x; field f32 u, v;
fn f(a) = 2*a;
u[t+1] = f(oops);
           ^~~~ error: `oops` is not declared [STN0201]
  help: declare it, for example `param f32 oops;`
v[t+1] = f(ups); }
           ^~~ error: `ups` is not declared [STN0201]
  help: declare it, for example `param f32 ups;`

--- an unknown name is said once a statement
stencil s { axes x; field f32 u, v;
u[t+1] = oops > 1 ? oops : 2*oops;
         ^~~~ error: `oops` is not declared [STN0201]
  help: declare it, for example `param f32 oops;`
v[t+1] = oops; }
         ^~~~ error: `oops` is not declared [STN0201]
  help: declare it, for example `param f32 oops;`

--- the first of two declarations is the one above
stencil s { axes x; field f32 u boundary clamp;
                              ^ note: it is first declared here
  let u = 3;
      ^ error: `u` is declared twice [STN0202]
  u[t+1] = u[x-1]; }

stencil s { axes x;
let u = 3;
    ^ note: it is first declared here
field f32 u boundary clamp;
          ^ error: `u` is declared twice [STN0202]
u[t+1] = u[x-1, t-1]; }

--- nothing follows from a rejected name
stencil s { axes x;
field f32 nx boundary clamp;
          ^~ error: `nx` is the extent along the axis `x` [STN0203]
nx[t+1] = nx[x-1]; }

stencil s { axes x;
field f32 t;
          ^ error: `t` is the time index [STN0203]
t[t+1] = 2*t; }

stencil s { axes x; field f32 u;
fn sqrt(a, b) = a*b;
   ^~~~ error: `sqrt` already has a meaning in the language [STN0203]
u[t+1] = sqrt(u, 2); }

--- nothing follows from a statement the parser left out
stencil s {
axes x y;
       ^ error: expected `;`, found `y` [STN0101]
  help: `,` is missing before `y`
field f32 u boundary clamp; u[t+1] = u[x-1]; }

stencil s { axes x; field f32 u boundary clamp;
let k = 3 3;
          ^ error: expected `;`, found `3` [STN0101]
u[t+1] = k*u; }

stencil s { axes x;
fild f32 u boundary clamp;
^~~~ error: expected a statement, found `fild` [STN0101]
  help: did you mean `field`?
u[t+1] = 2*u; }

--- What does not depend on it is found all the same.
stencil s { axes x; field f32 u, v;
let k = 3 3;
          ^ error: expected `;`, found `3` [STN0101]
u[t+1] = v ? 1 : 2;
         ^ error: expected a condition, found a number [STN0301]
  help: compare it: `... != 0`
v[t+1] = k; }

--- a failed let is reported where it stands and nowhere else
stencil s { axes x; field f32 u, v;
let a = oops + 1;
        ^~~~ error: `oops` is not declared [STN0201]
  help: declare it, for example `param f32 oops;`
let b = 2*a;
u[t+1] = a + b;
v[t+1] = b; }
)");
  const std::string two = complaints(
      "stencil s { axes x; field f32 u, v; u[t+1] = u[x-1] > v[x+1] ? u[x-2] : v[x+2]; v[t+1] = "
      "u[x-1]; }");
  EXPECT_EQ(count(two, "`u` is read in neighbouring cells"), 1) << two;
  EXPECT_EQ(count(two, "`v` is read in neighbouring cells"), 1) << two;
  const std::string sides = complaints(
      "stencil s { axes x, y; field f32 u boundary { x.lo: clamp; } field f32 v out, w out; "
      "v = u[x+1]; w = u[y-1] + u[x+1]; u[t+1] = u[x+2]; }");
  EXPECT_EQ(count(sides, "`u` is read outside the grid at `x.hi`"), 1) << sides;
  EXPECT_EQ(count(sides, "`u` is read outside the grid at `y.lo`"), 1) << sides;
}

TEST(SemaErrors, WarningsComeOnlyWithoutErrors) {
  const std::string declarations = "stencil s { axes x; param f32 k; field f32 u boundary clamp; ";
  EXPECT_EQ(count(complaints(declarations + "u[t+1] = 2*u; }"), "warning:"), 2);
  EXPECT_EQ(count(complaints(declarations + "u[t+1] = 2*v; }"), "warning:"), 0);
}

struct Files {
  testing::Parsed parsed;
  std::vector<ir::Stencil> stencils;
  std::string complaints() const { return testing::rendered(parsed); }
  std::string value(size_t index) const {  // of the first update
    const ir::Stencil& stencil = stencils.at(index);
    return ir::print(stencil.updates.at(0).cases.at(0).value, stencil);
  }
};

// The stencils of `text`, which uses the functions and constants of `library`; those of the library
// itself are ignored.
Files with_library(const std::string& library, const std::string& text,
                   const sema::Defines& defines = {}) {
  Files result;
  diag::Engine& engine = result.parsed.engine;
  result.parsed.sources = {
      {"in.stn", text},
      {"library.stn", library + "\nstencil other { axes x; field f32 u; u[t+1] = u; }"}};
  ast::Program program = parse::parse(result.parsed.sources, 0, engine);
  ast::Program other = parse::parse(result.parsed.sources, 1, engine);
  program.functions.insert(program.functions.begin(), other.functions.begin(),
                           other.functions.end());
  program.constants.insert(program.constants.begin(), other.constants.begin(),
                           other.constants.end());
  result.stencils = sema::analyse(program, defines, engine);
  return result;
}

TEST(SemaFiles, EveryStencilOfTheFileIsAnalysed) {
  const Files all =
      with_library("",
                   "const f32 k = 0.5, w[-1..1] = {1, 2, 1} / 4;\n"
                   "fn half(a) = k*a;\n"
                   "stencil one { axes x; field f32 u boundary zero; u[t+1] = half(u[x-1]); }\n"
                   "stencil two { axes a, b; field f32 u in boundary zero; field f32 d out; d = "
                   "w[1]*half(u[b+1]); }\n");
  EXPECT_EQ(all.complaints(), "");
  ASSERT_EQ(all.stencils.size(), 2u);
  EXPECT_EQ(all.stencils[0].name, "one");
  EXPECT_EQ(all.value(0), "mul(0.5, u[x-1])");
  EXPECT_EQ(all.stencils[1].name, "two");
  EXPECT_EQ(all.value(1), "mul(0.25, mul(0.5, u[b+1]))");
}

TEST(SemaFiles, AnErrorInOneLeavesNone) {
  EXPECT_FALSE(testing::analysed("stencil one { axes x; field f32 u; u[t+1] = oops; }\n"
                                 "stencil two { axes x; field f32 u; u[t+1] = u; }\n")
                   .stencil);
  expect_pages(complaints, R"(
--- an error in one leaves none
stencil one { axes x; field f32 u; u[t+1] = oops; }
                                            ^~~~ error: `oops` is not declared [STN0201]
  help: declare it, for example `param f32 oops;`
stencil two { axes x; field f32 u; u[t+1] = ups; }
                                            ^~~ error: `ups` is not declared [STN0201]
  help: declare it, for example `param f32 ups;`

--- what stands beside them is judged once
const f32 k = 1; fn f(a) = a + oops;
                               ^~~~ error: `oops` is not declared [STN0201]
stencil one { axes x; field f32 u; u[t+1] = f(u); }
stencil two { axes x; field f32 u; u[t+1] = f(u) + k; }

const u8 k = 300; fn f(a) = a;
             ^~~ error: 300 does not fit `u8` [STN0305]
stencil one { axes x; field f32 u; u[t+1] = f(u); }
stencil two { axes x; field f32 u; u[t+1] = f(u) + k; }

--- two stencils have two names
stencil s { axes x; field f32 u; u[t+1] = u; }
        ^ note: the first is here
stencil s { axes y; field f32 u; u[t+1] = u; }
        ^ error: there is a second stencil `s` [STN0202]

--- names of the file are taken
const f32 k = 1;
          ^ note: it is first declared here
stencil s { axes x; field f32 k; k[t+1] = k; }
                              ^ error: `k` is declared twice [STN0202]

--- what no stencil uses is said once
const f32 k = 1; fn f(a) = a; fn g(a) = a;
                                 ^ warning: `g` is never used [STN0801]
          ^ warning: `k` is never used [STN0801]
stencil one { axes x; field f32 u; u[t+1] = f(u); }
stencil two { axes x; field f32 u; u[t+1] = u; }
)");
}

TEST(SemaFiles, ADefinitionNamesAParamOfOneOfThem) {
  const std::string text =
      "stencil one { axes x; field f32 u; param f32 a; u[t+1] = a*u; }\n"
      "stencil two { axes x; field f32 u; param f32 b; u[t+1] = b*u; }\n";
  const Files all = with_library("", text, {{"b", "3"}});
  EXPECT_EQ(all.complaints(), "");
  ASSERT_EQ(all.stencils.size(), 2u);
  EXPECT_EQ(all.value(0), "mul(a, u)");
  EXPECT_EQ(all.value(1), "mul(3, u)");
  EXPECT_EQ(testing::rendered(testing::analysed(text, {{"c", "3"}}).parsed),
            "in.stn:1:9: error: `-D c=...`: there is no such param in any stencil [STN0214]\n"
            "   1 | stencil one { axes x; field f32 u; param f32 a; u[t+1] = a*u; }\n"
            "     |         ^~~\n  help: there are `a` and `b`\n");
}

TEST(SemaFiles, LibrariesOfferFunctionsAndConstants) {
  const Files good =
      with_library("const f64 pi = 3; fn area(r) = pi*r*r; fn unused(r) = r;",
                   "stencil s { axes x; field f64 u boundary zero; u[t+1] = area(u[x-1]) + pi; }");
  EXPECT_EQ(good.complaints(), "");
  ASSERT_EQ(good.stencils.size(), 1u);
  EXPECT_EQ(good.value(0), "add(mul(mul(3, u[x-1]), u[x-1]), 3)");
  EXPECT_EQ(with_library("fn area(r) = pi*r*r;",
                         "stencil s { axes x; field f64 u; u[t+1] = area(u) + area(2*u); }")
                .complaints(),
            "library.stn:1:14: error: `pi` is not declared [STN0201]\n"
            "   1 | fn area(r) = pi*r*r;\n"
            "     |              ^~\n");
}

// What is said of a program: a text, and the helps after it; ` | ` between several.
std::string said(const std::string& program) {
  const testing::Analysed result = testing::analysed(program);
  std::string text;
  for (const diag::Diagnostic& d : result.parsed.engine.all()) {
    text += (text.empty() ? "" : " | ") + d.text;
    for (const auto& help : d.helps) text += "; " + help.text;
  }
  return text;
}
// Of a statement in a stencil on x, y with a field u.
std::string answer(const std::string& statement) {
  return said("stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = u; " + statement + " }");
}

TEST(SemaNewcomers, SlipsAreAnsweredByWhatToWrite) {
  expect_rows(answer, R"(
u[t+1] = u[i-1, j];
=> `i` is not declared; an offset names an axis, here `x` or `y`, as in `u[x-1]` | `j` is not declared; an offset names an axis, here `x` or `y`, as in `u[x-1]`
u[t+1] = u + dt*laplacian(u); => `dt` is not declared; declare it, for example `param f32 dt;`
u[t+1] = u + vel[x-1]; => `vel` is not declared; declare it, for example `field f32 vel;`
lap = u[x-1]; u[t+1] = lap;
=> `lap` is not declared; declare it: `field f32 lap;`, or `let lap = ...;` for an intermediate value
u[t+1] = laplace(u); => there is no function `laplace`; did you mean `laplacian`?
u[t+1] = fabs(u); => there is no function `fabs`; did you mean `abs`?
u[t+1] = fmaxf(u, 0); => there is no function `fmaxf`; did you mean `max`?
u[t+1] = sign(u); => there is no function `sign`; write `a > 0 ? 1 : a < 0 ? -1 : 0`
u[t+1] = round(u); => there is no function `round`; write `floor(a + 0.5)`, or `sat_i32(a)` for an integer
u[t+1] = atan(u); => there is no function `atan`; give its values as a field, or write an approximation as an `fn`
u[t+1] = if (u > 0) 1 else 0; => expected `;`, found `1`; a choice is written `c ? a : b`
const f32 w[3] = { 1, 2, 1 };
=> expected `..`, found `]`; an array of weights has a range for each index, both ends included: `w[0..2]` has three elements
u[t+1] = sum(i = -1..1 : u[x+i]); => expected an operator or `)`, found `..`; a window is written `i in -1..1`
fn f(a) { return a; }
=> expected `=`, found `{`; a function is an expression: `fn f(a) = a[x+1] - a;`, and lets stand outside of it
u[t+1] = u on x == 0 && y == 0;
=> a condition of `on` compares one of the axes `x`, `y` with a position; separate the conditions by commas: `on x >= 1, x < nx-1`
field f32 out res; res = u; => there is no role `res`; the role comes after the name: `res out`
float v;
=> expected a statement, found `float`; write `field f32 v;` for a grid, `param f32 v;` for a number, or `let v = ...;`
for (int i = 1; i < nx; i++) u[t+1] = u;
=> expected a statement, found `for`; there are no loops: an update applies to every cell, or to the cells that `on` and `where` say
if (x == 0) u[t+1] = 1;
=> expected a statement, found `if`; write the condition after an update, `u[t+1] = ... on x == 0 where u > 0;`, or choose a value with `c ? a : b`
u[t+1] == u; => expected `=`, found `==`; write one `=` in an update; `==` compares
u[t+1][x] = u; => expected `=`, found `[`; write all indices in one bracket, as in `u[t+1, x]`
u[t+1] = u[t][x-1]; => expected `;`, found `[`; write all indices in one bracket, as in `u[t-1, x+1]`
u[t+1] = u > 0 and u < 1 ? 1 : 0; => expected `;`, found `and`; the logical and is written `&&`
u[t+1] = math.sin(u); => expected `;`, found `.`; the language has no members
field f32 v boundary clamp boundary zero;
=> expected `;`, found the reserved word `boundary`; write all sides in one boundary, as in `boundary { x: periodic; y: clamp; }`
field f32 v boundary = zero;
=> expected the kind of boundary, found `=`; the kind comes right after `boundary`, as in `boundary clamp`
field f32 v boundary constant = 1;
=> expected `;`, found `=`; the value comes right after `constant`, as in `boundary constant 0.5`
field f32 v boundary clamp, w boundary zero;
=> expected `;`, found `,`; fields with another boundary have a statement of their own: `field f32 v boundary clamp;`
field f32 v[nx, ny]; => expected `;`, found `[`; every field has the size of the grid: leave out the extents
field f32 in v;
=> expected the name of the field, found the reserved word `in`; the role comes after the name, as in `field f32 u in;`
field f32 v, field f32 w;
=> expected the name of the field, found the reserved word `field`; fields of one type share a statement, as in `field f32 u, v;`
--- time may stand beside offsets by position
u[t+1] = u[t, x, 1];
=> some offsets in this bracket name their axis, and some do not; name the axis of each offset, as in `u[x-1]`; an axis left out means offset 0
)");
  EXPECT_EQ(testing::value_of("stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = "
                              "max(u[t-1, 1, -2], u[0, 1, t]); }"),
            "max(u[x+1, y-2, t-1], u[y+1])");
  expect_rows([](const std::string& text) { return said(text).substr(0, said(text).find(" | ")); },
              R"(
--- the head of a stencil, what is said of it first
stencil heat:
  axes x
=> expected `{`, found `:`; as in `stencil heat { axes x; ... }`
stencil heat(x, y) { } => expected `{`, found `(`; as in `stencil heat { axes x; ... }`
stencil s { axes x y; field f32 u; u[t+1] = u; } => expected `;`, found `y`; `,` is missing before `y`
)");
}

}  // namespace
}  // namespace stencilc
