// Which sums are over all cells of a box, and where their weights lie.
#include <gtest/gtest.h>

#include "ir/box_sum.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::ir {
namespace {

std::string text(const Offset& offset) {
  return std::to_string(offset[0]) + "," + std::to_string(offset[1]) + "," +
         std::to_string(offset[2]);
}

// The box of the only statement, whose value is a sum; "" where it is none.
std::string box_of(const std::string& axes, const std::string& declarations,
                   const std::string& value) {
  const Stencil stencil = testing::canonical("stencil s { axes " + axes +
                                             "; field f32 u in boundary clamp; field f32 " +
                                             "d out; " + declarations + " d = " + value + "; }");
  const auto* sum = as<Sum>(stencil.updates.at(0).cases.at(0).value);
  const auto box = sum ? box_sum(*sum) : std::nullopt;
  if (!box) return "";
  EXPECT_EQ(as<Read>(box->tap)->offset, (Offset{}));
  std::string result = text(box->low) + " to " + text(box->high) + ", " +
                       std::to_string(box->rows()) + " rows of " + std::to_string(box->row());
  if (box->elements.array >= 0)
    result += ", w" + std::to_string(box->elements.array) + " from " +
              std::to_string(box->elements.first) + " by " + text(box->elements.stride);
  if (box->weight) result += ", all " + print(box->weight, stencil);
  for (const ExprPtr& one : box->constants) result += ", " + print(one, stencil);
  return result;
}

TEST(BoxSum, IsFound) {
  stencilc::testing::expect_rows(box_of, R"(
--- it has its weights in an array
x, y | weights f32 w[-1..1, -2..2]; | sum(i in -1..1, j in -2..2 : w[i, j] * u[x+i, y+j])
=> -1,-2,0 to 1,2,0, 5 rows of 3, w0 from 0 by 5,1,0
--- it may turn its weights around
x, y | weights f32 w[-1..1, -1..1]; | sum(i in -1..1, j in -1..1 : w[-j, -i] * u[x+i, y+j])
=> -1,-1,0 to 1,1,0, 3 rows of 3, w0 from 8 by -1,-3,0
--- it has one weight or numbers
x, y | param f32 c; | sum(i in 0..3, j in 0..1 : c * u[x+i, y+j]) => 0,0,0 to 3,1,0, 2 rows of 4, all c
x, y |  | 0.1 * sum(i in 0..3, j in 0..1 : u[x+i, y+j]) => 0,0,0 to 3,1,0, 2 rows of 4, all 0.1
x, y |  | u[x-1, y] + 2*u + 3*u[x-1, y+1] + 5*u[x, y+1] => -1,0,0 to 0,1,0, 2 rows of 2, 1, 2, 3, 5
--- along one axis it is a row
x | weights f32 w[-2..2]; | sum(i in -2..2 : w[i] * u[x+i])
=> -2,0,0 to 2,0,0, 1 rows of 5, w0 from 0 by 1,0,0
--- it misses no cell
x, y |  | 2*u[x-1, y] + 3*u + 5*u[x-1, y+1] =>
x, y |  | u[x-1] + u[x+1] + u[y-1] + u[y+1] =>
x, y |  | 2*u[x-1, y] + 0*u + 3*u[x-1, y+1] + 5*u[x, y+1] =>
--- it has weights at a steady distance
x, y | weights f32 w[0..8]; | sum(i in 0..1, j in 0..1 : w[i + 4*j] * u[x+i, y+j])
=> 0,0,0 to 1,1,0, 2 rows of 2, w0 from 0 by 1,4,0
x, y | weights f32 w[0..8]; | w[0]*u + w[1]*u[x+1] + w[3]*u[x+2] =>
x, y | weights f32 w[0..8]; | w[0]*u + 2*u[x+1] + w[2]*u[x+2] =>
x, y | weights f32 w[0..8]; | 2 * sum(i in 0..1 : w[i] * u[x+i]) =>
--- it reads one field in one order
x, y | field f32 v in boundary clamp; | 2*u + 3*v[x+1] =>
x, y, z |  | sum(i in 0..1, j in 0..1, k in 0..1 : 2 * u[x+i, y+j, z+k]) =>
)");
}

}  // namespace
}  // namespace stencilc::ir
