#include <gtest/gtest.h>

#include "ast/ast.h"

namespace stencilc::ast {
namespace {

Ident ident(std::string name) {
  Ident result;
  result.name = std::move(name);
  return result;
}
ExprPtr name(const char* text) { return make({}, Name{text}); }
ExprPtr integer(int64_t value) { return make({}, Number{static_cast<double>(value), true, value}); }
ExprPtr real(double value) { return make({}, Number{value, false, 0}); }

std::string printed(Item item) {
  Program program;
  Stencil& stencil = program.stencils.emplace_back();
  stencil.name = ident("s");
  stencil.items.push_back(std::move(item));
  return print(program);
}

std::string printed(ExprPtr expr) {
  std::string text = printed(Item{{}, Let{ident("e"), std::move(expr)}});
  return text.substr(22, text.size() - 22 - 4);  // what stands between `let e = ` and `;`
}

TEST(Print, Expressions) {
  EXPECT_EQ(printed(integer(-3)), "-3");
  EXPECT_EQ(printed(real(0.1)), "0.1");
  EXPECT_EQ(printed(real(2)), "2.0");
  EXPECT_EQ(printed(real(1e300)), "1e+300");
  EXPECT_EQ(printed(make({}, Bool{true})), "true");
  EXPECT_EQ(printed(make({}, Unary{Unary::not_, name("a")})), "(!a)");
  EXPECT_EQ(printed(make({}, Binary{Binary::le, name("a"), name("b")})), "(a <= b)");
  EXPECT_EQ(printed(make({}, Ternary{name("a"), name("b"), name("c")})), "(a ? b : c)");
  EXPECT_EQ(printed(make({}, Access{ident("u"), {name("x"), name("t")}})), "u[x, t]");
  Call call{ident("f"), {name("a")}, {{ident("order"), integer(4)}}};
  EXPECT_EQ(printed(make({}, call)), "f(a, order = 4)");
  Window window{Window::max, {{ident("i"), integer(0), integer(2)}}, name("i")};
  EXPECT_EQ(printed(make({}, window)), "max(i in 0..2 : i)");
}

TEST(Print, Declarations) {
  Fields fields;
  fields.type = ident("f32");
  fields.decls.push_back({ident("u"), true, {ident("x"), ident("z")}, true, ident("in")});
  fields.decls.push_back({ident("v"), false, {}, false, {}});
  fields.has_boundary = true;
  fields.boundary.whole = {ident("constant"), real(0.5)};
  EXPECT_EQ(printed(Item{{}, fields}),
            "stencil s {\n  field f32 u(x, z) in, v boundary constant 0.5;\n}\n");
  Const weights{
      ident("f32"), ident("w"), {{integer(0), integer(1)}}, {integer(1), integer(3)}, integer(4)};
  EXPECT_EQ(printed(Item{{}, weights}), "stencil s {\n  const f32 w[0..1] = { 1, 3 } / 4;\n}\n");
}

TEST(Print, BoundariesOfSides) {
  Boundaries boundaries;
  boundaries.fields = {ident("u"), ident("v")};
  boundaries.boundary.sides = {{ident("x"), false, {}, {ident("periodic"), nullptr}},
                               {ident("y"), true, ident("lo"), {ident("neumann"), real(2)}}};
  EXPECT_EQ(printed(Item{{}, boundaries}),
            "stencil s {\n  boundary u, v { x: periodic; y.lo: neumann 2.0 };\n}\n");
  boundaries.boundary.sides.clear();
  boundaries.boundary.whole = {ident("clamp"), name("a")};
  EXPECT_EQ(printed(Item{{}, boundaries}), "stencil s {\n  boundary u, v clamp a;\n}\n");
}

TEST(Print, NumbersOfSteps) {
  auto of = [](Iterate iterate) {
    std::string text = printed(Item{{}, std::move(iterate)});
    return text.substr(14, text.size() - 14 - 4);
  };
  EXPECT_EQ(of({integer(10), nullptr, nullptr, nullptr}), "iterate 10 times");
  EXPECT_EQ(of({name("until"), nullptr, nullptr, nullptr}), "iterate (until) times");
  EXPECT_EQ(of({nullptr, name("c"), integer(5), integer(9)}),
            "iterate until c, check every 5, limit 9");
  EXPECT_EQ(of({nullptr, name("c"), nullptr, nullptr}), "iterate until c");
}

TEST(Print, Schedules) {
  Schedule schedule;
  schedule.parts.push_back({ident("coarsened"), false, {}});
  EXPECT_EQ(printed(Item{{}, schedule}), "stencil s {\n  schedule { coarsened };\n}\n");
  schedule.targets = {ident("sm_90"), ident("cpu")};
  schedule.parts.push_back({ident("threads"), true, ident("32x8")});
  EXPECT_EQ(printed(Item{{}, schedule}),
            "stencil s {\n  schedule for sm_90, cpu { coarsened, threads = 32x8 };\n}\n");
}

// Deep enough to overflow the stack of any recursive walk or destructor.
TEST(Print, DeepTreesNeedNoStack) {
#ifdef STENCILC_ALL_TESTS
  constexpr int terms = 1'000'000;
#else  // 8 MiB are 28 bytes a term, less than any call takes
  constexpr int terms = 300'000;
#endif
  ExprPtr sum = name("u");
  for (int i = 0; i < terms; ++i) sum = make({}, Binary{Binary::add, sum, name("u")});
  std::string text = printed(sum);
  EXPECT_EQ(text.size(), 1u + terms * std::string("( + u)").size());
  EXPECT_EQ(text.substr(terms), "u" + text.substr(terms + 1));
}

TEST(Make, SharedPartsOutliveOneOwner) {
  ExprPtr shared = name("u");
  ExprPtr first = make({}, Binary{Binary::mul, shared, shared});
  ExprPtr second = make({}, Unary{Unary::neg, shared});
  first.reset();
  EXPECT_EQ(printed(second), "(-u)");
}

}  // namespace
}  // namespace stencilc::ast
