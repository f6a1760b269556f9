// From numbers to colours.
#pragma once

#include "data/canvas.h"

namespace stencilc::data {

// The finite values of what is shown; low > high where there are none.
struct ValueRange {
  double low = 1;
  double high = 0;
};

enum class Palette {
  viridis,  // equal steps look equal, in print and to colour-blind eyes too
  gray
};

inline constexpr Color not_finite{255, 45, 85};  // NaN and infinities

// `part` goes from 0 to 1.
Color color_at(Palette palette, double part);

// Where the value lies in the range, 0 to 1; a range of one value gives one half.
double part_of(ValueRange range, double value);

}  // namespace stencilc::data
