// The memory that a run takes, and whether it is there.
#pragma once

#include <optional>
#include <string>

#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// In bytes. On the CPU target the host has all of it.
struct Memory {
  double host = 0;
  double device = 0;  // of each GPU; 0: the CPU target
};

// What a run on grids of the extents of `host` takes: `host` needs no buffers yet. Without the
// series and the text of output files, which are small beside the fields.
Memory memory_of(const Options& options, const Compiled& compiled, const HostData& host);

// What is left; empty: not known. `nvidia-smi` takes a moment, and so a GPU is asked only if much
// of it is needed.
struct MemoryLeft {
  std::optional<double> host;
  std::optional<double> device;  // of the GPU that has most
};
MemoryLeft memory_left(const Memory& needed);

// Why a run does not fit into what is left, with the size that would; or "".
std::string too_large(const Options& options, const Compiled& compiled, const HostData& host,
                      const MemoryLeft& left);

}  // namespace stencilc::driver
