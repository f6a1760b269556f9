// Two passes with the factors of a table compute what one pass with the table does, to the rim,
// beside the boundaries of which the advice says so. On whole numbers nothing is rounded.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using Numbers = testing::Interpreted::Numbers;

Numbers run(const std::string& items, const std::string& boundary, int width, int height) {
  Numbers numbers;
  for (int i = 0; i < width * height; ++i) numbers.push_back((i * i * 7 + i * 13) % 101 - 40);
  return testing::Interpreted("stencil s { axes x, y; field f64 u in boundary " + boundary +
                                  "; field f64 d out; " + items + " }",
                              {width, height, 1})
      .field("u", numbers)
      .run(1)
      .field("d");
}

Numbers in_one_pass(const std::string& boundary, int width, int height) {
  return run(
      "const f64 w[-2..2, -1..1] = { 3, 0, 6,  -1, 0, -2,  4, 0, 8,  1, 0, 2,  5, 0, 10 }; "
      "d = sum(i in -2..2, j in -1..1 : w[i,j] * u[x+i, y+j]);",
      boundary, width, height);
}
Numbers in_two(const std::string& boundary, int width, int height) {
  return run("field f64 between out boundary " + boundary +
                 "; const f64 along_x[-2..2] = { 3, -1, 4, 1, 5 }; "
                 "const f64 along_y[-1..1] = { 1, 0, 2 }; "
                 "between = sum(i in -2..2 : along_x[i] * u[x+i]); "
                 "d = sum(j in -1..1 : along_y[j] * between[y+j]);",
             boundary, width, height);
}

TEST(InterpSeparable, PassesAgreeToTheRim) {
  for (const std::string boundary : {"clamp", "reflect", "mirror", "antireflect", "periodic",
                                     "zero", "{ x: periodic; y.lo: antireflect; y.hi: zero; }",
                                     "{ x.lo: zero; x.hi: mirror; y: clamp; }"})
    for (const auto& [width, height] : {std::pair(9, 7), {4, 3}, {1, 5}, {2, 1}, {1, 1}})
      EXPECT_EQ(in_one_pass(boundary, width, height), in_two(boundary, width, height))
          << boundary << " " << width << " " << height;
}

TEST(InterpSeparable, PassesDifferBesideConstants) {
  for (const std::string boundary : {"constant 1", "neumann 1"}) {
    const Numbers one = in_one_pass(boundary, 9, 7), two = in_two(boundary, 9, 7);
    EXPECT_NE(one, two) << boundary;
    for (int y = 1; y < 6; ++y)
      for (int x = 2; x < 7; ++x) EXPECT_EQ(one[9 * y + x], two[9 * y + x]) << boundary;
  }
}

}  // namespace
}  // namespace stencilc
