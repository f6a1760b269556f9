// Programs made from a seed in the shapes of applications: several fields, staggered places,
// limiters, upwind choices, chains of lets, stages and hundreds of reads.
#pragma once

#include <string>
#include <vector>

#include "run/random_program.h"

namespace stencilc::run_test {

// A valid stencil of 5 to 30 fields; the text depends on the arguments alone. Values stay finite
// over a few steps of data from 0 to 1: divisors and the arguments of roots stay away from 0.
// `transcendental` lets exp, sin and the like in. The families take turns from seed to seed.
RandomProgram real_program(uint64_t seed, bool transcendental = false);

// What the program of a seed is shaped like: "gas", "elastic", ...
std::string real_family(uint64_t seed);
std::vector<std::string> real_families();

}  // namespace stencilc::run_test
