// Converts images to arrays and back: gray values with x along the rows and y downwards.
#pragma once

#include <string>
#include <string_view>

#include "data/array.h"

namespace stencilc::data {

// Colours become their luma (Rec. 709). For floats the values are from 0 to 1; for u8 and u16 from
// 0 to the largest value of the type, whatever the depth of the file. Other elements are refused.
// `colours` tells whether there were any.
Result<Array> parse_png(std::string_view file, Element wanted, bool* colours = nullptr);

// A gray file of a 2-D array of u8, u16 or bool.
Result<std::string> png_file(const Array& array);

}  // namespace stencilc::data
