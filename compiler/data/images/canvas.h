// Draws boxes, discs and small text into RGB pixels. Anything outside is cut off.
#pragma once

#include <cstdint>
#include <string_view>

#include "data/images/pixels.h"

namespace stencilc::data {

struct Color {
  uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Color&, const Color&) = default;
};

Pixels make_canvas(int64_t width, int64_t height, Color background);

void set_pixel(Pixels& canvas, int64_t x, int64_t y, Color color);
void fill_box(Pixels& canvas, int64_t x, int64_t y, int64_t width, int64_t height, Color color);
void fill_disc(Pixels& canvas, double x, double y, double radius, Color color);
// One pixel wide, around the box.
void draw_frame(Pixels& canvas, int64_t x, int64_t y, int64_t width, int64_t height, Color color);

// ASCII text; each character has 5 x 7 dots of `scale` pixels, and some a tail below. Other
// characters leave a gap.
void draw_text(Pixels& canvas, int64_t x, int64_t y, std::string_view text, int scale, Color color);
int64_t text_width(std::string_view text, int scale);
int64_t text_height(int scale);

}  // namespace stencilc::data
