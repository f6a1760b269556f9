// Launches whose blocks hold resident tiles: the bits of one step per launch, for every boundary on
// all axes, stages of a step, fields at two levels and of outputs, and grids around a tile.
#include <gtest/gtest.h>

#include "run/agreement.h"

namespace stencilc::run_test {
namespace {

const std::vector<std::string> kBoundaries = {
    "clamp", "reflect", "mirror",         "periodic",    "zero",     "constant 2",
    "fixed", "none",    "expr 0.5*x + y", "antireflect", "neumann 1"};

void expect_tile(const std::string& text, const std::string& shape) {
  expect_agreement(text, "coarsened," + shape, [](const kernel::Module& module) {
    return module.launches[0].kernel.name == "resident_tile_steps";
  });
}

std::string stencil(const std::string& fields, const std::string& statements) {
  return "stencil s { axes x, y; " + fields + " " + statements + " }";
}

#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(ResidentTile, EveryBoundaryHoldsAtEveryStep) {
  const std::string sums[] = {
      "0.2*u + 0.1*u[x-1] + 0.3*u[y-1] + 0.2*u[x+1] + 0.1*u[y+1]",
      "0.1*u[x-2] + 0.3*u[y-1] + 0.2*u[x+2, y+2] + 0.1*u[y+2]",
      "0.1*u[x-2] + 0.3*u[y+2]",
      "max(u[x+1, y-1], min(u[x-1], u[y-2]))",
  };
  for_each_pair(kBoundaries, sums, [&](const std::string& boundary, const std::string& sum) {
    expect_tile(stencil("field f32 u boundary " + boundary + ";", "u[t+1] = " + sum + ";"),
                sum == sums[0] || sum == sums[1] ? "threads=32x4,vector=4,rows=5,steps=3"
                                                 : "threads=32x8,vector=4,rows=3,steps=2");
  });
}
#endif

TEST(ResidentTile, SidesMayDiffer) {
  for (const std::string sides :
       {"x.lo: zero; x.hi: mirror; y.lo: reflect; y.hi: fixed;",
        "x.lo: mirror; x.hi: clamp; y.lo: clamp; y.hi: constant 1;",
        "x.lo: fixed; x.hi: antireflect; y.lo: antireflect; y.hi: neumann 0.5;",
        "x: periodic; y.lo: mirror; y.hi: reflect;", "x.lo: clamp; x.hi: none; y: periodic;"})
    for (const std::string sum : {"u[x-1, y-1] + 0.2*u[x+1, y+1]", "0.5*u + 0.1*laplacian(u)"})
      expect_tile(stencil("field f64 u; boundary u { " + sides + " }", "u[t+1] = " + sum + ";"),
                  "threads=32x4,vector=2,rows=4,steps=4");
}

// Where domains leave more cells than a vector has, or rows of a thread.
TEST(ResidentTile, CellsOutsideDomainsAreUnchanged) {
  for (const std::string domain :
       {"x >= 1, x < nx-1, y >= 1, y < ny-1", "x >= 3, y < ny-3", "x < nx-5, y >= 4"})
    expect_tile(stencil("field f32 u boundary clamp;",
                        "u[t+1] = 0.2*u + 0.4*u[x-1] + 0.4*u[y+1] on " + domain + ";"),
                "threads=32x6,vector=4,rows=3,steps=3");
}

TEST(ResidentTile, SystemsMasksAndCoefficientsAgree) {
  expect_tile(stencil("field f32 u, v boundary clamp; field f32 c in boundary mirror;",
                      "u[t+1] = u + 0.1*c*(u[x-1] + u[x+1] - 2*u) - v*v; "
                      "v[t+1] = v + 0.1*(v[y-1] + v[y+1] - 2*v) + c[x+1]*u where u > 0.3;"),
              "threads=32x4,vector=2,rows=4,steps=3");
  expect_tile(stencil("field u8 a boundary periodic;",
                      "a[t+1] = u8(a[x-1, y-1] + a[x+1] == 1 ? 1 : a[y+1]);"),
              "threads=32x4,vector=4,rows=4,steps=5");
  expect_tile(stencil("field f16 u compute f32 boundary mirror;",
                      "u[t+1] = 0.25*(u[x-1] + u[x+1] + u[y-1] + u[y+1]) on x >= 2, y < ny-3;"),
              "threads=32x4,vector=8,rows=3,steps=3");
}

// A step of several passes: what a later one reads beside the cell comes from the earlier ones.
TEST(ResidentTile, StagesOfAStepFollowOneAnother) {
  for (const std::string& boundary : some(kBoundaries)) {
    const std::string fields = "field f32 u, v boundary " + boundary + ";";
    expect_tile(stencil(fields,
                        "u[t+1] = u - 0.3*(v - v[x-1]) + 0.1*v[y-1]; "
                        "v[t+1] = v - 0.2*(u[t+1, x+1] - u[t+1, y+1]) + 0.1*u[y-1];"),
                "threads=32x4,vector=4,rows=4,steps=2");
    if (boundary == "fixed" || boundary == "none") continue;  // which the output would keep
    expect_tile(stencil("field f32 u boundary " + boundary + "; field f32 flux out boundary " +
                            boundary + ";",
                        "flux = u[x+1] - u[y-1]; u[t+1] = u + 0.1*(flux[x-1] - flux[y+1]);"),
                "threads=32x4,vector=4,rows=5,steps=3");
  }
}

#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(ResidentTile, FieldsThatAreReadAtTwoLevelsAgree) {
  const std::string sums[] = {"2*u - u[t-1] + 0.2*laplacian(u)",
                              "0.5*u[t-1, x-1] + 0.1*u[y+1] + 0.2*u[t-1, y-2]"};
  for (const std::string& boundary : some(kBoundaries))
    for (const std::string& sum : sums)
      expect_tile(stencil("field f32 u boundary " + boundary + ";", "u[t+1] = " + sum + ";"),
                  "threads=32x4,vector=4,rows=5,steps=3");
}
#endif

// A field that only a reduction reads beside the cell does not make the tiles of others wrap
// around.
TEST(ResidentTile, AnAxisIsPeriodicForReductionsAlone) {
  const std::string fields = "field f32 v boundary periodic; field f32 u boundary clamp; ";
  const std::string sums = "v[t+1] = 0.5*v; u[t+1] = 0.3*u + 0.2*u[x-1] + 0.1*u[x+1] + 0.01*v; ";
  const std::string across = "reduce most = max(v[x+1] + u[x-1]);";
  expect_agreement("stencil s { axes x; " + fields + sums + across + " }",
                   "coarsened,threads=32,vector=4,steps=3");
  expect_agreement(stencil(fields, sums + across),
                   "coarsened,threads=32x2,vector=4,rows=4,steps=3");
  expect_agreement(stencil(fields, sums + across),
                   "coarsened,threads=32x2,vector=4,coarsen=y8,sums=gather,steps=3");
}

TEST(ResidentTile, ValuesOfTheStepsOwnNumberAgree) {
  expect_tile(stencil("param f32 a = 0.1; field f32 u boundary clamp; field f32 v boundary zero;",
                      "u[t+1] = u + a*f32(t % 3)*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) + "
                      "0.01*sin(0.3*f32(t)) where t % 2 == 0 || x > 2; "
                      "v[t+1] = 0.5*v + f32(t)*u[t+1, y+1];"),
              "threads=32x4,vector=4,rows=4,steps=5");
}

std::string in_space(const std::string& fields, const std::string& statements) {
  return "stencil s { axes x, y, z; " + fields + " " + statements + " }";
}

const std::string kTile = "threads=32x4x1,vector=2,rows=2,planes=7,";

#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(ResidentTile, EveryBoundaryInSpaceHoldsAtEveryStep) {
  const std::string sums[] = {
      "0.2*u + 0.1*u[x-1] + 0.3*u[y-1] + 0.2*u[z-1] + 0.1*u[x+1] + 0.1*u[y+1] + 0.1*u[z+1]",
      "0.3*u[x-1, y-1, z-1] + 0.2*u[x+1, y+1, z+1] + 0.1*u[y-1, z+1] + 0.1*u[z-2]"};
  for_each_pair(kBoundaries, sums, [&](const std::string& boundary, const std::string& sum) {
    expect_tile(in_space("field f32 u boundary " + boundary + ";", "u[t+1] = " + sum + ";"),
                kTile + (sum == sums[0] ? "steps=2" : "strips=apart,steps=2"));
  });
}
#endif

TEST(ResidentTile, SidesInSpaceMayDiffer) {
  for (const std::string sides :
       {"x.lo: zero; x.hi: mirror; y.lo: reflect; y.hi: fixed; z.lo: mirror; z.hi: clamp;",
        "x: periodic; y.lo: clamp; y.hi: constant 1; z.lo: reflect; z.hi: zero;",
        "x.lo: clamp; x.hi: fixed; y: periodic; z.lo: antireflect; z.hi: neumann 0.5;",
        "x.lo: neumann 1; x.hi: none; y.lo: antireflect; y.hi: clamp; z: periodic;"})
    expect_tile(in_space("field f64 u; boundary u { " + sides + " }",
                         "u[t+1] = u[x-1, y-1, z-1] + 0.2*u[x+1, y+1, z+1] + 0.1*u[z-1];"),
                "threads=32x5x1,vector=2,rows=2,planes=6,steps=2");
}

TEST(ResidentTile, TilesHoldWholeRows) {
  for (const std::string& boundary :
       some({"clamp", "mirror", "zero", "fixed", "none", "neumann 1"})) {
    expect_tile(in_space("field f32 u boundary " + boundary + ";",
                         "u[t+1] = 0.5*u[x-1] + 0.2*u[x+1, y-1] + 0.1*u[z+1];"),
                kTile + "strips=whole,steps=3");
    expect_tile(stencil("field f32 u boundary " + boundary + ";",
                        "u[t+1] = 0.5*u[x-1] + 0.2*u[x+2, y-1] + 0.1*u[y+2];"),
                "threads=32x4,vector=4,rows=4,strips=whole,steps=3");
  }
}

TEST(ResidentTile, SystemsStagesAndLevelsInSpaceAgree) {
  expect_tile(in_space("field f32 u, v boundary clamp; field f32 c in boundary mirror;",
                       "u[t+1] = u + 0.1*c*(u[x-1] + u[z+1] - 2*u) - v*v; "
                       "v[t+1] = v + 0.1*(v[y-1] + v[y+1] - 2*v) + c[x+1]*u where u > 0.3;"),
              kTile + "steps=3");
  expect_tile(in_space("field f32 u, v boundary zero;",
                       "u[t+1] = u - 0.3*(v - v[x-1]) + 0.1*v[z-1]; "
                       "v[t+1] = v - 0.2*(u[t+1, z+1] - u[t+1, y+1]) + 0.1*u[y-1];"),
              kTile + "steps=2");
  expect_tile(in_space("field f64 u boundary clamp;",
                       "u[t+1] = 2*u - u[t-1] + 0.1*laplacian(u) on z >= 1, z < nz-2, x >= 3;"),
              kTile + "steps=2");
  expect_tile(in_space("field f32 u boundary periodic;",
                       "u[t+1] = 0.5*u[t-1, x-1] + 0.1*u[z+1] + 0.2*u[t-1, y-1, z-1];"),
              kTile + "steps=3");
}

std::string on_a_line(const std::string& fields, const std::string& statements) {
  return "stencil s { axes x; " + fields + " " + statements + " }";
}

// With one axis each warp is alone.
TEST(ResidentTile, OnALineWarpsHoldTiles) {
  for (const std::string& boundary :
       some({"clamp", "reflect", "mirror", "periodic", "zero", "constant 2", "fixed", "none",
             "expr 0.5*x", "antireflect", "neumann 1"})) {
    const std::string u = "field f32 u boundary " + boundary + ";";
    expect_tile(on_a_line(u, "u[t+1] = 0.5*u[x-1] + 0.2*u + 0.3*u[x+1];"),
                "threads=32,vector=8,steps=7");
    expect_tile(on_a_line(u, "u[t+1] = 0.4*u[x-2] + 0.2*u[x-1] + 0.3*u[x+2];"),
                "threads=32,vector=4,steps=3");
    expect_tile(on_a_line(u, "u[t+1] = 2*u - u[t-1] + 0.1*(u[x-1] - 2*u + u[x+1]);"),
                "threads=32,vector=16,steps=4");
  }
  expect_tile(on_a_line("field f64 e, h boundary zero; field f64 c in boundary clamp;",
                        "e[t+1] = e - 0.3*c*(h - h[x-1]) on x >= 1; "
                        "h[t+1] = h - 0.2*(e[t+1, x+1] - e[t+1]) where c > 0.2;"),
              "threads=32,vector=4,steps=5");
  expect_tile(
      on_a_line("field u8 a boundary periodic;", "a[t+1] = u8(a[x-1] + a[x+1] == 1 ? 1 : 0);"),
      "threads=32,vector=16,steps=9");
  expect_tile(on_a_line("field f32 u boundary clamp;", "u[t+1] = 0.5*u[x-1] + 0.5*u[x+3];"),
              "threads=32,vector=4,strips=whole,steps=3");
}

}  // namespace
}  // namespace stencilc::run_test
