// Which schedule an output has, and for which GPUs it is: blocks of the text, --schedule and
// --arch, what says so, and what is refused.
#include <gtest/gtest.h>

#include "driver/cli/archs.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using test::ended;
using test::expect_begins;
using test::expect_has;
using test::expect_lacks;
using test::Finished;
using test::Names;
using test::Workplace;
using testing::Cells;
using testing::has;
using testing::line_with;

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

  // The schedule with options, and what it says of itself; or what is wrong.
  std::string schedule(const std::string& options = "") const {
    const Finished finished = stencilc("heat.stn --emit=schedule " + options);
    return finished.status == 0 ? finished.out : finished.err;
  }
};

TEST(Schedules, TheNarrowerBlockCountsAndTheCommandLineBeforeBoth) {
  const Heat here;
  const auto schedule = [&](const std::string& options) {  // its lines, with a bar between them
    std::string text = here.schedule(options == "(no options)" ? "" : options);
    for (size_t at; (at = text.find("\n  ")) != text.npos;) text.replace(at, 3, " | ");
    return testing::trimmed(text.substr(0, text.size() - 1));
  };
  testing::expect_rows(schedule, R"(
    (no options)  => coarsened,threads=32x4x1,vector=4,rows=1,coarsen=z8,sums=gather,shared=none
                     | set by `schedule` in line 5
    --arch=sm_86  => coarsened,threads=32x4x1,vector=4,rows=1,coarsen=z8,sums=scatter,shared=none
                     | set by `schedule` in line 5
    // It chooses where nobody asks.
    -O0           => coarsened,threads=32x4x1,vector=4,rows=1,coarsen=z8,sums=gather,shared=none
                     | set by `schedule` in line 5
    --arch=sm_80  => naive,threads=64x1x1 | set by `schedule for sm_80` in line 7
    --target=cpu  => loops,stages=split | set by `schedule for cpu` in line 8
    --schedule=naive,threads=32x2 => naive,threads=32x2x1
    --schedule=loops --target=cpu => loops
    --arch=sm_80,sm_90 --schedule=naive => naive,threads=32x8x1
  )");
}

TEST(Schedules, WhereNoBlockCountsTheCompilerChooses) {
  const Heat with("  schedule for sm_80 { naive }\n"), without("");
  for (const char* option : {"--arch=sm_90", "--arch=sm_75", "--target=cpu"})
    EXPECT_EQ(with.schedule(option), without.schedule(option)) << option;
  EXPECT_EQ(Heat("  schedule { naive }\n").schedule("--target=cpu"), "loops\n");
}

TEST(Schedules, SeveralArchitecturesTakeOneBlock) {
  const Heat here;
  const std::string boxes = here.schedule("--arch=sm_90");
  expect_has(boxes, {"shared=boxes"});
  EXPECT_EQ(here.schedule("--arch=sm_90,sm_100"), boxes);
  EXPECT_EQ(here.schedule("--arch=sm_86,sm_75"), here.schedule());
  EXPECT_EQ(
      here.schedule("--arch=sm_80,sm_75"),
      "heat.stn:5:3: error: this schedule does not apply to sm_80, but one output has one schedule "
      "[STN0601]\n"
      "   5 |   schedule { coarsened, threads = 32x4, vector = 4, rows = 1, coarsen = z8 }\n"
      "     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "heat.stn:7:3: note: this one applies to sm_80\n"
      "   7 |   schedule for sm_80 { naive, threads = 64 }\n"
      "     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "  help: write `schedule for sm_80, sm_75 { ... }`, compile for each with `--arch`, or "
      "choose one for both with `--schedule`\n");
  const Heat one("  schedule for sm_80 { naive }\n");
  for (const std::string archs : {"--arch=sm_80,sm_90", "--arch=sm_90,sm_80"})
    expect_begins(one.schedule(archs),
                  "heat.stn:5:3: error: this schedule does not apply to sm_90,");
  const Heat same("  schedule for sm_80 { naive }\n  schedule for sm_90 { naive }\n");
  EXPECT_EQ(same.schedule("--arch=sm_90,sm_80"),
            "naive,threads=32x8x1\n  set by `schedule for sm_90` in line 6\n");
}

TEST(Schedules, TheOutputAndTheExplanationNameTheLine) {
  const Heat here;
  expect_has(here.stencilc("heat.stn -o - --arch=sm_80").out,
             {"// Schedule: naive,threads=64x1x1\n"
              "//   set by `schedule for sm_80` in line 7\n"});
  expect_has(
      here.stencilc("heat.stn --explain --arch=sm_80").out,
      {"\n  set by `schedule for sm_80` in line 7\n",
       "\n  `schedule` in line 5 is not used: a schedule for the architecture overrides it\n",
       "\n  `schedule for sm_90, sm_100` in line 6 is not used: it is for other targets\n"});
  expect_has(here.stencilc("heat.stn --explain --schedule=naive").out,
             {"\n  `schedule` in line 5 is not used: `--schedule` overrides it\n"});
}

TEST(Schedules, WhatTheDeviceCannotRunIsSaidOfTheBlock) {
  const Heat here("  schedule { coarsened, vector = 4, shared = boxes }\n");
  expect_has(here.schedule("--arch=sm_90"), {"shared=boxes"});
  EXPECT_EQ(here.schedule("--arch=sm_80"),
            "heat.stn:5:37: error: `shared=boxes` needs sm_90 or newer, and the target is sm_80 "
            "[STN0601]\n"
            "   5 |   schedule { coarsened, vector = 4, shared = boxes }\n"
            "     |                                     ^~~~~~~~~~~~~~\n"
            "  help: the output is for sm_80; choose other GPUs with `--arch`\n");
  const Heat large(
      "  schedule for sm_90 { coarsened, threads = 128x8, vector = 8, rows = 8, shared = boxes "
      "}\n");
  expect_begins(large.schedule("--arch=sm_90"),
                "heat.stn:5:3: error: the planes of a block of `step` are");
  // A block that does not count is checked all the same.
  const Heat other("  schedule for sm_90 { coarsened, treads = 32x8 }\n");
  for (const std::string option : {"--arch=sm_75", "--target=cpu", "--schedule=naive"})
    expect_begins(other.schedule(option), "heat.stn:5:35: error: a schedule has no part `treads`");
}

TEST(Schedules, EveryStencilHasItsOwnAndUsedFilesNone) {
  const Workplace here("two.stn",
                       "use \"used.stn\";\n"
                       "stencil a { axes x; field f32 u; u[t+1] = twice(u); schedule { naive } }\n"
                       "stencil b { axes y; field f32 v; v[t+1] = 3*v; schedule { coarsened, "
                       "vector = 2, coarsen = y4 } }\n");
  here.write("used.stn", "fn twice(a) = 2*a;\nstencil other { axes x; schedule { nonsense } }\n");
  const Finished both = here.stencilc("two.stn --emit=schedule");
  EXPECT_EQ(both.out,
            "naive,threads=256\n  set by `schedule` in line 2\n"
            "coarsened,threads=256,vector=2,coarsen=y4\n  set by `schedule` in line 3\n")
      << both.err;
}

TEST(Schedules, BenchTimesTheBlockBesideTheCompilersChoice) {
  Heat here;
  here.threads = 1;
  const std::string words = "bench heat.stn --target=cpu --size=8x8x8 --repeats=1 --sustained=0 ";
  expect_has(ended(here.stencilc(words)).out, {"\nloops ", "\nloops,stages=split "});
#ifdef STENCILC_ALL_TESTS
  expect_lacks(here.stencilc(words + "--schedule=loops").out, {"stages=split"});
#endif
}

TEST(Schedules, VerifyRunsTheBlockOfTheCpu) {
  const Heat here;
  expect_has(ended(here.stencilc("verify heat.stn --target=cpu")).out,
             {"runs with the schedule `loops,stages=split` agree"});
}

#ifdef STENCILC_HAS_CHECK
TEST(Schedules, VerifyRunsEveryBlockForGpus) {
  const Heat here;
  const auto verified = [&](const std::string& options) {
    const Finished finished = ended(here.stencilc("verify heat.stn " + options));
    std::string schedules;
    for (const char* one :
         {"`coarsened,threads=32x4x1,", "shared=boxes,", "`naive,threads=64x1x1`"})
      schedules += has(finished.out, one) ? "+" : "-";
    return schedules;
  };
  EXPECT_EQ(verified(""), "+++");
#ifdef STENCILC_ALL_TESTS
  EXPECT_EQ(verified("--schedule=naive,threads=64"), "--+");
  EXPECT_EQ(verified("--arch=sm_90"), "-+-");
#endif
}
#endif

constexpr const char* kStar =
    "stencil s { axes x, y, z; field f64 u boundary clamp;\n"
    "  u[t+1] = 0.1*(sum(k in -4..-1 : u[z+k]) + sum(j in -4..4 : u[y+j]) +\n"
    "      sum(i in -4..4 : u[x+i]) + sum(k in 1..4 : u[z+k])); }\n";

// What a device does not give is refused where it is asked for, and left out where it is not.
TEST(SharedMemory, TooMuchOfItIsRefusedOrLeftOut) {
  const Workplace here("s.stn", kStar);
  std::string narrow = kStar;
  narrow.replace(narrow.find("f64"), 3, "f32");
  here.write("narrow.stn", narrow);
  const auto schedule = [&](const std::string& text, const std::string& file = "s.stn") {
    return here.stencilc(file + " --arch=sm_90 --emit=schedule --schedule=coarsened" + text);
  };
  const std::string boxes = ",sums=scatter,shared=boxes,";
  ended(schedule(boxes + "threads=32x16,vector=2,coarsen=z48"));
  expect_has(ended(schedule(boxes + "threads=32x16,vector=4,coarsen=z48,ahead=8"), 1).err,
             {"bytes in shared memory, but a block on sm_90 has at most 232448"});
  // A box has at most 256 elements of 8 bytes in a row, and 256 rows.
  const std::string wide = boxes + "threads=64x4,vector=4,rows=2,coarsen=z48";
  EXPECT_EQ(schedule(wide).status, 1);
  expect_has(schedule(wide).err, {"264 x 16 cells; a bulk copy moves at most 256 x 256"});
  EXPECT_EQ(schedule(wide, "narrow.stn").status, 0) << "two are one";
  // Planes of 256 + 8 cells are no boxes.
  expect_has(schedule("").out, {"shared=boxes"});
  EXPECT_EQ(schedule(",threads=128x8").status, 0);
  expect_lacks(schedule(",threads=128x8").out, {"shared=boxes"});
}

class Laplace : public Workplace {
 public:
  Laplace() { example("laplace"); }
};

// A machine whose nvidia-smi prints a text.
class GpuMachine : public Laplace {
 public:
  explicit GpuMachine(const std::string& says) {
    program("nvidia-smi", "cat <<'END'\n" + says + "\nEND\n");
  }
  Finished with_gpu(const std::string& words) const {
    return shell("PATH=\"$PWD:$PATH\" exec '" STENCILC_BINARY "' " + words);
  }
};

// What nvcc is called with where `stencilc run` finds a GPU, a compiler that ends at once.
std::string build_words(const std::string& capability, const std::string& words) {
  GpuMachine here(capability);
  here.own_cache = true;
  here.program("nvcc", "echo \"$@\" >> calls\nexit 1\n");
  ended(here.with_gpu("run laplace.stn --size 8x8 " + words), 1);
  return here.read("calls");
}

TEST(Arch, TheWordsOfNvidiaSmiBecomeNames) {
  EXPECT_EQ(driver::archs_of("9.0\n"), Names{"sm_90"});
  EXPECT_EQ(driver::archs_of("9.0\n12.1\n7.5"), (Names{"sm_90", "sm_121", "sm_75"}));
  for (const char* other : {"", "No devices were found\n", "[N/A]\n.0\n9.\n9.00\n90\nx.y\n"})
    EXPECT_EQ(driver::archs_of(other), Names{}) << other;
}

TEST(Arch, EveryLaunchIsExplainedForEachDevice) {
  const Laplace here;
  const auto explained = [&](const std::string& words) {
    return line_with(ended(here.stencilc("laplace.stn --explain -O0 " + words)).out,
                     "threads per block");
  };
  const std::string begin =
      "  step: 256 threads per block; blocks per multiprocessor, if registers allow: ";
  EXPECT_EQ(explained(""), begin + "4 on sm_75 (32 of 32 warps)");
  EXPECT_EQ(explained("--arch=sm_90"), begin + "8 on sm_90 (64 of 64 warps)");
  EXPECT_EQ(explained("--arch=sm_90,sm_86 --arch sm_90"),
            begin + "8 on sm_90 (64 of 64 warps), 6 on sm_86 (48 of 48 warps)");
  EXPECT_EQ(explained("--target=cpu").substr(0, 3), "no ");
}

TEST(Arch, ExplainHoldsTheRoofline) {
  const Laplace here;
  here.example("bilateral");
  const auto explained = [&](const std::string& words) {
    return ended(here.stencilc(words + " --explain -O0")).out;
  };
  expect_has(
      explained("laplace.stn --arch=sm_90,sm_88,sm_80"),
      {"\nCost per cell and step: at least 8 bytes of memory traffic (4 read, 4 stored); 1 "
       "multiplication, 3 fused multiply-adds; 7 flop, 0.88 flop per byte\n",
       "\n  Roofline of H200 SXM5 (one step per launch): 530 GCells/s by memory bandwidth (4240 "
       "GB/s, measured by a copy), 8364 by arithmetic; memory bandwidth is the limit\n",
       "\n  Roofline of A100 SXM4 40 GB (one step per launch): 194 GCells/s by memory bandwidth "
       "(1555 GB/s, by its data sheet), 2436 by arithmetic; memory bandwidth is the limit\n"});
  expect_has(line_with(explained("bilateral.stn --arch=sm_90"), "H200"),
             {"by arithmetic (divisions, roots and transcendental functions not counted); "
              "arithmetic is the "});
}

TEST(Arch, AnUnknownOneIsAnsweredWithTheKnown) {
  const Laplace here;
  for (const std::string target : {"--target=cuda", "--target=cpu"}) {
    expect_has(ended(here.stencilc("laplace.stn --arch=sm_80,sm_91 " + target), 1).err,
               {"there is no architecture `sm_91` [STN0602]\n", "the nearest is `sm_90`\n",
                "the architectures are native, sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, "
                "sm_100, sm_103, sm_110, sm_120, sm_121\n"});
  }
  expect_lacks(ended(here.stencilc("laplace.stn --arch=hopper"), 1).err, {"nearest"});
  EXPECT_EQ(here.stencilc("--arch sm_80,sm_90 laplace.stn -o a.cu").status, 0) << "one word";
  EXPECT_TRUE(here.exists("a.cu"));
}

TEST(Arch, NativeIsWhatNvidiaSmiShows) {
  const std::string words = "laplace.stn --schedule=naive --explain --arch=native";
  expect_has(ended(GpuMachine("9.0").with_gpu(words)).out,
             {"allow: 8 on sm_90 (64 of 64 warps)\n"});
  expect_has(GpuMachine("12.0\n8.9\n12.0").with_gpu(words + ",sm_89").out,
             {"6 on sm_120 (48 of 48 warps), 6 on sm_89 (48 of 48 warps)\n"});
}

TEST(Arch, NativeWithoutAKnownGpuRequiresAName) {
  const std::string words = "laplace.stn --arch=native";
  const Finished none = ended(GpuMachine("No devices were found").with_gpu(words), 1);
  EXPECT_EQ(none.err,
            "stencilc: error: `--arch=native` means the GPU of this machine, but `nvidia-smi` "
            "shows none [STN0602]\n"
            "  help: name an architecture, such as `--arch=sm_90`\n");
  const GpuMachine old("7.0");
  expect_has(ended(old.with_gpu(words), 1).err,
             {"but that is sm_70, which this stencilc does not know [STN0602]\n"});
  EXPECT_FALSE(old.exists("laplace.cu"));
  expect_has(old.shell("PATH=\"$PWD/nowhere\" '" STENCILC_BINARY "' " + words).err,
             {"`nvidia-smi` shows none"});
}

TEST(Arch, KernelsAreBuiltForTheGpuOfTheMachine) {
  const std::string one = build_words("8.6", "");
  expect_has(one, {"-gencode=arch=compute_86,code=sm_86 "});
  expect_lacks(one, {"native"});
  expect_has(build_words("8.6", "--arch=sm_80,native,sm_86"),
             {"-gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_86,code=sm_86 -I"});
  // What is not known here nvcc may know.
  expect_has(build_words("99.0", ""), {" -arch=native "});
}

TEST(Arch, TheCpuHasNone) {
  ended(GpuMachine("No devices were found").with_gpu("laplace.stn --target=cpu --arch=native"));
}

TEST(Arch, AScheduleFitsTheWeakestOfThem) {
  const Laplace here;
  const auto says = [&](const std::string& arch) {
    return here.stencilc("laplace.stn --schedule=naive,resident=8 " + arch).err;
  };
  const std::string problem = "stencilc: error: `resident=8` is too many: a multiprocessor holds ";
  EXPECT_EQ(says("--arch=sm_90"), "");
  EXPECT_EQ(
      says("--arch=sm_80,sm_86"),
      problem +
          "6 blocks of 256 threads [STN0601]\n  help: the output is for sm_80, sm_86; choose other "
          "GPUs with `--arch`\n");
  EXPECT_EQ(says(""), problem +
                          "4 blocks of 256 threads [STN0601]\n  help: the output is for sm_75; "
                          "choose other GPUs with `--arch`\n");
}

// A kernel that needs few more registers than the limit gets launch bounds; one that needs much
// less or much more gets none. In small blocks "much more" begins earlier.
TEST(Registers, AreLimitedOnlyInKernelsThatNeedFewMore) {
  const Workplace here;
  const auto bounds = [&](const std::string& file, const std::string& schedule) {
    return ended(here.stencilc("'" STENCILC_SOURCE_DIR "/examples/" + file +
                               "' -o - --schedule=naive," + schedule))
        .out;
  };
  const std::string elastic = "apps/elastic_cartesian.stn";
  expect_has(bounds(elastic, "threads=32x8,registers=128"),
             {"__launch_bounds__(256, sizeof(Index) == 4 ? 2 : 1) step("});
  expect_has(bounds(elastic, "threads=32x4,registers=128"), {"__launch_bounds__(128) step("});
  expect_has(bounds(elastic, "threads=32x4,registers=144"),
             {"__launch_bounds__(128, sizeof(Index) == 4 ? 3 : 1) step("});
  expect_has(bounds(elastic, "threads=32x4,registers=64"), {"__launch_bounds__(128) step("});
  expect_has(bounds("laplace.stn", "threads=32x4,registers=128"), {"__launch_bounds__(128)\n"});
}

}  // namespace
}  // namespace stencilc
