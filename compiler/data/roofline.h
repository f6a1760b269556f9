// The roofline: what a kernel computes beside what its memory traffic allows.
#pragma once

#include <string>
#include <vector>

#include "data/figure.h"

namespace stencilc::data {

struct RooflinePoint {
  std::string label;
  double intensity = 0;  // operations for a byte
  double rate = 0;       // 1e9 operations in a second
  bool pale = false;     // there for comparison alone
};

struct Roofline {
  std::string title, subtitle;
  std::string operations = "GFLOP/s";
  double bandwidth = 0;  // GB/s: the slanted roof
  std::string bandwidth_name;
  double peak = 0;  // the flat roof, where it is not 0
  std::vector<RooflinePoint> points;
};

// 1, 2 and 5 times powers of ten between the two, which are positive.
std::vector<double> log_ticks(double low, double high);

// Where labels stand that want to be at these heights: in the same order, as near as can be, no two
// closer than `apart`, between `top` and `bottom`. The heights grow.
std::vector<double> spread(std::vector<double> heights, double apart, double top, double bottom);

Figure draw(const Roofline& roofline);

}  // namespace stencilc::data
