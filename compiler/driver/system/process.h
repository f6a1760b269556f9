// Other programs.
#pragma once

#include <string>
#include <vector>

namespace stencilc::driver {

// Runs a program (found on the PATH) and waits. Never through a shell. `output` gets what it
// printed.
int run_process(const std::vector<std::string>& arguments, std::string& output);

// Where the PATH finds a program, or "".
std::string find_program(const std::string& name);

}  // namespace stencilc::driver
