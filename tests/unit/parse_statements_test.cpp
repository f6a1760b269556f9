// The statements of a stencil and of a file, as the printed tree shows them.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

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

TEST(ParseStatements, ClausesOfUpdates) {
  EXPECT_EQ(tree("u[t+1] = a + b on x >= 1, y < ny-1 where m > 0 && a;"),
            "  u[(t + 1)] = (a + b) on (x >= 1), (y < (ny - 1)) where ((m > 0) && a);\n");
  EXPECT_EQ(tree("dst = 1 where m; dst = 2 on 3 == x;"),
            "  dst = 1 where m;\n  dst = 2 on (3 == x);\n");
  EXPECT_EQ(tree("u[t+1] += 1; u -= 2 on x > 1; u *= 3 where a; u /= 4;"),
            "  u[(t + 1)] += 1;\n  u -= 2 on (x > 1);\n  u *= 3 where a;\n  u /= 4;\n");
}

TEST(ParseStatements, Fields) {
  EXPECT_EQ(tree("field f16 u(z) in, v compute f32 boundary constant 1;"),
            "  field f16 u(z) in, v compute f32 boundary constant 1;\n");
  EXPECT_EQ(tree("field bf16 u compute f64;"), "  field bf16 u compute f64;\n");
}

TEST(ParseStatements, Boundaries) {
  const std::string sides = "boundary { x: periodic; y.lo: constant 1; y.hi: clamp };\n";
  EXPECT_EQ(tree("field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp; };"),
            "  field f32 u " + sides);
  EXPECT_EQ(tree("field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp }"),
            "  field f32 u " + sides)
      << "no `;` is needed behind the braces";
  EXPECT_EQ(tree("boundary u, v clamp; boundary w { x.hi: expr sin(x) * t; } let a = 1;"),
            "  boundary u, v clamp;\n  boundary w { x.hi: expr (sin(x) * t) };\n  let a = 1;\n");
  EXPECT_EQ(tree("boundary u neumann -g / 2; boundary v constant k;"),
            "  boundary u neumann ((-g) / 2);\n  boundary v constant k;\n");
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

TEST(ParseStatements, WeightsPointsAndSeries) {
  EXPECT_EQ(tree("weights w[-2..2, 0..n]; weights f64 a[0..1], b[-1..1];"),
            "  weights w[(-2)..2, 0..n];\n  weights f64 a[0..1], b[(-1)..1];\n");
  EXPECT_EQ(tree("points src, rec linear; series f32 amp(src), trace(rec);"),
            "  points src, rec linear;\n  series f32 amp(src), trace(rec);\n");
  EXPECT_EQ(tree("inject u[t+1] += 2*amp[t] at src; sample trace[t] = u[t+1] at rec;"),
            "  inject u[(t + 1)] += (2 * amp[t]) at src;\n"
            "  sample trace[t] = u[(t + 1)] at rec;\n");
}

TEST(ParseStatements, Runs) {
  EXPECT_EQ(tree("reduce r = max(abs(u[t+1] - u)); reduce n = norm2(u) on x > 1 where m;"),
            "  reduce r = max(abs((u[(t + 1)] - u)));\n"
            "  reduce n = norm2(u) on (x > 1) where m;\n");
  EXPECT_EQ(tree("reduce r = median(u);"), "  reduce r = median(u);\n");
  EXPECT_EQ(tree("iterate until r < tol && r > 0, check every 2*n, limit 20000;"),
            "  iterate until ((r < tol) && (r > 0)), check every (2 * n), limit 20000;\n");
  EXPECT_EQ(tree("iterate until r < tol, limit 5; iterate until r < tol, check every 2;"),
            "  iterate until (r < tol), limit 5;\n  iterate until (r < tol), check every 2;\n");
  EXPECT_EQ(tree("iterate n + 1 times;"), "  iterate (n + 1) times;\n");
  EXPECT_EQ(tree("color red, black by (x+y) % 2;"), "  color red, black by ((x + y) % 2);\n");
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

}  // namespace
}  // namespace stencilc
