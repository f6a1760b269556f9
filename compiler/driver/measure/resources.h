// Reads the output of compilers and profilers about kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/measure/result.h"
#include "kernel/module.h"
#include "plan/machine/device.h"

namespace stencilc::driver {

// A kernel, for all numbers of steps of a launch.
struct KernelResources {
  std::string name;
  int registers = 0;  // per thread
  int spilled = 0;    // bytes per thread: what ptxas calls spill stores
};

// Reads the log of `nvcc -Xptxas=-v` for the kernels in the namespace, with 64-bit indices if
// `wide`. Functions for warps near the boundary are not counted: few warps call them, and what
// they hold takes no registers from the others.
std::vector<KernelResources> read_resources(const std::string& log, const std::string& name_space,
                                            bool wide);

// What the launches of a step need on a grid of these extents, by the log of their compiler;
// nothing if it names none of them. Without a device, it is not known what a multiprocessor holds.
std::optional<Resources> resources_of(const std::string& log, const kernel::Module& module,
                                      const data::Extents& extents, const plan::Device* device);

// Whether kernels need 64-bit indices for a grid of these extents.
bool needs_wide_indices(const data::Extents& extents);

// Reads the table of `ncu --csv --metrics smsp__inst_executed.sum`: warp instructions, summed over
// all kernels except those that fill and check. Nothing if there is no such line.
std::optional<double> read_instructions(const std::string& table);

}  // namespace stencilc::driver
