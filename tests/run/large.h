// Runs on grids that the interpreter would take too long for: the checksum of every bit of what
// they make, which is the same for the same bits.
#pragma once

#include <string>

#include "driver/verify/cases.h"
#include "run/batch.h"

namespace stencilc::run_test {

struct LargeCase {
  data::Extents extents;
  int64_t steps = 1;
};
std::string print(const LargeCase& test);

// About so many cells, odd along every axis, and a number of steps that no number from 2 to 8
// divides.
LargeCase large_case(const driver::Compiled& compiled, int64_t cells);

struct Checksum {
  uint64_t sum = 0;
  std::string problem;
};
// Of all cells of all levels of all fields, random before the run.
Checksum checksum(BenchCall bench, const driver::Compiled& compiled, const LargeCase& test);

}  // namespace stencilc::run_test
