// Holds the results of `stencilc bench --devices`, and prints and draws them.
#pragma once

#include <string>
#include <vector>

#include "data/plots/bar_chart.h"
#include "driver/measure/result.h"

namespace stencilc::driver {

// One line of the table.
struct Scaled {
  bool weak = false;  // does each device have a grid? Otherwise they share one
  int devices = 1;
  data::Extents extents = {};  // of the whole grid
  Times times = {};

  const char* kind() const { return weak ? "weak" : "strong"; }
};

struct ScalingReport {
  Place place;
  std::string stencil;
  std::string schedule, alone;  // of pieces; and of the whole grid, which may have another one
  bool in_memory = false;       // pieces are not on devices, but computed one after the other
  std::vector<Scaled> rows;

  double step(const Scaled& row) const;  // seconds, by the median
  double rate(const Scaled& row) const;  // cells and steps per second
  // The time of a step on one device over that on all of them, times their number where they share
  // the grid; 0 if there is none on one.
  double efficiency(const Scaled& row) const;
};

std::string table(const ScalingReport& report);
data::BarChart bars_of(const ScalingReport& report);

}  // namespace stencilc::driver
