// What stencilc uses of a machine, each looked for as the commands that need it look for it.
#pragma once

#include <string>
#include <vector>

namespace stencilc::driver {

struct Part {
  std::string name;  // "g++"
  bool found = false;
  std::string version;  // "12.2.0", or names of GPUs
  std::string place;    // a path
  std::string problem;  // why what is found does not work; or ""
  std::string without;  // what cannot be done without it
  std::string package;  // what brings it
  bool works() const { return found && problem.empty(); }
};

// In an order for people: compilers and GPUs, what several processes need, files, the cache.
std::vector<Part> find_parts();

}  // namespace stencilc::driver
