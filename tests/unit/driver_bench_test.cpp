// What `stencilc bench` makes of times: rounds, statistics, tables, JSON, and what compilers and
// profilers say; and what the command does.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driver/bench/json.h"
#include "driver/bench/plots.h"
#include "driver/measure/machine.h"
#include "driver/measure/resources.h"
#include "driver/measure/table.h"
#include "support/cli.h"

namespace stencilc::driver {
namespace {

// A machine that takes so many seconds for a step, and so many more for the first round.
struct Clock {
  double step = 1e-3, loading = 0.5;
  int64_t rounds = 0, refilled = 0, most_runs = 0, most_steps = 0;
  double total = 0;

  Times run(const Timing& timing) {
    Rounds all(timing);
    stencil_round round{};
    for (double seconds = 0; all.next(seconds, round); ++rounds) {
      EXPECT_LT(rounds, 100000);
      EXPECT_GE(round.runs, 1);
      EXPECT_GE(round.steps, 1);
      refilled += round.refill;
      most_runs = std::max(most_runs, round.runs);
      most_steps = std::max(most_steps, round.steps);
      seconds = step * static_cast<double>(round.runs * round.steps) + (rounds == 0 ? loading : 0);
      total += seconds;
    }
    return all.times();
  }
};

TEST(Rounds, ABurstTakesLongEnoughAndIsRepeated) {
  for (const double step : {1e-7, 1e-4, 3e-3, 0.4}) {
    Clock clock{step};
    const Timing timing{.repeats = 5, .sustained = 0};
    const Times times = clock.run(timing);
    ASSERT_EQ(times.bursts.size(), 5u);
    EXPECT_GE(times.median(), timing.burst);
    EXPECT_LE(times.median(), std::max(timing.burst * 2.5, step));
    EXPECT_NEAR(times.median() / static_cast<double>(times.steps), step, step * 1e-6);
    EXPECT_EQ(times.sustained, 0);
    EXPECT_EQ(clock.refilled, 5);
    EXPECT_EQ(clock.most_runs, 1);
    EXPECT_GE(clock.total, clock.loading + timing.warm_up + 5 * timing.burst);
  }
}

TEST(Rounds, OnlyBurstsAreRestedFor) {
  Rounds rounds(rested({.sustained = 1}));
  stencil_round round{};
  double rested_for = 0;
  for (double seconds = 0; rounds.next(seconds, round);) {
    rested_for += round.rest;
    seconds = 1e-3 * static_cast<double>(round.runs * round.steps);
  }
  EXPECT_EQ(rounds.times().bursts.size(), 7u);
  EXPECT_NEAR(rested_for, 7 * 0.1, 1e-9);
}

TEST(Rounds, StepsThatAreGivenAreTakenInEveryRun) {
  Clock clock;
  const Times times = clock.run({.steps = 3, .sustained = 0});
  EXPECT_EQ(clock.most_steps, 3);
  EXPECT_GE(clock.most_runs, 7);  // of 3 ms
  EXPECT_EQ(times.steps % 3, 0);
  EXPECT_NEAR(times.median() / static_cast<double>(times.steps), 1e-3, 1e-9);
}

TEST(Rounds, RunsAreNoLongerThanTheirLimit) {
  Clock clock;
  EXPECT_EQ(clock.run({.most_steps = 8, .sustained = 0}).steps % 8, 0);
  EXPECT_EQ(clock.most_steps, 8);
}

TEST(Rounds, LaunchesOfSeveralStepsAreFull) {
  Clock clock;
  EXPECT_EQ(clock.run({.launch = 11, .sustained = 0.3}).steps % 11, 0);
  EXPECT_EQ(clock.most_steps % 11, 0);
}

TEST(Rounds, WhatIsSustainedIsMeasuredWhenItIsWarm) {
  // From the first half of the sustained time on, a step takes longer.
  Rounds rounds(Timing{.repeats = 3, .sustained = 1});
  stencil_round round{};
  double seconds = 0, since = 0;
  while (rounds.next(seconds, round)) {
    const bool warm = rounds.times().bursts.size() == 3 && since > 0.45;
    seconds = (warm ? 2e-3 : 1e-3) * static_cast<double>(round.runs * round.steps);
    if (rounds.times().bursts.size() == 3) since += seconds;
  }
  const Times times = rounds.times();
  EXPECT_NEAR(times.median() / static_cast<double>(times.steps), 1e-3, 1e-9);
  EXPECT_NEAR(times.sustained / static_cast<double>(times.steps), 2e-3, 1e-9);
  EXPECT_GE(since, 1);
}

TEST(Times, MedianAndSpread) {
  EXPECT_EQ((Times{1, {3, 1, 2}, 0}).median(), 2);
  EXPECT_EQ((Times{1, {4, 1, 2, 3}, 0}).median(), 2.5);
  EXPECT_EQ((Times{1, {3, 1, 2}, 0}).best(), 1);
  EXPECT_EQ((Times{1, {3, 1, 2}, 0}).worst(), 3);
  EXPECT_EQ(Times{}.median(), 0);
}

// 1e9 cells, 8 bytes each; the copy reaches 4000 GB/s.
Report report() {
  return {.place = {"2026-01-31T12:00:00+01:00", "a host", "a device", "580.1", "at most 1980 MHz",
                    "nvcc", "stencilc bench heat.stn", 16},
          .stencil = "heat",
          .extents = {100000, 10000},
          .traffic = {4, 4},
          .arithmetic = {9, 0},
          .copy = {10, {0.01, 0.02, 0.005}, 0},
          .copy_bytes = 4'000'000'000,
          .results = {
              {"naive,threads=32x8", {10, {0.05, 0.04, 0.1}, 0.05}, Resources{32, 0, 48, ""}, {}},
              {"coarsened,threads=128x1,coarsen=y8", {20, {0.05}, 0.08}, {}, 5.25}}};
}

TEST(Report, RatesAreThoseOfTheMedian) {
  const Report made = report();
  EXPECT_DOUBLE_EQ(made.copy_rate(), 4e12);
  EXPECT_DOUBLE_EQ(made.rate(made.results[0], 0.05), 2e11);
  EXPECT_DOUBLE_EQ(made.byte_rate(made.results[0]), 1.6e12);
  EXPECT_DOUBLE_EQ(made.fraction_of_copy(made.results[1]), 0.8);
  EXPECT_EQ(made.naive(), &made.results[0]);
}

TEST(Table, ColumnsAreAligned) {
  EXPECT_EQ(aligned({{"a", "number"}, {"longer", "1"}}), "a       number\nlonger       1\n");
  EXPECT_EQ(
      table(report()),
      "heat: 100000 x 10000 on a device\n"
      "per cell and step: 8 bytes (4 read, 4 stored), 9 floating-point operations\n"
      "copy: 4000 GB/s (bytes read plus bytes written)\n"
      "\n"
      "schedule                            GCells/s  lowest  highest  sustained  GB/s  of copy  x "
      "naive  registers  spilled  warps  instr/cell\n"
      "naive,threads=32x8                     200.0   100.0    250.0      200.0  1600    0.400     "
      "1.00         32        0     48           -\n"
      "coarsened,threads=128x1,coarsen=y8     400.0   400.0    400.0      250.0  3200    0.800     "
      "2.00          -        -      -         5.2\n");
}

TEST(Table, WhatACacheHoldsIsNotHeldAgainstTheCopy) {
  Report made = report();
  made.place.cache = 8'000'000'000;
  EXPECT_TRUE(made.fits_cache());
  const std::string text = table(made);
  test::expect_has(text, {"copy: 4000 GB/s (bytes read plus bytes written)\n"
                          "the grids take 8e+03 MB and fit a cache of 8e+03 MB, so memory "
                          "bandwidth does not limit them; use larger ones (--size)\n\n"});
  test::expect_lacks(text, {"of copy"});
  --made.place.cache;
  EXPECT_FALSE(made.fits_cache());
}

TEST(Table, LeavesOutWhatNobodyKnows) {
  Report made = report();
  made.results.erase(made.results.begin());
  made.results[0].instructions.reset();
  made.results[0].times.sustained = 0;
  const std::string text = table(made);
  for (const char* head : {"naive", "sustained", "registers", "spilled", "warps", "instr"})
    EXPECT_EQ(text.find(head), std::string::npos) << text;
}

TEST(Json, HasTheSchemaOfGoogleBenchmark) {
  const auto json = nlohmann::json::parse(json_of(report()));
  const auto& context = json.at("context");
  for (const char* key : {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu",
                          "cpu_scaling_enabled", "caches", "load_avg", "library_build_type"})
    EXPECT_TRUE(context.contains(key)) << key;
  EXPECT_EQ(context.at("device"), "a device");
  EXPECT_EQ(context.at("json_schema_version"), 1);
  const auto& list = json.at("benchmarks");
  // copy: 3 + median; naive: 3 + median, sustained + median; coarsened: 1 + median, sustained +
  // median
  ASSERT_EQ(list.size(), 4u + 6u + 4u);
  for (const auto& one : list) {
    for (const char* key : {"name", "family_index", "per_family_instance_index", "run_name",
                            "repetitions", "threads", "iterations", "real_time", "cpu_time"})
      EXPECT_TRUE(one.contains(key)) << key;
    EXPECT_EQ(one.at("time_unit"), "ms");
    const bool aggregate = one.at("run_type") == "aggregate";
    EXPECT_EQ(one.contains("aggregate_name"), aggregate);
    EXPECT_EQ(one.contains("repetition_index"), !aggregate);
    EXPECT_EQ(one.at("name").get<std::string>(),
              one.at("run_name").get<std::string>() + (aggregate ? "_median" : ""));
  }
  const auto& second = list.at(5);  // the second burst of the naive schedule
  EXPECT_EQ(second.at("name"), "heat/100000x10000/naive,threads=32x8");
  EXPECT_EQ(second.at("repetition_index"), 1);
  EXPECT_EQ(second.at("iterations"), 10);
  EXPECT_DOUBLE_EQ(second.at("real_time").get<double>(), 4);
  EXPECT_DOUBLE_EQ(second.at("cells_per_second").get<double>(), 2.5e11);
  EXPECT_DOUBLE_EQ(second.at("bytes_per_second").get<double>(), 2e12);
  EXPECT_DOUBLE_EQ(second.at("fraction_of_copy").get<double>(), 0.5);
  EXPECT_EQ(second.at("registers"), 32);
  EXPECT_EQ(second.at("warps_per_multiprocessor"), 48);
  EXPECT_DOUBLE_EQ(list.at(3).at("bytes_per_second").get<double>(), 4e12);  // the copy's median
  EXPECT_EQ(list.at(10).at("instructions_per_cell"), 5.25);
}

TEST(Plots, TheFastestStandsOnTop) {
  const data::BarChart bars = bars_of(report());
  ASSERT_EQ(bars.bars.size(), 2u);
  EXPECT_EQ(bars.bars[0].label, "coarsened,threads=128x1,coarsen=y8");
  EXPECT_DOUBLE_EQ(bars.bars[0].value, 0.8);
  EXPECT_DOUBLE_EQ(bars.bars[0].mark, 0.5);
  EXPECT_EQ(bars.bars[0].note, "400 GCells/s");
  EXPECT_TRUE(bars.bars[1].pale);
  EXPECT_EQ(bars.reference_name, "copy 4000 GB/s");
}

TEST(Plots, TheRooflineCountsOperations) {
  data::Roofline roofline = roofline_of(report());
  EXPECT_DOUBLE_EQ(roofline.bandwidth, 4000);
  EXPECT_DOUBLE_EQ(roofline.points[0].intensity, 9.0 / 8);
  EXPECT_DOUBLE_EQ(roofline.points[0].rate, 3600);
  EXPECT_EQ(roofline.operations, "GFLOP/s");
  Report whole = report();
  whole.arithmetic = {0, 9};
  EXPECT_EQ(roofline_of(whole).operations, "10^9 integer operations/s");
}

TEST(Instructions, AreSummedOverTheKernelsOfTheRun) {
  const std::string table =
      "==PROF== Connected to process 7\n"
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"void stencil::cuda::bench::fill_elements<float>(T1 *, long)\",\"(256, 1, "
      "1)\",\"smsp__inst_executed.sum\",\"inst\",\"9,999\"\n"
      "\"1\",\"void heat::<unnamed>::step<int>(float *, int)\",\"(32, 8, "
      "1)\",\"smsp__inst_executed.sum\",\"inst\",\"1,234,500\"\n"
      "\"2\",\"void heat::<unnamed>::step<int>(float *, int)\",\"(32, 8, "
      "1)\",\"smsp__inst_executed.sum\",\"inst\",\"500\"\n";
  EXPECT_EQ(read_instructions(table), 1235000);
  EXPECT_FALSE(read_instructions("==ERROR== ERR_NVGPUCTRPERM\n"));
}

TEST(Place, TheGpuIsNamedByItsDriver) {
  Place place;
  read_gpu("NVIDIA H200, 580.65.06, 1980 MHz, 3201 MHz, 700.00 W\n", place);
  EXPECT_EQ(place.device, "NVIDIA H200");
  EXPECT_EQ(place.driver, "580.65.06");
  EXPECT_EQ(place.clocks, "at most 1980 MHz SM, 3201 MHz memory, 700.00 W");
  Place unknown;
  read_gpu("command not found", unknown);
  EXPECT_EQ(unknown.driver, "");
}

// ---- stencilc bench on the CPU target and tiny grids: no time decides a test ----

using test::ended;
using test::expect_has;
using test::Finished;

// What is timed on one thread.
class TimedPlace : public test::Workplace {
 public:
  TimedPlace() { threads = 1; }
  TimedPlace(const std::string& name, const std::string& text) : TimedPlace() { write(name, text); }
};

const std::string kQuick = " --target=cpu --sustained=0 --repeats=1 ";

TEST(Bench, PrintsATableAndWritesTheFiles) {
  TimedPlace here;
  here.own_cache = true;
  here.example("laplace");
  // What is built ahead is found, whatever the size.
  const auto libraries = [&] { return here.shell("find cache -name library.so").out; };
  EXPECT_EQ(ended(here.stencilc("bench laplace.stn --size=8x8 --build-only" + kQuick)).out, "");
  const std::string once = libraries();
  EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 1) << once;
  const Finished finished = ended(here.stencilc(
      "bench laplace.stn --target=cpu --size=40x30 --repeats=2 --sustained=0.05 --json=out.json "
      "--plot=bars.svg --roofline=r.png"));
  EXPECT_EQ(finished.err, "");
  test::expect_begins(finished.out, "laplace2d: 40 x 30 on ");
  expect_has(finished.out,
             {"8 bytes (4 read, 4 stored), 7 floating-point", "\nloops ", "sustained"});
  const auto json = nlohmann::json::parse(here.read("out.json"));
  EXPECT_EQ(json["context"]["extents"], (std::vector<int>{40, 30}));
  EXPECT_EQ(json["context"]["command"].get<std::string>().find("stencilc bench laplace.stn"), 0u);
  ASSERT_EQ(json["benchmarks"].size(), 3u + 3u + 2u);  // copy, bursts, sustained; with medians
  EXPECT_EQ(json["benchmarks"][3]["name"], "laplace2d/40x30/loops");
  EXPECT_GT(json["benchmarks"][3]["cells_per_second"].get<double>(), 0);
  expect_has(here.read("bars.svg"), {">loops</text>"});
  test::expect_begins(here.read("r.png"), "\x89PNG");
  const Finished alone =
      ended(here.stencilc("bench laplace.stn --size=9x7 --ncu --json=-" + kQuick));
  EXPECT_TRUE(nlohmann::json::parse(alone.out).contains("benchmarks"));
  EXPECT_EQ(alone.err, "stencilc: instructions are counted on a GPU only\n");
  EXPECT_EQ(libraries(), once);
}

TEST(Bench, MakesUpWhatNobodyGaveAndTimesOnePassToo) {
  const TimedPlace here(
      "s.stn",
      "stencil s { axes x, y; param f32 a; param i32 n; weights w[-1..1]; points src; series "
      "f32 amp(src); field f16 u boundary ghost; field bool b in; field f32 c(y) in; reduce r "
      "= sum(u); u[t+1] = a*sum(i in -1..1 : w[i]*u[x+i]) + (b ? n : 0) + c; inject "
      "u[t+1] += amp[t] at src; }");
  here.example("conv5x5");
  for (const auto& [words, bytes] :
       {std::pair("s.stn --size=20x10 --steps=5", "5 bytes (3 read, 2 stored)"),
        {"conv5x5.stn --size=33x17", "2 bytes (1 read, 1 stored)"}}) {
    expect_has(ended(here.stencilc("bench " + std::string(words) + kQuick)).out, {bytes});
  }
}

TEST(Bench, TimesEachScheduleOnce) {
  const TimedPlace here("s.stn", test::kTwoStages);
  const auto count = [&](const std::string& words) {
    const Finished finished =
        ended(here.stencilc("bench s.stn --size=20x10 --json=- " + words + kQuick));
    int found = 0;
    const auto json = nlohmann::json::parse(finished.out);
    for (const auto& one : json["benchmarks"]) found += one["run_type"] == "aggregate";
    return found - 1;  // the copy
  };
  EXPECT_EQ(count("--schedules=all"), 2);
  EXPECT_EQ(count("--schedule=loops --schedule=loops,stages=split --schedule=loops"), 2);
}

TEST(Bench, RefusesWhatItCannotTime) {
  const TimedPlace here;
  here.example("laplace");
  here.example("star2d");
  const auto command = [&](const std::string& words) {
    return here.stencilc("bench " + words + kQuick);
  };
  test::expect_refused(command, R"(
    laplace.stn --size=4x4x4     => 1 => ...3 extents (4 x 4 x 4) for 2 axes...
    star2d.stn                   => 1 => ...choose one of `star2d1`...
    laplace.stn --schedule=fast  => 1 => ...`fast`...
    laplace.stn --param q=1      => 1 => ...has no param `q`...
    laplace.stn --plot=a.jpg     => 2 => ...the name of a picture has to end in .svg or .png...
    laplace.stn --schedules=best => 2 => ...stencilc bench --help...
    none.stn                     => 3 => stencilc: error: cannot read `none.stn`...
  )");
}

}  // namespace
}  // namespace stencilc::driver
