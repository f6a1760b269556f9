// The schedule that is chosen for each kind of stencil, and what holds for all of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/schedule.h"
#include "support/analysed.h"

namespace stencilc::plan {
namespace {

std::string in_line(const std::string& statements) {
  return "stencil s { axes x; " + statements + " }";
}
std::string in_plane(const std::string& statements) {
  return "stencil s { axes x, y; " + statements + " }";
}
std::string in_space(const std::string& statements) {
  return "stencil s { axes x, y, z; " + statements + " }";
}

// What is chosen; it must be legal, and printed be read back as it was.
Schedule chosen(const std::string& text) {
  const ir::Stencil stencil = testing::canonical(text);
  const Schedule schedule = choose(stencil, Target::cuda, 2);
  EXPECT_EQ(schedule.preset, "coarsened");
  const std::string printed = print(schedule, stencil);
  const Choice again = parse(printed, stencil, Target::cuda);
  EXPECT_EQ(again.problem, "") << text;
  EXPECT_EQ(print(again.schedule, stencil), printed) << text;
  return schedule;
}

// What takes a single step, alone or behind launches of several.
Schedule single(const std::string& text) {
  const Schedule schedule = chosen(text);
  return schedule.single.empty() ? schedule : schedule.single[0];
}

std::string star(const std::string& type, int rank, int radius) {
  std::string sum = "u";
  for (const std::string axis : {"x", "y", "z"})
    for (int n = 1; n <= radius && (rank == 3 || axis != "z"); ++n)
      sum += " + u[" + axis + "-" + std::to_string(n) + "] + u[" + axis + "+" + std::to_string(n) +
             "]";
  const std::string all = "field " + type + " u boundary clamp; u[t+1] = 0.01*(" + sum + ");";
  return rank == 2 ? in_plane(all) : in_space(all);
}
std::string box(const std::string& type, int rank, int radius) {
  const std::string r = " in -" + std::to_string(radius) + ".." + std::to_string(radius);
  const std::string field =
      "field " + type + " u boundary clamp; u[t+1] = 0.01*sum(i" + r + ", j" + r;
  return rank == 2 ? in_plane(field + " : u[x+i, y+j]);")
                   : in_space(field + ", k" + r + " : u[x+i, y+j, z+k]);");
}

TEST(Choose, AVectorIsWhatOneAccessMoves) {
  const auto width = [](const std::string& text) { return single(text).vector; };
  EXPECT_EQ(width(star("f64", 2, 1)), 2);
  EXPECT_EQ(width(star("f32", 2, 1)), 4);
  EXPECT_EQ(width(star("f16", 2, 1)), 8);
  EXPECT_EQ(width(star("f64", 3, 1)), 2);
  EXPECT_EQ(width(star("f32", 3, 1)), 4);
  EXPECT_EQ(width(in_line("field f64 u boundary clamp; u[t+1] = u[x-1] - u[x+1];")), 2);
  EXPECT_EQ(width(in_line("field f32 u boundary clamp; u[t+1] = u[x-1] - u[x+1];")), 4);
  EXPECT_EQ(width(in_plane("field f32 u boundary clamp; field f64 v boundary clamp; u[t+1] = "
                           "u[x-1] + f32(v); v[t+1] = v[y-1];")),
            2)
      << "of the widest field";
}

TEST(Choose, AVectorOfBytesIsNoLongerThanItsArithmeticAllows) {
  EXPECT_LE(chosen(in_plane("field u8 a boundary clamp; a[t+1] = max(a[x-1], a[y+1]);")).vector, 8);
  EXPECT_LE(chosen(in_space("field u8 a boundary clamp; a[t+1] = max(a[x-1], a[z+1]);")).vector, 8);
}

TEST(Choose, AThreadOfAPlaneComputesMoreRowsTheFartherItReads) {
  const auto rows = [](const std::string& text) {
    const Schedule schedule = single(text);
    EXPECT_EQ(schedule.coarsen_axis, 1);
    return schedule.coarsen;
  };
  EXPECT_EQ(rows(in_plane("field f32 u boundary clamp; u[t+1] = u[x-1] + u[x+1];")), 1);
  for (const char* type : {"f32", "f64"}) {
    EXPECT_LE(rows(star(type, 2, 1)), 4) << type;
    EXPECT_GE(rows(star(type, 2, 4)), 4) << type;
    EXPECT_GT(rows(box(type, 2, 2)), rows(star(type, 2, 1))) << type;
  }
  EXPECT_EQ(rows(in_plane("field f64 u boundary clamp; u[t+1] = 1 / (1 + u[y-2]*u[y+2]);")), 1)
      << "a division of f64 is long";
}

TEST(Choose, AThreadOfALineComputesOneVector) {
  const Schedule schedule =
      single(in_line("field f32 u boundary clamp; u[t+1] = u[x-1] - u[x+1];"));
  EXPECT_EQ(schedule.coarsen, 1);
  EXPECT_EQ(schedule.threads, (std::array{256, 1, 1}));
}

TEST(Choose, AThreadOfAVolumeMarchesAlongItsLastAxis) {
  for (const char* type : {"f16", "f32", "f64"})
    for (const int radius : {1, 2, 3, 4}) {
      SCOPED_TRACE(std::string(type) + ", radius " + std::to_string(radius));
      for (const std::string& text : {star(type, 3, radius), box(type, 3, std::min(radius, 2))}) {
        const Schedule schedule = chosen(text);
        EXPECT_EQ(schedule.coarsen_axis, 2);
        EXPECT_GE(schedule.coarsen, 8);
        EXPECT_EQ(schedule.threads[0] % 32, 0) << "a warp is a row";
      }
    }
}

TEST(Choose, SumsOfBoxesAreBuiltPlaneByPlane) {
  const auto scatters = [](const std::string& text) {
    return parse("coarsened", testing::canonical(text), Target::cuda, *find_device("sm_90"))
        .schedule.scatter;
  };
  for (const char* type : {"f32", "f64"}) {
    EXPECT_TRUE(scatters(box(type, 3, 1))) << type;
    EXPECT_FALSE(scatters(star(type, 3, 1))) << type;
    EXPECT_FALSE(scatters(box(type, 2, 1))) << type;
  }
}

TEST(Choose, PlanesOfFarStarsAreCopiedAheadWhereTheDeviceCan) {
  const ir::Stencil far = testing::canonical(star("f32", 3, 4));
  EXPECT_EQ(choose(far, Target::cuda, 2, *find_device("sm_90")).shared, Shared::boxes);
  EXPECT_EQ(choose(far, Target::cuda, 2, *find_device("sm_80")).shared, Shared::none);
  const ir::Stencil near = testing::canonical(star("f32", 3, 1));
  EXPECT_EQ(choose(near, Target::cuda, 2, *find_device("sm_90")).shared, Shared::none);
}

TEST(Choose, WhereCellsShareLongValuesOrAColourNothingIsMovedTogether) {
  for (const std::string& text :
       {in_plane("field f32 u boundary clamp; let g = 1 / (1 + u*u); u[t+1] = g[x-1] + g[x+1];"),
        in_plane("color red, black by (x + y) % 2; field f32 p boundary zero; p = 0.25 * (p[x-1] + "
                 "p[x+1] + p[y-1] + p[y+1]);")}) {
    const Schedule schedule = chosen(text);
    EXPECT_EQ(schedule.vector, 1) << text;
    EXPECT_EQ(schedule.rows, 1) << text;
    EXPECT_EQ(schedule.coarsen, 8) << text;
    EXPECT_EQ(schedule.reason, "a thread keeps what it has loaded for its next cells");
  }
}

TEST(Choose, TheReasonSaysHowManyCellsAreMoved) {
  EXPECT_EQ(single(star("f64", 2, 1)).reason,
            "a thread moves 2 cells at once, and keeps what it has loaded for its next ones");
  EXPECT_EQ(single(in_line("field f32 u boundary clamp; u[t+1] = u[x-1] - u[x+1];")).reason,
            "a thread moves 4 cells at once");
}

// A tap as a term is a line of text, or most of one.
TEST(PlanChoose, ManyTapsAreLoops) {
  const auto taps = [](int radius, const char* device = "sm_90") {
    const std::string range = std::to_string(-radius) + ".." + std::to_string(radius);
    const ir::Stencil stencil = testing::canonical(
        "stencil s { axes x, y; field f32 u in boundary clamp; field f32 d out; weights f32 w[" +
        range + ", " + range + "]; d = sum(i in " + range + ", j in " + range +
        " : w[i, j] * u[x+i, y+j]); }");
    return choose(stencil, Target::cuda, 2, *find_device(device));
  };
  EXPECT_EQ(taps(2).taps, Taps::terms);
  EXPECT_EQ(taps(3).taps, Taps::unrolled);
  for (const int radius : {7, 15}) {
    EXPECT_EQ(taps(radius).taps, Taps::rolled) << radius;
    EXPECT_GE(taps(radius).vector * taps(radius).rows, 32) << radius;
    // Sums of a long vector share each weight, and their row comes from a tile.
    EXPECT_GE(taps(radius).vector, 8) << radius;
    EXPECT_EQ(taps(radius).shared, Shared::boxes) << radius;
    EXPECT_EQ(taps(radius, "sm_80").vector, 16) << radius;
    EXPECT_EQ(taps(radius, "sm_80").shared, Shared::async) << radius;
    EXPECT_EQ(taps(radius, "sm_75").shared, Shared::loads) << radius;
  }
  EXPECT_EQ(taps(3).shared, Shared::boxes);
  EXPECT_EQ(taps(3, "sm_80").shared, Shared::none);
  EXPECT_LE(31 * taps(15).vector * taps(15).rows, 1600);
}

// Halves that another lane lends have been converted; bytes and floats take vectors beside theirs.
TEST(PlanChoose, HalvesComeFromOtherLanes) {
  const auto lanes = [](const std::string& type, const std::string& value) {
    const ir::Stencil stencil =
        testing::canonical("stencil s { axes x, y; field " + type + " u in boundary clamp; field " +
                           type + " d out; d = " + value + "; }");
    return choose(stencil, Target::cuda, 2, *find_device("sm_90")).lanes;
  };
  const std::string box = "0.1*sum(i in -1..1, j in -1..1 : u[x+i, y+j])";
  EXPECT_TRUE(lanes("f16", box));
  EXPECT_FALSE(lanes("f32", box));
  EXPECT_FALSE(lanes("u8", "sat_u8(" + box + ")"));
}

// Rows and lanes that would be chosen for halves give way to a march that is asked for.
TEST(PlanChoose, WhatIsPrintedOfHalvesIsReadBack) {
  const ir::Stencil stencil = testing::canonical(box("f16", 2, 1));
  const Device device = *find_device("sm_90");
  const auto read = [&](const std::string& text) {
    const Choice choice = parse("coarsened" + text, stencil, Target::cuda, device);
    EXPECT_EQ(choice.problem, "") << text;
    const std::string printed = print(choice.schedule, stencil);
    const Schedule again = parse(printed, stencil, Target::cuda, device).schedule;
    EXPECT_EQ(print(again, stencil), printed) << text;
    EXPECT_EQ(again.lanes, choice.schedule.lanes) << text;
    EXPECT_EQ(again.rows, choice.schedule.rows) << text;
    return choice.schedule;
  };
  EXPECT_TRUE(read("").lanes);
  EXPECT_GT(read("").rows, 1);
  EXPECT_TRUE(read(",threads=32x8").lanes);
  EXPECT_FALSE(read(",vector=8,rows=2,coarsen=y1").lanes);
  EXPECT_FALSE(read(",sides=loads").lanes);
  EXPECT_TRUE(read(",rows=2,coarsen=y1,sides=lanes").lanes);
  EXPECT_EQ(read(",coarsen=y4").rows, 1);
  const Schedule several = choose(stencil, Target::cuda, 2, device);
  ASSERT_GT(several.steps, 1);
  EXPECT_EQ(print(read(print(several, stencil).substr(9)), stencil), print(several, stencil));
}

// Sums of f64 in space have launch bounds: whatever lies beyond the rim, as many blocks are there.
TEST(PlanChoose, BoundariesOfDoublesCostNoBlocks) {
  const Device device = *find_device("sm_90");
  const auto step = [&](const std::string& text) {
    const ir::Stencil stencil = testing::canonical(text);
    return parse("coarsened", stencil, Target::cuda, device).schedule;
  };
  const Schedule doubles = step(star("f64", 3, 1));
  EXPECT_FALSE(doubles.scatter);
  EXPECT_EQ(doubles.resident * doubles.block_threads(), 1024);
  EXPECT_EQ(step(star("f32", 3, 1)).resident, 0);
  EXPECT_EQ(step(star("f64", 2, 1)).resident, 0);
  // For others ptxas would spill.
  for (const char* arch : {"sm_75", "sm_80", "sm_89", "sm_100", "sm_120"})
    EXPECT_EQ(
        parse("coarsened", testing::canonical(star("f64", 3, 1)), Target::cuda, *find_device(arch))
            .schedule.resident,
        0)
        << arch;
  // They were chosen for those blocks.
  const ir::Stencil stencil = testing::canonical(star("f64", 3, 1));
  EXPECT_EQ(parse("coarsened,rows=4", stencil, Target::cuda, device).schedule.resident, 0);
  EXPECT_EQ(parse("coarsened,rows=2,resident=3", stencil, Target::cuda, device).schedule.resident,
            3);
}

// What is chosen has a tile; what is asked for has one where it says so, or keeps the loops.
TEST(PlanChoose, TilesOfLoopsComeAndGoWithThem) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f32 u in boundary clamp; field f32 d out; weights f32 "
      "w[-7..7, -7..7]; d = sum(i in -7..7, j in -7..7 : w[i, j] * u[x+i, y+j]); }");
  const Device device = *find_device("sm_90");
  const auto shared = [&](const std::string& text) {
    const Choice choice = parse("coarsened" + text, stencil, Target::cuda, device);
    EXPECT_EQ(choice.problem, "") << text;
    const std::string printed = print(choice.schedule, stencil);
    EXPECT_EQ(print(parse(printed, stencil, Target::cuda, device).schedule, stencil), printed);
    return choice.schedule.shared;
  };
  EXPECT_EQ(shared(""), Shared::boxes);
  EXPECT_EQ(shared(",rows=1"), Shared::boxes);
  EXPECT_EQ(shared(",shared=none"), Shared::none);
  EXPECT_EQ(shared(",coarsen=y4"), Shared::none);
  EXPECT_EQ(shared(",vector=1"), Shared::none);
  EXPECT_EQ(shared(",threads=32x4,sides=lanes"), Shared::none);
  EXPECT_EQ(shared(",loads=texture"), Shared::none);
  EXPECT_EQ(shared(",threads=32x4,rows=4,steps=3"), Shared::none);
  EXPECT_EQ(shared(",shared=loads,coarsen=y4"), Shared::loads);
}

}  // namespace
}  // namespace stencilc::plan
