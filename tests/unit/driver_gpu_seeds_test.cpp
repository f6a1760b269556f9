// scripts/gpu-seeds, on a GPU that is made up: that its schedules compile, and what its tables say.
#include <gtest/gtest.h>

#include <regex>

#include "support/made_up_gpu.h"

namespace stencilc {
namespace {

using test::Finished;
using test::read;
using test::Workplace;

Finished gpu_seeds(const Workplace& here, const std::string& options) {
  return here.shell("XDG_CACHE_HOME=$PWD/cache MADE_UP=$PWD PATH=$PWD:$PATH '" STENCILC_SOURCE_DIR
                    "/scripts/gpu-seeds' --prebuilt '" STENCILC_BINARY_DIR "' --rest 0 " +
                    options);
}
size_t count(const std::string& text, const std::string& form) {
  const std::regex lines(form, std::regex::multiline);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), lines), {});
}
std::string line_with(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  if (at == text.npos) return "no " + part + " in:\n" + text;
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(GpuSeeds, EveryScheduleOfItCompilesForCuda) {
  const Workplace here;
  here.write("nvcc",
             "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n"
             "while [ \"$1\" != -o ]; do shift; done\necho library >\"$2\"\n");
  here.shell("chmod +x nvcc");
  const std::string rows = read(std::string(STENCILC_SOURCE_DIR) + "/bench/seeds/rows.txt");
  const size_t all = count(rows, "^[0-9-].*"), sets = count(rows, "^set .*");
  ASSERT_GT(all, 3 * sets / 2);
  const Finished finished = gpu_seeds(here, "--build-only --jobs 2 -- --arch sm_90");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(finished.out.find("built " + std::to_string(all) + " schedules of " +
                              std::to_string(sets) + " sets in "),
            0u)
      << finished.out;
}

TEST(GpuSeeds, ItsStencilsAreFormattedAndWithoutWarnings) {
  const Workplace here;
  const Finished finished =
      here.shell("cd '" STENCILC_SOURCE_DIR "/bench/seeds' && '" STENCILC_BINARY
                 "' fmt --check *.stn && for f in *.stn; do '" STENCILC_BINARY
                 "' -Werror \"$f\" --emit=ast -o /dev/null || exit 1; done");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
}

// A step of naive,threads=32x8 takes 3.4 ms there, one of coarsened,threads=128x2,... 1 ms.
TEST(GpuSeeds, ARunEndsInTwoTables) {
  const Workplace here;
  test::make_up_gpu(here);
  // As ncu prints a metric, of whatever it is asked to run.
  here.write("ncu", R"(#!/bin/sh
echo "$@" >>"$MADE_UP/profiled"
echo '==PROF== Connected'
echo '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
echo '"0","step","dram__throughput.avg.pct_of_peak_sustained_elapsed","%","81.4"'
echo '"0","step","lts__t_sector_hit_rate.pct","%","1,000.6"'
)");
  here.shell("chmod +x ncu");
  const Finished finished = gpu_seeds(here, "--only laplacian2d --out kept -- --repeats=1");
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("device Made-up GPU"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("\nnvcc made up, release 13.0\n"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("\ncommand scripts/gpu-seeds "), std::string::npos) << finished.out;
  // 12 ms and 2.5 ms there.
  const std::string first = line_with(finished.out, "one cell a thread  (naive,threads=16x16)");
  EXPECT_EQ(count(first, "^guide +laplacian2d +4096x4096 +[0-9.]+ +1\\.00 +1\\.00 .* 81 +- +1001 "),
            1u)
      << first;
  const std::string second =
      line_with(finished.out, "tile in shared memory  (coarsened,threads=64x8,");
  EXPECT_EQ(count(second, "^guide +laplacian2d +4096x4096 +[0-9.]+ +[0-9.]+ +4\\.80 "), 1u)
      << second;
  EXPECT_EQ(count(finished.out, "^\\| guide \\| laplacian2d, 4096x4096 \\| "), 3u) << finished.out;
  EXPECT_EQ(count(read(here.path / "profiled"), "--schedule=.* --once$"), 3u);
  EXPECT_NE(finished.out.find(read(here.path / "kept/table.txt")), std::string::npos);
  EXPECT_EQ(read(here.path / "kept/laplacian2d.json").find("{\n  \"context\""), 0u);
}

TEST(GpuSeeds, FiguresAreComparedWithTheFirstOfTheirSet) {
  const Workplace here;
  here.write(
      "runs",
      "device D\nset Maruyama s 100x100 GFLOPS\nrow 100\tnaive\tone\nrow 250\tcoarsened,y=4\tmany\n"
      "row -\trefused: odd\tnone\ns: 100 x 100 on D\ncopy: 4200 GB/s, bytes read and written\n\n"
      "schedule       GCells/s  lowest  of copy\nnaive          100.0  99.0  0.400\n"
      "coarsened,y=4  200.0  99.0  0.800\n");
  const Finished finished =
      here.shell("awk -f '" STENCILC_SOURCE_DIR "/bench/seeds/table.awk' runs");
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(
      finished.out.find("\n| Maruyama | s, 100x100 | one | 0.0001 | 1.00 | 1.00 | 0.400 | - |"),
      std::string::npos)
      << finished.out;
  EXPECT_NE(
      finished.out.find("\n| Maruyama | s, 100x100 | many | 5e-05 | 2.00 | 2.50 | 0.800 | - |"),
      std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("\n| Maruyama | s, 100x100 | none | - | - | - | - | - |"),
            std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("copy 4200 to 4200 GB/s\n"), std::string::npos) << finished.out;
}

TEST(GpuSeeds, RefusesWhatItDoesNotKnow) {
  const Workplace here;
  const auto complaint = [&](const std::string& options) {
    const Finished finished = gpu_seeds(here, options);
    EXPECT_EQ(finished.status, 2) << finished.out;
    return finished.err;
  };
  EXPECT_EQ(complaint("--only star9"), "gpu-seeds: no set matches star9\n");
  EXPECT_EQ(complaint("--fast"), "gpu-seeds: there is no option --fast\n");
  EXPECT_EQ(complaint("--out"), "gpu-seeds: --out takes a value\n");
  EXPECT_EQ(complaint("--jobs=none"), "gpu-seeds: none is no number of jobs\n");
}

}  // namespace
}  // namespace stencilc
