// Breaks statements into lines.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/pieces.h"

namespace stencilc::format {

struct Line {
  size_t indent = 0;
  std::string text;
  size_t clause = 0;    // position in `text` of a clause that is aligned with those around; 0: none
  std::string comment;  // after the text
  bool blank_before = false;
};

// One line if the statement fits and no comment breaks it.
std::vector<Line> lines_of(std::span<const Piece> statement, size_t indent);

// A comment without blanks at the ends of its lines. If its column is given and all its lines start
// with `*`, these are aligned.
std::string comment_text(std::string_view comment, std::optional<size_t> column);

// Aligns trailing comments, and clauses of the same kind, on adjacent lines.
void align_columns(std::span<Line> lines);

}  // namespace stencilc::format
