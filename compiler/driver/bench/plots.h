// Draws the results as charts.
#pragma once

#include "data/plots/bar_chart.h"
#include "data/plots/roofline.h"
#include "driver/measure/result.h"

namespace stencilc::driver {

// The schedules by their fraction of the copy bandwidth, the fastest first.
data::BarChart bars_of(const Report& report);
data::Roofline roofline_of(const Report& report);

}  // namespace stencilc::driver
