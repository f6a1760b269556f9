// Draws bar charts.
#pragma once

#include <string>
#include <vector>

#include "data/plots/figure.h"

namespace stencilc::data {

struct Bar {
  std::string label;  // on its left
  double value = 0;
  double mark = 0;    // another value, as a stroke across the bar; 0: none
  std::string note;   // to the right of it
  bool pale = false;  // only for comparison, in a pale colour
};

struct BarChart {
  std::string title, subtitle;
  std::string axis;      // what the values are, with their unit
  std::string mark;      // what the strokes are; "" if there are none
  double reference = 0;  // a line across all bars, if it is not 0
  std::string reference_name;
  std::vector<Bar> bars;  // from the top
};

// The ticks of an axis from 0 to `highest` or slightly more: 1, 2 or 5 times a power of ten apart,
// at most `most` of them after 0.
std::vector<double> ticks(double highest, int most);

Figure draw(const BarChart& chart);

}  // namespace stencilc::data
