// before: an array with one axis; after: its values as a line in a frame, with the smallest and
// largest value at the left.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "data/plot_text.h"

namespace stencilc::data {
namespace {

constexpr int64_t width = 768;
constexpr int64_t height = 384;
constexpr int fine = 3;         // drawn at this factor of the size and averaged for smooth edges
constexpr double inset = 0.04;  // fraction of the height that stays free above and below the line
constexpr Color line_color{0x31, 0x68, 0x8e};
constexpr Color grid_color{232, 232, 236};

// The position of cell i in the enlarged picture.
double fine_x(int64_t i, int64_t cells) {
  const double part = cells == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(cells - 1);
  return part * static_cast<double>(width * fine - 1);
}
double fine_y(double part) {
  return (inset + (1 - 2 * inset) * (1 - part)) * static_cast<double>(height * fine - 1);
}

void draw_segment(Pixels& canvas, double x0, double y0, double x1, double y1) {
  const int64_t steps = std::lround(std::max(std::fabs(x1 - x0), std::fabs(y1 - y0))) + 1;
  for (int64_t s = 0; s <= steps; ++s) {
    const double part = static_cast<double>(s) / static_cast<double>(steps);
    fill_disc(canvas, x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, fine, line_color);
  }
}

// The values to draw. If there are more cells than can be distinguished, the smallest and largest
// of each column, or NaN if one of them is not finite.
std::vector<double> points_of(const Array& array) {
  constexpr int64_t columns = width * fine;
  const int64_t cells = array.count();
  std::vector<double> points;
  if (cells <= 2 * columns) {
    for (int64_t i = 0; i < cells; ++i) points.push_back(value_at(array, i));
    return points;
  }
  for (int64_t column = 0; column < columns; ++column) {
    double low = value_at(array, column * cells / columns), high = low;
    bool all_finite = true;
    for (int64_t i = column * cells / columns; i < (column + 1) * cells / columns; ++i) {
      const double value = value_at(array, i);
      all_finite = all_finite && std::isfinite(value);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    points.push_back(all_finite ? low : NAN);
    points.push_back(all_finite ? high : NAN);
  }
  return points;
}

// Values that are not finite leave a gap and a mark on the lower edge.
Pixels draw_fine(const std::vector<double>& points, ValueRange range) {
  Pixels canvas = make_canvas(width * fine, height * fine, paper);
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0})
    fill_box(canvas, 0, std::lround(fine_y(part)) - 1, width * fine, fine, grid_color);
  const auto cells = static_cast<int64_t>(points.size());
  for (int64_t i = 0; i < cells; ++i) {
    const double value = points[static_cast<size_t>(i)];
    const double next = i + 1 < cells ? points[static_cast<size_t>(i) + 1] : value;
    const double x = fine_x(i, cells);
    if (!std::isfinite(value))
      fill_disc(canvas, x, static_cast<double>(height * fine - 3 * fine), 3 * fine, not_finite);
    else if (std::isfinite(next))
      draw_segment(canvas, x, fine_y(part_of(range, value)),
                   fine_x(std::min(i + 1, cells - 1), cells), fine_y(part_of(range, next)));
    else
      fill_disc(canvas, x, fine_y(part_of(range, value)), fine, line_color);
  }
  return canvas;
}

void copy_averaged(Pixels& canvas, int64_t left, int64_t top, const Pixels& from) {
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      std::array<int, 3> sum = {};
      for (int64_t row = y * fine; row < (y + 1) * fine; ++row)
        for (int64_t column = x * fine; column < (x + 1) * fine; ++column)
          for (size_t c = 0; c < 3; ++c)
            sum[c] += from.samples[static_cast<size_t>((row * width * fine + column) * 3) + c];
      const auto mean = [&](size_t c) {
        return static_cast<uint8_t>((sum[c] + fine * fine / 2) / (fine * fine));
      };
      set_pixel(canvas, left + x, top + y, {mean(0), mean(1), mean(2)});
    }
}

}  // namespace

Pixels draw_line(const Array& array) {
  const ValueRange range = range_of(array, 0, array.count());
  const bool has_values = range.low <= range.high;
  const std::string high = has_values ? label(array, range.high) : "nan";
  const std::string low = range.low < range.high ? label(array, range.low) : "";
  const int64_t text = text_height(font_scale);
  const int64_t left =
      margin + std::max(text_width(high, font_scale), text_width(low, font_scale)) + gap;
  Pixels canvas =
      make_canvas(left + width + 2 * margin, margin + height + gap + text + margin, paper);

  copy_averaged(canvas, left, margin, draw_fine(points_of(array), range));
  draw_frame(canvas, left, margin, width, height, ink);
  const auto draw_y_label = [&](const std::string& value, double part) {
    draw_text(canvas, left - gap - text_width(value, font_scale),
              margin + std::lround(fine_y(part) / fine) - text / 2, value, font_scale, ink);
  };
  draw_y_label(high, range.low < range.high ? 1 : 0.5);
  draw_y_label(low, 0);
  draw_x_labels(canvas, left, margin + height + gap, width, array.count());
  return canvas;
}

}  // namespace stencilc::data
