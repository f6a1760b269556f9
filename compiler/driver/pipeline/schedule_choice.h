// Chooses the source of a schedule: the command line, a `schedule` block, the tune file, or the
// compiler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/pipeline/compile.h"
#include "plan/temporal/survey.h"

namespace stencilc::driver {

// The schedule of --schedule, or else of a `schedule` block.
struct Requested {
  std::string text;  // in the form that --schedule takes; empty: none is given
  const ir::ScheduleBlock* block = nullptr;
  diag::Range at() const { return block ? block->at : diag::nowhere; }
};

// The schedule for all devices of the output; nothing after an error, if they have different
// blocks.
std::optional<Requested> requested_schedule(const ir::Stencil& stencil,
                                            const CompileOptions& options, diag::Engine& engine);

// The given schedule, or the tuned one, or the compiler's choice for the device; nothing after an
// error.
std::optional<plan::Schedules> schedule_for(const ir::Stencil& stencil, const Requested& requested,
                                            const CompileOptions& options,
                                            const plan::Device& device, diag::Engine& engine);

// Why its values take more memory than --max-workspace allows; or empty.
std::string workspace_problem(const ir::Stencil& stencil, const plan::Schedule& schedule,
                              const CompileOptions& options);

// The approximate grid size: --size, or the default.
std::array<int64_t, 3> extents_of(const ir::Stencil& stencil, const CompileOptions& options);

// The sizes of the kernels of each launch that stores cells.
std::vector<plan::KernelSize> kernel_sizes(const kernel::Module& module);

// The sizes of kernels that have been counted, by their text: many candidates share kernels.
using KnownSizes = std::unordered_map<std::string, plan::KernelSize>;

// The same of what a stencil becomes by a schedule.
std::vector<plan::KernelSize> kernel_sizes(const ir::Stencil& stencil,
                                           const plan::Schedule& schedule, plan::Target target,
                                           const plan::Device& device, KnownSizes& known);

// Limits the registers of kernels whose schedule asks for it and that gain by it.
void limit_registers(kernel::Module& module);
// Whether the schedule asks for it, and no kernel gains by it: it is the code without the limit.
bool limits_in_vain(const Compiled& compiled);

// A help line for a schedule that a device cannot run.
std::string devices_of(const CompileOptions& options);

// For --explain: a sentence for each block that is not used, with the reason.
std::vector<std::string> unused_blocks(const Compiled& compiled, const CompileOptions& options);

}  // namespace stencilc::driver
