// Writes the messages about sums whose weights are products of smaller tables.
#pragma once

#include <string>

#include "ir/ir.h"

namespace stencilc::lint {

// "the 25 weights of `u` are the product of 5 along x and 5 along y"
std::string factors_of(const ir::Separable& sum, const ir::Stencil& stencil);
// "two updates ... would take 10 multiplications per cell instead of 25; ..."
std::string gain_of(const ir::Separable& sum, const ir::Stencil& stencil);
// "const f32 along_x[-2..2] = { 1, 4, 6, 4, 1 } / 16;"
std::string declaration_of(const ir::Factor& factor, const ir::Separable& sum,
                           const ir::Stencil& stencil);

}  // namespace stencilc::lint
