// The kernel IR: index arithmetic folds, and verify() finds what no schedule may produce.
#include "kernel/kernel.h"

#include <gtest/gtest.h>

#include "kernel/build.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::kernel {
namespace {

using testing::expect_only;
using Problems = std::vector<std::string>;

const Buffer kIn{"u", Type::f32, false};
const Buffer kOut{"v", Type::f32, true};
ExprPtr real(double value, Type type = Type::f32) { return make(type, Real{value}); }

// The expression as the kernel prints it.
std::string text(const ExprPtr& expr) {
  Kernel kernel;
  kernel.body = {{Let{"e", expr}}};
  const std::string printed = print(kernel);
  const size_t at = printed.find(" = ");
  return printed.substr(at + 3, printed.find('\n', at) - at - 3);
}

// v[i] <- u[i], for i = 0 .. 8 if i < n.
Kernel sound() {
  Kernel kernel;
  kernel.name = "step";
  kernel.buffers = {kIn, kOut};
  kernel.params = {{"n", Type::index}};
  For loop{For::plain, "i", Type::index, index(0), index(8), {}};
  If guard{bin(BinOp::lt, var("i"), var("n")), {}, {}};
  guard.yes = {{Let{"value", load(kIn, var("i")), true}},
               {Assign{"value", bin(BinOp::mul, var("value", Type::f32), real(2))}},
               {Store{kOut, var("i"), var("value", Type::f32)}}};
  loop.body = {{guard}};
  kernel.body = {{Note{"copies"}}, {loop}};
  return kernel;
}
// The first problem of a sound kernel after a statement was put into its guard; "": there is none.
void finds(Stmt stmt, std::string_view problem,
           const testing::Here& here = testing::Here::current()) {
  Kernel kernel = sound();
  std::get<If>(std::get<For>(kernel.body[1].node).body[0].node).yes.push_back(std::move(stmt));
  Problems problems = verify(kernel);
  problems.resize(std::min<size_t>(problems.size(), 1));
  expect_only(problems, problem, here);
}
void finds_of(ExprPtr expr, std::string_view problem,
              const testing::Here& here = testing::Here::current()) {
  finds({Let{"fresh", std::move(expr)}}, problem, here);
}

TEST(Kernel, IndexArithmeticFolds) {
  const ExprPtr x = var("x"), y = var("y");
  const std::pair<ExprPtr, const char*> rows[] = {
      {add(x, 0), "x"},
      {add(index(0), x), "x"},
      {add(index(3), x), "(x + 3)"},
      {add(add(x, 3), -2), "(x + 1)"},
      {add(add(x, 3), -3), "x"},
      {add(add(x, -3), 1), "(x - 2)"},
      {add(x, -5), "(x - 5)"},
      {add(x, mul(index(-2), y)), "(x - (2 * y))"},
      {add(x, mul(index(-1), y)), "(x - y)"},
      {mul(x, index(1)), "x"},
      {mul(index(0), x), "0"},
      {mul(index(6), index(7)), "42"},
      {add(index(6), index(7)), "13"},
  };
  for (const auto& [expr, expected] : rows) EXPECT_EQ(text(expr), expected);
}

TEST(Kernel, AMissingConditionIsTrue) {
  const ExprPtr less = bin(BinOp::lt, var("x"), var("n"));
  EXPECT_EQ(both(nullptr, nullptr), nullptr);
  EXPECT_EQ(both(less, nullptr), less);
  EXPECT_EQ(both(nullptr, less), less);
  EXPECT_EQ(text(both(less, less)), "((x < n) && (x < n))");
}

TEST(Kernel, ComparisonsAreBoolean) {
  for (const BinOp op : {BinOp::lt, BinOp::le, BinOp::gt, BinOp::ge, BinOp::eq, BinOp::ne})
    EXPECT_EQ(bin(op, var("x"), var("y"))->type, Type::boolean);
  EXPECT_EQ(bin(BinOp::add, real(1), real(2))->type, Type::f32);
}

TEST(Kernel, ASoundOneHasNoProblems) {
  expect_only(verify(sound()), "");
  finds_of(load(kIn, add(var("i"), 1)), "");
  finds_of(make(Type::f32, Pick{bin(BinOp::lt, var("i"), var("n")), real(1), real(2)}), "");
}

TEST(Kernel, ListsOfEntriesAreSearchedAsSuch) {
  Kernel kernel = sound();
  Buffer list{"list", Type::i64, false};
  list.entries = true;
  kernel.buffers.push_back(list);
  const auto searched = [&](const Buffer& buffer, Entry::What what, Type type,
                            std::vector<ExprPtr> args) {
    Kernel one = kernel;
    one.body.insert(one.body.begin(), {Let{"e", make(type, Entry{what, buffer, std::move(args)})}});
    Problems problems = verify(one);
    problems.resize(std::min<size_t>(problems.size(), 1));
    return problems;
  };
  const std::string not_so = "`list` is searched as no list of entries is";
  expect_only(searched(list, Entry::first, Type::index, {index(3)}), "");
  expect_only(searched(list, Entry::any, Type::boolean, {index(3), index(4)}), "");
  expect_only(searched(list, Entry::any, Type::boolean, {index(3)}), not_so);
  expect_only(searched(list, Entry::next, Type::i64, {index(3)}), not_so);
  Buffer plain = list;
  plain.entries = false;
  expect_only(searched(plain, Entry::first, Type::index, {index(3)}), not_so);
  Buffer other = list;
  other.name = "other";
  expect_only(searched(other, Entry::first, Type::index, {index(3)}),
              "`other` is no buffer of the kernel");
}

TEST(Kernel, PrintsOneStatementALine) {
  EXPECT_EQ(print(sound()),
            "kernel step\n"
            "  buffer u: f32\n"
            "  buffer v: f32, written\n"
            "  param n: index\n"
            "  axis x: 1 threads, 1 cells a block\n"
            "  body\n"
            "    // copies\n"
            "    for i in 0 .. 8\n"
            "      if (i < n)\n"
            "        var value: f32 = u[i]\n"
            "        value = (value * 2)\n"
            "        v[i] <- value\n");
}

TEST(Kernel, UsesOfUndeclaredNamesAreFound) {
  finds_of(var("lost"), "`lost` is used and not declared");
  finds_of(load(kIn, var("lost")), "`lost` is used and not declared");
  finds({Store{kOut, var("lost"), real(1)}}, "`lost` is used and not declared");
  finds({Assign{"lost", real(1)}}, "`lost` is assigned and not declared");
  finds({For{For::plain, "k", Type::index, index(0), var("lost"), {}}},
        "`lost` is used and not declared");
  finds({If{bin(BinOp::lt, var("lost"), var("n")), {}, {}}}, "`lost` is used and not declared");
}

TEST(Kernel, ANameEndsWithItsBlock) {
  Kernel kernel = sound();
  kernel.body.push_back({Let{"late", var("value", Type::f32)}});
  expect_only(verify(kernel), "`value` is used and not declared");
  Kernel after = sound();
  after.body.push_back({Let{"late", var("i")}});
  expect_only(verify(after), "`i` is used and not declared");
}

TEST(Kernel, SecondDeclarationsAreFound) {
  finds({Let{"value", real(1)}}, "`value` is declared twice");
  finds({Let{"u", real(1)}}, "`u` is declared twice");
  finds({Let{"n", real(1)}}, "`n` is declared twice");
  finds({For{For::plain, "i", Type::index, index(0), index(1), {}}}, "`i` is declared twice");
  Kernel kernel = sound();
  kernel.params.push_back({"u", Type::f32});
  expect_only(verify(kernel), "`u` is declared twice");
}

TEST(Kernel, VariablesAndBuffersAreThoseTheKernelDeclares) {
  finds_of(var("value", Type::f64), "`value` is used as another type");
  finds_of(load({"w", Type::f32, false}, var("i")), "`w` is no buffer of the kernel");
  finds_of(load({"u", Type::f64, false}, var("i")), "`u` is no buffer of the kernel");
  finds({Store{{"u", Type::f32, true}, var("i"), real(1)}}, "`u` is no buffer of the kernel");
}

TEST(Kernel, StoresThatMayNotBeAreFound) {
  finds({Store{kIn, var("i"), real(1)}}, "`u` is stored to and read only");
  finds({Store{kOut, var("i"), real(1, Type::f64)}}, "a value of another type is stored to `v`");
  finds({Store{kOut, real(1), real(1)}}, "`v` is indexed by a value that is no index");
  finds({Store{kOut, var("i"), nullptr}}, "an expression is missing");
  finds_of(make(Type::f32, Fma{real(1), nullptr, real(1)}), "an expression is missing");
}

TEST(Kernel, AssignmentsToConstantsAreFound) {
  finds({Assign{"i", index(1)}}, "`i` is assigned and constant");
  finds({Assign{"n", index(1)}}, "`n` is assigned and constant");
  finds({Assign{"value", real(1, Type::f64)}}, "a value of another type is assigned to `value`");
  // A name that changes in one block is constant in the next.
  Kernel kernel = sound();
  kernel.body.push_back({If{bin(BinOp::lt, var("n"), index(1)),
                            {{Let{"value", real(1)}}, {Assign{"value", real(2)}}},
                            {}}});
  expect_only(verify(kernel), "`value` is assigned and constant");
}

TEST(Kernel, NothingComputesInAHalf) {
  const ExprPtr half = real(1, Type::f16), brain = real(1, Type::bf16);
  const char* const problem = "an operator computes in a half type";
  finds_of(bin(BinOp::add, half, half), problem);
  finds_of(bin(BinOp::lt, brain, brain), problem);
  finds_of(make(Type::f16, Neg{half}), problem);
  finds_of(make(Type::bf16, Fma{brain, brain, brain}), problem);
  finds_of(call(Type::f16, Fn::sqrt, {half}), problem);
  finds_of(make(Type::f32, Convert{half}), "");
  finds_of(make(Type::f16, Convert{real(1)}), "");
  finds_of(make(Type::f16, Pick{bin(BinOp::lt, var("i"), var("n")), half, half}), "");
}

TEST(Kernel, TypesThatDifferAreFound) {
  finds_of(bin(BinOp::add, real(1), real(1, Type::f64)),
           "the operands of an operator have two types");
  finds_of(bin(BinOp::lt, var("i"), real(1)), "the operands of an operator have two types");
  finds_of(make(Type::f32, Fma{real(1), real(1), real(1, Type::f64)}),
           "the operands of an fma have two types");
  finds_of(make(Type::f32, Pick{real(1), real(1), real(1)}),
           "the arms of a selection have two types, or its condition is no condition");
  finds_of(make(Type::f32, Pick{bin(BinOp::lt, var("i"), var("n")), real(1), real(1, Type::f64)}),
           "the arms of a selection have two types, or its condition is no condition");
  finds_of(load(kIn, real(1)), "`u` is indexed by a value that is no index");
  finds_of(make(Type::f64, Load{kIn, var("i")}), "`u` is loaded as another type");
}

// A fold of a warp's values into the partial results of a row.
Combine fold(ExprPtr value) {
  return {kOut, Fold::sum, std::move(value), var("i"), var("n"), index(0)};
}

TEST(Kernel, AFoldIsCheckedAsAStoreIs) {
  finds({fold(real(1))}, "");
  finds({fold(make(Type::f32, Identity{Fold::least}))}, "");
  finds({fold(real(1, Type::f64))}, "a value of another type is folded into `v`");
  finds({fold(make(Type::f64, Identity{Fold::sum}))}, "a value of another type is folded into `v`");
  finds({fold(nullptr)}, "an expression is missing");
  Combine wrong = fold(real(1));
  wrong.buffer = kIn;
  finds({wrong}, "`u` is stored to and read only");
  wrong.buffer = {"w", Type::f32, true};
  finds({wrong}, "`w` is no buffer of the kernel");
  for (ExprPtr Combine::*part : {&Combine::x, &Combine::extent, &Combine::row}) {
    Combine lost = fold(real(1));
    lost.*part = var("lost");
    finds({lost}, "`lost` is used and not declared");
  }
}

TEST(Kernel, AFoldAndWhatChangesNothingInItPrint) {
  Kernel kernel;
  kernel.body = {
      {Let{"none", make(Type::f32, Identity{Fold::greatest})}},
      {Combine{kOut, Fold::product, var("none", Type::f32), var("x"), var("nx"), index(0)}}};
  testing::expect_has(print(kernel),
                      {"none: f32 = identity.greatest\n", "v <- product of warp none, x, nx, 0\n"});
}

TEST(Kernel, AFoldUsesItsBufferAndAllItsParts) {
  Combine parts = fold(var("value", Type::f32));
  parts.row = var("row");
  EXPECT_EQ(used_names({{parts}}), (std::set<std::string>{"v", "value", "i", "n", "row"}));
}

}  // namespace
}  // namespace stencilc::kernel
