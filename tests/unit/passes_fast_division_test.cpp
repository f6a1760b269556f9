// Divisions and roots side by side: which statements run twice, and which may not.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "kernel/kernel.h"
#include "passes/fast_division.h"
#include "support/text.h"

namespace stencilc::passes {

using namespace kernel;

namespace {

using testing::expect_has;

const Buffer kIn{"a", Type::f32, false}, kOut{"c", Type::f32, true}, kOther{"d", Type::f32, true};
const ExprPtr kV = var("v");

ExprPtr real(double value) { return make(Type::f32, Real{value}); }
ExprPtr at(const Buffer& buffer, const ExprPtr& place = kV) { return load(buffer, place); }
ExprPtr over(ExprPtr a, ExprPtr b) { return bin(BinOp::div, std::move(a), std::move(b)); }
ExprPtr root(ExprPtr x) { return call(Type::f32, Fn::sqrt, {std::move(x)}); }
Stmt store(const Buffer& buffer, ExprPtr value) { return {Store{buffer, kV, std::move(value)}}; }
Stmt cells(Body body, int count = 4) {
  return {For{For::unrolled, "v", Type::index, index(0), index(count), std::move(body)}};
}

// The kernel of these statements, after the pass and as it prints itself.
std::string text(Body body) {
  body = with_fast_division({{If{bin(BinOp::lt, var("k"), index(8)), std::move(body), {}}}});
  const std::string printed = print({.buffers = {kIn, kOut, kOther},
                                     .params = {{"v", Type::index}, {"k", Type::index}},
                                     .body = std::move(body)});
  return printed.substr(printed.find("if "));
}
// How it begins where all of its body is in a group.
const std::string kFast =
    "if (k < 8)\n"
    "      // Divisions and roots without a branch; if a number is rare, all of it is computed "
    "anew.\n"
    "      fast_division\n";
bool wraps(const Body& body) { return text(body).find("fast_division") != std::string::npos; }

TEST(FastDivision, TheCellsOfAVectorAreOneBody) {
  EXPECT_EQ(text({cells({store(kOut, over(at(kIn), root(at(kIn, index(9)))))})}),
            kFast +
                "        for v in 0 .. 4 unrolled\n"
                "          c[v] <- quotient(a[v], root(a[9]))\n");
}

TEST(FastDivision, ReciprocalsHaveFunctionsOfTheirOwn) {
  expect_has(text({cells({store(kOut, over(real(1), at(kIn)))})}), {"<- reciprocal(a[v])"});
  expect_has(text({cells({store(kOut, over(real(1), root(at(kIn))))})}),
             {"<- reciprocal_root(a[v])"});
}

// Of numbers for which one comparison is enough.
TEST(FastDivision, QuotientsOfNumbersHaveAFunctionOfTheirOwn) {
  const auto of = [](double number) {
    return text({cells({store(kOut, over(real(number), at(kIn)))})});
  };
  for (const double number : {0.25, -0.25, 0x1p-20, -1.0})
    expect_has(of(number), {"<- quotient_of("});
  for (const double number : {2.0, 0x1p-21, 0.0}) expect_has(of(number), {"<- quotient("});
}

TEST(FastDivision, OneOperationByItselfStaysAsItIs) {
  EXPECT_FALSE(wraps({store(kOut, over(at(kIn), at(kIn)))}));
  EXPECT_FALSE(wraps({cells({store(kOut, root(at(kIn)))}, 1)}));
}

TEST(FastDivision, DivisionsByPowersOfTwoAreNone) {
  for (const double factor : {16.0, -0.25})
    EXPECT_FALSE(wraps({cells({store(kOut, over(at(kIn), real(factor)))})}));
  EXPECT_TRUE(wraps({cells({store(kOut, over(at(kIn), real(3)))})}));
}

TEST(FastDivision, WhatIsUpdatedInPlaceRunsOnce) {
  EXPECT_FALSE(wraps({cells({store(kOut, over(at(kOut), at(kIn)))})}));
  EXPECT_FALSE(wraps(
      {{Let{"sum", real(0), true}},
       cells({{Assign{"sum", bin(BinOp::add, var("sum", Type::f32), over(at(kIn), at(kIn)))}}})}));
}

// Of statements in a list: their stores can come last.
TEST(FastDivision, UpdatesInPlaceAreStoredAfterIt) {
  const ExprPtr fraction = bin(BinOp::add, over(at(kOut), at(kIn)), root(at(kIn)));
  EXPECT_EQ(text({{Let{"next", fraction}}, store(kOut, var("next", Type::f32))}),
            "if (k < 8)\n"
            "      var next: f32 = 0\n"
            "      // Divisions and roots without a branch; if a number is rare, all of it is "
            "computed anew.\n"
            "      fast_division\n"
            "        next = (quotient(c[v], a[v]) + root(a[v]))\n"
            "      c[v] <- next\n");
  // A value that is read inside, too, goes out by another variable.
  expect_has(text({{Let{"next", fraction}},
                   {Let{"twice", bin(BinOp::add, var("next", Type::f32), at(kOut))}},
                   store(kOut, var("next", Type::f32)),
                   store(kOther, var("twice", Type::f32))}),
             {"var next_stored: f32 = 0", "var twice: f32 = 0", "let next: f32 = (quotient",
              "next_stored = next", "c[v] <- next_stored", "d[v] <- twice"});
  // What is made narrower to be stored is so after it.
  Buffer narrow = kOut;
  narrow.element = Type::f16;
  expect_has(text({{Let{"wide", bin(BinOp::add, fraction, at(kOut))}},
                   {Let{"next", make(Type::f16, Convert{var("wide", Type::f32)})}},
                   store(narrow, var("next", Type::f16))}),
             {"        wide = ", "\n      let next: f16 = "});
  EXPECT_FALSE(wraps({{Let{"next", fraction}},
                      store(kOut, var("next", Type::f32)),
                      {Let{"again", over(at(kOut), at(kIn))}},
                      store(kOther, var("again", Type::f32))}))
      << "what is stored is read later";
}

// Rare numbers do not matter where a result is not chosen.
TEST(FastDivision, WhatOneSideOfAChoiceUsesIsNeededThere) {
  const auto f32 = [](const char* name) { return var(name, Type::f32); };
  const auto sum = [](ExprPtr a, ExprPtr b) { return bin(BinOp::add, std::move(a), std::move(b)); };
  const ExprPtr q = f32("q"), c = var("holds", Type::boolean);
  const auto choice = [&](ExprPtr yes, ExprPtr no) {
    return pick(c, std::move(yes), std::move(no));
  };
  const Stmt quotient = {Let{"q", over(at(kIn), f32("m"))}};
  const Stmt m = {Let{"m", sum(at(kIn), real(1))}}, other = {Let{"o", root(f32("m"))}};
  const auto condition = [](ExprPtr of) {
    return Stmt{Let{"holds", bin(BinOp::gt, std::move(of), real(2))}};
  };
  // The condition moves before it, with what it is made of.
  const Stmt n = {Let{"n", sum(f32("m"), f32("m"))}};
  expect_has(
      text({m, other, quotient, n, condition(f32("n")),
            store(kOut, sum(f32("o"), choice(q, real(0))))}),
      {"let o: f32 = root(m)\n        let n: f32 = (m + m)\n        let holds: bool = (n > 2)\n"
       "        let q: f32 = quotient(a[v], m, holds)\n"});
  // By other constants, on the other side.
  expect_has(text({m,
                   condition(f32("m")),
                   quotient,
                   {Let{"r", root(sum(q, real(1)))}},
                   store(kOut, choice(real(0), sum(q, f32("r"))))}),
             {"quotient(a[v], m, !holds)", "root((q + 1), !holds)"});
  // A condition without a name gets one.
  expect_has(
      text({m, other, quotient,
            store(kOut, sum(f32("o"), pick(bin(BinOp::gt, f32("m"), f32("o")), q, real(0))))}),
      {"let q_needed: bool = (m > o)\n        let q: f32 = quotient(a[v], m, q_needed)\n",
       "pick(q_needed, q, 0)"});
  const auto has_no_condition = [&](Body body) {
    expect_has(text(std::move(body)), {"quotient(a[v], m)"});
  };
  // A condition that has nothing in common with it, such as a mask.
  has_no_condition(
      {m, other, quotient, condition(at(kOther)), store(kOut, sum(f32("o"), choice(q, real(0))))});
  // Another variable with its name has none.
  const Stmt twin = {If{bin(BinOp::lt, var("k"), index(4)),
                        {quotient, store(kOther, f32("q"))},
                        {quotient, condition(f32("m")), store(kOut, choice(q, real(0)))}}};
  expect_has(text({m, twin, store(kOther, f32("m"))}),
             {"quotient(a[v], m)\n", "quotient(a[v], m, holds)\n"});
  // Also used elsewhere, or on both sides.
  has_no_condition({m, other, condition(f32("m")), quotient,
                    store(kOut, sum(choice(q, real(0)), q)), store(kOther, f32("o"))});
  has_no_condition({m, condition(f32("m")), quotient,
                    store(kOut, sum(choice(q, root(f32("m"))), choice(real(0), q)))});
  // The condition needs the quotient, or what changes after it.
  has_no_condition(
      {m, other, quotient, condition(sum(q, f32("o"))), store(kOut, choice(q, real(0)))});
  has_no_condition({m,
                    other,
                    {Let{"s", f32("m"), true}},
                    quotient,
                    {Assign{"s", sum(f32("s"), f32("o"))}},
                    condition(f32("s")),
                    store(kOut, choice(q, real(0)))});
}

// A sum over a row is asked for once, by all lanes.
TEST(FastDivision, ReductionsComeAfterIt) {
  const ExprPtr value = var("value", Type::f32);
  expect_has(text({{Let{"value", bin(BinOp::add, over(at(kIn), at(kIn)), root(at(kIn)))}},
                   {Combine{kOther, Fold::sum, value, kV, index(64), index(0)}}}),
             {"fast_division\n        value = (quotient", "\n      d <- sum of warp value"});
}

TEST(FastDivision, AVariableOfTheCellMayBeUpdated) {
  EXPECT_EQ(text({{Let{"sum", at(kIn), true}},
                  {Assign{"sum", bin(BinOp::add, var("sum", Type::f32), root(at(kIn, index(1))))}},
                  store(kOut, over(var("sum", Type::f32), at(kIn, index(2)))),
                  store(kOut, at(kIn))}),
            kFast +
                "        var sum: f32 = a[v]\n"
                "        sum = (sum + root(a[1]))\n"
                "        c[v] <- quotient(sum, a[2])\n"
                "      c[v] <- a[v]\n");
}

TEST(FastDivision, WhatALaterStatementNeedsIsInIt) {
  EXPECT_EQ(text({{Let{"first", over(at(kIn), real(3))}},
                  {Let{"second", root(at(kIn))}},
                  {Let{"other", at(kIn, index(5))}},
                  store(kOut, bin(BinOp::mul, var("first", Type::f32), var("second", Type::f32)))}),
            kFast +
                "        let first: f32 = quotient(a[v], 3)\n"
                "        let second: f32 = root(a[v])\n"
                "        let other: f32 = a[5]\n"
                "        c[v] <- (first * second)\n");
}

TEST(FastDivision, ValuesOfOtherLanesAreNotAskedForTwice) {
  const ExprPtr beside = make(Type::f32, Beside{at(kIn), kIn, kV, 1});
  EXPECT_FALSE(wraps({cells({store(kOut, over(beside, at(kIn)))})}));
  EXPECT_FALSE(wraps({cells({store(kOut, over(at(kIn), at(kIn))), {Meet{}}})}));
}

// What comes before and after a shuffle is side by side each by itself. Values that the shuffle or
// later statements take are variables; those that are read inside, too, have another name there.
TEST(FastDivision, ShufflesPartWhatIsSideBySide) {
  const auto f32 = [](const char* name) { return var(name, Type::f32); };
  const auto quotients = [&](const std::string& name) {
    return Body{{Let{name, over(at(kIn), at(kIn, index(1)))}},
                {Let{name + "_2", root(f32(name.c_str()))}}};
  };
  Body body = quotients("q");
  body.push_back({Let{"left", call(Type::f32, Fn::from_left, {f32("q"), index(1)})}});
  append(body, quotients("r"));
  body.push_back(store(kOut, bin(BinOp::add, f32("left"), f32("r_2"))));
  body.push_back(store(kOther, f32("q_2")));
  EXPECT_EQ(
      text(std::move(body)),
      "if (k < 8)\n"
      "      var q: f32 = 0\n"
      "      var q_2: f32 = 0\n"
      "      // Divisions and roots without a branch; if a number is rare, all of it is computed "
      "anew.\n"
      "      fast_division\n"
      "        let q_here: f32 = quotient(a[v], a[1])\n"
      "        q_2 = root(q_here)\n"
      "        q = q_here\n"
      "      let left: f32 = from_left(q, 1)\n"
      "      var r_2: f32 = 0\n"
      "      fast_division\n"
      "        let r: f32 = quotient(a[v], a[1])\n"
      "        r_2 = root(r)\n"
      "      c[v] <- (left + r_2)\n"
      "      d[v] <- q_2\n");
  // A single one stays as it is, and so does what changes.
  body = {{Let{"q", over(at(kIn), at(kIn, index(1)))}},
          {Let{"left", call(Type::f32, Fn::from_left, {f32("q"), index(1)})}},
          store(kOut, root(f32("left")))};
  EXPECT_FALSE(wraps(body));
}

// Where the condition is another one when the divisions are done exactly, a store would stay.
TEST(FastDivision, WhatIsStoredWhereAQuotientSaysRunsOnce) {
  const auto guarded = [](ExprPtr condition, Body body) {
    return Stmt{If{std::move(condition), std::move(body), {}}};
  };
  const ExprPtr quotient = over(at(kIn), at(kIn, index(1)));
  const ExprPtr more = bin(BinOp::gt, quotient, real(1));
  EXPECT_FALSE(wraps({cells({guarded(more, {store(kOut, root(at(kIn)))})})}));
  EXPECT_FALSE(wraps({cells({{Let{"q", quotient}},
                             {Let{"more", bin(BinOp::gt, var("q", Type::f32), real(1))}},
                             guarded(var("more", Type::boolean), {store(kOut, at(kIn))})})}));
  EXPECT_TRUE(wraps({cells({{Let{"value", at(kIn), true}},
                            guarded(more, {{Assign{"value", root(at(kIn))}}}),
                            store(kOut, var("value", Type::f32))})}));
  EXPECT_TRUE(wraps({cells({guarded(bin(BinOp::gt, at(kIn), real(1)), {store(kOut, quotient)})})}));
}

TEST(FastDivision, DivisorsThatAreComparedToZeroMayBeZero) {
  const ExprPtr b = at(kIn), chosen = bin(BinOp::gt, b, real(0));
  const auto either_way = [&](ExprPtr value) {
    return text({cells({{Let{"positive", chosen}},
                        store(kOut, pick(var("positive", Type::boolean), value, real(0)))})});
  };
  expect_has(either_way(over(at(kIn, index(1)), b)), {"quotient_or_infinity(a[1], a[v])"});
  expect_has(either_way(over(b, at(kIn, index(1)))), {"quotient(a[v], a[1])"});
}

// Rows of an array: k and k+1 are never the same.
TEST(FastDivision, OtherRowsOfAnArrayMayBeRead) {
  const Buffer rows{"rows", Type::f32, true, 0, 0, 4, 3};
  const auto row = [&](const ExprPtr& of) { return make(Type::f32, Load{rows, kV, of}); };
  const ExprPtr k = var("k");
  const auto next = [&](ExprPtr value) {
    return Stmt{Store{rows, kV, std::move(value), add(k, 1)}};
  };
  EXPECT_TRUE(wraps({{Array{rows}}, cells({next(over(row(k), at(kIn)))})}));
  EXPECT_FALSE(wraps({{Array{rows}}, cells({next(over(row(add(k, 1)), at(kIn)))})}));
  EXPECT_FALSE(wraps({{Array{rows}}, cells({next(over(row(kV), at(kIn)))})}));
}

TEST(FastDivision, WhatReadsBeforeItIsOverwrittenHasALoopOfItsOwn) {
  const Buffer rows{"rows", Type::f32, true, 0, 0, 4, 3}, sum{"sum", Type::f32, true, 0, 0, 4};
  const ExprPtr k = var("k");
  const auto body = [&](const ExprPtr& read) {
    return Body{{Array{rows}},
                {Array{sum}},
                cells({store(sum, make(Type::f32, Load{rows, read, k})),
                       {Store{rows, kV, over(at(sum), at(kIn)), k}}})};
  };
  EXPECT_EQ(text(body(kV)),
            "if (k < 8)\n"
            "      array rows: 3 rows of 4 f32\n"
            "      array sum: 1 rows of 4 f32\n"
            "      for v in 0 .. 4 unrolled\n"
            "        sum[v] <- rows[k][v]\n"
            "      // Divisions and roots without a branch; if a number is rare, all of it is "
            "computed anew.\n"
            "      fast_division\n"
            "        for v in 0 .. 4 unrolled\n"
            "          rows[k][v] <- quotient(sum[v], a[v])\n");
  EXPECT_FALSE(wraps(body(index(1))));  // which a pass before may have overwritten
}

TEST(FastDivision, OperationsOfOrdinaryNumbersStandNowhereElse) {
  Kernel kernel;
  kernel.buffers = {kIn, kOut};
  const Stmt stmt = {Store{kOut, index(0), call(Type::f32, Fn::root, {at(kIn, index(0))})}};
  kernel.body = {stmt};
  EXPECT_EQ(verify(kernel).size(), 1u);
  kernel.body = {{FastDivision{{stmt}}}};
  EXPECT_EQ(verify(kernel), std::vector<std::string>{});
}

}  // namespace
}  // namespace stencilc::passes
