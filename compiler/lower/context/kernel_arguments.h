// The arguments of one kernel.
#pragma once

#include "kernel/module.h"
#include "lower/context/context.h"

namespace stencilc::lower {

// The box that the host gives, cut along an axis and those after it; where memory holds a piece of
// the grid, with what says which.
Box box_from(int axis, const Signature& signature);

// Every buffer and scalar the kernel may use, with where the host finds it: what it writes comes
// first. Among them are the ends of the box that the launch computes.
void add_arguments(const Context& context, const kernel::Module& module, kernel::Launch& launch);

// The buffer of a level of a field among those that rotate, before the step; 1 is t+1.
int slot_of(const Context& context, int field, int level);

}  // namespace stencilc::lower
