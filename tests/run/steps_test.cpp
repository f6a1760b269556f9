// Launches of several steps: the bits of one step a launch, for every boundary on both axes,
// stencils that look further to one side than to the other, and grids around a strip and a chunk.
#include <gtest/gtest.h>

#include "driver/compare.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

constexpr const char* kBoundaries[] = {"clamp",          "reflect",     "mirror",   "periodic",
                                       "zero",           "constant 2",  "fixed",    "none",
                                       "expr 0.5*x + y", "antireflect", "neumann 1"};
constexpr const char* kSums[] = {
    "0.2*u + 0.1*u[x-1] + 0.3*u[y-1] + 0.2*u[x+1] + 0.1*u[y+1]",
    "0.1*u[x-2] + 0.3*u[y-1] + 0.2*u[x+2, y+2] + 0.1*u[y+2]",
    "0.1*u[x-2] + 0.3*u[y+2]",
    "0.1*u[x+1] + 0.2*u[x-1] + 0.3*u[y-2]",
};

void expect_agreement(const std::string& text, const std::string& schedule) {
  std::string problem;
  const auto program = compile({"steps", "", text}, plan::Target::cuda, schedule, "", problem);
  ASSERT_TRUE(program) << problem;
  ASSERT_EQ(program->module.why_one, "") << text;
  const driver::Machine machine = driver::execute(*program, true, true);
  ASSERT_TRUE(machine.call) << machine.problem;
  for (const driver::Case& test : driver::awkward_cases(*program, 1))
    EXPECT_EQ(driver::compare(*program, machine, test, 0), "")
        << text << "\n"
        << schedule << ", " << driver::print(test);
}

TEST(Steps, EveryBoundaryHoldsAtEveryStep) {
  for (const std::string boundary : kBoundaries)
    for (const std::string sum : kSums)
      expect_agreement(
          "stencil s { axes x, y; field f32 u boundary " + boundary + "; u[t+1] = " + sum + "; }",
          sum.find("u[y-1]") == std::string::npos
              ? "coarsened,threads=32x2,vector=4,coarsen=y8,sums=gather,steps=2"
              : "coarsened,threads=32x2,vector=4,coarsen=y8,sums=scatter,steps=3");
}

// A lane at the end of a strip stores a part of its vector.
TEST(Steps, WideVectorsAreStoredInParts) {
  const auto agree = [](const std::string& fields, const std::string& value,
                        const std::string& schedule) {
    expect_agreement("stencil s { axes x, y; field " + fields + "; u[t+1] = " + value + "; }",
                     "coarsened,threads=32x1," + schedule);
  };
  for (const std::string boundary : kBoundaries) {
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

// Then the lane behind the first one reads beyond the rim, too.
TEST(Steps, StepsMayReadFurtherThanAVectorReaches) {
  const std::string line = "0.3*u + 0.1*u[x-3] + 0.2*u[x-2] + 0.2*u[x+3]";
  for (const std::string boundary : {"clamp", "zero"}) {
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
TEST(Steps, FieldsThatReachFurtherStayWithMoreCells) {
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
  for (const std::string boundary : {"mirror", "reflect", "antireflect"})
    expect_agreement("stencil s { axes x, y; field f32 u boundary " + boundary +
                         "; u[t+1] = 0.7*u + 0.1*u[x-2] + 0.1*u[y-1] + 0.2*u[x+2,y+1]; }",
                     "coarsened,threads=32x2,vector=4,coarsen=y8,sums=gather,steps=3");
}

// Fields that are read at t-1, too: what a step keeps of the rows it reads is that for the next
// one.
TEST(Steps, TwoLevelsHoldForEveryBoundary) {
  const std::string sums[] = {
      "2*u - u[t-1] + 0.2*laplacian(u)",
      "0.7*u[t-1] + 0.1*u[x-2] + 0.3*u[y-1] + 0.2*u[x+2, y+2] + 0.1*u[y+2]",
      "u[t-1] + 0.1*(u[x-1] - u[y-2])",
      "0.5*u[t-1] + 0.2*u[x-1]",
  };
  for (const std::string boundary : kBoundaries)
    for (const std::string& sum : sums)
      expect_agreement(
          "stencil s { axes x, y; field f32 u boundary " + boundary + "; u[t+1] = " + sum + "; }",
          "coarsened,threads=32x2,vector=4,coarsen=y8,sums=scatter,steps=" +
              std::string(&sum - sums < 2 ? "3" : "2"));
}

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
  for (const std::string boundary : {"periodic", "fixed", "mirror", "zero", "constant 2", "none"}) {
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

// Where one field wraps around, cells of the others are computed beyond the rim, too.
TEST(Steps, AllFieldsWrapAroundWhereOneDoes) {
  for (const std::string axis : {"x", "y"})
    expect_agreement("stencil s { axes x, y; field f32 u, v boundary periodic; u[t+1] = 0.1*v[" +
                         axis + "-1] + 0.3*u; v[t+1] = 0.2*u + 0.3*v[" + axis + "+1]; }",
                     "coarsened,threads=32x1,vector=4,coarsen=y16,sums=gather,steps=4");
}

// With three axes, where sums are complete when a plane arrives, and a plane later; the grids among
// the awkward ones are wide enough for strips and tiles away from the rim.
TEST(Steps, EveryBoundaryHoldsInSpace) {
  const std::string star =
      "0.2*u + 0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]";
  const std::string corners =
      "0.2*u + 0.1*u[x-1,y-1,z-1] + 0.3*u[x+1,y+1,z+1] + 0.1*u[y-1,z+1] + 0.05*u[y+1,z-1]";
  for (const std::string boundary : kBoundaries) {
    if (boundary == "mirror") continue;
    for (const std::string& sum : {star, corners})
      expect_agreement("stencil s { axes x, y, z; field f32 u boundary " + boundary +
                           "; u[t+1] = " + sum + "; }",
                       "coarsened,threads=32x4,vector=4,rows=2,shared=none,coarsen=z9,sums=scatter,"
                       "steps=3");
  }
}

// Rows that vectors do not fill: the last strip lies across those before it, and where the steps
// take all the cells that a strip stores less, what two strips store is known to one of them alone.
// Blocks take whole columns, and pieces of others.
TEST(Steps, StripsThatEndWithRowsAndPiecesOfColumnsAgreeInSpace) {
  const auto agree = [](const std::string& field, const std::string& steps) {
    expect_agreement("stencil s { axes x, y, z; field " + field +
                         "; u[t+1] = 0.4*u + 0.1*u[x-1] + 0.12*u[x+1] + 0.07*u[y-1] + 0.09*u[y+1] "
                         "+ 0.06*u[z-1] + 0.11*u[z+1]; }",
                     "coarsened,threads=32x4,vector=2,rows=3,shared=none,chunks=full,sums=scatter,"
                     "steps=" +
                         steps);
  };
  for (const std::string boundary : {"clamp", "zero", "periodic", "fixed"})
    agree("f32 u boundary " + boundary, "2");
  for (const std::string boundary : {"periodic", "fixed"})
    agree("f16 u compute f32 boundary " + boundary, "4");
}

// Planes before the first one are made along z before rows and columns beyond their rims are.
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

// Each end of the march has a map of its own, or a constant beyond it.
TEST(Steps, EndsOfTheMarchThatDifferHoldInSpace) {
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
  for (const std::string boundary : {"zero", "fixed", "none", "periodic", "neumann 1"})
    expect_agreement("stencil s { axes x, y, z; field f64 u boundary " + boundary +
                         "; u[t+1] = 0.2*u + 0.1*u[x-2] + 0.3*u[x+1] + 0.1*u[y-2] + 0.05*u[y+2] + "
                         "0.07*u[z-2] + 0.11*u[z+2] + 0.02*u[z-1]; }",
                     "coarsened,threads=32x4,vector=2,rows=3,shared=none,coarsen=z8,sums=scatter,"
                     "ahead=1,steps=2");
}

// Where cells that no step assigns do not pass through sums, as those of halves and of two fields,
// the planes at the ends of a march keep them in blocks inside, too; conditions have names of their
// own in every text.
TEST(Steps, CellsBesideSumsStayInSpace) {
  const std::string star =
      "0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]";
  const std::string schedule =
      "coarsened,threads=32x4,vector=2,rows=2,coarsen=z8,shared=none,sums=scatter,steps=2";
  for (const std::string boundary : {"fixed", "none"})
    expect_agreement("stencil s { axes x, y, z; field f16 u compute f32 boundary " + boundary +
                         "; u[t+1] = 0.2*u + " + star + "; }",
                     schedule);
  expect_agreement("stencil s { axes x, y, z; field f32 u, v boundary fixed; u[t+1] = 0.2*v + " +
                       star + "; v[t+1] = 0.3*v + 0.2*v[z+1] - 0.1*v[x-1]; }",
                   schedule);
}

// Those of singles are read again among the cells of t: one of a vector or more, at one end or at
// both, in boxes of any size, and where sums are complete a plane later.
TEST(Steps, CellsThatStayAreReadAgainInSpace) {
  const std::string star =
      "0.2*u + 0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]";
  const std::string schedule =
      "coarsened,threads=32x4,vector=4,rows=3,shared=none,coarsen=z9,sums=scatter,steps=2";
  const auto agree = [&](const std::string& boundary, const std::string& sum,
                         const std::string& domain = "") {
    expect_agreement("stencil s { axes x, y, z; field f32 u; boundary u { " + boundary +
                         " } u[t+1] = " + sum + domain + "; }",
                     schedule);
  };
  agree("x: fixed; y: fixed; z: fixed;", star + " + 0.02*u[x-2] + 0.03*u[y+2] + 0.04*u[z-2]");
  agree("x: fixed; y: fixed; z: fixed;", star + " + 0.02*u[x+1, y-1, z+1]");
  agree("x.lo: fixed; x.hi: clamp; y.lo: zero; y.hi: fixed; z.lo: fixed; z.hi: reflect;", star);
  agree("x: periodic; y: fixed; z: clamp;", star);
  agree("x: clamp; y: clamp; z: clamp;", star, " on x >= 3, y >= 2, z >= 1");
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
TEST(Steps, TwoLevelsHoldForEveryBoundaryInSpace) {
  const std::string star = kStar;
  const std::string sums[] = {
      "2*u - u[t-1] + 0.1*laplacian(u)",
      "0.5*u - (0.3 + 0.01*f32(x))*u[t-1] + (0.1 + 0.01*f32(y))*(" + star + ")",
      "0.2*u + 0.1*u[x-1,y-1,z-1] + 0.3*u[x+1,y+1,z+1] + 0.1*u[y-1,z+1] - 0.5*u[t-1]",
  };
  for (const std::string boundary :
       {"clamp", "reflect", "zero", "periodic", "fixed", "antireflect"})
    expect_agreement(in_space(boundary, sums[0]), kTile);
  for (const std::string boundary : {"fixed", "expr 0.5*x + y"})
    for (const std::string& sum : {sums[1], sums[2]})
      expect_agreement(in_space(boundary, sum), kTile);
}

TEST(Steps, TwoLevelsHoldForShapesSidesAndSystemsInSpace) {
  const std::string wave = "2*u - u[t-1] + 0.1*laplacian(u)";
  const std::string tile = "coarsened,shared=none,coarsen=z8,sums=scatter,";
  expect_agreement(in_space("clamp", wave), tile + "threads=32x4,vector=4,rows=3,ahead=2,steps=4");
  expect_agreement(in_space("fixed", wave), tile + "threads=32x6,vector=2,rows=2,ahead=3,steps=5");
  const std::string wide = tile + "threads=32x4,vector=4,rows=3,ahead=1,steps=2";
  expect_agreement(in_space("fixed", "2*u - u[t-1] + 0.1*laplacian(u, order = 4)"), wide);
  expect_agreement(
      in_space("neumann 1", "2*u - u[t-1] + (0.1 + 0.01*f32(y))*laplacian(u, order = 4)"), wide);
  for (const std::string boundary : {"clamp", "periodic"})
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
  for (const std::string boundary : {"clamp", "fixed", "periodic"}) {
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
TEST(Steps, CellsThatStayAreNotThoseOfTheirSumsInSpace) {
  for (const std::string boundary : {"fixed", "none"})
    expect_agreement(in_space(boundary, "0.5*u + (0.1 + 0.01*f32(y))*(" + std::string(kStar) + ")"),
                     kTile);
}

}  // namespace
}  // namespace stencilc::run_test
