// The memory that a run takes, and whether it is there.
#pragma once

#include <optional>
#include <string>

#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// A run on grids of the extents of `host`, with its points; it needs no buffers yet.
struct Needs {
  const Options& options;
  const Compiled& compiled;
  const HostData& host;
  int runs = 1;  // that are still to come: of a picture, one on each colour
  // Of several processes: how many share the memory of this machine, and is the first one of all
  // among them? It gathers what the run writes.
  int here = 1;
  bool first_is_here = true;
};

// In bytes, without the text of output files.
struct Memory {
  double process = 0;  // of the host, for this process
  double machine = 0;  // for all processes of the run on it; on the CPU target all of the memory
  double device = 0;   // of each GPU; 0: the CPU target
  // More of the GPU for snapshots and checkpoints that come while it goes on. The run goes without
  // where there is too little.
  double copies = 0;
};
Memory memory_of(const Needs& needs);

// What is left; empty: not known. `nvidia-smi` takes a moment, and so a GPU is asked only if much
// of it is needed.
struct MemoryLeft {
  std::optional<double> process, machine;
  std::optional<double> device;  // of the GPU that has most
};
MemoryLeft memory_left(const Memory& needed);

// Why a run does not fit into what is left, with the size that would; or "".
std::string too_large(const Needs& needs, const MemoryLeft& left);

}  // namespace stencilc::driver
