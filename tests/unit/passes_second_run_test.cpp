// What the second run of divisions and roots begins with.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel/build.h"
#include "kernel/kernel.h"
#include "passes/second_run.h"
#include "support/text.h"

namespace stencilc::passes {

using namespace kernel;

namespace {

using testing::expect_has;

const Buffer kFrom{"a", Type::f64, false}, kTo{"c", Type::f64, true};

ExprPtr real(const char* name) { return var(name, Type::f64); }
ExprPtr near(int cells) { return load(kFrom, add(var("i"), cells)); }
Stmt let(const std::string& name, ExprPtr value) { return {Let{name, std::move(value)}}; }
Stmt store(ExprPtr value) { return {Store{kTo, var("i"), std::move(value)}}; }
// Of so many sums of two cells each.
FastDivision quotients(int count) {
  FastDivision fast;
  for (int n = 0; n < count; ++n) {
    const std::string q = "q" + std::to_string(n);
    const ExprPtr below = bin(BinOp::add, near(2 * n), near(2 * n + 1));
    fast.body.push_back(let(q, call(Type::f64, Fn::quotient, {near(n), below})));
    fast.body.push_back(store(real(q.c_str())));
  }
  return fast;
}
Body with_index(Body body) {
  body.insert(body.begin(), let("i", bin(BinOp::mul, var("k"), index(8))));
  return body;
}
// The kernel of these statements, after the pass and as it prints itself.
std::string after(Body body) {
  body = with_index(std::move(body));
  begin_anew(body);
  const Kernel kernel{.buffers = {kFrom, kTo},
                      .params = {{"k", Type::index}, {"h", Type::f64}},
                      .body = std::move(body)};
  EXPECT_EQ(verify(kernel), std::vector<std::string>{});
  return print(kernel);
}
bool is_anew(Body body) { return after(std::move(body)).find("anew(") != std::string::npos; }

TEST(SecondRun, WhereMuchWouldBeKeptItBeginsWithIndices) {
  expect_has(after({{quotients(8)}}), {"fast_division\n      let i_again: index = anew(i)\n"});
  EXPECT_FALSE(is_anew({{quotients(2)}}));
}

TEST(SecondRun, ItLoadsWhatWasLoadedBefore) {
  FastDivision fast = quotients(8);
  fast.body.push_back(store(real("near")));
  const std::string all =
      after({let("other", near(200)), let("near", near(100)), {fast}, store(real("other"))});
  expect_has(all, {"fast_division\n      let i_again: index = anew(i)\n      let near: f64 = "
                   "a[(i_again + 100)]\n"});
  EXPECT_LT(all.find("let other"), all.find("fast_division"));
  EXPECT_LT(all.find("fast_division"), all.find("let near"));
}

TEST(SecondRun, ValuesThatAreReadLaterStayOutside) {
  FastDivision fast = quotients(8);
  fast.body.push_back(store(real("near")));
  expect_has(after({let("near", near(100)), {fast}, store(real("near"))}),
             {"let near: f64 = a[(i + 100)]\n", "      let near_again: f64 = anew(near)\n",
              "<- near_again\n    c[i] <- near\n"});
}

TEST(SecondRun, WhatReadsMoreValuesThanItWouldKeepStays) {
  Body body;
  FastDivision fast = quotients(8);
  for (int n = 0; n < 16; ++n) {
    const std::string name = "f" + std::to_string(n);
    body.push_back(let(name, bin(BinOp::mul, real("h"), make(Type::f64, Real{n + 0.5}))));
    fast.body.push_back(store(real(name.c_str())));
  }
  body.push_back({If{bin(BinOp::lt, var("k"), index(8)), {{fast}}, {}}});
  EXPECT_FALSE(is_anew(std::move(body)));
}

TEST(SecondRun, ArraysInRegistersAreNotLoadedTwice) {
  Buffer cells{"cells", Type::f64, true};
  cells.registers = 8;
  FastDivision fast = quotients(8);
  fast.body.push_back(store(load(cells, index(1))));
  EXPECT_FALSE(is_anew({{Array{cells, true}}, {fast}}));
}

TEST(SecondRun, CountersOfUnrolledLoopsStayConstants) {
  FastDivision fast = quotients(8);
  fast.body.push_back(store(load(kFrom, add(var("i"), var("v")))));
  const auto loop = [&](For::Mark mark) {
    return Body{{For{mark, "v", Type::index, index(0), index(2), {{fast}}}}};
  };
  expect_has(after(loop(For::unrolled)), {"let i_again: index = anew(i)\n", "+ v)]\n"});
  expect_has(after(loop(For::rolled)), {"= anew(i)\n", "let v_again: index = anew(v)\n"});
}

}  // namespace
}  // namespace stencilc::passes
