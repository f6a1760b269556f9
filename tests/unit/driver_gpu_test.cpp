// The scripts for a GPU without one: gpu-bench, gpu-seeds, gpu-steps, gpu-test and gpu-tune, with
// compilers, run tests and a GPU that are made up. That their stencils compile for CUDA, and what
// their tables say of figures that are given.
#include <gtest/gtest.h>

#include <regex>

#include "support/made_up_gpu.h"

namespace stencilc {
namespace {

using test::ended;
using test::expect_begins;
using test::expect_has;
using test::expect_lacks;
using test::Finished;
using test::Workplace;
using testing::count;
using testing::line_with;

// Where nothing is there or made up but what a test writes.
class Place : public Workplace {
 public:
  Place() {
    own_cache = true;
    threads = 1;
  }
  // scripts/gpu-... with the stencilc that was built.
  Finished script(const std::string& words) const { return with("", words); }
  Finished with(const std::string& before, const std::string& words,
                const std::string& prebuilt = "'" STENCILC_BINARY_DIR "'") const {
    const size_t end = words.find(' ');
    return test::beside_made_up_gpu(*this, before + " '" STENCILC_SOURCE_DIR "/scripts/gpu-" +
                                               words.substr(0, end) + "' --prebuilt " + prebuilt +
                                               (end == words.npos ? "" : words.substr(end)));
  }
};
// One with a GPU that is made up.
class Gpu : public Place {
 public:
  Gpu() { test::make_up_gpu(*this); }
};
// One with an nvcc that takes any source, and makes what follows -o.
class Nvcc : public Place {
 public:
  Nvcc() {
    program("nvcc",
            "[ \"$1\" = --version ] && exit 0\nwhile [ \"$1\" != -o ]; do shift; done\n"
            "echo library >\"$2\"\n");
  }
};
// Run tests that write down what they are asked for, and fail where that holds $FAILS; where it
// holds $STOPS they stop the script, and take long.
class Tools : public Gpu {
 public:
  Tools() {
    program("stencilc-run-tests", R"(echo "$*" >>"$MADE_UP/asked"
case "$*" in *"${FAILS:-nothing}"*) echo "FAILED star2d"; exit 1 ;; esac
case "$*" in *"${STOPS:-nothing}"*) kill `cat "$MADE_UP/pid"`; exec sleep 60 ;; esac
echo "7 programs, 8 schedules, 9 runs, 10 cells compared, 0 failures"
)");
    program("compute-sanitizer", R"(while [ "$1" != --tool ]; do shift; done
echo "by $2" >>"$MADE_UP/asked"
shift 2
"$@" || exit 86
echo "SUMMARY: ${FOUND:-0} errors"
)");
    program("nvcc", R"(while [ "$1" != -o ]; do shift; done
echo "echo 40 of 40 runs" >"$2"
chmod +x "$2"
)");
  }
  Finished steps(const std::string& words, const std::string& before = "") const {
    return with(before, "steps " + words, "\"$PWD\"");
  }
  std::string invoked() const { return read("asked"); }
};

TEST(GpuScripts, SayHowTheyAreCalled) {
  const Workplace here;
  for (const std::string name : {"bench", "seeds", "steps", "test", "tune"})
    for (const std::string word : {" --help", " -h"}) {
      const Finished finished =
          ended(here.shell("'" STENCILC_SOURCE_DIR "/scripts/gpu-" + name + "'" + word));
      expect_begins(finished.out, "scripts/gpu-" + name + " [--");
      expect_has(finished.out, {"a GPU and nvcc"});
      expect_lacks(finished.out, {"#"});
    }
}

TEST(GpuScripts, RefuseWhatTheyDoNotKnow) {
  const Tools here;
  const auto command = [&](const std::string& words) {
    const bool steps = words.starts_with("steps");
    return here.with("", words, steps ? "\"$PWD\"" : "'" STENCILC_BINARY_DIR "'");
  };
  test::expect_refused(command, R"(
    bench --target cpu --suite two-step
      => 2 => gpu-bench: there is no suite two-step: one-step, odd, boundaries, all, temporal
    bench --target cpu --only star9 => 2 => gpu-bench: no case of the suite one-step matches star9
    bench --target cpu --fast       => 2 => gpu-bench: there is no option --fast
    bench --target cpu --out        => 2 => gpu-bench: --out takes a value
    bench --target cpu --rest long  => 2 => gpu-bench: long is no number of seconds
    bench --target cpu --jobs=none  => 2 => gpu-bench: none is no number of jobs
    seeds --only star9              => 2 => gpu-seeds: no set matches star9
    seeds --fast                    => 2 => gpu-seeds: there is no option --fast
    seeds --out                     => 2 => gpu-seeds: --out takes a value
    seeds --jobs=none               => 2 => gpu-seeds: none is no number of jobs
    tune --only nothing             => 2 => gpu-tune: ...
    tune --fast yes                 => 2 => gpu-tune: ...
    tune --seconds soon             => 2 => gpu-tune: ...
    steps --fast yes                => 2 => gpu-steps: ...
    steps --part 3                  => 2 => gpu-steps: ...
    steps --part 0/2                => 2 => gpu-steps: ...
    steps --repeats often           => 2 => gpu-steps: ...
    steps --only                    => 2 => gpu-steps: ...
    steps --every 0                 => 2 => gpu-steps: ...
  )");
}

TEST(GpuScripts, TheirStencilsAreFormattedAndWithoutWarnings) {
  const Workplace here;
  ended(
      here.shell("cd '" STENCILC_SOURCE_DIR
                 "/bench' && set -- one-step/*.stn temporal/*.stn seeds/*.stn && '" STENCILC_BINARY
                 "' fmt --check \"$@\" && for f; do '" STENCILC_BINARY
                 "' -Werror \"$f\" --emit=ast -o /dev/null || exit 1; done"));
}

TEST(GpuBench, EveryStencilOfItCompilesForCuda) {
  const Nvcc here;
  expect_begins(ended(here.script("bench --suite all --build-only --jobs 2")).out,
                "built 37 stencils in ");
  size_t folders = 0;  // each with the schedule that was chosen, and naive
  for (const auto& entry : std::filesystem::directory_iterator(here.path / "cache/stencilc"))
    folders += entry.is_directory();
  EXPECT_EQ(folders, 2 * 37u);
#ifdef STENCILC_ALL_TESTS
  const std::string only, all = "built 111 stencils in ";
#else
  const std::string only = " --only ' clamp '", all = "built 31 stencils in ";
#endif
  expect_begins(ended(here.script("bench --suite=temporal --build-only --jobs 2" + only)).out, all);
}

TEST(GpuBench, WhatIsNotBuiltIsNamed) {
  const Place here;
  here.program("nvcc", "[ \"$1\" = --version ] || { echo no room; exit 1; }\n");
  expect_has(ended(here.script("bench --build-only --only 'star2d1 f64'"), 1).err,
             {"gpu-bench: star2d1-f64-clamp is not built:", "no room"});
}

TEST(GpuBench, ARunEndsInATable) {
  const Place here;
  const Finished finished = ended(
      here.script("bench --target cpu --size 40x30 --size 9x8x7 --only '^(star2d1 f64|box2d1_u8)' "
                  "--schedule=loops --out kept --rest 0 -- --repeats=1"));
  expect_begins(finished.out, "built 2 stencils in ");
  expect_has(finished.out,
             {"\nstencil    type size         boundary ", "\nstar2d1    f64  40x30        clamp ",
              "\nbox2d1_u8  u8   40x30        clamp ", " of 2 targets reached\n",
              here.read("kept/table.txt")});
  expect_begins(here.read("kept/star2d1-f64-clamp-40x30.json"), "{\n  \"context\"");
}

TEST(GpuBench, WhoStopsItGetsTheTableOfWhatIsDone) {
  const Place here;
  // Builds nothing, and stops the script at the second stencil.
  here.program("stencilc",
               "case \"$*\" in *--build-only*) exit 0 ;; *star2d1-f64*) kill $PPID; exit 1 ;; "
               "esac\nexec '" STENCILC_BINARY "' \"$@\"\n");
  const Finished stopped = ended(here.with("",
                                           "bench --target cpu --only 'star2d[12] f' --size 64x64 "
                                           "--rest 0 -- --repeats 1 --steps 1",
                                           "\"$PWD\""),
                                 1);
  expect_has(stopped.err, {"stopped before case 2 of 4 had run"});
  EXPECT_EQ(count(stopped.out, "\nstar2d"), 1) << stopped.out;
  expect_has(stopped.out, {"\nstar2d1    f32  64x64"});
}

Finished table(const Workplace& here, const std::string& set) {
  return here.shell("awk -f '" STENCILC_SOURCE_DIR "/bench/" + set + "/table.awk' targets runs");
}
// A case as the script writes it, with the schedules naive and coarsened.
std::string timed(const std::string& name, const std::string& chosen) {
  return "case " + name + "\ns: 8 x 8 on GPU\ncopy: 4200 GB/s (bytes read plus bytes written)\n\n" +
         "schedule      GCells/s  lowest  highest    GB/s  of copy  x naive  registers\n"
         "naive            270.1   260.0    280.0  2160.0    0.510     1.00         32\n"
         "coarsened,y=4    500.2   490.0    510.0  4000.0    " +
         chosen + "     1.85         40\nclocks: 1605 to 1980 MHz, at most 690 W\n";
}

TEST(GpuBench, FiguresAreHeldAgainstTheirTargets) {
  const Workplace here("targets", "# fractions\nstar f32 0.90\nodd 0.95\nboundary 0.97\n");
  here.write("runs",
             timed("star f32 clamp 16x16", "0.920") + timed("star f32 periodic 16x16", "0.880") +
                 timed("star f32 zero 16x16", "0.893") + timed("star f32 clamp 15x17", "0.856") +
                 timed("star f32 clamp 14x18", "0.856") + timed("star f16 clamp 16x16", "0.700"));
  const Finished finished = ended(table(here, "one-step"));
  for (const std::string row : {
           "f32  16x16        clamp         500.2    0.920   0.900  ok             ",
           "f32  16x16        periodic      500.2    0.880   0.892  missed by 0.012",
           "f32  16x16        zero          500.2    0.893   0.892  ok             ",
           "f32  15x17        clamp         500.2    0.856   0.855  ok             ",
           "f32  14x18        clamp         500.2    0.856   0.900  missed by 0.044",
           "f16  16x16        clamp         500.2    0.700       -  -              ",
       })
    expect_has(finished.out, {"\nstar       " + row + "  1605  coarsened,y=4\n"});
  expect_lacks(finished.out, {"naive"});
  expect_has(finished.out, {"\ncopy: 4200 to 4200 GB/s; 3 of 5 targets reached\n"});
  // Of many schedules each has a row.
  here.write("targets", "star f32 0.90\n");
  here.write("runs", timed("star f32 clamp 16x16", "0.850") +
                         "coarsened,y=8    510.0   500.0    520.0  4100.0    0.910     1.90  40\n");
  const Finished many = table(here, "one-step");
  EXPECT_EQ(count(many.out, "\nstar "), 3) << many.out;
  expect_has(many.out, {"1 of 1 targets reached"});
}

TEST(GpuBench, RatesOfSeveralStepsStandBesideTheirTargetsAndPeers) {
  const Workplace here("targets", "# rates\nstar f32 500 210 Somebody else\n");
  here.write("runs",
             timed("star f32 clamp 16x16", "0.920") + timed("star f64 zero 16x16", "0.880"));
  expect_has(table(here, "temporal").out,
             {"\nstar       f32  16x16        clamp         500.2         -    0.920     500  "
              "ok          210 Somebody else  1605  coarsened,y=4\n",
              "\nstar       f64  16x16        zero          500.2         -    0.880       -  "
              "-           -              1605  coarsened,y=4\n",
              "; 1 of 1 targets reached\n"});
  here.write("targets", "star f32 1000 210 Somebody else\n");
  expect_has(table(here, "temporal").out, {"    1000  0.50 of it  "});
  here.write("targets", "star f32 1000 210 Somebody else\nstar@16x16 f32 250 200 Nobody\n");
  expect_has(table(here, "temporal").out, {"     250  ok          200 Nobody  "});
}

TEST(GpuSeeds, EveryScheduleOfItCompilesForCuda) {
  const Nvcc here;
  const std::string rows =
      "\n" + test::read(std::string(STENCILC_SOURCE_DIR) + "/bench/seeds/rows.txt");
  int all = 0;
  for (const char first : std::string("0123456789-")) all += count(rows, std::string("\n") + first);
  const int sets = count(rows, "\nset ");
  ASSERT_GT(all, 3 * sets / 2);
  const Finished finished =
      ended(here.script("seeds --rest 0 --build-only --jobs 2 -- --arch sm_90"));
  EXPECT_EQ(finished.err, "");
  expect_begins(finished.out, "built " + std::to_string(all) + " schedules of " +
                                  std::to_string(sets) + " sets in ");
}

// A step of naive,threads=32x8 takes 3.4 ms there, one of coarsened,threads=128x2,... 1 ms.
TEST(GpuSeeds, ARunEndsInTwoTables) {
  const Gpu here;
  // As ncu prints a metric, of whatever it is asked to run.
  here.program("ncu", R"(echo "$@" >>"$MADE_UP/profiled"
echo '==PROF== Connected'
echo '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
echo '"0","step","dram__throughput.avg.pct_of_peak_sustained_elapsed","%","81.4"'
echo '"0","step","lts__t_sector_hit_rate.pct","%","1,000.6"'
)");
  const Finished finished =
      ended(here.script("seeds --rest 0 --only laplacian2d --out kept -- --repeats=1"));
  expect_has(finished.out, {"device Made-up GPU", "\nnvcc made up, release 13.0\n",
                            "\ncommand scripts/gpu-seeds ", here.read("kept/table.txt")});
  // 12 ms and 2.5 ms there.
  const auto expect_line = [&](const std::string& part, const char* form) {
    const std::string line = line_with(finished.out, part);
    EXPECT_TRUE(std::regex_search(line, std::regex(form))) << line;
  };
  expect_line("one cell a thread  (naive,threads=16x16)",
              "^guide +laplacian2d +4096x4096 +[0-9.]+ +1\\.00 +1\\.00 .* 81 +- +1001 ");
  expect_line("tile in shared memory  (coarsened,threads=64x8,",
              "^guide +laplacian2d +4096x4096 +[0-9.]+ +[0-9.]+ +4\\.80 ");
  EXPECT_EQ(count(finished.out, "\n| guide | laplacian2d, 4096x4096 | "), 3) << finished.out;
  int profiled = 0;
  for (const std::string& line : testing::lines_of(here.read("profiled")))
    profiled += testing::has(line, "--schedule=") && line.ends_with(" --once");
  EXPECT_EQ(profiled, 3);
  expect_begins(here.read("kept/laplacian2d.json"), "{\n  \"context\"");
}

TEST(GpuSeeds, FiguresAreComparedWithTheFirstOfTheirSet) {
  const Workplace here(
      "runs",
      "device D\nset Maruyama s 100x100 GFLOPS\nrow 100\tnaive\tone\nrow 250\tcoarsened,y=4\tmany\n"
      "row -\trefused: odd\tnone\ns: 100 x 100 on D\ncopy: 4200 GB/s (bytes read plus bytes "
      "written)\n\n"
      "schedule       GCells/s  lowest  of copy\nnaive          100.0  99.0  0.400\n"
      "coarsened,y=4  200.0  99.0  0.800\n");
  expect_has(
      ended(here.shell("awk -f '" STENCILC_SOURCE_DIR "/bench/seeds/table.awk' runs")).out,
      {"\n| Maruyama | s, 100x100 | one | 0.0001 | 1.00 | 1.00 | 0.400 | - |",
       "\n| Maruyama | s, 100x100 | many | 5e-05 | 2.00 | 2.50 | 0.800 | - |",
       "\n| Maruyama | s, 100x100 | none | - | - | - | - | - |", "copy 4200 to 4200 GB/s\n"});
}

TEST(GpuSteps, BuildsFirstThenComparesAndSanitizes) {
  const Tools here;
  const Finished finished =
      ended(here.steps("--part 3/40 --only star2d --boundary zero --repeats 7"));
  const std::string invoked = here.invoked();
  EXPECT_EQ(count(invoked, "--part 3/40 "), 6) << invoked;
  EXPECT_EQ(count(invoked, "--only star2d --boundary zero"), 6) << invoked;
  EXPECT_EQ(count(invoked, "--build-only"), 1) << invoked;
  EXPECT_EQ(count(invoked, "--large --repeats 7"), 1) << invoked;
  testing::expect_in_order(invoked, {"--build-only", "--large --repeats"});
  for (const std::string tool : {"memcheck", "initcheck", "synccheck", "racecheck"})
    EXPECT_EQ(count(invoked, "by " + tool + "\n"), 1) << invoked;
  expect_has(invoked, {"--every 96 --most-cells 7000 --run-jobs 1\n"});
  expect_has(finished.out, {" s, good\n"});
  EXPECT_EQ(count(finished.out, "9 runs, 10 cells compared, 0 failures"), 6) << finished.out;
}

TEST(GpuSteps, WhatFailsIsShownAndEndsIt) {
  const Tools here;
  expect_has(ended(here.steps("", "FAILS=--repeats"), 1).out, {"FAILED star2d", "NOT GOOD"});
  expect_has(ended(here.steps("", "FOUND=3"), 1).out, {"the output does not say"});
  // What is not built is not run.
  here.shell("rm asked");
  EXPECT_EQ(here.steps("", "FAILS=--build-only").status, 1);
  EXPECT_EQ(count(here.invoked(), "--target cuda"), 1);
}

TEST(GpuSteps, WhoStopsItGetsTheTableOfWhatIsDone) {
  const Tools here;
  const Finished stopped =
      ended(here.steps("", "STOPS=--repeats sh -c 'echo $$ >pid; exec \"$@\"' - env"), 1);
  EXPECT_EQ(count(stopped.out, "build part 1/16              good"), 1) << stopped.out;
  EXPECT_EQ(count(stopped.out, "STOPPED"), 1) << stopped.out;
  expect_has(stopped.out, {"NOT GOOD"});
  expect_lacks(here.invoked(), {"by memcheck"});
}

TEST(GpuSteps, BuildsWithoutAGpu) {
  const Tools here;
  here.program("nvidia-smi", "exit 1\n");
  EXPECT_EQ(here.steps("").status, 2);
  ended(here.steps("--build-only"));
  EXPECT_EQ(count(here.invoked(), "--arch sm_90"), 1);
}

TEST(GpuTest, EndsInATableOfAllSteps) {
  const Tools here;
  const auto gpu_test = [&](const std::string& before) {
    return here.with(before, "test --seeds 3..4 --share 5", "\"$PWD\"");
  };
  const Finished finished = ended(gpu_test(""));
  EXPECT_EQ(count(finished.out, "9 runs, 10 cells compared, 0 failures"), 12) << finished.out;
  EXPECT_EQ(count(finished.out, " good "), 16) << finished.out;
  EXPECT_EQ(count(finished.out, "40 of 40 runs"), 2) << finished.out;
  expect_has(finished.out, {" s, good\n"});
  EXPECT_EQ(count(here.invoked(), "--seeds 3..4 "), 1);
  EXPECT_EQ(count(here.invoked(), "--share 5 "), 12) << here.invoked();
  expect_has(ended(gpu_test("FAILS=--wide"), 1).out, {"NOT GOOD"});
}

TEST(GpuTune, LeavesATuneFileForEachStencilAndGoesOnFromThere) {
  const Gpu here;
  const std::string words =
      "tune --out kept --trials 3 --size 64x64 --size 16x16x16 --only 'star[23]d1 f64|himeno'";
  expect_has(ended(here.script(words)).out, {"\ntuned 3 stencils in "});
  EXPECT_EQ(Workplace::names_in(here.path / "kept"),
            (test::Names{"himeno-f32.stn", "himeno-f32.tune.json", "star2d1-f64-clamp.stn",
                         "star2d1-f64-clamp.tune.json", "star3d1-f64-clamp.stn",
                         "star3d1-f64-clamp.tune.json"}));
  expect_has(here.read("kept/star2d1-f64-clamp.tune.json"), {"\"arch\": \"sm_90\""});
  here.shell("rm kept/himeno*");
  const Finished second = here.script(words);
  expect_has(second.out, {"\ntuned 1 stencils in "});
  expect_lacks(second.err, {"star"});
  // What was found is what is timed.
  here.shell("sed -i 's/threads=[0-9]*x[0-9]*,/threads=32x2,/' kept/star2d1*.json");
  expect_has(
      ended(here.script(
                "bench --tuned kept --size 64x64 --only 'star2d1 f64' --rest 0 -- --repeats=1"))
          .out,
      {"coarsened,threads=32x2,"});
}

TEST(GpuTune, WhatHasNoTimeIsNamed) {
  const Gpu here;
  expect_has(ended(here.script("tune --seconds 25 --trials 1 --size 64x64 --only star2d1")).err,
             {"no time is left for 2 stencils, the first of them star2d1-f32"});
}

}  // namespace
}  // namespace stencilc
