// Draws pictures of arrays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/images/colormap.h"
#include "data/images/pixels.h"
#include "data/values/array.h"

namespace stencilc::data {

// The cells of an array with this index along an axis, as an array with one axis less.
struct Slice {
  size_t axis = 2;
  int64_t cell = 0;
};
Array slice_of(const Array& array, Slice slice);

struct PlotStyle {
  std::optional<ValueRange> range = {};  // otherwise from the smallest to the largest value
  std::optional<Palette> palette = {};   // otherwise viridis; gray for integers
  bool logarithmic = false;              // values that are not positive are below the range
  bool diverging = false;                // the range is symmetric to 0, and the palette rdbu
};

// A picture of one array; or of red, green and blue, in these colours. 1-D: a line; 2-D: colours, y
// downwards; 3-D: a plane, otherwise the middle one in z.
struct Panel {
  std::vector<const Array*> arrays;
  std::string title = {};
  std::optional<Slice> slice = {};
};

struct Plot {
  std::vector<Panel> panels;
  PlotStyle style = {};
  std::vector<std::string> axes = {"x", "y", "z"};
  std::vector<std::string> notes = {};  // below the panels
  // Of a film: everything is at the same place whatever the values are.
  bool steady = false;
};

// The contents of a file: SVG if its name ends in .svg, otherwise PNG. Cells that are not finite,
// and those outside of the range, have colours of their own and are counted below.
Result<std::string> plot_file(const Plot& plot, const std::string& path);
// The same as pixels, RGB of 8 bits.
Pixels plot_pixels(const Plot& plot);

}  // namespace stencilc::data
