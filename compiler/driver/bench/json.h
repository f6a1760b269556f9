// Writes the results in the JSON format of Google Benchmark, for its compare.py and similar tools.
#pragma once

#include <string>

#include "driver/bench/scaling_report.h"
#include "driver/measure/result.h"

namespace stencilc::driver {

// The times are those of one step (or of one copy); each burst is a repetition.
std::string json_of(const Report& report);
std::string json_of(const ScalingReport& report);

}  // namespace stencilc::driver
