// before: an array with two axes; after: it in colours, with a colour bar and labels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/plots/plot_sheet.h"

namespace stencilc::data {
namespace {

constexpr int64_t largest_side = 1024;
constexpr int64_t small_side = 512;
constexpr int64_t bar_width = 20;
constexpr int64_t shortest_bar = 128;
constexpr int64_t bar_end = 10;  // of what is outside of the range

// How a plane is shown: squares of cells as dots.
struct Grid {
  int64_t nx, ny;
  int64_t cells;   // this many cells, squared, are one dot
  int64_t pixels;  // this many pixels, squared, show one dot
  int64_t columns() const { return (nx + cells - 1) / cells; }
  int64_t rows() const { return (ny + cells - 1) / cells; }
  int64_t width() const { return columns() * pixels; }
  int64_t height() const { return rows() * pixels; }
};

Grid grid_of(const Array& array) {
  const int64_t nx = array.extent(0), ny = array.extent(1);
  const int64_t side = std::max(nx, ny);
  return {nx, ny, (side + largest_side - 1) / largest_side,
          std::max<int64_t>(small_side / side, 1)};
}

// The mean of the cells of one dot; not finite if one of them is not.
double dot_of(const Array& array, const Grid& grid, int64_t column, int64_t row) {
  const int64_t x_end = std::min((column + 1) * grid.cells, grid.nx);
  const int64_t y_end = std::min((row + 1) * grid.cells, grid.ny);
  const int64_t x_begin = column * grid.cells, y_begin = row * grid.cells;
  const double count = static_cast<double>((x_end - x_begin) * (y_end - y_begin));
  double mean = 0;
  for (int64_t y = y_begin; y < y_end; ++y)
    for (int64_t x = x_begin; x < x_end; ++x) mean += value_at(array, y * grid.nx + x) / count;
  return mean;
}

template <class ColorAt>
Pixels dots_of(const Grid& grid, ColorAt color_at) {
  Pixels dots = make_canvas(grid.columns(), grid.rows(), paper);
  for (int64_t row = 0; row < grid.rows(); ++row)
    for (int64_t column = 0; column < grid.columns(); ++column)
      set_pixel(dots, column, row, color_at(column, row));
  return dots;
}

// The largest value is on top. A range of one value has one label.
void draw_bar(Sheet& sheet, const Array& array, const Scale& scale, int64_t x, int64_t y,
              int64_t height) {
  const int64_t labels = x + bar_width + gap;
  const int64_t text = text_height(font_scale);
  if (scale.empty()) {
    sheet.box(x, y, bar_width, height, not_finite);
    sheet.text(labels, y, "nan");
  } else {
    Pixels colors = make_canvas(bar_width, height, paper);
    for (int64_t row = 0; row < height; ++row) {
      const double part = 1 - (static_cast<double>(row) + 0.5) / static_cast<double>(height);
      fill_box(colors, 0, row, bar_width, 1,
               color_at(scale.palette, scale.range.low < scale.range.high ? part : 0.5));
    }
    sheet.image(x, y, 1, std::move(colors));
    if (scale.above != 0) sheet.box(x, y, bar_width, bar_end, above_range);
    if (scale.below != 0) sheet.box(x, y + height - bar_end, bar_width, bar_end, below_range);
    sheet.text(labels, y, label(array, scale.range.high));
    if (scale.range.low < scale.range.high)
      sheet.text(labels, y + height - text, label(array, scale.range.low));
    if (scale.middle() && height >= 4 * text)
      sheet.text(labels, y + (height - text) / 2, label(array, *scale.middle()));
  }
  sheet.frame(x, y, bar_width, height);
}

// The dots in a frame, with labels; returns where they begin.
int64_t draw_dots(Sheet& sheet, int64_t x, int64_t y, const Grid& grid, Pixels dots,
                  const std::string& place) {
  const int64_t text = text_height(font_scale);
  const int64_t width = grid.width(), height = grid.height();
  const std::string last_y = fmt::format("{}", grid.ny - 1);
  const int64_t left = x + margin + text_width(last_y, font_scale) + gap, top = y + margin;
  sheet.image(left, top, grid.pixels, std::move(dots));
  sheet.frame(left, top, width, height);
  sheet.text(left - gap - text_width("0", font_scale), top, "0");
  if (height >= 3 * text)
    sheet.text(left - gap - text_width(last_y, font_scale), top + height - text, last_y);
  draw_x_labels(sheet, left, top + height + gap, width, grid.nx);
  sheet.text(left + (width - text_width(place, font_scale)) / 2, top + height + gap, place);
  return left;
}

}  // namespace

Size draw_plane(Sheet& sheet, int64_t x, int64_t y, const Array& array, const Scale& scale,
                const std::string& place) {
  const Grid grid = grid_of(array);
  const int64_t left = draw_dots(
      sheet, x, y, grid,
      dots_of(grid, [&](int64_t column,
                        int64_t row) { return scale.color(dot_of(array, grid, column, row)); }),
      place);
  const int64_t bar = left + std::max(grid.width(), text_width(place, font_scale)) + 2 * margin;
  const int64_t bar_height = std::max(grid.height(), shortest_bar);
  draw_bar(sheet, array, scale, bar, y + margin, bar_height);
  const int64_t labels = width_of_labels(array, scale);
  return {bar + bar_width + gap + labels + margin - x,
          margin + bar_height + gap + text_height(font_scale) + margin};
}

Size draw_colours(Sheet& sheet, int64_t x, int64_t y, const std::vector<Array>& channels,
                  const PlotStyle& style, const std::string& place) {
  const Grid grid = grid_of(channels[0]);
  const auto sample = [&](size_t channel, int64_t column, int64_t row) {
    const Element element = channels[channel].element;
    const double most = element == Element::u8 ? 255 : element == Element::u16 ? 65535 : 1;
    const ValueRange range = style.range.value_or(ValueRange{0, most});
    const double value = dot_of(channels[channel], grid, column, row);
    return static_cast<uint8_t>(std::isnan(value) ? 0 : std::lround(255 * part_of(range, value)));
  };
  const int64_t left = draw_dots(
      sheet, x, y, grid,
      dots_of(
          grid,
          [&](int64_t column, int64_t row) {
            return Color{sample(0, column, row), sample(1, column, row), sample(2, column, row)};
          }),
      place);
  return {left + grid.width() + margin - x,
          2 * margin + grid.height() + gap + text_height(font_scale)};
}

}  // namespace stencilc::data
