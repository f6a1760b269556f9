// Schedules as the command line gives them, and what is wrong with those that are none.
#include <gtest/gtest.h>

#include "plan/schedule/staged_values.h"
#include "plan/schedule/streamed_values.h"
#include "plan/tuning/candidates.h"
#include "plan/tuning/neighbours.h"
#include "support/planned.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::plan {
namespace {

using testing::Cells;
using testing::expect_rows;
using testing::gpu;
using testing::has;
using testing::on;

ir::Stencil stencil_of(const std::string& axes) {
  return on(axes, "field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u);");
}
const ir::Stencil& plane() {
  static const ir::Stencil stencil = stencil_of("x, y");
  return stencil;
}
const ir::Stencil& space() {
  static const ir::Stencil stencil = stencil_of("x, y, z");
  return stencil;
}
// What is wrong with a schedule for two axes, or `for x on sm_90: naive`.
std::string problem(const std::string& text) {
  if (!text.starts_with("for ")) return parse(text, plane(), Target::cuda).problem;
  const size_t end = text.find(": "), on = text.find(" on ");
  const std::string axes = text.substr(4, std::min(on, end) - 4), rest = text.substr(end + 2);
  const std::string device = on < end ? text.substr(on + 4, end - on - 4) : "";
  if (device == "CPU") return parse(rest, plane(), Target::cpu).problem;
  return parse(rest, stencil_of(axes), Target::cuda, device.empty() ? any_device() : gpu(device))
      .problem;
}
// What is printed of a schedule; it is read as the same.
std::string printed(const std::string& text, const ir::Stencil& stencil,
                    const Device& device = gpu()) {
  const std::string once = print(testing::scheduled(text, stencil, device), stencil);
  EXPECT_EQ(print(testing::scheduled(once, stencil, device), stencil), once);
  return once;
}

TEST(Plan, PresetsAreLegalAndPrintAsTheyAreRead) {
  for (const std::string axes : {"x", "x, y", "x, y, z"}) {
    const ir::Stencil stencil = stencil_of(axes);
    for (const std::string preset : {"naive", "coarsened"}) {
      const Choice choice = parse(preset, stencil, Target::cuda);
      ASSERT_EQ(choice.problem, "") << preset;
      EXPECT_EQ(choice.schedule.preset, preset);
      const std::string text = printed(preset, stencil, any_device());
      const Choice again = parse(text, stencil, Target::cuda);
      EXPECT_EQ(again.schedule.threads, choice.schedule.threads);
      EXPECT_EQ(again.schedule.coarsen, choice.schedule.coarsen);
      EXPECT_EQ(again.schedule.coarsen_axis, choice.schedule.coarsen_axis);
      int threads = 1;
      for (const int t : choice.schedule.threads) threads *= t;
      EXPECT_LE(threads, 1024);
      EXPECT_EQ(threads % 32, 0) << text;
    }
  }
}

TEST(Plan, WhatAPresetHasAndAScheduleHasNotIsPrinted) {
  const ir::Stencil box = on("x, y, z",
                             "field f32 u boundary clamp; u[t+1] = sum(i in -1..1, j in -1..1, k "
                             "in -1..1 : u[x+i, y+j, z+k]);");
  for (const std::string change :
       {",vector=1,rows=1,sums=gather", ",rows=1", ",sums=gather", ",coarsen=z1", ",coarsen=y2"}) {
    const Choice choice = parse("coarsened" + change, box, Target::cuda);
    ASSERT_EQ(choice.problem, "") << change;
    const Schedule once = choice.schedule,
                   again = parse(print(once, box), box, Target::cuda).schedule;
    EXPECT_EQ(again.vector, once.vector) << change;
    EXPECT_EQ(again.rows, once.rows) << change;
    EXPECT_EQ(again.scatter, once.scatter) << change;
    EXPECT_EQ(again.coarsen, once.coarsen) << change;
  }
}

TEST(Plan, ChangesToAPreset) {
  const Schedule s =
      parse("coarsened,threads=16x8x4,vector=1,coarsen=y3", space(), Target::cuda).schedule;
  EXPECT_EQ(s.threads, (std::array{16, 8, 4}));
  EXPECT_EQ(s.coarsen, 3);
  EXPECT_EQ(s.coarsen_axis, 1);
  EXPECT_EQ(s.tile(), (std::array{16, 24, 4}));
  EXPECT_EQ(print(s, space()), "coarsened,threads=16x8x4,vector=1,coarsen=y3");
  EXPECT_EQ(s.reason, "set by --schedule");
  EXPECT_EQ(parse("naive,threads=64", space(), Target::cuda).schedule.threads,
            (std::array{64, 1, 1}));
  EXPECT_EQ(parse("coarsened,coarsen=x1", space(), Target::cuda).schedule.coarsen, 1);
}

TEST(Plan, AxesWhoseNamesBeginAlikeAreToldApart) {
  const ir::Stencil stencil = stencil_of("x1, x");
  const auto coarsened = [&](const std::string& by) {
    const Schedule one = parse("coarsened,coarsen=" + by, stencil, Target::cuda).schedule;
    return std::pair(one.coarsen_axis, one.coarsen);
  };
  EXPECT_EQ(coarsened("x12"), std::pair(0, 2));
  EXPECT_EQ(coarsened("x4"), std::pair(1, 4));
}

TEST(Plan, ChoosesWithoutBeingTold) {
  EXPECT_EQ(choose(plane(), Target::cuda, 0).preset, "naive");
  EXPECT_EQ(choose(plane(), Target::cuda, 2).preset, "coarsened");
  EXPECT_EQ(choose(plane(), Target::cpu, 2).preset, "loops");
  EXPECT_EQ(print(choose(plane(), Target::cpu, 2), plane()), "loops");
  EXPECT_FALSE(choose(plane(), Target::cuda, 2).reason.empty());
}

TEST(Plan, StagesAreAPartOfEverySchedule) {
  const auto loops = [](const std::string& stages) {
    return print(parse("loops" + stages, plane(), Target::cpu).schedule, plane());
  };
  for (const std::string stages : {"", ",stages=split", ",stages=recompute"}) {
    const std::string tiled = "naive,threads=64x2" + stages;
    EXPECT_EQ(printed(tiled, plane()), tiled);
    EXPECT_EQ(loops(stages), "loops" + stages);
  }
  EXPECT_EQ(loops(",stages=best"), "loops");
}

TEST(Plan, CellsInSharedMemoryAreThoseOfATileOrOfPlanesOfAStream) {
  for (const std::string shared : {"loads", "async", "boxes"}) {
    SCOPED_TRACE(shared);
    const std::string kind = "`shared=" + shared + "`", part = ",shared=" + shared;
    const auto in_space = [&](const std::string& text) {
      return problem("for x, y, z on sm_90: coarsened," + text + part);
    };
    testing::expect_has(printed("coarsened,vector=4,coarsen=z8" + part + ",ahead=3", space()),
                        {part + ",ahead=3"});
    EXPECT_EQ(in_space("vector=1,coarsen=z8"), "");
    for (const std::string coarsen : {"z1", "y4"})
      EXPECT_EQ(
          in_space("vector=4,coarsen=" + coarsen),
          kind + " in 3-D is for blocks that stream along the third axis: add `coarsen` along it");
    EXPECT_EQ(in_space("coarsen=z8,vector=4,threads=8x4x2"),
              kind + " needs one thread along the third axis, because the block streams along it");
    for (const std::string axes : {"x", "x, y"})
      for (const std::string vector : {"1", "4"}) {
        const std::string text =
            printed("coarsened" + part + ",vector=" + vector, stencil_of(axes));
        EXPECT_TRUE(text.ends_with(part)) << text;
      }
    // Wherever it stands: no part is dropped for one after it.
    EXPECT_EQ(problem("for x, y, z on sm_90: coarsened" + part + ",vector=4,coarsen=y4"),
              in_space("vector=4,coarsen=y4"));
    EXPECT_EQ(printed("coarsened" + part + ",vector=1,coarsen=z8", space()),
              printed("coarsened,vector=1,coarsen=z8" + part, space()));
  }
  expect_rows(problem, R"(
    coarsened,shared=tiles => `shared=tiles`: write `none`, `loads`, `async` or `boxes`
    coarsened,ahead=0      => `ahead=0`: 1 to 8 planes can be prefetched
    coarsened,ahead=9      => `ahead=9`: 1 to 8 planes can be prefetched
    coarsened,ahead=two    => `ahead=two`: 1 to 8 planes can be prefetched
    coarsened,ahead=       => `ahead=`: 1 to 8 planes can be prefetched
  )");
}

TEST(Plan, WarpsShareOutWhatThreadsFill) {
  const std::string shape = "coarsened,threads=32x4,vector=2,coarsen=y2,shared=async";
  EXPECT_EQ(printed(shape + ",fill=split", plane()), shape + ",fill=split");
  EXPECT_EQ(printed(shape + ",fill=together", plane()), shape);
  const auto split = [](const std::string& text) {
    return problem("for x, y on sm_90: coarsened,vector=2,coarsen=y2," + text);
  };
  expect_rows(split, R"(
    threads=32x4,fill=split,shared=none
      => `fill=split` needs `shared=loads` or `shared=async`
    threads=32x4,fill=split,shared=boxes
      => `fill=split` needs `shared=loads` or `shared=async`
    threads=32x2,shared=async,fill=split
      => `fill=split` needs blocks of at least 3 whole warps, and the schedule has 64 threads
    threads=33x4,shared=async,fill=split
      => `fill=split` needs blocks of at least 3 whole warps, and the schedule has 132 threads
    fill=warps => `fill=warps`: write `together`, `split` or `producers`
  )");
  EXPECT_EQ(problem("for x: coarsened,threads=64,vector=2,shared=loads,fill=split"), "");
}

TEST(Plan, CellsOfAColourAreNeitherSharedNorShuffled) {
  const ir::Stencil colors =
      on("x, y", "field f32 p boundary zero; color a, b by (x+y) % 2; p = p[x-1] + p[y+1];");
  EXPECT_EQ(parse("coarsened,shared=loads", colors, Target::cuda).problem,
            "`shared=loads` cannot be used with colours, because a sweep changes cells that other "
            "blocks still load");
  EXPECT_EQ(parse("coarsened,sides=lanes", colors, Target::cuda).problem,
            "`sides=lanes` cannot be used with colours, because neighbouring lanes have cells of "
            "other colours");
}

TEST(Plan, PlanesInSharedMemoryAreForDevicesThatCopyThem) {
  const std::string shape = "coarsened,vector=4,coarsen=z8,shared=";
  const auto problem_for = [&](const std::string& row) {
    const testing::Cells of = testing::parts_of(row, " on ");
    return parse(shape + of[0], space(), Target::cuda, gpu(of[1])).problem;
  };
  expect_rows(problem_for, R"(
    loads on sm_75 =>
    async on sm_80 =>
    async on sm_75 => `shared=async` needs sm_80 or newer, and the target is sm_75
    boxes on sm_90 =>
    boxes on sm_89 => `shared=boxes` needs sm_90 or newer, and the target is sm_89
  )");
  EXPECT_TRUE(parse(shape + "boxes", space(), Target::cuda, gpu("sm_89")).of_device);
}

TEST(Plan, SidesComeFromLanesOfAWarpInOneRow) {
  for (const std::string axes : {"x", "x, y", "x, y, z"})
    for (const std::string vector : {"1", "4"}) {
      const ir::Stencil stencil = stencil_of(axes);
      const std::string text = "coarsened,threads=64,shared=none,sides=lanes,vector=" + vector;
      EXPECT_TRUE(testing::scheduled(text, stencil, any_device()).lanes);
      testing::expect_has(printed(text, stencil, any_device()), {",sides=lanes"});
    }
  expect_rows(problem, R"(
    coarsened,sides=warps => `sides=warps`: write `loads` or `lanes`
    coarsened,threads=16x8,sides=lanes
      => `sides=lanes` needs a multiple of 32 threads along x, and the schedule has 16
    for x, y, z: coarsened,threads=32x4,vector=4,coarsen=z8,shared=loads,sides=lanes
      => `sides=lanes` cannot be combined with `shared=loads`, from which threads read all cells; write `shared=none`
    naive,sides=lanes => `sides` cannot be used with `naive`, where a thread computes one cell; write `coarsened`
  )");
}

TEST(Plan, EndsArePeeledFromAStreamAlongAnotherAxisThanTheFirst) {
  for (const std::string partition : {"y64", "z64"}) {
    const std::string text = "coarsened,shared=none,ends=peeled,coarsen=" + partition;
    EXPECT_TRUE(testing::scheduled(text, space(), any_device()).peeled);
    testing::expect_has(printed(text, space(), any_device()), {",ends=peeled"});
  }
  expect_rows(problem, R"(
    coarsened,ends=open => `ends=open`: write `checked` or `peeled`
    coarsened,ends=peeled,coarsen=y1
      => `ends=peeled` is for threads that stream along the second or third axis: add `coarsen`
    coarsened,ends=peeled,coarsen=x4
      => `ends=peeled` is for threads that stream along the second or third axis: add `coarsen`
    for x, y, z: coarsened,vector=4,coarsen=z8,shared=loads,ends=peeled
      => `ends=peeled` cannot be combined with `shared=loads`; write `shared=none`
  )");
}

TEST(Plan, CellsNearTheBoundaryHaveThreadsOfTheirOwn) {
  const std::string text = "naive,threads=32x8x1,edges=cells,swizzle=64";
  EXPECT_TRUE(testing::scheduled(text, space(), any_device()).edge_cells);
  EXPECT_EQ(printed(text, space(), any_device()), text);
  EXPECT_EQ(printed("naive,edges=blocks", space(), any_device()), "naive,threads=32x8x1");
  const std::string vectors = "coarsened,threads=32x8x1,vector=2,rows=2,coarsen=z1,edges=cells";
  EXPECT_TRUE(testing::scheduled(vectors, space(), any_device()).edge_cells);
  expect_rows(problem, R"(
    for x, y: naive,edges=open
      => `edges=open`: write `blocks` (a block with a cell near the boundary checks all of its cells) or `cells` (threads of their own compute the cells near the boundary)
    for x: naive,edges=cells
      => `edges=cells` is for 2-D and 3-D: in 1-D two blocks have all cells near the boundary
    for x, y: coarsened,vector=2,coarsen=y2,edges=cells
      => `edges=cells` is for threads that compute one cell or a tile of vectors: use the preset `naive`, or leave out what the schedule has beside `vector` and `rows`
    for x, y, z: coarsened,threads=32x4,vector=1,coarsen=z4,edges=cells
      => `edges=cells` is for threads that compute one cell or a tile of vectors: use the preset `naive`, or leave out what the schedule has beside `vector` and `rows`
  )");
}

TEST(Plan, StatementsStandInTheOrderOfNeighbours) {
  const std::string text = "naive,threads=32x8x1,registers=128,order=neighbours,swizzle=64";
  EXPECT_TRUE(testing::scheduled(text, space(), any_device()).by_neighbours);
  EXPECT_EQ(printed(text, space(), any_device()), text);
  EXPECT_EQ(printed("naive,order=neighbours,order=written", space(), any_device()),
            "naive,threads=32x8x1");
  expect_rows(problem, R"(
    for x, y: naive,order=rows
      => `order=rows`: write `written` (one sum after the other) or `neighbours` (all sums take what one neighbour has, then the next)
    for x, y, z: coarsened,threads=32x8,vector=2,rows=2,coarsen=z16,sums=scatter,steps=2,order=neighbours
      => `steps=2` cannot be combined with `order=neighbours`, which is for launches of one step; leave that out
  )");
}

TEST(Plan, BlocksRunInBandsOfRows) {
  const std::string text = "naive,threads=32x8x1,swizzle=64";
  EXPECT_EQ(testing::scheduled(text, space(), any_device()).swizzle, 64);
  EXPECT_EQ(printed(text, space(), any_device()), text);
  expect_rows(problem, R"(
    for x, y, z: naive,swizzle=0 => `swizzle=0`: a band has 1 to 4096 rows
    for x, y, z: naive,swizzle=4097 => `swizzle=4097`: a band has 1 to 4096 rows
    for x, y: naive,swizzle=64
      => `swizzle=64` is for 3-D: blocks of a band of rows run for all planes first
    for x, y, z: coarsened,threads=32x8,vector=2,rows=2,coarsen=z16,sums=scatter,steps=2,swizzle=64
      => `steps=2` cannot be combined with `swizzle`, because its blocks stream; leave that out
  )");
}

TEST(Plan, TapsAreLoopsOfSumsOverBoxes) {
  const auto boxed = [](const std::string& axes, const std::string& value) {
    return on(axes, "field f32 u in boundary clamp; field f32 d out; d = " + value + ";");
  };
  const ir::Stencil box = boxed("x, y", "u + 2*u[x+1]");
  const std::string loops = "coarsened,threads=32x4,vector=8,rows=6,taps=rolled";
  EXPECT_EQ(printed(loops, box, any_device()),
            "coarsened,threads=32x4,vector=8,rows=6,coarsen=y1,taps=rolled");
  EXPECT_EQ(testing::scheduled(loops, box, any_device()).tile(), (std::array{256, 24, 1}));
  EXPECT_EQ(printed("coarsened,threads=8x16,vector=16,rows=2,taps=rolled,shared=loads", box,
                    any_device()),
            "coarsened,threads=8x16,vector=16,rows=2,coarsen=y1,taps=rolled,shared=loads");
  for (const Cells& row : testing::rows(R"(
    x, y => u + 2*u[x+1] => coarsened,taps=loops
      => `taps=loops`: write `terms`, `unrolled` or `rolled`
    x, y => u + 2*u[x+1] => coarsened,vector=1,taps=rolled
      => `taps=rolled` is for threads that compute a tile of vectors: add `vector` and `rows`, and leave out `coarsen`
    x, y => u + 2*u[x+1] => coarsened,vector=4,taps=rolled,coarsen=y4 =>
    x, y => u[x-1] + u[y-1] => coarsened,vector=4,taps=rolled
      => `taps=rolled` needs a sum over all cells of a box, each times a number or a value of an array of weights, and the stencil has none
    x, y, z => u + 2*u[x+1] => coarsened,vector=4,taps=unrolled
      => `taps=unrolled` is for 1-D and 2-D
    x => u + 2*u[x+1] => coarsened,vector=4,taps=unrolled =>
    x => u + 2*u[x+1] => coarsened,vector=4,taps=rolled
      => `taps=rolled` is for 2-D; in 1-D write `taps=unrolled`
    x => u + 2*u[x+1] => coarsened,vector=4,rows=2
      => `rows=2`: a stencil with one axis has one row
  )"))
    EXPECT_EQ(parse(row[2], boxed(row[0], row[1]), Target::cuda).problem, row[3])
        << row[0] << ", " << row[1] << ", " << row[2];
}

TEST(Plan, ValuesAreGlobalOrTheReasonIsGiven) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y, z; field f32 u boundary clamp; field f32 v; let g = u*u + 1; "
      "let next = u[t+1]*2; let positive = u > 0; u[t+1] = g[x-1] - g[x+1]; "
      "v[t+1] = (positive[x-1] ? g[y+1] : 0) + next*next; }");
  const auto problem_of = [&](const std::string& text) {
    return parse(text, stencil, Target::cuda, *find_device("sm_90")).problem;
  };
  EXPECT_EQ(problem_of("naive,global=g"), "");
  EXPECT_EQ(problem_of("coarsened,global=all"), "");
  EXPECT_EQ(problem_of("naive,global=h"),
            "`global=h`: there is no value `h` that could be global; the values are `g`, "
            "`next`, `positive`");
  EXPECT_EQ(problem_of("naive,global=positive"),
            "`global=positive`: `positive` cannot be global, because it is a condition");
  EXPECT_EQ(problem_of("coarsened,threads=32x4,vector=2,rows=1,coarsen=z8,shared=boxes,global=g"),
            "`global` cannot be combined with `shared=boxes`, because bulk copies read only the "
            "caller's grids; write `shared=async`");
}

TEST(Plan, ValuesAreInTilesOrTheReasonIsGiven) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u boundary clamp; let g = u*u + 1; let h = g[x-1]*u; "
      "let positive = u > 0; u[t+1] = h[x-1] - g[y+1] + (positive[x-1] ? h : 0); }");
  const auto problem_of = [&](const std::string& text) {
    return parse(text, stencil, Target::cuda, *find_device("sm_90")).problem;
  };
  EXPECT_EQ(problem_of("naive,tile=g+h"), "");
  EXPECT_EQ(problem_of("naive,global=g,tile=h"), "");
  EXPECT_EQ(problem_of("coarsened,tile=all"), "");  // what cannot be combined gives way
  EXPECT_EQ(problem_of("naive,tile=q"),
            "`tile=q`: there is no value `q` that could be in a tile; the values are `g`, `h`, "
            "`positive`");
  EXPECT_EQ(problem_of("naive,tile=positive"),
            "`tile=positive`: `positive` cannot be in a tile, because it is a condition");
  EXPECT_EQ(problem_of("naive,global=g,tile=g+h"),
            "`g` cannot be both `global` and in a `tile`; leave it out of one of them");
  EXPECT_EQ(problem_of("naive,edges=cells,tile=g"),
            "`edges=cells` cannot be combined with `tile`, because all threads of a block compute "
            "its values together; write `edges=blocks`");
  EXPECT_EQ(
      problem_of("coarsened,vector=2,tile=g"),
      "`vector=2` cannot be combined with `tile`, where a thread computes one cell at a time; "
      "leave it out, or write `global`");
  EXPECT_EQ(problem_of("coarsened,shared=loads,vector=1,coarsen=y1,tile=g"),
            "`shared=loads` cannot be combined with `tile`, which has the shared memory; write "
            "`shared=none`");
  EXPECT_EQ(problem_of("coarsened,coarsen=y4,ends=peeled,tile=g"),
            "`ends=peeled` cannot be combined with `tile`; leave that out");
  EXPECT_NE(problem_of("coarsened,vector=2,rows=2,steps=4,threads=32x4,tile=g"), "");
  EXPECT_EQ(problem_of("coarsened,threads=32x32,vector=1,coarsen=y16,tile=g+h"),
            "`tile` takes 274704 bytes of shared memory in a block of 32x512 cells, and a block of "
            "sm_90 has 232448; one of 32x256 cells would take 137488");
}

TEST(Plan, ValuesAreStreamedOrTheReasonIsGiven) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u boundary clamp; let g = u*u + 1; let h = g[x-1]*u; "
      "let positive = u > 0; u[t+1] = h[x-1] - g[y+1] + (positive[x-1] ? h : 0); }");
  const auto problem_of = [&](const std::string& text) {
    return parse(text, stencil, Target::cuda, *find_device("sm_90")).problem;
  };
  EXPECT_EQ(problem_of("coarsened,stream=g+h"), "");  // what cannot be combined gives way
  EXPECT_EQ(problem_of("coarsened,global=g,stream=h"), "");
  EXPECT_EQ(problem_of("coarsened,stream=none"), "");
  EXPECT_EQ(problem_of("naive,stream=g"),
            "`stream` cannot be used with `naive`, where a thread computes one cell; write "
            "`coarsened`");
  EXPECT_EQ(problem_of("coarsened,stream=q"),
            "`stream=q`: there is no value `q` that could be in registers along a stream; the "
            "values are `g`, `h`, `positive`");
  EXPECT_EQ(problem_of("coarsened,stream=positive"),
            "`stream=positive`: `positive` cannot be in registers along a stream, because it is a "
            "condition");
  EXPECT_EQ(problem_of("coarsened,global=g,stream=g+h"),
            "`g` cannot be both `global` and in a `stream`; leave it out of one of them");
  EXPECT_EQ(problem_of("coarsened,tile=g,stream=h"),
            "`tile` cannot be combined with `stream`, where a thread computes values for others of "
            "its warp alone; use one of them");
  EXPECT_EQ(problem_of("coarsened,vector=4,stream=g"), "");
  EXPECT_EQ(problem_of("coarsened,vector=8,stream=g"),
            "`vector=8` cannot be combined with `stream`, where a thread keeps the values of all "
            "its columns in registers; write `vector=4` or less");
  EXPECT_EQ(problem_of("coarsened,vector=2,rows=2,coarsen=y1,stream=g"),
            "`rows=2` cannot be combined with `stream`, where a thread computes one row after the "
            "other; leave it out");
  EXPECT_EQ(problem_of("coarsened,vector=2,coarsen=y4,sums=scatter,stream=g"),
            "`sums=scatter` cannot be combined with `stream`; leave it out");
  EXPECT_EQ(problem_of("coarsened,threads=16x4,stream=g"),
            "`stream` needs a multiple of 32 threads along x, and the schedule has 16");
  EXPECT_EQ(problem_of("coarsened,coarsen=x2,stream=g"),
            "`stream` is for threads that stream along the last axis of two or three: add "
            "`coarsen` along it, or leave `coarsen` out");
  EXPECT_EQ(problem_of("coarsened,edges=cells,stream=g"),
            "`edges=cells` cannot be combined with `stream`, because all threads of a warp compute "
            "its values together; write `edges=blocks`");
  EXPECT_EQ(problem_of("coarsened,sides=lanes,stream=g"),
            "`sides=lanes` cannot be combined with `stream`; leave that out");
}

TEST(Plan, FieldsAreStreamedOrTheReasonIsGiven) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f32 a out boundary zero; field f32 b out boundary periodic; "
      "field f32 u boundary clamp; let g = u*u; a = g[x-1] - g[y+1]; b = a*u; "
      "u[t+1] = a[x+1] + b[y-1]; }");
  const auto parsed = [&](const std::string& text) {
    return parse("coarsened,stream=" + text, stencil, Target::cuda, *find_device("sm_90"));
  };
  EXPECT_EQ(parsed("a").problem, "");
  EXPECT_EQ(parsed("g+a").problem, "");
  EXPECT_EQ(parsed("all").schedule.stream_values, (std::vector<std::string>{"g", "a"}));
  EXPECT_EQ(parsed("b").problem,
            "`stream=b`: `b` cannot be in registers along a stream, because it is periodic along "
            "y");
  EXPECT_EQ(parsed("u").problem,
            "`stream=u`: `u` cannot be in registers along a stream, because no other statement "
            "reads its `t+1` in neighbouring cells");
  EXPECT_EQ(parsed("q").problem,
            "`stream=q`: there is no value `q` that could be in registers along a stream; the "
            "values are `g`, field `a`");
}

// h is read at x-1 of the next row and at the cell itself, and reads g at x+1 of its row and at the
// row before.
TEST(Plan, StreamedValuesAreComputedBeforeTheyAreRead) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u boundary clamp; let g = u*u[x+1] + 1; "
      "let h = g[x+1]*g[y-1]; u[t+1] = h[x-1, y+1] - h*u; }");
  Survey survey(stencil);
  const Launch& launch = survey.best().launches[0];
  const StreamedValues values = streamed_values(stencil, launch, false, {"g", "h"});
  ASSERT_EQ(values.instances.size(), 2u);
  const auto name = [&](int value) { return values.values.values[value].name; };
  const StreamedValues::Instance &g = values.instances[0], &h = values.instances[1];
  EXPECT_EQ(name(g.value), "g");
  EXPECT_EQ(name(h.value), "h");
  EXPECT_EQ(h.ahead, 1);
  EXPECT_EQ(h.first, -1);  // of row 0
  EXPECT_EQ(g.ahead, 1);
  EXPECT_EQ(g.first, -2);  // of row -1
  EXPECT_EQ(values.early(), 2);
  EXPECT_EQ(values.left, 1);
  EXPECT_EQ(values.right, 1);
  const auto column = [&](const ir::Offset& offset) {
    const auto found = std::ranges::find_if(values.columns, [&](const auto& one) {
      return one.value == h.value && one.offset == offset;
    });
    return found == values.columns.end() ? nullptr : &*found;
  };
  const StreamedValues::Column* own = column({});
  ASSERT_TRUE(own);
  EXPECT_EQ(own->low, 0);
  EXPECT_EQ(own->high, 1);
  const StreamedValues::Column* left = column({-1, 0, 0});
  ASSERT_TRUE(left);
  EXPECT_EQ(left->low, 1);
  EXPECT_TRUE(streamed_values(stencil, launch, true, {"g", "h"}).empty());  // a launch that folds
}

// Of two columns the second one is beside the first: the lane to the left has g at x-2 and x-1.
TEST(Plan, StreamedValuesOfSeveralColumnsComeFromFewerLanes) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u boundary clamp; let g = u*u[x+1] + 1; "
      "let h = g[x-1]*g[x+1]; u[t+1] = h[x-2] - h*u; }");
  Survey survey(stencil);
  const Launch& launch = survey.best().launches[0];
  const StreamedValues one = streamed_values(stencil, launch, false, {"g", "h"});
  EXPECT_EQ(one.left, 3);
  EXPECT_EQ(one.right, 1);
  EXPECT_EQ(one.warp_cells(), 28);
  const StreamedValues two = streamed_values(stencil, launch, false, {"g", "h"}, 2);
  EXPECT_EQ(two.left, 2);
  EXPECT_EQ(two.right, 1);
  EXPECT_EQ(two.warp_cells(), 58);
  std::string columns;
  for (const StreamedValues::Column& column : two.columns)
    columns += two.values.values[column.value].name + std::to_string(column.offset[0]) + " of " +
               std::to_string(two.own(column.offset)[0]) + " in lane " +
               std::to_string(two.lane(column.offset)) + "; ";
  EXPECT_EQ(columns,
            "h-2 of 0 in lane -1; h-1 of 1 in lane -1; h0 of 0 in lane 0; h1 of 1 in lane 0; "
            "g-1 of 1 in lane -1; g0 of 0 in lane 0; g1 of 1 in lane 0; g2 of 0 in lane 1; ");
}

// g is read two cells back along x through h, and one cell ahead along y.
TEST(Plan, StagedValuesAreNeededAroundTheBlock) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u boundary { x.lo: clamp; x.hi: none; y: clamp; }"
      "let own = u*u; let g = u*u[x+1] + 1; let h = g[x-1]*u; "
      "u[t+1] = h[x-1] - g[y+1] + own + own*h; }");
  Survey survey(stencil);
  const Launch& launch = survey.best().launches[0];
  const StagedValues staged = staged_values(stencil, launch, {"h", "own", "g"});
  ASSERT_EQ(staged.values.size(), 2u);  // only the cell itself reads `own`
  const StagedValue &g = staged.values[0], &h = staged.values[1];
  EXPECT_EQ(g.name, "g");
  EXPECT_EQ(g.level, 0);
  EXPECT_EQ(g.around.low, (ir::Offset{2, 0, 0}));
  EXPECT_EQ(g.around.high, (ir::Offset{0, 1, 0}));
  EXPECT_TRUE(g.cross);
  EXPECT_EQ(g.domain.high, (ir::Offset{1, 0, 0}));
  EXPECT_EQ(h.name, "h");
  EXPECT_EQ(h.level, 1);
  EXPECT_EQ(h.around.low, (ir::Offset{1, 0, 0}));
  EXPECT_FALSE(h.cross);
  EXPECT_EQ(staged.levels(), 2);
  EXPECT_EQ(staged.bytes({32, 8, 1}), 34 * 9 * 8 + 33 * 8 * 8);
  EXPECT_TRUE(staged_values(stencil, launch, {}).values.empty());
}

// `a` may be computed in other cells than `b`, and `c` is needed farther beyond the grid.
TEST(Plan, StagedValuesOfOtherCellsAreComputedApart) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u boundary { x: clamp; y.lo: none; y.hi: clamp; }"
      "field f64 v boundary clamp; let a = u*u[y-1]; let b = v*v; let c = v + v*v; "
      "u[t+1] = a[x-1]; v[t+1] = b[x-1] + c[x-1]*c[x+1]; }");
  Survey survey(stencil);
  const StagedValues staged = staged_values(stencil, survey.best().launches[0], {"a", "b", "c"});
  EXPECT_EQ(staged.together(0).size(), 3u);
}

TEST(Plan, StagesInTilesOrTheReasonIsGiven) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u, v boundary clamp; u[t+1] = 2*u; "
      "v[t+1] = u[x-1, t+1] / (1 + u[x+1, t+1]); }");
  const auto problem_of = [&](const std::string& text) {
    return parse(text, stencil, Target::cuda, *find_device("sm_90")).problem;
  };
  EXPECT_EQ(problem_of("naive,stages=tile"), "");
  EXPECT_EQ(problem_of("coarsened,stages=tile"), "");  // what cannot be combined gives way
  EXPECT_EQ(
      problem_of("coarsened,vector=2,stages=tile"),
      "`vector=2` cannot be combined with `stages=tile`, where a thread computes one cell at a "
      "time; leave it out");
  EXPECT_EQ(problem_of("naive,edges=cells,stages=tile"),
            "`edges=cells` cannot be combined with `stages=tile`, because all threads of a block "
            "compute its values together; write `edges=blocks`");
  EXPECT_EQ(problem_of("coarsened,threads=32x32,vector=1,coarsen=y64,stages=tile"),
            "`stages=tile` takes 557056 bytes of shared memory in a block of 32x2048 cells, and a "
            "block of sm_90 has 232448; one of 32x512 cells would take 139264");
  EXPECT_EQ(parse("loops,stages=tile", stencil, Target::cpu, *find_device("sm_90")).problem,
            "`stages=tile` is for the blocks of a GPU; write `best`, `recompute` or `split`");
}

TEST(Plan, ProblemsSayWhatIsWrong) {
  const std::string parts =
      "`; the parts are threads, vector, rows, planes, strips, coarsen, "
      "chunks, sums, sides, ends, edges, taps, loads, shared, ahead, fill, resident, registers, "
      "order, swizzle, launches, steps, stages, setup, global, fission, tile, stream and launch";
  EXPECT_EQ(problem("naive,colour=4"), "a schedule has no part `colour" + parts);
  EXPECT_EQ(problem("naive,"), "a schedule has no part `" + parts);
  EXPECT_EQ(problem(""), "there is no schedule ``; the schedules are naive and coarsened");
  for (const std::string stages : {"", "all", "Split"})
    EXPECT_EQ(problem("naive,stages=" + stages),
              "`stages=" + stages + "`: write `best`, `recompute`, `split` or `tile`");
  for (const std::string threads :
       {"0", "-1", "32x0", "2000", "", "32x", "x8", "3.5", "abc", "99999999999"})
    EXPECT_EQ(problem("naive,threads=" + threads),
              "`threads=" + threads + "`: each number has to be from 1 to 1024");
  for (const std::string coarsen : {"y0", "y4097", "x100000"})
    EXPECT_EQ(problem("coarsened,coarsen=" + coarsen),
              "`coarsen=" + coarsen + "`: a thread computes 1 to 4096 cells");
  for (const std::string coarsen : {"", "4", "z4", "y", "y-4", "y4x"})
    EXPECT_EQ(problem("coarsened,coarsen=" + coarsen),
              "`coarsen=" + coarsen + "`: write an axis and a number, such as `coarsen=y4`");
  expect_rows(problem, R"(
    tiled => there is no schedule `tiled`; the schedules are naive and coarsened
    naive,shared=boxes => `shared` cannot be used with `naive`, where a thread computes one cell; write `coarsened`
    naive,coarsen=y4   => `coarsen` cannot be used with `naive`, where a thread computes one cell; write `coarsened`
    naive,threads=32x8x1 => `threads=32x8x1` has more numbers than the stencil has axes
    naive,threads=64x32  => a block of 2048 threads is too large; the limit is 1024
    naive,threads=32x32  =>
    for x, y, z: naive,threads=1x1x128
      => a block of 128 threads along the third axis is too large; the limit is 64
    for x, y, z: naive,threads=1x1x64 =>
    for x, y on CPU: naive => there is no schedule `naive` for the CPU; write `loops`
    for x, y on CPU: loops =>
    for x, y on CPU: loops,threads=64 => the schedule `loops` has no part `threads`; its parts are `stages`, `setup`, `global` and `fission`
  )");
}

TEST(PlanLoads, EverySchedulePrintsThem) {
  for (const std::string text :
       {"naive,threads=32x8", "coarsened,threads=32x8,vector=4,coarsen=y4"}) {
    EXPECT_EQ(printed(text + ",loads=texture", plane(), any_device()), text + ",loads=texture");
    EXPECT_EQ(printed(text + ",loads=plain", plane(), any_device()), text);
  }
}

TEST(PlanLoads, CopiesDoNotPassThroughTextures) {
  const auto problem_of = [](const std::string& more) {
    return problem("for x, y, z: coarsened,vector=4,coarsen=z8,loads=texture," + more);
  };
  expect_rows(problem_of, R"(
    shared=loads =>
    shared=none  =>
    shared=async
      => `loads=texture` cannot be combined with `shared=async`, whose copies do not use textures; write `shared=loads` or `shared=none`
    shared=boxes
      => `loads=texture` cannot be combined with `shared=boxes`, whose copies do not use textures; write `shared=loads` or `shared=none`
    resident=4
      => `loads=texture` cannot be combined with `resident`: a kernel that read textures and spilled registers returned wrong values; leave that out
    registers=96
      => `loads=texture` cannot be combined with `registers`: a kernel that read textures and spilled registers returned wrong values; leave that out
    loads=linear => `loads=linear`: write `plain` or `texture`
  )");
}

TEST(PlanLoads, TheyAreTried) {
  for (const std::string axes : {"x", "x, y", "x, y, z"}) {
    const ir::Stencil stencil = stencil_of(axes);
    const auto tried = [](const std::vector<std::string>& list, const std::string& part) {
      for (const std::string& text : list)
        if (has(text, "loads=texture") && has(text, part)) return true;
      return false;
    };
    const auto all = candidates(stencil, Target::cuda, any_device());
    for (const char* part : {"naive", "vector=4", "shared=loads"})
      EXPECT_TRUE(tried(all, part)) << axes << " " << part;
    EXPECT_TRUE(tried(neighbours("naive", stencil, Target::cuda, any_device()), "naive")) << axes;
  }
}

TEST(PlanProducers, AreWarpsBesideThoseThatCompute) {
  for (const auto& [threads, more] : {std::pair{"32x8", 32}, {"64x4", 64}, {"16x4", 32}}) {
    const std::string text = "coarsened,threads=" + std::string(threads) +
                             ",vector=4,rows=2,coarsen=z16,sums=gather,shared=boxes,ahead=2";
    const Schedule schedule = testing::scheduled(text + ",fill=producers", space());
    EXPECT_TRUE(print(schedule, space()).ends_with(",shared=boxes,ahead=2,fill=producers"))
        << print(schedule, space());
    EXPECT_EQ(schedule.block_threads(), schedule.threads[0] * schedule.threads[1] + more);
    EXPECT_EQ(schedule.tile()[1], 2 * schedule.threads[1]);
    EXPECT_EQ(testing::scheduled(text, space()).producers(), 0);
  }
}

TEST(PlanProducers, FillPlanesThatAreCopied) {
  const auto problem_of = [](const std::string& text) {
    return problem("for x, y, z on sm_90: coarsened," + text + ",fill=producers");
  };
  const std::string copied =
      "`fill=producers` is for 3-D blocks that stream along the third axis: add `shared=boxes` or "
      "`shared=async`, and `coarsen`";
  EXPECT_EQ(problem_of("vector=4,coarsen=z16,shared=loads"), copied);
  EXPECT_EQ(problem_of("vector=4,coarsen=z16,shared=none"), copied);
  EXPECT_EQ(problem("for x, y on sm_90: coarsened,vector=4,coarsen=y4,shared=boxes,fill=producers"),
            copied);
  expect_rows(problem_of, R"(
    vector=4,coarsen=z16,shared=async =>
    threads=8x2,vector=4,coarsen=z16,shared=boxes
      => `fill=producers` needs whole warps that compute, and the schedule has 16 threads
    threads=32x32,vector=4,coarsen=z16,shared=boxes
      => `fill=producers` adds 32 threads to the 1024 of the schedule, and a block can have at most 1024
    threads=32x8,vector=4,coarsen=z16,shared=boxes,resident=8
      => `resident=8` is too many: a multiprocessor holds 7 blocks of 288 threads
  )");
}

}  // namespace
}  // namespace stencilc::plan
