// Generates inputs by name, for fields without a file.
#pragma once

#include <cstdint>
#include <string_view>

#include "data/values/array.h"

namespace stencilc::data {

// - gauss: a bump in the middle, from 0 to 1
// - random: uniform in [0, 1); integers from 0 to 15
// - random:LOW..HIGH: uniform in [LOW, HIGH); integers from LOW to HIGH
// - checkerboard: squares of 0 and 1, eight along the longest axis
// - ramp: increases along x, then y, then z, from 0 to 1; integers: the index of the cell, wrapped
// - zero
// - constant:VALUE
// - wild: denormals, signed zeros, infinities, NaN, huge and tiny numbers among common ones
//
// For integers, the 1 of gauss and checkerboard is 255, or their largest value if that is smaller.
// A random cell depends only on the seed and its index.
Result<Array> generate(std::string_view what, Element element, const Extents& extents,
                       uint64_t seed = 0);
// Those planes of such an array alone.
Result<Array> generate(std::string_view what, Element element, const Extents& extents,
                       uint64_t seed, const Planes& planes);

}  // namespace stencilc::data
