// What the language means: the printed tree has all its parentheses.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "diag/codes.h"
#include "support/parsed.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::diagnostics;
using testing::expect_rows;
using testing::parsed;
using testing::Parsed;
using testing::rendered;

// `items` inside a stencil, parsed and printed; the diagnostics where there are any.
std::string tree(const std::string& items) {
  Parsed result = parsed("stencil s {" + items + "}");
  if (!result.engine.all().empty()) return rendered(result);
  std::string text = ast::print(result.program);
  return text.substr(12, text.size() - 12 - 2);  // the lines between the braces
}
// Without the indentation.
std::string items_of(const std::string& items) {
  std::string text = "\n" + tree(items);
  for (size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos; ++at)
    text.erase(at + 1, 2);
  return text.substr(1);
}

std::string expression(const std::string& text) {
  std::string let = tree("let e = " + text + ";");
  if (!let.starts_with("  let e = ")) return let;
  return let.substr(10, let.size() - 10 - 2);
}

TEST(Parse, Expressions) {
  expect_rows(expression, R"(
--- strengths
a + b * c - d => ((a + (b * c)) - d)
a - b - c => ((a - b) - c)
a / b * c % d => (((a / b) * c) % d)
a || b && c || d => ((a || (b && c)) || d)
a + 1 < b * 2 && c == d => (((a + 1) < (b * 2)) && (c == d))
(a < b) == (c >= d) => ((a < b) == (c >= d))
a != b || c <= d || e > f => (((a != b) || (c <= d)) || (e > f))
--- power and prefixes
a ^ b ^ c => (a ^ (b ^ c))
-x^2 => (-(x ^ 2))
2^-x => (2 ^ (-x))
2^-x^y * z => ((2 ^ (-(x ^ y))) * z)
-a * b => ((-a) * b)
!a && !!b => ((!a) && (!(!b)))
!a == b => ((!a) == b)
a - -b => (a - (-b))
+a + +b => (a + b)
--- choices
a ? b : c ? d : e => (a ? b : (c ? d : e))
a ? b ? c : d : e => (a ? (b ? c : d) : e)
a || b ? c + 1 : d => ((a || b) ? (c + 1) : d)
--- numbers
1 => 1
007 => 7
1. => 1.0
.5 => 0.5
1e-4 => 1e-04
2.5E+3 => 2500.0
9223372036854775807 => 9223372036854775807
true && false => (true && false)
--- accesses calls and windows
u[x-1, t+1] => u[(x - 1), (t + 1)]
u[-1, 0, 0] => u[(-1), 0, 0]
f() + g(a, b) => (f() + g(a, b))
laplacian(u, order = 4) => laplacian(u, order = 4)
f(order == 4) => f((order == 4))
sum(i in -2..2, j in 0..n : w[i,j] * u[x+i]) => sum(i in (-2)..2, j in 0..n : (w[i, j] * u[(x + i)]))
max(i in 1..2 : min(j in 3..4 : f(i, j))) => max(i in 1..2 : min(j in 3..4 : f(i, j)))
min(a, b) + max(prod, sum) => (min(a, b) + max(prod, sum))
)");
}

TEST(Parse, Statements) {
  expect_rows(items_of, R"(
--- declarations
axes x, y, z; => axes x, y, z;
param f32 a = 1, b, c = -2.5; => param f32 a = 1, b, c = (-2.5);
const f32 a = 2, b = a^2;
=> const f32 a = 2;
   const f32 b = (a ^ 2);
const f32 w[-1..1, 0..k] = { 1, -2, 3 + 4 } / 273;
=> const f32 w[(-1)..1, 0..k] = { 1, (-2), (3 + 4) } / 273;
const i32 w[0..1] = { 1, 2 }; => const i32 w[0..1] = { 1, 2 };
field f64 u, v in, w(x) out, r(x, z) readonly; => field f64 u, v in, w(x) out, r(x, z) readonly;
field f32 u boundary constant -1 / 2; => field f32 u boundary constant ((-1) / 2);
field f32 u boundary constant k; => field f32 u boundary constant k;
field f32 u inout boundary antireflect; => field f32 u inout boundary antireflect;
fn f(a, b) = a + b; let c = f(1, 2);
=> fn f(a, b) = (a + b);
   let c = f(1, 2);
u[t+1] = u; dst = 2;
=> u[(t + 1)] = u;
   dst = 2;
--- clauses of updates
u[t+1] = a + b on x >= 1, y < ny-1 where m > 0 && a;
=> u[(t + 1)] = (a + b) on (x >= 1), (y < (ny - 1)) where ((m > 0) && a);
dst = 1 where m; dst = 2 on 3 == x;
=> dst = 1 where m;
   dst = 2 on (3 == x);
u[t+1] += 1; u -= 2 on x > 1; u *= 3 where a; u /= 4;
=> u[(t + 1)] += 1;
   u -= 2 on (x > 1);
   u *= 3 where a;
   u /= 4;
--- fields
field f16 u(z) in, v compute f32 boundary constant 1;
=> field f16 u(z) in, v compute f32 boundary constant 1;
field bf16 u compute f64; => field bf16 u compute f64;
--- boundaries
field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp; };
=> field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp };
boundary u, v clamp; boundary w { x.hi: expr sin(x) * t; } let a = 1;
=> boundary u, v clamp;
   boundary w { x.hi: expr (sin(x) * t) };
   let a = 1;
boundary u other k; boundary v { x: other k; y: other k ? a : b }
=> boundary u other k;
   boundary v { x: other k; y: other (k ? a : b) };
boundary u neumann -g / 2; boundary v constant k;
=> boundary u neumann ((-g) / 2);
   boundary v constant k;
--- weights points and series
weights w[-2..2, 0..n]; weights f64 a[0..1], b[-1..1];
=> weights w[(-2)..2, 0..n];
   weights f64 a[0..1], b[(-1)..1];
points src, rec linear; series f32 amp(src), trace(rec);
=> points src, rec linear;
   series f32 amp(src), trace(rec);
inject u[t+1] += 2*amp[t] at src; sample trace[t] = u[t+1] at rec;
=> inject u[(t + 1)] += (2 * amp[t]) at src;
   sample trace[t] = u[(t + 1)] at rec;
--- runs
reduce r = max(abs(u[t+1] - u)); reduce n = norm2(u) on x > 1 where m;
=> reduce r = max(abs((u[(t + 1)] - u)));
   reduce n = norm2(u) on (x > 1) where m;
reduce r = median(u); => reduce r = median(u);
iterate until r < tol && r > 0, check every 2*n, limit 20000;
=> iterate until ((r < tol) && (r > 0)), check every (2 * n), limit 20000;
iterate until r < tol, limit 5; iterate until r < tol, check every 2;
=> iterate until (r < tol), limit 5;
   iterate until (r < tol), check every 2;
iterate n + 1 times; => iterate (n + 1) times;
color red, black by (x+y) % 2; => color red, black by ((x + y) % 2);
--- no `;` is needed behind the braces
field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp }
=> field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp };
--- schedules
schedule { coarsened } => schedule { coarsened };
schedule{coarsened,threads=32x8,}; => schedule { coarsened, threads = 32x8 };
schedule for sm_90 , cpu { loops /* c */ , a=z48 , b = 4 } ;
=> schedule for sm_90, cpu { loops, a = z48, b = 4 };
schedule { naive, global=gx+gy + g, launch = gx( coarsened,vector=2 ) , b = 4 }
=> schedule { naive, global = gx+gy+g, launch = gx(coarsened, vector = 2), b = 4 };
--- words of the language are words like others in a schedule
schedule { field, weights = const, for = 1 } => schedule { field, weights = const, for = 1 };
)");
}

TEST(Parse, PlacesInTheText) {
  std::string text = "stencil s {\n  u[t+1] = (a + b) * c ;  // sum\n}\n";
  Parsed result = parsed(text);
  ASSERT_EQ(result.program.stencils.size(), 1u);
  auto quoted = [&](diag::Range at) { return text.substr(at.begin, at.end - at.begin); };
  const ast::Stencil& stencil = result.program.stencils[0];
  EXPECT_EQ(quoted(stencil.at), text.substr(0, text.size() - 1));
  EXPECT_EQ(quoted(stencil.items.at(0).at), "u[t+1] = (a + b) * c ;");
  const auto& update = std::get<ast::Update>(stencil.items[0].node);
  EXPECT_EQ(quoted(update.target_at), "u[t+1]");
  EXPECT_EQ(quoted(update.target.at), "u");
  EXPECT_EQ(quoted(update.value->at), "(a + b) * c");
  EXPECT_EQ(quoted(std::get<ast::Binary>(update.value->node).left->at), "a + b");
}

TEST(ParseStatements, TheBoundaryThatIsWritten) {
  Parsed result = parsed("stencil s { field f32 u boundary { y.lo : constant 1 ; } ; }");
  const auto& fields = std::get<ast::Fields>(result.program.stencils.at(0).items.at(0).node);
  ASSERT_EQ(fields.boundary.sides.size(), 1u);
  const ast::BoundarySide& side = fields.boundary.sides[0];
  EXPECT_EQ(side.axis.name, "y");
  EXPECT_TRUE(side.has_end);
  EXPECT_EQ(side.end.name, "lo");
  EXPECT_EQ(side.kind.kind.name, "constant");
  const diag::Range at = fields.boundary.at;
  EXPECT_EQ(result.sources[0].text.substr(at.begin, at.end - at.begin), "{ y.lo : constant 1 ; }");
}

TEST(ParseSchedules, EveryWordHasItsPlace) {
  const Parsed result = parsed("stencil s { schedule for sm_90 { coarsened, threads = 32x8 } ; }");
  const ast::Item& item = result.program.stencils.at(0).items.at(0);
  const auto& schedule = std::get<ast::Schedule>(item.node);
  const auto text = [&](diag::Range at) {
    return result.sources[0].text.substr(at.begin, at.end - at.begin);
  };
  EXPECT_EQ(text(item.at), "schedule for sm_90 { coarsened, threads = 32x8 } ;");
  EXPECT_EQ(text(schedule.targets.at(0).at), "sm_90");
  EXPECT_EQ(text(schedule.parts.at(0).name.at), "coarsened");
  EXPECT_FALSE(schedule.parts.at(0).has_value);
  EXPECT_EQ(text(schedule.parts.at(1).name.at), "threads");
  EXPECT_EQ(text(schedule.parts.at(1).value.at), "32x8");
}

TEST(ParseStatements, WordsWithinStatementsAreNamesElsewhere) {
  for (std::string word :
       {"at",    "by",  "check", "every",    "limit",  "linear",   "times", "until",
        "lo",    "hi",  "order", "side",     "upwind", "constant", "expr",  "neumann",
        "clamp", "out", "inout", "readonly", "norm2",  "x",        "sum",   "max"}) {
    std::string items = "  axes " + word + ";\n  param f32 " + word + ";\n  field f32 " + word +
                        ", " + word + "(" + word + ") boundary { " + word + ": clamp };\n  let " +
                        word + " = " + word + ";\n  points " + word + ", " + word + " linear;\n  " +
                        word + "[" + word + "] = " + word + " on " + word + " where " + word +
                        ";\n  inject " + word + " += " + word + " at " + word + ";\n  reduce " +
                        word + " = " + word + "(" + word + ");\n  iterate until " + word +
                        ", check every " + word + ", limit " + word + ";\n  color " + word + ", " +
                        word + " by " + word + ";\n";
    EXPECT_EQ(tree(items), items);
  }
  EXPECT_EQ(diagnostics("stencil s { let for = 1; }"), "");
}

TEST(Parse, CommentsByteOrderMarkAndLineEnds) {
  EXPECT_EQ(diagnostics("\xEF\xBB\xBF# one\r\nstencil s { // two \xC3\xA9 \xFF\r\n"
                        "/* three * / */ let /**/ a /***/ = 1 # four\r\n;\r\n}"),
            "");
}

TEST(Parse, SeveralStencilsAndFunctions) {
  Parsed result = parsed("fn f(a) = a; stencil one { } fn g(a) = f(a); stencil two { }");
  EXPECT_EQ(rendered(result), "");
  EXPECT_EQ(ast::print(result.program),
            "fn f(a) = a;\nfn g(a) = f(a);\nstencil one {\n}\nstencil two {\n}\n");
}

TEST(ParseStatements, FileScope) {
  Parsed result = parsed(
      "use \"a b.stn\"; use \"../c.stn\"; const f32 g = 9.81, w[0..1] = { 1, 2 } / 3;\n"
      "fn f(a) = a * g; stencil one { const i32 k = 1; } const i32 n = 2;");
  EXPECT_EQ(rendered(result), "");
  EXPECT_EQ(ast::print(result.program),
            "use \"a b.stn\";\nuse \"../c.stn\";\n"
            "const f32 g = 9.81;\nconst f32 w[0..1] = { 1, 2 } / 3;\nconst i32 n = 2;\n"
            "fn f(a) = (a * g);\nstencil one {\n  const i32 k = 1;\n}\n");
  diag::Range at = result.program.uses[0].at;
  EXPECT_EQ(result.sources[0].text.substr(at.begin, at.end - at.begin), "\"a b.stn\"");
}

TEST(ParseStatements, ALibraryNeedsNoStencil) {
  diag::Sources sources = {{"in.stn", "fn f(a) = a;"}};
  diag::Engine engine;
  EXPECT_EQ(parse::parse(sources, 0, engine, parse::FileKind::library).functions.size(), 1u);
  EXPECT_EQ(engine.errors(), 0);
  parse::parse(sources, 0, engine, parse::FileKind::program);
  ASSERT_EQ(engine.all().size(), 1u);
  EXPECT_EQ(engine.all()[0].code, diag::empty_file);
}

std::string language_examples() {
  std::ifstream file(STENCILC_SOURCE_DIR "/tests/unit/language_examples.stn");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Parse, LanguageExamples) {
  Parsed result = parsed(language_examples());
  EXPECT_EQ(result.program.stencils.size(), 12u);
  EXPECT_EQ(rendered(result), "");
}

TEST(Parse, ThePrintedTreeIsTheSameProgram) {
  std::string once = ast::print(parsed(language_examples()).program);
  Parsed again = parsed(once);
  EXPECT_EQ(rendered(again), "");
  EXPECT_EQ(ast::print(again.program), once);
}

}  // namespace
}  // namespace stencilc
