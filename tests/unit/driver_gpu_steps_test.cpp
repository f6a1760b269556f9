// scripts/gpu-steps and scripts/gpu-test, with run tests and a sanitizer that are made up.
#include <gtest/gtest.h>

#include "support/made_up_gpu.h"

namespace stencilc {
namespace {

using test::Finished;
using test::read;
using test::Workplace;

// Run tests that write down what they are asked for, and fail where that holds $FAILS; where it
// holds $STOPS they stop the script, and take long.
void make_up_tools(const Workplace& here) {
  test::make_up_gpu(here);
  here.write("stencilc-run-tests", R"(#!/bin/sh
echo "$*" >>"$MADE_UP/asked"
case "$*" in *"${FAILS:-nothing}"*) echo "FAILED star2d"; exit 1 ;; esac
case "$*" in *"${STOPS:-nothing}"*) kill `cat "$MADE_UP/pid"`; exec sleep 60 ;; esac
echo "7 programs, 8 schedules, 9 runs, 10 cells compared, 0 failures"
)");
  here.write("compute-sanitizer", R"(#!/bin/sh
while [ "$1" != --tool ]; do shift; done
echo "by $2" >>"$MADE_UP/asked"
shift 2
"$@" || exit 86
echo "SUMMARY: ${FOUND:-0} errors"
)");
  here.shell("chmod +x stencilc-run-tests compute-sanitizer");
}

Finished script(const Workplace& here, const std::string& options, const std::string& with = "") {
  return here.shell(with +
                    " MADE_UP=$PWD PATH=$PWD:$PATH '" STENCILC_SOURCE_DIR
                    "/scripts/gpu-steps' --prebuilt \"$PWD\" " +
                    options);
}

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(GpuSteps, BuildsFirstThenComparesAndSanitizes) {
  const Workplace here;
  make_up_tools(here);
  const Finished finished = script(here, "--part 3/40 --only star2d --boundary zero --repeats 7");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  const std::string asked = read(here.path / "asked");
  EXPECT_EQ(count(asked, "--part 3/40 "), 6u) << asked;
  EXPECT_EQ(count(asked, "--only star2d --boundary zero"), 6u) << asked;
  EXPECT_EQ(count(asked, "--build-only"), 1u) << asked;
  EXPECT_EQ(count(asked, "--large --repeats 7"), 1u) << asked;
  EXPECT_LT(asked.find("--build-only"), asked.find("--large --repeats"));
  for (const std::string tool : {"memcheck", "initcheck", "synccheck", "racecheck"})
    EXPECT_EQ(count(asked, "by " + tool + "\n"), 1u) << asked;
  EXPECT_NE(asked.find("--every 96 --most-cells 7000 --run-jobs 1\n"), std::string::npos) << asked;
  EXPECT_NE(finished.out.find(" s, good\n"), std::string::npos) << finished.out;
  EXPECT_EQ(count(finished.out, "9 runs, 10 cells compared, 0 failures"), 6u) << finished.out;
}

TEST(GpuSteps, WhatFailsIsShownAndEndsIt) {
  const Workplace here;
  make_up_tools(here);
  const Finished large = script(here, "", "FAILS=--repeats");
  EXPECT_EQ(large.status, 1);
  EXPECT_NE(large.out.find("FAILED star2d"), std::string::npos) << large.out;
  EXPECT_NE(large.out.find("NOT GOOD"), std::string::npos) << large.out;
  const Finished found = script(here, "", "FOUND=3");
  EXPECT_EQ(found.status, 1);
  EXPECT_NE(found.out.find("the output does not say"), std::string::npos) << found.out;
  // What is not built is not run.
  here.shell("rm asked");
  EXPECT_EQ(script(here, "", "FAILS=--build-only").status, 1);
  EXPECT_EQ(count(read(here.path / "asked"), "--target cuda"), 1u);
}

TEST(GpuSteps, WhoStopsItGetsTheTableOfWhatIsDone) {
  const Workplace here;
  make_up_tools(here);
  const Finished stopped =
      script(here, "", "STOPS=--repeats sh -c 'echo $$ >pid; exec \"$@\"' - env");
  EXPECT_EQ(stopped.status, 1) << stopped.out << stopped.err;
  EXPECT_EQ(count(stopped.out, "build part 1/16              good"), 1u) << stopped.out;
  EXPECT_EQ(count(stopped.out, "STOPPED"), 1u) << stopped.out;
  EXPECT_NE(stopped.out.find("NOT GOOD"), std::string::npos) << stopped.out;
  EXPECT_EQ(read(here.path / "asked").find("by memcheck"), std::string::npos);
}

TEST(GpuSteps, BuildsWithoutAGpu) {
  const Workplace here;
  make_up_tools(here);
  here.write("nvidia-smi", "#!/bin/sh\nexit 1\n");
  EXPECT_EQ(script(here, "").status, 2);
  const Finished built = script(here, "--build-only");
  EXPECT_EQ(built.status, 0) << built.out << built.err;
  EXPECT_EQ(count(read(here.path / "asked"), "--arch sm_90"), 1u);
}

TEST(GpuSteps, RefusesWhatItDoesNotKnow) {
  const Workplace here;
  make_up_tools(here);
  for (const std::string options :
       {"--fast yes", "--part 3", "--part 0/2", "--repeats often", "--only", "--every 0"})
    EXPECT_EQ(script(here, options).status, 2) << options;
}

TEST(GpuTest, EndsInATableOfAllSteps) {
  const Workplace here;
  make_up_tools(here);
  const auto gpu_test = [&](const std::string& with) {
    return here.shell(with + " MADE_UP=$PWD PATH=$PWD:$PATH '" STENCILC_SOURCE_DIR
                             "/scripts/gpu-test' --prebuilt \"$PWD\" --seeds 3..4 --share 5");
  };
  const Finished finished = gpu_test("");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(count(finished.out, "9 runs, 10 cells compared, 0 failures"), 11u) << finished.out;
  EXPECT_EQ(count(finished.out, " good "), 11u) << finished.out;
  EXPECT_NE(finished.out.find(" s, good\n"), std::string::npos) << finished.out;
  EXPECT_EQ(count(read(here.path / "asked"), "--seeds 3..4 "), 1u);
  EXPECT_EQ(count(read(here.path / "asked"), "--share 5 "), 11u) << read(here.path / "asked");
  const Finished failed = gpu_test("FAILS=--wide");
  EXPECT_EQ(failed.status, 1);
  EXPECT_NE(failed.out.find("NOT GOOD"), std::string::npos) << failed.out;
}

}  // namespace
}  // namespace stencilc
