// Adds the command line options that `bench` and `tune` share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// The values of options that are parsed later.
struct MeasureTexts {
  std::string size, fp = "canonical";
  std::vector<std::string> defines, params, points;
  bool no_fma = false;
};

// Adds options for the stencil, its grids and arguments, the target, and the form of diagnostics.
void add_measure_options(CLI::App& app, Options& options, MeasureTexts& texts);

// Parses the words after `stencilc`, then the texts. Returns an exit code if the program should
// end.
std::optional<int> parse_measure_options(CLI::App& app, const std::vector<std::string>& words,
                                         const std::string& command, const MeasureTexts& texts,
                                         Options& options);

}  // namespace stencilc::driver
