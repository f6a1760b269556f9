// What verify() finds in the statements that move rows of cells, in arrays of a thread, and in
// functions of a kernel: each rule is broken by one change to a kernel that keeps them all.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "support/text.h"

namespace stencilc::kernel {
namespace {

using Problems = std::vector<std::string>;

const Buffer kIn{"u", Type::f32, false};
const Buffer kOut{"v", Type::f32, true};
const Buffer kDouble{"d", Type::f64, true};

// Registers of a thread: rows of 4 values.
Buffer registers(const std::string& name, int rows = 1, Type element = Type::f32) {
  return {.name = name, .element = element, .writable = true, .registers = 4, .rows = rows};
}
ExprPtr real(double value, Type type = Type::f32) { return make(type, Real{value}); }
ExprPtr condition() { return bin(BinOp::lt, var("i"), var("n")); }

Stmt array(const Buffer& buffer) { return {Array{buffer}}; }
Copy copy_of(const Buffer& to, const Buffer& from) {
  Copy copy{.to = to, .to_at = index(0), .from = from, .from_at = var("i"), .width = 4};
  if (to.rows > 1) copy.to_row = index(1);
  if (from.rows > 1) copy.from_row = index(1);
  return copy;
}
// float u_at(x, y) { return u[x + y]; }
Local cell_function() {
  return {
      .name = "u_at", .params = {"x", "y"}, .body = {{Return{load(kIn, add(var("x"), var("y")))}}}};
}
Fill fill_of(const Buffer& to) {
  return {
      .copy = copy_of(to, kIn), .whole = condition(), .cell = "u_at", .at = {var("i"), index(2)}};
}
StoreRow store_of(const Buffer& from) {
  return {.copy = copy_of(kOut, from), .whole = condition(), .limit = var("n")};
}
Variants variants_of(Body body) {
  return {.name = "body", .flag = "edge", .condition = condition(), .body = std::move(body)};
}

Problems problems_of_all(Body body) {
  return verify({.name = "step",
                 .buffers = {kIn, kOut, kDouble},
                 .params = {{"n", Type::index}, {"i", Type::index}},
                 .body = std::move(body)});
}
// Of a statement after an array `a`, an array `m` of two rows and a function: the only problem, or
// "", none.
void finds(Stmt stmt, const char* problem, const testing::Here& here = testing::Here::current()) {
  testing::expect_only(
      problems_of_all(Body{
          array(registers("a")), array(registers("m", 2)), {cell_function()}, std::move(stmt)}),
      problem, here);
}
void finds_in_all(Body body, const char* problem,
                  const testing::Here& here = testing::Here::current()) {
  testing::expect_only(problems_of_all(std::move(body)), problem, here);
}
// A value with another part, and a function with another name and body.
template <class Node, class Part>
Node with(Node node, Part Node::*part, const std::type_identity_t<Part>& value) {
  node.*part = value;
  return node;
}
Local function(const std::string& name, std::vector<std::string> params, ExprPtr value) {
  return {.name = name, .params = std::move(params), .body = {{Return{std::move(value)}}}};
}
const char* const kMissing = "an expression is missing";
const char* const kLost = "`lost` is used and not declared";
const char* const kNoA = "`a` is indexed by more or fewer values than it has axes";
const char* const kNoM = "`m` is indexed by more or fewer values than it has axes";
const char* const kNoIndex = "`m` is indexed by a value that is no index";
const char* const kNoB = "`b` is used and not declared";

TEST(Verify, FindsNothingInRowsThatAreLoadedAndStored) {
  finds({copy_of(registers("a"), kIn)}, "");
  finds({copy_of(registers("m", 2), registers("a"))}, "");
  finds({copy_of(kOut, registers("m", 2))}, "");
  finds({fill_of(registers("m", 2))}, "");
  finds({store_of(registers("m", 2))}, "");
  finds({variants_of({{Let{"near", var("edge", Type::boolean)}}})}, "");
}

TEST(Verify, AnArrayHoldsValuesAndHasANameOfItsOwn) {
  finds(array(with(registers("b"), &Buffer::registers, 0)), "`b` is an array of no values");
  finds(array(registers("a")), "`a` is declared twice");
  finds(array(registers("u")), "`u` is declared twice");
  finds(array(registers("n")), "`n` is declared twice");
}

TEST(Verify, AnArrayIsKnownInItsBlockAlone) {
  const Stmt use = {Let{"value", load(registers("b"), index(0))}};
  const If guard{condition(), {array(registers("b")), use}, {}};
  finds({guard}, "");
  finds({with(guard, &If::no, {use})}, kNoB);
  finds_in_all({{If{condition(), {array(registers("b"))}, {}}}, use}, kNoB);
  finds_in_all({use, array(registers("b"))}, kNoB);
}

TEST(Verify, AnArrayIsUsedAsItIsDeclared) {
  const char* const undeclared = "`a` is used and not declared";
  finds({Let{"value", load(with(registers("a"), &Buffer::registers, 8), index(0))}}, undeclared);
  const auto loads = [](int rows, const ExprPtr& row) {
    const Buffer buffer = registers(rows > 1 ? "m" : "a", rows);
    return Stmt{Let{"value", make(Type::f32, Load{buffer, index(0), row})}};
  };
  finds({Let{"value", make(Type::f32, Load{registers("a", 2), index(0), index(0)})}}, undeclared);
  finds(loads(1, nullptr), "");
  finds(loads(2, index(1)), "");
  finds(loads(1, index(1)), kNoA);
  finds(loads(2, nullptr), kNoM);
  finds(loads(2, real(1)), kNoIndex);
  const auto stores = [](const ExprPtr& row) {
    return Stmt{Store{registers("m", 2), index(0), real(1), row}};
  };
  finds(stores(index(1)), "");
  finds(stores(nullptr), kNoM);
  finds(stores(real(1)), kNoIndex);
}

// Both are there and of one type, one is in registers, and one may be written.
TEST(Verify, ACopyHasTwoEnds) {
  finds({copy_of(registers("b"), kIn)}, kNoB);
  finds({copy_of(kOut, registers("b"))}, kNoB);
  finds({copy_of(registers("a"), {"w", Type::f32, false})}, "`w` is no buffer of the kernel");
  finds({copy_of(registers("a"), kDouble)}, "values of `d` are copied to another type");
  finds({copy_of(kDouble, registers("a"))}, "values of `a` are copied to another type");
  finds({copy_of(kOut, kIn)}, "values are copied from memory to memory");
  finds({copy_of(kIn, registers("a"))}, "`u` is stored to and read only");
  const auto copy = [](ExprPtr Copy::*part, const ExprPtr& value) {
    return Stmt{with(copy_of(registers("m", 2), registers("a")), part, value)};
  };
  finds(copy(&Copy::to_at, nullptr), kMissing);
  finds(copy(&Copy::to_at, var("lost")), kLost);
  finds(copy(&Copy::from_at, var("lost")), kLost);
  finds(copy(&Copy::to_at, real(1)), kNoIndex);
  finds(copy(&Copy::from_at, real(1)), "`a` is indexed by a value that is no index");
  finds(copy(&Copy::to_row, real(1)), kNoIndex);
  finds(copy(&Copy::to_row, nullptr), kNoM);
  finds(copy(&Copy::from_row, index(0)), kNoA);
}

TEST(Verify, AFillIsACopyWhereItSaysSoAndCallsAFunctionThatIsThere) {
  finds({fill_of(registers("b"))}, kNoB);
  finds({fill_of(kOut)}, "values are copied from memory to memory");
  const Fill whole = fill_of(registers("a"));
  finds({with(whole, &Fill::copy, with(whole.copy, &Copy::from, kDouble))},
        "values of `d` are copied to another type");
  finds({with(whole, &Fill::whole, nullptr)}, kMissing);
  finds({with(whole, &Fill::whole, var("lost", Type::boolean))}, kLost);
  const auto fill = [&](const std::string& name, std::vector<ExprPtr> at) {
    return Stmt{with(with(whole, &Fill::cell, name), &Fill::at, std::move(at))};
  };
  finds(fill("w_at", {var("i"), index(0)}), "`w_at` is called and no such function");
  finds(fill("u_at", {var("i")}), "`u_at` is called and no such function");
  finds(fill("u_at", {var("i"), nullptr}), kMissing);
  finds(fill("u_at", {var("lost"), index(0)}), kLost);
  finds_in_all({array(registers("a")), {whole}, {cell_function()}},
               "`u_at` is called and no such function");
}

// Parameters are indices of the body, and a return has a value.
TEST(Verify, AFunctionAndItsParametersAreDeclaredOnce) {
  const auto of_x = [](const ExprPtr& value) { return Stmt{function("f", {"x", "y"}, value)}; };
  finds({cell_function()}, "`u_at` is declared twice");
  finds({function("f", {"x", "x"}, load(kIn, var("x")))}, "`x` is declared twice");
  finds({function("f", {"i"}, load(kIn, var("i")))}, "`i` is declared twice");
  finds(of_x(var("x", Type::f32)), "`x` is used as another type");
  finds({Let{"late", var("x")}}, "`x` is used and not declared");
  finds(of_x(real(1)), "");
  finds(of_x(nullptr), kMissing);
  finds(of_x(var("z", Type::f32)), "`z` is used and not declared");
}

TEST(Verify, ARowThatIsStoredIsACopyAndSaysHowMuchOfIt) {
  finds({store_of(registers("b"))}, kNoB);
  finds({store_of(kIn)}, "values are copied from memory to memory");
  const StoreRow row = store_of(registers("a"));
  finds({with(row, &StoreRow::copy, with(row.copy, &Copy::to, kIn))},
        "`u` is stored to and read only");
  for (ExprPtr StoreRow::*part : {&StoreRow::whole, &StoreRow::limit}) {
    finds({with(row, part, nullptr)}, kMissing);
    finds({with(row, part, var("lost"))}, kLost);
  }
}

// It has a condition, which does not know the flag, and the flag is the body's own.
TEST(Verify, ABodyThatIsCompiledTwiceHasAConditionAndAFlag) {
  const Variants empty = variants_of({});
  finds({with(empty, &Variants::condition, nullptr)}, kMissing);
  finds({with(empty, &Variants::condition, var("lost", Type::boolean))}, kLost);
  finds({with(empty, &Variants::condition, var("edge", Type::boolean))},
        "`edge` is used and not declared");
  finds({variants_of({{Let{"near", var("edge", Type::index)}}})}, "`edge` is used as another type");
  finds({variants_of({{Assign{"edge", condition()}}})}, "`edge` is assigned and constant");
  finds_in_all({{empty}, {Let{"late", var("edge", Type::boolean)}}},
               "`edge` is used and not declared");
  finds({with(empty, &Variants::flag, "n")}, "`n` is declared twice");
  finds_in_all({{empty}, {empty}}, "");
}

TEST(Verify, AVariantOfABodySaysWhichOfItsFlagsHold) {
  Variants variants = variants_of({{Let{"far", var("corner", Type::boolean)}}});
  finds({variants}, "`corner` is used and not declared");
  variants.further = {"corner"};
  variants.cases = {{condition(), {true, false}}};
  finds({variants}, "");
  variants.cases.push_back({var("corner", Type::boolean), {true, false}});
  finds({variants}, "`corner` is used and not declared");
  variants.cases = {{condition(), {true}}};
  finds({variants}, "a variant of `body` lacks flags");
  variants.cases.clear();
  variants.aligned = condition();
  finds({variants}, "");
  variants.apart = true;
  finds({variants}, "`body` is a function, and such a flag is true or false");
}

}  // namespace
}  // namespace stencilc::kernel
