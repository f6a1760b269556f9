// What the plots of lines and planes share: a sheet to draw on, and the scale of values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/images/canvas.h"
#include "data/images/colormap.h"
#include "data/plots/figure.h"
#include "data/plots/plot.h"
#include "data/values/array.h"

namespace stencilc::data {

inline constexpr Color paper{255, 255, 255};
inline constexpr Color ink{68, 68, 76};
inline constexpr int font_scale = 2;
inline constexpr int64_t margin = 18;
inline constexpr int64_t gap = 8;
inline constexpr int64_t line_height = 22;

// A figure in pixels of its PNG file, of which a unit has two.
class Sheet {
 public:
  void box(int64_t x, int64_t y, int64_t width, int64_t height, Color color);
  void frame(int64_t x, int64_t y, int64_t width, int64_t height);
  void text(int64_t x, int64_t y, const std::string& text);  // the upper left corner
  void line(double x0, double y0, double x1, double y1, Color color);
  void disc(double x, double y, double radius, Color color);
  // Each pixel is a square of this side.
  void image(int64_t x, int64_t y, int64_t side, Pixels pixels);
  Figure finish(int64_t width, int64_t height) &&;

 private:
  Figure figure_;
};

// How values become parts of a range, and how many cells are outside of it.
struct Scale {
  ValueRange range;
  Palette palette = Palette::viridis;
  bool logarithmic = false;
  int64_t below = 0, above = 0, not_finite = 0;
  bool steady = false;  // labels have room for every value

  bool empty() const { return range.low > range.high; }
  double part(double value) const;
  // The value in the middle of a scale that is logarithmic or symmetric to 0.
  std::optional<double> middle() const;
  Color color(double value) const;  // also of values outside of the range
};
Scale scale_of(const Array& array, const PlotStyle& style);

// "0.25", "-1.3e-07"; integers in full.
std::string label(const Array& array, double value);
// The widest label of the scale.
int64_t width_of_labels(const Array& array, const Scale& scale);

// The coordinates of the first and the last cell, below a picture of this width at (x, y).
void draw_x_labels(Sheet& sheet, int64_t x, int64_t y, int64_t width, int64_t cells);

struct Size {
  int64_t width, height;
};
// They draw at (x, y) and return what they took.
Size draw_line(Sheet& sheet, int64_t x, int64_t y, const Array& array, const Scale& scale,
               const std::string& place);
Size draw_plane(Sheet& sheet, int64_t x, int64_t y, const Array& array, const Scale& scale,
                const std::string& place);
Size draw_colours(Sheet& sheet, int64_t x, int64_t y, const std::vector<Array>& channels,
                  const PlotStyle& style, const std::string& place);

}  // namespace stencilc::data
