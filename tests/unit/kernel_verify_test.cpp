// What verify() finds in the statements that move rows of cells, in arrays of a thread, and in
// functions of a kernel: each rule is broken by one change to a kernel that keeps them all.
#include <gtest/gtest.h>

#include "kernel/build.h"

namespace stencilc::kernel {
namespace {

using Problems = std::vector<std::string>;

const Buffer kIn{"u", Type::f32, false};
const Buffer kOut{"v", Type::f32, true};
const Buffer kDouble{"d", Type::f64, true};

// Registers of a thread: rows of 4 values.
Buffer registers(const std::string& name, int rows = 1, Type element = Type::f32) {
  Buffer buffer;
  buffer.name = name;
  buffer.element = element;
  buffer.writable = true;
  buffer.registers = 4;
  buffer.rows = rows;
  return buffer;
}
ExprPtr real(double value, Type type = Type::f32) { return make(type, Real{value}); }
ExprPtr condition() { return bin(BinOp::lt, var("i"), var("n")); }

Stmt array(const Buffer& buffer) {
  Array array;
  array.buffer = buffer;
  return {array};
}
Copy copy_of(const Buffer& to, const Buffer& from) {
  Copy copy;
  copy.to = to;
  copy.to_at = index(0);
  copy.from = from;
  copy.from_at = var("i");
  copy.width = 4;
  if (to.rows > 1) copy.to_row = index(1);
  if (from.rows > 1) copy.from_row = index(1);
  return copy;
}
// float u_at(x, y) { return u[x + y]; }
Local cell_function() {
  Local local;
  local.name = "u_at";
  local.params = {"x", "y"};
  local.body = {{Return{load(kIn, add(var("x"), var("y")))}}};
  return local;
}
Fill fill_of(const Buffer& to) {
  Fill fill;
  fill.copy = copy_of(to, kIn);
  fill.whole = condition();
  fill.cell = "u_at";
  fill.at = {var("i"), index(2)};
  return fill;
}
StoreRow store_of(const Buffer& from) {
  StoreRow store;
  store.copy = copy_of(kOut, from);
  store.whole = condition();
  store.limit = var("n");
  return store;
}
Twice twice_of(Body body) {
  Twice twice;
  twice.name = "body";
  twice.flag = "rim";
  twice.condition = condition();
  twice.body = std::move(body);
  return twice;
}

Problems problems_of_all(Body body) {
  Kernel kernel;
  kernel.name = "step";
  kernel.buffers = {kIn, kOut, kDouble};
  kernel.params = {{"n", Type::index}, {"i", Type::index}};
  kernel.body = std::move(body);
  return verify(kernel);
}
// Of a statement behind an array `a`, an array `m` of two rows and a function.
Problems problems_of(Stmt stmt) {
  return problems_of_all(
      Body{array(registers("a")), array(registers("m", 2)), {cell_function()}, std::move(stmt)});
}

TEST(Verify, FindsNothingInRowsThatAreLoadedAndStored) {
  EXPECT_EQ(problems_of({copy_of(registers("a"), kIn)}), Problems{});
  EXPECT_EQ(problems_of({copy_of(registers("m", 2), registers("a"))}), Problems{});
  EXPECT_EQ(problems_of({copy_of(kOut, registers("m", 2))}), Problems{});
  EXPECT_EQ(problems_of({fill_of(registers("m", 2))}), Problems{});
  EXPECT_EQ(problems_of({store_of(registers("m", 2))}), Problems{});
  EXPECT_EQ(problems_of({twice_of({{Let{"near", var("rim", Type::boolean)}}})}), Problems{});
}

TEST(Verify, AnArrayHoldsValues) {
  Buffer none = registers("b");
  none.registers = 0;
  EXPECT_EQ(problems_of({array(none)}), Problems{"`b` is an array of no values"});
}

TEST(Verify, AnArrayHasANameOfItsOwn) {
  EXPECT_EQ(problems_of({array(registers("a"))}), Problems{"`a` is declared twice"});
  EXPECT_EQ(problems_of({array(registers("u"))}), Problems{"`u` is declared twice"});
  EXPECT_EQ(problems_of({array(registers("n"))}), Problems{"`n` is declared twice"});
}

TEST(Verify, AnArrayIsKnownInItsBlockAlone) {
  const Stmt use = {Let{"value", load(registers("b"), index(0))}};
  If guard{condition(), {array(registers("b")), use}, {}};
  EXPECT_EQ(problems_of({guard}), Problems{});
  guard.no = {use};
  EXPECT_EQ(problems_of({guard}), Problems{"`b` is used and not declared"});
  EXPECT_EQ(problems_of_all(Body{{If{condition(), {array(registers("b"))}, {}}}, use}),
            Problems{"`b` is used and not declared"});
  EXPECT_EQ(problems_of_all(Body{use, array(registers("b"))}),
            Problems{"`b` is used and not declared"});
}

TEST(Verify, AnArrayIsUsedAsItIsDeclared) {
  const Problems expected = {"`a` is used and not declared"};
  Buffer longer = registers("a");
  longer.registers = 8;
  EXPECT_EQ(problems_of({Let{"value", load(longer, index(0))}}), expected);
  Load row{registers("a", 2), index(0), index(0)};
  EXPECT_EQ(problems_of({Let{"value", make(Type::f32, row)}}), expected);
}

TEST(Verify, AnArrayOfRowsIsIndexedByRowAndPlace) {
  const auto loaded = [](int rows, const ExprPtr& row) {
    const Buffer& buffer = registers(rows > 1 ? "m" : "a", rows);
    return problems_of({Let{"value", make(Type::f32, Load{buffer, index(0), row})}});
  };
  EXPECT_EQ(loaded(1, nullptr), Problems{});
  EXPECT_EQ(loaded(2, index(1)), Problems{});
  EXPECT_EQ(loaded(1, index(1)),
            Problems{"`a` is indexed by more or fewer values than it has axes"});
  EXPECT_EQ(loaded(2, nullptr),
            Problems{"`m` is indexed by more or fewer values than it has axes"});
  EXPECT_EQ(loaded(2, real(1)), Problems{"`m` is indexed by a value that is no index"});
  const auto stored = [](const ExprPtr& row) {
    return problems_of({Store{registers("m", 2), index(0), real(1), row}});
  };
  EXPECT_EQ(stored(index(1)), Problems{});
  EXPECT_EQ(stored(nullptr), Problems{"`m` is indexed by more or fewer values than it has axes"});
  EXPECT_EQ(stored(real(1)), Problems{"`m` is indexed by a value that is no index"});
}

TEST(Verify, ACopyHasBothEnds) {
  EXPECT_EQ(problems_of({copy_of(registers("b"), kIn)}), Problems{"`b` is used and not declared"});
  EXPECT_EQ(problems_of({copy_of(kOut, registers("b"))}), Problems{"`b` is used and not declared"});
  EXPECT_EQ(problems_of({copy_of(registers("a"), {"w", Type::f32, false})}),
            Problems{"`w` is no buffer of the kernel"});
}

TEST(Verify, ACopyChangesNoType) {
  EXPECT_EQ(problems_of({copy_of(registers("a"), kDouble)}),
            Problems{"values of `d` are copied to another type"});
  EXPECT_EQ(problems_of({copy_of(kDouble, registers("a"))}),
            Problems{"values of `a` are copied to another type"});
}

TEST(Verify, ACopyHasAnEndInRegistersAndOneThatMayBeWritten) {
  EXPECT_EQ(problems_of({copy_of(kOut, kIn)}), Problems{"values are copied from memory to memory"});
  EXPECT_EQ(problems_of({copy_of(kIn, registers("a"))}),
            Problems{"`u` is stored to and read only"});
}

TEST(Verify, TheEndsOfACopyAreIndexed) {
  const auto problems = [](ExprPtr Copy::*part, const ExprPtr& value) {
    Copy copy = copy_of(registers("m", 2), registers("a"));
    copy.*part = value;
    return problems_of({copy});
  };
  EXPECT_EQ(problems(&Copy::to_at, nullptr), Problems{"an expression is missing"});
  EXPECT_EQ(problems(&Copy::to_at, var("lost")), Problems{"`lost` is used and not declared"});
  EXPECT_EQ(problems(&Copy::from_at, var("lost")), Problems{"`lost` is used and not declared"});
  EXPECT_EQ(problems(&Copy::to_at, real(1)),
            Problems{"`m` is indexed by a value that is no index"});
  EXPECT_EQ(problems(&Copy::from_at, real(1)),
            Problems{"`a` is indexed by a value that is no index"});
  EXPECT_EQ(problems(&Copy::to_row, real(1)),
            Problems{"`m` is indexed by a value that is no index"});
  EXPECT_EQ(problems(&Copy::to_row, nullptr),
            Problems{"`m` is indexed by more or fewer values than it has axes"});
  EXPECT_EQ(problems(&Copy::from_row, index(0)),
            Problems{"`a` is indexed by more or fewer values than it has axes"});
}

TEST(Verify, AFillIsACopyToo) {
  EXPECT_EQ(problems_of({fill_of(registers("b"))}), Problems{"`b` is used and not declared"});
  EXPECT_EQ(problems_of({fill_of(kOut)}), Problems{"values are copied from memory to memory"});
  Fill fill = fill_of(registers("a"));
  fill.copy.from = kDouble;
  EXPECT_EQ(problems_of({fill}), Problems{"values of `d` are copied to another type"});
}

TEST(Verify, AFillSaysWhereItIsACopy) {
  Fill fill = fill_of(registers("a"));
  fill.whole = nullptr;
  EXPECT_EQ(problems_of({fill}), Problems{"an expression is missing"});
  fill.whole = var("lost", Type::boolean);
  EXPECT_EQ(problems_of({fill}), Problems{"`lost` is used and not declared"});
}

TEST(Verify, AFillCallsAFunctionThatIsThere) {
  const auto problems = [](const std::string& name, std::vector<ExprPtr> at) {
    Fill fill = fill_of(registers("a"));
    fill.cell = name;
    fill.at = std::move(at);
    return problems_of({fill});
  };
  const std::string missing = "` is called and no such function";
  EXPECT_EQ(problems("w_at", {var("i"), index(0)}), Problems{"`w_at" + missing});
  EXPECT_EQ(problems("u_at", {var("i")}), Problems{"`u_at" + missing});
  EXPECT_EQ(problems("u_at", {var("i"), nullptr}), Problems{"an expression is missing"});
  EXPECT_EQ(problems("u_at", {var("lost"), index(0)}), Problems{"`lost` is used and not declared"});
  EXPECT_EQ(
      problems_of_all(Body{array(registers("a")), {fill_of(registers("a"))}, {cell_function()}}),
      Problems{"`u_at" + missing});
}

TEST(Verify, AFunctionAndItsParametersAreDeclaredOnce) {
  EXPECT_EQ(problems_of({cell_function()}), Problems{"`u_at` is declared twice"});
  Local local = cell_function();
  local.name = "f";
  local.params = {"x", "x"};
  local.body = {{Return{load(kIn, var("x"))}}};
  EXPECT_EQ(problems_of({local}), Problems{"`x` is declared twice"});
  local.params = {"i"};
  local.body = {{Return{load(kIn, var("i"))}}};
  EXPECT_EQ(problems_of({local}), Problems{"`i` is declared twice"});
}

TEST(Verify, TheParametersOfAFunctionAreIndicesOfItsBody) {
  Local local = cell_function();
  local.name = "f";
  local.body = {{Return{var("x", Type::f32)}}};
  EXPECT_EQ(problems_of({local}), Problems{"`x` is used as another type"});
  EXPECT_EQ(problems_of({Let{"late", var("x")}}), Problems{"`x` is used and not declared"});
}

TEST(Verify, AReturnHasAValue) {
  const auto problems = [](const ExprPtr& value) {
    Local local = cell_function();
    local.name = "f";
    local.body = {{Return{value}}};
    return problems_of({local});
  };
  EXPECT_EQ(problems(real(1)), Problems{});
  EXPECT_EQ(problems(nullptr), Problems{"an expression is missing"});
  EXPECT_EQ(problems(var("z", Type::f32)), Problems{"`z` is used and not declared"});
}

TEST(Verify, ARowThatIsStoredIsACopyToo) {
  EXPECT_EQ(problems_of({store_of(registers("b"))}), Problems{"`b` is used and not declared"});
  EXPECT_EQ(problems_of({store_of(kIn)}), Problems{"values are copied from memory to memory"});
  StoreRow store = store_of(registers("a"));
  store.copy.to = kIn;
  EXPECT_EQ(problems_of({store}), Problems{"`u` is stored to and read only"});
}

TEST(Verify, ARowThatIsStoredSaysHowMuchOfIt) {
  for (ExprPtr StoreRow::*part : {&StoreRow::whole, &StoreRow::limit}) {
    StoreRow store = store_of(registers("a"));
    store.*part = nullptr;
    EXPECT_EQ(problems_of({store}), Problems{"an expression is missing"});
    store.*part = var("lost");
    EXPECT_EQ(problems_of({store}), Problems{"`lost` is used and not declared"});
  }
}

TEST(Verify, ABodyThatIsCompiledTwiceHasACondition) {
  Twice twice = twice_of({});
  twice.condition = nullptr;
  EXPECT_EQ(problems_of({twice}), Problems{"an expression is missing"});
  twice.condition = var("lost", Type::boolean);
  EXPECT_EQ(problems_of({twice}), Problems{"`lost` is used and not declared"});
  twice.condition = var("rim", Type::boolean);  // which the body alone knows
  EXPECT_EQ(problems_of({twice}), Problems{"`rim` is used and not declared"});
}

TEST(Verify, TheFlagOfABodyThatIsCompiledTwiceIsItsOwn) {
  EXPECT_EQ(problems_of({twice_of({{Let{"near", var("rim", Type::index)}}})}),
            Problems{"`rim` is used as another type"});
  EXPECT_EQ(problems_of({twice_of({{Assign{"rim", condition()}}})}),
            Problems{"`rim` is assigned and constant"});
  EXPECT_EQ(problems_of_all(Body{{twice_of({})}, {Let{"late", var("rim", Type::boolean)}}}),
            Problems{"`rim` is used and not declared"});
  Twice twice = twice_of({});
  twice.flag = "n";
  EXPECT_EQ(problems_of({twice}), Problems{"`n` is declared twice"});
  EXPECT_EQ(problems_of_all(Body{{twice_of({})}, {twice_of({})}}), Problems{});
}

TEST(Verify, ATextOfABodyThatIsCompiledTwiceSaysWhichOfItsFlagsHold) {
  Twice twice = twice_of({{Let{"far", var("corner", Type::boolean)}}});
  EXPECT_EQ(problems_of({twice}), Problems{"`corner` is used and not declared"});
  twice.further = {"corner"};
  twice.texts = {{condition(), {true, false}}};
  EXPECT_EQ(problems_of({twice}), Problems{});
  twice.texts.push_back({var("corner", Type::boolean), {true, false}});
  EXPECT_EQ(problems_of({twice}), Problems{"`corner` is used and not declared"});
  twice.texts = {{condition(), {true}}};
  EXPECT_EQ(problems_of({twice}), Problems{"a text of `body` lacks flags"});
}

}  // namespace
}  // namespace stencilc::kernel
