// Draws pictures of arrays.
#pragma once

#include <string>

#include "data/array.h"

namespace stencilc::data {

// A PNG file. 1-D: a line; 2-D: colours, y downwards; 3-D: the middle plane in z. With the smallest
// and the largest finite value. Integers are gray. NaN and infinities are red.
Result<std::string> plot_file(const Array& array);

}  // namespace stencilc::data
