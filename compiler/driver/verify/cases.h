// The runs that emitted code is compared on.
#pragma once

#include <string>
#include <vector>

#include "driver/execute/call.h"

namespace stencilc::driver {

// One run to compare: extents as wide as the rank, steps, and what data::generate fills the fields
// with.
struct Case {
  data::Extents extents;
  int64_t steps = 1;  // -1: as `iterate` says
  std::string data = "random";
  uint64_t seed = 1;
};
std::string print(const Case& test);  // "65 x 9, 3 steps of random data, seed 7"

// Sizes at which kernels go wrong: 1, the radius, 2*radius + 1, around the tile, primes; in every
// axis at once and one by one.
std::vector<Case> awkward_cases(const Compiled& compiled, uint64_t seed);

// Of launches that are recorded and replayed when there are many: so many, on a small grid;
// nothing: there are none.
std::vector<Case> cases_of_many_steps(const Compiled& compiled, uint64_t seed);

// Fields filled as the case says, outputs poisoned; params without a default at small numbers.
HostData make_data(const ir::Stencil& stencil, const Case& test);

}  // namespace stencilc::driver
