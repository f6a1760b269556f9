// Reads and writes .npy files of NumPy, versions 1 to 3. The last axis of the NumPy array is x: an
// array of shape (nz, ny, nx) has extents nx, ny, nz, whatever the order of its elements in the
// file.
#pragma once

#include <string>
#include <string_view>

#include "data/values/array.h"

namespace stencilc::data {

// `may_be_empty`: allows extents of 0, for a list without points.
Result<Array> parse_npy(std::string_view file, bool may_be_empty = false);

// What a file holds, by its beginning: the element at `data` is the first one.
struct NpyLayout {
  Element element = Element::f32;
  Extents extents;
  bool z_fastest = false;  // Fortran's order
  size_t data = 0;
};
Result<NpyLayout> npy_layout(std::string_view beginning);
inline constexpr size_t kMostNpyHeader = 12 + (1 << 20);

// What a file in C order with such elements begins with; the elements follow.
std::string npy_header(Element element, const Extents& extents);

// A version 1.0 file in C order. NumPy has no bf16, so such an array is written as f32.
std::string npy_file(const Array& array);

}  // namespace stencilc::data
