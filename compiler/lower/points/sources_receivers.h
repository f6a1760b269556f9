// Sources and receivers: kernels over lists of points.
#pragma once

#include "kernel/module.h"
#include "lower/cell/cell.h"

namespace stencilc::lower {

// Which of the module's Places holds the entries of a list with weights for values of this type.
int places_of(const Signature& signature, int points, ir::Type type, kernel::Module& module);
// How many entries a point has.
int corners(const ir::Stencil& stencil, int points);

// A launch for each injection: a thread adds, in order, what all points give to one cell.
void lower_injections(const ir::Stencil& stencil, const Signature& signature, Names& kernels,
                      plan::Target target, kernel::Module& module);

// A launch for each sample that is taken after, or before, the updates: a thread for each point.
void lower_samples(const ir::Stencil& stencil, const Signature& signature, bool after,
                   Names& kernels, plan::Target target, kernel::Module& module);

// And one for each after a launch of several steps, which has stored the values of the entries.
// `steps`: the variable that says how many.
void gather_samples(const ir::Stencil& stencil, const Signature& signature,
                    const std::string& steps, Names& kernels, kernel::Module& module);

}  // namespace stencilc::lower
