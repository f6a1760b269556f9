// What a benchmark runs on: extents and arguments; the grids fill themselves.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/measure/rounds.h"

namespace stencilc::driver {

struct BenchData {
  HostData host;  // without buffers
  Timing timing;
  bool wide = false;  // do kernels need indices of 64 bits?
};

// From --size, --steps, --param and --points; false after a report.
bool make_bench_data(const Options& options, const Compiled& compiled, BenchData& data,
                     diag::Engine& engine);

}  // namespace stencilc::driver
