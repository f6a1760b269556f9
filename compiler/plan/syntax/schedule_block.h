// Finds the `schedule` block that applies, and reports what is wrong with blocks.
#pragma once

#include "diag/diagnostic.h"
#include "ir/ir.h"
#include "plan/schedule/schedule.h"
#include "plan/syntax/parse_schedule.h"

namespace stencilc::plan {

// Reports architectures that do not exist or have two blocks, and blocks that a device they name
// cannot run. A block that names no device is only refused for problems that do not depend on the
// device.
void check_blocks(const ir::Stencil& stencil, diag::Engine& engine);

// The block that names the device or `cpu`; otherwise, for a GPU, the block that names none. Null
// if there is none.
const ir::ScheduleBlock* block_for(const ir::Stencil& stencil, Target target, const Device& device);

// The parts of a block, in the form that --schedule takes.
std::string text_of(const ir::ScheduleBlock& block);

// The schedule of a block, and where its first problem is.
struct BlockChoice {
  Choice choice;
  diag::Range at;  // of the problem
};
BlockChoice parse(const ir::ScheduleBlock& block, const ir::Stencil& stencil, Target target,
                  const Device& device);

}  // namespace stencilc::plan
