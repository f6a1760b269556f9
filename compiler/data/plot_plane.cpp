// before: an array with two or three axes; after: its (middle) plane in colours, with a colour bar
// and labels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/plot_text.h"

namespace stencilc::data {
namespace {

constexpr int64_t largest_side = 1024;
constexpr int64_t small_side = 512;
constexpr int64_t bar_width = 20;
constexpr int64_t shortest_bar = 128;

struct Plane {
  const Array& array;
  int64_t nx, ny, first;
  int64_t cells;   // this many cells, squared, are one dot
  int64_t pixels;  // this many pixels, squared, show one dot
  int64_t width() const { return (nx + cells - 1) / cells; }
  int64_t height() const { return (ny + cells - 1) / cells; }
};

Plane plane_of(const Array& array) {
  const int64_t nx = array.extent(0), ny = array.extent(1);
  const int64_t side = std::max(nx, ny);
  return {array,
          nx,
          ny,
          array.extent(2) / 2 * nx * ny,
          (side + largest_side - 1) / largest_side,
          std::max<int64_t>(small_side / side, 1)};
}

// The mean of the cells of one dot; not finite if one of them is not.
double dot(const Plane& plane, int64_t column, int64_t row) {
  const int64_t x_end = std::min((column + 1) * plane.cells, plane.nx);
  const int64_t y_end = std::min((row + 1) * plane.cells, plane.ny);
  const int64_t x_begin = column * plane.cells, y_begin = row * plane.cells;
  const double count = static_cast<double>((x_end - x_begin) * (y_end - y_begin));
  double mean = 0;
  for (int64_t y = y_begin; y < y_end; ++y)
    for (int64_t x = x_begin; x < x_end; ++x)
      mean += value_at(plane.array, plane.first + y * plane.nx + x) / count;
  return mean;
}

Palette palette_of(const Array& array) {
  return is_real(array.element) ? Palette::viridis : Palette::gray;
}

void draw_dots(Pixels& canvas, const Plane& plane, ValueRange range, int64_t left, int64_t top) {
  for (int64_t row = 0; row < plane.height(); ++row)
    for (int64_t column = 0; column < plane.width(); ++column) {
      const double value = dot(plane, column, row);
      const Color color = std::isfinite(value)
                              ? color_at(palette_of(plane.array), part_of(range, value))
                              : not_finite;
      fill_box(canvas, left + column * plane.pixels, top + row * plane.pixels, plane.pixels,
               plane.pixels, color);
    }
}

// The largest value is on top. A range of one value has one label.
void draw_bar(Pixels& canvas, const Array& array, ValueRange range, int64_t x, int64_t y,
              int64_t height) {
  const int64_t labels = x + bar_width + gap;
  const int64_t text = text_height(font_scale);
  if (range.low > range.high) {
    fill_box(canvas, x, y, bar_width, height, not_finite);
    draw_text(canvas, labels, y, "nan", font_scale, ink);
  } else {
    for (int64_t row = 0; row < height; ++row) {
      const double part = 1 - (static_cast<double>(row) + 0.5) / static_cast<double>(height);
      fill_box(canvas, x, y + row, bar_width, 1,
               color_at(palette_of(array), range.low < range.high ? part : 0.5));
    }
    draw_text(canvas, labels, y, label(array, range.high), font_scale, ink);
    if (range.low < range.high)
      draw_text(canvas, labels, y + height - text, label(array, range.low), font_scale, ink);
  }
  draw_frame(canvas, x, y, bar_width, height, ink);
}

}  // namespace

Pixels draw_plane(const Array& array) {
  const Plane plane = plane_of(array);
  const ValueRange range = range_of(array, plane.first, plane.nx * plane.ny);
  const int64_t width = plane.width() * plane.pixels, height = plane.height() * plane.pixels;
  const int64_t bar_height = std::max(height, shortest_bar);
  const int64_t text = text_height(font_scale);
  const std::string last_y = fmt::format("{}", plane.ny - 1);
  const std::string z = array.extents.size() == 3 ? fmt::format("z={}", array.extent(2) / 2) : "";
  const int64_t left = margin + text_width(last_y, font_scale) + gap;
  const int64_t labels = std::max<int64_t>(
      text_width(range.low > range.high ? "nan" : label(array, range.low), font_scale),
      text_width(range.low > range.high ? "nan" : label(array, range.high), font_scale));
  const int64_t bar = left + std::max(width, text_width(z, font_scale)) + 2 * margin;
  Pixels canvas = make_canvas(bar + bar_width + gap + labels + margin,
                              margin + bar_height + gap + text + margin, paper);

  draw_dots(canvas, plane, range, left, margin);
  draw_frame(canvas, left, margin, width, height, ink);
  draw_text(canvas, left - gap - text_width("0", font_scale), margin, "0", font_scale, ink);
  if (height >= 3 * text)
    draw_text(canvas, left - gap - text_width(last_y, font_scale), margin + height - text, last_y,
              font_scale, ink);
  draw_x_labels(canvas, left, margin + height + gap, width, plane.nx);
  draw_text(canvas, left + (width - text_width(z, font_scale)) / 2, margin + height + gap, z,
            font_scale, ink);
  draw_bar(canvas, array, range, bar, margin, bar_height);
  return canvas;
}

}  // namespace stencilc::data
