// Chooses the grid size and arguments of a benchmark. The grids are filled on the device.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/measure/rounds.h"

namespace stencilc::driver {

struct BenchData {
  HostData host;  // without buffers
  Timing timing;
};

// From --size, --steps, --param and --points; false after an error.
bool make_bench_data(const Options& options, const Compiled& compiled, BenchData& data,
                     diag::Engine& engine);

}  // namespace stencilc::driver
