// Names of emitted code. Every name is claimed here, once, so that none collides with another, with
// C++ or with CUDA.
#pragma once

#include <map>
#include <set>
#include <string>

namespace stencilc::lower {

class Names {
 public:
  // The name itself where it is free and harmless, otherwise with `_` and a number behind it: int
  // -> int_, u -> u_2.
  std::string claim(const std::string& wanted);
  // The same for a name of the global scope, where functions of the C library and types of CUDA
  // are.
  std::string claim_global(const std::string& wanted);

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> next_;  // by what stands before the number
};

}  // namespace stencilc::lower
