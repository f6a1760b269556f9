// Runs other programs.
#pragma once

#include <string>
#include <vector>

namespace stencilc::driver {

// Runs a program from the PATH, without a shell, and waits. `output` gets what it prints.
int run_process(const std::vector<std::string>& arguments, std::string& output);

// The path of a program on the PATH, or "".
std::string find_program(const std::string& name);

}  // namespace stencilc::driver
