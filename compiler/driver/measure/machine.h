// Where a benchmark runs.
#pragma once

#include <string>
#include <vector>

#include "driver/measure/result.h"
#include "plan/schedule/schedule.h"

namespace stencilc::driver {

// `words`: the command line behind the program's name.
Place place_of(plan::Target target, const std::vector<std::string>& words);

// The line of `nvidia-smi
// --query-gpu=name,driver_version,clocks.max.sm,clocks.max.memory,power.limit
// --format=csv,noheader` into the place.
void read_gpu(const std::string& line, Place& place);

}  // namespace stencilc::driver
