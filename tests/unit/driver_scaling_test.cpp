// stencilc bench --devices: the table, the plot and the JSON of figures that are given, and runs on
// the CPU target, where the pieces are in memory.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driver/bench/json.h"
#include "driver/bench/scaling_report.h"
#include "support/cli.h"

namespace stencilc::driver {
namespace {

using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::Workplace;

// Two steps a burst.
Times times_of(std::vector<double> milliseconds) {
  Times times;
  times.steps = 2;
  for (const double one : milliseconds) times.bursts.push_back(2e-3 * one);
  return times;
}

ScalingReport given_report() {
  ScalingReport report;
  report.stencil = "heat";
  report.place.device = "GPU of a test";
  report.schedule = report.alone = "naive";
  report.rows = {{false, 1, {1000, 1000}, times_of({4, 5, 6})},
                 {false, 2, {1000, 1000}, times_of({3.125})},
                 {true, 1, {1000, 1000}, times_of({5})},
                 {true, 2, {1000, 2000}, times_of({6.25, 6.25})},
                 {true, 4, {1000, 4000}, times_of({10})}};
  return report;
}

TEST(Scaling, TheTableHasTheEfficiencyOfEachNumberOfDevices) {
  EXPECT_EQ(table(given_report()),
            "heat on GPU of a test, schedule naive\n"
            "\n"
            "scaling  devices         grid  ms a step  lowest  highest  GCells/s  efficiency\n"
            "strong         1  1000 x 1000          5       4        6       0.2     100.0 %\n"
            "strong         2  1000 x 1000      3.125   3.125    3.125      0.32      80.0 %\n"
            "weak           1  1000 x 1000          5       5        5       0.2     100.0 %\n"
            "weak           2  1000 x 2000       6.25    6.25     6.25      0.32      80.0 %\n"
            "weak           4  1000 x 4000         10      10       10       0.4      50.0 %\n");
  ScalingReport report = given_report();
  report.alone = "coarsened";
  report.in_memory = true;
  expect_has(table(report), {"on one device: schedule coarsened\n",
                             "one after the other: this is no measure of several devices\n"});
}

TEST(Scaling, ThePlotHasABarForEachLine) {
  const data::BarChart chart = bars_of(given_report());
  ASSERT_EQ(chart.bars.size(), 5u);
  EXPECT_EQ(chart.reference, 1);
  EXPECT_EQ(chart.bars[0].label, "strong, 1 device, 1000 x 1000");
  EXPECT_TRUE(chart.bars[0].pale);
  EXPECT_EQ(chart.bars[4].label, "weak, 4 devices, 1000 x 4000");
  EXPECT_NEAR(chart.bars[4].value, 0.5, 1e-12);
  EXPECT_EQ(chart.bars[4].note, "50.0 %, 0.4 GCells/s");
  EXPECT_FALSE(chart.bars[4].pale);
}

TEST(Scaling, TheJsonHasABenchmarkForEachLine) {
  const auto json = nlohmann::json::parse(json_of(given_report()));
  EXPECT_EQ(json["context"]["stencil"], "heat");
  const auto& list = json["benchmarks"];
  ASSERT_EQ(list.size(), (3u + 1) + 2 + 2 + 3 + 2);  // bursts, and a median of each
  EXPECT_EQ(list[0]["name"], "heat/1000x1000/strong/1");
  EXPECT_NEAR(list[0]["real_time"], 4, 1e-9);
  EXPECT_NEAR(list[0]["cells_per_second"], 0.25e9, 1);
  EXPECT_EQ(list[5]["name"], "heat/1000x1000/strong/2_median");
  EXPECT_NEAR(list[5]["efficiency"], 0.8, 1e-12);
  EXPECT_EQ(list.back()["devices"], 4);
  EXPECT_EQ(list.back()["scaling"], "weak");
}

TEST(Scaling, OneDeviceIsAlwaysTimedToo) {
  const Workplace here("s.stn", test::kTwoStages);
  const std::string run =
      "bench s.stn --target=cpu --size=40x20 --repeats=1 --schedule=loops --devices ";
  const std::string text = ended(here.stencilc(run + "3 --plot=p.svg --json=j.json")).out;
  expect_has(text, {"s on ", "schedule loops\n", "no measure of several devices",
                    "\nstrong         1  40 x 20 ", "\nstrong         3  40 x 20 ",
                    "\nweak           1  40 x 20 ", "\nweak           3  40 x 60 "});
  expect_has(here.read("p.svg"), {"weak, 3 devices, 40 x 60", "efficiency"});
  EXPECT_EQ(nlohmann::json::parse(here.read("j.json"))["benchmarks"].size(), 8u);
  const std::string weak = ended(here.stencilc(run + "3 --weak")).out;
  expect_has(weak, {"\nweak           1  ", "\nweak           3  "});
  expect_lacks(weak, {"strong"});
  // Each of 20 rows in a piece, and one too few.
  test::expect_refused(here, run, R"(
    21 --strong => 1 => ...on 21 devices, 40 x 20: `s`: of 20 planes in 21 pieces, the thinnest piece has 0, and its neighbours read 0 of them...
  )");
}

TEST(Scaling, OptionsThatDoNotGoTogetherAreRefused) {
  const Workplace here("s.stn", test::kTwoStages);
  test::expect_refused(here, "bench s.stn --target=cpu ", R"(
    --weak                                => 2 => ...`--strong` and `--weak` go with `--devices`...
    --devices 0                           => 2 => ...`--devices 0`: write numbers of devices from 1 to 1024, such as 1,2,4...
    --devices 1,                          => 2 => ...`--devices 1,`: write numbers...
    --devices 2 --schedules=all           => 2 => ...`--devices` times one schedule on several GPUs; leave out `--schedules`...
    --devices 2 --schedule=a --schedule=b => 2 => ...`--devices` times one schedule on several GPUs; give one `--schedule`...
    --devices 2 --roofline=r.svg          => 2 => ...leave out `--roofline`...
    --devices 2 --ncu                     => 2 => ...leave out `--ncu`...
  )");
}

}  // namespace
}  // namespace stencilc::driver
