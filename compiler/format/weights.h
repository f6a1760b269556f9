// Arranges lists of weights: { 1, 2, 1, 2, 4, 2 }
#pragma once

#include <span>
#include <vector>

#include "format/chains.h"
#include "format/pieces.h"

namespace stencilc::format {

// Keeps the rows in which the weights are written, and aligns their columns to the right. A list in
// one row that is too long for a line gets rows of equal length. A list with comments keeps its
// rows without alignment.
void arrange_weights(std::span<const Role> roles, std::span<Piece> pieces, size_t indent);

}  // namespace stencilc::format
