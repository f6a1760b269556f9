// scripts/gpu-tune, on a GPU that is made up.
#include <gtest/gtest.h>

#include "support/made_up_gpu.h"

namespace stencilc {
namespace {

using test::Finished;
using test::read;
using test::Workplace;

Finished script(const Workplace& here, const std::string& name, const std::string& options) {
  return here.shell("XDG_CACHE_HOME=$PWD/cache MADE_UP=$PWD PATH=$PWD:$PATH '" STENCILC_SOURCE_DIR
                    "/scripts/" +
                    name + "' --prebuilt '" STENCILC_BINARY_DIR "' " + options);
}

TEST(GpuTune, LeavesATuneFileForEachStencilAndGoesOnFromThere) {
  const Workplace here;
  test::make_up_gpu(here);
  const std::string options =
      "--out kept --trials 3 --size 64x64 --size 16x16x16 --only 'star[23]d1 f64|himeno'";
  const Finished first = script(here, "gpu-tune", options);
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_NE(first.out.find("\ntuned 3 stencils in "), std::string::npos) << first.out;
  EXPECT_EQ(test::Workplace::names_in(here.path / "kept"),
            (std::vector<std::string>{"himeno-f32.stn", "himeno-f32.tune.json",
                                      "star2d1-f64-clamp.stn", "star2d1-f64-clamp.tune.json",
                                      "star3d1-f64-clamp.stn", "star3d1-f64-clamp.tune.json"}));
  EXPECT_NE(read(here.path / "kept/star2d1-f64-clamp.tune.json").find("\"arch\": \"sm_90\""),
            std::string::npos);
  here.shell("rm kept/himeno*");
  const Finished second = script(here, "gpu-tune", options);
  EXPECT_NE(second.out.find("\ntuned 1 stencils in "), std::string::npos) << second.out;
  EXPECT_EQ(second.err.find("star"), std::string::npos) << second.err;
  // What was found is what is timed.
  here.shell("sed -i 's/threads=[0-9]*x[0-9]*,/threads=32x2,/' kept/star2d1*.json");
  const Finished timed =
      script(here, "gpu-bench", "--tuned kept --size 64x64 --only 'star2d1 f64' -- --repeats=1");
  EXPECT_EQ(timed.status, 0) << timed.err;
  EXPECT_NE(timed.out.find("coarsened,threads=32x2,"), std::string::npos) << timed.out;
}

TEST(GpuTune, WhatHasNoTimeIsNamed) {
  const Workplace here;
  test::make_up_gpu(here);
  const Finished finished =
      script(here, "gpu-tune", "--seconds 25 --trials 1 --size 64x64 --only star2d1");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.err.find("no time is left for 2 stencils, the first of them star2d1-f32"),
            std::string::npos)
      << finished.err;
}

TEST(GpuTune, RefusesWhatItDoesNotKnow) {
  const Workplace here;
  test::make_up_gpu(here);
  EXPECT_EQ(script(here, "gpu-tune", "--only nothing").status, 2);
  EXPECT_EQ(script(here, "gpu-tune", "--fast yes").status, 2);
  EXPECT_EQ(script(here, "gpu-tune", "--seconds soon").status, 2);
}

}  // namespace
}  // namespace stencilc
