// Maps numbers to colours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/images/canvas.h"

namespace stencilc::data {

// The range of the finite values shown; low > high if there are none.
struct ValueRange {
  double low = 1;
  double high = 0;
};

enum class Palette {
  viridis,  // equal steps look equal, also in print and to colour-blind readers
  gray,
  magma,
  cividis,
  rdbu  // from blue through white to red, for values on both sides of 0
};
std::optional<Palette> palette_named(const std::string& name);
std::vector<std::string> palette_names();

// Colours that no map has.
inline constexpr Color not_finite{255, 45, 85};  // NaN and infinities
inline constexpr Color above_range{255, 0, 255};
inline constexpr Color below_range{0, 220, 255};

// `part` is from 0 to 1.
Color color_at(Palette palette, double part);

// The position of the value in the range, 0 to 1; one half if the range has one value.
double part_of(ValueRange range, double value);

}  // namespace stencilc::data
