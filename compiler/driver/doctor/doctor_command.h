// Runs `stencilc doctor`: what is installed, and what each missing thing disables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// Fills the options from the words of `doctor --json`. Returns an exit code if the program should
// end.
std::optional<int> parse_doctor_options(const std::vector<std::string>& words, Options& options);

// Returns the exit code: 0 if programs can run here and all that is found works.
int doctor_command(const Options& options);

}  // namespace stencilc::driver
