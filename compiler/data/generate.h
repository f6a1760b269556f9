// Inputs by name: what a field starts from where there is no file.
#pragma once

#include <cstdint>
#include <string_view>

#include "data/array.h"

namespace stencilc::data {

// - gauss: a bump in the middle, from 0 to 1
// - random: uniform in [0, 1); integers from 0 to 15
// - random:LOW..HIGH: uniform in [LOW, HIGH); integers from LOW to HIGH
// - checkerboard: squares of 0 and 1, eight along the longest axis
// - ramp: growing along x, then y, then z, from 0 to 1; integers: the index of the cell, wrapped
// - zero
// - constant:VALUE
// - wild: denormals, signed zeros, infinities, NaN, huge and tiny numbers among common ones
//
// Integers have 255 for the 1 of gauss and checkerboard, or their largest value where that is less.
// A random cell depends on the seed and on its index alone.
Result<Array> generate(std::string_view what, Element element, const Extents& extents,
                       uint64_t seed = 0);

}  // namespace stencilc::data
