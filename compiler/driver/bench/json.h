// The results as Google Benchmark writes them, for its compare.py and what else reads its files.
#pragma once

#include <string>

#include "driver/measure/result.h"

namespace stencilc::driver {

// The times are those of one step (of one copy), each burst being a repetition.
std::string json_of(const Report& report);

}  // namespace stencilc::driver
