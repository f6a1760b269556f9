// What compilers and profilers tell about kernels, as text.
#pragma once

#include <optional>
#include <string>

#include "driver/measure/result.h"

namespace stencilc::driver {

// The log of `nvcc -Xptxas=-v`: the kernels in the namespace, of those with two widths of indices
// (`wide`: 64 bits) the one. None where the log names no kernel of it.
std::optional<Resources> read_resources(const std::string& log, const std::string& name_space,
                                        bool wide);

// The table of `ncu --csv --metrics smsp__inst_executed.sum`: instructions of warps, summed over
// all kernels but those that fill and check. None where there is no such line.
std::optional<double> read_instructions(const std::string& table);

}  // namespace stencilc::driver
