// Programs made from a seed, for tests that compile and run them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stencilc::run_test {

struct RandomProgram {
  std::string text;
  std::vector<std::pair<std::string, std::string>> defines;  // -D, for params of the text
};

// A valid stencil; the text depends on the arguments alone. Values stay bounded over a few steps:
// the weights of a sum have different magnitudes that add up to less than about 1, and divisors
// stay away from 0. `transcendental` lets exp, sin and the like in.
RandomProgram random_program(uint64_t seed, bool transcendental = false);

}  // namespace stencilc::run_test
