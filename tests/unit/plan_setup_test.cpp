// Which values can be set up before the first step of a run, what becomes of the stencil, and where
// values have ghost cells.
#include <gtest/gtest.h>

#include "plan/schedule/setup_values.h"
#include "plan/schedule/value_placement.h"
#include "plan/syntax/parse_schedule.h"
#include "support/planned.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::plan {
namespace {

ir::Stencil s_with(const std::string& body) {
  return testing::canonical("stencil s { axes x, y; " + body + " }");
}

std::string names_in(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

TEST(PlanSetup, WhatNeverChangesCanBeSetUp) {
  for (const testing::Cells& row : testing::rows(R"(
    let c = k*k; u[t+1] = c*u[x-1] + c[x+1]*u => c
    // What reads what a step assigns changes; so do the step's number and reductions.
    let c = k*u; u[t+1] = c*u[x-1] + c[x+1]*u =>
    let c = k*k + t; u[t+1] = c*u[x-1] + c[x+1]*u =>
    let c = k*v; v[t+1] = 0.5*v; u[t+1] = c*u[x-1] + c[x+1]*u =>
    reduce r = max(k); let c = k*r; u[t+1] = c*u[x-1] + c[x+1]*u =>
    // Boundaries count.
    let c = m*m; u[t+1] = c*u[x-1] + c[x+1]*u =>
    // Conditions are none; numbers that are the same in every cell come from the host.
    let c = k > 0; u[t+1] = (c ? u : 0) + (c[x+1] ? 1 : 2) =>
    let c = exp(dt); u[t+1] = c*u[x-1] + c*u =>
    // Without a name: what takes long, as large as it can be, once for all cells that read it.
    u[t+1] = u*exp(-k) + u[x-1]*exp(-k[x-1]) => invariant1
    u[t+1] = u*sin(k)*cos(k) => invariant1 invariant2
    u[t+1] = u*(sin(k)*cos(k) + k) => invariant1
    u[t+1] = u*(dt/k) + u*(k/2) + u*(k + 1)*(k - 1) => invariant1
    u[t+1] = u*cos(0.1*x) => invariant1
    // What is read inside others alone is set up with them.
    let s = sin(k); let c = s*s; u[t+1] = c*u[x-1] + c[x+1]*u => c
    let s = sin(k); let c = s*s; u[t+1] = c*u[x-1] + c[x+1]*u + s*u => s c
    let c = k*k; u[t+1] = (2*c)*u[x-1] + c[x+1]*u*exp(c) => c invariant1
    field f32 invariant1 in; u[t+1] = u*exp(-k) + invariant1 => invariant2
  )")) {
    const ir::Stencil stencil = s_with(
        "param f32 dt = 0.1; field f32 u boundary clamp; field f32 v boundary clamp; field f32 k "
        "in boundary clamp; field f32 m in boundary expr 0.1*t; " +
        row[0] + (row[0].find("v[t+1]") == std::string::npos ? "; v[t+1] = 0.5*v;" : ";"));
    EXPECT_EQ(names_in(all_setups(stencil)), row[1]) << row[0];
  }
}

TEST(PlanSetup, OrTheReasonIsGiven) {
  const ir::Stencil stencil = s_with(
      "param f32 a = 1; field f32 u boundary clamp; field f32 k in boundary clamp; "
      "reduce r = max(u); let c = k*k; let g = u*k; let l = k*t; let n = k*r; let p = k > 0; "
      "let h = exp(a); u[t+1] = c*g + c[x+1]*g[x+1] + l*l[x+1] + n*n[x+1] + (p ? 1 : 2) + "
      "(p[x+1] ? h : 2*h);");
  const auto problem_of = [&](const std::string& text) {
    return parse(text, stencil, Target::cuda, *find_device("sm_90")).problem;
  };
  EXPECT_EQ(problem_of("naive,setup=c"), "");
  EXPECT_EQ(problem_of("naive,setup=all"), "");
  EXPECT_EQ(problem_of("naive,setup=none"), "");
  EXPECT_EQ(problem_of("coarsened,setup=c,global=g"), "");
  EXPECT_EQ(problem_of("naive,setup=g"),
            "`setup=g`: `g` cannot be set up, because it reads `u`, which each step assigns; those "
            "that can are `c`");
  EXPECT_EQ(problem_of("naive,setup=l"),
            "`setup=l`: `l` cannot be set up, because it depends on the number of the step; those "
            "that can are `c`");
  EXPECT_EQ(problem_of("naive,setup=n"),
            "`setup=n`: `n` cannot be set up, because it reads a reduction, which each step "
            "computes again; those that can are `c`");
  EXPECT_EQ(problem_of("naive,setup=p"),
            "`setup=p`: `p` cannot be set up, because it is a condition; those that can are `c`");
  EXPECT_EQ(problem_of("naive,setup=z"),
            "`setup=z`: there is no value `z` that could be set up; those that can are `c`");
  EXPECT_EQ(problem_of("naive,setup=c,global=c"),
            "`c` cannot be both `setup` and `global`; leave it out of one of them");
  EXPECT_EQ(problem_of("naive,setup=c,tile=c+g"),
            "`c` cannot be both `setup` and in a `tile`; leave it out of one of them");
  EXPECT_EQ(parse("naive,setup=z", testing::on("x, y", "field f32 u in; field f32 v out; v = u;"),
                  Target::cuda)
                .problem,
            "`setup=z`: a run of `s` is one pass, which has no steps");
  EXPECT_EQ(parse("coarsened,threads=32x4,vector=2,rows=1,coarsen=z8,shared=boxes,setup=c",
                  testing::on("x, y, z",
                              "field f32 u boundary clamp; field f32 k in boundary clamp; let c = "
                              "k*k; u[t+1] = c*u[x-1] + c[x+1]*u;"),
                  Target::cuda, *find_device("sm_90"))
                .problem,
            "`setup` cannot be combined with `shared=boxes`, because bulk copies read only the "
            "caller's grids; write `shared=async`");
}

// The sides of a set-up value: those of what it reads, ghost cells of its own, or none that is met.
TEST(PlanSetup, BeyondTheGridItIsOtherCellsOrHasGhostCells) {
  for (const testing::Cells& row : testing::rows(R"(
    field f32 k in boundary clamp; field f32 w in boundary clamp => k*w => clamp clamp 0
    field f32 k in boundary reflect; field f32 w(x) in boundary reflect => k*w => reflect reflect 0
    field f32 k in boundary clamp; field f32 w in boundary reflect => k*w => expr expr 1
    field f32 k in boundary clamp; field f32 w in boundary clamp => k*w[x-1] => expr expr 1
    field f32 k in boundary clamp; field f32 w in boundary clamp => k*w*x => expr expr 1
    field f32 k in boundary clamp; field f32 w in boundary clamp => k*w*y => clamp clamp 0
    field f32 k in boundary periodic; field f32 w in boundary periodic => k*w[x-1] => periodic periodic 0
    field f32 k in boundary antireflect; field f32 w in boundary antireflect => k*w => expr expr 1
    field f32 k in; field f32 w in; boundary k, w { x.lo: clamp; x.hi: mirror; y: clamp } => k*w => clamp mirror 0
    field f32 k in boundary none; field f32 w in boundary none => k*w => fixed fixed 0
  )")) {
    const ir::Stencil placed =
        with_setup(s_with("field f32 u boundary clamp; " + row[0] + "; let c = " + row[1] +
                          "; u[t+1] = c[x-1]*u + c[x+1]*u[x+1];"),
                   {"c"});
    const ir::Field& field = placed.fields.back();
    EXPECT_TRUE(field.setup && field.role == ir::Role::input) << row[0];
    const auto& [low, high] = field.boundary.sides[0];
    EXPECT_EQ(std::string(ir::name(low.edge)) + " " + std::string(ir::name(high.edge)) + " " +
                  std::to_string(field.ghosts[0]),
              row[2])
        << row[0] << ": " << row[1];
  }
}

// The same of values that each step keeps in memory, also where one reads another.
TEST(PlanValues, BeyondTheGridTheyAreOtherCellsOrHaveGhostCells) {
  for (const testing::Cells& row : testing::rows(R"(
    boundary clamp => u*u => c*c => clamp clamp 0
    boundary clamp => u*u[x-1] => c*c => expr expr 2
    boundary clamp => u*u => c*c[x-1] => expr expr 1
    boundary clamp => u*u*x => c*c => expr expr 2
    boundary periodic => u*u[x-1] => c*c[x+2] => periodic periodic 0
    boundary antireflect => u*u => c*c => expr expr 2
  )")) {
    const ir::Stencil placed =
        with_global(s_with("field f32 u " + row[0] + "; let c = " + row[1] + "; let d = " + row[2] +
                           "; u[t+1] = d[x-1]*c + d[x+1]*c[x+2];"),
                    {"c", "d"});
    std::string sides;
    for (const ir::Field& field : placed.fields) {
      if (field.name != (row[2] == "c*c[x-1]" ? "d" : "c")) continue;
      const auto& [low, high] = field.boundary.sides[0];
      sides = std::string(ir::name(low.edge)) + " " + std::string(ir::name(high.edge)) + " " +
              std::to_string(field.ghosts[0]);
    }
    EXPECT_EQ(sides, row[3]) << row[0] << ": " << row[1] << ", " << row[2];
  }
}

}  // namespace
}  // namespace stencilc::plan
