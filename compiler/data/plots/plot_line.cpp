// before: an array with one axis; after: its values as a line in a frame, with the smallest and
// largest value at the left.
#include <algorithm>
#include <cmath>
#include <vector>

#include "data/plots/plot_sheet.h"

namespace stencilc::data {
namespace {

constexpr int64_t width = 768;
constexpr int64_t height = 384;
constexpr double inset = 0.04;  // fraction of the height that stays free above and below the line
constexpr Color line_color{0x31, 0x68, 0x8e};
constexpr Color rule_color{232, 232, 236};

double y_of(double part) {
  return (inset + (1 - 2 * inset) * (1 - part)) * static_cast<double>(height - 1);
}

// The values to draw. If there are more cells than can be distinguished, the smallest and largest
// of each column, or NaN if one of them is not finite.
std::vector<double> points_of(const Array& array) {
  constexpr int64_t columns = width;
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

// Values that are not finite leave a gap and a mark on the lower edge. Those outside of the range
// are on its ends, in the colour of theirs.
void draw_points(Sheet& sheet, int64_t left, int64_t top, const std::vector<double>& points,
                 const Scale& scale) {
  const auto count = static_cast<int64_t>(points.size());
  const auto x_of = [&](int64_t i) {
    const double part = count == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(count - 1);
    return static_cast<double>(left) + part * static_cast<double>(width - 1) + 0.5;
  };
  const auto place = [&](double value) {
    return static_cast<double>(top) + y_of(scale.part(value)) + 0.5;
  };
  const auto color = [&](double value) {
    return value > scale.range.high  ? above_range
           : value < scale.range.low ? below_range
                                     : line_color;
  };
  for (int64_t i = 0; i < count; ++i) {
    const double value = points[static_cast<size_t>(i)];
    const double next = i + 1 < count ? points[static_cast<size_t>(i) + 1] : value;
    if (!std::isfinite(value))
      sheet.disc(x_of(i), static_cast<double>(top + height) - 3, 3, not_finite);
    else if (scale.empty())
      sheet.disc(x_of(i), static_cast<double>(top + height) - 3, 3, below_range);
    else if (std::isfinite(next) && i + 1 < count)
      sheet.line(x_of(i), place(value), x_of(i + 1), place(next),
                 color(value) == line_color ? color(next) : color(value));
    else
      sheet.disc(x_of(i), place(value), 1, color(value));
  }
}

}  // namespace

Size draw_line(Sheet& sheet, int64_t x, int64_t y, const Array& array, const Scale& scale,
               const std::string& place) {
  const std::string high = scale.empty() ? "nan" : label(array, scale.range.high);
  const std::string low = scale.range.low < scale.range.high ? label(array, scale.range.low) : "";
  const int64_t text = text_height(font_scale);
  const int64_t left = x + margin + width_of_labels(array, scale) + gap;
  const int64_t top = y + margin;
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0})
    sheet.box(left, top + std::lround(y_of(part)), width, 1, rule_color);
  draw_points(sheet, left, top, points_of(array), scale);
  sheet.frame(left, top, width, height);
  const auto draw_y_label = [&](const std::string& value, double part) {
    sheet.text(left - gap - text_width(value, font_scale), top + std::lround(y_of(part)) - text / 2,
               value);
  };
  draw_y_label(high, scale.range.low < scale.range.high ? 1 : 0.5);
  draw_y_label(low, 0);
  if (scale.middle()) draw_y_label(label(array, *scale.middle()), 0.5);
  draw_x_labels(sheet, left, top + height + gap, width, array.count());
  sheet.text(left + (width - text_width(place, font_scale)) / 2, top + height + gap, place);
  return {left + width + 2 * margin - x, margin + height + gap + text + margin};
}

}  // namespace stencilc::data
