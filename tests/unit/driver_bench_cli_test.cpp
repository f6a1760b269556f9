// stencilc bench on the CPU target and tiny grids: that it runs and what it writes. No time decides
// a test.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli.h"

namespace stencilc {
namespace {

using test::Finished;
using test::read;
using test::Workplace;

std::vector<std::string> quick(std::vector<std::string> words) {
  words.insert(words.begin(), "bench");
  words.insert(words.end(), {"--target=cpu", "--sustained=0", "--repeats=1"});
  return words;
}

TEST(Bench, PrintsATableAndWritesTheFiles) {
  const Workplace here;
  here.example("laplace");
  const Finished finished =
      here.stencilc({"bench", "laplace.stn", "--target=cpu", "--size=40x30", "--repeats=2",
                     "--sustained=0.05", "--json=out.json", "--plot=bars.svg", "--roofline=r.png"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_TRUE(finished.out.starts_with("laplace2d: 40 x 30 on ")) << finished.out;
  EXPECT_NE(finished.out.find("8 bytes (4 read, 4 stored), 7 floating-point"), std::string::npos);
  EXPECT_NE(finished.out.find("\nloops "), std::string::npos);
  EXPECT_NE(finished.out.find("sustained"), std::string::npos);
  const auto json = nlohmann::json::parse(read(here.path / "out.json"));
  EXPECT_EQ(json["context"]["extents"], (std::vector<int>{40, 30}));
  EXPECT_EQ(json["context"]["command"].get<std::string>().find("stencilc bench laplace.stn"), 0u);
  ASSERT_EQ(json["benchmarks"].size(), 3u + 3u + 2u);  // copy, bursts, sustained; with medians
  EXPECT_EQ(json["benchmarks"][3]["name"], "laplace2d/40x30/loops");
  EXPECT_GT(json["benchmarks"][3]["cells_per_second"].get<double>(), 0);
  EXPECT_NE(read(here.path / "bars.svg").find(">loops</text>"), std::string::npos);
  EXPECT_TRUE(read(here.path / "r.png").starts_with("\x89PNG"));
}

TEST(Bench, JsonOnStandardOutputIsAlone) {
  const Workplace here;
  here.example("life");
  const Finished finished = here.stencilc(quick({"life.stn", "--size=16x16", "--json=-"}));
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_TRUE(nlohmann::json::parse(finished.out).contains("benchmarks"));
}

TEST(Bench, MakesUpWhatNobodyGave) {
  const Workplace here;
  here.write(
      "s.stn",
      "stencil s { axes x, y; param f32 a; param i32 n; weights w[-1..1]; points src; series "
      "f32 amp(src); field f16 u boundary ghost; field bool b in; field f32 c(y) in; reduce r "
      "= sum(u); u[t+1] = a*sum(i in -1..1 : w[i]*u[x+i]) + (b ? n : 0) + c; inject "
      "u[t+1] += amp[t] at src; }");
  const Finished finished = here.stencilc(quick({"s.stn", "--size=20x10", "--steps=5"}));
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("5 bytes (3 read, 2 stored)"), std::string::npos) << finished.out;
}

TEST(Bench, OnePassIsTimedToo) {
  const Workplace here;
  here.example("conv5x5");
  const Finished finished = here.stencilc(quick({"conv5x5.stn", "--size=33x17"}));
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("2 bytes (1 read, 1 stored)"), std::string::npos) << finished.out;
}

TEST(Bench, TimesEachScheduleOnce) {
  const Workplace here;
  here.write(
      "s.stn",
      "stencil s { axes x, y; field f32 u, v boundary clamp; u[t+1] = 2*u[x-1]; v[t+1] = v + "
      "u[x-1, t+1]; }");
  const auto count = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"s.stn", "--size=20x10", "--json=-"});
    const Finished finished = here.stencilc(quick(words));
    EXPECT_EQ(finished.status, 0) << finished.err;
    int found = 0;
    const auto json = nlohmann::json::parse(finished.out);
    for (const auto& one : json["benchmarks"]) found += one["run_type"] == "aggregate";
    return found - 1;  // the copy
  };
  EXPECT_EQ(count({}), 1);
  EXPECT_EQ(count({"--schedules=all"}), 2);
  EXPECT_EQ(count({"--schedule=loops", "--schedule=loops,stages=split", "--schedule=loops"}), 2);
}

TEST(Bench, WhatIsBuiltAheadIsFound) {
  const Workplace here;
  here.example("laplace");
  const auto libraries = [&] { return here.shell("find cache -name library.so").out; };
  const Finished built = here.stencilc(quick({"laplace.stn", "--size=8x8", "--build-only"}));
  EXPECT_EQ(built.status, 0) << built.err;
  EXPECT_EQ(built.out, "");
  const std::string once = libraries();
  EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 1) << once;
  EXPECT_EQ(here.stencilc(quick({"laplace.stn", "--size=9x7"})).status, 0);
  EXPECT_EQ(libraries(), once);
}

TEST(Bench, RefusesWhatItCannotTime) {
  const Workplace here;
  here.example("laplace");
  here.example("star2d");
  const auto complaint = [&](const std::vector<std::string>& words, int status) {
    const Finished finished = here.stencilc(quick(words));
    EXPECT_EQ(finished.status, status) << finished.err;
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  EXPECT_NE(complaint({"laplace.stn", "--size=4x4x4"}, 1).find("3 extents (4 x 4 x 4) for 2 axes"),
            std::string::npos);
  EXPECT_NE(complaint({"star2d.stn"}, 1).find("choose one of `star2d1`"), std::string::npos);
  EXPECT_NE(complaint({"laplace.stn", "--schedule=fast"}, 1).find("`fast`"), std::string::npos);
  EXPECT_NE(complaint({"laplace.stn", "--param", "q=1"}, 1).find("has no param `q`"),
            std::string::npos);
  EXPECT_NE(complaint({"laplace.stn", "--plot=a.jpg"}, 2).find("a picture ends in .svg or .png"),
            std::string::npos);
  EXPECT_NE(complaint({"laplace.stn", "--schedules=best"}, 2).find("stencilc bench --help"),
            std::string::npos);
  EXPECT_EQ(complaint({"none.stn"}, 3).find("stencilc: error: cannot read `none.stn`"), 0u);
}

TEST(Bench, AProfilerThatIsNotThereIsNamed) {
  const Workplace here;
  here.example("laplace");
  const Finished finished = here.stencilc(quick({"laplace.stn", "--size=8x8", "--ncu"}));
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.err, "stencilc: instructions are counted on a GPU alone\n");
}

}  // namespace
}  // namespace stencilc
