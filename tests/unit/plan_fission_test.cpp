// Launches that a schedule splits: how that is written, what is refused, and what the statements
// then read.
#include <gtest/gtest.h>

#include "plan/schedule/fission.h"
#include "plan/search/plan.h"
#include "plan/syntax/parse_schedule.h"
#include "plan/syntax/print_schedule.h"
#include "plan/tuning/neighbours.h"
#include "plan/words/decision_words.h"
#include "support/planned.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::plan {
namespace {

using testing::expect_rows;

// One launch, of all three; with `global=g` there is one of `g` before.
const ir::Stencil& one_launch() {
  static const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u, v, w boundary clamp; let g = u*u + 1; let h = "
      "sqrt(u[x-1] + u[y+1]); w[t+1] = h + g[x-1]*g[x+1]; v[t+1] = v*h; u[t+1] = u + 2/h; }");
  return stencil;
}

std::string printed(const std::string& text) {
  const Choice choice = parse(text, one_launch(), Target::cuda, *find_device("sm_90"));
  return choice.problem.empty() ? print(choice.schedule, one_launch()) : choice.problem;
}

TEST(PlanFission, TheWordIsReadAndPrinted) {
  expect_rows(printed, R"(
    naive,fission=v     => naive,threads=32x8,fission=v
    naive,fission=all   => naive,threads=32x8,fission=v+u
    naive,fission=none  => naive,threads=32x8
    naive,fission=all,global=g => naive,threads=32x8,global=g,fission=w+v+u
    naive,threads=32x4,fission=v+u,launch=u(coarsened,threads=32x4,vector=2,coarsen=y4) => naive,threads=32x4,fission=v+u,launch=u(coarsened,threads=32x4,vector=2,coarsen=y4)
    naive,fission=w     => `fission=w`: the first launch begins with `w` in any case; others can begin with `v`, `u`
    naive,fission=g     => `fission=g`: no statement of a step assigns `g`; launches can begin with `v`, `u`
    naive,launch=u(naive) => `launch=u`: a step has one launch; write its shape without `launch`
    naive,fission=u,launch=u(naive,fission=v) => `launch=u`: `fission` is for all launches of a step; write it outside of the parentheses
    coarsened,threads=32x4,vector=2,rows=2,steps=2,fission=u => `steps=2` cannot be combined with `fission`, because a launch takes whole steps
  )");
  const ir::Stencil colours = testing::canonical(
      "stencil s { axes x, y; field f32 u, v boundary clamp; color red, black by (x + y) % 2; "
      "u = u[x+1]; v = v[y+1]; }");
  EXPECT_EQ(parse("naive,fission=v", colours, Target::cuda, any_device()).problem,
            "`fission=v`: the colours are updated one after the other");
}

TEST(PlanFission, EachNamedStatementBeginsALaunch) {
  const auto launches = [](const std::string& text) {
    const Choice choice = parse(text, one_launch(), Target::cuda, *find_device("sm_90"));
    const Plan plan = make_plan(one_launch(), choice.schedule, Target::cuda);
    const ir::Stencil& of = plan.stencil ? *plan.stencil : one_launch();
    std::string names;
    for (const Launch& launch : plan.launches()) {
      names += names.empty() ? "" : " | ";
      for (const Stored& one : launch.stores) names += of.fields[of.updates[one.update].field].name;
    }
    return names;
  };
  expect_rows(launches, R"(
    naive                      => wvu
    naive,fission=v            => w | vu
    naive,fission=u            => wv | u
    naive,fission=v+u          => w | v | u
    naive,global=g             => g | wvu
    naive,global=g,fission=u   => g | wv | u
  )");
  const Choice choice = parse("naive,fission=v", one_launch(), Target::cuda, any_device());
  const Plan plan = make_plan(one_launch(), choice.schedule, Target::cuda);
  testing::expect_has(plan.stages.reasons.back(), {"`v` begins a launch that it could share"});
  // `w` reads t of `u`, which the launch before it would have overwritten.
  EXPECT_EQ(plan.buffers, (std::vector{2, 1, 1}));
}

// What the second of two launches reads, as `v[t+1] u[x-1]`.
std::string reads_of_second(const std::string& statements) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x; field f64 u, v, w boundary clamp; " + statements + " }");
  std::string name;
  for (const ir::Update& update : stencil.updates) name = stencil.fields[update.field].name;
  const ir::Stencil split = with_fission(stencil, {name});
  std::set<std::string> reads;
  for (const ir::ExprPtr& node : ir::nodes_of(roots_of(split.updates.back())))
    if (const auto* read = ir::as<ir::Read>(node)) {
      std::string text = stencil.fields[read->field].name;
      if (read->level == 1) text += "'";
      if (read->offset[0] != 0) text += std::to_string(read->offset[0]);
      reads.insert(text);
    }
  std::string text;
  for (const std::string& one : reads) text += (text.empty() ? "" : " ") + one;
  return text;
}

TEST(PlanFission, WhatEarlierLaunchesStoredIsRead) {
  expect_rows(reads_of_second, R"(
    let g = 1/(u[x-1] + u[x+1]); v[t+1] = g; w[t+1] = w + g*g;                => v' w
    let g = u[x-1] + u[x+1];     v[t+1] = g; w[t+1] = w + g*g;                => u-1 u1 w
    let g = 1/(u[x-1] + u[x+1]); v[t+1] = g; w[t+1] = w + g[x-1]*g;           => u u-2 v' w
    let g = 1/(u[x-1] + u[x+1]); v[t+1] = g + 1; w[t+1] = w + g*g;            => u-1 u1 w
    let g = 1/(u[x-1] + u[x+1]); v[t+1] = g on x > 2; w[t+1] = w + g*g;       => u-1 u1 w
    let g = 1/(u[x-1] + u[x+1]); v[t+1] = g; v[t+1] += 1; w[t+1] = w + g*g;   => u-1 u1 w
    let g = 1/(u[x-1] + u[x+1]); field f32 half out; half = f32(g); w[t+1] = w + g*g;                  => u-1 u1 w
    let g = 1/(u[x-1] + u[x+1]); let k = g*g; v[t+1] = g; w[t+1] = k*k + w;   => v' w
    let g = 1/(u[x-1] + u[x+1]); let k = g*g; v[t+1] = g; w[t+1] = k*k[x+1];  => u u-1 u1 u2
    u[t+1] = 2*u; let g = 1/(u[t+1] + u[x+1]); v[t+1] = g; w[t+1] = w + g*g;  => v' w
    let g = 1/(u[t+1] + u[x+1]); v[t+1] = g; u[t+1] = 2*u; w[t+1] = w + g*g;  => v' w
  )");
}

TEST(PlanFission, TuningSplitsAndJoins) {
  const auto tried = [](const std::string& fission) {
    std::set<std::string> others;
    const auto has = [](const std::string& in, const char* word) {
      return in.find(word) != std::string::npos;
    };
    for (const std::string& text :
         neighbours("naive,threads=32x8" + fission, one_launch(), Target::cuda, any_device()))
      for (const std::string& part : parts_of(text + (has(text, "fission=") ? "" : ",joined")))
        if ((part == "joined" || has(part, "fission=")) && "," + part != fission)
          others.insert(part);
    std::string text;
    for (const std::string& one : others) text += (text.empty() ? "" : " ") + one;
    return text;
  };
  EXPECT_EQ(tried(""), "fission=u fission=v fission=v+u joined");
  EXPECT_EQ(tried(",fission=u"), "fission=v+u joined");
}

}  // namespace
}  // namespace stencilc::plan
