// What the compiler chooses for programs of users in which a rule of the planner was wrong or
// missing (bench/notes/one-step.md).
#include <gtest/gtest.h>

#include "support/cli.h"

namespace stencilc::test {
namespace {

std::string chosen(const std::string& program, const std::string& size) {
  return ended(Workplace().stencilc("'" STENCILC_SOURCE_DIR "/" + program +
                                    ".stn' --arch=sm_90 --emit=schedule --size=" + size))
      .out;
}

TEST(Choices, TilesOfKernelsThatWouldSpillAreLeftOut) {
  expect_lacks(chosen("bench/real/users/psv_displacement", "6144x3072"), {"tile="});
}

TEST(Choices, TwoStepsThatComputeAreComparedWithVectorsByTheirCode) {
  const std::string schedule = chosen("bench/real/users/levelset_reinit", "8192x8192");
  expect_has(schedule, {"vector=4"});
  expect_lacks(schedule, {"steps="});
}

TEST(Choices, StreamsOfVectorsAreLimitedByWhatTheyHold) {
  expect_has(chosen("bench/real/users/vardens8", "512x512x512"), {"vector=4", "registers=128"});
  expect_has(chosen("bench/real/users/vti10", "512x512x512"), {"vector=4", "registers=168"});
  expect_has(chosen("bench/real/users/aniso8", "384x384x384"), {"naive"});
}

// Another launch for a statement that has much to do is faster.
TEST(Choices, OutputsThatAreReadBrieflyStayAlongTheStream) {
  expect_has(chosen("examples/apps/harris", "8192x8192"), {"vector=4,coarsen=y36", "+response"});
  expect_has(chosen("examples/apps/harris", "2048x2048"), {"vector=4,coarsen=y18", "+response"});
  expect_lacks(chosen("bench/real/users/canny_nms", "3600x4200"), {"+blur"});
}

TEST(Choices, RegistersOfIntegersAreNotLimited) {
  expect_lacks(chosen("bench/real/users/census_stereo", "6144x2048"), {"registers="});
}

TEST(Choices, BandsAreForTheExtentsOfTheGrid) {
  expect_has(chosen("examples/apps/hyperbolic_terms", "320x320x320"), {"swizzle=32"});
  expect_lacks(chosen("bench/real/users/rot10", "240x192x192"), {"swizzle"});
}

// Where two long statements share a launch, streams of vectors fit into the registers of one alone.
TEST(Choices, LaunchesAreSplitWhereThatGains) {
  expect_has(chosen("bench/real/users/rot10", "512x512x512"),
             {",fission=w,", "launch=u(coarsened,", "launch=w(coarsened,"});
  expect_lacks(chosen("bench/real/users/mhd_glm", "6144x2048"), {"fission"});
}

// Streams of f32 in large grids and vectors in the plane; those of f64 and of small grids lose.
TEST(Choices, LaunchesOfAStepGetShapesOfTheirOwnWhereThatGains) {
  expect_has(chosen("examples/apps/viscoelastic", "384x384x384"),
             {"naive,threads=32x4x1,launch=vx(coarsened,", "),launch=rxx(coarsened,"});
  expect_has(chosen("examples/gaussian", "8192x8192"), {",launch=dst(coarsened,"});
  expect_lacks(chosen("bench/real/users/vardens8d", "400x400x400"), {"launch="});
  expect_lacks(chosen("examples/elastic3d", "96x96x96"), {"launch="});
  expect_lacks(chosen("examples/gaussian", "8192x8192 -O0"), {"launch="});
}

// Where that gains in a run of many steps and the memory is there; a piece of a grid has none.
TEST(Choices, WhatNoStepChangesIsSetUpWhereThatGains) {
  const std::string size = "256x256x64";
  expect_has(chosen("bench/real/users/waterflood", size), {"setup=qx+qy+qz+invariant1"});
  expect_has(chosen("bench/real/users/wind_hyper", "384x384x256"), {"setup=invariant1+invariant2"});
  expect_lacks(chosen("bench/real/users/waterflood", size + " --max-workspace=1000"), {"setup="});
  expect_lacks(chosen("bench/real/users/waterflood", size + " --distributed"), {"setup="});
  expect_lacks(chosen("bench/real/users/waterflood", size + " -O0"), {"setup="});
  // Another form of kernels, or another number of steps a launch, has to gain more.
  expect_lacks(chosen("bench/real/users/kessler", "384x320x288"), {"setup="});
  expect_lacks(chosen("bench/real/users/fenton_karma", "5001x3001"), {"setup=", "steps="});
  // Where a step is limited by memory, more to read is more to wait for.
  expect_lacks(chosen("examples/apps/multigrid", "512x512x512"), {"setup="});
  expect_lacks(chosen("bench/real/users/electrode_sor", "4096x4096"), {"setup="});
}

}  // namespace
}  // namespace stencilc::test
