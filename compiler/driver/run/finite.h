// NaN and infinities in the fields of `stencilc run`.
#pragma once

#include <cstdint>
#include <functional>

#include "diag/diagnostic.h"
#include "driver/execute/call.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// A run that has ended.
struct Ended {
  const Compiled& compiled;
  const Machine& machine;
  const HostData& host;                        // after the last step
  int64_t steps = 0;                           // that it took
  double seconds = 0;                          // for them
  std::function<bool(HostData&)> inputs = {};  // fills data as they were before the first step
  double budget = 10;  // seconds that the search for the step may take, where those are more
};

// Warns of each field whose newest level has cells that are not finite, and says from which step
// on. Repeats the run for that, but only then.
void check_finite(const Ended& run, diag::Engine& engine);

}  // namespace stencilc::driver
