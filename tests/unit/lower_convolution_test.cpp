// Sums over boxes whose taps are loops: what the text of a kernel then holds. That the bits stay is
// for the run tests.
#include <gtest/gtest.h>

#include "lower/cell/weights.h"
#include "support/lowered.h"
#include "support/text.h"

namespace stencilc::lower {
namespace {

using testing::count;
using testing::lowered;
using testing::ring_of;

std::string fields(const std::string& type = "f32") {
  return "field " + type + " u in boundary clamp; field f32 d out boundary clamp;";
}
std::string box(int radius) {
  const std::string range = std::to_string(-radius) + ".." + std::to_string(radius);
  return "weights f32 w[" + range + ", " + range + "]; d = sum(i in " + range + ", j in " + range +
         " : w[i, j] * u[x+i, y+j]);";
}

TEST(LowerConvolution, HasOneProductWhateverTheTaps) {
  for (const int radius : {1, 15}) {
    const kernel::Module module = lowered("x, y", fields() + box(radius),
                                          "coarsened,threads=32x4,vector=8,rows=4,taps=rolled");
    const kernel::Kernel& kernel = module.launches.at(0).kernel;
    EXPECT_EQ(count(kernel::print(kernel), "fma("), 1) << kernel::print(kernel);
    EXPECT_EQ(kernel.tile[1], 16);
  }
}

TEST(LowerConvolution, TakesTermsWhereNoSumIsOverABox) {
  const std::string two = "field f32 e out; e = u[x-1] + u[y+1] + d[x+1];";
  const kernel::Module module =
      lowered("x, y", fields() + box(1) + two,
              "coarsened,threads=32x4,vector=4,rows=2,taps=rolled,stages=split");
  ASSERT_EQ(module.launches.size(), 2u);
  EXPECT_EQ(module.launches[0].no_loops, "");
  EXPECT_EQ(module.launches[1].no_loops, "it has no sum over all cells of a box");
}

TEST(LowerConvolution, HasTheWeightsOfARowSideBySide) {
  const auto weights = [](const std::string& items, const std::string& schedule =
                                                        "coarsened,threads=32x4,vector=4,rows=2,"
                                                        "taps=rolled") {
    return lowered("x, y", fields() + items, schedule).weights.at(0);
  };
  const kernel::Weights five = weights(box(2));
  EXPECT_EQ(five.columns, 5);
  EXPECT_EQ(five.row, 5);
  EXPECT_EQ(five.pitch, 8);
  EXPECT_EQ(five.held(), 40);
  const kernel::Weights naive = weights(box(2), "naive");
  EXPECT_EQ(naive.columns, 0);
  EXPECT_EQ(naive.held(), 25);
  EXPECT_EQ(weights(box(1)).pitch, 3);
  EXPECT_EQ(weights("weights f32 w[0..2, 0..3]; d = sum(i in 0..3, j in 0..2 : w[j, i] * u[x+i, "
                    "y+j]);")
                .columns,
            0)
      << "turned";
  for (const auto& [index, columns, row, pitch, place] : {std::array{1, 4, 3, 3, 3},
                                                          {4, 4, 3, 3, 1},
                                                          {11, 4, 3, 3, 11},
                                                          {11, 4, 3, 8, 26},
                                                          {7, 0, 12, 12, 7},
                                                          {7, 0, 5, 8, 10}})
    EXPECT_EQ(place_of(index, {columns, row, pitch}), place) << index << " of rows of " << row;
}

TEST(LowerConvolution, TakesRowsFromATile) {
  const kernel::Module module =
      lowered("x, y", fields() + box(15),
              "coarsened,threads=8x16,vector=16,rows=2,taps=rolled,shared=async");
  const kernel::RingPtr ring = ring_of(module.launches.at(0));
  ASSERT_TRUE(ring);
  const kernel::Ring::Grid& grid = ring->grids.at(0);
  EXPECT_EQ(grid.planes.rows, 15 + 16 * 2 + 15);
  // A lane's vectors begin 20 values apart, in banks of their own.
  EXPECT_EQ(ring->cells(grid), 16 + 8 * 16 + 16);
  EXPECT_EQ(grid.planes.registers, 10 * 20);
  EXPECT_EQ(grid.spread, 16);
  const kernel::Kernel& kernel = module.launches[0].kernel;
  EXPECT_EQ(kernel.shared, ring->bytes());
  const std::string text = kernel::print(kernel);
  EXPECT_EQ(count(text, "fma("), 1) << text;
  EXPECT_EQ(count(text, "column + 20"), 1) << text;
}

TEST(LowerConvolution, SpreadsTheVectorsOfATileThatTakeSeveralAccesses) {
  const auto spread = [](const std::string& items, const std::string& schedule) {
    const std::string shape = "coarsened,threads=8x16,rows=2,taps=rolled,";
    return ring_of(lowered("x, y", items, shape + schedule).launches.at(0))->grids.at(0).spread;
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
      ring_of(lowered("x, y",
                      fields() + "field f32 e in boundary clamp;"
                                 "d = (2*u[y-1] + 3*u + 5*u[y+1]) * (2*e + 3*e[x+1]);",
                      "coarsened,threads=8x4,vector=4,rows=2,taps=rolled,shared=loads")
                  .launches.at(0));
  ASSERT_EQ(ring->grids.size(), 2u);
  for (const kernel::Ring::Grid& grid : ring->grids) EXPECT_EQ(grid.planes.rows, 1 + 8 + 1);
}

// The lower box begins a row later.
TEST(LowerConvolution, RowsOfWeightsBeginWithTheirBox) {
  const kernel::Module module =
      lowered("x, y",
              fields() +
                  "field f32 e in boundary clamp; d = (2*u[y-1] + 3*u + 5*u[y+1]) * "
                  "(2*e + 3*e[x+1] + 7*e[y+1] + 9*e[x+1, y+1]);",
              "coarsened,threads=8x4,vector=4,rows=1,taps=rolled,shared=none");
  testing::expect_has(kernel::print(module.launches.at(0).kernel),
                      {"u_weights[(row + tap)]", "e_weights[(((row - 1) * 2) + tap)]"});
}

TEST(LowerConvolution, PutsNumbersIntoATableOnce) {
  const std::string sum = "= 2*u + 3*u[x+1] + 5*u[y+1] + 7*u[x+1, y+1];";
  const kernel::Module module =
      lowered("x, y", fields("f16") + "field f32 e out; d " + sum + " e " + sum,
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
      lowered("x, y", fields() + sum + ";", "coarsened,threads=32x4,vector=4,rows=2,taps=unrolled");
  ASSERT_EQ(module.tables.size(), 1u);
  EXPECT_EQ(module.tables[0].values,
            (std::vector<double>{2, 3, 4, 5, 6, 0, 0, 0, 7, 8, 9, 10, 11, 0, 0, 0}));
}

}  // namespace
}  // namespace stencilc::lower
