// Reads and writes the text of a tune file.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/pipeline/tuning.h"

namespace stencilc::driver {

std::string json_of(const Tuning& tuning);

// Reads the text of sources[file]; false after an error with its position.
bool read_tuning(const diag::Sources& sources, uint16_t file, Tuning& tuning, diag::Engine& engine);

}  // namespace stencilc::driver
