// Bars beside each other, for comparison.
#pragma once

#include <string>
#include <vector>

#include "data/figure.h"

namespace stencilc::data {

struct Bar {
  std::string label;  // on its left
  double value = 0;
  double mark = 0;    // another value, as a stroke across the bar; 0: none
  std::string note;   // behind it
  bool pale = false;  // there for comparison alone
};

struct BarChart {
  std::string title, subtitle;
  std::string axis;      // what the values are, with their unit
  std::string mark;      // what the strokes are; "" where there are none
  double reference = 0;  // a line across all bars, where it is not 0
  std::string reference_name;
  std::vector<Bar> bars;  // from the top
};

// Marks of an axis from 0 to `highest` or a little more: 1, 2 or 5 times a power of ten apart, at
// most `most` of them behind the 0.
std::vector<double> ticks(double highest, int most);

Figure draw(const BarChart& chart);

}  // namespace stencilc::data
