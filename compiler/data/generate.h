// Inputs by name: what a field starts from where there is no file.
#pragma once

#include <cstdint>
#include <string_view>

#include "data/array.h"

namespace stencilc::data {

// gauss               a bump in the middle, from 0 to 1 (integers: to 255, or as far as the type
// goes) random              uniform in [0, 1), or integers from 0 to 15 random:LOW..HIGH    uniform
// in [LOW, HIGH), or integers from LOW to HIGH checkerboard        squares, eight along the longest
// axis, 0 and 1 (integers: 0 and 255, or as far as the type goes) ramp                growing along
// x, then y, then z, from 0 to 1 (integers: the index of the cell, wrapped to the type) zero,
// constant:VALUE wild                for tests: denormals, signed zeros, infinities, NaN, huge and
// tiny numbers among common ones
//
// A random cell depends on the seed and on its index alone.
Result<Array> generate(std::string_view what, Element element, const Extents& extents,
                       uint64_t seed = 0);

}  // namespace stencilc::data
