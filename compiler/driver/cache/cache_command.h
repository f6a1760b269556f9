// Runs `stencilc cache`: what the cache of built libraries holds, its limit, and its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// Fills the options from the words of `cache --show`. Returns an exit code if the program should
// end.
std::optional<int> parse_cache_options(const std::vector<std::string>& words, Options& options);

// Returns the exit code.
int cache_command(const Options& options);

}  // namespace stencilc::driver
