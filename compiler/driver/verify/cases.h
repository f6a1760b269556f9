// Chooses the runs on which emitted code is compared.
#pragma once

#include <string>
#include <vector>

#include "driver/execute/call.h"

namespace stencilc::driver {

// One run to compare: extents, steps, and the generator that fills the fields.
struct Case {
  data::Extents extents;
  int64_t steps = 1;  // -1: as `iterate` says
  std::string data = "random";
  uint64_t seed = 1;
};
std::string print(const Case& test);  // "65 x 9, 3 steps of random data, seed 7"

// Sizes that often reveal errors: 1, the radius, 2*radius + 1, around the tile, primes; for all
// axes together and one by one.
std::vector<Case> awkward_cases(const Compiled& compiled, uint64_t seed);

// For launches that are recorded as a graph when there are many: this many, on a small grid. Empty
// if there are none.
std::vector<Case> cases_of_many_steps(const Compiled& compiled, uint64_t seed);

// Fills fields by the generator, outputs with poison, and params without a default with small
// numbers.
HostData make_data(const ir::Stencil& stencil, const Case& test);

}  // namespace stencilc::driver
