// How kernels hold the weights of sums whose taps are loops.
#pragma once

#include <vector>

#include "kernel/module.h"
#include "lower/cell.h"
#include "plan/convolutions.h"

namespace stencilc::lower {

// Of each array of weights, how many of its values stand side by side and are to be a row apart in
// kernels, so that the weights of neighbouring taps are neighbours: the cache of constant memory is
// small. 0: kernels hold the array as it is given.
std::vector<int> columns_of(const ir::Stencil& stencil, const plan::Schedule& schedule);

// Where kernels have an element of an array with so many columns that become rows.
int place_of(int element, int count, int columns);
// Where the weights of a box lie in the kernel's array.
ir::BoxSum::Elements places_of(const Context& context, const ir::BoxSum& box);

// The tables of weights that stand in the text as numbers, each once, named after the field.
void claim_tables(const ir::Stencil& stencil, const plan::Schedule& schedule, Signature& signature,
                  kernel::Module& module);
// The table of the box: that of its constants.
const kernel::Buffer& table_of(const Context& context, const ir::BoxSum& box);

}  // namespace stencilc::lower
