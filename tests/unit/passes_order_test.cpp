// The order of statements by neighbours, and values that the host computes before a launch.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ir/number_divisor.h"
#include "kernel/build.h"
#include "kernel/live_registers.h"
#include "kernel/uses.h"
#include "passes/launch_values.h"
#include "passes/neighbour_order.h"
#include "passes/unused_arguments.h"

namespace stencilc::passes {
namespace {

using namespace kernel;

const Buffer kA{"a", Type::f64, false}, kB{"b", Type::f64, false}, kC{"c", Type::f64, true};
const ExprPtr kAt = var("x");
constexpr int kSums = 6, kTaps = 8;

ExprPtr value(const std::string& name) { return var(name, Type::f64); }
ExprPtr number_of(double one) { return make(Type::f64, Real{one}); }
std::string numbered(const std::string& name, int n) { return name + std::to_string(n); }

// Sum after sum takes the same products of two arrays, each of which is a variable.
Body sums_of_products() {
  Body body;
  for (int k = 0; k < kTaps; ++k) {
    body.push_back({Let{numbered("u", k), load(kA, add(kAt, k))}});
    body.push_back({Let{numbered("v", k), load(kB, add(kAt, k))}});
  }
  for (int s = 0; s < kSums; ++s)
    for (int k = 0; k < kTaps; ++k) {
      const ExprPtr product = bin(BinOp::mul, value(numbered("u", k)), value(numbered("v", k)));
      if (k == 0)
        body.push_back({Let{numbered("sum", s), product, true}});
      else
        body.push_back(
            {Assign{numbered("sum", s),
                    make(Type::f64, Fma{number_of(k + s), product, value(numbered("sum", s))})}});
    }
  for (int s = 0; s < kSums; ++s)
    body.push_back({Store{kC, add(kAt, s), value(numbered("sum", s))}});
  return body;
}

// The texts of what each variable is assigned, in their order.
std::map<std::string, std::vector<std::string>> assigned(const Body& body) {
  std::map<std::string, std::vector<std::string>> texts;
  for (const Stmt& stmt : body) {
    if (const auto* let = std::get_if<Let>(&stmt.node))
      texts[let->name].push_back(print(let->value));
    if (const auto* one = std::get_if<Assign>(&stmt.node))
      texts[one->name].push_back(print(one->value));
  }
  return texts;
}
void expect_declared_before_use(const Body& body, std::set<std::string> known) {
  for (const Stmt& stmt : body) {
    Uses uses;
    uses.in(stmt);
    for (const std::string& name : uses.names) EXPECT_TRUE(known.contains(name)) << name;
    if (const auto* let = std::get_if<Let>(&stmt.node)) known.insert(let->name);
  }
}

TEST(NeighbourOrder, SumsTakeANeighbourTogetherAndKeepTheirOrder) {
  const Body before = sums_of_products();
  const Body after = ordered_by_neighbours(before);
  EXPECT_GE(live_words(before), 2 * (2 * kTaps + kSums));
  EXPECT_LE(live_words(after), 2 * (kSums + 4)) << "all sums, two loads and a product";
  EXPECT_EQ(after.size(), before.size());
  EXPECT_EQ(assigned(after), assigned(before));
  expect_declared_before_use(after, {"x", "a", "b", "c"});
}

TEST(NeighbourOrder, AValueIsReadBeforeItsVariableChanges) {
  Body body = sums_of_products();
  // Between the sums one that reads the first, which changes after it.
  Body more = {{Let{"seen", value("sum0")}},
               {Assign{"sum0", bin(BinOp::add, value("sum0"), value("u0"))}},
               {Let{"later", bin(BinOp::mul, value("seen"), value("sum0"))}}};
  body.insert(body.end() - kSums, more.begin(), more.end());
  body.push_back({Store{kC, kAt, value("later")}});
  const Body after = ordered_by_neighbours(body);
  const auto at = [&](const std::string& name, size_t nth) {
    for (size_t n = 0; n < after.size(); ++n) {
      const auto* let = std::get_if<Let>(&after[n].node);
      const auto* assign = std::get_if<Assign>(&after[n].node);
      if (((let && let->name == name) || (assign && assign->name == name)) && nth-- == 0) return n;
    }
    return after.size();
  };
  EXPECT_LT(at("sum0", kTaps - 1), at("seen", 0));
  EXPECT_LT(at("seen", 0), at("sum0", kTaps));
  EXPECT_LT(at("sum0", kTaps), at("later", 0));
}

TEST(NeighbourOrder, LinesOfTheProgramGoWithTheirStatements) {
  Body body = sums_of_products();
  for (int s = kSums; s-- > 0;) body.insert(body.begin() + 2 * kTaps + s * kTaps, {Line{10 + s}});
  std::map<std::string, int> line_of;
  int line = 0;
  for (const Stmt& stmt : ordered_by_neighbours(body)) {
    if (const auto* mark = std::get_if<Line>(&stmt.node)) line = mark->line;
    if (const auto* let = std::get_if<Let>(&stmt.node)) line_of[let->name] = line;
    if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
      EXPECT_EQ(line, line_of[assign->name]) << assign->name;
    }
  }
  for (int s = 0; s < kSums; ++s) EXPECT_EQ(line_of[numbered("sum", s)], 10 + s);
  EXPECT_EQ(line_of["u3"], 0);
  EXPECT_EQ(line, 10 + kSums - 1) << "that of the stores";
}

TEST(NeighbourOrder, WhatOtherLanesAnswerStaysInItsPlace) {
  Body body = sums_of_products();
  const size_t middle = 2 * kTaps + kTaps;
  const Stmt asks = {Let{"beside", make(Type::f64, Beside{value("u0"), kA, kAt, 1})}};
  body.insert(body.begin() + middle, asks);
  const Body after = ordered_by_neighbours(body);
  ASSERT_TRUE(std::get_if<Let>(&after[middle].node));
  EXPECT_EQ(std::get<Let>(after[middle].node).name, "beside");
}

TEST(NeighbourOrder, IsForLaunchesThatAskForIt) {
  Launch launch;
  launch.kernel.body = sums_of_products();
  const int before = live_words(launch.kernel.body);
  order_by_neighbours(launch);
  EXPECT_EQ(live_words(launch.kernel.body), before);
  launch.kernel.by_neighbours = true;
  order_by_neighbours(launch);
  EXPECT_LT(live_words(launch.kernel.body), before);
}

// A kernel with these statements before one that stores `result`, of the params h and k.
Launch launch_of(Body body, const std::string& result) {
  Launch launch;
  body.push_back({Store{kC, kAt, bin(BinOp::mul, value(result), load(kA, kAt))}});
  launch.kernel.body = std::move(body);
  launch.kernel.buffers = {kA, kC};
  launch.buffer_args.resize(2);
  launch.kernel.params = {{"h", Type::f64}, {"k", Type::i32}, {"nx", Type::index}};
  return launch;
}
Module module_of(std::vector<Launch> launches) {
  Module module;
  module.grids = {{"a", Type::f64}, {"c", Type::f64, Grid::output}};
  module.params = {{"h", Type::f64}, {"k", Type::i32}};
  for (ScalarParam& param : module.params) param.used = false;
  module.launches = std::move(launches);
  for (Launch& launch : module.launches)
    launch.buffer_args = {{BufferArg::grid, 0}, {BufferArg::grid, 1}};
  return module;
}
std::vector<std::string> names_of(const std::vector<Param>& params) {
  std::vector<std::string> names;
  for (const Param& param : params) names.push_back(param.name);
  return names;
}
std::vector<std::string> texts_of(const std::vector<Let>& lets) {
  std::vector<std::string> texts;
  for (const Let& let : lets) texts.push_back(let.name + " = " + print(let.value));
  return texts;
}
Stmt factor(const std::string& name, double by, const std::string& of = "h") {
  return {Let{name, bin(BinOp::mul, value(of), number_of(by))}};
}

TEST(LaunchValues, EqualOnesOfKernelsAreComputedOnceAndUnderOneName) {
  Module module =
      module_of({launch_of({factor("factor", 2), factor("factor_2", 3, "factor")}, "factor_2"),
                 launch_of({factor("factor", 5),
                            factor("factor_7", 2),
                            {Let{"scale", bin(BinOp::add, value("factor"), value("factor_7"))}}},
                           "scale")});
  hoist_launch_values(module);
  drop_unused_arguments(module);
  EXPECT_EQ(texts_of(module.launch_values),
            (std::vector<std::string>{"factor = (h * 2)", "factor_2 = (factor * 3)",
                                      "factor_3 = (h * 5)", "scale = (factor_3 + factor)"}));
  EXPECT_EQ(names_of(module.launches[0].kernel.params), std::vector<std::string>{"factor_2"});
  EXPECT_EQ(names_of(module.launches[1].kernel.params), std::vector<std::string>{"scale"});
  EXPECT_TRUE(module.params[0].used) << "by the host";
  EXPECT_FALSE(module.params[1].used);
  for (const Launch& launch : module.launches) EXPECT_EQ(launch.kernel.body.size(), 1u);
}

TEST(LaunchValues, AnIntegerParamBecomesAReal) {
  Module module = module_of(
      {launch_of({{Let{"width", make(Type::f64, Convert{var("k", Type::i32)})}}}, "width")});
  hoist_launch_values(module);
  ASSERT_EQ(module.launch_values.size(), 1u);
  EXPECT_EQ(module.launch_values[0].name, "width");
}

// Of what a kernel loads or counts, of its own place, of steps, and in kernels of several steps.
TEST(LaunchValues, WhatDiffersFromCellToCellOrStepToStepStays) {
  const ExprPtr loaded = bin(BinOp::mul, load(kA, index(0)), value("h"));
  const ExprPtr step = make(Type::f64, Convert{var("t", Type::i64)});
  const ExprPtr place = make(Type::f64, Convert{kAt});
  for (const ExprPtr& one : {loaded, step, place}) {
    Module module = module_of({launch_of({{Let{"own", one}}}, "own")});
    hoist_launch_values(module);
    EXPECT_TRUE(module.launch_values.empty()) << print(one);
    EXPECT_EQ(module.launches[0].kernel.body.size(), 2u);
  }
  Module module = module_of({launch_of({factor("factor", 2)}, "factor")});
  module.launches[0].kernel.steps = "steps";
  hoist_launch_values(module);
  EXPECT_TRUE(module.launch_values.empty());
}

TEST(LaunchValues, ANameOfAnotherKernelOrGridIsNotTakenTwice) {
  Module module = module_of({launch_of({factor("a", 2)}, "a"),
                             launch_of({{Let{"scale", load(kA, kAt)}}}, "scale"),
                             launch_of({factor("scale", 4)}, "scale")});
  hoist_launch_values(module);
  EXPECT_EQ(texts_of(module.launch_values),
            (std::vector<std::string>{"a_2 = (h * 2)", "scale_2 = (h * 4)"}));
}

TEST(LaunchValues, DivisorsThatAreTheSameHaveAReciprocal) {
  const auto quotient = [&](ExprPtr divisor, std::vector<ExprPtr> more = {}) {
    std::vector<ExprPtr> args = {load(kA, kAt), std::move(divisor)};
    args.insert(args.end(), more.begin(), more.end());
    return call(Type::f64, Fn::quotient, args);
  };
  Body inside;
  inside.push_back({Let{"by_param", quotient(value("h"), {var("used", Type::boolean)})}});
  inside.push_back({Let{"by_number", quotient(number_of(6))}});
  inside.push_back({Let{"by_cell", quotient(value("by_param"))}});
  inside.push_back({Let{"by_tenth", quotient(number_of(0.1))}});
  Module module = module_of({launch_of({{FastDivision{inside}}}, "h")});
  prepare_divisors(module);
  EXPECT_EQ(texts_of(module.launch_values), std::vector<std::string>{"inverse_h = (1 / h)"});
  EXPECT_EQ(names_of(module.launches[0].kernel.params),
            (std::vector<std::string>{"h", "k", "inverse_h", "nx"}));
  const Body& body = std::get<FastDivision>(module.launches[0].kernel.body[0].node).body;
  const auto text = [&](size_t n) { return print(std::get<Let>(body[n].node).value); };
  EXPECT_EQ(text(0), "quotient_by(a[x], h, inverse_h, used)");
  const auto parts = ir::two_part_reciprocal(6, ir::Type::f64);
  EXPECT_EQ(text(1), "quotient_by_number(a[x], 6, " + print(number_of(parts->high)) + ", " +
                         print(number_of(parts->low)) + ")");
  EXPECT_EQ(text(3), "quotient_by(a[x], " + print(number_of(0.1)) + ", 10)");  // of many bits
  EXPECT_EQ(text(2), "quotient(a[x], by_param)");
}

// The reciprocal of a number of few bits has two parts, the first one rounded towards zero.
TEST(LaunchValues, DivisorsOfFewBitsHaveTwoParts) {
  const auto text = [&](Type type, double number, Fn function = Fn::quotient) {
    const ExprPtr divided = function == Fn::quotient ? var("a", type) : make(type, Real{0.3});
    Body inside;
    inside.push_back({Let{"q", call(type, function, {divided, make(type, Real{number})})}});
    Module module = module_of({launch_of({{FastDivision{inside}}}, "h")});
    prepare_divisors(module);
    const Body& body = std::get<FastDivision>(module.launches[0].kernel.body[0].node).body;
    return print(std::get<Let>(body[0].node).value);
  };
  const auto parts = [&](Type type, const std::string& number, double high, double low) {
    return "quotient_by_number(a, " + number + ", " + print(make(type, Real{high})) + ", " +
           print(make(type, Real{low})) + ")";
  };
  EXPECT_EQ(text(Type::f64, 6), parts(Type::f64, "6", 0x1.5555555555555p-3, 0x1.5555555555555p-57));
  EXPECT_EQ(text(Type::f64, -3),
            parts(Type::f64, "-3", -0x1.5555555555555p-2, -0x1.5555555555555p-56));
  // 1/5 would be rounded up.
  EXPECT_EQ(text(Type::f64, 5), parts(Type::f64, "5", 0x1.9999999999999p-3, 0x1.3333333333333p-56));
  EXPECT_EQ(text(Type::f32, 5), parts(Type::f32, "5", 0x1.999998p-3, 0x1.99999ap-27));
  for (const double number : {0.1, 65537.0, 0x1p21 + 0x1p20, 0x1.8p-21})
    EXPECT_EQ(text(Type::f64, number).find("quotient_by(a, "), 0u) << number;
  EXPECT_EQ(text(Type::f64, 6, Fn::quotient_of).find("quotient_by_number(0.3, 6, "), 0u);
}

}  // namespace
}  // namespace stencilc::passes
