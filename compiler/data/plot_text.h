// Labels that line and colour plots share.
#pragma once

#include <cstdint>
#include <string>

#include "data/array.h"
#include "data/canvas.h"
#include "data/colormap.h"

namespace stencilc::data {

inline constexpr Color paper{255, 255, 255};
inline constexpr Color ink{68, 68, 76};
inline constexpr int font_scale = 2;
inline constexpr int64_t margin = 18;
inline constexpr int64_t gap = 8;

ValueRange range_of(const Array& array, int64_t first, int64_t count);

// "0.25", "-1.3e-07"; integers in full.
std::string label(const Array& array, double value);

// The coordinates of the first and the last cell, below a picture of this width at (x, y).
void draw_x_labels(Pixels& canvas, int64_t x, int64_t y, int64_t width, int64_t cells);

Pixels draw_line(const Array& array);
Pixels draw_plane(const Array& array);

}  // namespace stencilc::data
