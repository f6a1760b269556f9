// Reads the output of compilers and profilers about kernels.
#pragma once

#include <optional>
#include <string>

#include "driver/measure/result.h"

namespace stencilc::driver {

// Reads the log of `nvcc -Xptxas=-v` for the kernels in the namespace, with 64-bit indices if
// `wide`. Nothing if the log has no such kernel.
std::optional<Resources> read_resources(const std::string& log, const std::string& name_space,
                                        bool wide);

// Reads the table of `ncu --csv --metrics smsp__inst_executed.sum`: warp instructions, summed over
// all kernels except those that fill and check. Nothing if there is no such line.
std::optional<double> read_instructions(const std::string& table);

}  // namespace stencilc::driver
