// Draws a roofline chart: the performance of kernels, and the limits by bandwidth and arithmetic.
#pragma once

#include <string>
#include <vector>

#include "data/plots/figure.h"

namespace stencilc::data {

struct RooflinePoint {
  std::string label;
  double intensity = 0;  // operations per byte
  double rate = 0;       // 1e9 operations per second
  bool pale = false;     // only for comparison, in a pale colour
};

struct Roofline {
  std::string title, subtitle;
  std::string operations = "GFLOP/s";
  double bandwidth = 0;  // GB/s: the slanted roof
  std::string bandwidth_name;
  double peak = 0;  // the flat roof, if it is not 0
  std::vector<RooflinePoint> points;
};

// 1, 2 and 5 times powers of ten between the two positive numbers.
std::vector<double> log_ticks(double low, double high);

// Positions for labels near these ascending heights: in the same order, as close as possible, at
// least `apart` from each other, between `top` and `bottom`.
std::vector<double> spread(std::vector<double> heights, double apart, double top, double bottom);

Figure draw(const Roofline& roofline);

}  // namespace stencilc::data
