// How promising a schedule is, before it is built.
#pragma once

#include "ir/ir.h"
#include "plan/schedule.h"

namespace stencilc::plan {

// Seconds of a cell, from the bytes that pass each level of memory, the instructions, and the warps
// that wait for them: good for the order in which schedules are tried, not for choosing one.
// Infinite where the device cannot hold a block.
double estimate(const ir::Stencil& stencil, const Schedule& schedule, const Device& device);

}  // namespace stencilc::plan
