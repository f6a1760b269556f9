// Divisions and roots of a thread's cells side by side: the bits of the interpreter, of usual
// operands and of zeros, denormals, infinities and NaN, which take the other way.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/agreement.h"

namespace stencilc::run_test {
namespace {

// Such operations are in all its kernels.
void expect_fast(const std::string& text, const std::string& schedule) {
  expect_agreement(text, schedule, [](const kernel::Module& module) {
    return std::all_of(
        module.launches.begin(), module.launches.end(), [](const kernel::Launch& launch) {
          return kernel::print(launch.kernel).find("fast_division") != std::string::npos;
        });
  });
}

constexpr const char* kTypes[] = {"f32", "f64"};

TEST(FastDivision, EverySweepOfOneStepAgrees) {
  for (const std::string type : kTypes)
    for (const std::string boundary : {"clamp", "fixed"})
      for (const std::string schedule : {"naive", "coarsened,threads=64x1,vector=1,coarsen=y8",
                                         "coarsened,threads=64x4,vector=4,coarsen=y2"})
        expect_fast("stencil s { axes x, y; field " + type + " u boundary " + boundary +
                        "; u[t+1] = u[x-1] / u[y+1] + 1 / (u[x+1]*u + 1) + sqrt(u[y-1]); }",
                    schedule);
}

// Where much would be kept, the second run loads once more.
TEST(FastDivision, SecondRunsThatBeginAnewAgree) {
  std::string sum;
  for (const std::string cell : {"[x-1]", "[x+1]", "[y-1]", "[y+1]", "[x-1, y-1]", "[x+1, y+1]"})
    sum += (sum.empty() ? "" : " + ") + ("v" + cell + " / (u" + cell) + "*u - 0.25)";
  for (const std::string boundary : {"clamp", "periodic"})
    expect_agreement("stencil s { axes x, y; field f64 u, v boundary " + boundary +
                         "; u[t+1] = " + sum + " + sqrt(v); v[t+1] = u; }",
                     "naive", [](const kernel::Module& module) {
                       return kernel::print(module.launches[0].kernel).find("anew(") !=
                              std::string::npos;
                     });
}

TEST(FastDivision, SystemsUnderAMaskAgree) {
  for (const std::string type : kTypes)
    expect_fast("stencil s { axes x, y; field " + type +
                    " u, v boundary mirror; u[t+1] = u[x-1] / sqrt(u*u + v*v) where v > 0.2; "
                    "v[t+1] = v[y-1] / 3 - u / v[x+1] on x >= 2; }",
                "coarsened,threads=32x4,vector=2,coarsen=y2");
}

TEST(FastDivision, DivisorsThatMayBeZeroAgree) {
  for (const std::string type : kTypes)
    for (const std::string schedule : {"naive", "coarsened,threads=32x4,vector=4,coarsen=y2"})
      expect_fast("stencil s { axes x, y; field " + type +
                      " u boundary clamp; let d = u[x-1] - u[x+1]; let q = d > 0 ? u / d : "
                      "u[y-1]; u[t+1] = u == 0 ? 1 / u : q - 2 / u; }",
                  schedule);
}

// What a mask by quotients chose wrongly must not stay.
TEST(FastDivision, MasksOfQuotientsAgree) {
  for (const std::string schedule : {"naive", "coarsened,threads=32x4,vector=4,coarsen=y2"})
    expect_agreement(
        "stencil s { axes x, y; field f32 u, v boundary zero; u[t+1] = u[x-1] / v where u / v > "
        "0.2; v[t+1] = sqrt(v[y+1]) where sqrt(u[x-1]) < v; }",
        schedule);
}

TEST(FastDivision, WhatTakesTheOldestLevelsPlaceAgrees) {
  for (const std::string schedule : {"naive", "coarsened,threads=32x4,vector=4,coarsen=y2"})
    expect_agreement(
        "stencil s { axes x, y; field f32 u boundary zero; u[t+1] = (2*u - u[t-1]) / (1 + u*u) + "
        "u[x-1] / u[x+1] + sqrt(u[t-1]); }",
        schedule);
}

TEST(FastDivision, StreamedTilesAgree) {
  for (const std::string type : kTypes)
    for (const std::string boundary : {"periodic", "fixed"})
      expect_fast("stencil s { axes x, y; field " + type + " u boundary " + boundary +
                      "; let e = u - u[x+1]; let n = u - u[y+1]; u[t+1] = 0.5*u + 1 / "
                      "sqrt(0.0001 + e*e + n*n) + u[x-1] / u[y-1]; }",
                  "coarsened,threads=32x2,vector=4,coarsen=y16,sums=gather,steps=3");
}

TEST(FastDivision, TilesAgree) {
  for (const std::string type : kTypes)
    for (const std::string boundary : {"clamp", "fixed"})
      expect_fast("stencil s { axes x, y; field " + type + " u boundary " + boundary +
                      "; u[t+1] = 0.5*u[y-1] / sqrt(1 + u*u + u[x+1]*u[x-1]) - u / u[y+1]; }",
                  "coarsened,threads=32x4,vector=4,rows=4,steps=3");
}

TEST(FastDivision, StreamsInSpaceAgree) {
  for (const std::string boundary : {"clamp", "fixed", "periodic"})
    expect_fast("stencil s { axes x, y, z; field f32 u boundary " + boundary +
                    "; u[t+1] = (0.1*u + 0.2*(u[x-1] + u[x+1]) + 0.1*(u[y-1] + u[y+1] + "
                    "u[z-1] + u[z+1])) / sqrt(1 + u*u); }",
                "coarsened,threads=32x4,vector=2,rows=2,shared=none,coarsen=z16,sums=scatter,"
                "steps=2");
}

}  // namespace
}  // namespace stencilc::run_test
