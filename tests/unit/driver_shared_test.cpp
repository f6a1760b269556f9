// Shared memory: what a device does not give is refused where it is asked for, and left out where
// it is not.
#include <gtest/gtest.h>

#include "support/cli.h"

namespace stencilc {
namespace {

using test::Finished;
using test::Workplace;

constexpr const char* kStar =
    "stencil s { axes x, y, z; field f64 u boundary clamp;\n"
    "  u[t+1] = 0.1*(sum(k in -4..-1 : u[z+k]) + sum(j in -4..4 : u[y+j]) +\n"
    "      sum(i in -4..4 : u[x+i]) + sum(k in 1..4 : u[z+k])); }\n";

// The schedule of the star, on a device that copies boxes.
Finished schedule(const Workplace& here, const std::string& text) {
  here.write("s.stn", kStar);
  return here.stencilc({"s.stn", "--arch=sm_90", "--emit=schedule", "--schedule=coarsened" + text});
}
const std::string kBoxes = ",sums=scatter,shared=boxes,";

TEST(SharedMemory, TooMuchOfItIsRefusedWithTheLimit) {
  const Workplace here;
  const Finished fits = schedule(here, kBoxes + "threads=32x16,vector=2,coarsen=z48");
  EXPECT_EQ(fits.status, 0) << fits.err;
  const Finished deep = schedule(here, kBoxes + "threads=32x16,vector=4,coarsen=z48,ahead=8");
  EXPECT_EQ(deep.status, 1);
  EXPECT_NE(deep.err.find("bytes of cells in shared memory, of which sm_90 gives it 232448"),
            std::string::npos)
      << deep.err;
}

TEST(SharedMemory, ABoxHasAtMost256ElementsOf8BytesInARow) {
  const Workplace here;
  const Finished wide = schedule(here, kBoxes + "threads=64x4,vector=4,rows=2,coarsen=z48");
  EXPECT_EQ(wide.status, 1);
  EXPECT_NE(wide.err.find("264 x 16 cells; a box that is copied has at most 256 x 256"),
            std::string::npos)
      << wide.err;
  std::string narrow = kStar;
  narrow.replace(narrow.find("f64"), 3, "f32");
  here.write("narrow.stn", narrow);
  const Finished grouped =
      here.stencilc({"narrow.stn", "--arch=sm_90", "--emit=schedule",
                     "--schedule=coarsened" + kBoxes + "threads=64x4,vector=4,rows=2,coarsen=z48"});
  EXPECT_EQ(grouped.status, 0) << grouped.err;
}

TEST(SharedMemory, WhatNobodyAskedForIsLeftOutWhereItDoesNotFit) {
  const Workplace here;
  const Finished chosen = schedule(here, "");
  EXPECT_NE(chosen.out.find("shared=boxes"), std::string::npos) << chosen.out;
  // Planes of 256 + 8 cells are no boxes.
  const Finished wide = schedule(here, ",threads=128x8");
  EXPECT_EQ(wide.status, 0) << wide.err;
  EXPECT_EQ(wide.out.find("shared=boxes"), std::string::npos) << wide.out;
}

}  // namespace
}  // namespace stencilc
