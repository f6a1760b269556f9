// Sources and receivers: kernels over lists of points.
#pragma once

#include "kernel/module.h"
#include "lower/cell.h"

namespace stencilc::lower {

// A launch for each injection: a thread adds, in order, what all points give to one cell.
void lower_injections(const ir::Stencil& stencil, const Signature& signature, Names& kernels,
                      plan::Target target, kernel::Module& module);

// A launch for each sample that is taken after, or before, the updates: a thread for each point.
void lower_samples(const ir::Stencil& stencil, const Signature& signature, bool after,
                   Names& kernels, plan::Target target, kernel::Module& module);

}  // namespace stencilc::lower
