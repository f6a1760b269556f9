// Tiles in shared memory: what they hold, and how threads of one cell read from them.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "kernel/ring.h"
#include "lower/lower.h"
#include "plan/schedule.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

kernel::Launch launch_of(const std::string& axes, const std::string& statements,
                         const std::string& schedule) {
  const ir::Stencil stencil =
      testing::canonical("stencil s { axes " + axes + "; " + statements + " }");
  const plan::Choice choice = plan::parse("coarsened," + schedule, stencil, plan::Target::cuda,
                                          *plan::find_device("sm_90"));
  EXPECT_EQ(choice.problem, "") << schedule;
  return lower(stencil, choice.schedule, plan::Target::cuda).launches.at(0);
}
// The ring of the launch; null: it has none.
kernel::RingPtr ring_of(const kernel::Launch& launch) {
  for (const kernel::Stmt& stmt : launch.kernel.body)
    if (const auto* ring = std::get_if<kernel::RingPtr>(&stmt.node)) return *ring;
  return nullptr;
}
std::string printed(const kernel::Launch& launch) { return kernel::print(launch.kernel); }
int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
std::string star(const std::string& boundary) {
  return "field f32 u boundary " + boundary + "; u[t+1] = 0.1*(u[x-1] + u[x+2] + u[y-1] + u[y+1]);";
}

TEST(LowerTiles, ATileHoldsTheBlockAndItsNeighbours) {
  const kernel::Launch launch =
      launch_of("x, y", star("clamp"), "threads=8x4,vector=1,coarsen=y3,shared=loads");
  const kernel::RingPtr ring = ring_of(launch);
  ASSERT_TRUE(ring);
  EXPECT_TRUE(ring->is_tile());
  ASSERT_EQ(ring->grids.size(), 1u);
  EXPECT_EQ(ring->grids[0].planes.name, "u_tile");
  EXPECT_EQ(ring->grids[0].planes.registers, 1 + 8 + 2);
  EXPECT_EQ(ring->grids[0].planes.rows, 1 + 4 * 3 + 1);
  EXPECT_EQ(launch.kernel.shared, ring->bytes());
  EXPECT_EQ(kernel::verify(launch.kernel), std::vector<std::string>{});
}

TEST(LowerTiles, OfVectorsItHoldsWholeOnes) {
  const kernel::Launch launch =
      launch_of("x, y", star("clamp"), "threads=8x4,vector=4,coarsen=x2,shared=async");
  ASSERT_TRUE(ring_of(launch));
  EXPECT_EQ(ring_of(launch)->grids[0].planes.registers, 4 + 8 * 4 * 2 + 4);
  EXPECT_EQ(ring_of(launch)->grids[0].planes.rows, 1 + 4 + 1);
}

TEST(LowerTiles, AThreadFindsItsRowsBehindThoseOfTheThreadsBelow) {
  const auto row = [](const std::string& schedule) {
    const std::string text = printed(launch_of("x, y", star("clamp"), schedule + ",shared=loads"));
    const size_t at = text.find("let row: ");
    return text.substr(at, text.find('\n', at) - at);
  };
  const std::string twice = row("threads=8x4,vector=2,rows=2,coarsen=y1");
  EXPECT_NE(twice.find("2"), std::string::npos) << twice;
  EXPECT_EQ(twice, row("threads=8x4,vector=1,coarsen=y2"));
  EXPECT_NE(twice, row("threads=8x4,vector=2,coarsen=y1"));
}

TEST(LowerTiles, OfOneAxisItIsARow) {
  const kernel::Launch launch =
      launch_of("x", "field f64 u boundary clamp; u[t+1] = u[x-3] + u[x+1];",
                "threads=32,vector=1,coarsen=x2,shared=boxes");
  ASSERT_TRUE(ring_of(launch));
  EXPECT_EQ(ring_of(launch)->grids[0].planes.rows, 1);
  EXPECT_EQ(ring_of(launch)->grids[0].planes.registers, 4 + 64 + 2);  // multiples of 16 bytes
  ASSERT_EQ(launch.kernel.maps.size(), 1u);
  EXPECT_EQ(launch.kernel.maps[0].box[1], 1);
}

// Cells beyond the last one of a row may be no memory.
TEST(LowerTiles, ThreadsLoadNoMoreThanIsRead) {
  const auto width = [](const std::string& schedule) {
    return ring_of(launch_of("x, y", star("clamp"), schedule))->grids[0].planes.registers;
  };
  EXPECT_EQ(width("threads=7x4,vector=2,shared=loads"), 2 + 14 + 2);
  EXPECT_EQ(width("threads=6x4,vector=2,shared=boxes"), 4 + 12 + 4);
}

TEST(LowerTiles, AThreadKeepsWhatItsNextCellsReadAgain) {
  const std::string text =
      printed(launch_of("x, y", star("periodic"), "threads=8x4,vector=1,coarsen=y3,shared=loads"));
  // Two cells of the column before the first, and one for each.
  EXPECT_EQ(count(text, "u_tile[(row - 1)][column]"), 1) << text;
  EXPECT_EQ(count(text, "u_tile[row][column]"), 1) << text;
  EXPECT_EQ(count(text, "u_tile[((row + k) + 1)][column]"), 1) << text;
  EXPECT_EQ(count(text, "u_tile[(row + k)][(column - 1)]"), 1) << text;
}

TEST(LowerTiles, InSpaceAThreadOfOneCellHasAQueueOfPlanes) {
  const kernel::Launch launch =
      launch_of("x, y, z",
                "field f32 u boundary clamp; u[t+1] = 0.1*(u[x-1] + u[y+1] + u[z-1] + u + u[z+1]);",
                "threads=8x4,vector=1,coarsen=z8,shared=loads,ahead=1");
  ASSERT_TRUE(ring_of(launch));
  EXPECT_FALSE(ring_of(launch)->is_tile());
  EXPECT_EQ(ring_of(launch)->depth, 3);  // the plane that arrives, the one in work, one ahead
  const std::string text = printed(launch);
  EXPECT_EQ(count(text, "u_ring_n[row][column]"), 1) << text;
  EXPECT_EQ(count(text, "u_ring_nm1[row][(column - 1)]"), 1) << text;
  EXPECT_EQ(count(text, "u_ring_nm1[(row + 1)][column]"), 1) << text;
  EXPECT_EQ(count(text, "u_ring_nm1[row][column]"), 0) << text;
}

TEST(LowerTiles, WhatIsReadAtTheCellAloneIsNotInIt) {
  const kernel::Launch launch =
      launch_of("x, y", "field f32 c in; field f32 u boundary clamp; u[t+1] = u[x-1] + c*u[x+1];",
                "threads=8x4,vector=1,coarsen=y1,shared=loads");
  EXPECT_EQ(ring_of(launch)->grids.size(), 1u);
}

TEST(LowerTiles, WarpsThatShareOutTheWorkKnowTheBlocksOwnCells) {
  const kernel::RingPtr split = ring_of(
      launch_of("x, y", star("clamp"), "threads=32x4,vector=2,coarsen=y2,shared=loads,fill=split"));
  ASSERT_TRUE(split->own);
  EXPECT_EQ(split->own->column, 2);
  EXPECT_EQ(split->own->row, 1);
  EXPECT_EQ(split->own->columns, 64);
  EXPECT_EQ(split->own->rows, 8);
  EXPECT_FALSE(
      ring_of(launch_of("x, y", star("clamp"), "threads=32x4,vector=2,coarsen=y2,shared=loads"))
          ->own);
}

TEST(LowerTiles, ALaunchWithoutATileSaysWhy) {
  const auto reason = [](const std::string& statements, const std::string& schedule) {
    return launch_of("x, y", statements, schedule).no_planes;
  };
  const std::string plain = "threads=8x4,vector=1,coarsen=y1,shared=loads";
  EXPECT_EQ(reason(star("clamp"), plain), "");
  EXPECT_EQ(reason("field f32 u; u[t+1] = 2*u;", plain), "cells read no neighbours");
  EXPECT_EQ(reason("field f32 u, v boundary clamp; u[t+1] = u[x-1] + u[y+1]; "
                   "v[t+1] = v + u[x+1, t+1];",
                   plain + ",stages=recompute"),
            "it computes `t+1` of neighbours again");
  EXPECT_EQ(reason(star("clamp"), "threads=7x4,vector=1,coarsen=y1,shared=boxes"),
            "a row of a block of `u` is no multiple of 16 bytes, as boxes are");
  EXPECT_EQ(launch_of("x", "field f32 u boundary clamp; u[t+1] = u[x-1];",
                      "threads=256,vector=1,coarsen=x1,shared=boxes")
                .no_planes,
            "a row of `u` of 260 cells is larger than a box");
}

}  // namespace
}  // namespace stencilc::lower
