// Builds what `stencilc run` launches, and sees to it that its kernels hardly spill.
#pragma once

#include <string>
#include <vector>

#include "data/values/array.h"
#include "driver/cli/options.h"
#include "driver/execute/library.h"

namespace stencilc::driver {

// A stencil with the schedule that runs, and its library.
struct RunBuild {
  Compiled compiled;
  Library library;
  std::string note;  // why another schedule runs, or that this one spills; or empty
};

// Builds the library of `run` for a grid of these extents. If the compiler chose the schedule and
// its kernels spill more than kMostSpilled, other schedules are built until one spills less; if
// none does, the one that spills least is taken.
RunBuild build_for_run(const Options& options, const Compiled& compiled,
                       const diag::Sources& sources, const data::Extents& extents);

// The schedules to build, in order, if `taken` spills: the same without a limit of registers, the
// fastest of other kinds by prediction, without those that are predicted to spill, and `naive`.
std::vector<std::string> schedules_instead(const Compiled& taken, const CompileOptions& options);

}  // namespace stencilc::driver
