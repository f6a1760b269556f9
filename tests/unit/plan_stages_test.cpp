// Which launches a step is made of, what they store and recompute, and which memory t+1 goes to.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "plan/schedule/fusion.h"
#include "plan/schedule/inline_updates.h"
#include "plan/schedule/value_placement.h"
#include "support/planned.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::plan {
namespace {

using testing::expect_rows;
using testing::on;

// "u v | w + r": launches in their order, the fields each stores, and the reductions it adds to;
// `every` where it does so in every step.
std::string launches_of(const ir::Stencil& stencil, const Stages& stages) {
  std::vector<std::string> launches;
  for (const Launch& launch : stages.launches) {
    std::vector<std::string> words;
    for (const Stored& stored : launch.stores)
      words.push_back(stencil.fields[stencil.updates[stored.update].field].name);
    for (const Combined& combined : launch.combines) {
      words.push_back("+");
      words.push_back(stencil.reductions[combined.reduction].name);
    }
    if (launch.every_step) words.push_back("every");
    launches.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  return fmt::format("{}", fmt::join(launches, " | "));
}

Stages planned(const std::string& items, Fusion fusion = Fusion::best, bool fuses = true) {
  return stages(on("x, y", items), fusion, fuses);
}

// What stands in a stencil on x and y => launches, and the buffers of its fields; where the
// launches are split, too, => these.
constexpr const char* kCases = R"(
  // What no other cell reads of level t is overwritten.
  field f32 u; u[t+1] = 2*u;                                     => u, 1
  field f32 u boundary clamp; u[t+1] = u[x-1];                   => u, 2
  field f32 u boundary clamp; u[t+1] = u[x-1] - u[t-1];          => u, 2
  field f32 u boundary clamp; u[t+1] = u - u[x-1, t-1];          => u, 3
  field f32 u, v; u[t+1] = v; v[t+1] = u;                        => u v, 1 1
  field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1];  => u v, 2 1
  // t+1 at the cell needs no second launch, beside the cell it does or is computed there, too.
  field f32 u, v; u[t+1] = 2*u; v[t+1] = v + u[t+1];             => u v, 1 1
  field f32 u, v; v[t+1] = v + u[t+1]; u[t+1] = 2*u;             => u v, 1 1
  field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1]; => u v, 2 1 => u | v, 1 1
  // A later launch reads level t: it must still be there.
  field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u + u[x-1, t+1]; => u v, 2 1 => u | v, 2 1
  // What the recomputed value reads is read beside the cell, too; `u` itself nobody reads.
  field f32 u, v boundary clamp; u[t+1] = v; v[t+1] = u[x-1, t+1];       => u v, 1 2 => u | v, 1 1
  // Here `b` is recomputed from `a`: nobody reads what `b` was.
  field f32 a, b, c boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1]; c[t+1] = b[y+1, t+1];
    => a b c, 2 1 1 => a | b | c, 1 1 1
  field f32 a, b, c boundary clamp; a[t+1] = 2*a; b[t+1] = b + a[x-1, t+1]; c[t+1] = b[y+1, t+1];
    => a b c, 2 2 1 => a | b | c, 1 1 1
  field f32 a, b, c boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1] on x > 0; c[t+1] = b[y+1, t+1];
    => a b c, 2 2 1 => a | b | c, 1 1 1
  // A cell that keeps its value reads level t where it is recomputed.
  field f32 u, v boundary clamp; u[t+1] = 1 on x == 3; v[t+1] = u[x-1, t+1]; => u v, 2 1 => u | v, 1 1
  // Chains that follow each other in the program stand side by side in fewer launches, unless that
  // takes a buffer more: `b` reads what `d` was.
  field f32 a, b, c, d boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1]; c[t+1] = 3*c; d[t+1] = c[x-1, t+1];
    => a b c d, 2 1 2 1 => a c | b d, 1 1 1 1
  field f32 a, b, c, d boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1]; c[t+1] = b[t+1]; d[t+1] = c[x-1, t+1];
    => a b c d, 2 1 1 1 => a | b c | d, 1 1 1 1
  field f32 a, b, c, d boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1] + d; d[t+1] = 2*d; c[t+1] = d[x-1, t+1];
    => a b d c, 2 1 1 2 => a | b d | c, 1 1 1 1
  field f32 a, b, c, d boundary clamp; a[t+1] = 2*a; d[t+1] = a[x-1, t+1] + d; c[t+1] = 3*c; b[t+1] = c[x-1, t+1] + 2*d[t+1];
    => a d c b, 2 1 2 1 => a c | d b, 1 1 1 1
  // Nine values are too many to recompute.
  field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = sum(i in -4..4 : u[x+i, t+1]); => u | v, 1 1
  // Outputs.
  field f32 u in; field f32 p out boundary clamp; field f32 q out; p = 2*u; q = p[x-1];
    => p q, 1 1 1 => p | q, 1 1 1
  // Reductions.
  field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1]);                           => u + r, 1
  field f32 u; u[t+1] = 2*u; reduce r = sum(u);                                => + r | u, 1
  field f32 u; u[t+1] = u / r; reduce r = sum(u); reduce q = max(u);           => + r every | + q | u, 1
  field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1] - u);                       => u + r, 1
  field f32 u boundary clamp; u[t+1] = 2*u; reduce r = sum(u[t+1] - u[x-1]);   => u + r, 2
  field f32 u boundary clamp; u[t+1] = 2*u; reduce r = sum(u[x-1, t+1] - u);   => u | + r, 2
  // Sources, and samples after them, come when all updates are done.
  points p; series f32 s(p); field f32 u; u[t+1] = 2*u; inject u[t+1] += u * s[t] at p;  => u, 2
  points p; series f32 s(p); field f32 u; u[t+1] = 2*u; sample s[t] = u[t+1] - u at p;   => u, 2
  points p; series f32 s(p); field f32 u; u[t+1] = 2*u; sample s[t] = u at p;            => u, 1
  // Colours, in place.
  color red, black by (x + y) % 2; field f32 p boundary zero; p = p[x-1]; reduce r = sum(p[t+1]); => p | + r, 1
)";

TEST(PlanStages, LaunchesAndBuffersOfSmallPrograms) {
  for (const testing::Cells& row : testing::rows(kCases)) {
    SCOPED_TRACE(row[0]);
    const ir::Stencil stencil = on("x, y", row[0]);
    const auto made = [&](Fusion fusion) {
      const Stages all = stages(stencil, fusion, true);
      return fmt::format("{}, {}", launches_of(stencil, all), fmt::join(all.buffers, " "));
    };
    EXPECT_EQ(made(Fusion::best), row[1]);
    EXPECT_EQ(made(Fusion::split), row.back());
  }
}

// All values of a level share a launch, and all updates that read them, though in the program one
// component follows the other.
TEST(PlanStages, ValuesOfAllComponentsShareLaunches) {
  const ir::Stencil stencil =
      on("x, y",
         "field f32 u, v, w boundary clamp; field f32 p out, q out, r out boundary clamp;"
         "let f = u[x+1]*u; let g = v[x+1]*v; let h = w[x+1]*u;"
         "p = f - f[x-1]; q = g - g[x-1]; r = h - h[x-1];"
         "let i = p[x+1]*p; let j = q[x+1]*q; let k = r[x+1]*p;"
         "u[t+1] = u + i - i[x-1]; v[t+1] = v + j - j[x-1]; w[t+1] = w + k - k[x-1];");
  const ir::Stencil kept = with_global(stencil, placeable(stencil));
  EXPECT_EQ(launches_of(kept, stages(kept, Fusion::split, true)), "f g h | p q r | i j k | u v w");
  // `i` computes `p` again beside the cell.
  EXPECT_EQ(launches_of(kept, stages(kept, Fusion::best, true)), "f g h | p i q j r k | u v w");
}

// A launch that comes first has the reasons for those after it.
TEST(PlanStages, LaunchesThatAreSharedHaveOneReason) {
  EXPECT_EQ(planned("field f32 a, b, c, d boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1];"
                    "c[t+1] = 3*c; d[t+1] = c[x-1, t+1];",
                    Fusion::split)
                .reasons,
            std::vector<std::string>{
                "`b` has a launch of its own: it reads `a[t+1]` in neighbouring cells"});
}

TEST(PlanStages, WhenToldToRecomputeNothingIsTooMuch) {
  const std::string program =
      "field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = sum(i in -4..4 : u[x+i, t+1]);";
  EXPECT_EQ(planned(program).launches.size(), 2u);
  EXPECT_EQ(planned(program, Fusion::recompute).launches.size(), 1u);
}

TEST(PlanStages, ReasonsSayWhatWasDecided) {
  const auto reasons = [](const std::string& items) {
    return fmt::format("{}", fmt::join(planned(items).reasons, "; "));
  };
  const std::string one =
      "field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1, t+1] + u[t+1];";
  expect_rows(reasons, R"(
    field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1, t+1] + u[t+1];
      => `v` shares the launch: it recomputes one value of `u[t+1]` in neighbouring cells, from 2 points in all
    field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = laplacian(u[t+1], order = 4);
      => `v` has a launch of its own: it reads `u[t+1]` in neighbouring cells, and recomputing 8 values would read 9
         points
    field f32 u, v; u[t+1] = 2*u; v[t+1] = u; =>
  )");
  EXPECT_EQ(planned(one, Fusion::split).reasons,
            std::vector<std::string>{
                "`v` has a launch of its own: it reads `u[t+1]` in neighbouring cells"});
}

TEST(PlanStages, ReasonsSayWhereReductionsAre) {
  const auto reason = [](const std::string& items, bool fuses = true) {
    const std::vector<std::string> reasons = planned(items, Fusion::best, fuses).reasons;
    return reasons.empty() ? "" : reasons.back();
  };
  const auto of = [&](const std::string& items) { return reason(items); };
  expect_rows(of, R"(
    field f32 u boundary zero; u[t+1] = 2*u; reduce r = sum(u[t+1]);
      => reductions share the launch of the updates
    field f32 u boundary zero; u[t+1] = 2*u; reduce r = sum(u); =>
    field f32 u boundary zero; u[t+1] = 2*u; reduce r = sum(u[y-1, t+1]);
      => reductions have a launch of their own: `u[t+1]` is read in neighbouring cells
    color red, black by (x + y) % 2; field f32 p boundary zero; p = p[x-1]; reduce r = sum(p[t+1]);
      => reductions have a launch of their own: the colours are updated one after the other
  )");
  EXPECT_EQ(
      reason("field f32 u boundary zero; u[t+1] = 2*u; reduce r = sum(u[t+1]);", false),
      "reductions have a launch of their own: the rows of a block are not a multiple of 32 cells");
}

// Beside the cell the reads and the limits of what is recomputed count from there.
TEST(PlanStages, MarginsCoverReadsAndLimits) {
  const auto margin = [](const std::string& items, Fusion fusion) {
    const ir::Reach reach = planned(items, fusion).launches.at(0).margin;
    return fmt::format("{}..{} {}..{}", reach.low[0], reach.high[0], reach.low[1], reach.high[1]);
  };
  const auto best = [&](const std::string& items) {
    return margin("field f32 u, v boundary clamp; " + items, Fusion::best);
  };
  const std::string recomputed = "u[t+1] = u[y-2] on x >= 3; v[t+1] = u[x-1, t+1];";
  expect_rows(best, R"(
    u[t+1] = 2*u;                                    => 0..0 0..0
    u[t+1] = u[x-2] + u[y+3];                        => 2..0 0..3
    u[t+1] = 2*u on x >= 5;                          => 5..0 0..0
    u[t+1] = 2*u on x == 0, y < ny-4;                => 1..0 0..4
    u[t+1] = 2*u on x <= nx-1;                       => 0..0 0..0
    u[t+1] = 2*u; reduce r = sum(u[t+1]) on y > 6;   => 0..0 7..0
    u[t+1] = u[y-2] on x >= 3; v[t+1] = u[x-1, t+1]; => 4..0 2..0
  )");
  EXPECT_EQ(margin("field f32 u, v boundary clamp; " + recomputed, Fusion::split), "3..0 2..0");
  EXPECT_EQ(margin("field f32 u boundary none; u[t+1] = u[x-1] + u[x+2];", Fusion::best),
            "1..2 0..0");
}

// Where blocks compute t+1 for each other, cells around the block count as its own, and those to
// which a mirror sends a read.
TEST(PlanStages, TilesCoverWhatStagesRead) {
  const auto needed = [](const std::string& items) {
    const ir::Stencil stencil = on("x, y", items);
    const Launch launch = stages(stencil, Fusion::tile, true).launches.back();
    std::string text;
    for (const auto& [field, reach] : needed_around(stencil, launch))
      text += fmt::format("{}: {}..{} {}..{}, ", stencil.fields[field].name, reach.low[0],
                          reach.high[0], reach.low[1], reach.high[1]);
    const ir::Reach& margin = launch.margin;
    return fmt::format("{}margin {}..{} {}..{}", text, margin.low[0], margin.high[0], margin.low[1],
                       margin.high[1]);
  };
  expect_rows(needed, R"(
    field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1, t+1];    => u: 1..0 0..0, margin 1..0 0..0
    field f32 u, v boundary mirror; u[t+1] = 2*u; v[t+1] = u[x-1, t+1];   => u: 1..1 0..0, margin 1..1 0..0
    field f32 u, v boundary periodic; u[t+1] = 2*u; v[t+1] = u[x-1, t+1]; => u: 1..0 0..0, margin 1..0 0..0
    field f32 a, b, c boundary clamp; a[t+1] = a[x+3]; b[t+1] = a[y-1, t+1]; c[t+1] = b[x+2, t+1];
      => a: 0..2 1..0, b: 0..2 0..0, margin 0..5 1..0
    field f32 a, b, c boundary clamp; a[t+1] = 2*a on x > 3; b[t+1] = a[t+1]; c[t+1] = b[x+2, t+1];
      => a: 0..2 0..0, b: 0..2 0..0, margin 4..2 0..0
    field f32 u boundary clamp; u[t+1] = u[x-1];                          => margin 1..0 0..0
  )");
}

TEST(PlanStages, ReasonsSayWhichStagesAreInTiles) {
  const auto reasons = [](const std::string& items) {
    return fmt::format("{}", fmt::join(planned(items, Fusion::tile).reasons, "; "));
  };
  expect_rows(reasons, R"(
    field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1, t+1];
      => in tiles of the launch of `u`, computed once per block: `u[t+1]`
    field f32 u boundary periodic; field f32 v, w boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1, t+1]; w[t+1] = v[x-1, t+1];
      => `w` has a launch of its own: it reads `v[t+1]` in neighbouring cells, and along x only some of these fields are periodic; in tiles of the launch of `u`, computed once per block: `u[t+1]`
    field f32 u, v boundary clamp; u[t+1] = sqrt(u/(1+u)); v[t+1] = u[x-40, y-9, t+1];
      => `v` has a launch of its own: it reads `u[t+1]` in neighbouring cells, and the cells around a block would take more time than those of the block
    field f64 u, v, w boundary clamp; u[t+1] = 2*u; v[t+1] = 3*u; w[t+1] = u[x-50, y-50, t+1] + v[x-50, y-50, t+1];
      => `w` has a launch of its own: it reads `u[t+1]`, `v[t+1]` in neighbouring cells, and a block has too little shared memory for more
  )");
}

// Launches that keep t+1 along a stream of one column or of two, and what they say of it.
TEST(PlanStages, FieldsAlongAStreamShareALaunchOrTheReasonIsGiven) {
  const auto launches = [](const std::string& words) {
    const size_t end = words.find(": ");
    const ir::Stencil stencil = on("x, y", words.substr(end + 2));
    Streaming streaming;
    streaming.width = words[0] == '2' ? 2 : 1;
    for (size_t n = 2; n < end; n += 2) streaming.names.emplace_back(1, words[n]);
    const Stages made = stages(stencil, Fusion::best, true, streaming);
    return launches_of(stencil, made) +
           (made.reasons.empty() ? "" : fmt::format("; {}", fmt::join(made.reasons, "; ")));
  };
  // How many columns, and what is streamed: the stencil
  expect_rows(launches, R"(
    1 a: field f32 a, b boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1];
      => a b; in registers along the stream of the launch of `a`, stored and read there by later statements: `a[t+1]`
    1 a b: field f32 a out boundary zero; field f32 b out boundary mirror; field f32 c; a = sqrt(c); b = a[x-1]/a[y+1]; c[t+1] = b[x+1] + b[y-1];
      => a b c; in registers along the stream of the launch of `a`, stored and read there by later statements: `a[t+1]`, `b[t+1]`
    1 b: field f32 a out boundary zero; field f32 b out boundary mirror; field f32 c; a = sqrt(c); b = a/a; c[t+1] = b[x+1] + b[y-1];
      => a b | c; `b[t+1]` is not in registers along the stream: `stream` does not name `a`, which others of the launch read as well; `c` has a launch of its own: it reads `b[t+1]` in neighbouring cells, and recomputing 4 values would repeat divisions or roots
    1 a: field f32 a boundary periodic; field f32 b; a[t+1] = sqrt(b + a); b[t+1] = a[x-1, t+1];
      => a | b; `a[t+1]` is not in registers along the stream: of `a`, it is periodic along x; `b` has a launch of its own: it reads `a[t+1]` in neighbouring cells, and recomputing 1 values would repeat divisions or roots
    1 a: field f32 a, b; boundary a { x: periodic; y: clamp; } a[t+1] = sqrt(b + a); b[t+1] = a[y-1, t+1];
      => a b; in registers along the stream of the launch of `a`, stored and read there by later statements: `a[t+1]`
    1 a: field f32 a, b boundary clamp; a[t+1] = sqrt(b) where b > 2; b[t+1] = a[y-1, t+1]; reduce r = max(b[t+1]);
      => a b | + r; in registers along the stream of the launch of `a`, stored and read there by later statements: `a[t+1]`; reductions have a launch of their own: the updates keep `t+1` in registers along a stream
    1 a: field f32 a, b boundary clamp; a[t+1] = sqrt(b); b[t+1] = a[x-9, t+1];
      => a | b; `a[t+1]` is not in registers along the stream: its launch would read so far along x that few lanes of a warp would update cells; `b` has a launch of its own: it reads `a[t+1]` in neighbouring cells, and recomputing 1 values would repeat divisions or roots
    2 a: field f32 a, b boundary clamp; a[t+1] = sqrt(b); b[t+1] = a[x-9, t+1];
      => a b; in registers along the stream of the launch of `a`, stored and read there by later statements: `a[t+1]`
    1 a b: field f32 a, b, c boundary clamp; a[t+1] = sqrt(b); b[t+1] = a[x-5, t+1]; c[t+1] = b[x-5, t+1];
      => a b | c; `c` has a launch of its own: it reads `b[t+1]` in neighbouring cells, and its launch would read so far along x that few lanes of a warp would update cells; in registers along the stream of the launch of `a`, stored and read there by later statements: `a[t+1]`
  )");
}

// Where the cells stand that may be read for one at an offset.
TEST(PlanStages, BoundariesSendReadsToFewCells) {
  const auto places = [](const std::string& boundary) {
    const ir::Stencil stencil =
        on("x, y", "field f32 u boundary " + boundary + "; u[t+1] = u[x-2] + u[x+1];");
    return fmt::format("{} | {}", fmt::join(places_read(stencil, 0, 0, -2), " "),
                       fmt::join(places_read(stencil, 0, 0, 1), " "));
  };
  expect_rows(places, R"(
    zero                            => -2 | 1
    fixed                           => -2 | 1
    ghost                           => -2 | 1
    clamp                           => -2 -1 0 | 0 1
    neumann 1                       => -2 -1 0 | 0 1
    reflect                         => -2 -1 0 1 2 | -1 0 1
    antireflect                     => -2 -1 0 1 2 | -1 0 1
    mirror                          => -2 -1 0 1 2 | -1 0 1
  )");
}

// The value that a launch stores of the first update, as the IR prints it.
std::string stored(const std::string& items) {
  const ir::Stencil stencil = on("x, y", items);
  const Stages made = stages(stencil, Fusion::best, true);
  const Stored& one = made.launches.at(0).stores.at(0);
  if (one.skipped) return "nothing";
  return ir::print(one.value, stencil) + (one.when ? " where " + ir::print(one.when, stencil) : "");
}

// Cells away from the boundary know which statements hold, a mask selects between a statement and
// the one before, and an output is written where a statement holds.
TEST(PlanStages, WhatIsStoredOfStatementsThatHoldForSomeCells) {
  const std::string twice = stored("field f32 u boundary zero; u[t+1] = 2*u;");
  const std::string u = "field f32 u boundary zero; u[t+1] = 2*u";
  EXPECT_EQ(stored(u + "; u[t+1] = 5 on x == 0;"), twice);
  EXPECT_EQ(stored(u + " on x >= 2, y < ny-1;"), twice);
  expect_rows(stored, R"(
    field f32 u boundary zero; u[t+1] = 5 on x < 2;                => u
    field f32 u boundary zero; u[t+1] = u + 1; u[t+1] = 2*u[t+1];  => mul(2, sum(1, 1 * u))
    field f32 u; u[t+1] = 5 where u > 1;                           => select(gt(u, 1), 5, u)
    field f32 u; u[t+1] = 2*u; u[t+1] = 5 where u > 1;             => select(gt(u, 1), 5, mul(2, u))
    field f32 u in; field f32 p out; p = 2*u;                      => mul(2, u)
    field f32 u in; field f32 p out; p = 5 where u > 1;            => 5 where gt(u, 1)
    field f32 u in; field f32 p out; p = 5 where u > 1; p = 6 where u < 0;
      => select(lt(u, 0), 6, 5) where or(gt(u, 1), lt(u, 0))
    field f32 u in; field f32 p out; p = 5 where u > 1; p = 6;     => 6
    field f32 u in; field f32 p out; p = 5 on x == 0;              => nothing
  )");
}

TEST(PlanExpand, AMadeValueReplacesItsReadsAndIsMoved) {
  const ir::Stencil stencil = on("x, y",
                                 "field f32 u, v, w boundary zero; u[t+1] = u[y-1] * x; w[t+1] = "
                                 "w; v[t+1] = max(u[x+2, t+1], min(u[t+1], w[x-1, t+1]));");
  const int field = 0;
  const ir::ExprPtr made = stencil.updates[stencil.update_of(field)].cases[0].value;
  const ir::ExprPtr reader = stencil.updates[stencil.update_of(1)].cases[0].value;
  const auto of = [&](int f) { return f == field ? made : nullptr; };
  ir::MovedValues moved;
  EXPECT_EQ(ir::print(expand(reader, of, moved), stencil),
            "max(mul(u[x+2, y-1], f32((x+2))), min(mul(u[y-1], f32(x)), w[x-1, t+1]))");
  EXPECT_EQ(expand(made, of, moved), made);  // what does not change stays the node it was
  EXPECT_EQ(expand(nullptr, of, moved), nullptr);
}

// Four sums, each of seven of the one before: what is moved twice, to one place in the end, is one
// node, so that the text has as many values as there are places, not ways to them.
TEST(PlanExpand, WhatIsMovedToOnePlaceIsOneNode) {
  const Stages made =
      stages(on("x, y",
                "field f32 a, b, c, d boundary clamp; a[t+1] = sum(i in -3..3 : a[x+i]); "
                "b[t+1] = sum(i in -3..3 : a[x+i, t+1]); c[t+1] = sum(i in -3..3 : b[x+i, t+1]); "
                "d[t+1] = sum(i in -3..3 : c[x+i, t+1]);"),
             Fusion::recompute, true);
  EXPECT_EQ(made.problem, "");
  ASSERT_EQ(made.launches.size(), 1u);
  int values = 0;
  for (const ir::ExprPtr& node : ir::nodes_of({made.launches[0].stores[3].value}))
    values += ir::as<ir::Named>(node) ? 1 : 0;
  EXPECT_EQ(values, 7 + 13 + 19);
}

// Of so many values nothing is made, not even to see what they cost.
TEST(PlanStages, ATextThatWouldBeTooLongIsNotMade) {
  std::string items = "field f32 w0 boundary clamp; w0[t+1] = w0[x-1];";
  for (int n = 1; n <= 9; ++n)
    items += fmt::format(
        " field f32 w{0} boundary clamp; w{0}[t+1] = sum(i in -9..9, j in -9..9 : w{1}[x+i, y+j, "
        "t+1]);",
        n, n - 1);
  const Stages best = planned(items);
  EXPECT_EQ(best.launches.size(), 10u);
  EXPECT_EQ(best.problem, "");
  testing::expect_has(best.reasons.at(1), {"recomputing that would make the kernel too long"});
  const Stages recompute = planned(items, Fusion::recompute);
  testing::expect_has(recompute.problem, {"`stages=recompute`: `w", "make the kernel too long"});
}

TEST(PlanExpand, LimitsHoldInsideWhereTheyLeaveOutTheBoundaryAlone) {
  using Limits = std::vector<ir::Limit>;
  const auto holds = [](const Limits& limits) { return holds_inside({limits, nullptr}); };
  const ir::Limit from_low{0, false, false, 2}, to_high{0, true, true, -2};
  const ir::Limit below{0, true, false, 2}, above{0, false, true, -2};
  EXPECT_TRUE(holds({}));
  EXPECT_TRUE(holds({from_low, to_high}));
  EXPECT_FALSE(holds({below}));
  EXPECT_FALSE(holds({above}));
  EXPECT_FALSE(holds({from_low, below}));
}

}  // namespace
}  // namespace stencilc::plan
