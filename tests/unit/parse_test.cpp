// What the language means: the printed tree has all its parentheses.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::diagnostics;
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

std::string expression(const std::string& text) {
  std::string let = tree("let e = " + text + ";");
  if (!let.starts_with("  let e = ")) return let;
  return let.substr(10, let.size() - 10 - 2);
}

TEST(Parse, Strengths) {
  EXPECT_EQ(expression("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(expression("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(expression("a / b * c % d"), "(((a / b) * c) % d)");
  EXPECT_EQ(expression("a || b && c || d"), "((a || (b && c)) || d)");
  EXPECT_EQ(expression("a + 1 < b * 2 && c == d"), "(((a + 1) < (b * 2)) && (c == d))");
  EXPECT_EQ(expression("(a < b) == (c >= d)"), "((a < b) == (c >= d))");
  EXPECT_EQ(expression("a != b || c <= d || e > f"), "(((a != b) || (c <= d)) || (e > f))");
}

TEST(Parse, PowerAndPrefixes) {
  EXPECT_EQ(expression("a ^ b ^ c"), "(a ^ (b ^ c))");
  EXPECT_EQ(expression("-x^2"), "(-(x ^ 2))");
  EXPECT_EQ(expression("2^-x"), "(2 ^ (-x))");
  EXPECT_EQ(expression("2^-x^y * z"), "((2 ^ (-(x ^ y))) * z)");
  EXPECT_EQ(expression("-a * b"), "((-a) * b)");
  EXPECT_EQ(expression("!a && !!b"), "((!a) && (!(!b)))");
  EXPECT_EQ(expression("!a == b"), "((!a) == b)");
  EXPECT_EQ(expression("a - -b"), "(a - (-b))");
  EXPECT_EQ(expression("+a + +b"), "(a + b)");
}

TEST(Parse, Choices) {
  EXPECT_EQ(expression("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
  EXPECT_EQ(expression("a ? b ? c : d : e"), "(a ? (b ? c : d) : e)");
  EXPECT_EQ(expression("a || b ? c + 1 : d"), "((a || b) ? (c + 1) : d)");
}

TEST(Parse, Numbers) {
  EXPECT_EQ(expression("1"), "1");
  EXPECT_EQ(expression("007"), "7");
  EXPECT_EQ(expression("1."), "1.0");
  EXPECT_EQ(expression(".5"), "0.5");
  EXPECT_EQ(expression("1e-4"), "1e-04");
  EXPECT_EQ(expression("2.5E+3"), "2500.0");
  EXPECT_EQ(expression("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(expression("true && false"), "(true && false)");
}

TEST(Parse, AccessesCallsAndWindows) {
  EXPECT_EQ(expression("u[x-1, t+1]"), "u[(x - 1), (t + 1)]");
  EXPECT_EQ(expression("u[-1, 0, 0]"), "u[(-1), 0, 0]");
  EXPECT_EQ(expression("f() + g(a, b)"), "(f() + g(a, b))");
  EXPECT_EQ(expression("laplacian(u, order = 4)"), "laplacian(u, order = 4)");
  EXPECT_EQ(expression("f(order == 4)"), "f((order == 4))");
  EXPECT_EQ(expression("sum(i in -2..2, j in 0..n : w[i,j] * u[x+i])"),
            "sum(i in (-2)..2, j in 0..n : (w[i, j] * u[(x + i)]))");
  EXPECT_EQ(expression("max(i in 1..2 : min(j in 3..4 : f(i, j)))"),
            "max(i in 1..2 : min(j in 3..4 : f(i, j)))");
  EXPECT_EQ(expression("min(a, b) + max(prod, sum)"), "(min(a, b) + max(prod, sum))");
}

TEST(Parse, Declarations) {
  EXPECT_EQ(tree("axes x, y, z;"), "  axes x, y, z;\n");
  EXPECT_EQ(tree("param f32 a = 1, b, c = -2.5;"), "  param f32 a = 1, b, c = (-2.5);\n");
  EXPECT_EQ(tree("const f32 a = 2, b = a^2;"), "  const f32 a = 2;\n  const f32 b = (a ^ 2);\n");
  EXPECT_EQ(tree("const f32 w[-1..1, 0..k] = { 1, -2, 3 + 4 } / 273;"),
            "  const f32 w[(-1)..1, 0..k] = { 1, (-2), (3 + 4) } / 273;\n");
  EXPECT_EQ(tree("const i32 w[0..1] = { 1, 2 };"), "  const i32 w[0..1] = { 1, 2 };\n");
  EXPECT_EQ(tree("field f64 u, v in, w(x) out, r(x, z) readonly;"),
            "  field f64 u, v in, w(x) out, r(x, z) readonly;\n");
  EXPECT_EQ(tree("field f32 u boundary constant -1 / 2;"),
            "  field f32 u boundary constant ((-1) / 2);\n");
  EXPECT_EQ(tree("field f32 u boundary constant k;"), "  field f32 u boundary constant k;\n");
  EXPECT_EQ(tree("field f32 u inout boundary antireflect;"),
            "  field f32 u inout boundary antireflect;\n");
  EXPECT_EQ(tree("fn f(a, b) = a + b; let c = f(1, 2);"),
            "  fn f(a, b) = (a + b);\n  let c = f(1, 2);\n");
  EXPECT_EQ(tree("u[t+1] = u; dst = 2;"), "  u[(t + 1)] = u;\n  dst = 2;\n");
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
