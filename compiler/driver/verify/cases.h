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
  std::vector<int64_t> cuts = {};  // of the last axis, its ends included; empty: no pieces
  int64_t leg_steps = 0;           // between two exchanges of planes, at most
  bool forgets = false;            // do pieces lose then what they may not rely on?
  int processes = 0;               // that have the pieces; 0: this one
};
std::string print(const Case& test);  // "65 x 9, 3 steps of random data, seed 7"

// Grids cut into so many pieces at random places: as thin as they may be, around what a leg
// reaches, and thicker; with as many steps a leg as a launch has, with fewer and with more; and one
// of so many legs that they are recorded as a graph. In some, the devices wait for each other
// between legs, and pieces lose what they may not rely on. For code that is emitted with
// --distributed.
std::vector<Case> cases_in_pieces(const Compiled& compiled, int pieces, uint64_t seed);
// The same with the pieces in processes of their own; in every third case two of them share one.
std::vector<Case> cases_in_processes(const Compiled& compiled, int pieces, uint64_t seed);
Case case_of_many_legs(const Compiled& compiled, int pieces, uint64_t seed);

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
