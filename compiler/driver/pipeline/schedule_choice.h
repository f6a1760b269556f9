// Who says how a stencil is laid out: the command line, a block of the text, the tune file, or the
// compiler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// What --schedule asks for, or else a block of the text.
struct Requested {
  std::string text;  // as --schedule takes it; empty: nobody asks
  const ir::ScheduleBlock* block = nullptr;
  diag::Range at() const { return block ? block->at : diag::nowhere; }
};

// Of an output for all the devices; nothing after a report that they have blocks of their own.
std::optional<Requested> requested_schedule(const ir::Stencil& stencil,
                                            const CompileOptions& options, diag::Engine& engine);

// The schedule that is asked for, or that was found by measuring, or what is best on the device;
// nothing after a report.
std::optional<plan::Schedule> schedule_for(const ir::Stencil& stencil, const Requested& requested,
                                           const CompileOptions& options,
                                           const plan::Device& device, diag::Engine& engine);

// Of the grids, about: as --size says, or as is usual.
std::array<int64_t, 3> extents_of(const ir::Stencil& stencil, const CompileOptions& options);

// What to do about a schedule that a device cannot run.
std::string devices_of(const CompileOptions& options);

// A sentence for each block that does not count, with the reason: --explain.
std::vector<std::string> passed_over(const Compiled& compiled, const CompileOptions& options);

}  // namespace stencilc::driver
