// Launches of several steps: the bits of one step per launch, for every boundary on both axes,
// stencils that look further to one side than to the other, and grids around a tile and a chunk.
#include <gtest/gtest.h>

#include "run/agreement.h"

namespace stencilc::run_test {
namespace {

const std::vector<std::string> kBoundaries = {
    "clamp", "reflect", "mirror",         "periodic",    "zero",     "constant 2",
    "fixed", "none",    "expr 0.5*x + y", "antireflect", "neumann 1"};
constexpr const char* kSums[] = {
    "0.2*u + 0.1*u[x-1] + 0.3*u[y-1] + 0.2*u[x+1] + 0.1*u[y+1]",
    "0.1*u[x-2] + 0.3*u[y-1] + 0.2*u[x+2, y+2] + 0.1*u[y+2]",
    "0.1*u[x-2] + 0.3*u[y+2]",
    "0.1*u[x+1] + 0.2*u[x-1] + 0.3*u[y-2]",
};

#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(Steps, EveryBoundaryHoldsAtEveryStep) {
  for_each_pair(kBoundaries, kSums, [](const std::string& boundary, const std::string& sum) {
    expect_agreement(
        "stencil s { axes x, y; field f32 u boundary " + boundary + "; u[t+1] = " + sum + "; }",
        sum.find("u[y-1]") == std::string::npos
            ? "coarsened,threads=32x2,vector=4,coarsen=y8,sums=gather,steps=2"
            : "coarsened,threads=32x2,vector=4,coarsen=y8,sums=scatter,steps=3");
  });
}
#endif

// A lane at the end of a tile stores a part of its vector.
TEST(Steps, WideVectorsAreStoredInParts) {
  const auto agree = [](const std::string& fields, const std::string& value,
                        const std::string& schedule) {
    expect_agreement("stencil s { axes x, y; field " + fields + "; u[t+1] = " + value + "; }",
                     "coarsened,threads=32x1," + schedule);
  };
  for (const std::string& boundary : some(kBoundaries)) {
    agree("f32 u boundary " + boundary, kSums[0],
          "vector=8,chunks=full,sums=scatter,steps=3");  // 4 cells of 8
    agree("f64 u boundary " + boundary, kSums[1],
          "vector=4,coarsen=y8,sums=scatter,steps=3");  // 6 cells of 4
  }
  agree("f32 u boundary reflect", kSums[2], "vector=8,coarsen=y8,sums=gather,steps=2");
  agree("f16 u compute f32 boundary periodic", kSums[0],
        "vector=16,coarsen=y16,sums=scatter,steps=5");
  agree("f32 u boundary clamp", "2*u - u[t-1] + 0.2*laplacian(u)",
        "vector=8,coarsen=y8,sums=scatter,steps=4");
}

// Then the lane after the first one reads outside the grid, too.
TEST(Steps, StepsMayReadFurtherThanAVectorReaches) {
  const std::string line = "0.3*u + 0.1*u[x-3] + 0.2*u[x-2] + 0.2*u[x+3]";
  for (const std::string& boundary : some({"clamp", "zero"})) {
    const std::string u = "field f64 u boundary " + boundary + "; u[t+1] = " + line;
    expect_agreement("stencil s { axes x, y; " + u + " + 0.1*u[y-1]; }",
                     "coarsened,threads=32x2,vector=2,coarsen=y8,sums=scatter,steps=2");
    expect_agreement("stencil s { axes x, y; " + u + " + 0.1*u[y-1]; }",
                     "coarsened,threads=32x4,vector=2,rows=4,steps=2");
    expect_agreement("stencil s { axes x; " + u + "; }", "coarsened,threads=32,vector=2,steps=3");
    expect_agreement("stencil s { axes x, y, z; " + u + " + 0.1*u[z-1] + 0.1*u[z+1]; }",
                     "coarsened,threads=32x4,vector=2,rows=2,shared=none,coarsen=z9,sums=scatter,"
                     "steps=2");
  }
}

TEST(Steps, SidesMayDiffer) {
  for (const std::string sides :
       {"x.lo: zero; x.hi: mirror; y.lo: reflect; y.hi: fixed;",
        "x.lo: mirror; x.hi: clamp; y.lo: clamp; y.hi: constant 1;",
        "x.lo: fixed; x.hi: antireflect; y.lo: antireflect; y.hi: neumann 0.5;",
        "x: periodic; y.lo: mirror; y.hi: reflect;"})
    for (const std::string sums : {"gather", "scatter"})
      expect_agreement("stencil s { axes x, y; field f64 u; boundary u { " + sides +
                           " } u[t+1] = " + kSums[0] + "; }",
                       "coarsened,threads=32x1,vector=2,coarsen=y16,sums=" + sums + ",steps=4");
}

TEST(Steps, SystemsMasksAndCoefficientsAgree) {
  expect_agreement(
      "stencil s { axes x, y; field f32 u, v boundary clamp; field f32 c in boundary mirror; "
      "u[t+1] = u + 0.1*c*(u[x-1] + u[x+1] - 2*u) - v*v; "
      "v[t+1] = v + 0.1*(v[y-1] + v[y+1] - 2*v) + c[x+1]*u where u > 0.3; }",
      "coarsened,threads=32x2,vector=2,coarsen=y8,sums=gather,steps=3");
  expect_agreement(
      "stencil s { axes x, y; field u8 a boundary periodic; a[t+1] = u8(a[x-1, y-1] + a[x+1] == 1 "
      "? 1 : a[y+1]); }",
      "coarsened,threads=32x2,vector=4,coarsen=y16,sums=gather,steps=5");
  expect_agreement(
      "stencil s { axes x, y; field f16 u compute f32 boundary mirror; u[t+1] = 0.25*(u[x-1] + "
      "u[x+1] + u[y-1] + u[y+1]) on x >= 2, y < ny-3; }",
      "coarsened,threads=32x2,vector=8,coarsen=y16,sums=scatter,steps=3");
}

TEST(Steps, ValuesOfTheStepsOwnNumberAgree) {
  for (const std::string sums : {"scatter", "gather"})
    expect_agreement(
        "stencil s { axes x, y; param f32 a = 0.1; field f32 u boundary clamp; field f32 v "
        "boundary zero; u[t+1] = u + a*f32(t % 3)*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) + "
        "0.01*sin(0.3*f32(t)) where t % 2 == 0 || x > 2; v[t+1] = 0.5*v + f32(t)*u[y+1]; }",
        "coarsened,threads=32x2,vector=4,coarsen=y16,sums=" + sums + ",steps=5");
}

// A value of t+1 at a cell is what t was there, where that field is not assigned.
TEST(Steps, FieldsThatReachFurtherLeaveMoreCellsUnassigned) {
  for (const std::string axes : {"x", "x, y", "x, y, z"}) {
    const std::string last = axes.substr(axes.size() - 1);
    const std::string text =
        "stencil s { axes " + axes +
        "; field f32 p, q boundary none; p[t+1] = 0.2*p + 0.2*p[x-2] + 0.2*p[x+2] + "
        "0.1*p[" +
        last + "-2]; q[t+1] = min(0.5*q + 0.1*q[x-1] + 0.2*q[" + last + "+1], p[t+1]); }";
    const std::vector<std::string> schedules =
        axes == "x"      ? std::vector<std::string>{"threads=32,vector=4"}
        : axes == "x, y" ? std::vector<std::string>{"threads=32x4,vector=4,rows=4",
                                                    "threads=32x2,vector=4,coarsen=y8,sums=gather",
                                                    "threads=32x2,vector=4,coarsen=y8,sums=scatter"}
                         : std::vector<std::string>{
                               "threads=32x4,vector=2,rows=2,planes=7",
                               "threads=32x4,vector=2,rows=2,shared=none,coarsen=z9,sums=scatter"};
    for (const std::string& schedule : schedules)
      expect_agreement(text, "coarsened," + schedule + ",steps=2");
  }
}

// What stands beyond the end of a row lies where only the row beside it is read.
TEST(Steps, RowsReachBeforeTheirEnds) {
  for (const std::string& boundary : some({"mirror", "reflect", "antireflect"}))
    expect_agreement("stencil s { axes x, y; field f32 u boundary " + boundary +
                         "; u[t+1] = 0.7*u + 0.1*u[x-2] + 0.1*u[y-1] + 0.2*u[x+2,y+1]; }",
                     "coarsened,threads=32x2,vector=4,coarsen=y8,sums=gather,steps=3");
}

// Fields that are read at t-1, too: what a step keeps of the rows it reads is that for the next
// one.
#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(Steps, TwoLevelsHoldForEveryBoundary) {
  const std::string sums[] = {
      "2*u - u[t-1] + 0.2*laplacian(u)",
      "0.7*u[t-1] + 0.1*u[x-2] + 0.3*u[y-1] + 0.2*u[x+2, y+2] + 0.1*u[y+2]",
      "u[t-1] + 0.1*(u[x-1] - u[y-2])",
      "0.5*u[t-1] + 0.2*u[x-1]",
  };
  for (const std::string& boundary : some(kBoundaries))
    for (const std::string& sum : sums)
      expect_agreement(
          "stencil s { axes x, y; field f32 u boundary " + boundary + "; u[t+1] = " + sum + "; }",
          "coarsened,threads=32x2,vector=4,coarsen=y8,sums=scatter,steps=" +
              std::string(&sum - sums < 2 ? "3" : "2"));
}
#endif

TEST(Steps, TwoLevelsHoldWithSidesDomainsSystemsAndInputs) {
  for (const std::string sides :
       {"x.lo: zero; x.hi: mirror; y.lo: reflect; y.hi: fixed;",
        "x.lo: fixed; x.hi: antireflect; y.lo: antireflect; y.hi: neumann 0.5;",
        "x: periodic; y.lo: mirror; y.hi: clamp;", "x.lo: clamp; x.hi: none; y: periodic;"})
    expect_agreement("stencil s { axes x, y; field f64 u; boundary u { " + sides +
                         " } u[t+1] = 2*u - u[t-1] + 0.2*laplacian(u, order = 4); }",
                     "coarsened,threads=32x1,vector=4,coarsen=y16,sums=gather,steps=4");
  for (const std::string domain :
       {" on x >= 2, y < ny-3", " on y >= 1, x < nx - 9", " where c > 0.4"})
    expect_agreement(
        "stencil s { axes x, y; field f32 u boundary clamp; field f32 c in; u[t+1] = "
        "2*u - u[t-1] + c*laplacian(u)" +
            domain + "; }",
        "coarsened,threads=32x2,vector=4,coarsen=y8,sums=scatter,steps=4");
  expect_agreement(
      "stencil s { axes x, y; field f32 p, q boundary clamp; field f32 c in boundary mirror; "
      "p[t+1] = 2*p - p[t-1] + 0.1*c[x+1]*(p[x-1] + p[x+1] + p[y-1] + p[y+1] - 4*p) + 0.1*q; "
      "q[t+1] = q + 0.1*(q[y-1] - q) + 0.01*p[t-1]; q[t+1] *= 0.5 on x == 0; }",
      "coarsened,threads=32x2,vector=2,coarsen=y8,sums=scatter,steps=3");
  expect_agreement(
      "stencil s { axes x, y; field f16 u compute f32 boundary reflect; "
      "reduce e = sum(f64(u[t+1]) - u[t-1]); "
      "u[t+1] = u - 0.5*u[t-1] + 0.1*u[y+1] on x >= 1; u[t+1] += 0.1*u[t-1] on y == 2; }",
      "coarsened,threads=32x2,vector=8,coarsen=y16,sums=gather,steps=5");
}

// Rows of fields that no step makes wait until all steps have read them: coefficients, masks and
// halves, with every kind of end, and with reads beside the cell, which do not wait.
TEST(Steps, InputsWaitWithTheirRows) {
  for (const std::string& boundary :
       some({"periodic", "fixed", "mirror", "zero", "constant 2", "none"})) {
    const std::string fields = "stencil s { axes x, y; field f32 u boundary " + boundary + "; ";
    expect_agreement(
        fields + "field f32 c in; u[t+1] = u + c*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u); }",
        "coarsened,threads=32x2,vector=4,coarsen=y8,steps=3");
    expect_agreement(
        fields +
            "field u8 m in; field f16 h in compute f32 boundary clamp; u[t+1] = 0.5*u + "
            "0.2*h*u[y+2] + 0.1*h[x+1]*u[x-1] where m > 100; }",
        "coarsened,threads=32x1,vector=4,coarsen=y16,steps=4");
  }
}

// Where one field wraps around, cells of the others are computed outside the grid, too.
TEST(Steps, AllFieldsWrapAroundWhereOneDoes) {
  for (const std::string axis : {"x", "y"})
    expect_agreement("stencil s { axes x, y; field f32 u, v boundary periodic; u[t+1] = 0.1*v[" +
                         axis + "-1] + 0.3*u; v[t+1] = 0.2*u + 0.3*v[" + axis + "+1]; }",
                     "coarsened,threads=32x1,vector=4,coarsen=y16,sums=gather,steps=4");
}

}  // namespace
}  // namespace stencilc::run_test
