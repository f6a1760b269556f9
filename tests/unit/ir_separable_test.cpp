// Which tables of weights are products, by which factors; and which sums are found.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "ir/separable.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::ir {
namespace {

using stencilc::testing::expect_rows;

using Row = std::vector<Fraction>;

Fraction f(int64_t above, int64_t below = 1) { return Fraction{above, 1} / Fraction{below, 1}; }

Row row(std::initializer_list<int> whole, int divisor = 1) {
  Row result;
  for (const int value : whole) result.push_back(f(value, divisor));
  return result;
}

// A table around the cell; of planes of rows, x along the rows.
WeightTable table(const std::vector<std::vector<Row>>& planes) {
  const auto middle = [](const auto& list) { return static_cast<int>(list.size() - 1) / 2; };
  WeightTable result;
  for (int z = 0; z < static_cast<int>(planes.size()); ++z)
    for (int y = 0; y < static_cast<int>(planes[z].size()); ++y)
      for (int x = 0; x < static_cast<int>(planes[z][y].size()); ++x)
        if (planes[z][y][x] != Fraction{})
          result[{x - middle(planes[z][y]), y - middle(planes[z]), z - middle(planes)}] =
              planes[z][y][x];
  return result;
}
WeightTable table(const std::vector<Row>& rows) {
  return table(std::vector<std::vector<Row>>(1, rows));
}

// "x[-1..1] = 1/4 1/2 1/4; y[-1..1] = ..."
std::string text(const std::vector<Factor>& all) {
  std::string result;
  for (const Factor& factor : all) {
    if (!result.empty()) result += "; ";
    for (const int axis : factor.axes) result += "xyz"[axis];
    for (const auto& [first, last] : factor.ranges)
      result += "[" + std::to_string(first) + ".." + std::to_string(last) + "]";
    result += " =";
    for (const Fraction& weight : factor.weights) {
      result += " " + std::to_string(weight.above);
      if (weight.below != 1) result += "/" + std::to_string(weight.below);
    }
  }
  return result;
}
std::string factors_of(const std::vector<Row>& rows) { return text(factors(table(rows))); }
// Of rows of whole numbers, `1 2 1; 2 4 2 / 16`.
std::string factors_of_text(const std::string& text) {
  const size_t slash = text.find(" / ");
  const int divisor = slash == std::string::npos ? 1 : std::stoi(text.substr(slash + 3));
  std::vector<Row> rows;
  std::istringstream lines(text.substr(0, slash));
  for (std::string line; std::getline(lines, line, ';');) {
    std::istringstream numbers(line);
    Row one;
    for (int number; numbers >> number;) one.push_back(f(number, divisor));
    rows.push_back(one);
  }
  return factors_of(rows);
}

TEST(IrSeparable, FindsFactors) {
  expect_rows(factors_of_text, R"(
--- finds known filters
1 2 1; 2 4 2; 1 2 1 => x[-1..1] = 1 2 1; y[-1..1] = 1 2 1
1 2 1; 2 4 2; 1 2 1 / 16 => x[-1..1] = 1/4 1/2 1/4; y[-1..1] = 1/4 1/2 1/4
-1 0 1; -2 0 2; -1 0 1 => x[-1..1] = -1 0 1; y[-1..1] = 1 2 1
1 4 6 4 1; 4 16 24 16 4; 6 24 36 24 6; 4 16 24 16 4; 1 4 6 4 1 / 256
=> x[-2..2] = 1/16 1/4 3/8 1/4 1/16; y[-2..2] = 1/16 1/4 3/8 1/4 1/16
--- leaves other tables alone
0 1 0; 1 -4 1; 0 1 0 =>
1 4 1; 4 -20 4; 1 4 1 =>
1 4 7 4 1; 4 16 26 16 4; 7 26 41 26 7; 4 16 26 16 4; 1 4 7 4 1 / 273 =>
--- lines that do not stand below each other
1 2 0; 0 3 6; 1 2 0 =>
--- without the cell
1 1 1; 1 0 1; 1 1 1 =>
1 2 0; 2 4 0; 0 0 1 =>
--- a line
1 2 4 2 1 =>
--- takes negative numbers and rows of zeros
-1 -2 -1; 0 0 0; 1 2 1 => x[-1..1] = 1 2 1; y[-1..1] = -1 0 1
2 0 -6; -1 0 3; 3 0 -9 => x[-1..1] = -1 0 3; y[-1..1] = -2 1 -3
1 0 3 0 2; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 2 0 6 0 4 => x[-2..2] = 1 0 3 0 2; y[-2..2] = 1 0 0 0 2
)");
  EXPECT_EQ(text(factors({})), "");
  EXPECT_EQ(text(factors({{Offset{1, 1, 0}, f(3)}})), "");
}

TEST(IrSeparable, IsExactInDecimals) {
  // {0.05, 0.25, 0.4} along x times {0.05, 0.25, 0.7} along y: no double holds these.
  const std::vector<Row> rows = {row({25, 125, 200}, 10000), row({125, 625, 1000}, 10000),
                                 row({350, 1750, 2800}, 10000)};
  EXPECT_EQ(factors_of(rows), "x[-1..1] = 1 5 8; y[-1..1] = 1/400 1/80 7/200");
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 3; ++x) {
      std::vector<Row> off = rows;
      off[y][x] = off[y][x] + f(1, 1'000'000'000'000);
      EXPECT_EQ(factors_of(off), "") << x << " " << y;
    }
}

TEST(IrSeparable, KeepsWhereTheTableStands) {
  // Only below and left of the cell, in the plane behind it.
  WeightTable shifted;
  for (const auto& [offset, weight] : table({row({1, 2, 3}), row({2, 4, 6})}))
    shifted[{offset[0] - 2, offset[1] - 3, 1}] = weight;
  EXPECT_EQ(text(factors(shifted)), "x[-3..-1] = 1 2 3; yz[-3..-2][1..1] = 1 2");
}

TEST(IrSeparable, SplitsSpaceIntoLinesOrIntoAPlaneAndALine) {
  const auto times = [](const std::vector<Row>& plane, const std::vector<int>& along) {
    std::vector<std::vector<Row>> planes;
    for (const int factor : along) {
      planes.push_back(plane);
      for (Row& row : planes.back())
        for (Fraction& weight : row) weight = weight * f(factor);
    }
    return planes;
  };
  const std::vector<Row> square = {row({1, 2, 1}), row({3, 6, 3}), row({1, 2, 1})};
  const std::vector<Row> cross = {row({0, 1, 0}), row({1, 2, 1}), row({0, 1, 0})};
  EXPECT_EQ(text(factors(table(times(square, {1, 5, 2})))),
            "x[-1..1] = 1 2 1; y[-1..1] = 1 3 1; z[-1..1] = 1 5 2");
  EXPECT_EQ(text(factors(table(times(cross, {1, 5, 2})))),
            "z[-1..1] = 1 5 2; xy[-1..1][-1..1] = 0 1 0 1 2 1 0 1 0");
  // The line along x, the cross in y and z.
  WeightTable turned;
  for (const auto& [offset, weight] : table(times(cross, {1, 5, 2})))
    turned[{offset[2], offset[1], offset[0]}] = weight;
  EXPECT_EQ(text(factors(turned)), "x[-1..1] = 1 5 2; yz[-1..1][-1..1] = 0 1 0 1 2 1 0 1 0");
  std::vector<std::vector<Row>> off = times(cross, {1, 5, 2});
  off[2][1][1] = off[2][1][1] + f(1, 1000);
  EXPECT_EQ(text(factors(table(off))), "");
}

TEST(IrSeparable, ProductsOfItsFactorsAreTheTable) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> number(-9, 9), extent(2, 5);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int width = extent(random), height = extent(random);
    Row x, y;
    for (int i = 0; i < width; ++i) x.push_back(f(number(random), 12));
    for (int i = 0; i < height; ++i) y.push_back(f(number(random), 35));
    std::vector<Row> rows(height, Row(width));
    for (int j = 0; j < height; ++j)
      for (int i = 0; i < width; ++i) rows[j][i] = x[i] * y[j];
    const WeightTable wanted = table(rows);
    const std::vector<Factor> parts = factors(wanted);
    if (parts.empty()) continue;  // a line
    ++found;
    ASSERT_EQ(parts.size(), 2u);
    WeightTable made;
    for (size_t i = 0; i < parts[0].weights.size(); ++i)
      for (size_t j = 0; j < parts[1].weights.size(); ++j) {
        const Fraction weight = parts[0].weights[i] * parts[1].weights[j];
        if (weight != Fraction{})
          made[{parts[0].ranges[0].first + static_cast<int>(i),
                parts[1].ranges[0].first + static_cast<int>(j), 0}] = weight;
      }
    EXPECT_EQ(made, wanted);
  }
  EXPECT_GT(found, 250);
}

TEST(IrSeparable, GivesUpOnNumbersThatDoNotFit) {
  const int64_t large = 3'000'000'019;
  WeightTable weights;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y) weights[{x, y, 0}] = f(large + x) / f(large + 10 * y + 1);
  EXPECT_EQ(text(factors(weights)), "");
}

// What is found in the updates of a stencil: the field, the number of weights, the factors.
std::string found(const std::string& axes, const std::string& items) {
  const testing::Analysed program =
      testing::analysed("stencil s { axes " + axes +
                        "; field f32 u in boundary clamp; field f32 d out; " + items + " }");
  EXPECT_EQ(testing::rendered(program.parsed).find("error"), std::string::npos)
      << testing::rendered(program.parsed);
  if (!program.stencil) return "error";
  std::string result;
  for (const Separable& one : program.stencil->separable)
    result += program.stencil->fields[one.field].name + " " + std::to_string(one.weights) + ": " +
              text(one.factors) + "\n";
  return result;
}

TEST(IrSeparableSums, AreFound) {
  expect_rows(found, R"(
--- are those written by hand
x, y | d = (u[x-1,y-1] + u[x+1,y-1] + u[x-1,y+1] + u[x+1,y+1]) / 16 + 0.125*(u[x-1] + u[x+1] + u[y-1] + u[y+1]) - -0.25*u;
=> u 9: x[-1..1] = 1/4 1/2 1/4; y[-1..1] = 1/4 1/2 1/4
x, y | d = u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u; =>
x, y | d = 0.25*laplacian(u); =>
x, y | d = dxy(u, order = 4); => u 16: x[-2..2] = 1 -8 0 8 -1; y[-2..2] = 1/144 -1/18 0 1/18 -1/144
--- are products of arrays
x, y | const f32 a[-1..1] = { 2, 3, 5 } / 100; const f32 b[-1..1] = { 7, 11, 13 } / 401; d = sum(i in -1..1, j in -1..1 : a[i]*b[j] * u[x+i, y+j]);
=> u 9: x[-1..1] = 1/5 3/10 1/2; y[-1..1] = 7/4010 11/4010 13/4010
x, y, z | const f32 a[-1..1] = { 2, 3, 5 } / 100; const f32 b[-1..1] = { 7, 11, 13 } / 401; d = sum(i in -1..1, j in -1..1, k in -1..1 : a[i]*b[j]*(k*k+1) * u[x+i, y+j, z+k]);
=> u 27: x[-1..1] = 1/5 3/10 1/2; y[-1..1] = 7 11 13; z[-1..1] = 1/2005 1/4010 1/2005
--- have constant weights
x, y | weights w[-1..1, -1..1]; d = sum(i in -1..1, j in -1..1 : w[i,j] * u[x+i, y+j]); =>
x, y | param f32 a; d = sum(i in -1..1, j in -1..1 : (i == 0 && j == 0 ? a : 1) * u[x+i, y+j]); =>
--- A common factor stands outside of the sum.
x, y | param f32 a; d = a * sum(i in -1..1, j in -1..1 : u[x+i, y+j]);
=> u 9: x[-1..1] = 1 1 1; y[-1..1] = 1 1 1
--- of integers and of one field among others
x, y | field u8 p in boundary clamp; d = f32(sum(i in -1..1, j in -1..1 : (2 - i*i) * p[x+i, y+j]));
=> p 9: x[-1..1] = 1 2 1; y[-1..1] = 1 1 1
x, y | field f32 v in boundary clamp; d = sum(i in -1..1, j in -1..1 : u[x+i, y+j] - (i+2)*v[x+i, y+j]);
=> u 9: x[-1..1] = 1 1 1; y[-1..1] = 1 1 1
   v 9: x[-1..1] = 1 2 3; y[-1..1] = -1 -1 -1
--- Fewer than three weights along an axis: Sobel's gain is one product.
x, y | d = sum(j in -1..1 : (2 - j*j) * (u[x+1, y+j] - u[x-1, y+j])); =>
--- of a let are told once
x, y | let m = sum(i in -1..1, j in -1..1 : u[x+i, y+j]) / 9; d = u*u + m;
=> u 9: x[-1..1] = 1/3 1/3 1/3; y[-1..1] = 1/3 1/3 1/3
x, y | let m = sum(i in -1..1, j in -1..1 : u[x+i, y+j]) / 9; d = u + 2*(u*u - m) - sqrt(m);
=> u 9: x[-1..1] = 1/3 1/3 1/3; y[-1..1] = 1/3 1/3 1/3
x, y | let m = sum(i in -1..1, j in -1..1 : u[x+i, y+j]) / 9; d = abs(m[x-1]) + abs(m[x+1]) + abs(m);
=> u 9: x[-1..1] = 1/3 1/3 1/3; y[-1..1] = 1/3 1/3 1/3
)");
}

TEST(IrSeparableSums, OfConstantArrays) {
  const auto by = [](const std::string& values, std::string use) {
    use.replace(use.find('W'), 1, "sum(i in -1..1, j in -1..1 : w[i,j] * u[x+i, y+j])");
    return found("x, y", "const f32 w[-1..1, -1..1] = " + values + "; d = " + use + ";");
  };
  expect_rows(by, R"(
--- are those of constant arrays
{ 1, 2, 1, 2, 4, 2, 1, 2, 1 } / 16 | W => u 9: x[-1..1] = 1/4 1/2 1/4; y[-1..1] = 1/4 1/2 1/4
{ 1, 2, 1, 2, 4, 2, 1, 2, 1 } | W / 16 => u 9: x[-1..1] = 1/4 1/2 1/4; y[-1..1] = 1/4 1/2 1/4
{ 0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 1/16, 1/8, 1/16 } | W
=> u 9: x[-1..1] = 1/4 1/2 1/4; y[-1..1] = 1/4 1/2 1/4
{ 0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 1/16, 1/8, 0.06250001 } | W =>
{ 1, 2, 1, 2, 4, 2, 1, 2, 1 } / 16 | sqrt(max(0, W)) => u 9: x[-1..1] = 1/4 1/2 1/4; y[-1..1] = 1/4 1/2 1/4
--- the cell's own weight differs
{ 1, 2, 1, 2, 4, 2, 1, 2, 1 } / 16 | u + 0.5*u*u - W =>
{ 1, 2, 1, 2, 4, 2, 1, 2, 1 } / 16 | 0.5*u*u + W => u 9: x[-1..1] = 1/4 1/2 1/4; y[-1..1] = 1/4 1/2 1/4
--- Decimals whose products no float holds.
{ 0.0025, 0.0125, 0.02, 0.0125, 0.0625, 0.1, 0.035, 0.175, 0.28 } | W
=> u 9: x[-1..1] = 1/20 1/4 7/10; y[-1..1] = 1/20 1/4 2/5
)");
  const auto box = [](const std::string& k) {
    return found("x, y",
                 "const f32 k = 0.25; d = sum(i in -1..1, j in -1..1 : " + k + " * u[x+i, y+j]);");
  };
  expect_rows(box, R"(
--- are known by their values where nothing else is
sqrt(k) => u 9: x[-1..1] = 1 1 1; y[-1..1] = 1/2 1/2 1/2
--- not as they are rounded
sqrt(f32(i*i+2) * f32(j*j+3)) =>
--- nor where nothing fits
1e-25 =>
)");
}

}  // namespace
}  // namespace stencilc::ir
