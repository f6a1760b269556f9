// A statement as a row of words, and what may stand between them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "format/tokens.h"

namespace stencilc::format {

inline constexpr size_t max_columns = 100;

struct Piece {
  enum Break { none, line, row };  // row: of weights, below the first of them

  Token token;
  size_t gap = 0;       // blanks before it, if on the line of the piece before it
  int level = -1;       // of a line break before it: the lowest of a line is used first; -1: none
  Break forced = none;  // before it
  bool clause = false;  // `boundary`, `on` or `where`, set off from what is before it
  bool first_weight = false;  // rows of weights begin below it
};

// The statement, or a `side` of a boundary that has its own line, begins in the column `indent`.
std::vector<Piece> pieces_of(std::span<const Token> statement, size_t indent, bool side);

// The columns that a token, or the pieces on one line, take. Of a comment the first line counts.
size_t width_of(const Token& token);
size_t width_of(std::span<const Piece> pieces);

}  // namespace stencilc::format
