#include "data/images/canvas.h"

#include <cmath>

#include "data/images/font.h"

namespace stencilc::data {
Pixels make_canvas(int64_t width, int64_t height, Color background) {
  Pixels canvas{width, height, 3, 8, {}};
  canvas.samples.resize(static_cast<size_t>(width * height * 3));
  fill_box(canvas, 0, 0, width, height, background);
  return canvas;
}

void set_pixel(Pixels& canvas, int64_t x, int64_t y, Color color) {
  if (x < 0 || x >= canvas.width || y < 0 || y >= canvas.height) return;
  uint16_t* const samples = &canvas.samples[static_cast<size_t>((y * canvas.width + x) * 3)];
  samples[0] = color.red;
  samples[1] = color.green;
  samples[2] = color.blue;
}

void fill_box(Pixels& canvas, int64_t x, int64_t y, int64_t width, int64_t height, Color color) {
  for (int64_t row = y; row < y + height; ++row)
    for (int64_t column = x; column < x + width; ++column) set_pixel(canvas, column, row, color);
}

void fill_disc(Pixels& canvas, double x, double y, double radius, Color color) {
  for (auto row = std::lround(y - radius); row <= std::lround(y + radius); ++row)
    for (auto column = std::lround(x - radius); column <= std::lround(x + radius); ++column) {
      const double dx = static_cast<double>(column) - x, dy = static_cast<double>(row) - y;
      if (dx * dx + dy * dy <= radius * radius) set_pixel(canvas, column, row, color);
    }
}

void draw_frame(Pixels& canvas, int64_t x, int64_t y, int64_t width, int64_t height, Color color) {
  fill_box(canvas, x - 1, y - 1, width + 2, 1, color);
  fill_box(canvas, x - 1, y + height, width + 2, 1, color);
  fill_box(canvas, x - 1, y, 1, height, color);
  fill_box(canvas, x + width, y, 1, height, color);
}

void draw_text(Pixels& canvas, int64_t x, int64_t y, std::string_view text, int scale,
               Color color) {
  for (const char character : text) {
    const Glyph glyph = glyph_of(character);
    for (int row = 0; row < static_cast<int>(glyph.size()); ++row)
      for (int dot = 0; dot < 5; ++dot)
        if ((glyph[static_cast<size_t>(row)] >> (4 - dot) & 1) != 0)
          fill_box(canvas, x + dot * scale, y + row * scale, scale, scale, color);
    x += 6 * scale;
  }
}

int64_t text_width(std::string_view text, int scale) {
  return text.empty() ? 0 : (static_cast<int64_t>(text.size()) * 6 - 1) * scale;
}

int64_t text_height(int scale) { return 7 * scale; }

}  // namespace stencilc::data
