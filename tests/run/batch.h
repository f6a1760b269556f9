// Many compiled stencils as one shared library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/library.h"

namespace stencilc::run_test {

struct Batch {
  std::vector<driver::Machine> machines;  // one for each stencil, in order; empty after a problem
  std::string problem;
};

// Writes the emitted texts to `folder` and compiles them as one translation unit: the compiler
// starts once, and reads the runtime headers once. The stencils' names and files must differ. What
// the folder holds already is used again if it is the same in every byte. With `poison`, memory of
// the GPU holds NaNs when it is allocated.
Batch build_batch(const std::vector<const driver::Compiled*>& stencils,
                  const std::filesystem::path& folder, const driver::Compiler& compiler,
                  bool poison, bool load);

}  // namespace stencilc::run_test
