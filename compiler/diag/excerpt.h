// Prepares the source line of a diagnostic for printing.
#pragma once

#include <cstdint>
#include <string>

#include "diag/diagnostic.h"

namespace stencilc::diag {

// The text with control characters, which a terminal would obey, and invalid UTF-8 as `\x1b`. Line
// feeds are kept.
std::string printable(std::string_view text);

struct Excerpt {
  Position begin;
  std::string line;  // tabs expanded, control bytes and invalid UTF-8 as \xNN, at most 200 columns
  uint32_t caret = 0;  // the column of the range in `line`, starting with 0
  uint32_t width = 1;  // of the range in `line`, at least 1; ends with the line
};

Excerpt excerpt(const Source& source, Range at);

}  // namespace stencilc::diag
