// Many compiled stencils as one shared library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/execute/library.h"
#include "runtime/include/stencil/bench_call.h"

namespace stencilc::run_test {

using BenchCall = decltype(&stencilc_bench_call);

struct Batch {
  std::vector<driver::Machine> machines;  // one for each stencil, in order; empty after a problem
  std::vector<BenchCall> benches;         // likewise, where they are asked for
  std::string problem;
};

struct Adapters {
  bool poison = true;    // memory of the GPU holds NaNs when it is allocated
  bool benches = false;  // stencilc_bench_call, too
};

// The compiler of the CPU target with -O0 in the place of -O3, and with headers that it has read
// before (tests/quick/g++): in less than half the time.
driver::Compiler unoptimized(driver::Compiler compiler);

// Writes the emitted texts to `folder` and compiles them as one translation unit: the compiler
// starts once, and reads the runtime headers once. The stencils' names and files must differ. What
// the folder holds already is used again if it is the same in every byte.
Batch build_batch(const std::vector<const driver::Compiled*>& stencils,
                  const std::filesystem::path& folder, const driver::Compiler& compiler,
                  const Adapters& adapters, bool load);

// The same on the executor: many stencils in one translation unit are loaded in half the time. They
// share the executor's mode and its faults.
Batch execute_batch(const std::vector<const driver::Compiled*>& stencils);

}  // namespace stencilc::run_test
