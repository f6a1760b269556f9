// The `schedule` blocks of a text: which of them counts, and what is wrong with them.
#pragma once

#include "diag/diagnostic.h"
#include "ir/ir.h"
#include "plan/ask/parse_schedule.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// Reports architectures that do not exist or have two blocks, and blocks that parse() refuses on a
// device they name; what only some devices lack is nothing against a block that names none.
void check_blocks(const ir::Stencil& stencil, diag::Engine& engine);

// The block that names the device, or `cpu`; else, for a GPU, the one that names nothing. Null:
// there is none.
const ir::ScheduleBlock* block_for(const ir::Stencil& stencil, Target target, const Device& device);

// The parts of a block as --schedule takes them.
std::string text_of(const ir::ScheduleBlock& block);

// The schedule of a block. A problem is reported at the part that it begins with.
struct BlockChoice {
  Choice choice;
  diag::Range at;  // of the problem
};
BlockChoice parse(const ir::ScheduleBlock& block, const ir::Stencil& stencil, Target target,
                  const Device& device);

}  // namespace stencilc::plan
