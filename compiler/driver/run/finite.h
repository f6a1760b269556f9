// Finds NaN and infinite values in the fields of `stencilc run`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "diag/diagnostic.h"
#include "driver/execute/call.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// A finished run.
struct Ended {
  const Compiled& compiled;
  const Machine& machine;
  const HostData& host;                        // after the last step
  int64_t steps = 0;                           // of the run
  double seconds = 0;                          // of the run
  std::function<bool(HostData&)> inputs = {};  // sets the data as before the first step; or not
  double budget = 10;        // seconds that the search may take, if that is more than the run took
  int64_t first = 0;         // the number of the first step
  std::string channel = {};  // of a picture, if the program runs on several
  // What all processes of the run count together, of which each counts its own cells. All of them
  // search, and by the same numbers.
  std::function<int64_t(int64_t)> together = [](int64_t cells) { return cells; };
  bool shows = true;            // the progress of the search: one of the processes does
  std::string unsearched = {};  // why there are no inputs
};

// Warns of each field whose newest level has cells that are not finite, and names the first such
// step. Repeats the run to find it, but only then.
void check_finite(const Ended& run, diag::Engine& engine);

}  // namespace stencilc::driver
