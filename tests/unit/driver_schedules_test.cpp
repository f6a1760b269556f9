// Schedules in the text: which one counts, what says so, and what is refused.
#include <gtest/gtest.h>

#include "support/cli.h"

namespace stencilc {
namespace {

using test::Finished;
using test::Workplace;

const std::string kHeat =
    "stencil heat {\n"
    "  axes  x, y, z;\n"
    "  field f32 u  boundary clamp;\n"
    "  u[t+1] = u + 0.1*laplacian(u);\n";
const std::string kBlocks =
    "  schedule { coarsened, threads = 32x4, vector = 4, rows = 1, coarsen = z8 }\n"
    "  schedule for sm_90, sm_100 { coarsened, threads = 32x8, vector = 4, shared = boxes }\n"
    "  schedule for sm_80 { naive, threads = 64 }\n"
    "  schedule for cpu { loops, stages = split }\n";

class Heat : public Workplace {
 public:
  explicit Heat(const std::string& blocks = kBlocks) { write("heat.stn", kHeat + blocks + "}\n"); }

  // The schedule with options, and what it says of itself.
  std::string schedule(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words = {"heat.stn", "--emit=schedule"};
    words.insert(words.end(), options.begin(), options.end());
    const Finished finished = stencilc(words);
    return finished.status == 0 ? finished.out : finished.err;
  }
};

TEST(Schedules, TheNarrowerBlockCountsAndTheCommandLineBeforeBoth) {
  const Heat here;
  const std::string every =
      "coarsened,threads=32x4x1,vector=4,rows=1,coarsen=z8,sums=gather,shared=none\n"
      "  asked for by `schedule` in line 5\n";
  EXPECT_EQ(here.schedule(), every);
  EXPECT_EQ(here.schedule({"--arch=sm_86"}),
            "coarsened,threads=32x4x1,vector=4,rows=1,coarsen=z8,sums=scatter,shared=none\n"
            "  asked for by `schedule` in line 5\n");
  EXPECT_EQ(here.schedule({"-O0"}), every) << "it chooses where nobody asks";
  EXPECT_EQ(here.schedule({"--arch=sm_80"}),
            "naive,threads=64x1x1\n  asked for by `schedule for sm_80` in line 7\n");
  EXPECT_EQ(here.schedule({"--target=cpu"}),
            "loops,stages=split\n  asked for by `schedule for cpu` in line 8\n");
  EXPECT_EQ(here.schedule({"--schedule=naive,threads=32x2"}), "naive,threads=32x2x1\n");
  EXPECT_EQ(here.schedule({"--schedule=loops", "--target=cpu"}), "loops\n");
}

TEST(Schedules, WhereNoBlockCountsTheCompilerChooses) {
  const Heat with("  schedule for sm_80 { naive }\n"), without("");
  for (const char* option : {"--arch=sm_90", "--arch=sm_75", "--target=cpu"})
    EXPECT_EQ(with.schedule({option}), without.schedule({option})) << option;
  const Heat gpus("  schedule { naive }\n");
  EXPECT_EQ(gpus.schedule({"--target=cpu"}), "loops\n");
}

TEST(Schedules, SeveralArchitecturesTakeOneBlock) {
  const Heat here;
  const std::string boxes = here.schedule({"--arch=sm_90"});
  EXPECT_NE(boxes.find("shared=boxes"), boxes.npos) << boxes;
  EXPECT_EQ(here.schedule({"--arch=sm_90,sm_100"}), boxes);
  EXPECT_EQ(here.schedule({"--arch=sm_86,sm_75"}), here.schedule());
  EXPECT_EQ(
      here.schedule({"--arch=sm_80,sm_75"}),
      "heat.stn:5:3: error: this schedule is not for sm_80, and one output has one schedule "
      "[STN0601]\n"
      "   5 |   schedule { coarsened, threads = 32x4, vector = 4, rows = 1, coarsen = z8 }\n"
      "     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "heat.stn:7:3: note: sm_80 has this one\n"
      "   7 |   schedule for sm_80 { naive, threads = 64 }\n"
      "     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "  help: name both, `schedule for sm_80, sm_75 { ... }`, compile for each by `--arch`, or "
      "choose one for both by `--schedule`\n");
  EXPECT_EQ(here.schedule({"--arch=sm_80,sm_90", "--schedule=naive"}), "naive,threads=32x8x1\n");
}

TEST(Schedules, AnArchitectureWithABlockBesideOneWithout) {
  const Heat here("  schedule for sm_80 { naive }\n");
  for (const std::string archs : {"--arch=sm_80,sm_90", "--arch=sm_90,sm_80"}) {
    const std::string text = here.schedule({archs});
    EXPECT_TRUE(text.starts_with("heat.stn:5:3: error: this schedule is not for sm_90,")) << text;
  }
}

TEST(Schedules, BlocksThatSayTheSameAreOne) {
  const Heat here("  schedule for sm_80 { naive }\n  schedule for sm_90 { naive }\n");
  EXPECT_EQ(here.schedule({"--arch=sm_90,sm_80"}),
            "naive,threads=32x8x1\n  asked for by `schedule for sm_90` in line 6\n");
}

TEST(Schedules, TheOutputAndTheExplanationNameTheLine) {
  const Heat here;
  const Finished cu = here.stencilc({"heat.stn", "-o", "-", "--arch=sm_80"});
  EXPECT_NE(cu.out.find("// Schedule naive,threads=64x1x1\n"
                        "//   asked for by `schedule for sm_80` in line 7\n"),
            cu.out.npos)
      << cu.out;
  const Finished told = here.stencilc({"heat.stn", "--explain", "--arch=sm_80"});
  for (const char* line : {"\n  asked for by `schedule for sm_80` in line 7\n",
                           "\n  `schedule` in line 5 gives way to that of the architecture\n",
                           "\n  `schedule for sm_90, sm_100` in line 6 does not count here\n"})
    EXPECT_NE(told.out.find(line), told.out.npos) << line << told.out;
  const Finished asked = here.stencilc({"heat.stn", "--explain", "--schedule=naive"});
  EXPECT_NE(asked.out.find("\n  `schedule` in line 5 gives way to `--schedule`\n"), asked.out.npos)
      << asked.out;
}

TEST(Schedules, WhatTheDeviceCannotRunIsSaidOfTheBlock) {
  const Heat here("  schedule { coarsened, vector = 4, shared = boxes }\n");
  EXPECT_NE(here.schedule({"--arch=sm_90"}).find("shared=boxes"), std::string::npos);
  EXPECT_EQ(here.schedule({"--arch=sm_80"}),
            "heat.stn:5:37: error: `shared=boxes` for sm_80; boxes are copied from sm_90 on "
            "[STN0601]\n"
            "   5 |   schedule { coarsened, vector = 4, shared = boxes }\n"
            "     |                                     ^~~~~~~~~~~~~~\n"
            "  help: the output is for sm_80; `--arch` names other GPUs\n");
  const Heat large(
      "  schedule for sm_90 { coarsened, threads = 128x8, vector = 8, rows = 8, shared = boxes "
      "}\n");
  const std::string text = large.schedule({"--arch=sm_90"});
  EXPECT_TRUE(text.starts_with("heat.stn:5:3: error: planes of a block of `step` are")) << text;
}

TEST(Schedules, ABlockThatDoesNotCountIsCheckedAllTheSame) {
  const Heat here("  schedule for sm_90 { coarsened, treads = 32x8 }\n");
  for (const std::string option : {"--arch=sm_75", "--target=cpu", "--schedule=naive"}) {
    const std::string text = here.schedule({option});
    EXPECT_TRUE(text.starts_with("heat.stn:5:35: error: `treads` is no part")) << text;
  }
}

TEST(Schedules, EveryStencilHasItsOwnAndUsedFilesNone) {
  const Workplace here;
  here.write("used.stn", "fn twice(a) = 2*a;\nstencil other { axes x; schedule { nonsense } }\n");
  here.write("two.stn",
             "use \"used.stn\";\n"
             "stencil a { axes x; field f32 u; u[t+1] = twice(u); schedule { naive } }\n"
             "stencil b { axes y; field f32 v; v[t+1] = 3*v; schedule { coarsened, vector = 2, "
             "coarsen = y4 } }\n");
  const Finished both = here.stencilc({"two.stn", "--emit=schedule"});
  EXPECT_EQ(both.out,
            "naive,threads=256\n  asked for by `schedule` in line 2\n"
            "coarsened,threads=256,vector=2,coarsen=y4\n  asked for by `schedule` in line 3\n")
      << both.err;
}

TEST(Schedules, BenchTimesTheBlockBesideTheCompilersChoice) {
  const Heat here;
  const Finished finished = here.stencilc(
      {"bench", "heat.stn", "--target=cpu", "--size=8x8x8", "--repeats=1", "--sustained=0"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  const size_t own = finished.out.find("\nloops "),
               block = finished.out.find("\nloops,stages=split ");
  EXPECT_NE(own, finished.out.npos) << finished.out;
  EXPECT_NE(block, finished.out.npos) << finished.out;
  const Finished asked = here.stencilc({"bench", "heat.stn", "--target=cpu", "--size=8x8x8",
                                        "--repeats=1", "--sustained=0", "--schedule=loops"});
  EXPECT_EQ(asked.out.find("stages=split"), asked.out.npos) << asked.out;
}

TEST(Schedules, VerifyRunsTheBlockOfTheCpu) {
  const Heat here;
  const Finished finished = here.stencilc({"verify", "heat.stn", "--target=cpu"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("runs of the schedule `loops,stages=split` agree"), finished.out.npos)
      << finished.out;
}

#ifdef STENCILC_HAS_CHECK
TEST(Schedules, VerifyRunsEveryBlockForGpus) {
  const Heat here;
  const auto verified = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"verify", "heat.stn"});
    const Finished finished = here.stencilc(words);
    EXPECT_EQ(finished.status, 0) << finished.err;
    std::string schedules;
    for (const char* one :
         {"`coarsened,threads=32x4x1,", "shared=boxes,", "`naive,threads=64x1x1`"})
      schedules += finished.out.find(one) == finished.out.npos ? "-" : "+";
    return schedules;
  };
  EXPECT_EQ(verified({}), "+++");
  EXPECT_EQ(verified({"--arch=sm_90"}), "-+-");
  EXPECT_EQ(verified({"--schedule=naive,threads=64"}), "--+");
}
#endif

}  // namespace
}  // namespace stencilc
