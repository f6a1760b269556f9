// The line of a source that a diagnostic points at, made fit to print.
#pragma once

#include <cstdint>
#include <string>

#include "diag/diagnostic.h"

namespace stencilc::diag {

// The text without what a terminal would obey: control characters, and bytes that are no UTF-8, as
// `\x1b`. Line feeds stay.
std::string printable(std::string_view text);

struct Excerpt {
  Position begin;
  std::string line;    // tabs expanded, control bytes and broken UTF-8 as \xNN, at most 200 columns
  uint32_t caret = 0;  // the column of the range in `line`, from 0
  uint32_t width = 1;  // of the range in `line`, at least 1; ends with the line
};

Excerpt excerpt(const Source& source, Range at);

}  // namespace stencilc::diag
