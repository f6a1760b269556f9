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
#include "driver/run/checkpoint.h"

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

// Goes on from `begin` up to `steps` steps in all, or for -1 as the `iterate` of the program says.
// The results do not depend on the parts. What fails around the run is reported.
struct Watched {
  int64_t step = 0;  // that it has reached
  int signal = 0;    // that has stopped it; it has written its checkpoint and snapshots

  std::string failed;  // in the run, or ""
  double seconds = 0;
  std::vector<std::string> written;  // the files, for the user
};
Watched run_watched(const LongRun& run, HostData& host, const RunState& begin, int64_t steps);

}  // namespace stencilc::driver
