// Sums over boxes whose taps are loops: what the text of a kernel then holds. That the bits stay is
// for the run tests.
#include <gtest/gtest.h>

#include <algorithm>

#include "lower/lower.h"
#include "lower/weights.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

kernel::Module lowered(const std::string& statements, const std::string& schedule) {
  const ir::Stencil stencil = testing::canonical("stencil s { " + statements + " }");
  const plan::Choice choice = plan::parse(schedule, stencil, plan::Target::cuda);
  EXPECT_EQ(choice.problem, "");
  return lower(stencil, choice.schedule, plan::Target::cuda);
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::string fields(const std::string& type = "f32") {
  return "axes x, y; field " + type + " u in boundary clamp; field f32 d out boundary clamp;";
}
std::string box(int radius) {
  const std::string range = std::to_string(-radius) + ".." + std::to_string(radius);
  return "weights f32 w[" + range + ", " + range + "]; d = sum(i in " + range + ", j in " + range +
         " : w[i, j] * u[x+i, y+j]);";
}

TEST(LowerConvolution, HasOneProductWhateverTheTaps) {
  for (const int radius : {1, 15}) {
    const kernel::Module module =
        lowered(fields() + box(radius), "coarsened,threads=32x4,vector=8,rows=4,taps=rolled");
    const kernel::Kernel& kernel = module.launches.at(0).kernel;
    EXPECT_EQ(kernel::verify(kernel), std::vector<std::string>{});
    EXPECT_EQ(count(kernel::print(kernel), "fma("), 1u) << kernel::print(kernel);
    EXPECT_EQ(kernel.tile[1], 16);
  }
}

TEST(LowerConvolution, TakesTermsWhereNoSumIsOverABox) {
  const std::string two = "field f32 e out; e = u[x-1] + u[y+1] + d[x+1];";
  const kernel::Module module = lowered(
      fields() + box(1) + two, "coarsened,threads=32x4,vector=4,rows=2,taps=rolled,stages=split");
  ASSERT_EQ(module.launches.size(), 2u);
  EXPECT_EQ(module.launches[0].no_loops, "");
  EXPECT_EQ(module.launches[1].no_loops, "it takes no sum of all cells of a box");
}

TEST(LowerConvolution, HasTheWeightsOfARowSideBySide) {
  const std::string loops = "coarsened,threads=32x4,vector=4,rows=2,taps=rolled";
  const kernel::Weights five = lowered(fields() + box(2), loops).weights.at(0);
  EXPECT_EQ(five.columns, 5);
  EXPECT_EQ(five.row, 5);
  EXPECT_EQ(five.pitch, 8);
  EXPECT_EQ(five.held(), 40);
  const kernel::Weights naive = lowered(fields() + box(2), "naive").weights.at(0);
  EXPECT_EQ(naive.columns, 0);
  EXPECT_EQ(naive.held(), 25);
  EXPECT_EQ(lowered(fields() + box(1), loops).weights.at(0).pitch, 3);
  const std::string turned =
      "weights f32 w[0..2, 0..3]; d = sum(i in 0..3, j in 0..2 : w[j, i] * u[x+i, y+j]);";
  EXPECT_EQ(lowered(fields() + turned, loops).weights.at(0).columns, 0);
  EXPECT_EQ(place_of(1, {4, 3, 3}), 3);
  EXPECT_EQ(place_of(4, {4, 3, 3}), 1);
  EXPECT_EQ(place_of(11, {4, 3, 3}), 11);
  EXPECT_EQ(place_of(11, {4, 3, 8}), 26);
  EXPECT_EQ(place_of(7, {0, 12, 12}), 7);
  EXPECT_EQ(place_of(7, {0, 5, 8}), 10);
}

TEST(LowerConvolution, PutsNumbersIntoATableOnce) {
  const std::string sum = "= 2*u + 3*u[x+1] + 5*u[y+1] + 7*u[x+1, y+1];";
  const kernel::Module module = lowered(fields("f16") + "field f32 e out; d " + sum + " e " + sum,
                                        "coarsened,threads=32x4,vector=4,rows=2,taps=unrolled");
  ASSERT_EQ(module.tables.size(), 1u);
  EXPECT_EQ(module.tables[0].values, (std::vector<double>{2, 3, 5, 7}));
  EXPECT_TRUE(module.tables[0].used);
}

TEST(LowerConvolution, HasRowsOfNumbersWhereLoadsOfSeveralBegin) {
  std::string sum = "d = ";
  for (int n = 0; n < 10; ++n)
    sum += (n == 0 ? "" : " + ") + std::to_string(n + 2) + "*u[x+" + std::to_string(n % 5) +
           ", y+" + std::to_string(n / 5) + "]";
  const kernel::Module module =
      lowered(fields() + sum + ";", "coarsened,threads=32x4,vector=4,rows=2,taps=unrolled");
  ASSERT_EQ(module.tables.size(), 1u);
  EXPECT_EQ(module.tables[0].values,
            (std::vector<double>{2, 3, 4, 5, 6, 0, 0, 0, 7, 8, 9, 10, 11, 0, 0, 0}));
}

}  // namespace
}  // namespace stencilc::lower
