// Statements as lines.
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
  size_t clause = 0;  // the place in `text` of a clause that is aligned with those around; 0: none
  std::string comment;  // behind the text
  bool blank_before = false;
};

// One line if the statement fits and no comment breaks it.
std::vector<Line> lines_of(std::span<const Piece> statement, size_t indent);

// A comment without blanks at the end of its lines. Where its column is given and all its lines
// begin with `*`, these stand below each other.
std::string comment_text(std::string_view comment, std::optional<size_t> column);

// Aligns trailing comments, and clauses of one kind, where lines that follow each other have some.
void align_columns(std::span<Line> lines);

}  // namespace stencilc::format
