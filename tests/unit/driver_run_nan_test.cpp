// stencilc run on the CPU target, where cells become NaN or infinite: which, from which step on,
// and whether the params that it was given foretell it.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "data/files/npy.h"
#include "driver/run/finite.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using test::ended;
using test::expect_has;
using test::Finished;
using test::Workplace;

// Doubles, so the first step of each field that is not finite follows from its type: 2^128 is none
// of f32 and 65536 none of f16, while integers stay finite.
constexpr const char* kDoublings =
    "stencil twice { axes x; field f32 a; field f16 b; field i32 n; "
    "field f64 inverse out; a[t+1] = 2*a; b[t+1] = 2*b; "
    "n[t+1] = n < 100 ? 2*n : n; inverse = 1 / f64(n - 64); }";

Finished blown(const Workplace& here, const std::string& words) {
  return here.stencilc("run " + words + " --target=cpu");
}

TEST(RunNotFinite, EachFieldSaysHowManyCellsAndFromWhichStep) {
  const Workplace here("twice.stn", kDoublings);
  const std::string ones = "twice.stn --size 5 --in a=a.npy --in b=constant:1 --in n=constant:1 ";
  data::Array a = *data::make_array(data::Element::f32, {5});
  a.as<float>()[1] = a.as<float>()[4] = 1;
  here.write("a.npy", data::npy_file(a));
  const auto said = [&](int steps) {
    return ended(blown(here, ones + "--steps " + std::to_string(steps))).err;
  };
  const std::string b =
      "stencilc: warning: 5 of 5 cells of `b` are not finite, starting at step 16";
  const std::string end = " [STN0813]\n";
  EXPECT_EQ(said(0), "");
  EXPECT_EQ(said(6), "");
  EXPECT_EQ(
      said(7),
      "stencilc: warning: 5 of 5 cells of `inverse` are not finite, starting at step 7" + end);
  EXPECT_EQ(said(15), "");
  EXPECT_EQ(said(16), b + end);
  EXPECT_EQ(said(127), b + end);
  const std::string all =
      "stencilc: warning: 2 of 5 cells of `a` are not finite, starting at step 128" + end + b + end;
  EXPECT_EQ(said(128), all);
  EXPECT_EQ(said(1000), all);
}

TEST(RunNotFinite, TheExitCodeIsThatOfSuccessUnlessRequested) {
  const Workplace here("twice.stn", kDoublings);
  const std::string run =
      "twice.stn --size 4 --in a=gauss --in b=constant:1 --in n=gauss --steps 16 --out b=b.npy ";
  const Finished failed = ended(blown(here, run + "--fail-on-nan"), 1);
  expect_has(
      failed.err,
      {"stencilc: error: 4 of 4 cells of `b` are not finite, starting at step 16 [STN0813]\n"});
  expect_has(failed.out, {"16 steps, ", "wrote b.npy\n"});  // as ever
  EXPECT_EQ(blown(here, run + "-Werror=not-finite").status, 1);
  EXPECT_EQ(ended(blown(here, run + "-Wno-not-finite")).err, "");
  EXPECT_EQ(blown(here, "twice.stn --size 4 --in b=constant:1 --steps 15 --fail-on-nan").status, 0);
}

// An output may take the place of an input, and an iteration ends by itself.
TEST(RunNotFinite, TheStepIsFoundFromTheInputsAsTheyWere) {
  const Workplace here(
      "until.stn",
      "stencil until { axes x; field f32 u boundary ghost; points p; series f32 s(p); "
      "u[t+1] = 2*u[x-1]; inject u[t+1] += s[t] at p; reduce most = max(u); "
      "iterate until most > 1e38, check every 10, limit 1000; }");
  const Finished finished = ended(
      blown(here, "until.stn --size 300 --in u=constant:1 --in s=zero --points p=0 --out u=u.npy"));
  // The value of cell x at step k is 2^min(k, x+1).
  expect_has(finished.err, {"of `u` are not finite, starting at step 128 [STN0813]\n"});
  // The halo belongs to the input, and that at the upper end is never read.
  data::Array wave = *data::make_array(data::Element::f32, {9});
  const auto again = [&] {
    here.write("wave.npy", data::npy_file(wave));
    const std::string words = "--in u=wave.npy --in s=zero --points p=0 --steps 3 --out u=wave.npy";
    return blown(here, "until.stn " + words).err;
  };
  wave.as<float>()[8] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(again(), "");
  wave.as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(again(),
            "stencilc: warning: 3 of 7 cells of `u` are not finite [STN0813]\n"
            "  note: 2 of 9 cells of the input of `u` are not finite\n");
}

constexpr const char* kHeatByWeights =
    "stencil heat {\n  axes x;\n  param f32 D = 0.3, q = 0;\n  weights f32 w[-1..1];\n"
    "  points p;\n  series f32 s(p);\n  field f32 v in;\n  field f32 u boundary clamp;\n"
    "  u[t+1] = u + D * sum(i in -1..1 : w[i]*u[x+i]) + q*v;\n  inject u[t+1] += s[t] at p;\n}\n";

TEST(RunNotFinite, WhatWasNotFiniteBeforeIsSaidInstead) {
  const Workplace here("heat.stn", kHeatByWeights);
  const std::string run = "heat.stn --size 3 --in u=zero --steps 2 --points p=1 ";
  const Finished all = ended(
      blown(here, run + "--in v=constant:inf --in s=constant:nan --param q=inf --param w=1,inf,1"));
  EXPECT_EQ(all.err,
            "stencilc: warning: 3 of 3 cells of `u` are not finite [STN0813]\n"
            "  note: 3 of 3 cells of the input of `v` are not finite\n"
            "  note: the param `q` is inf\n"
            "  note: the weights `w` are not all finite\n"
            "  note: the values of `s` are not all finite\n");
}

TEST(RunNotFinite, StabilityIsJudgedWithTheParamsGiven) {
  const Workplace here("heat.stn", kHeatByWeights);
  const std::string run =
      "heat.stn --size 3 --in u=zero --in v=zero --in s=zero --steps 2 --points p=1 ";
  const Finished unstable = ended(blown(here, run + "--param w=1,-2,1 --param D=0.9"));
  EXPECT_EQ(
      unstable.err,
      "heat.stn:9:3: warning: unstable for `D` > 0.5: each step multiplies the wave number pi "
      "of `u` by 2.6 [STN0803]\n"
      "   9 |   u[t+1] = u + D * sum(i in -1..1 : w[i]*u[x+i]) + q*v;\n"
      "     |   ^~~~~~\n"
      "  note: by von Neumann's analysis, with the values of `--param`, the defaults of the "
      "other params, and without boundaries\n");
  EXPECT_EQ(blown(here, run + "--param w=1,-2,1").err, "");
  // The last of a name counts, and what is no value is an error alone.
  EXPECT_EQ(blown(here, run + "--param w=1,-2,1 --param D=0.9 --param D=0.5").err, "");
  const Finished refused = blown(here, run + "--param w=1,-2,1 --param D=fast");
  EXPECT_EQ(refused.err, "stencilc: error: `--param D=fast`: `fast` is not a number [STN0703]\n");
  EXPECT_EQ(blown(here, run + "--param w=1,-2,1 --param D=0.9 -Werror=unstable").status, 1);
}

// One pass has no steps.
TEST(RunNotFinite, AStencilWithoutStepsNamesNone) {
  const Workplace here("pass.stn",
                       "stencil pass { axes x, y; field f32 a in; field f32 b out; b = 1 / a; }");
  EXPECT_EQ(blown(here, "pass.stn --size 3x2 --in a=zero").err,
            "stencilc: warning: 6 of 6 cells of `b` are not finite [STN0813]\n");
  EXPECT_EQ(blown(here, "pass.stn --size 3x2 --in a=constant:1").err, "");
}

const driver::Compiled& three_fields() {
  static const driver::Compiled compiled = [] {
    const diag::Sources sources = {{"made_up.stn",
                                    "stencil s { axes x; field f32 a; field f64 b; field bf16 c; "
                                    "a[t+1] = 2*a; b[t+1] = 2*b; c[t+1] = 2*c; }"}};
    diag::Engine engine;
    return *driver::compile(sources, {}, engine);
  }();
  return compiled;
}

// Each of the fields is NaN from some step on, on a machine that computes nothing else.
struct MadeUp {
  static constexpr size_t kBytes[] = {4, 8, 2};  // of a cell of each

  explicit MadeUp(std::vector<int64_t> since) : since_step(std::move(since)) {
    machine.call = [this](stencil_host_call* call) {
      ++calls;
      steps += call->steps;
      for (size_t f = 0; f < since_step.size(); ++f)
        if (call->first + call->steps >= since_step[f])  // the second cell: all its bits are 1
          std::memset(static_cast<char*>(call->buffers[f]) + kBytes[f], 0xff, kBytes[f]);
      if (calls > most_calls) std::strcpy(call->message, "the machine is gone");
      return calls > most_calls ? 1 : 0;
    };
  }

  // What is said of a run of so many steps, a line each.
  std::string said(int64_t all, double budget = 10) {
    driver::HostData host;
    host.extents = {2};
    for (const auto element : {data::Element::f32, data::Element::f64, data::Element::bf16})
      host.buffers.push_back(*data::make_array(element, {2}));
    driver::HostData inputs = host;
    std::vector<double> seconds;
    call(machine, host, all, seconds);
    calls = steps = 0;
    diag::Engine engine;
    const auto fill = [&](driver::HostData& data) {
      data = inputs;
      return true;
    };
    driver::check_finite({three_fields(), machine, host, all, 0.0, fill, budget}, engine);
    std::string lines;
    for (const diag::Diagnostic& one : engine.all()) {
      lines += one.text + "\n";
      for (const diag::Note& note : one.notes) lines += "  " + note.text + "\n";
    }
    return lines;
  }

  std::vector<int64_t> since_step;
  driver::Machine machine;
  int64_t calls = 0, steps = 0, most_calls = 1000;
};

TEST(RunNotFiniteSearch, FindsEveryStepAtTheCostOfARun) {
  for (const int64_t all : {1, 2, 3, 7, 64, 100})
    for (int64_t a = 1; a <= all; ++a)
      for (const int64_t b : {int64_t{1}, a, (a + all) / 2, all, all + 1}) {
        MadeUp made_up({a, all + 1, b});
        std::string expected =
            "1 of 2 cells of `a` is not finite, starting at step " + std::to_string(a) + "\n";
        if (b <= all)
          expected +=
              "1 of 2 cells of `c` is not finite, starting at step " + std::to_string(b) + "\n";
        ASSERT_EQ(made_up.said(all), expected) << all;
        // To the later of the two, and half of the last piece again for each; a few single steps.
        ASSERT_LE(made_up.steps, 3 * std::max(a, b <= all ? b : 0) + 8) << all;
      }
  MadeUp late({987654, 1000001, 1000001});
  EXPECT_EQ(late.said(1000000), "1 of 2 cells of `a` is not finite, starting at step 987654\n");
  EXPECT_LE(late.calls, 50);
  EXPECT_LE(late.steps, 2000000);
}

TEST(RunNotFiniteSearch, EndsWhereItTakesTooLongOrARunFails) {
  MadeUp made_up({700, 1001, 900});
  const std::string unknown = "; the search stopped there\n";
  EXPECT_EQ(made_up.said(1000, 0),
            "1 of 2 cells of `a` is not finite\n  the first such step is between 1 and 1000" +
                unknown +
                "1 of 2 cells of `c` is not finite\n  the first such step is between 1 and 1000" +
                unknown);
  EXPECT_EQ(made_up.calls, 0);
  made_up.most_calls = 10;
  EXPECT_EQ(made_up.said(1000),
            "1 of 2 cells of `a` is not finite\n  the first such step is between 512 and 755" +
                unknown +
                "1 of 2 cells of `c` is not finite\n  the first such step is between 512 and 1000" +
                unknown);
}

}  // namespace
}  // namespace stencilc
