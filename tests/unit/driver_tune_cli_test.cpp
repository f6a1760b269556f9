// stencilc tune, on a made-up GPU and on the CPU target, and compiles that read what it wrote.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli.h"
#include "support/made_up_gpu.h"

namespace stencilc {
namespace {

using nlohmann::json;
using test::Finished;
using test::read;
using test::with_made_up_gpu;
using test::Workplace;

const char* const kChain =
    "stencil s { axes x, y; field f32 u boundary clamp; field f32 v; u[t+1] = 2*u[x-1]; v[t+1] = v "
    "+ u[x-1, t+1]; }";

// A tune file for laplace.stn, of which the test says the schedule and what else differs.
json tuned(const Workplace& here, const std::string& schedule) {
  const Finished made = with_made_up_gpu(here, "tune laplace.stn --trials 1 --size 64x64 -o base");
  EXPECT_EQ(made.status, 0) << made.err;
  json file = json::parse(read(here.path / "base"));
  // The only one that was tried is the choice, and timed once.
  const json entry = file["stencils"][0]["entries"][0];
  EXPECT_EQ(entry["schedule"], entry["chosen"]["schedule"]);
  EXPECT_EQ(entry["gcells"], entry["chosen"]["gcells"]);
  file["stencils"][0]["entries"][0]["schedule"] = schedule;
  return file;
}

// What a compile chooses, and its second line where that came from a tune file.
Finished chosen(const Workplace& here, std::vector<std::string> words) {
  words.insert(words.begin(), {"laplace.stn", "--emit=schedule"});
  return here.stencilc(words);
}

TEST(Tune, FindsTheFastestScheduleThatRuns) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  std::string own = chosen(here, {"--arch=sm_90"}).out;
  own = own.substr(0, own.find('\n'));
  const Finished found = with_made_up_gpu(here, "tune laplace.stn --size 1000x1000 --jobs 4");
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(found.out.find("laplace2d: 1000 x 1000 on Made-up GPU\ncopy: 4000 GB/s"), 0u)
      << found.out;
  const json file = json::parse(read(here.path / "laplace.tune.json"));
  EXPECT_EQ(file["version"], 1);
  EXPECT_EQ(file["stencils"][0]["stencil"], "laplace2d");
  const json entry = file["stencils"][0]["entries"][0];
  EXPECT_EQ(entry["arch"], "sm_90");
  EXPECT_EQ(entry["device"], "Made-up GPU");
  EXPECT_EQ(entry["size"], (std::vector<int>{1000, 1000}));
  EXPECT_EQ(entry["schedule"], "coarsened,threads=128x2,vector=2,coarsen=y8");
  EXPECT_NEAR(entry["gcells"], 1, 1e-9);
  EXPECT_NEAR(entry["fraction_of_copy"], 0.002, 1e-9);
  EXPECT_EQ(entry["chosen"]["schedule"], own);
  EXPECT_NEAR(entry["chosen"]["gcells"], 1 / 1.6, 1e-9);
  // What cannot be taken is said, but for what spills, which is usual.
  EXPECT_NE(found.err.find("it makes other bits of the cells than the compiler's choice"),
            std::string::npos)
      << found.err;
  EXPECT_NE(found.err.find("it ended by signal 6"), std::string::npos) << found.err;
  EXPECT_NE(found.err.find("`nvcc` failed: no room\n"), std::string::npos) << found.err;
  EXPECT_EQ(found.err.find("spills"), std::string::npos) << found.err;
  // Each schedule is built once, and none whose planes are larger than a box.
  std::istringstream built(read(here.path / "built"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(built, line);) lines.push_back(line);
  EXPECT_LE(lines.size(), entry["tried"].get<size_t>());
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end());

  const Finished compiled = here.stencilc({"laplace.stn", "--arch=sm_90", "-MD"});
  EXPECT_EQ(compiled.err, "");
  const std::string source = read(here.path / "laplace.cu");
  EXPECT_NE(source.find("// Schedule coarsened,threads=128x2,vector=2,coarsen=y8\n"
                        "//   tuned on Made-up GPU at 1000 x 1000 (laplace.tune.json): 1.600 times "
                        "as fast as the compiler's\n"
                        "//   choice, " +
                        own + "\n"),
            std::string::npos)
      << source.substr(0, 900);
  EXPECT_EQ(read(here.path / "laplace.d"), "laplace.cu: laplace.stn laplace.tune.json\n");
  EXPECT_NE(here.stencilc({"laplace.stn", "--explain"}).out.find("tuned on Made-up GPU at 1000"),
            std::string::npos);
}

TEST(Tune, TriesAsManySchedulesAsItMay) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  for (const int trials : {1, 5}) {
    const Finished found = with_made_up_gpu(
        here, "tune laplace.stn --size 64x64 --jobs 3 --trials " + std::to_string(trials));
    ASSERT_EQ(found.status, 0) << found.err;
    const json file = json::parse(read(here.path / "laplace.tune.json"));
    ASSERT_EQ(file["stencils"][0]["entries"].size(), 1u);
    EXPECT_EQ(file["stencils"][0]["entries"][0]["tried"], trials);
  }
}

TEST(Tune, AnInterruptedSearchKeepsWhatItFound) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  here.shell("sed -i '3i [ \"$(cat built 2>/dev/null | wc -l)\" != 10 ] || kill -INT $PPID' nvcc");
  const Finished found = with_made_up_gpu(here, "tune laplace.stn --size 64x64 --jobs 1");
  EXPECT_EQ(found.status, 0) << found.err;
  const json file = json::parse(read(here.path / "laplace.tune.json"));
  const int tried = file["stencils"][0]["entries"][0]["tried"];
  EXPECT_GE(tried, 9);
  EXPECT_LE(tried, 11);
  here.shell("rm -r cache built *.json; sed -i '3s/10/0/' nvcc");
  const Finished nothing = with_made_up_gpu(here, "tune laplace.stn --size 64x64 --jobs 1");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_NE(nothing.err.find("the search ended before anything was measured"), std::string::npos)
      << nothing.err;
  EXPECT_FALSE(std::filesystem::exists(here.path / "laplace.tune.json"));
}

TEST(Tune, KeepsWhatOtherSizesAndStencilsHave) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  here.write("laplace.tune.json",
             R"({"version": 1, "stencils": [{"stencil": "other", "digest": "0", "entries": []}]})");
  for (const char* size : {"64x64", "96x96", "64x64"})
    ASSERT_EQ(with_made_up_gpu(here, "tune laplace.stn --trials 1 --size " + std::string(size)).err,
              "");
  json file = json::parse(read(here.path / "laplace.tune.json"));
  ASSERT_EQ(file["stencils"].size(), 2u);
  EXPECT_EQ(file["stencils"][0]["stencil"], "other");
  EXPECT_EQ(file["stencils"][1]["entries"].size(), 2u);
  // Of another text nothing is kept.
  here.shell("sed -i 's/0.25/0.2/' laplace.stn");
  ASSERT_EQ(with_made_up_gpu(here, "tune laplace.stn --trials 1 --size 32x32").err, "");
  file = json::parse(read(here.path / "laplace.tune.json"));
  EXPECT_EQ(file["stencils"][1]["entries"].size(), 1u);
}

TEST(Tune, TheStagesOnTheCpu) {
  const Workplace here;
  here.write("s.stn", kChain);
  const Finished found =
      here.stencilc({"tune", "s.stn", "--target=cpu", "--size=40x30", "--repeats=1", "--jobs=1"});
  ASSERT_EQ(found.status, 0) << found.err;
  const json file = json::parse(read(here.path / "s.tune.json"));
  const json entry = file["stencils"][0]["entries"][0];
  EXPECT_EQ(entry["arch"], "cpu");
  EXPECT_EQ(entry["tried"], 2);
  EXPECT_EQ(entry["schedule"].get<std::string>().find("loops"), 0u);
  EXPECT_GT(entry["gcells"], 0);
  // It is for the CPU alone.
  EXPECT_NE(here.stencilc({"s.stn", "--target=cpu", "--explain"}).out.find("tuned on"),
            std::string::npos);
  EXPECT_EQ(here.stencilc({"s.stn", "--explain"}).out.find("tuned on"), std::string::npos);
}

TEST(Tune, RefusesWhatItCannotTune) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  const auto complaint = [&](const std::string& words, int status) {
    const Finished finished = with_made_up_gpu(here, "tune " + words);
    EXPECT_EQ(finished.status, status) << finished.err;
    return finished.err;
  };
  EXPECT_EQ(complaint("laplace.stn --target cpu", 1)
                .find("stencilc: error: there is nothing to tune: the only schedule for "
                      "`laplace2d` is `loops`"),
            0u);
  EXPECT_NE(
      complaint("laplace.stn --arch sm_80,sm_90", 1).find("one architecture, not for sm_80, sm_90"),
      std::string::npos);
  EXPECT_NE(complaint("- <laplace.stn", 2).find("has no place for a tune file; give `-o`"),
            std::string::npos);
  EXPECT_NE(complaint("laplace.stn --budget 0", 2).find("--budget"), std::string::npos);
  EXPECT_NE(complaint("laplace.stn --size 4x4x4", 1).find("3 extents"), std::string::npos);
  here.write("laplace.tune.json", "{");
  EXPECT_EQ(complaint("laplace.stn", 1).find("laplace.tune.json:1:"), 0u);
  EXPECT_EQ(read(here.path / "laplace.tune.json"), "{");
  here.shell("rm laplace.tune.json; sed -i '2i exit 1' nvcc");
  EXPECT_NE(complaint("laplace.stn", 1).find("the compiler's choice: `nvcc` failed"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(here.path / "laplace.tune.json"));
}

TEST(TuneFile, ComesBehindAnOptionAndBeforeTheCompiler) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  const std::string untuned = chosen(here, {}).out;
  const std::string schedule = "coarsened,threads=32x8,vector=2,coarsen=y4";
  here.write("laplace.tune.json", tuned(here, schedule).dump());
  EXPECT_EQ(chosen(here, {}).out.find(schedule + "\n  tuned on Made-up GPU at 64 x 64 ("), 0u);
  EXPECT_EQ(chosen(here, {"--arch=sm_90"}).out.find(schedule), 0u);
  EXPECT_EQ(chosen(here, {"--schedule=naive"}).out, "naive,threads=32x8\n");
  EXPECT_EQ(chosen(here, {"-O0"}).out, "naive,threads=32x8\n");
  EXPECT_EQ(chosen(here, {"--no-tune"}).out, untuned);
  EXPECT_EQ(chosen(here, {"--arch=sm_80"}).out, chosen(here, {"--arch=sm_80", "--no-tune"}).out)
      << "it is for sm_90";
  here.shell("mkdir kept; mv laplace.tune.json kept/of_ours.json");
  EXPECT_EQ(chosen(here, {}).out, untuned);
  EXPECT_NE(chosen(here, {"--tune=kept/of_ours.json"}).out.find("(of_ours.json)"),
            std::string::npos);
  EXPECT_EQ(chosen(here, {"--tune=none.json"}).status, 3);
}

TEST(TuneFile, TheSizeDecides) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  json file = tuned(here, "coarsened,threads=32x8,vector=2,coarsen=y4");
  json large = file["stencils"][0]["entries"][0];
  large["size"] = {6400, 6400};
  large["schedule"] = "coarsened,threads=64x2,vector=4,coarsen=y4";
  file["stencils"][0]["entries"].push_back(large);
  here.write("laplace.tune.json", file.dump());
  const auto threads = [&](const Finished& one) { return one.out.substr(18, 4); };
  EXPECT_EQ(threads(chosen(here, {})), "64x2");
  EXPECT_EQ(threads(chosen(here, {"--size=100x100"})), "32x8");
  EXPECT_EQ(threads(chosen(here, {"--size=600x600"})), "32x8");
  EXPECT_EQ(threads(chosen(here, {"--size=700x700"})), "64x2");
}

TEST(TuneFile, OutOfDateIsAWarning) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  const std::string untuned = chosen(here, {}).out;
  here.write("laplace.tune.json", tuned(here, "coarsened,threads=32x8,vector=2,coarsen=y4").dump());
  here.shell("sed -i '1i // a comment\\n' laplace.stn");
  EXPECT_EQ(chosen(here, {}).err, "") << "a comment changes nothing";
  here.shell("sed -i 's/0.25/0.2/' laplace.stn");
  const Finished stale = chosen(here, {});
  EXPECT_EQ(stale.status, 0);
  EXPECT_EQ(stale.out, untuned);
  EXPECT_EQ(stale.err,
            "stencilc: warning: `laplace.tune.json` was made for another `laplace2d`, and is not "
            "used [STN0811]\n  help: `stencilc tune` makes it again; `--no-tune` compiles without "
            "it\n");
  EXPECT_EQ(chosen(here, {"-Wno-unused-tuning"}).err, "");
  EXPECT_EQ(chosen(here, {"-Werror=unused-tuning"}).status, 1);
}

TEST(TuneFile, AScheduleThatTheDeviceRefusesIsAWarning) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  const std::string untuned = chosen(here, {}).out;
  here.write("laplace.tune.json",
             tuned(here, "coarsened,threads=32x8,vector=2,coarsen=y4,resident=8").dump());
  EXPECT_EQ(chosen(here, {"--arch=sm_90"}).err, "");
  const Finished weaker = chosen(here, {});
  EXPECT_EQ(weaker.status, 0);
  EXPECT_EQ(weaker.out, untuned);
  EXPECT_EQ(weaker.err.find("stencilc: warning: the schedule for `laplace2d` in "
                            "`laplace.tune.json` is not used: `resident=8` with blocks of 256 "
                            "threads, of which a multiprocessor holds 4 [STN0811]"),
            0u)
      << weaker.err;
  here.write("laplace.tune.json", tuned(here, "faster").dump());
  EXPECT_NE(chosen(here, {}).err.find("there is no schedule `faster`"), std::string::npos);
}

TEST(TuneFile, WhatItHoldsCannotEndTheComment) {
  const Workplace here;
  here.example("laplace");
  test::make_up_gpu(here);
  json file = tuned(here, "coarsened,threads=32x8,vector=2,coarsen=y4");
  file["stencils"][0]["entries"][0]["device"] = "GPU\n#error\\\n*/";
  here.write("laplace.tune.json", file.dump());
  ASSERT_EQ(here.stencilc({"laplace.stn"}).status, 0);
  EXPECT_EQ(read(here.path / "laplace.cu").find("\n#error"), std::string::npos);
  EXPECT_NE(read(here.path / "laplace.cu").find("tuned on GPU%0A%23error%5C%0A"),
            std::string::npos);
}

}  // namespace
}  // namespace stencilc
