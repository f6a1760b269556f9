// Describes the machine on which a benchmark runs.
#pragma once

#include <string>
#include <vector>

#include "driver/measure/result.h"
#include "plan/schedule/schedule.h"

namespace stencilc::driver {

// `words`: the command line after the name of the program.
Place place_of(plan::Target target, const std::vector<std::string>& words);

// Reads a line of `nvidia-smi
// --query-gpu=name,driver_version,clocks.max.sm,clocks.max.memory,power.limit
// --format=csv,noheader` into the place.
void read_gpu(const std::string& line, Place& place);

}  // namespace stencilc::driver
