// What `stencilc run --dry-run` prints.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/input_facts.h"
#include "driver/pipeline/compile.h"
#include "driver/run/fields.h"
#include "driver/run/memory.h"

namespace stencilc::driver {

struct DryRun {
  const Options& options;
  const Compiled& compiled;
  const LevelSources& levels;
  const HostData& host;  // the extents, params, points and series; no buffers
  const InputFacts& facts;
  Needs needs;
  bool iterates = false;  // as the `iterate` of the stencil says
  int64_t steps = 1;
};

// What a run would compute, read, make, write and need, with a line for each.
void print_dry_run(const DryRun& run, std::ostream& out);

}  // namespace stencilc::driver
