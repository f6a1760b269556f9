// Turns a statement into a row of words with the spacing between them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "format/tokens.h"

namespace stencilc::format {

inline constexpr size_t max_columns = 100;

struct Piece {
  enum Break { none, line, row };  // row: a row of weights, below the first one

  Token token;
  size_t gap = 0;  // blanks before it, if it is on the same line as the piece before
  int level = -1;  // of a line break before it; the lowest level of a line is used first; -1: none
  Break forced = none;        // before it
  bool clause = false;        // `boundary`, `on` or `where`, separated from what is before it
  bool first_weight = false;  // rows of weights start below it
};

// The pieces of a statement, or of a `side` of a boundary on a line of its own, that starts in the
// column `indent`.
std::vector<Piece> pieces_of(std::span<const Token> statement, size_t indent, bool side);

// The width of a token, or of pieces on one line. For a comment, that of its first line.
size_t width_of(const Token& token);
size_t width_of(std::span<const Piece> pieces);

}  // namespace stencilc::format
