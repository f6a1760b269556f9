// How often a thread loads, where its schedule says what it has to load at least.
#include <gtest/gtest.h>

#include <stdexcept>

#include "ptxas/nvcc.h"
#include "ptxas/rules.h"

namespace stencilc::ptxas {
namespace {

struct Case {
  const char* program;  // of the benchmark set
  const char* name;     // here
  const char* schedule;
  int loads, stores;  // of the thread's interior
};

// A vector of a row and what lies beside it at either end are a load each.
const std::vector<Case> cases = {
    // One cell and its four neighbours.
    {"star2d1_f32", "plain", "naive", 5, 1},
    // Four rows, one more on either side, and two ends of each of the four.
    {"star2d1_f32", "four_rows", "coarsened,threads=64x4,vector=4,coarsen=y4", 6 + 4 * 2, 4},
    {"star2d1_f64", "four_rows_f64", "coarsened,threads=64x4,vector=2,coarsen=y4", 6 + 4 * 2, 4},
    // The same of single cells.
    {"star2d1_f32", "four_cells", "coarsened,threads=32x8,vector=1,coarsen=y4", 6 + 4 * 2, 4},
    // Four cells of a row, a block apart, so that lanes stay beside each other.
    {"star2d1_f32", "along_x", "coarsened,threads=64x4,vector=1,coarsen=x4", 4 * 5, 4},
    // Two rows, one more on either side, all with both ends. One end is loaded before the branch to
    // aligned rows, because the other rows load it as well.
    {"box2d1_f32", "two_rows", "coarsened,threads=64x4,vector=4,coarsen=y2", 4 * 3 - 1, 2},
    {"box2d1_f32", "four_box_rows", "coarsened,threads=64x4,vector=4,coarsen=y4", 6 * 3 - 1, 4},
    // Eight planes, one more on either side, and two ends and two rows of each of the eight.
    {"star3d1_f32", "eight_planes", "coarsened,threads=32x4x1,vector=4,coarsen=z8", 10 + 8 * 4, 8},
};

Program program_of(const Case& one) {
  for (const Program& program : benchmark_programs()) {
    if (program.name != one.program) continue;
    std::string text = program.text;
    const std::string head = "stencil " + program.name;
    text.replace(text.find(head), head.size(), std::string("stencil ") + one.name);
    return {one.name, text, one.schedule};
  }
  throw std::runtime_error(std::string("the benchmark set has no ") + one.program);
}

TEST(loads, of_the_interior_are_what_the_schedule_needs) {
#ifndef STENCILC_NVCC
  GTEST_SKIP() << "no nvcc on this machine, which would compile star2d1";
#endif
  std::vector<Program> programs;
  for (const Case& one : cases) programs.push_back(program_of(one));
    // With indices of 64 bits thread and grid have the same to do.
#ifdef STENCILC_ALL_TESTS
  const Extent extent = Extent::kernels;
#else
  const Extent extent = Extent::narrow_kernels;
#endif
  const std::vector<CompiledUnit> compiled =
      compile(units_of("loads", "sm_90", programs, 1, extent));
  for (const Case& one : cases) {
    int seen = 0;
    for (const CompiledUnit& unit : compiled)
      for (const Kernel& kernel : unit.kernels) {
        if (!kernel.name.starts_with(std::string(one.name) + "::step<")) continue;
        ++seen;
        const Accesses accesses = busiest_block(kernel);
        EXPECT_EQ(accesses.loads, one.loads) << kernel.name;
        EXPECT_EQ(scattered_accesses(kernel, 16), Findings()) << kernel.name;
        // See split_stores() for the others.
        if (kernel.name.ends_with("<int>")) {
          EXPECT_EQ(accesses.stores, one.stores) << kernel.name;
        }
      }
    EXPECT_EQ(seen, extent == Extent::kernels ? 2 : 1) << one.name;  // widths of indices
  }
}

}  // namespace
}  // namespace stencilc::ptxas
