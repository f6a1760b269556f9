// The parts of `stencilc tune`: the tune file, and measurements in a process of their own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "diag/render.h"
#include "driver/bench_apart.h"
#include "driver/bench_rounds.h"
#include "driver/tuning_file.h"
#include "driver/tuning_json.h"

namespace stencilc::driver {
namespace {

TunedEntry entry(const std::string& arch, std::vector<int64_t> size, const std::string& schedule) {
  return {arch, "GPU", std::move(size), schedule, 2.5, 0.75, "naive", 2, 7, "2026-01-31"};
}

const char* const kText = R"({
  "version": 1,
  "stencils": [
    {"stencil": "s", "digest": "00ff",
     "entries": [
       {"arch": "sm_90", "device": "GPU", "size": [64, 32], "schedule": "naive",
        "gcells": 2.5, "fraction_of_copy": 0.75,
        "chosen": {"schedule": "coarsened", "gcells": 2},
        "tried": 7, "date": "2026-01-31"}]}]})";

// The first complaint about the text, or "".
std::string complaint(const std::string& text) {
  const diag::Sources sources = {{"s.stn", ""}, {"s.tune.json", text}};
  diag::Engine engine;
  Tuning tuning;
  const bool read = read_tuning(sources, 1, tuning, engine);
  EXPECT_EQ(read, !engine.has_errors());
  if (read) return "";
  const std::string shown = diag::render_gnu(engine.all()[0], sources, false);
  return shown.substr(0, shown.find('\n'));
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kText;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(TuningJson, WhatIsWrittenIsRead) {
  Tuning tuning;
  put_entry(tuning, "s", "1", entry("sm_90", {64, 32}, "naive"));
  put_entry(tuning, "s", "1", entry("cpu", {64}, "loops \"\\\n\xff"));
  put_entry(tuning, "r", "2", entry("sm_80", {1, 2, 3}, "coarsened"));
  const std::string text = json_of(tuning);
  const diag::Sources sources = {{"s.tune.json", text}};
  diag::Engine engine;
  Tuning again;
  ASSERT_TRUE(read_tuning(sources, 0, again, engine)) << text;
  EXPECT_EQ(again.file, "s.tune.json");
  EXPECT_EQ(json_of(again), text);
  ASSERT_EQ(again.stencils.size(), 2u);
  const TunedEntry& one = again.stencils[0].entries[0];
  EXPECT_EQ(one.size, (std::vector<int64_t>{64, 32}));
  EXPECT_EQ(one.gcells, 2.5);
  EXPECT_EQ(one.fraction_of_copy, 0.75);
  EXPECT_EQ(one.chosen_schedule, "naive");
  EXPECT_EQ(one.tried, 7);
}

TEST(TuningJson, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_EQ(complaint(kText), "");
  const std::string code = " [STN0604]";
  EXPECT_EQ(complaint("[]"), "s.tune.json:1:1: error: an object is expected here" + code);
  EXPECT_EQ(complaint(""), "s.tune.json:1:1: error: this is not JSON" + code);
  EXPECT_EQ(complaint("{\n\"version\": 1,\n\"stencils\": [,]}"),
            "s.tune.json:3:14: error: this is not JSON" + code);
  EXPECT_EQ(complaint(changed("\"version\": 1", "\"version\": 2")),
            "s.tune.json:2:3: error: `version` is another than 1" + code);
  EXPECT_EQ(complaint(changed("\"digest\"", "\"digestion\"")),
            "s.tune.json:4:5: error: there is no `digest` here" + code);
  EXPECT_EQ(complaint(changed("\"sm_90\"", "90")),
            "s.tune.json:6:9: error: `arch` is no string" + code);
  for (const char* size : {"[]", "[1,2,3,4]", "[0]", "[1.5]", "[\"1\"]", "64", "[1e30]", "[-1]"})
    EXPECT_EQ(complaint(changed("[64, 32]", size)),
              "s.tune.json:6:43: error: `size` is no list of extents" + code)
        << size;
  EXPECT_EQ(complaint(changed("2.5", "-2.5")),
            "s.tune.json:7:9: error: `gcells` is no number from 0 on" + code);
  EXPECT_EQ(complaint(changed("{\"schedule\": \"coarsened\", \"gcells\": 2}", "2")),
            "s.tune.json:8:9: error: an object is expected here" + code);
  EXPECT_EQ(complaint("{\"version\": 1,\n \"stencils\": {}}"),
            "s.tune.json:2:2: error: `stencils` is no list" + code);
  EXPECT_EQ(complaint("{\"version\": 1,\n \"stencils\": [1]}"),
            "s.tune.json:2:2: error: an object is expected here" + code);
  EXPECT_EQ(complaint(std::string(100000, '[')).find("s.tune.json:1:"), 0u);
}

TEST(TuningJson, EveryBeginningOfAFileIsDamaged) {
  const std::string text = kText;
  for (size_t end = 0; end < text.size(); ++end)
    EXPECT_NE(complaint(text.substr(0, end)), "") << end;
  // Every byte may be another: it is read, or refused.
  for (size_t at = 0; at < text.size(); ++at)
    for (const char c : {'\0', '"', '{', '9', '\xff'}) {
      std::string other = text;
      other[at] = c;
      complaint(other);
    }
}

TEST(Tuning, TheNearestSizeOfTheArchitectureIsTaken) {
  TunedStencil stencil{"s", "1", {}};
  stencil.entries = {entry("sm_90", {1000, 1000}, "a"), entry("sm_90", {10, 10}, "b"),
                     entry("sm_80", {100, 100}, "c"), entry("cpu", {100, 100}, "d")};
  const auto found = [&](const std::vector<std::string>& archs, std::vector<int64_t> size) {
    const TunedEntry* one = find_entry(stencil, archs, size);
    return one ? one->schedule : "none";
  };
  EXPECT_EQ(found({"sm_90"}, {}), "a");
  EXPECT_EQ(found({"sm_90"}, {99, 99}), "b");
  EXPECT_EQ(found({"sm_90"}, {101, 101}), "a");
  EXPECT_EQ(found({"sm_90"}, {5}), "b");
  EXPECT_EQ(found({"sm_80"}, {5}), "c");
  EXPECT_EQ(found({"sm_80", "sm_90"}, {10, 10}), "b");
  EXPECT_EQ(found({"sm_80", "cpu"}, {100, 100}), "c");
  EXPECT_EQ(found({"cpu", "sm_80"}, {100, 100}), "d");
  EXPECT_EQ(found({"sm_75"}, {}), "none");
}

TEST(Tuning, AnEntryTakesThePlaceOfItsOwn) {
  Tuning tuning;
  put_entry(tuning, "s", "1", entry("sm_90", {64, 32}, "a"));
  put_entry(tuning, "s", "1", entry("sm_90", {32, 64}, "b"));
  put_entry(tuning, "s", "1", entry("sm_80", {64, 32}, "c"));
  put_entry(tuning, "s", "1", entry("sm_90", {64, 32}, "d"));
  ASSERT_EQ(tuning.stencils.size(), 1u);
  const std::vector<TunedEntry>& entries = find_tuned(tuning, "s")->entries;
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].schedule, "d");
  EXPECT_EQ(find_tuned(tuning, "r"), nullptr);
  put_entry(tuning, "s", "2", entry("sm_90", {64, 32}, "e"));
  EXPECT_EQ(find_tuned(tuning, "s")->digest, "2");
  EXPECT_EQ(find_tuned(tuning, "s")->entries.size(), 1u);
}

TEST(Tuning, TheFileStandsBesideTheProgram) {
  EXPECT_EQ(tune_file_of("a/laplace.stn"), "a/laplace.tune.json");
  EXPECT_EQ(tune_file_of("heat.v2.stn"), "heat.v2.tune.json");
  EXPECT_EQ(tune_file_of("-"), "");
}

const auto kAlways = [] { return true; };

TEST(MeasureApart, WhatEndsOrHangsIsOneOfMany) {
  const auto measure = [](size_t n) -> Measured {
    if (n == 1) std::abort();
    if (n == 2) std::this_thread::sleep_for(std::chrono::seconds(60));
    if (n == 3) _exit(0);
    if (n == 4) throw std::runtime_error("thrown");
    if (n == 5) return {0, 0, "two\nlines"};
    return {1.25 + static_cast<double>(n), ~uint64_t{0} - n, ""};
  };
  const std::vector<Measured> all = measure_apart(8, measure, 0.5, kAlways);
  ASSERT_EQ(all.size(), 8u);
  for (const size_t n : {0u, 6u, 7u}) {
    EXPECT_EQ(all[n].problem, "");
    EXPECT_EQ(all[n].seconds, 1.25 + static_cast<double>(n));
    EXPECT_EQ(all[n].checksum, ~uint64_t{0} - n);
  }
  EXPECT_EQ(all[1].problem, "it ended by signal 6");
  EXPECT_EQ(all[2].problem, "it did not end in time");
  EXPECT_EQ(all[3].problem, "it ended the process");
  EXPECT_EQ(all[4].problem, "thrown");
  EXPECT_EQ(all[5].problem, "two lines");
}

TEST(MeasureApart, OneProcessMeasuresUntilSomethingFails) {
  int measured = 0;
  const auto measure = [&](size_t n) -> Measured {
    ++measured;
    return {static_cast<double>(measured), 0, n == 2 ? "failed" : ""};
  };
  const std::vector<Measured> all = measure_apart(5, measure, 10, kAlways);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[1].seconds, 2);
  EXPECT_EQ(all[3].seconds, 1) << "what failed may have spoilt the device for its process";
  EXPECT_EQ(all[4].seconds, 2);
  EXPECT_EQ(measured, 0);
}

TEST(MeasureApart, EndsWhereItShallNotGoOn) {
  int asked = 0;
  const auto measure = [](size_t) { return Measured{1, 0, ""}; };
  EXPECT_EQ(measure_apart(5, measure, 10, [&] { return ++asked <= 3; }).size(), 3u);
  EXPECT_TRUE(measure_apart(5, measure, 10, [] { return false; }).empty());
  EXPECT_TRUE(measure_apart(0, measure, 10, kAlways).empty());
}

TEST(BenchRounds, WhatIsTooSlowIsGivenUp) {
  const auto bursts = [](double seconds_of_step, double give_up) {
    Timing timing;
    timing.sustained = 0;
    timing.give_up = give_up;
    Rounds rounds(timing);
    stencil_round round{};
    double total = 0;
    for (double seconds = 0; rounds.next(seconds, round); total += seconds)
      seconds = seconds_of_step * static_cast<double>(round.runs * round.steps);
    EXPECT_NEAR(rounds.times().median() / static_cast<double>(rounds.times().steps),
                seconds_of_step, 1e-9);
    return rounds.times().bursts.size();
  };
  EXPECT_EQ(bursts(0.001, 0), 7u);
  EXPECT_EQ(bursts(0.001, 0.002), 7u);
  EXPECT_EQ(bursts(0.003, 0.002), 1u);
  EXPECT_EQ(bursts(3, 0.002), 1u);
}

// Steps that are left of launches of 11 take ten times as long as theirs.
TEST(BenchRounds, LaunchesOfSeveralStepsAreGivenTime) {
  Timing timing;
  timing.sustained = 0;
  timing.give_up = 3e-4;
  Rounds rounds(timing);
  stencil_round round{};
  for (double seconds = 0; rounds.next(seconds, round);)
    seconds = static_cast<double>(round.runs) * (1e-4 * static_cast<double>(round.steps / 11 * 11) +
                                                 1e-3 * static_cast<double>(round.steps % 11));
  EXPECT_EQ(rounds.times().bursts.size(), 7u);
  EXPECT_LT(rounds.times().median() / static_cast<double>(rounds.times().steps), 2e-4);
}

}  // namespace
}  // namespace stencilc::driver
