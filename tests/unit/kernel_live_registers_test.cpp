// How many registers values need at once.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "kernel/live_registers.h"

namespace stencilc::kernel {
namespace {

const Buffer kFrom{"u", Type::f32, false};
const Buffer kTo{"v", Type::f32, true};
ExprPtr of(const char* name, Type type = Type::f32) { return var(name, type); }
Stmt stored(const ExprPtr& value) { return {Store{kTo, index(0), value}}; }
ExprPtr total(const ExprPtr& a, const ExprPtr& b) { return bin(BinOp::add, a, b); }
Stmt load_of(const char* name, int at, Type type = Type::f32) {
  Buffer from = kFrom;
  from.element = type;
  return {Let{name, load(from, index(at))}};
}

// A store needs an address of two words, and so does a load.
constexpr int kAddress = 2;

TEST(LiveRegisters, OfValuesThatWaitForEachOther) {
  EXPECT_EQ(live_words({load_of("a", 0), load_of("b", 1), load_of("c", 2),
                        stored(total(total(of("a"), of("b")), of("c")))}),
            3 + kAddress);
}

TEST(LiveRegisters, OfValuesThatAreUsedBeforeTheNextOneComes) {
  Body body = {{Let{"sum", make(Type::f32, Real{0}), true}}};
  for (const char* name : {"a", "b", "c", "d"}) {
    body.push_back(load_of(name, 0));
    body.push_back({Assign{"sum", total(of("sum"), of(name))}});
  }
  body.push_back(stored(of("sum")));
  EXPECT_LE(live_words(body), 2 + kAddress);
}

TEST(LiveRegisters, OfAVariableThatBeginsAsANumberFromItsAssignment) {
  const auto needs = [](const ExprPtr& start) {
    return live_words({{Let{"a", start, true}},
                       load_of("b", 0),
                       load_of("c", 1),
                       {If{var("inside", Type::boolean),
                           {{Assign{"a", total(of("b"), of("c"))}}},
                           {{Assign{"a", load(kFrom, index(0))}}}}},
                       stored(of("a"))});
  };
  EXPECT_EQ(needs(load(kFrom, index(0))) - needs(make(Type::f32, Real{0})), 1);
}

TEST(LiveRegisters, ValuesOfEightBytesTakeTwo) {
  const auto needs = [](Type type) {
    return live_words({load_of("a", 0, type), load_of("b", 1, type), load_of("c", 2, type),
                       stored(total(total(of("a", type), of("b", type)), of("c", type)))});
  };
  EXPECT_EQ(needs(Type::f64) - needs(Type::f32), 3);
}

TEST(LiveRegisters, OfAnArrayWhatIsSet) {
  Buffer row{"row", Type::f32, true};
  row.registers = 12;
  const Copy copy{row, index(4), kFrom, index(0), 4};
  const auto needs = [&](std::vector<Stmt> sets) {
    Body body = {{Array{row}}};
    append(body, std::move(sets));
    body.push_back(stored(load(row, index(4))));
    return live_words(body);
  };
  EXPECT_EQ(needs({{copy}}), 4 + kAddress);
  EXPECT_EQ(needs({{copy}, {copy}, {copy}, {copy}}), 12 + kAddress);
}

// Index arithmetic does not count, a division counts as a sequence, and unrolled loops are
// unrolled.
TEST(LiveRegisters, OperationsOfUnrolledLoops) {
  const ExprPtr once = total(of("a"), of("b"));
  const ExprPtr slow = bin(BinOp::div, of("a"), of("b"));
  EXPECT_EQ(unrolled_operations({stored(once)}), 2);
  EXPECT_GT(unrolled_operations({stored(slow)}), 10);
  For loop{For::unrolled, "v", Type::index, index(0), index(4), {}, nullptr};
  loop.body = {stored(once)};
  EXPECT_EQ(unrolled_operations({{loop}}), 8);
  loop.mark = For::plain;
  EXPECT_EQ(unrolled_operations({{loop}}), 2);
}

// What a loop takes along is live to its end, though its last use is its first statement.
TEST(LiveRegisters, WhatALoopReadsIsLiveInAllOfIt) {
  const auto needs = [](For::Mark mark) {
    For loop{mark, "k", Type::index, index(0), index(4), {}, nullptr};
    loop.body = {stored(of("a")), load_of("b", 1), load_of("c", 2), load_of("d", 3),
                 stored(total(total(of("b"), of("c")), of("d")))};
    return live_words({load_of("a", 0), {loop}});
  };
  EXPECT_EQ(needs(For::plain), needs(For::unrolled) + 2);  // and its counter
}

TEST(LiveRegisters, NarrowElementsShareRegisters) {
  const auto needs = [](Type type) {
    Buffer row{"row", type, true};
    row.registers = 8;
    const Copy copy{row, index(0), Buffer{"u", type, false}, index(0), 8};
    return live_words({{Array{row}}, {copy}, stored(load(row, index(0)))});
  };
  EXPECT_EQ(needs(Type::f32), 8 + kAddress);
  EXPECT_EQ(needs(Type::f16), 4 + kAddress);
  EXPECT_EQ(needs(Type::u8), 8 + kAddress) << "bytes are taken apart";
}

// Quotients run again if an operand is rare: their operands wait for that, and sums in them are
// computed once.
TEST(LiveRegisters, WhatAFastDivisionDividesIsKeptToItsEnd) {
  const auto quotient = [](const ExprPtr& a, const ExprPtr& b) {
    return make(Type::f32, Call{Fn::quotient, {a, b}});
  };
  Body body;
  for (const char* name : {"a", "b", "c", "d"}) {
    const std::string other = std::string(name) + "2";
    body.push_back(load_of(name, 0));
    body.push_back(load_of(other.c_str(), 1));
    body.push_back(stored(quotient(total(of(name), of(other.c_str())), of(other.c_str()))));
  }
  const RegisterUse plain = register_use(body);
  const RegisterUse fast = register_use({{FastDivision{body}}});
  EXPECT_EQ(plain.kept_words, plain.live_words);
  EXPECT_EQ(fast.live_words, plain.live_words);
  EXPECT_GE(fast.kept_words, plain.live_words + 3 * 2);
  // What begins anew waits with what it reads from outside alone.
  body.insert(body.begin(), {Let{"again", call(Type::index, Fn::anew, {var("k")})}});
  const RegisterUse anew = register_use({{FastDivision{body}}});
  EXPECT_LE(anew.kept_words, plain.live_words + 2);
}

TEST(LiveRegisters, BlocksInsideAndAtTheEdgesAreToldApart) {
  const Body few = {load_of("a", 0), stored(of("a"))};
  const Body many = {load_of("a", 0), load_of("b", 1), load_of("c", 2),
                     stored(total(total(of("a"), of("b")), of("c")))};
  const RegisterUse use = register_use({{If{of("inside", Type::boolean), few, many}}});
  EXPECT_EQ(use.kept_words, live_words(many));
  EXPECT_EQ(use.inside_words, live_words(few));
  // All loads are a number of cells apart, and the store is to another array.
  EXPECT_LE(use.addresses, 4);
}

}  // namespace
}  // namespace stencilc::kernel
