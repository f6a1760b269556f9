#include "data/plots/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "data/plots/plot_sheet.h"

namespace stencilc::data {

Array slice_of(const Array& array, Slice slice) {
  Extents extents = array.extents;
  extents.erase(extents.begin() + static_cast<int64_t>(slice.axis));
  Array cells = *make_array(array.element, extents);
  const auto size = static_cast<size_t>(size_of(array.element));
  int64_t stride = 1;  // of cells along the axis
  for (size_t a = 0; a < slice.axis; ++a) stride *= array.extents[a];
  const int64_t along = array.extents[slice.axis];
  for (int64_t outer = 0; outer < array.count() / (stride * along); ++outer)
    std::memcpy(
        cells.bytes.data() + static_cast<size_t>(outer * stride) * size,
        array.bytes.data() + static_cast<size_t>((outer * along + slice.cell) * stride) * size,
        static_cast<size_t>(stride) * size);
  return cells;
}

void Sheet::box(int64_t x, int64_t y, int64_t width, int64_t height, Color color) {
  const auto half = [](int64_t pixels) { return static_cast<double>(pixels) / 2; };
  figure_.add(Box{half(x), half(y), half(width), half(height), color});
}

void Sheet::frame(int64_t x, int64_t y, int64_t width, int64_t height) {
  box(x - 1, y - 1, width + 2, 1, ink);
  box(x - 1, y + height, width + 2, 1, ink);
  box(x - 1, y, 1, height, ink);
  box(x + width, y, 1, height, ink);
}

void Sheet::text(int64_t x, int64_t y, const std::string& text) {
  if (text.empty()) return;
  const double middle = static_cast<double>(y) + static_cast<double>(text_height(font_scale)) / 2;
  figure_.add(Text{static_cast<double>(x) / 2, middle / 2, text, ink, Anchor::start, false,
                   font_scale / 2.0});
}

void Sheet::line(double x0, double y0, double x1, double y1, Color color) {
  figure_.add(Line{x0 / 2, y0 / 2, x1 / 2, y1 / 2, color, 1});
}

void Sheet::disc(double x, double y, double radius, Color color) {
  figure_.add(Disc{x / 2, y / 2, radius / 2, color});
}

void Sheet::image(int64_t x, int64_t y, int64_t side, Pixels pixels) {
  figure_.add(Image{static_cast<double>(x) / 2, static_cast<double>(y) / 2,
                    static_cast<double>(side) / 2, std::move(pixels)});
}

Figure Sheet::finish(int64_t width, int64_t height) && {
  figure_.width = static_cast<double>(width) / 2;
  figure_.height = static_cast<double>(height) / 2;
  return std::move(figure_);
}

double Scale::part(double value) const {
  if (!logarithmic) return part_of(range, value);
  if (!(value > 0)) return 0;
  return part_of({std::log(range.low), std::log(range.high)}, std::log(value));
}

std::optional<double> Scale::middle() const {
  if (!(range.low < range.high)) return std::nullopt;
  if (logarithmic) return std::sqrt(range.low) * std::sqrt(range.high);
  return range.low == -range.high ? std::optional(0.0) : std::nullopt;
}

Color Scale::color(double value) const {
  if (!std::isfinite(value)) return data::not_finite;
  if (value > range.high) return above_range;
  if (value < range.low) return below_range;
  return color_at(palette, part(value));
}

Scale scale_of(const Array& array, const PlotStyle& style) {
  Scale scale;
  scale.logarithmic = style.logarithmic;
  scale.palette = style.palette.value_or(style.diverging          ? Palette::rdbu
                                         : is_real(array.element) ? Palette::viridis
                                                                  : Palette::gray);
  bool any = false;
  for (int64_t i = 0; i < array.count(); ++i) {
    const double value = value_at(array, i);
    if (!std::isfinite(value) || (style.logarithmic && !(value > 0))) continue;
    scale.range.low = any ? std::min(scale.range.low, value) : value;
    scale.range.high = any ? std::max(scale.range.high, value) : value;
    any = true;
  }
  if (style.range) {
    scale.range = *style.range;
  } else if (style.diverging && any) {
    const double most = std::max(std::fabs(scale.range.low), std::fabs(scale.range.high));
    scale.range = {-most, most};
  }
  for (int64_t i = 0; i < array.count(); ++i) {
    const double value = value_at(array, i);
    if (!std::isfinite(value))
      ++scale.not_finite;
    else if (!scale.empty() && value > scale.range.high)
      ++scale.above;
    else if (!scale.empty() ? value < scale.range.low : style.logarithmic)
      ++scale.below;
  }
  return scale;
}

std::string label(const Array& array, double value) {
  if (!is_real(array.element) && std::fabs(value) < 1e6 && value == std::floor(value))
    return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value == 0 ? 0.0 : value);
}

int64_t width_of_labels(const Array& array, const Scale& scale) {
  if (scale.steady) return text_width("-1.234e+100", font_scale);
  if (scale.empty()) return text_width("nan", font_scale);
  int64_t width = 0;
  for (const double value :
       {scale.range.low, scale.range.high, scale.middle().value_or(scale.range.high)})
    width = std::max(width, text_width(label(array, value), font_scale));
  return width;
}

void draw_x_labels(Sheet& sheet, int64_t x, int64_t y, int64_t width, int64_t cells) {
  sheet.text(x, y, "0");
  const std::string last = fmt::format("{}", cells - 1);
  const int64_t last_width = text_width(last, font_scale);
  if (last_width + 2 * text_width("0", font_scale) <= width)
    sheet.text(x + width - last_width, y, last);
}

namespace {

std::string counted(int64_t cells, const std::string& what) {
  return fmt::format("{} {} {}", cells, cells == 1 ? "cell is" : "cells are", what);
}

// Words in lines of at most this width.
std::vector<std::string> wrapped(const std::string& text, int64_t width) {
  std::vector<std::string> lines(1);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (lines.back().empty() || text_width(longer, font_scale) <= width)
      lines.back() = longer;
    else
      lines.push_back(word);
    at = end + 1;
  }
  return lines;
}

// A line below a panel or a figure, with a colour that it explains.
void draw_note(Sheet& sheet, int64_t x, int64_t& y, int64_t width, const std::string& text,
               const Color* color = nullptr) {
  const int64_t side = text_height(font_scale);
  if (color != nullptr) {
    sheet.box(x, y, side, side, *color);
    sheet.frame(x, y, side, side);
    x += side + gap;
    width -= side + gap;
  }
  for (const std::string& line : wrapped(text, width)) {
    sheet.text(x, y, line);
    y += line_height;
  }
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {}

  Figure figure() {
    const size_t panels = plot_.panels.size();
    const size_t columns =
        panels <= 3 ? panels
                    : static_cast<size_t>(std::ceil(std::sqrt(static_cast<double>(panels))));
    int64_t x = 0, y = 0, widest = 0, highest = 0;
    for (size_t i = 0; i < panels; ++i) {
      const Size size = panel(plot_.panels[i], x, y);
      x += size.width;
      widest = std::max(widest, x);
      highest = std::max(highest, size.height);
      if ((i + 1) % columns != 0 && i + 1 < panels) continue;
      x = 0;
      y += highest;
      highest = 0;
    }
    for (const std::string& note : plot_.notes)
      draw_note(sheet_, margin, y, std::max<int64_t>(widest - 2 * margin, 300), note);
    if (!plot_.notes.empty()) y += margin - (line_height - text_height(font_scale));
    return std::move(sheet_).finish(std::max<int64_t>(widest, plot_.notes.empty() ? 0 : 336), y);
  }

 private:
  Size panel(const Panel& panel, int64_t x, int64_t y) {
    const int64_t top = y;
    if (!panel.title.empty()) {
      sheet_.text(x + margin, y + margin, panel.title);
      y += line_height;
    }
    std::string place;
    std::vector<Array> shown;
    for (const Array* array : panel.arrays) shown.push_back(sliced(*array, panel, place));
    if (shown.size() > 1) {
      const Size size = draw_colours(sheet_, x, y, shown, plot_.style, place);
      return {size.width, size.height + y - top};
    }
    Scale scale = scale_of(shown[0], plot_.style);
    scale.steady = plot_.steady && !plot_.style.range;
    Size size = shown[0].extents.size() == 1 ? draw_line(sheet_, x, y, shown[0], scale, place)
                                             : draw_plane(sheet_, x, y, shown[0], scale, place);
    y += size.height;
    const int64_t width = std::max<int64_t>(size.width - 2 * margin, 300);
    const int64_t before = y;
    const auto note = [&](int64_t cells, const char* what, const Color& color, bool may_be) {
      if (cells != 0)
        draw_note(sheet_, x + margin, y, width, counted(cells, what), &color);
      else if (plot_.steady && may_be)
        y += line_height;
    };
    const bool ranged = plot_.style.range.has_value();
    note(scale.not_finite, "not finite", not_finite, true);
    note(scale.above, "above the range", above_range, ranged);
    note(scale.below,
         scale.empty() || (scale.logarithmic && !ranged) ? "not positive" : "below the range",
         below_range, ranged || scale.logarithmic);
    if (y != before) {
      y += gap;
      size.width = std::max(size.width, 300 + 2 * margin);
    }
    return {size.width, y - top};
  }

  Array sliced(const Array& array, const Panel& panel, std::string& place) const {
    std::optional<Slice> slice = panel.slice;
    if (!slice && array.extents.size() == 3) slice = Slice{2, array.extents[2] / 2};
    if (!slice) return array;
    place = fmt::format("{}={}", plot_.axes[slice->axis], slice->cell);
    return slice_of(array, *slice);
  }

  const Plot& plot_;
  Sheet sheet_;
};

}  // namespace

Result<std::string> plot_file(const Plot& plot, const std::string& path) {
  return figure_file(Drawing(plot).figure(), path);
}

Pixels plot_pixels(const Plot& plot) { return pixels_of(Drawing(plot).figure()); }

}  // namespace stencilc::data
