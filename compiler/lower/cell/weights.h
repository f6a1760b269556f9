// How kernels hold the weights of sums whose taps are loops.
#pragma once

#include <vector>

#include "kernel/module.h"
#include "lower/cell/cell.h"
#include "plan/schedule/convolutions.h"
#include "plan/search/plan.h"

namespace stencilc::lower {

// How kernels hold each array of weights: where taps are loops, the weights of neighbouring taps
// are neighbours, because the cache of constant memory is small, and rows of them begin where an
// access of 16 bytes may, so that one load brings several.
std::vector<WeightRows> weight_rows_of(const ir::Stencil& stencil, const plan::Plan& plan);

// Where kernels have an element of an array.
int place_of(int element, const WeightRows& rows);
// Where the weights of a box lie in the kernel's array.
ir::BoxSum::Elements places_of(const Context& context, const ir::BoxSum& box);

// The tables of weights that stand in the text as numbers, each once, named after the field.
void claim_tables(const ir::Stencil& stencil, const plan::Plan& plan, Signature& signature,
                  kernel::Module& module);
// How far apart the rows of the box begin in its table.
int pitch_of_table(const ir::BoxSum& box);
// The table of the box: that of its constants.
const kernel::Buffer& table_of(const Context& context, const ir::BoxSum& box);

}  // namespace stencilc::lower
