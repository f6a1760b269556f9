// Which sums are over all cells of a box, and where their weights lie.
#include <gtest/gtest.h>

#include "ir/box_sum.h"
#include "support/analysed.h"

namespace stencilc::ir {
namespace {

// Of the only statement, whose value is a sum.
std::optional<BoxSum> box_of(const std::string& declarations, const std::string& value,
                             const std::string& axes = "x, y") {
  const Stencil stencil = testing::canonical("stencil s { axes " + axes +
                                             "; field f32 u in boundary clamp; field f32 " +
                                             "d out; " + declarations + " d = " + value + "; }");
  const auto* sum = as<Sum>(stencil.updates.at(0).cases.at(0).value);
  return sum ? box_sum(*sum) : std::nullopt;
}

TEST(BoxSum, HasItsWeightsInAnArray) {
  const auto box =
      box_of("weights f32 w[-1..1, -2..2];", "sum(i in -1..1, j in -2..2 : w[i, j] * u[x+i, y+j])");
  ASSERT_TRUE(box);
  EXPECT_EQ(box->low, (Offset{-1, -2, 0}));
  EXPECT_EQ(box->high, (Offset{1, 2, 0}));
  EXPECT_EQ(box->row(), 3);
  EXPECT_EQ(box->rows(), 5);
  EXPECT_EQ(box->elements.array, 0);
  EXPECT_EQ(box->elements.first, 0);
  EXPECT_EQ(box->elements.stride, (Offset{5, 1, 0}));
  EXPECT_EQ(as<Read>(box->tap)->offset, (Offset{}));
}

TEST(BoxSum, MayTurnItsWeightsAround) {
  const auto box = box_of("weights f32 w[-1..1, -1..1];",
                          "sum(i in -1..1, j in -1..1 : w[-j, -i] * u[x+i, y+j])");
  ASSERT_TRUE(box);
  EXPECT_EQ(box->elements.first, 8);
  EXPECT_EQ(box->elements.stride, (Offset{-1, -3, 0}));
}

TEST(BoxSum, HasOneWeightOrNumbers) {
  const auto one = box_of("param f32 c;", "sum(i in 0..3, j in 0..1 : c * u[x+i, y+j])");
  ASSERT_TRUE(one);
  EXPECT_TRUE(as<ParamRef>(one->weight));
  const auto tenth = box_of("", "0.1 * sum(i in 0..3, j in 0..1 : u[x+i, y+j])");
  ASSERT_TRUE(tenth);
  EXPECT_TRUE(as<Constant>(tenth->weight));
  const auto numbers = box_of("", "u[x-1, y] + 2*u + 3*u[x-1, y+1] + 5*u[x, y+1]");
  ASSERT_TRUE(numbers);
  ASSERT_EQ(numbers->constants.size(), 4u);
  EXPECT_EQ(as<Constant>(numbers->constants[3])->value.real, 5);
}

TEST(BoxSum, AlongOneAxisIsARow) {
  const auto box = box_of("weights f32 w[-2..2];", "sum(i in -2..2 : w[i] * u[x+i])", "x");
  ASSERT_TRUE(box);
  EXPECT_EQ(box->row(), 5);
  EXPECT_EQ(box->rows(), 1);
}

TEST(BoxSum, MissesNoCell) {
  EXPECT_FALSE(box_of("", "2*u[x-1, y] + 3*u + 5*u[x-1, y+1]"));
  EXPECT_FALSE(box_of("", "u[x-1] + u[x+1] + u[y-1] + u[y+1]"));
  EXPECT_FALSE(box_of("", "2*u[x-1, y] + 0*u + 3*u[x-1, y+1] + 5*u[x, y+1]"));
}

TEST(BoxSum, HasWeightsAtASteadyDistance) {
  const std::string w = "weights f32 w[0..8];";
  EXPECT_TRUE(box_of(w, "sum(i in 0..1, j in 0..1 : w[i + 4*j] * u[x+i, y+j])"));
  EXPECT_FALSE(box_of(w, "w[0]*u + w[1]*u[x+1] + w[3]*u[x+2]"));
  EXPECT_FALSE(box_of(w, "w[0]*u + 2*u[x+1] + w[2]*u[x+2]"));
  EXPECT_FALSE(box_of(w, "2 * sum(i in 0..1 : w[i] * u[x+i])"));
}

TEST(BoxSum, ReadsOneFieldInOneOrder) {
  EXPECT_FALSE(box_of("field f32 v in boundary clamp;", "2*u + 3*v[x+1]"));
  EXPECT_FALSE(
      box_of("", "sum(i in 0..1, j in 0..1, k in 0..1 : 2 * u[x+i, y+j, z+k])", "x, y, z"));
}

}  // namespace
}  // namespace stencilc::ir
