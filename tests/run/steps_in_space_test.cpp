// The same as steps_test.cpp with three axes, where blocks stream.
#include <gtest/gtest.h>

#include "driver/verify/compare.h"
#include "kernel/kernel.h"
#include "run/agreement.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

const std::vector<std::string> kBoundaries = {
    "clamp", "reflect", "mirror",         "periodic",    "zero",     "constant 2",
    "fixed", "none",    "expr 0.5*x + y", "antireflect", "neumann 1"};

// With three axes, where sums are complete when a plane arrives, and a plane later; the grids among
// the awkward ones are wide enough for tiles and tiles away from the boundary.
#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(Steps, EveryBoundaryHoldsInSpace) {
  const std::string sums[] = {
      "0.2*u + 0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]",
      "0.2*u + 0.1*u[x-1,y-1,z-1] + 0.3*u[x+1,y+1,z+1] + 0.1*u[y-1,z+1] + 0.05*u[y+1,z-1]"};
  for_each_pair(kBoundaries, sums, [](const std::string& boundary, const std::string& sum) {
    if (boundary == "mirror") return;
    expect_agreement(
        "stencil s { axes x, y, z; field f32 u boundary " + boundary + "; u[t+1] = " + sum + "; }",
        "coarsened,threads=32x4,vector=4,rows=2,shared=none,coarsen=z9,sums=scatter,"
        "steps=3");
  });
}
#endif

// Rows that vectors do not fill: the last tile lies across those before it, and where the steps
// take all the cells that a tile stores less, what two tiles store is known to one of them alone.
// Blocks take whole columns, and pieces of others.
TEST(Steps, TilesThatEndWithRowsAndPiecesOfColumnsAgreeInSpace) {
  const auto agree = [](const std::string& field, const std::string& steps) {
    expect_agreement("stencil s { axes x, y, z; field " + field +
                         "; u[t+1] = 0.4*u + 0.1*u[x-1] + 0.12*u[x+1] + 0.07*u[y-1] + 0.09*u[y+1] "
                         "+ 0.06*u[z-1] + 0.11*u[z+1]; }",
                     "coarsened,threads=32x4,vector=2,rows=3,shared=none,chunks=full,sums=scatter,"
                     "steps=" +
                         steps);
  };
  for (const std::string& boundary : some({"clamp", "zero", "periodic", "fixed"}))
    agree("f32 u boundary " + boundary, "2");
  for (const std::string& boundary : some({"periodic", "fixed"}))
    agree("f16 u compute f32 boundary " + boundary, "4");
}

// Planes before the first one are made along z before rows and columns beyond their ends are.
TEST(Steps, CornersOfSidesThatDifferHoldInSpace) {
  for (const std::string sides :
       {"x: neumann 0.3; y: antireflect; z: neumann 0.7;",
        "x.lo: constant 1.5; x.hi: clamp; y.lo: zero; y.hi: constant 1.5; z.lo: constant (-2); "
        "z.hi: antireflect;",
        "x.lo: constant (-2); x.hi: fixed; y.lo: expr 0.2*z; y.hi: constant (-2); z: reflect;",
        "x: expr 0.3*y; y: clamp; z: expr 0.3*x;",
        "x: periodic; y.lo: clamp; y.hi: zero; z: neumann 0.5;"})
    expect_agreement("stencil s { axes x, y, z; field f32 u; boundary u { " + sides +
                         " } u[t+1] = 0.2*u + 0.1*u[x-1,y-1,z-1] + 0.3*u[x+1,y+1,z+1] + "
                         "0.1*u[y-1,z+1] + 0.05*u[y+1,z-1] + 0.06*u[x-1,z-1]; }",
                     "coarsened,threads=32x4,vector=4,rows=2,shared=none,coarsen=z9,sums=scatter,"
                     "steps=3");
}

// Each end of the stream has a map of its own, or a constant beyond it.
TEST(Steps, EndsOfTheStreamThatDifferHoldInSpace) {
  for (const std::string ends : {"z.lo: clamp; z.hi: zero;", "z.lo: zero; z.hi: reflect;",
                                 "z.lo: reflect; z.hi: fixed;", "z.lo: fixed; z.hi: clamp;"})
    expect_agreement(
        "stencil s { axes x, y, z; field f32 u; boundary u { x: clamp; y.lo: reflect; "
        "y.hi: zero; " +
            ends +
            " } u[t+1] = 0.2*u + 0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + "
            "0.07*u[z-1] + 0.11*u[z+1]; }",
        "coarsened,threads=32x4,vector=2,rows=2,shared=none,coarsen=z9,sums=scatter,"
        "steps=2");
}

TEST(Steps, WiderStarsHoldInSpace) {
  for (const std::string& boundary : some({"zero", "fixed", "none", "periodic", "neumann 1"}))
    expect_agreement("stencil s { axes x, y, z; field f64 u boundary " + boundary +
                         "; u[t+1] = 0.2*u + 0.1*u[x-2] + 0.3*u[x+1] + 0.1*u[y-2] + 0.05*u[y+2] + "
                         "0.07*u[z-2] + 0.11*u[z+2] + 0.02*u[z-1]; }",
                     "coarsened,threads=32x4,vector=2,rows=3,shared=none,coarsen=z8,sums=scatter,"
                     "ahead=1,steps=2");
}

// Where cells that no step assigns do not pass through sums, as those of halves and of two fields,
// the planes at the ends of a stream keep them in blocks inside, too; conditions have names of
// their own in every text.
TEST(Steps, CellsBesideSumsAreCarriedInSpace) {
  const std::string star =
      "0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]";
  const std::string schedule =
      "coarsened,threads=32x4,vector=2,rows=2,coarsen=z8,shared=none,sums=scatter,steps=2";
  for (const std::string& boundary : some({"fixed", "none"}))
    expect_agreement("stencil s { axes x, y, z; field f16 u compute f32 boundary " + boundary +
                         "; u[t+1] = 0.2*u + " + star + "; }",
                     schedule);
  expect_agreement("stencil s { axes x, y, z; field f32 u, v boundary fixed; u[t+1] = 0.2*v + " +
                       star + "; v[t+1] = 0.3*v + 0.2*v[z+1] - 0.1*v[x-1]; }",
                   schedule);
}

// Those of singles are read again among the cells of t: one of a vector or more, at one end or at
// both, and where sums are complete a plane later.
TEST(Steps, UnassignedCellsAreReadAgainInSpace) {
  const std::string star =
      "0.2*u + 0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]";
  const std::string schedule =
      "coarsened,threads=32x4,vector=4,rows=3,shared=none,coarsen=z9,sums=scatter,steps=2";
  const auto agree = [&](const std::string& boundary, const std::string& sum,
                         const std::string& domain = "", bool again = true) {
    expect_agreement(
        "stencil s { axes x, y, z; field f32 u; boundary u { " + boundary + " } u[t+1] = " + sum +
            domain + "; }",
        schedule, [&](const kernel::Module& module) {
          const std::string text = kernel::print(module.launches.at(0).kernel);
          return (text.find("are read again from the plane of t") != std::string::npos) == again;
        });
  };
  agree("x: fixed; y: fixed; z: fixed;", star + " + 0.02*u[x-2] + 0.03*u[y+2] + 0.04*u[z-2]");
  agree("x: fixed; y: fixed; z: fixed;", star + " + 0.02*u[x+1, y-1, z+1]");
  agree("x.lo: fixed; x.hi: clamp; y.lo: zero; y.hi: fixed; z.lo: fixed; z.hi: reflect;", star);
  agree("x: periodic; y: fixed; z: clamp;", star);
  // Statements on a part of the grid choose their cells themselves.
  agree("x: clamp; y: clamp; z: clamp;", star, " on x >= 3, y >= 2, z >= 1", false);
}

TEST(Steps, SidesSystemsAndInputsAgreeInSpace) {
  const std::string schedule =
      "coarsened,threads=32x4,vector=2,rows=2,shared=none,coarsen=z8,sums=scatter,steps=2";
  expect_agreement(
      "stencil s { axes x, y, z; field f32 u; boundary u { x.lo: zero; x.hi: clamp; y.lo: reflect; "
      "y.hi: fixed; z.lo: antireflect; z.hi: mirror; } u[t+1] = 0.2*u + 0.1*u[x-1] + 0.3*u[x+1] + "
      "0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]; }",
      schedule);
  expect_agreement(
      "stencil s { axes x, y, z; field f32 u, v boundary clamp; field f32 c in; "
      "u[t+1] = u + c*(u[x-1] + u[x+1] + u[y+1] + u[z-1] + u[z+1] - 5*u) - 0.1*v*v; "
      "v[t+1] = v + 0.1*(v[y-1] + v[z-1] + v[z+1] - 3*v) + c*u on z >= 1; }",
      schedule);
}

constexpr const char* kTile =
    "coarsened,threads=32x4,vector=4,rows=2,shared=none,coarsen=z9,sums=scatter,ahead=1,steps=3";
constexpr const char* kStar =
    "0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]";

std::string in_space(const std::string& boundary, const std::string& sum) {
  return "stencil s { axes x, y, z; field f32 u boundary " + boundary + "; u[t+1] = " + sum + "; }";
}

// The level before is a term of the sum, when the cell's own plane is added, or is read when the
// sum is complete; this is when a plane arrives, or a plane later.
#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(Steps, TwoLevelsHoldForEveryBoundaryInSpace) {
  const std::string star = kStar;
  const std::string sums[] = {
      "2*u - u[t-1] + 0.1*laplacian(u)",
      "0.5*u - (0.3 + 0.01*f32(x))*u[t-1] + (0.1 + 0.01*f32(y))*(" + star + ")",
      "0.2*u + 0.1*u[x-1,y-1,z-1] + 0.3*u[x+1,y+1,z+1] + 0.1*u[y-1,z+1] - 0.5*u[t-1]",
  };
  for (const std::string& boundary :
       some({"clamp", "reflect", "zero", "periodic", "fixed", "antireflect"}))
    expect_agreement(in_space(boundary, sums[0]), kTile);
  for (const std::string& boundary : some({"fixed", "expr 0.5*x + y"}))
    for (const std::string& sum : {sums[1], sums[2]})
      expect_agreement(in_space(boundary, sum), kTile);
}
#endif

TEST(Steps, TwoLevelsHoldForShapesSidesAndSystemsInSpace) {
  const std::string wave = "2*u - u[t-1] + 0.1*laplacian(u)";
  const std::string tile = "coarsened,shared=none,coarsen=z8,sums=scatter,";
  expect_agreement(in_space("clamp", wave), tile + "threads=32x4,vector=4,rows=3,ahead=2,steps=4");
  expect_agreement(in_space("fixed", wave), tile + "threads=32x6,vector=2,rows=2,ahead=3,steps=5");
  const std::string wide = tile + "threads=32x4,vector=4,rows=3,ahead=1,steps=2";
  expect_agreement(in_space("fixed", "2*u - u[t-1] + 0.1*laplacian(u, order = 4)"), wide);
  expect_agreement(
      in_space("neumann 1", "2*u - u[t-1] + (0.1 + 0.01*f32(y))*laplacian(u, order = 4)"), wide);
  for (const std::string& boundary : some({"clamp", "periodic"}))
    expect_agreement(in_space(boundary, "0.3*u[z-1] + 0.2*u[x+1,z-1] - 0.5*u[t-1] + 0.1*u"), kTile);
  expect_agreement(
      "stencil s { axes x, y, z; field f64 u; boundary u { x.lo: zero; x.hi: mirror; y.lo: "
      "reflect; y.hi: fixed; z.lo: antireflect; z.hi: clamp; } u[t+1] = " +
          wave + "; }",
      "coarsened,threads=32x4,vector=2,rows=2,shared=none,coarsen=z8,sums=scatter,ahead=1,steps=2");
  expect_agreement(
      "stencil s { axes x, y, z; field f32 p boundary clamp; field f32 q boundary zero; "
      "field f32 c in; p[t+1] = 2*p - p[t-1] + c*laplacian(p) + 0.1*q; "
      "q[t+1] = q + 0.1*(q[z-1] + q[z+1] - 2*q) + 0.01*p[t-1] on z >= 1; }",
      "coarsened,threads=32x4,vector=2,rows=2,shared=none,coarsen=z8,sums=scatter,ahead=1,steps=2");
}

TEST(Steps, ValuesOfTheStepsOwnNumberAgreeInSpace) {
  const std::string star = kStar;
  for (const std::string& boundary : some({"clamp", "fixed", "periodic"})) {
    expect_agreement(in_space(boundary, "0.2*u + 0.1*f32(t % 3)*(" + star + ") + 0.01*f32(t)"),
                     kTile);
    expect_agreement(in_space(boundary, "0.2*u - 0.5*u[t-1] + 0.1*f32(t % 3)*(" + star +
                                            ") + 0.01*sin(0.3*f32(t))"),
                     kTile);
  }
  expect_agreement(
      in_space("zero", "f32(t % 5)*(0.1*u[x-1,y-1,z-1] + 0.3*u[x+1,y+1,z+1]) - f32(t % 2)*u[t-1]"),
      kTile);
}

// Cells that no step assigns, where values read the cell itself besides their sum.
TEST(Steps, UnassignedCellsAreNotThoseOfTheirSumsInSpace) {
  for (const std::string& boundary : some({"fixed", "none"}))
    expect_agreement(in_space(boundary, "0.5*u + (0.1 + 0.01*f32(y))*(" + std::string(kStar) + ")"),
                     kTile);
}

// Rows beside the last tile but one, of which some lie beyond the end of the grid and are made of
// others that lie inside: a tile stores 8 rows, so that one of these numbers of rows ends one row
// after a tile.
TEST(Steps, RowsBesideATileMayLieOutsideTheGrid) {
  for (const std::string side : {"antireflect", "neumann 1", "expr 0.5*x"}) {
    std::string problem;
    const auto program = compile(
        {"program", "",
         "stencil s { axes x, y, z; field f64 u; boundary u { x: clamp; y: " + side +
             "; z: clamp; } u[t+1] = 0.2*u + 0.3*u[x+1] + 0.1*u[y-2] + 0.05*u[y+2] + "
             "0.07*u[z-1] + 0.11*u[z+1]; }"},
        plan::Target::cuda,
        "coarsened,threads=32x4,vector=2,rows=3,shared=none,coarsen=z8,sums=scatter,steps=2", "",
        problem);
    ASSERT_TRUE(program) << problem;
    ASSERT_EQ(program->module.why_one, "");
    std::vector<driver::Case> cases;
    for (int64_t rows = 17; rows < 25; ++rows) cases.push_back({{64, rows, 5}, 2, "random", 1});
    expect_agreement(*program, cases, side);
  }
}

}  // namespace
}  // namespace stencilc::run_test
