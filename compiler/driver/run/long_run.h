// Runs in parts, between which it shows its progress and hands copies of the fields to a recorder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/input_facts.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// What a run in parts needs; they outlive it.
struct LongRun {
  const Options& options;
  const Compiled& compiled;
  const Machine& machine;
  const InputFacts& facts;
  diag::Engine& engine;
};

// Whether there is anything to do between the steps.
bool is_watched(const Options& options);

// Runs `steps` steps, or for -1 as the `iterate` of the program says. The results do not depend on
// the parts. What fails around the run is reported.
struct Watched {
  std::string failed;  // in the run, or ""
  double seconds = 0;
  std::vector<std::string> written;  // the files, for the user
};
Watched run_watched(const LongRun& run, HostData& host, int64_t steps);

}  // namespace stencilc::driver
