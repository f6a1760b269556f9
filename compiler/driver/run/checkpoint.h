// Files from which a run goes on.
#pragma once

#include <cstdint>
#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// Where a run is.
struct RunState {
  int64_t first = 0;   // the number of the first step
  int64_t step = 0;    // that were taken
  bool ended = false;  // because the condition of `iterate until` holds
};

// Writes a checkpoint; the one before it is kept as FILE.previous. `run` has the levels that are
// written, the series and the reductions after the step; the rest is that of `host`. Returns what
// went wrong, or "".
std::string write_checkpoint(const std::string& path, const Compiled& compiled, plan::Target target,
                             const HostData& host, const HostData& run, const RunState& state);

// Takes over from the checkpoint of --resume what the run begins with: the extents; fields need no
// inputs. Returns false, reported, if it cannot be read or is one of another program. `note`: that
// bits differ, because it is one of another target.
bool open_checkpoint(Options& options, const Compiled& compiled, std::string& note,
                     diag::Engine& engine);

// Sets the levels, series and reductions of a run, whose params and points are set, as they were.
// Returns false, reported with what differs, if those were others.
bool restore_checkpoint(const Options& options, const Compiled& compiled, HostData& host,
                        RunState& state, diag::Engine& engine);

}  // namespace stencilc::driver
