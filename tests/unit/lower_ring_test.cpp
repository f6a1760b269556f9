// What of a stencil comes into shared memory, rings of planes and tiles; how what lies beyond the
// boundary gets there, and how threads of one cell read from there.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "support/lowered.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::lower {
namespace {

using kernel::Launch;
using kernel::Ring;
using kernel::RingPtr;
using testing::Cells;
using testing::count;
using testing::ring_of;

// In space, by boxes unless more is asked for; in the plane.
Launch in_space(const std::string& items, const std::string& schedule = "") {
  return testing::lowered(
             "x, y, z", items,
             "coarsened,threads=8x4,vector=4,rows=2,coarsen=z16,shared=boxes" + schedule)
      .launches.at(0);
}
Launch in_plane(const std::string& items, const std::string& schedule) {
  return testing::lowered("x, y", items, "coarsened," + schedule).launches.at(0);
}
std::string star(const std::string& boundary) {
  return "field f32 u boundary " + boundary +
         "; u[t+1] = 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1]);";
}
std::string cross(const std::string& boundary) {
  return "field f32 u boundary " + boundary + "; u[t+1] = 0.1*(u[x-1] + u[x+2] + u[y-1] + u[y+1]);";
}
// STAR and CROSS with a boundary stand for these, GREATEST with a type for the greater of two.
std::string items_of(const std::string& text) {
  const std::string word = text.substr(0, text.find(' ')), of = text.substr(text.find(' ') + 1);
  if (word == "STAR") return star(of);
  if (word == "CROSS") return cross(of);
  if (word == "GREATEST") return "field " + of + " u boundary clamp; u[t+1] = max(u[x-1], u[z+1]);";
  return text;
}

// What of a launch is in shared memory: how many places, filled by how many threads that compute
// and others, and of each grid the cells and rows, with what is copied at once, where the cells
// begin and the map. Or why there is nothing.
std::string described(const Launch& launch) {
  const RingPtr ring = ring_of(launch);
  if (!ring) return "nothing" + (launch.no_planes.empty() ? "" : ": " + launch.no_planes);
  EXPECT_EQ(launch.kernel.shared, ring->bytes());
  EXPECT_EQ(launch.kernel.maps.empty(), ring->kind != Ring::boxes);
  EXPECT_EQ(launch.map_args.size(), launch.kernel.maps.size());
  std::string text = ring->is_tile() ? "tile" : std::to_string(ring->depth) + " places";
  text += " by " + std::to_string(ring->threads);
  if (ring->producers > 0) text += " (" + std::to_string(ring->producers) + " more)";
  for (size_t n = 0; n < ring->grids.size(); ++n) {
    const Ring::Grid& grid = ring->grids[n];
    text += ", " + grid.planes.name + " " + std::to_string(grid.planes.registers) + "x" +
            std::to_string(grid.planes.rows);
    if (ring->kind == Ring::async) text += " copied " + std::to_string(grid.copied);
    if (const auto* begin = kernel::as<kernel::Bin>(grid.at[0]))
      text += " from -" + std::to_string(kernel::as<kernel::Int>(begin->right)->value);
    if (ring->kind != Ring::boxes) {
      EXPECT_EQ(grid.memory.name + (ring->is_tile() ? "_tile" : "_ring"), grid.planes.name);
      continue;
    }
    const auto& box = launch.kernel.maps.at(n).box;
    EXPECT_EQ(box[0], grid.planes.registers);
    EXPECT_EQ(box[1], grid.planes.rows);
    EXPECT_EQ(launch.map_args[n].slot, 0);
  }
  return text;
}

void expect_described(std::string_view table) {
  for (const Cells& row : testing::rows(table)) {
    const std::string items = items_of(row[1]);
    const Launch launch = row[0] == "space" ? in_space(items, row[2])
                          : row[0] == "plane"
                              ? in_plane(items, row[2])
                              : testing::lowered("x", items, "coarsened," + row[2]).launches.at(0);
    EXPECT_EQ(described(launch), row[3]) << row[0] << ", " << row[1] << ", " << row[2];
  }
}

TEST(LowerRing, PlanesHoldTheTileAndItsNeighbours) {
  expect_described(R"(
    space => STAR clamp => ,sums=scatter => 3 places by 32, u_ring 40x10 from -4
    // The places are those in use and those on their way; neighbours along x and y are of the plane before the newest.
    space => STAR clamp => ,sums=scatter,ahead=2 => 3 places by 32, u_ring 40x10 from -4
    space => STAR clamp => ,sums=scatter,ahead=5 => 6 places by 32, u_ring 40x10 from -4
    space => STAR clamp => ,sums=gather,ahead=2 => 4 places by 32, u_ring 40x10 from -4
    // Threads that load planes need no maps.
    space => STAR clamp => ,shared=loads => 4 places by 32, u_ring 40x10 from -4
    // A copy moves a vector, at least four bytes and at most 16.
    space => GREATEST f32 => ,vector=4,shared=async => 4 places by 32, u_ring 36x8 copied 4 from -4
    space => GREATEST f32 => ,vector=2,shared=async => 4 places by 32, u_ring 18x8 copied 2 from -2
    space => GREATEST f32 => ,vector=8,shared=async => 4 places by 32, u_ring 72x8 copied 4 from -8
    space => GREATEST f64 => ,vector=2,shared=async => 4 places by 32, u_ring 18x8 copied 2 from -2
    space => GREATEST u8 => ,vector=4,shared=async => 4 places by 32, u_ring 36x8 copied 4 from -4
    space => GREATEST u8 => ,vector=2,shared=async => 4 places by 32, u_ring 18x8 copied 0 from -2
    // Boxes begin at multiples of 16 bytes: the copy engine fails where they do not. A field's own reach does not
    // matter where the planes of all begin at one cell. Rows are multiples, too.
    space => GREATEST f32 => ,vector=2 => 4 places by 32, u_ring 20x8 from -4
    space => field f64 u boundary clamp; field f16 v in boundary clamp; u[t+1] = max(u[x-1], v[z+1]);
      => ,vector=2 => 4 places by 32, u_ring 24x8 from -8, v_ring 24x8 from -8
    space => GREATEST f32 => ,threads=6x4,vector=2 => 4 places by 24, u_ring 16x8 from -4
    space => GREATEST f32 => ,threads=7x4,vector=2,shared=loads => 4 places by 28, u_ring 16x8 from -2
    space => GREATEST u8 => ,vector=2 => 4 places by 32, u_ring 32x8 from -16
    // What turns back comes from as far inside.
    space => field f32 u boundary reflect; u[t+1] = u[y+3] + u[z+1]; => => 4 places by 32, u_ring 32x14
    space => field f32 u boundary clamp; u[t+1] = u[y+3] + u[z+1]; => => 4 places by 32, u_ring 32x11
    // Threads that produce stand beside those that compute, as whole warps.
    space => STAR clamp => ,sums=gather => 4 places by 32, u_ring 40x10 from -4
    space => STAR clamp => ,sums=gather,fill=producers => 4 places by 32 (32 more), u_ring 40x10 from -4
  )");
  EXPECT_EQ(ring_of(in_space(star("clamp"), ",sums=scatter"))->grids[0].reach[0], 1);
}

TEST(LowerRing, FieldsThatAreReadBesideTheCellAreInIt) {
  expect_described(R"(
    space => field f32 c in; field f32 u boundary clamp; u[t+1] = abs(u[x-1]) + abs(u[z+1]) + c*u[t-1]; =>
      => 4 places by 32, u_ring 36x8 from -4
    // A sum that planes are added to takes all of them from there.
    space => field f32 c in; field f32 u boundary clamp; u[t+1] = 0.1*u[z-1] + 0.2*c + 0.3*u[z+1];
      => ,sums=scatter => 3 places by 32, c_ring 32x8, u_ring 32x8
    space => field f32 c in; field f32 u boundary clamp; u[t+1] = 0.1*u[z-1] + 0.2*c + 0.3*u[z+1];
      => ,sums=gather => 3 places by 32, u_ring 32x8
    plane => field f32 u boundary clamp; field f32 c in; u[t+1] = 0.1*u[y-1] + 0.2*c + 0.3*u[x+1] + 0.4*u[y+2];
      => threads=8x2,vector=2,coarsen=y3,sums=scatter,shared=loads => tile by 16, u_tile 18x9, c_tile 16x9
    plane => field f32 c in; field f32 u boundary clamp; u[t+1] = u[x-1] + c*u[x+1];
      => threads=8x4,vector=1,coarsen=y1,shared=loads => tile by 32, u_tile 10x4 from -1
    space => field f32 u, v boundary clamp; u[t+1] = 0.1*(u[x-1] + u[z+1]); v[t+1] = v + u[x-1, t+1];
      => ,stages=split => 4 places by 32, u_ring 36x8 from -4
  )");
}

TEST(LowerRing, ALaunchWithoutPlanesSaysWhy) {
  expect_described(R"(
    space => STAR clamp => ,shared=none => nothing
    space => field f32 u; u[t+1] = 2*u; => => nothing: cells read no neighbours
    space => STAR clamp => ,threads=7x4,vector=2
      => nothing: a row of a block of `u` is not a multiple of 16 bytes, as bulk copies need
    space => field f32 u, v boundary clamp; u[t+1] = u[z-1] + u[z+1]; v[t+1] = v + u[x+1, t+1]; => ,stages=recompute
      => nothing: it recomputes `t+1` of neighbouring cells
    space => field f32 u, v boundary clamp; u[t+1] = 0.1*(u[x-1] + u[z+1]); v[t+1] = v + u[x-1, t+1];
      => ,stages=recompute => nothing: it recomputes `t+1` of neighbouring cells
    space => field f32 u boundary clamp; u[t+1] = 2*u; => ,sums=gather,fill=producers
      => nothing: cells read no neighbours
    plane => field f32 u; u[t+1] = 2*u; => threads=8x4,vector=1,coarsen=y1,shared=loads
      => nothing: cells read no neighbours
    plane => field f32 u, v boundary clamp; u[t+1] = u[x-1] + u[y+1]; v[t+1] = v + u[x+1, t+1];
      => threads=8x4,vector=1,coarsen=y1,shared=loads,stages=recompute
      => nothing: it recomputes `t+1` of neighbouring cells
    plane => CROSS clamp => threads=7x4,vector=1,coarsen=y1,shared=boxes
      => nothing: a row of a block of `u` is not a multiple of 16 bytes, as bulk copies need
    line => field f32 u boundary clamp; u[t+1] = u[x-1]; => threads=256,vector=1,coarsen=x1,shared=boxes
      => nothing: a row of `u` of 260 cells is larger than a bulk copy
  )");
  const Launch launch =
      in_space("field f32 u boundary clamp; u[t+1] = 2*u;", ",sums=gather,fill=producers");
  EXPECT_EQ(launch.kernel.block_threads(), 32) << "nor are there producers";
}

// Zeros come with the box; cells of the plane stand for those outside the grid, or all of them are
// loaded there; and a plane beyond the end is the box of another one, where one map finds it.
TEST(LowerRing, WhatFillsGhostCells) {
  const auto outside = [](const std::string& boundary) {
    const RingPtr one = ring_of(in_space(star(boundary)));
    const Ring::Grid& grid = one->grids.at(0);
    std::string text = one->loads_ghosts() ? "loaded" : "found";
    if (grid.zeros) text += ", zeros";
    using kernel::Fn;
    for (const auto& [map, name] : {std::pair(Fn::clamp, ", clamp"),
                                    {Fn::wrap, ", wrap"},
                                    {Fn::mirror, ", mirror"},
                                    {Fn::reflect, ", reflect"}})
      if (grid.map_along == map) text += name;
    return text;
  };
  testing::expect_rows(outside, R"(
    zero          => found, zeros
    constant 1    => found
    constant -0.0 => found
    clamp         => found, clamp
    reflect       => found, reflect
    mirror        => found, mirror
    periodic      => loaded, wrap
    neumann 1     => loaded
    expr 0.5*x    => loaded
    ghost         => loaded
    antireflect   => loaded
    { x.lo: clamp; x.hi: mirror; y: clamp; z: clamp; } => loaded, clamp
    { x: clamp; y: clamp; z.lo: clamp; z.hi: mirror; } => found
  )");
}

TEST(LowerRing, ProducersFillItBesideTheThreadsThatCompute) {
  for (const std::string boundary : {"clamp", "zero", "periodic"}) {
    const Launch launch = in_space(star(boundary), ",sums=gather,fill=producers");
    const RingPtr ring = ring_of(launch);
    ASSERT_TRUE(ring);
    EXPECT_EQ(launch.kernel.threads[1], 4);
    EXPECT_EQ(launch.kernel.producers, 4);  // rows of 8 threads: a warp
    EXPECT_EQ(launch.kernel.block_threads(), 8 * (4 + 4));
    EXPECT_EQ(launch.kernel.tile[1], 4 * 2);
    EXPECT_EQ(launch.kernel.resident, 1);
    EXPECT_EQ(ring->producers, 32);
    EXPECT_EQ(ring->threads, 32);
    EXPECT_EQ(ring->warps, 1);
    EXPECT_EQ(ring->first_producer, 32);
    EXPECT_EQ(ring->back(), 1);
    // Each stage ends with its place being free, inside and near the boundary.
    testing::expect_has(kernel::print(launch.kernel),
                        {"end of stage", "source boxes, by 32 threads more"});
  }
  // They copy pieces of planes, too.
  const Launch pieces = in_space(star("clamp"), ",sums=gather,shared=async,fill=producers");
  ASSERT_TRUE(ring_of(pieces));
  EXPECT_EQ(ring_of(pieces)->kind, Ring::async);
  EXPECT_EQ(ring_of(pieces)->threads, 32);
  testing::expect_has(kernel::print(pieces.kernel), {"end of stage"});
}

// Of vectors it holds whole ones. Threads load no more than is read: cells beyond the last one of a
// row may be no memory. Of one axis it is a row, of multiples of 16 bytes.
TEST(LowerTiles, ATileHoldsTheBlockAndItsNeighbours) {
  expect_described(R"(
    plane => CROSS clamp => threads=8x4,vector=1,coarsen=y3,shared=loads => tile by 32, u_tile 11x14 from -1
    plane => CROSS clamp => threads=8x4,vector=4,coarsen=x2,shared=async => tile by 32, u_tile 72x6 copied 4 from -4
    plane => CROSS clamp => threads=7x4,vector=2,shared=loads => tile by 28, u_tile 18x10 from -2
    plane => CROSS clamp => threads=6x4,vector=2,shared=boxes => tile by 24, u_tile 20x10 from -4
    line => field f64 u boundary clamp; u[t+1] = u[x-3] + u[x+1];
      => threads=32,vector=1,coarsen=x2,shared=boxes => tile by 32, u_tile 70x1 from -4
    // In space a thread of one cell has a queue: the plane that arrives, the one in work, one ahead.
    space => field f32 u boundary clamp; u[t+1] = 0.1*(u[x-1] + u[y+1] + u[z-1] + u + u[z+1]);
      => ,vector=1,rows=1,coarsen=z8,shared=loads,ahead=1 => 3 places by 32, u_ring 9x5 from -1
  )");
}

TEST(LowerTiles, AThreadFindsItsRowsBehindThoseOfTheThreadsBelow) {
  const auto row = [](const std::string& schedule) {
    return testing::line_with(
        kernel::print(in_plane(cross("clamp"), schedule + ",shared=loads").kernel), "let row: ");
  };
  const std::string twice = row("threads=8x4,vector=2,rows=2,coarsen=y1");
  EXPECT_NE(twice.find("2"), std::string::npos) << twice;
  EXPECT_EQ(twice, row("threads=8x4,vector=1,coarsen=y2"));
  EXPECT_NE(twice, row("threads=8x4,vector=2,coarsen=y1"));
}

TEST(LowerTiles, AThreadKeepsWhatItsNextCellsReadAgain) {
  const std::string text = kernel::print(
      in_plane(cross("periodic"), "threads=8x4,vector=1,coarsen=y3,shared=loads").kernel);
  // Two cells of the column before the first, and one for each.
  for (const char* cell : {"u_tile[(row - 1)][column]", "u_tile[row][column]",
                           "u_tile[((row + k) + 1)][column]", "u_tile[(row + k)][(column - 1)]"})
    EXPECT_EQ(count(text, cell), 1) << cell << text;
}

TEST(LowerTiles, InSpaceAThreadOfOneCellHasAQueueOfPlanes) {
  const Launch launch =
      testing::lowered("x, y, z",
                       "field f32 u boundary clamp; u[t+1] = 0.1*(u[x-1] + u[y+1] + u[z-1] + u + "
                       "u[z+1]);",
                       "coarsened,threads=8x4,vector=1,coarsen=z8,shared=loads,ahead=1")
          .launches.at(0);
  ASSERT_TRUE(ring_of(launch));
  EXPECT_FALSE(ring_of(launch)->is_tile());
  EXPECT_EQ(ring_of(launch)->depth, 3);  // the plane that arrives, the one in work, one ahead
  const std::string text = kernel::print(launch.kernel);
  for (const char* cell :
       {"u_ring_n[row][column]", "u_ring_nm1[row][(column - 1)]", "u_ring_nm1[(row + 1)][column]"})
    EXPECT_EQ(count(text, cell), 1) << cell << text;
  EXPECT_EQ(count(text, "u_ring_nm1[row][column]"), 0) << text;
}

// The window along y holds what the condition reads; the cell that keeps its value is not in it.
TEST(LowerTiles, ACellThatKeepsItsValueIsReadFromTheTileWhereNoWindowHoldsIt) {
  const std::string text =
      kernel::print(in_plane("field f32 u boundary zero; u[t+1] = u[x+2] where u[y-3] > u[y-2];",
                             "threads=8x4,vector=1,coarsen=y3,shared=loads")
                        .kernel);
  testing::expect_has(text, {"var u_next: f32 = u_tile[(row + k)][column]"});
}

TEST(LowerTiles, WarpsThatShareOutTheWorkKnowTheBlocksOwnCells) {
  const std::string shape = "threads=32x4,vector=2,coarsen=y2,shared=loads";
  const RingPtr split = ring_of(in_plane(cross("clamp"), shape + ",fill=split"));
  ASSERT_TRUE(split->own);
  EXPECT_EQ(split->own->column, 2);
  EXPECT_EQ(split->own->row, 1);
  EXPECT_EQ(split->own->columns, 64);
  EXPECT_EQ(split->own->rows, 8);
  EXPECT_FALSE(ring_of(in_plane(cross("clamp"), shape))->own);
}

}  // namespace
}  // namespace stencilc::lower
