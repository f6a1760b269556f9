// Sources and receivers in launches of several steps: the bits of one step per launch, wherever
// their points lie.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/agreement.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

void expect_tile(const std::string& text, const std::string& shape) {
  expect_agreement(text, "coarsened," + shape, [](const kernel::Module& module) {
    return std::any_of(module.launches.begin(), module.launches.end(),
                       [](const kernel::Launch& one) { return one.kernel.any_steps; });
  });
}

std::string stencil(const std::string& axes, const std::string& declarations,
                    const std::string& statements) {
  return "stencil s { axes " + axes + "; " + declarations + " " + statements + " }";
}

const std::string kWave =
    "points sources, receivers linear; series f32 pulse(sources), trace(receivers);";
const std::string kShots =
    "inject u[t+1] += 0.3*pulse[t] at sources; sample trace[t] = u at receivers;";

#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(Points, EveryBoundaryOfAPlaneAgrees) {
  for (const std::string& boundary :
       some({"clamp", "reflect", "mirror", "periodic", "zero", "constant 2", "fixed", "none",
             "antireflect", "neumann 1"}))
    expect_tile(stencil("x, y", "field f32 u boundary " + boundary + "; " + kWave,
                        "u[t+1] = 2*u - u[t-1] + 0.2*laplacian(u); " + kShots),
                "threads=32x4,vector=4,rows=5,steps=3");
}
#endif

#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(Points, EveryBoundaryOfALineAgrees) {
  for (const std::string& boundary : some({"clamp", "periodic", "zero", "fixed"}))
    for (const std::string shape : {"threads=32,vector=8,steps=7", "threads=32,vector=4,steps=3"})
      expect_tile(stencil("x", "field f32 u boundary " + boundary + "; " + kWave,
                          "u[t+1] = 0.5*u[x-1] + 0.2*u + 0.3*u[x+1]; " + kShots),
                  shape);
}
#endif

#ifdef STENCILC_ALL_TESTS  // covering.txt has these pairs
TEST(Points, EveryBoundaryInSpaceAgrees) {
  for (const std::string& boundary : some({"clamp", "periodic", "zero", "fixed"}))
    for (const std::string strips : {"", "strips=apart,"})
      expect_tile(stencil("x, y, z", "field f32 u boundary " + boundary + "; " + kWave,
                          "u[t+1] = 2*u - u[t-1] + 0.1*laplacian(u); " + kShots),
                  "threads=32x4x1,vector=2,rows=2,planes=7," + strips + "steps=2");
}
#endif

TEST(Points, TilesOfWholeRowsAgree) {
  expect_tile(stencil("x, y", "field f32 u boundary zero; " + kWave,
                      "u[t+1] = u + 0.2*laplacian(u); " + kShots),
              "threads=32x4,vector=4,rows=4,strips=whole,steps=3");
}

// Points between the cells that add to cells of several threads, and values that read the cell, the
// number of the step, and an input.
TEST(Points, ValuesReadWhatIsThere) {
  expect_tile(
      stencil("x, y",
              "param f32 dt = 0.3; field f32 u boundary mirror; field f32 c in boundary clamp; "
              "points src, between linear; series f32 a(src), b(between), seen(src), "
              "after(between);",
              "u[t+1] = 2*u - u[t-1] + (dt*c)^2 * laplacian(u); "
              "inject u[t+1] += (dt*c)^2 * b[t] + 0.1*u - 0.05*u[t-1] at between; "
              "inject u[t+1] += a[t] * u / (1 + c*c) + 0.01*f32(t) + 0.001*f32(x) at src; "
              "sample seen[t] = 0.5 * (u - u[t-1]) at src; "
              "sample after[t] = u[t+1] + sqrt(c*c) at between;"),
      "threads=32x4,vector=4,rows=4,steps=4");
}

TEST(Points, SystemsStagesAndOutputsAgree) {
  expect_tile(
      stencil(
          "x, y",
          "field f32 u, v boundary zero; field f64 w boundary clamp; points here, there linear; "
          "series f32 p(here), q(there); series f64 r(there), e(there);",
          "u[t+1] = u - 0.3*(v - v[x-1]) + 0.1*v[y-1]; "
          "v[t+1] = v - 0.2*(u[t+1, x+1] - u[t+1, y+1]) + 0.1*u[y-1] where u > 0.1; "
          "w[t+1] = w + 0.1*(w[x-1] - w); "
          "inject v[t+1] += p[t] at here; inject u[t+1] += q[t] at there; "
          "inject w[t+1] += r[t] at there; inject v[t+1] += 0.5*p[t] at here; "
          "sample e[t] = f64(u[t+1] + v[t+1]) + w at there;"),
      "threads=32x4,vector=4,rows=4,steps=3");
  expect_tile(
      stencil("x, y",
              "field f32 u boundary clamp; field f32 flux out boundary clamp; points rec linear; "
              "series f32 seen(rec);",
              "flux = u[x+1] - u[y-1]; u[t+1] = u + 0.1*(flux[x-1] - flux[y+1]); "
              "sample seen[t] = flux at rec;"),
      "threads=32x4,vector=4,rows=5,steps=3");
}

TEST(Points, NarrowTypesAgree) {
  expect_tile(stencil("x, y",
                      "field f16 u compute f32 boundary periodic; points s linear; "
                      "series f16 a(s), b(s);",
                      "u[t+1] = 0.25*(u[x-1] + u[x+1] + u[y-1] + u[y+1]); "
                      "inject u[t+1] += a[t] at s; sample b[t] = u at s;"),
              "threads=32x4,vector=8,rows=3,steps=3");
  expect_tile(stencil("x, y", "field u8 a boundary zero; points s; series u8 more(s), seen(s);",
                      "a[t+1] = u8(a[x-1, y-1] + a[x+1] == 1 ? 1 : a[y+1]); "
                      "inject a[t+1] += more[t] at s; sample seen[t] = a at s;"),
              "threads=32x4,vector=4,rows=4,steps=5");
}

// What stands against it is said, and one step per launch is taken.
TEST(Points, ThreadsWithManyCellsAreRefused) {
  std::string problem;
  const std::string text = stencil("x, y", "field f32 u boundary zero; " + kWave,
                                   "u[t+1] = u + 0.2*laplacian(u); " + kShots);
  const auto tile = compile({"points", "", text}, plan::Target::cuda,
                            "coarsened,threads=32x4,vector=8,rows=9,steps=2", "", problem);
  ASSERT_TRUE(tile) << problem;
  EXPECT_EQ(tile->module.why_one,
            "with sources or receivers a thread can have at most 64 cells, and this schedule gives "
            "it 72");
  const auto streaming =
      compile({"points", "", text}, plan::Target::cuda,
              "coarsened,threads=32x2,vector=4,coarsen=y16,sums=scatter,steps=2", "", problem);
  ASSERT_TRUE(streaming) << problem;
  EXPECT_EQ(streaming->module.why_one, "only resident tiles support sources and receivers");
}

}  // namespace
}  // namespace stencilc::run_test
