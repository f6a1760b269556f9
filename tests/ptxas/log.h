// What `ptxas -v` says about kernels.
#pragma once

#include <string>
#include <vector>

namespace stencilc::ptxas {

// "laplace::step<int>" of a mangled kernel: without anonymous namespaces, result and arguments.
std::string kernel_name(const std::string& mangled);

struct Resources {
  std::string kernel;
  int registers = 0;
  int stack = 0, spill_stores = 0, spill_loads = 0;  // bytes of a thread
  int local = 0;                                     // bytes of local memory, where they are told

  bool without_local_memory() const {
    return stack == 0 && spill_stores == 0 && spill_loads == 0 && local == 0;
  }
};

// The kernels of a log, in its order; and of the functions that they call; what it says of others
// is left out. Throws where a kernel's lines are not as expected, so that a new wording is not
// taken for zeros.
std::vector<Resources> read_log(const std::string& log);

// Is it a function that kernels call: a text of warps that stream? Its registers are not told.
bool is_called(const std::string& kernel);

// "8 bytes of stack, 4 of spill stores, 12 of spill loads, 0 local", for messages and for lists of
// exceptions.
std::string memory_of(const Resources& resources);

}  // namespace stencilc::ptxas
