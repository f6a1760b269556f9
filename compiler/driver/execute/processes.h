// Calls a compiled stencil in several processes of this machine, which compute pieces of one grid.
#pragma once

#include <string>
#include <vector>

#include "driver/execute/library.h"

namespace stencilc::driver {

// What a call writes: memory of this process, where the results of the call go.
struct Written {
  void* at;
  size_t bytes;
};

// Each process has a part of the pieces, as even as can be, and reaches the others by sockets. In
// `arrays` each writes the planes of its pieces, and all of them write the same to `results`.
// Returns what stencilc_host_call returns, with the message of the first process that failed, or
// that has other results than the first one.
int call_in_processes(const Machine& machine, stencil_host_call& call, int processes,
                      const std::vector<Written>& arrays, const std::vector<Written>& results);

}  // namespace stencilc::driver
