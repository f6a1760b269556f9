// Schedules as the command line gives them, and what is wrong with those that are none.
#include <gtest/gtest.h>

#include "plan/schedule.h"
#include "support/analysed.h"

namespace stencilc::plan {
namespace {

ir::Stencil stencil_of(const std::string& axes) {
  return testing::canonical("stencil s { axes " + axes +
                            "; field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u); }");
}
std::string problem(const std::string& text, const std::string& axes = "x, y",
                    Target target = Target::cuda) {
  return parse(text, stencil_of(axes), target).problem;
}

TEST(Plan, PresetsAreLegalAndPrintAsTheyAreRead) {
  for (const std::string axes : {"x", "x, y", "x, y, z"}) {
    const ir::Stencil stencil = stencil_of(axes);
    for (const std::string preset : {"naive", "coarsened"}) {
      const Choice choice = parse(preset, stencil, Target::cuda);
      ASSERT_EQ(choice.problem, "") << preset;
      EXPECT_EQ(choice.schedule.preset, preset);
      const std::string text = print(choice.schedule, stencil);
      const Choice again = parse(text, stencil, Target::cuda);
      ASSERT_EQ(again.problem, "") << text;
      EXPECT_EQ(print(again.schedule, stencil), text);
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
  const ir::Stencil box = testing::canonical(
      "stencil s { axes x, y, z; field f32 u boundary clamp; u[t+1] = sum(i in -1..1, j in -1..1, "
      "k "
      "in -1..1 : u[x+i, y+j, z+k]); }");
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
  const ir::Stencil stencil = stencil_of("x, y, z");
  const Schedule s =
      parse("coarsened,threads=16x8x4,vector=1,coarsen=y3", stencil, Target::cuda).schedule;
  EXPECT_EQ(s.threads, (std::array{16, 8, 4}));
  EXPECT_EQ(s.coarsen, 3);
  EXPECT_EQ(s.coarsen_axis, 1);
  EXPECT_EQ(s.tile(), (std::array{16, 24, 4}));
  EXPECT_EQ(print(s, stencil), "coarsened,threads=16x8x4,vector=1,coarsen=y3");
  EXPECT_EQ(s.reason, "asked for by --schedule");
  EXPECT_EQ(parse("naive,threads=64", stencil, Target::cuda).schedule.threads,
            (std::array{64, 1, 1}));
  EXPECT_EQ(parse("coarsened,coarsen=x1", stencil, Target::cuda).schedule.coarsen, 1);
}

TEST(Plan, AxesWhoseNamesBeginAlikeAreToldApart) {
  const ir::Stencil stencil = stencil_of("x1, x");
  const Schedule first = parse("coarsened,coarsen=x12", stencil, Target::cuda).schedule;
  EXPECT_EQ(first.coarsen_axis, 0);
  EXPECT_EQ(first.coarsen, 2);
  const Schedule second = parse("coarsened,coarsen=x4", stencil, Target::cuda).schedule;
  EXPECT_EQ(second.coarsen_axis, 1);
  EXPECT_EQ(second.coarsen, 4);
}

TEST(Plan, ChoosesWithoutBeingTold) {
  const ir::Stencil stencil = stencil_of("x, y");
  EXPECT_EQ(choose(stencil, Target::cuda, 0).preset, "naive");
  EXPECT_EQ(choose(stencil, Target::cuda, 2).preset, "coarsened");
  EXPECT_EQ(choose(stencil, Target::cpu, 2).preset, "loops");
  EXPECT_EQ(print(choose(stencil, Target::cpu, 2), stencil), "loops");
  EXPECT_FALSE(choose(stencil, Target::cuda, 2).reason.empty());
}

TEST(Plan, StagesAreAPartOfEverySchedule) {
  const ir::Stencil stencil = stencil_of("x, y");
  for (const std::string stages : {"", ",stages=split", ",stages=recompute"}) {
    const std::string tiled = "naive,threads=64x2" + stages;
    EXPECT_EQ(print(parse(tiled, stencil, Target::cuda).schedule, stencil), tiled);
    EXPECT_EQ(print(parse("loops" + stages, stencil, Target::cpu).schedule, stencil),
              "loops" + stages);
  }
  EXPECT_EQ(print(parse("loops,stages=best", stencil, Target::cpu).schedule, stencil), "loops");
}

TEST(Plan, CellsInSharedMemoryAreThoseOfATileOrOfPlanesOfAMarch) {
  const ir::Stencil stencil = stencil_of("x, y, z");
  const Device device = *find_device("sm_90");
  const auto problem_of = [&](const std::string& text) {
    return parse("coarsened," + text, stencil, Target::cuda, device).problem;
  };
  for (const std::string shared : {"loads", "async", "boxes"}) {
    const Choice choice = parse("coarsened,vector=4,coarsen=z8,shared=" + shared + ",ahead=3",
                                stencil, Target::cuda, device);
    EXPECT_EQ(choice.problem, "");
    const std::string printed = print(choice.schedule, stencil);
    EXPECT_NE(printed.find(",shared=" + shared + ",ahead=3"), std::string::npos) << printed;
    EXPECT_EQ(print(parse(printed, stencil, Target::cuda, device).schedule, stencil), printed);
    EXPECT_EQ(problem_of("vector=1,coarsen=z8,shared=" + shared), "");
    for (const std::string coarsen : {"z1", "y4"})
      EXPECT_EQ(problem_of("vector=4,coarsen=" + coarsen + ",shared=" + shared),
                "`shared=" + shared +
                    "` in space is for a block that marches along the third axis: give `coarsen`");
    EXPECT_EQ(problem_of("coarsen=z8,vector=4,threads=8x4x2,shared=" + shared),
              "`shared=" + shared +
                  "` with several threads along the third axis, along which the block marches");
    for (const std::string axes : {"x", "x, y"})
      for (const std::string vector : {"1", "4"}) {
        const ir::Stencil flat = stencil_of(axes);
        const Choice tile =
            parse("coarsened,shared=" + shared + ",vector=" + vector, flat, Target::cuda, device);
        EXPECT_EQ(tile.problem, "");
        const std::string text = print(tile.schedule, flat);
        EXPECT_TRUE(text.ends_with(",shared=" + shared)) << text;
        EXPECT_EQ(print(parse(text, flat, Target::cuda, device).schedule, flat), text);
      }
    // What takes its place says so, and asks for it again.
    EXPECT_EQ(problem_of("vector=4,shared=" + shared + ",coarsen=y4"), "");
  }
  EXPECT_EQ(problem_of("shared=tiles"),
            "`shared=tiles`; cells are in shared memory by loads, async or boxes, or none are");
  for (const std::string ahead : {"0", "9", "two", ""})
    EXPECT_EQ(problem_of("ahead=" + ahead),
              "`ahead=" + ahead + "`: 1 to 8 planes are on their way");
}

TEST(Plan, WarpsShareOutWhatThreadsFill) {
  const ir::Stencil stencil = stencil_of("x, y");
  const auto choice_of = [&](const std::string& text) {
    return parse("coarsened,vector=2,coarsen=y2," + text, stencil, Target::cuda,
                 *find_device("sm_90"));
  };
  const std::string split = "shared=async,fill=split";
  EXPECT_EQ(print(choice_of("threads=32x4," + split).schedule, stencil),
            "coarsened,threads=32x4,vector=2,coarsen=y2," + split);
  EXPECT_EQ(print(choice_of("threads=32x4,shared=async,fill=together").schedule, stencil),
            "coarsened,threads=32x4,vector=2,coarsen=y2,shared=async");
  for (const std::string shared : {"none", "boxes"})
    EXPECT_EQ(choice_of("threads=32x4,fill=split,shared=" + shared).problem,
              "`fill=split` without `shared=loads` or `shared=async`, by which threads fill what "
              "they share");
  EXPECT_EQ(choice_of("threads=32x2," + split).problem,
            "`fill=split` with blocks of 64 threads; 3 whole warps are needed, one for each part");
  EXPECT_EQ(choice_of("threads=33x4," + split).problem,
            "`fill=split` with blocks of 132 threads; 3 whole warps are needed, one for each part");
  EXPECT_EQ(choice_of("fill=warps").problem,
            "`fill=warps`; the threads of a block fill it together or split, or producers do");
  EXPECT_EQ(problem("coarsened,threads=64,vector=2,shared=loads,fill=split", "x"), "");
}

TEST(Plan, CellsOfAColourAreNotShared) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f32 p boundary zero; color a, b by (x+y) % 2; p = p[x-1] + "
      "p[y+1]; }");
  EXPECT_EQ(parse("coarsened,shared=loads", stencil, Target::cuda).problem,
            "`shared=loads` with colours: a sweep stores into the grid from which blocks are "
            "filled");
}

TEST(Plan, PlanesInSharedMemoryAreForDevicesThatCopyThem) {
  const ir::Stencil stencil = stencil_of("x, y, z");
  const auto choice_for = [&](const std::string& shared, const std::string& device) {
    return parse("coarsened,vector=4,coarsen=z8,shared=" + shared, stencil, Target::cuda,
                 *find_device(device));
  };
  EXPECT_EQ(choice_for("loads", "sm_75").problem, "");
  EXPECT_EQ(choice_for("async", "sm_80").problem, "");
  EXPECT_EQ(choice_for("async", "sm_75").problem,
            "`shared=async` for sm_75; threads copy while they go on from sm_80 on");
  EXPECT_EQ(choice_for("boxes", "sm_90").problem, "");
  EXPECT_EQ(choice_for("boxes", "sm_89").problem,
            "`shared=boxes` for sm_89; boxes are copied from sm_90 on");
  EXPECT_TRUE(choice_for("boxes", "sm_89").of_device);
}

TEST(Plan, SidesComeFromLanesOfAWarpInOneRow) {
  for (const std::string axes : {"x", "x, y", "x, y, z"})
    for (const std::string vector : {"1", "4"}) {
      const ir::Stencil stencil = stencil_of(axes);
      const Choice choice = parse("coarsened,threads=64,shared=none,sides=lanes,vector=" + vector,
                                  stencil, Target::cuda);
      ASSERT_EQ(choice.problem, "");
      EXPECT_TRUE(choice.schedule.lanes);
      const std::string printed = print(choice.schedule, stencil);
      EXPECT_NE(printed.find(",sides=lanes"), std::string::npos) << printed;
      EXPECT_EQ(print(parse(printed, stencil, Target::cuda).schedule, stencil), printed);
    }
  EXPECT_EQ(problem("coarsened,sides=warps"),
            "`sides=warps`; cells beside a thread's own come by loads or from other lanes");
  EXPECT_EQ(problem("coarsened,threads=16x8,sides=lanes"),
            "`sides=lanes` with 16 threads along x: a warp holds cells of one row where they are a "
            "multiple of 32");
  EXPECT_EQ(
      problem("coarsened,threads=32x4,vector=4,coarsen=z8,shared=loads,sides=lanes", "x, y, z"),
      "`sides=lanes` with `shared=loads`: cells come from shared memory then; give "
      "`shared=none`");
  EXPECT_EQ(problem("naive,sides=lanes"),
            "`sides` with the schedule `naive`, which computes one cell a thread; use `coarsened`");
  const ir::Stencil colors = testing::canonical(
      "stencil s { axes x, y; field f32 p boundary zero; color a, b by (x+y) % 2; p = p[x-1] + "
      "p[y+1]; }");
  EXPECT_EQ(parse("coarsened,sides=lanes", colors, Target::cuda).problem,
            "`sides=lanes` with colours: the lanes beside a thread have no cell of its colour");
}

TEST(Plan, EndsArePeeledFromAMarchAlongAnotherAxisThanTheFirst) {
  for (const std::string march : {"y64", "z64"}) {
    const ir::Stencil stencil = stencil_of("x, y, z");
    const Choice choice =
        parse("coarsened,shared=none,ends=peeled,coarsen=" + march, stencil, Target::cuda);
    ASSERT_EQ(choice.problem, "");
    EXPECT_TRUE(choice.schedule.peeled);
    const std::string printed = print(choice.schedule, stencil);
    EXPECT_NE(printed.find(",ends=peeled"), std::string::npos) << printed;
    EXPECT_EQ(print(parse(printed, stencil, Target::cuda).schedule, stencil), printed);
  }
  EXPECT_EQ(problem("coarsened,ends=open"),
            "`ends=open`; cells at the ends of a march are checked or peeled");
  for (const std::string march : {"y1", "x4"})
    EXPECT_EQ(problem("coarsened,ends=peeled,coarsen=" + march),
              "`ends=peeled` is for a block that marches along another axis than the first: give "
              "`coarsen`");
  EXPECT_EQ(problem("coarsened,vector=4,coarsen=z8,shared=loads,ends=peeled", "x, y, z"),
            "`ends=peeled` with `shared=loads`: planes reach shared memory in stages that are all "
            "alike; give `shared=none`");
}

TEST(Plan, TapsAreLoopsOfSumsOverBoxes) {
  const auto boxed = [](const std::string& axes, const std::string& value) {
    return testing::canonical("stencil s { axes " + axes +
                              "; field f32 u in boundary clamp; field f32 d out; d = " + value +
                              "; }");
  };
  const ir::Stencil plane = boxed("x, y", "u + 2*u[x+1]");
  const auto problem_of = [](const std::string& text, const ir::Stencil& stencil) {
    return parse(text, stencil, Target::cuda).problem;
  };
  const Choice choice =
      parse("coarsened,threads=32x4,vector=8,rows=6,taps=rolled", plane, Target::cuda);
  EXPECT_EQ(choice.problem, "");
  EXPECT_EQ(print(choice.schedule, plane),
            "coarsened,threads=32x4,vector=8,rows=6,coarsen=y1,taps=rolled");
  EXPECT_EQ(choice.schedule.tile(), (std::array{256, 24, 1}));
  const Choice tile = parse("coarsened,threads=8x16,vector=16,rows=2,taps=rolled,shared=loads",
                            plane, Target::cuda);
  EXPECT_EQ(tile.problem, "");
  EXPECT_EQ(print(tile.schedule, plane),
            "coarsened,threads=8x16,vector=16,rows=2,coarsen=y1,taps=rolled,shared=loads");
  EXPECT_EQ(problem_of("coarsened,taps=loops", plane),
            "`taps=loops`; the taps of a sum are terms, unrolled or rolled");
  const std::string alone =
      "`taps=rolled` is for a thread that computes its rows of a vector at once: give `vector` and "
      "`rows`, and no `coarsen`";
  EXPECT_EQ(problem_of("coarsened,vector=1,taps=rolled", plane), alone);
  EXPECT_EQ(problem_of("coarsened,vector=4,taps=rolled,coarsen=y4", plane), "");
  EXPECT_EQ(problem_of("coarsened,vector=4,taps=rolled", boxed("x, y", "u[x-1] + u[y-1]")),
            "`taps=rolled`: no sum of the stencil takes all cells of a box, times numbers or the "
            "values of an array of weights");
  EXPECT_EQ(problem_of("coarsened,vector=4,taps=unrolled", boxed("x, y, z", "u + 2*u[x+1]")),
            "`taps=unrolled`: rows of taps are added one after the other in 1-D and 2-D alone");
  const ir::Stencil line = boxed("x", "u + 2*u[x+1]");
  EXPECT_EQ(problem_of("coarsened,vector=4,taps=unrolled", line), "");
  EXPECT_EQ(problem_of("coarsened,vector=4,taps=rolled", line),
            "`taps=rolled`: the taps along one axis are one row, which is `unrolled`");
  EXPECT_EQ(problem_of("coarsened,vector=4,rows=2", line),
            "`rows=2`: a stencil with one axis has one row");
}

TEST(Plan, ProblemsSayWhatIsWrong) {
  EXPECT_EQ(problem("tiled"),
            "there is no schedule `tiled`; the schedules are naive and coarsened");
  EXPECT_EQ(problem(""), "there is no schedule ``; the schedules are naive and coarsened");
  EXPECT_EQ(problem("naive,time=4"),
            "`time` is no part of a schedule; the parts are threads, vector, rows, planes, "
            "strips, coarsen, chunks, sums, "
            "sides, ends, taps, loads, shared, ahead, fill, resident, launches, steps and stages");
  EXPECT_EQ(problem("naive,"),
            "`` is no part of a schedule; the parts are threads, vector, rows, planes, "
            "strips, coarsen, chunks, sums, "
            "sides, ends, taps, loads, shared, ahead, fill, resident, launches, steps and stages");
  EXPECT_EQ(
      problem("naive,shared=boxes"),
      "`shared` with the schedule `naive`, which computes one cell a thread; use `coarsened`");
  for (const std::string stages : {"", "all", "Split"})
    EXPECT_EQ(
        problem("naive,stages=" + stages),
        "`stages=" + stages + "`; updates that build on each other are best, recompute or split");
  EXPECT_EQ(
      problem("naive,coarsen=y4"),
      "`coarsen` with the schedule `naive`, which computes one cell a thread; use `coarsened`");
  EXPECT_EQ(problem("naive,threads=32x8x1"),
            "`threads=32x8x1` has more numbers than the stencil has axes");
  for (const std::string threads :
       {"0", "-1", "32x0", "2000", "", "32x", "x8", "3.5", "abc", "99999999999"})
    EXPECT_EQ(problem("naive,threads=" + threads),
              "`threads=" + threads + "`: every number lies in 1..1024");
  EXPECT_EQ(problem("naive,threads=64x32"), "a block of 2048 threads; a device runs at most 1024");
  EXPECT_EQ(problem("naive,threads=1x1x128", "x, y, z"),
            "a block of 128 threads along the third axis; a device runs at most 64");
  EXPECT_EQ(problem("naive,threads=1x1x64", "x, y, z"), "");
  EXPECT_EQ(problem("naive,threads=32x32"), "");
  for (const std::string coarsen : {"y0", "y4097", "x100000"})
    EXPECT_EQ(problem("coarsened,coarsen=" + coarsen),
              "`coarsen=" + coarsen + "`: a thread computes 1 to 4096 cells");
  for (const std::string coarsen : {"", "4", "z4", "y", "y-4", "y4x"})
    EXPECT_EQ(problem("coarsened,coarsen=" + coarsen),
              "`coarsen=" + coarsen + "` is not an axis and a number, as in `coarsen=y4`");
  EXPECT_EQ(problem("naive", "x, y", Target::cpu),
            "`naive`; the CPU target has the schedule `loops`");
  EXPECT_EQ(problem("loops", "x, y", Target::cpu), "");
  EXPECT_EQ(problem("loops,threads=64", "x, y", Target::cpu),
            "`threads` is no part of the schedule `loops`; its part is stages");
}

}  // namespace
}  // namespace stencilc::plan
