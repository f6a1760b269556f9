// The results as pictures.
#pragma once

#include "data/bar_chart.h"
#include "data/roofline.h"
#include "driver/measure/result.h"

namespace stencilc::driver {

// The schedules by the fraction of the copy that they reach, the fastest first.
data::BarChart bars_of(const Report& report);
data::Roofline roofline_of(const Report& report);

}  // namespace stencilc::driver
