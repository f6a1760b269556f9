// The schedule that is chosen for each kind of stencil, and what holds for all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plan/analysis/reads.h"
#include "plan/model/one_step.h"
#include "plan/search/choose.h"
#include "plan/search/choose_blocks.h"
#include "plan/search/choose_stages.h"
#include "plan/search/plan.h"
#include "plan/search/spatial_shapes.h"
#include "support/planned.h"
#include "support/rows.h"

namespace stencilc::plan {
namespace {

using testing::gpu;
using testing::scheduled;

// What is chosen; it must be legal, and printed be read back as it was.
Schedule chosen(const ir::Stencil& stencil) {
  const Schedule schedule = choose(stencil, Target::cuda, 2);
  EXPECT_EQ(schedule.preset, "coarsened");
  const std::string printed = print(schedule, stencil);
  EXPECT_EQ(print(scheduled(printed, stencil, any_device()), stencil), printed);
  return schedule;
}

// What takes a single step, alone or after launches of several.
Schedule single(const ir::Stencil& stencil) {
  return make_plan(stencil, chosen(stencil), Target::cuda).single;
}

ir::Stencil in(int rank, const std::string& items) {
  return testing::on(rank == 1 ? "x" : rank == 2 ? "x, y" : "x, y, z", items);
}
ir::Stencil star(const std::string& type, int rank, int radius) {
  std::string sum = "u";
  for (const std::string axis : {"x", "y", "z"})
    for (int n = 1; n <= radius && (rank == 3 || axis != "z"); ++n)
      sum += " + u[" + axis + "-" + std::to_string(n) + "] + u[" + axis + "+" + std::to_string(n) +
             "]";
  return in(rank, "field " + type + " u boundary clamp; u[t+1] = 0.01*(" + sum + ");");
}
ir::Stencil box(const std::string& type, int rank, int radius) {
  const std::string r = " in -" + std::to_string(radius) + ".." + std::to_string(radius);
  return in(rank, "field " + type + " u boundary clamp; u[t+1] = 0.01*sum(i" + r + ", j" + r +
                      (rank == 2 ? " : u[x+i, y+j]);" : ", k" + r + " : u[x+i, y+j, z+k]);"));
}
// Differences of a line.
ir::Stencil line(const std::string& type) {
  return in(1, "field " + type + " u boundary clamp; u[t+1] = u[x-1] - u[x+1];");
}

TEST(Choose, AVectorIsWhatOneAccessMoves) {
  for (const int rank : {2, 3}) {
    EXPECT_EQ(single(star("f64", rank, 1)).vector, 2);
    EXPECT_EQ(single(star("f32", rank, 1)).vector, 4);
  }
  EXPECT_EQ(single(star("f16", 2, 1)).vector, 8);
  EXPECT_EQ(single(line("f64")).vector, 2);
  EXPECT_EQ(single(line("f32")).vector, 4);
  EXPECT_EQ(single(in(2,
                      "field f32 u boundary clamp; field f64 v boundary clamp; u[t+1] = u[x-1] + "
                      "f32(v); v[t+1] = v[y-1];"))
                .vector,
            2)
      << "of the widest field";
  // One of bytes is no longer than its arithmetic allows.
  const std::string bytes = "field u8 a boundary clamp; a[t+1] = max(a[x-1], ";
  EXPECT_LE(chosen(in(2, bytes + "a[y+1]);")).vector, 8);
  EXPECT_LE(chosen(in(3, bytes + "a[z+1]);")).vector, 8);
}

TEST(Choose, AThreadOfAPlaneComputesMoreRowsTheFartherItReads) {
  const auto rows = [](const ir::Stencil& stencil) {
    const Schedule schedule = single(stencil);
    EXPECT_EQ(schedule.coarsen_axis, 1);
    return schedule.coarsen;
  };
  EXPECT_EQ(rows(in(2, "field f32 u boundary clamp; u[t+1] = u[x-1] + u[x+1];")), 1);
  for (const char* type : {"f32", "f64"}) {
    EXPECT_LE(rows(star(type, 2, 1)), 4) << type;
    EXPECT_GE(rows(star(type, 2, 4)), 4) << type;
    EXPECT_GT(rows(box(type, 2, 2)), rows(star(type, 2, 1))) << type;
  }
  EXPECT_EQ(rows(in(2, "field f64 u boundary clamp; u[t+1] = 1 / (1 + u[y-2]*u[y+2]);")), 1)
      << "a division of f64 is long";
}

TEST(Choose, AThreadOfALineComputesOneVector) {
  EXPECT_EQ(single(line("f32")).coarsen, 1);
  EXPECT_EQ(single(line("f32")).threads, (std::array{256, 1, 1}));
}

TEST(Choose, AThreadOfAVolumeStreamsAlongItsLastAxis) {
  for (const char* type : {"f16", "f32", "f64"})
    for (const int radius : {1, 2, 3, 4}) {
      SCOPED_TRACE(std::string(type) + ", radius " + std::to_string(radius));
      for (const ir::Stencil& stencil :
           {star(type, 3, radius), box(type, 3, std::min(radius, 2))}) {
        const Schedule schedule = chosen(stencil);
        EXPECT_EQ(schedule.coarsen_axis, 2);
        EXPECT_GE(schedule.coarsen, 8);
        EXPECT_EQ(schedule.threads[0] % 32, 0) << "a warp is a row";
      }
    }
}

TEST(Choose, SumsOfBoxesAreBuiltPlaneByPlane) {
  for (const char* type : {"f32", "f64"}) {
    EXPECT_TRUE(scheduled("coarsened", box(type, 3, 1)).scatter) << type;
    EXPECT_FALSE(scheduled("coarsened", star(type, 3, 1)).scatter) << type;
    EXPECT_FALSE(scheduled("coarsened", box(type, 2, 1)).scatter) << type;
  }
}

TEST(Choose, PlanesOfFarStarsAreCopiedAheadWhereTheDeviceCan) {
  const auto shared = [](int radius, const char* device) {
    return choose(star("f32", 3, radius), Target::cuda, 2, gpu(device)).shared;
  };
  EXPECT_EQ(shared(4, "sm_90"), Shared::boxes);
  EXPECT_EQ(shared(4, "sm_80"), Shared::none);
  EXPECT_EQ(shared(1, "sm_90"), Shared::none);
}

TEST(Choose, WhatSpillsIsNotTaken) {
  for (const std::string file : {"examples/wave3d", "examples/elastic3d"}) {
    const ir::Stencil stencil = testing::canonical(testing::content(file + ".stn"));
    const Forecast seen = forecast(stencil, single(stencil), gpu(), usual_extents(3));
    EXPECT_GT(seen.rate, 0) << file;
    EXPECT_FALSE(seen.spills) << file;
  }
}

// What kernels need decides where it is known: of vectors, of one cell a thread, and of the rest.
TEST(Choose, WhatItsKernelsWouldSpillIsNotTaken) {
  const ir::Stencil stencil = star("f32", 3, 1);
  const auto taken = [&](int of_vectors, int of_pairs, int of_cells) {
    const auto sizes = [&](const Schedule& schedule) {
      const int words = schedule.vector > 2   ? of_vectors
                        : schedule.vector > 1 ? of_pairs
                                              : of_cells;
      return std::vector<KernelSize>{{words, 100}};
    };
    return choose_all(stencil, Target::cuda, 2, gpu(), {64, 64, 4096}, sizes);
  };
  const auto width = [&](const Schedules& one) {
    return make_plan(stencil, one, Target::cuda, gpu()).single.vector;
  };
  EXPECT_EQ(width(taken(60, 40, 20)), 4);
  EXPECT_EQ(width(taken(600, 40, 20)), 2);
  EXPECT_EQ(width(taken(600, 400, 20)), 1);
  EXPECT_EQ(width(taken(600, 400, 300)), 1) << "one cell a thread spills least";
  EXPECT_NE(taken(600, 400, 20).schedule.reason, "");
}

// Loops over the taps of many short sums would keep all of them at once.
TEST(Choose, InOneDimensionTapsAreLoopsWhereSumsAreLong) {
  const auto taps = [](const std::string& text) {
    return choose(in(1, text), Target::cuda, 2, gpu("sm_90"), {1000, 1, 1}).taps;
  };
  std::string fields, sums;
  for (const std::string name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    fields += "field f32 " + name + " in boundary clamp; ";
    sums += (sums.empty() ? "" : " + ") + ("abs(sum(m in 0..1 : " + name + "[x+m]))");
  }
  EXPECT_EQ(taps(fields + "field f32 to out; to = " + sums + ";"), Taps::terms);
  EXPECT_EQ(taps("field f32 u in boundary clamp; field f32 to out; "
                 "to = sum(m in -9..9 : u[x+m]);"),
            Taps::unrolled);
}

// Blocks run in bands where planes of many fields are read again from afar, whether the kernel is
// estimated to spill or not.
TEST(Choose, FarPlanesOfManyFieldsAreReadInBands) {
  const auto bands = [](const std::string& file, int words = 100) {
    const ir::Stencil stencil = testing::canonical(testing::content(file));
    const auto sizes = [&](const Schedule& one) {
      return std::vector<KernelSize>{{one.vector > 1 ? 900 : words, 1000}};
    };
    return choose(stencil, Target::cuda, 2, gpu("sm_90"), usual_extents(3), sizes).swizzle > 0;
  };
  EXPECT_TRUE(bands("examples/apps/hyperbolic_terms.stn"));
  EXPECT_TRUE(bands("examples/apps/hyperbolic_terms.stn", 300));
  EXPECT_FALSE(bands("examples/diffusion3d.stn"));
}

// By the operations that their kernels have.
TEST(Choose, SeveralCellsAThreadAreTakenWhereTheirKernelsAreFaster) {
  const auto preset = [](const std::string& file, double of_one, double of_several) {
    const ir::Stencil stencil = testing::canonical(testing::content(file));
    const auto sizes = [&](const Schedule& one) {
      const int cells = one.vector * one.rows;
      KernelSize size;
      size.live_words = size.kept_words = size.inside_words = 40;
      size.operations = 400;
      size.code.cells = cells;
      size.code.f32 = cells * (cells == 1 ? of_one : of_several);
      size.code.loads = size.code.stores = 8;
      return std::vector<KernelSize>(2, size);
    };
    return choose(stencil, Target::cuda, 2, gpu("sm_90"), usual_extents(3), sizes).preset;
  };
  // One launch: vectors are worth what the forecast does not see.
  EXPECT_EQ(preset("examples/shallow_water.stn", 400, 400), "coarsened");
  EXPECT_EQ(preset("examples/shallow_water.stn", 400, 4000), "naive");
  EXPECT_EQ(preset("examples/shallow_water.stn", 1000, 1500), "naive");
  EXPECT_EQ(preset("examples/shallow_water.stn", 1000, 600), "coarsened");
  // One shape for two launches has to gain.
  EXPECT_EQ(preset("examples/fdtd3d.stn", 400, 200), "coarsened");
  EXPECT_EQ(preset("examples/fdtd3d.stn", 400, 800), "naive");
}

TEST(Choose, ColumnsOfCellsThatReadFarPlanesAreLong) {
  const auto shortest = [](const std::string& sum) {
    const ir::Stencil stencil = in(3, "field f32 u boundary clamp; u[t+1] = " + sum + ";");
    int least = 1000;
    for (const Schedule& shape : shapes(reads_of(stencil), 3, gpu()))
      least = std::min(least, shape.coarsen);
    return least;
  };
  EXPECT_EQ(shortest("u[z-2] + u[z+2]"), 16);
  EXPECT_EQ(shortest("u[z-2] + u[z+1]"), 8);
  EXPECT_EQ(shortest("u[x-3] + u[x+3] + u[y-3] + u[y+3] + u[z-1]"), 8);
}

TEST(Choose, TilesThatAreCopiedAheadHaveAboutAsManyRows) {
  std::vector<int> rows;
  for (const Schedule& shape : shapes(reads_of(star("f32", 3, 4)), 3, gpu()))
    if (shape.shared == Shared::boxes) rows.push_back(shape.threads[1] * shape.rows);
  EXPECT_EQ(rows, (std::vector<int>{32, 36, 32, 32, 32}));
}

TEST(Choose, WhereCellsShareLongValuesOrAColourNothingIsMovedTogether) {
  for (const std::string items :
       {"field f32 u boundary clamp; let g = 1 / (1 + u*u); u[t+1] = g[x-1] + g[x+1];",
        "color red, black by (x + y) % 2; field f32 p boundary zero; p = 0.25 * (p[x-1] + p[x+1] + "
        "p[y-1] + p[y+1]);"}) {
    const Schedule schedule = chosen(in(2, items));
    EXPECT_EQ(schedule.vector, 1) << items;
    EXPECT_EQ(schedule.rows, 1) << items;
    EXPECT_EQ(schedule.coarsen, 8) << items;
    EXPECT_EQ(schedule.reason,
              "each thread computes several cells, and reuses loaded values in registers");
  }
}

TEST(Choose, TheReasonSaysHowManyCellsAreMoved) {
  EXPECT_EQ(single(star("f64", 2, 1)).reason,
            "each thread loads and stores 2 cells at once, and reuses loaded values in registers");
  EXPECT_EQ(single(line("f32")).reason, "each thread loads and stores 4 cells at once");
}

// A tap as a term is a line of text, or most of one.
TEST(PlanChoose, ManyTapsAreLoops) {
  const auto taps = [](int radius, const char* device = "sm_90") {
    const std::string range = std::to_string(-radius) + ".." + std::to_string(radius);
    const ir::Stencil stencil = in(
        2, "field f32 u in boundary clamp; field f32 d out; weights f32 w[" + range + ", " + range +
               "]; d = sum(i in " + range + ", j in " + range + " : w[i, j] * u[x+i, y+j]);");
    return choose(stencil, Target::cuda, 2, gpu(device));
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

// Halves that another lane exchanges have been converted; bytes and floats take vectors beside
// theirs. One-sided differences that limiters compare: as many sums as a convolution has taps, but
// of three cells each, and more than a thread holds.
TEST(PlanChoose, ManySumsOfFewTapsAreTerms) {
  std::string sums;
  for (int n = 0; n < 24; ++n)
    sums += fmt::format("{}max(u[x-{}] - 2*u + u[x+1], {} + u)", n == 0 ? "" : " + ", n % 6 + 1, n);
  for (const Device& device : devices()) {
    const Schedule schedule =
        coarsened(in(2, "field f64 u boundary clamp; u[t+1] = " + sums + ";"), device);
    EXPECT_EQ(schedule.taps, Taps::terms);
  }
}

TEST(PlanChoose, HalvesComeFromOtherLanes) {
  const auto lanes = [](const std::string& type, const std::string& value) {
    const ir::Stencil stencil = in(
        2, "field " + type + " u in boundary clamp; field " + type + " d out; d = " + value + ";");
    return choose(stencil, Target::cuda, 2, gpu()).lanes;
  };
  const std::string box = "0.1*sum(i in -1..1, j in -1..1 : u[x+i, y+j])";
  EXPECT_TRUE(lanes("f16", box));
  EXPECT_FALSE(lanes("f32", box));
  EXPECT_FALSE(lanes("u8", "sat_u8(" + box + ")"));
}

// Rows and lanes that would be chosen for halves give way to a stream that is asked for.
TEST(PlanChoose, WhatIsPrintedOfHalvesIsReadBack) {
  const ir::Stencil stencil = box("f16", 2, 1);
  const auto read = [&](const std::string& text) {
    const Schedule once = scheduled("coarsened" + text, stencil);
    const Schedule again = scheduled(print(once, stencil), stencil);
    EXPECT_EQ(print(again, stencil), print(once, stencil)) << text;
    EXPECT_EQ(again.lanes, once.lanes) << text;
    EXPECT_EQ(again.rows, once.rows) << text;
    return once;
  };
  EXPECT_TRUE(read("").lanes);
  EXPECT_GT(read("").rows, 1);
  EXPECT_TRUE(read(",threads=32x8").lanes);
  EXPECT_FALSE(read(",vector=8,rows=2,coarsen=y1").lanes);
  EXPECT_FALSE(read(",sides=loads").lanes);
  EXPECT_TRUE(read(",rows=2,coarsen=y1,sides=lanes").lanes);
  EXPECT_EQ(read(",coarsen=y4").rows, 1);
  const Schedule several = choose(stencil, Target::cuda, 2, gpu());
  ASSERT_GT(several.steps, 1);
  EXPECT_EQ(print(read(print(several, stencil).substr(9)), stencil), print(several, stencil));
}

// Sums of f64 in space have launch bounds: whatever lies outside the grid, as many blocks are
// there.
TEST(PlanChoose, BoundariesOfDoublesCostNoBlocks) {
  const ir::Stencil space = star("f64", 3, 1);
  const Schedule doubles = scheduled("coarsened", space);
  EXPECT_FALSE(doubles.scatter);
  EXPECT_EQ(doubles.resident * doubles.block_threads(), 1024);
  EXPECT_EQ(scheduled("coarsened", star("f32", 3, 1)).resident, 0);
  EXPECT_EQ(scheduled("coarsened", star("f64", 2, 1)).resident, 0);
  // For others ptxas would spill.
  for (const char* arch : {"sm_75", "sm_80", "sm_89", "sm_100", "sm_120"})
    EXPECT_EQ(scheduled("coarsened", space, gpu(arch)).resident, 0) << arch;
  // They were chosen for those blocks.
  EXPECT_EQ(scheduled("coarsened,rows=4", space).resident, 0);
  EXPECT_EQ(scheduled("coarsened,rows=2,resident=3", space).resident, 3);
}

// What is chosen has a tile; what is asked for has one where it says so, or keeps the loops.
TEST(PlanChoose, TilesOfLoopsComeAndGoWithThem) {
  const ir::Stencil stencil =
      in(2,
         "field f32 u in boundary clamp; field f32 d out; weights f32 w[-7..7, -7..7]; d = "
         "sum(i in -7..7, j in -7..7 : w[i, j] * u[x+i, y+j]);");
  const auto shared = [&](const std::string& text) {
    const Schedule once = scheduled("coarsened" + text, stencil);
    const std::string printed = print(once, stencil);
    EXPECT_EQ(print(scheduled(printed, stencil), stencil), printed);
    constexpr const char* kNames[] = {"none", "loads", "async", "boxes"};
    return kNames[static_cast<int>(once.shared)];
  };
  EXPECT_STREQ(shared(""), "boxes");
  testing::expect_rows(shared, R"(
    ,rows=1                         => boxes
    ,shared=none                    => none
    ,coarsen=y4                     => none
    ,vector=1                       => none
    ,threads=32x4,sides=lanes       => none
    ,loads=texture                  => none
    ,threads=32x4,rows=4,steps=3    => none
    ,shared=loads,coarsen=y4        => loads
  )");
}

// Blocks and limits by what the kernels of the launches are estimated to take; a lattice method
// gains by the limit up to more registers.
TEST(Choose, BlocksOfOneCellPerThreadFollowTheRegisters) {
  const std::string plain = "field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u);";
  const std::string lattice =
      "field f32 f, g boundary periodic; f[t+1] = f[x-1]; g[t+1] = g[x+1, y-1];";
  struct Row {
    std::string text;
    std::vector<double> registers;  // by kernel
    std::string expected;
  };
  const std::vector<Row> rows = {
      {plain, {31.5}, "naive,threads=32x8"},
      {plain, {32.5}, "naive,threads=32x4"},
      {plain, {89.5}, "naive,threads=32x4"},
      {plain, {90.5}, "naive,threads=32x4,registers=128"},
      {plain, {149.5}, "naive,threads=32x4,registers=128"},
      {plain, {150.5}, "naive,threads=32x4"},
      {plain, {20, 200, 120}, "naive,threads=32x4,registers=128"},
      {lattice, {31.5}, "naive,threads=32x8"},
      {lattice, {89.5}, "naive,threads=32x4"},
      {lattice, {169}, "naive,threads=32x4,registers=128"},
  };
  for (const Row& row : rows) {
    const ir::Stencil stencil = testing::on("x, y", row.text);
    Survey survey(stencil, [&](const Schedule&) {
      std::vector<KernelSize> sizes;
      for (const double registers : row.registers) {
        KernelSize size;
        size.operations = std::pow(
            (registers - registers_of(size)) / (registers_of({0, 1}) - registers_of(size)), 2);
        sizes.push_back(size);
      }
      return sizes;
    });
    EXPECT_EQ(print(with_blocks(survey, naive(2)), stencil), row.expected);
    const Schedule several = scheduled("coarsened", stencil);
    EXPECT_EQ(print(with_blocks(survey, several), stencil), print(several, stencil));
  }
}

// The order of neighbours, by what kernels are estimated to take as written and in that order.
TEST(Choose, NeighboursComeOneByOneWhereManyFewerRegistersSuffice) {
  const ir::Stencil stencil =
      testing::on("x, y", "field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u);");
  const auto size_of = [](double registers) {
    KernelSize size;
    size.operations =
        std::pow((registers - registers_of(size)) / (registers_of({0, 1}) - registers_of(size)), 2);
    return size;
  };
  struct Row {
    std::vector<double> written, ordered;  // by kernel
    bool chosen;
  };
  const std::vector<Row> rows = {
      {{126}, {100}, true},           // full as written
      {{126}, {101}, false},          // not few enough
      {{124}, {60}, false},           // as written there is room
      {{229}, {144}, true},           // fits in the end
      {{229}, {146}, false},          // does not
      {{231}, {100}, false},          // would be the first of its kind
      {{40, 130}, {60, 90}, true},    // that of the first one does not matter
      {{140, 130}, {90, 120}, false}  // all full ones have to gain
  };
  for (const Row& row : rows) {
    Survey survey(stencil, [&](const Schedule& schedule) {
      std::vector<KernelSize> sizes;
      for (const double one : schedule.by_neighbours ? row.ordered : row.written)
        sizes.push_back(size_of(one));
      return sizes;
    });
    EXPECT_EQ(with_order(survey, naive(2)).by_neighbours, row.chosen) << row.written[0];
    Schedule several = naive(2);
    several.coarsen = 4;
    EXPECT_FALSE(with_order(survey, several).by_neighbours);
  }
}

// Where a step takes long to compute and many of its blocks have cells near the boundary.
TEST(Choose, CellsNearTheBoundaryHaveThreadsOfTheirOwnWhereThatGains) {
  const auto chosen = [](const std::string& axes, const std::string& items, double instructions,
                         const std::array<int64_t, 3>& extents) {
    const ir::Stencil stencil = testing::on(axes, items);
    Survey survey(stencil, [&](const Schedule&) {
      KernelSize size;
      size.code = {.f32 = instructions, .cells = 1};
      return std::vector<KernelSize>{size};
    });
    return with_edges(survey, naive(stencil.rank()), gpu("sm_90"), extents).edge_cells;
  };
  const std::string near = "field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u);";
  EXPECT_TRUE(chosen("x, y, z", near, 2000, {144, 144, 144}));
  EXPECT_FALSE(chosen("x, y, z", near, 2000, {8192, 4096, 4096})) << "few blocks at the boundary";
  EXPECT_FALSE(chosen("x, y, z", near, 20, {512, 512, 512})) << "memory is the limit";
  EXPECT_TRUE(chosen("x, y", near, 2000, {256, 256, 1}));
  EXPECT_FALSE(chosen("x", near, 2000, {256, 1, 1})) << "two blocks have them all";
  EXPECT_FALSE(chosen("x, y", "field f32 u; u[t+1] = 2*u;", 2000, {256, 256, 1}))
      << "no cell reads beyond the boundary";
  EXPECT_FALSE(chosen("x, y", "field f32 f, g boundary periodic; f[t+1] = f[x-1]; g[t+1] = g[x+1];",
                      2000, {256, 256, 1}))
      << "a lattice method";
  EXPECT_FALSE(chosen("x, y, z", near, 20, {96, 96, 96}))
      << "the L2 holds it, and it computes little";
  EXPECT_TRUE(chosen("x, y, z", near, 400, {96, 96, 96}));
}

// A stage with a division, which is not recomputed unless all of a step is.
const std::string kStages =
    "field f32 a, b boundary clamp; a[t+1] = a/(1 + a*a); b[t+1] = b + a[x-1, t+1] - a[x+1, t+1];";

TEST(Choose, FewerLaunchesComputeStagesAgainWhereRegistersAllowIt) {
  const auto fewer = [](const std::string& items, double registers, Schedule schedule = naive(2)) {
    const ir::Stencil stencil = testing::on("x, y", items);
    Survey survey(stencil, [&](const Schedule& one) {
      KernelSize size;
      size.operations = std::pow(
          (registers - registers_of(size)) / (registers_of({0, 1}) - registers_of(size)), 2);
      return std::vector<KernelSize>(stages(stencil, one.fusion, true).launches.size(), size);
    });
    const auto found = with_fewer_launches(survey, schedule);
    return found ? print(*found, stencil) : "none";
  };
  EXPECT_EQ(fewer(kStages, 60), "naive,threads=32x4,stages=recompute");
  EXPECT_EQ(fewer(kStages, 127), "naive,threads=32x4,registers=128,stages=recompute");
  EXPECT_EQ(fewer(kStages, 129), "none");
  Schedule given = naive(2);
  given.edge_cells = given.early = true;
  EXPECT_EQ(fewer(kStages, 60, given),
            "naive,threads=32x4,edges=cells,launches=early,stages=recompute");
  given.fusion = Fusion::split;
  EXPECT_EQ(fewer(kStages, 60, given), "none") << "asked for";
  given = naive(2);
  given.steps = 2;
  EXPECT_EQ(fewer(kStages, 60, given), "none") << "several steps";
  EXPECT_EQ(fewer("field f32 a boundary clamp; a[t+1] = a/(1 + a[x-1]);", 60), "none")
      << "one launch";
  // Each stage doubles what is computed for the next one.
  EXPECT_EQ(
      fewer("field f32 a, b, c, d, e boundary clamp; a[t+1] = sqrt(a[x-2]); "
            "b[t+1] = sqrt(a[x-2, t+1] - a[y+2, t+1]); c[t+1] = sqrt(b[x-2, t+1] - b[y+2, t+1]); "
            "d[t+1] = sqrt(c[x-2, t+1] - c[y+2, t+1]); e[t+1] = sqrt(d[x-2, t+1] - d[y+2, t+1]);",
            60),
      "none");
}

TEST(Choose, FewerLaunchesHaveToGainMoreWhereAStepComesToCompute) {
  const auto step = [](double instructions, double memory) {
    Forecast forecast;
    Prediction one;
    one.clocks[static_cast<size_t>(Limit::issue)] = instructions;
    one.clocks[static_cast<size_t>(Limit::memory)] = memory;
    forecast.launches.push_back(one);
    return forecast;
  };
  EXPECT_EQ(least_gain_of_fewer(step(2, 1), step(1, 2)), 1.1);
  EXPECT_EQ(least_gain_of_fewer(step(2, 1), step(2, 1)), 0.98);
  EXPECT_EQ(least_gain_of_fewer(step(1, 2), step(1, 2)), 0.98);
}

}  // namespace
}  // namespace stencilc::plan
