// What of a stencil comes into shared memory, and how what lies beyond the rim gets there.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "kernel/ring.h"
#include "lower/lower.h"
#include "plan/schedule.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

constexpr const char* kShape = "coarsened,threads=8x4,vector=4,rows=2,coarsen=z16,shared=boxes";

kernel::Launch launch_of(const std::string& statements, const std::string& schedule) {
  const ir::Stencil stencil = testing::canonical("stencil s { axes x, y, z; " + statements + " }");
  const plan::Choice choice =
      plan::parse(kShape + schedule, stencil, plan::Target::cuda, *plan::find_device("sm_90"));
  EXPECT_EQ(choice.problem, "");
  return lower(stencil, choice.schedule, plan::Target::cuda).launches.at(0);
}
// The ring of the launch; null: it has none.
kernel::RingPtr ring_of(const kernel::Launch& launch) {
  for (const kernel::Stmt& stmt : launch.kernel.body)
    if (const auto* ring = std::get_if<kernel::RingPtr>(&stmt.node)) return *ring;
  return nullptr;
}
kernel::RingPtr ring_of(const std::string& statements, const std::string& schedule = "") {
  return ring_of(launch_of(statements, schedule));
}
std::string star(const std::string& boundary) {
  return "field f32 u boundary " + boundary +
         "; u[t+1] = 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1]);";
}

TEST(LowerRing, APlaneHoldsTheTileAndItsNeighbours) {
  const kernel::Launch launch = launch_of(star("clamp"), ",sums=scatter");
  const kernel::RingPtr ring = ring_of(launch);
  ASSERT_TRUE(ring);
  ASSERT_EQ(ring->grids.size(), 1u);
  EXPECT_EQ(ring->grids[0].planes.registers, 4 + 8 * 4 + 4);  // whole vectors
  EXPECT_EQ(ring->grids[0].planes.rows, 1 + 4 * 2 + 1);
  EXPECT_EQ(ring->grids[0].reach[0], 1);
  EXPECT_EQ(ring->threads, 32);
  ASSERT_EQ(launch.kernel.maps.size(), 1u);
  EXPECT_EQ(launch.kernel.maps[0].box[0], 40);
  EXPECT_EQ(launch.kernel.maps[0].box[1], 10);
  EXPECT_EQ(launch.kernel.maps[0].box[2], 1);
  EXPECT_EQ(launch.kernel.shared, ring->bytes());
  ASSERT_EQ(launch.map_args.size(), 1u);
  EXPECT_EQ(launch.map_args[0].slot, 0);
}

// A thread that adds rows to sums loads a row that arrives of all fields, also of those that the sums
// read in fewer rows.
TEST(LowerRing, ATileHoldsAllRowsThatArrive) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f32 u boundary clamp; field f32 c in; "
      "u[t+1] = 0.1*u[y-1] + 0.2*c + 0.3*u[x+1] + 0.4*u[y+2]; }");
  const plan::Choice choice = plan::parse(
      "coarsened,threads=8x2,vector=2,coarsen=y3,sums=scatter,shared=loads", stencil,
      plan::Target::cuda, *plan::find_device("sm_90"));
  ASSERT_EQ(choice.problem, "");
  const kernel::RingPtr ring =
      ring_of(lower(stencil, choice.schedule, plan::Target::cuda).launches.at(0));
  ASSERT_TRUE(ring);
  ASSERT_EQ(ring->grids.size(), 2u);
  for (const kernel::Ring::Grid& grid : ring->grids) EXPECT_EQ(grid.planes.rows, 1 + 2 * 3 + 2);
}

TEST(LowerRing, ThePlacesAreThoseInUseAndThoseOnTheirWay) {
  EXPECT_EQ(ring_of(star("clamp"), ",sums=scatter,ahead=2")->depth, 3);
  EXPECT_EQ(ring_of(star("clamp"), ",sums=scatter,ahead=5")->depth, 6);
  // Neighbours along x and y are of the plane before the newest one.
  EXPECT_EQ(ring_of(star("clamp"), ",sums=gather,ahead=2")->depth, 4);
}

TEST(LowerRing, ThreadsThatLoadPlanesNeedNoMaps) {
  for (const std::string kind : {"loads", "async"}) {
    const kernel::Launch launch = launch_of(star("clamp"), ",shared=" + kind);
    ASSERT_TRUE(ring_of(launch));
    EXPECT_TRUE(launch.kernel.maps.empty());
    EXPECT_EQ(ring_of(launch)->grids[0].memory.name, "u");
    for (const kernel::Param& param : launch.kernel.params) EXPECT_NE(param.name, "mapped");
  }
}

TEST(LowerRing, ACopyMovesAVectorAndAtLeastFourBytes) {
  const auto copied = [](const std::string& type, int vector) {
    return ring_of("field " + type + " u boundary clamp; u[t+1] = max(u[x-1], u[z+1]);",
                   ",vector=" + std::to_string(vector) + ",shared=async")
        ->grids[0]
        .copied;
  };
  EXPECT_EQ(copied("f32", 4), 4);
  EXPECT_EQ(copied("f32", 2), 2);
  EXPECT_EQ(copied("f32", 8), 4);  // 16 bytes at most
  EXPECT_EQ(copied("f64", 2), 2);
  EXPECT_EQ(copied("u8", 4), 4);
  EXPECT_EQ(copied("u8", 2), 0);
}

// The copy engine fails where they do not.
TEST(LowerRing, BoxesBeginAtMultiplesOf16Bytes) {
  const std::string field = "field f32 u boundary clamp; u[t+1] = max(u[x-1], u[z+1]);";
  const auto left = [&](const std::string& schedule) {
    const kernel::Launch launch = launch_of(field, schedule);
    const auto* sum = kernel::as<kernel::Bin>(ring_of(launch)->grids[0].at[0]);
    return kernel::as<kernel::Int>(sum->right)->value;
  };
  EXPECT_EQ(left(",vector=2"), 4);
  EXPECT_EQ(left(",vector=2,shared=async"), 2);
  // A field's own reach does not matter where the planes of all begin at one cell.
  const kernel::RingPtr two = ring_of(
      "field f64 u boundary clamp; field f16 v in boundary clamp; "
      "u[t+1] = max(u[x-1], v[z+1]);",
      ",vector=2");
  const auto* begin = kernel::as<kernel::Bin>(two->grids[0].at[0]);
  EXPECT_EQ(kernel::as<kernel::Int>(begin->right)->value, 8);
  EXPECT_TRUE(ring_of(field, ",threads=6x4,vector=2"));   // 12 cells of 4 bytes
  EXPECT_FALSE(ring_of(field, ",threads=7x4,vector=2"));  // 14
  EXPECT_TRUE(ring_of(field, ",threads=7x4,vector=2,shared=loads"));
}

TEST(LowerRing, RowsOfNarrowCellsAreMultiplesOf16Bytes) {
  const kernel::RingPtr ring =
      ring_of("field u8 u boundary clamp; u[t+1] = max(u[x-1], u[z+1]);", ",vector=2");
  ASSERT_TRUE(ring);
  EXPECT_EQ(ring->grids[0].planes.registers, 16 + 16);  // 1 + 16 are enough for the cells
}

TEST(LowerRing, FieldsThatAreReadBesideTheCellAreInIt) {
  const std::string text =
      "field f32 c in; field f32 u boundary clamp; u[t+1] = abs(u[x-1]) + abs(u[z+1]) + c*u[t-1];";
  ASSERT_TRUE(ring_of(text));
  EXPECT_EQ(ring_of(text)->grids.size(), 1u);
  // A sum that planes are added to takes all of them from there.
  const std::string sum =
      "field f32 c in; field f32 u boundary clamp; u[t+1] = 0.1*u[z-1] + 0.2*c + 0.3*u[z+1];";
  EXPECT_EQ(ring_of(sum, ",sums=scatter")->grids.size(), 2u);
  EXPECT_EQ(ring_of(sum, ",sums=gather")->grids.size(), 1u);
}

TEST(LowerRing, NothingIsInItWhereNothingIsReadBesideTheCell) {
  EXPECT_FALSE(ring_of("field f32 u; u[t+1] = 0.5*u;"));
}

TEST(LowerRing, NothingIsInItWhereTheNextStepIsComputedAgainBesideTheCell) {
  const std::string text =
      "field f32 u, v boundary clamp; u[t+1] = 0.1*(u[x-1] + u[z+1]); v[t+1] = v + u[x-1, t+1];";
  EXPECT_FALSE(ring_of(text, ",stages=recompute"));
  EXPECT_TRUE(ring_of(text, ",stages=split"));
}

TEST(LowerRing, WhatTurnsBackComesFromAsFarInside) {
  const std::string read = "; u[t+1] = u[y+3] + u[z+1];";
  EXPECT_EQ(ring_of("field f32 u boundary reflect" + read)->grids[0].planes.rows, 3 + 8 + 3);
  EXPECT_EQ(ring_of("field f32 u boundary clamp" + read)->grids[0].planes.rows, 8 + 3);
}

TEST(LowerRing, ZerosComeWithTheBox) {
  EXPECT_TRUE(ring_of(star("zero"))->grids[0].zeros);
  EXPECT_FALSE(ring_of(star("constant 1"))->grids[0].zeros);
  EXPECT_FALSE(ring_of(star("constant -0.0"))->grids[0].zeros);
  EXPECT_FALSE(ring_of(star("clamp"))->grids[0].zeros);
}

TEST(LowerRing, CellsOfThePlaneStandForThoseBeyondItsRim) {
  for (const std::string boundary : {"clamp", "reflect", "mirror", "constant 1"})
    EXPECT_FALSE(ring_of(star(boundary))->loads_rim()) << boundary;
  for (const std::string boundary : {"periodic", "neumann 1", "expr 0.5*x", "ghost", "antireflect",
                                     "{ x.lo: clamp; x.hi: mirror; y: clamp; z: clamp; }"})
    EXPECT_TRUE(ring_of(star(boundary))->loads_rim()) << boundary;
}

TEST(LowerRing, APlaneBeyondTheEndIsTheBoxOfAnother) {
  using kernel::Fn;
  const auto map = [](const std::string& boundary) {
    return ring_of(star(boundary))->grids[0].map_along;
  };
  EXPECT_EQ(map("clamp"), Fn::clamp);
  EXPECT_EQ(map("periodic"), Fn::wrap);
  EXPECT_EQ(map("mirror"), Fn::mirror);
  EXPECT_EQ(map("reflect"), Fn::reflect);
  EXPECT_EQ(map("constant 1"), std::nullopt);
  EXPECT_EQ(map("{ x: clamp; y: clamp; z.lo: clamp; z.hi: mirror; }"), std::nullopt);
}

TEST(LowerRing, ALaunchWithoutPlanesSaysWhy) {
  const auto reason = [](const std::string& statements, const std::string& schedule = "") {
    return launch_of(statements, schedule).no_planes;
  };
  EXPECT_EQ(reason(star("clamp")), "");
  EXPECT_EQ(reason(star("clamp"), ",shared=none"), "");
  EXPECT_EQ(reason("field f32 u; u[t+1] = 2*u;"), "cells read no neighbours");
  EXPECT_EQ(reason(star("clamp"), ",threads=7x4,vector=2"),
            "a row of a block of `u` is no multiple of 16 bytes, as boxes are");
  EXPECT_EQ(reason("field f32 u, v boundary clamp; u[t+1] = u[z-1] + u[z+1]; "
                   "v[t+1] = v + u[x+1, t+1];",
                   ",stages=recompute"),
            "it computes `t+1` of neighbours again");
}

TEST(LowerRing, ProducersFillItBesideTheThreadsThatCompute) {
  for (const std::string boundary : {"clamp", "zero", "periodic"}) {
    const kernel::Launch launch = launch_of(star(boundary), ",sums=gather,fill=producers");
    const kernel::RingPtr ring = ring_of(launch);
    ASSERT_TRUE(ring);
    EXPECT_EQ(launch.kernel.threads[1], 4);
    EXPECT_EQ(launch.kernel.producers, 4);  // rows of 8 threads: a warp
    EXPECT_EQ(launch.kernel.block_threads(), 8 * (4 + 4));
    EXPECT_EQ(launch.kernel.tile[1], 4 * 2);
    EXPECT_EQ(launch.kernel.resident, 1);
    EXPECT_EQ(ring->producers, 32);
    EXPECT_EQ(ring->threads, 32);
    EXPECT_EQ(ring->warps, 1);
    EXPECT_EQ(ring->first_producer(), 32);
    EXPECT_EQ(ring->back(), 1);
    EXPECT_EQ(kernel::verify(launch.kernel), std::vector<std::string>{});
    // Each stage ends with its place being free, inside and near the rim.
    EXPECT_NE(kernel::print(launch.kernel).find("end of stage"), std::string::npos);
    EXPECT_NE(kernel::print(launch.kernel).find("source boxes, by 32 threads more"),
              std::string::npos);
  }
  EXPECT_EQ(ring_of(star("clamp"), ",sums=gather")->producers, 0);
}

TEST(LowerRing, ProducersCopyPiecesOfPlanesToo) {
  const kernel::Launch launch =
      launch_of(star("clamp"), ",sums=gather,shared=async,fill=producers");
  ASSERT_TRUE(ring_of(launch));
  EXPECT_EQ(ring_of(launch)->kind, kernel::Ring::async);
  EXPECT_EQ(ring_of(launch)->threads, 32);
  EXPECT_EQ(kernel::verify(launch.kernel), std::vector<std::string>{});
  EXPECT_NE(kernel::print(launch.kernel).find("end of stage"), std::string::npos);
}

TEST(LowerRing, WithoutPlanesThereAreNoProducers) {
  const kernel::Launch launch =
      launch_of("field f32 u boundary clamp; u[t+1] = 2*u;", ",sums=gather,fill=producers");
  EXPECT_EQ(launch.no_planes, "cells read no neighbours");
  EXPECT_EQ(launch.kernel.block_threads(), 32);
}

}  // namespace
}  // namespace stencilc::lower
