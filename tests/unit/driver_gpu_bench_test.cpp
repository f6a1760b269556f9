// scripts/gpu-bench, without a GPU: that its stencils compile for CUDA, that a run on the CPU
// target ends in a table, and what the table says of figures that are given.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/cli.h"

namespace stencilc {
namespace {

using test::Finished;
using test::read;
using test::Workplace;

const std::string kSource = STENCILC_SOURCE_DIR;

Finished gpu_bench(const Workplace& here, const std::string& options) {
  return here.shell("XDG_CACHE_HOME=$PWD/cache OMP_NUM_THREADS=2 PATH=$PWD:$PATH '" + kSource +
                    "/scripts/gpu-bench' --prebuilt '" STENCILC_BINARY_DIR "' " + options);
}
size_t lines_with(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(GpuBench, EveryStencilOfItCompilesForCuda) {
  const Workplace here;
  // Takes any source, and makes what follows -o.
  here.write("nvcc",
             "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n"
             "while [ \"$1\" != -o ]; do shift; done\necho library >\"$2\"\n");
  here.shell("chmod +x nvcc");
  const Finished finished = gpu_bench(here, "--suite all --build-only --jobs 2");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.out.find("built 37 stencils in "), 0u) << finished.out;
  size_t folders = 0;  // each with the schedule that was chosen, and naive
  for (const auto& entry : std::filesystem::directory_iterator(here.path / "cache/stencilc"))
    folders += entry.is_directory();
  EXPECT_EQ(folders, 2 * 37u);
}

TEST(GpuBench, EveryStencilOfSeveralStepsCompilesForCuda) {
  const Workplace here;
  here.write("nvcc",
             "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n"
             "while [ \"$1\" != -o ]; do shift; done\necho library >\"$2\"\n");
  here.shell("chmod +x nvcc");
  const Finished finished = gpu_bench(here, "--suite=temporal --build-only --jobs 2");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.out.find("built 111 stencils in "), 0u) << finished.out;
}

TEST(GpuBench, WhatIsNotBuiltIsNamed) {
  const Workplace here;
  here.write("nvcc", "#!/bin/sh\n[ \"$1\" = --version ] || { echo no room; exit 1; }\n");
  here.shell("chmod +x nvcc");
  const Finished finished = gpu_bench(here, "--build-only --only 'star2d1 f64'");
  EXPECT_EQ(finished.status, 1);
  EXPECT_NE(finished.err.find("gpu-bench: star2d1-f64-clamp is not built:"), std::string::npos);
  EXPECT_NE(finished.err.find("no room"), std::string::npos);
}

TEST(GpuBench, ItsStencilsAreFormattedAndWithoutWarnings) {
  const Workplace here;
  const Finished finished = here.shell("cd '" + kSource +
                                       "/bench' && '" STENCILC_BINARY
                                       "' fmt --check one-step/*.stn temporal/*.stn && for f in "
                                       "one-step/*.stn temporal/*.stn; do '" STENCILC_BINARY
                                       "' -Werror \"$f\" --emit=ast -o /dev/null || exit 1; done");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
}

TEST(GpuBench, ARunEndsInATable) {
  const Workplace here;
  const Finished finished =
      gpu_bench(here,
                "--target cpu --size 40x30 --size 9x8x7 --only '^(star2d1 f64|box2d1_u8)' "
                "--schedule=loops --out kept -- --repeats=1");
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.out.find("built 2 stencils in "), 0u) << finished.out;
  EXPECT_NE(finished.out.find("\nstencil    type size         boundary "), std::string::npos);
  EXPECT_NE(finished.out.find("\nstar2d1    f64  40x30        clamp "), std::string::npos);
  EXPECT_NE(finished.out.find("\nbox2d1_u8  u8   40x30        clamp "), std::string::npos);
  EXPECT_NE(finished.out.find(" of 2 targets reached\n"), std::string::npos);
  EXPECT_NE(finished.out.find(read(here.path / "kept/table.txt")), std::string::npos);
  EXPECT_EQ(read(here.path / "kept/star2d1-f64-clamp-40x30.json").find("{\n  \"context\""), 0u);
}

TEST(GpuBench, WhoStopsItGetsTheTableOfWhatIsDone) {
  const Workplace here;
  // Builds nothing, and stops the script at the second stencil.
  here.write(
      "stencilc",
      "#!/bin/sh\ncase \"$*\" in *--build-only*) exit 0 ;; *star2d1-f64*) kill $PPID; exit 1 ;; "
      "esac\nexec '" STENCILC_BINARY "' \"$@\"\n");
  here.shell("chmod +x stencilc");
  const Finished stopped = here.shell(
      "XDG_CACHE_HOME=$PWD/cache OMP_NUM_THREADS=2 '" + kSource +
      "/scripts/gpu-bench' --prebuilt \"$PWD\" --target cpu --only 'star2d[12] f' --size 64x64 -- "
      "--repeats 1 --steps 1");
  EXPECT_EQ(stopped.status, 1) << stopped.out;
  EXPECT_NE(stopped.err.find("stopped before case 2 of 4 had run"), std::string::npos)
      << stopped.err;
  EXPECT_EQ(lines_with(stopped.out, "\nstar2d"), 1u) << stopped.out;
  EXPECT_NE(stopped.out.find("\nstar2d1    f32  64x64"), std::string::npos) << stopped.out;
}

TEST(GpuBench, RefusesWhatItDoesNotKnow) {
  const Workplace here;
  const auto complaint = [&](const std::string& options) {
    const Finished finished = gpu_bench(here, "--target cpu " + options);
    EXPECT_EQ(finished.status, 2) << finished.out;
    return finished.err;
  };
  EXPECT_EQ(complaint("--suite two-step"),
            "gpu-bench: there is no suite two-step: one-step, odd, boundaries, all, temporal\n");
  EXPECT_EQ(complaint("--only star9"), "gpu-bench: no case of the suite one-step matches star9\n");
  EXPECT_EQ(complaint("--fast"), "gpu-bench: there is no option --fast\n");
  EXPECT_EQ(complaint("--out"), "gpu-bench: --out takes a value\n");
  EXPECT_EQ(complaint("--rest long"), "gpu-bench: long is no number of seconds\n");
  EXPECT_EQ(complaint("--jobs=none"), "gpu-bench: none is no number of jobs\n");
}

TEST(GpuScripts, SayHowTheyAreCalled) {
  const Workplace here;
  for (const std::string name : {"bench", "seeds", "steps", "test", "tune"})
    for (const std::string word : {" --help", " -h"}) {
      const Finished finished = here.shell("'" + kSource + "/scripts/gpu-" + name + "'" + word);
      EXPECT_EQ(finished.status, 0) << finished.err;
      EXPECT_EQ(finished.out.find("scripts/gpu-" + name + " [--"), 0u) << finished.out;
      EXPECT_NE(finished.out.find("a GPU and nvcc"), std::string::npos) << finished.out;
      EXPECT_EQ(lines_with(finished.out, "#"), 0u) << finished.out;
    }
}

// A case as the script writes it, with the schedules naive and coarsened.
std::string timed(const std::string& name, const std::string& naive, const std::string& chosen) {
  return "case " + name + "\ns: 8 x 8 on GPU\ncopy: 4200 GB/s, bytes read and written\n\n" +
         "schedule      GCells/s  lowest  highest    GB/s  of copy  x naive  registers\n"
         "naive            270.1   260.0    280.0  2160.0    " +
         naive + "     1.00         32\ncoarsened,y=4    500.2   490.0    510.0  4000.0    " +
         chosen + "     1.85         40\nclocks: 1605 to 1980 MHz, at most 690 W\n";
}

TEST(GpuBench, FiguresAreHeldAgainstTheirTargets) {
  const Workplace here;
  here.write("targets", "# fractions\nstar f32 0.90\nodd 0.95\nboundary 0.97\n");
  here.write("runs", timed("star f32 clamp 16x16", "0.510", "0.920") +
                         timed("star f32 periodic 16x16", "0.510", "0.880") +
                         timed("star f32 zero 16x16", "0.510", "0.893") +
                         timed("star f32 clamp 15x17", "0.510", "0.856") +
                         timed("star f32 clamp 14x18", "0.510", "0.856") +
                         timed("star f16 clamp 16x16", "0.510", "0.700"));
  const Finished finished =
      here.shell("awk -f '" + kSource + "/bench/one-step/table.awk' targets runs");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const auto row = [&](const std::string& begin) {
    const size_t at = finished.out.find("\n" + begin);
    if (at == std::string::npos) return "no row in " + finished.out;
    return finished.out.substr(at + 1 + begin.size(),
                               finished.out.find('\n', at + 1) - at - 1 - begin.size());
  };
  const std::string rate = "     500.2", schedule = "  1605  coarsened,y=4";
  EXPECT_EQ(row("star       f32  16x16        clamp    "),
            rate + "    0.920   0.900  ok             " + schedule);
  EXPECT_EQ(row("star       f32  16x16        periodic "),
            rate + "    0.880   0.892  missed by 0.012" + schedule);
  EXPECT_EQ(row("star       f32  16x16        zero     "),
            rate + "    0.893   0.892  ok             " + schedule);
  EXPECT_EQ(row("star       f32  15x17        clamp    "),
            rate + "    0.856   0.855  ok             " + schedule);
  EXPECT_EQ(row("star       f32  14x18        clamp    "),
            rate + "    0.856   0.900  missed by 0.044" + schedule);
  EXPECT_EQ(row("star       f16  16x16        clamp    "),
            rate + "    0.700       -  -              " + schedule);
  EXPECT_EQ(lines_with(finished.out, "naive"), 0u) << finished.out;
  EXPECT_NE(finished.out.find("\ncopy: 4200 to 4200 GB/s; 3 of 5 targets reached\n"),
            std::string::npos);
}

TEST(GpuBench, RatesOfSeveralStepsStandBesideTheirTargetsAndPeers) {
  const Workplace here;
  here.write("targets", "# rates\nstar f32 500 210 Somebody else\n");
  here.write("runs", timed("star f32 clamp 16x16", "0.510", "0.920") +
                         timed("star f64 zero 16x16", "0.510", "0.880"));
  const auto table = [&] {
    return here.shell("awk -f '" + kSource + "/bench/temporal/table.awk' targets runs").out;
  };
  std::string out = table();
  EXPECT_NE(
      out.find("\nstar       f32  16x16        clamp         500.2         -    0.920     500  "
               "ok          210 Somebody else  1605  coarsened,y=4\n"),
      std::string::npos)
      << out;
  EXPECT_NE(
      out.find("\nstar       f64  16x16        zero          500.2         -    0.880       -  "
               "-           -              1605  coarsened,y=4\n"),
      std::string::npos)
      << out;
  EXPECT_NE(out.find("; 1 of 1 targets reached\n"), std::string::npos) << out;
  here.write("targets", "star f32 1000 210 Somebody else\n");
  out = table();
  EXPECT_NE(out.find("    1000  0.50 of it  "), std::string::npos) << out;
  here.write("targets", "star f32 1000 210 Somebody else\nstar@16x16 f32 250 200 Nobody\n");
  out = table();
  EXPECT_NE(out.find("     250  ok          200 Nobody  "), std::string::npos) << out;
}

TEST(GpuBench, OfManySchedulesEachHasARow) {
  const Workplace here;
  here.write("targets", "star f32 0.90\n");
  here.write("runs", timed("star f32 clamp 16x16", "0.510", "0.850") +
                         "coarsened,y=8    510.0   500.0    520.0  4100.0    0.910     1.90  40\n");
  const Finished finished =
      here.shell("awk -f '" + kSource + "/bench/one-step/table.awk' targets runs");
  EXPECT_EQ(lines_with(finished.out, "\nstar "), 3u) << finished.out;
  EXPECT_NE(finished.out.find("1 of 1 targets reached"), std::string::npos) << finished.out;
}

}  // namespace
}  // namespace stencilc
