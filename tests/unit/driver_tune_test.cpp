// `stencilc tune`: the tune file, measurements in a process of their own, and the command.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "diag/render.h"
#include "driver/cli/tuning_file.h"
#include "driver/execute/library.h"
#include "driver/measure/isolated_process.h"
#include "driver/measure/rounds.h"
#include "driver/pipeline/tuning_text.h"
#include "support/made_up_gpu.h"

namespace stencilc::driver {
namespace {

TunedEntry entry(const std::string& arch, std::vector<int64_t> size, const std::string& schedule,
                 int devices = 1) {
  return {arch, "GPU", std::move(size), schedule, 2.5, 0.75, "naive", 2, 7, "2026-01-31", devices};
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
  put_entry(tuning, "r", "2", entry("sm_80", {1, 2, 3}, "coarsened", 4));
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
  EXPECT_EQ(one.devices, 1);
  EXPECT_EQ(again.stencils[1].entries[0].devices, 4);
}

TEST(TuningJson, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_EQ(complaint(kText), "");
  struct {
    const char *from, *to, *says;  // from nothing: all of it
  } const rows[] = {
      {"", "[]", "1:1: error: an object is expected here"},
      {"", "", "1:1: error: this is not JSON"},
      {"", "{\n\"version\": 1,\n\"stencils\": [,]}", "3:14: error: this is not JSON"},
      {"\"version\": 1", "\"version\": 2", "2:3: error: `version` is not 1"},
      {"\"digest\"", "\"digestion\"", "4:5: error: there is no `digest` here"},
      {"\"sm_90\"", "90", "6:9: error: `arch` is not a string"},
      {"\"tried\"", "\"devices\": 0.5, \"tried\"",
       "9:9: error: `devices` is not a whole number of at least 1"},
      {"2.5", "-2.5", "7:9: error: `gcells` is not a number of at least 0"},
      {"{\"schedule\": \"coarsened\", \"gcells\": 2}", "2",
       "8:9: error: an object is expected here"},
      {"", "{\"version\": 1,\n \"stencils\": {}}", "2:2: error: `stencils` is not a list"},
      {"", "{\n\"version\": 1e99999}", "2:18: error: this number is too large"},
      {"2.5", "-1e99999", "7:26: error: this number is too large"},
      {"", "{\"version\": 1,\n \"stencils\": [1]}", "2:2: error: an object is expected here"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(complaint(*row.from ? changed(row.from, row.to) : row.to),
              "s.tune.json:" + std::string(row.says) + " [STN0604]")
        << row.to;
  for (const char* size : {"[]", "[1,2,3,4]", "[0]", "[1.5]", "[\"1\"]", "64", "[1e30]", "[-1]"})
    EXPECT_EQ(complaint(changed("[64, 32]", size)),
              "s.tune.json:6:43: error: `size` is not a list of extents [STN0604]")
        << size;
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

// Of several devices: first what was tuned for as many, then for a grid like a piece.
TEST(Tuning, PiecesAreTunedApart) {
  TunedStencil stencil{"s", "1", {entry("cpu", {100, 100}, "a"), entry("cpu", {100, 25}, "b")}};
  const auto found = [&](std::vector<int64_t> size, int devices) {
    const TunedEntry* one = find_entry(stencil, {"cpu"}, size, devices);
    return one ? one->schedule : "none";
  };
  EXPECT_EQ(found({100, 100}, 1), "a");
  EXPECT_EQ(found({100, 100}, 4), "b");
  stencil.entries.push_back(entry("cpu", {10, 10}, "c", 2));
  stencil.entries.push_back(entry("cpu", {1000, 10}, "d", 2));
  stencil.entries.push_back(entry("cpu", {1000, 1000}, "e", 8));
  EXPECT_EQ(found({100, 100}, 1), "a");
  EXPECT_EQ(found({11, 11}, 2), "c");
  EXPECT_EQ(found({1000, 11}, 2), "d");
  EXPECT_EQ(found({10, 10}, 8), "e");
  stencil.entries.erase(stencil.entries.begin(), stencil.entries.begin() + 2);
  EXPECT_EQ(found({10, 10}, 1), "none");
}

TEST(Tuning, AnEntryTakesThePlaceOfItsOwn) {
  Tuning tuning;
  put_entry(tuning, "s", "1", entry("sm_90", {64, 32}, "a"));
  put_entry(tuning, "s", "1", entry("sm_90", {32, 64}, "b"));
  put_entry(tuning, "s", "1", entry("sm_80", {64, 32}, "c"));
  put_entry(tuning, "s", "1", entry("sm_90", {64, 32}, "d"));
  put_entry(tuning, "s", "1", entry("sm_90", {64, 32}, "f", 2));
  put_entry(tuning, "s", "1", entry("sm_90", {64, 32}, "g", 2));
  ASSERT_EQ(tuning.stencils.size(), 1u);
  const std::vector<TunedEntry>& entries = find_tuned(tuning, "s")->entries;
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].schedule, "d");
  EXPECT_EQ(entries[3].schedule, "g");
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
  EXPECT_EQ(all[1].problem, "it was ended by signal 6");
  EXPECT_EQ(all[2].problem, "it took too long");
  EXPECT_EQ(all[3].problem, "its process exited");
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

// GNU's OpenMP lets a child wait for threads that only its parent has.
TEST(MeasureApart, WhatIsMeasuredMayHaveRunHereWithThreads) {
  const char* const source =
      "extern \"C\" int threads() { int n = 0;\n"
      "#pragma omp parallel num_threads(2) reduction(+ : n)\n"
      "  ++n; return n; }";
  const Library library =
      build_plugin("threads", source, {{"c++", "-fopenmp", "-fPIC", "-shared"}, ".cpp", ""});
  ASSERT_EQ(library.problem, "");
  // find_function() would set how the threads of this process wait.
  void* const loaded = dlopen(library.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << dlerror();
  auto* const threads = reinterpret_cast<int (*)()>(dlsym(loaded, "threads"));
  ASSERT_NE(threads, nullptr);
  ASSERT_EQ(threads(), 2);
  const auto measure = [&](size_t) { return Measured{static_cast<double>(threads()), 0, ""}; };
  const std::vector<Measured> all = measure_apart(1, measure, 5, kAlways);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].problem, "");
  EXPECT_EQ(all[0].seconds, 2);
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
    Rounds rounds(Timing{.sustained = 0, .give_up = give_up});
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
  Rounds rounds(Timing{.sustained = 0, .give_up = 3e-4});
  stencil_round round{};
  for (double seconds = 0; rounds.next(seconds, round);)
    seconds = static_cast<double>(round.runs) * (1e-4 * static_cast<double>(round.steps / 11 * 11) +
                                                 1e-3 * static_cast<double>(round.steps % 11));
  EXPECT_EQ(rounds.times().bursts.size(), 7u);
  EXPECT_LT(rounds.times().median() / static_cast<double>(rounds.times().steps), 2e-4);
}

// ---- stencilc tune, on a made-up GPU and on the CPU target, and compiles that read what it wrote
// ----

using nlohmann::json;
using test::ended;
using test::expect_begins;
using test::expect_has;
using test::expect_lacks;
using test::Finished;

// A made-up GPU with laplace.stn.
class Tuned : public test::Workplace {
 public:
  Tuned() {
    own_cache = true;
    example("laplace");
    test::make_up_gpu(*this);
  }
  Finished tune(const std::string& words) const {
    return test::beside_made_up_gpu(*this, "exec '" STENCILC_BINARY "' tune " + words);
  }
  json file() const { return json::parse(read("laplace.tune.json")); }
  // A tune file, of which the test says the schedule and what else differs.
  json made(const std::string& schedule) const {
    ended(tune("laplace.stn --trials 1 --size 64x64 -o base"));
    json all = json::parse(read("base"));
    // The only one that was tried is the choice, and timed once.
    json& entry = all["stencils"][0]["entries"][0];
    EXPECT_EQ(entry["schedule"], entry["chosen"]["schedule"]);
    EXPECT_EQ(entry["gcells"], entry["chosen"]["gcells"]);
    entry["schedule"] = schedule;
    return all;
  }
  void put(const json& all) const { write("laplace.tune.json", all.dump()); }
  // What a compile chooses, and its second line where that came from a tune file.
  Finished chosen(const std::string& words = "") const {
    return stencilc("laplace.stn --emit=schedule " + words);
  }
};

TEST(Tune, FindsTheFastestScheduleThatRuns) {
  const Tuned here;
  std::string own = here.chosen("--arch=sm_90 --size=1000x1000").out;
  own = own.substr(0, own.find('\n'));
  const Finished found = ended(here.tune("laplace.stn --size 1000x1000 --jobs 4"));
  expect_begins(found.out, "laplace2d: 1000 x 1000 on Made-up GPU\ncopy: 4000 GB/s");
  const json file = here.file();
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
  expect_has(found.err, {"its results differ from those of the compiler's own choice",
                         "it was ended by signal 6", "`nvcc` failed: no room\n"});
  expect_lacks(found.err, {"spills"});
  // Each schedule is built once, and none whose planes are larger than a box.
  std::vector<std::string> lines = testing::lines_of(here.read("built"));
  EXPECT_LE(lines.size(), entry["tried"].get<size_t>());
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end());
  // No kernel of it gains by a limit of registers, so it would be the same code.
  expect_lacks(here.read("built"), {"registers="});

  EXPECT_EQ(here.stencilc("laplace.stn --arch=sm_90 -MD").err, "");
  expect_has(here.read("laplace.cu"),
             {"// Schedule: coarsened,threads=128x2,vector=2,coarsen=y8\n"
              "//   tuned on Made-up GPU at 1000 x 1000 (laplace.tune.json): 1.600 times "
              "as fast as the compiler's\n"
              "//   own choice, " +
              own + "\n"});
  EXPECT_EQ(here.read("laplace.d"), "laplace.cu: laplace.stn laplace.tune.json\n");
  expect_has(here.stencilc("laplace.stn --explain").out, {"tuned on Made-up GPU at 1000"});
}

TEST(Tune, TriesAsManySchedulesAsItMay) {
  const Tuned here;
  for (const int trials : {1, 5}) {
    ended(here.tune("laplace.stn --size 64x64 --jobs 3 --trials " + std::to_string(trials)));
    const json file = here.file();
    ASSERT_EQ(file["stencils"][0]["entries"].size(), 1u);
    EXPECT_EQ(file["stencils"][0]["entries"][0]["tried"], trials);
  }
}

TEST(Tune, AnInterruptedSearchKeepsWhatItFound) {
  const Tuned here;
  here.shell("sed -i '3i [ \"$(cat built 2>/dev/null | wc -l)\" != 10 ] || kill -INT $PPID' nvcc");
  ended(here.tune("laplace.stn --size 64x64 --jobs 1"));
  const int tried = here.file()["stencils"][0]["entries"][0]["tried"];
  EXPECT_GE(tried, 9);
  EXPECT_LE(tried, 11);
  here.shell("rm -r cache built *.json; sed -i '3s/10/0/' nvcc");
  expect_has(ended(here.tune("laplace.stn --size 64x64 --jobs 1"), 1).err,
             {"the search ended before it measured a schedule"});
  EXPECT_FALSE(here.exists("laplace.tune.json"));
}

TEST(Tune, KeepsWhatOtherSizesAndStencilsHave) {
  const Tuned here;
  here.write("laplace.tune.json",
             R"({"version": 1, "stencils": [{"stencil": "other", "digest": "0", "entries": []}]})");
  for (const std::string size : {"64x64", "96x96", "64x64"})
    ASSERT_EQ(here.tune("laplace.stn --trials 1 --size " + size).err, "");
  json file = here.file();
  ASSERT_EQ(file["stencils"].size(), 2u);
  EXPECT_EQ(file["stencils"][0]["stencil"], "other");
  EXPECT_EQ(file["stencils"][1]["entries"].size(), 2u);
  // Of another text nothing is kept.
  here.shell("sed -i 's/0.25/0.2/' laplace.stn");
  ASSERT_EQ(here.tune("laplace.stn --trials 1 --size 32x32").err, "");
  EXPECT_EQ(here.file()["stencils"][1]["entries"].size(), 1u);
}

TEST(Tune, TheStagesOnTheCpu) {
  test::Workplace here("s.stn", test::kTwoStages);
  here.threads = 1;
  ended(here.stencilc("tune s.stn --target=cpu --size=40x30 --repeats=1 --jobs=1"));
  const json entry = json::parse(here.read("s.tune.json"))["stencils"][0]["entries"][0];
  EXPECT_EQ(entry["arch"], "cpu");
  EXPECT_EQ(entry["tried"], 2);
  EXPECT_EQ(entry["schedule"].get<std::string>().find("loops"), 0u);
  EXPECT_GT(entry["gcells"], 0);
  // It is for the CPU alone.
  expect_has(here.stencilc("s.stn --target=cpu --explain").out, {"tuned on"});
  expect_lacks(here.stencilc("s.stn --explain").out, {"tuned on"});

  // In pieces it is another program, whose schedules have the same bits, too.
  const Finished pieces =
      ended(here.stencilc("tune s.stn --target=cpu --size=40x30 --repeats=1 --devices=3"));
  EXPECT_EQ(pieces.err, "");
  expect_has(pieces.out, {"s: 40 x 30 on 3 devices: ", "tried 2 schedules", "; 0 of them did not"});
  const json entries = json::parse(here.read("s.tune.json"))["stencils"][0]["entries"];
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0], entry);
  EXPECT_EQ(entries[1]["devices"], 3);
  expect_has(here.stencilc("s.stn --target=cpu --explain --devices 3").out,
             {"tuned in 3 pieces on"});
  expect_lacks(here.stencilc("s.stn --target=cpu --explain").out, {"in 3 pieces"});
}

TEST(Tune, RefusesWhatItCannotTune) {
  const Tuned here;
  const auto command = [&](const std::string& words) { return here.tune(words); };
  test::expect_refused(command, R"(
    laplace.stn --target cpu
      => 1 => stencilc: error: there is nothing to tune: `laplace2d` has only one schedule, `loops`...
    laplace.stn --arch sm_80,sm_90 => 1 => ...one architecture, and `--arch` names sm_80, sm_90...
    - <laplace.stn                 => 2 => ...`-o` is needed: a stencil from standard input has no name...
    laplace.stn --budget 0         => 2 => ...--budget...
    laplace.stn --size 4x4x4       => 1 => ...3 extents...
  )");
  here.write("laplace.tune.json", "{");
  test::expect_refused(command, "laplace.stn => 1 => laplace.tune.json:1:...");
  EXPECT_EQ(here.read("laplace.tune.json"), "{");
  here.shell("rm laplace.tune.json; sed -i '2i exit 1' nvcc");
  test::expect_refused(command,
                       "laplace.stn => 1 => ...the compiler's own choice: `nvcc` failed...");
  EXPECT_FALSE(here.exists("laplace.tune.json"));
}

TEST(TuneFile, ComesBehindAnOptionAndBeforeTheCompiler) {
  const Tuned here;
  const std::string untuned = here.chosen().out;
  const std::string schedule = "coarsened,threads=32x8,vector=2,coarsen=y4";
  json file = here.made(schedule);
  here.put(file);
  expect_begins(here.chosen().out, schedule + "\n  tuned on Made-up GPU at 64 x 64 (");
  expect_begins(here.chosen("--arch=sm_90").out, schedule);
  EXPECT_EQ(here.chosen("--schedule=naive").out, "naive,threads=32x8\n");
  EXPECT_EQ(here.chosen("-O0").out, "naive,threads=32x8\n");
  EXPECT_EQ(here.chosen("--no-tune").out, untuned);
  EXPECT_EQ(here.chosen("--arch=sm_80").out, here.chosen("--arch=sm_80 --no-tune").out)
      << "it is for sm_90";
  here.shell("mkdir kept; mv laplace.tune.json kept/of_ours.json");
  EXPECT_EQ(here.chosen().out, untuned);
  expect_has(here.chosen("--tune=kept/of_ours.json").out, {"(of_ours.json)"});
  EXPECT_EQ(here.chosen("--tune=none.json").status, 3);

  // Where there are several, the size decides.
  json large = file["stencils"][0]["entries"][0];
  large["size"] = {6400, 6400};
  large["schedule"] = "coarsened,threads=64x2,vector=4,coarsen=y4";
  file["stencils"][0]["entries"].push_back(large);
  here.put(file);
  const auto threads = [&](const std::string& words) {
    return here.chosen(words).out.substr(18, 4);
  };
  EXPECT_EQ(threads(""), "64x2");
  EXPECT_EQ(threads("--size=100x100"), "32x8");
  EXPECT_EQ(threads("--size=600x600"), "32x8");
  EXPECT_EQ(threads("--size=700x700"), "64x2");

  // What it holds cannot end the comment.
  file["stencils"][0]["entries"] = {file["stencils"][0]["entries"][0]};
  file["stencils"][0]["entries"][0]["device"] = "GPU\n#warning\\\n*/";
  here.put(file);
  ASSERT_EQ(here.stencilc("laplace.stn").status, 0);
  expect_lacks(here.read("laplace.cu"), {"\n#warning"});
  expect_has(here.read("laplace.cu"), {"tuned on GPU%0A%23warning%5C%0A"});
}

// It is out of date, or its schedule is refused by the device or none.
TEST(TuneFile, WhatIsNotUsedIsAWarning) {
  const Tuned here;
  const std::string untuned = here.chosen().out;
  json file = here.made("coarsened,threads=32x8,vector=2,coarsen=y4,resident=8");
  here.put(file);
  EXPECT_EQ(here.chosen("--arch=sm_90").err, "");
  const Finished weaker = ended(here.chosen());
  EXPECT_EQ(weaker.out, untuned);
  expect_begins(weaker.err,
                "stencilc: warning: the schedule for `laplace2d` in `laplace.tune.json` is not "
                "used: `resident=8` is too many: a multiprocessor holds 4 blocks of 256 "
                "threads [STN0811]");
  file["stencils"][0]["entries"][0]["schedule"] = "faster";
  here.put(file);
  expect_has(here.chosen().err, {"there is no schedule `faster`"});

  file["stencils"][0]["entries"][0]["schedule"] = "coarsened,threads=32x8,vector=2,coarsen=y4";
  here.put(file);
  here.shell("sed -i '1i // a comment\\n' laplace.stn");
  EXPECT_EQ(here.chosen().err, "") << "a comment changes nothing";
  here.shell("sed -i 's/0.25/0.2/' laplace.stn");
  const Finished stale = ended(here.chosen());
  EXPECT_EQ(stale.out, untuned);
  EXPECT_EQ(stale.err,
            "stencilc: warning: `laplace.tune.json` is not used: `laplace2d` has changed since it "
            "was tuned [STN0811]\n  help: tune again with `stencilc tune`, or compile with "
            "`--no-tune`\n");
  EXPECT_EQ(here.chosen("-Wno-unused-tuning").err, "");
  EXPECT_EQ(here.chosen("-Werror=unused-tuning").status, 1);
}

}  // namespace
}  // namespace stencilc::driver
