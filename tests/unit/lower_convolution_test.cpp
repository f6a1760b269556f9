// Sums over boxes whose taps are loops: what the text of a kernel then holds. That the bits stay is
// for the run tests.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/ring.h"
#include "lower/lower.h"
#include "lower/weights.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

kernel::Module lowered(const std::string& statements, const std::string& schedule) {
  const ir::Stencil stencil = testing::canonical("stencil s { " + statements + " }");
  const plan::Choice choice =
      plan::parse(schedule, stencil, plan::Target::cuda, *plan::find_device("sm_90"));
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

kernel::RingPtr ring_of(const kernel::Module& module) {
  for (const kernel::Stmt& stmt : module.launches.at(0).kernel.body)
    if (const auto* ring = std::get_if<kernel::RingPtr>(&stmt.node)) return *ring;
  return nullptr;
}

TEST(LowerConvolution, TakesRowsFromATile) {
  const kernel::Module module = lowered(
      fields() + box(15), "coarsened,threads=8x16,vector=16,rows=2,taps=rolled,shared=async");
  const kernel::RingPtr ring = ring_of(module);
  ASSERT_TRUE(ring);
  const kernel::Ring::Grid& grid = ring->grids.at(0);
  EXPECT_EQ(grid.planes.rows, 15 + 16 * 2 + 15);
  // A lane's vectors begin 20 values apart, in banks of their own.
  EXPECT_EQ(ring->cells(grid), 16 + 8 * 16 + 16);
  EXPECT_EQ(grid.planes.registers, 10 * 20);
  EXPECT_EQ(grid.spread, 16);
  const kernel::Kernel& kernel = module.launches[0].kernel;
  EXPECT_EQ(kernel::verify(kernel), std::vector<std::string>{});
  EXPECT_EQ(kernel.shared, ring->bytes());
  const std::string text = kernel::print(kernel);
  EXPECT_EQ(count(text, "fma("), 1u) << text;
  EXPECT_EQ(count(text, "column + 20"), 1u) << text;
}

TEST(LowerConvolution, SpreadsTheVectorsOfATileThatTakeSeveralAccesses) {
  const auto spread = [](const std::string& statements, const std::string& schedule) {
    return ring_of(lowered(statements, "coarsened,threads=8x16,rows=2,taps=rolled," + schedule))
        ->grids.at(0)
        .spread;
  };
  EXPECT_EQ(spread(fields() + box(2), "vector=8,shared=loads"), 8);
  EXPECT_EQ(spread(fields("f64") + "d = f32(2*u + 3*u[x+1]);", "vector=4,shared=loads"), 4);
  EXPECT_EQ(spread(fields() + box(2), "vector=4,shared=loads"), 0);
  EXPECT_EQ(spread(fields() + box(2), "vector=16,shared=boxes"), 0);
  // A thread has one place in all planes.
  EXPECT_EQ(spread(fields() + "field f64 e in boundary clamp;"
                              "d = 2*u + 3*u[x+1] + f32(2*e + 3*e[x+1]);",
                   "vector=8,shared=loads"),
            0);
}

// The rows of the higher box arrive of both fields.
TEST(LowerConvolution, HasAllRowsThatArriveInTheTile) {
  const kernel::RingPtr ring =
      ring_of(lowered(fields() + "field f32 e in boundary clamp;"
                                 "d = (2*u[y-1] + 3*u + 5*u[y+1]) * (2*e + 3*e[x+1]);",
                      "coarsened,threads=8x4,vector=4,rows=2,taps=rolled,shared=loads"));
  ASSERT_EQ(ring->grids.size(), 2u);
  for (const kernel::Ring::Grid& grid : ring->grids) EXPECT_EQ(grid.planes.rows, 1 + 8 + 1);
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
