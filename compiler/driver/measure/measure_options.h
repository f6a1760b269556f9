// What the commands that measure have in common on their command lines.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// What the options are in text, until it is looked at.
struct MeasureTexts {
  std::string size, fp = "canonical";
  std::vector<std::string> defines, params, points;
  bool no_fma = false;
};

// The stencil, its grids and arguments, what it is built for, and how diagnostics look.
void add_measure_options(CLI::App& app, Options& options, MeasureTexts& texts);

// Parses the words behind `stencilc`, then the texts. As parse_options.
std::optional<int> parse_measure_options(CLI::App& app, const std::vector<std::string>& words,
                                         const std::string& command, const MeasureTexts& texts,
                                         Options& options);

}  // namespace stencilc::driver
