// Converts pictures to arrays and back, with x along the rows and y downwards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/images/pixels.h"
#include "data/values/array.h"

namespace stencilc::data {

enum class Channel { brightness, red, green, blue, alpha };
std::string_view name_of(Channel channel);  // "red"

// A channel of a picture. The brightness of colours is their luma (Rec. 709), gray pictures have
// the same red, green and blue, and pictures without alpha are opaque. Floats are from 0 to 1; u8
// and u16 from 0 to the largest value of the type, whatever the depth of the picture. Other
// elements are refused.
Result<Array> channel_of(const Pixels& picture, Channel channel, Element wanted);

// A PNG file of the channels: gray; gray and alpha; red, green and blue; or these and alpha. Floats
// from 0 to 1 become samples of `depth` bits; with a channel of u16 all have 16 bits. Other values
// are clamped: a bool is 0 or 1, and other integers are from 0 to 255.
Result<std::string> png_file(const std::vector<const Array*>& channels, int depth = 8);

}  // namespace stencilc::data
