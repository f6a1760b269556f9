#include "data/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/plot_text.h"

namespace stencilc::data {

ValueRange range_of(const Array& array, int64_t first, int64_t count) {
  ValueRange range;
  bool any = false;
  for (int64_t i = first; i < first + count; ++i) {
    const double value = value_at(array, i);
    if (!std::isfinite(value)) continue;
    range.low = any ? std::min(range.low, value) : value;
    range.high = any ? std::max(range.high, value) : value;
    any = true;
  }
  return range;
}

std::string label(const Array& array, double value) {
  if (!is_real(array.element) && std::fabs(value) < 1e6) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value == 0 ? 0.0 : value);
}

void draw_x_labels(Pixels& canvas, int64_t x, int64_t y, int64_t width, int64_t cells) {
  draw_text(canvas, x, y, "0", font_scale, ink);
  const std::string last = fmt::format("{}", cells - 1);
  const int64_t last_width = text_width(last, font_scale);
  if (last_width + 2 * text_width("0", font_scale) <= width)
    draw_text(canvas, x + width - last_width, y, last, font_scale, ink);
}

Result<std::string> plot_file(const Array& array) {
  return encode_png(array.extents.size() == 1 ? draw_line(array) : draw_plane(array));
}

}  // namespace stencilc::data
