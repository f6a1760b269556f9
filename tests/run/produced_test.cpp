// Planes that a warp of each block copies cell by cell while the others compute. Those that come as
// boxes are a strategy of the covering list.
#include <gtest/gtest.h>

#include "run/agreement.h"

namespace stencilc::run_test {
namespace {

TEST(Produced, CellsArriveWhenTheirCopiesHaveLanded) {
  expect_agreement(
      "stencil produced { axes x, y, z; field f32 u boundary clamp; "
      "u[t+1] = 0.2*u + 0.1*u[x-1] + 0.3*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]; }",
      "coarsened,threads=32x2,vector=2,rows=1,coarsen=z6,sums=gather,shared=async,fill=producers");
}

}  // namespace
}  // namespace stencilc::run_test
