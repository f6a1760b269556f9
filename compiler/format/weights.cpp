#include "format/weights.h"

#include <algorithm>

namespace stencilc::format {
namespace {

// One weight, without the comma after it.
struct Cell {
  size_t begin = 0;  // its first piece
  size_t width = 0;
};

std::vector<Cell> cells_of(std::span<const Role> roles, std::span<const Piece> pieces, size_t begin,
                           size_t end) {
  std::vector<Cell> cells;
  for (size_t i = begin; i < end; ++i) {
    const bool first = i == begin || (pieces[i - 1].token.text == "," && roles[i - 1].listed);
    if (first) cells.push_back({i, 0});
    if (pieces[i].token.text == "," && roles[i].listed) continue;
    cells.back().width += (first ? 0 : pieces[i].gap) + pieces[i].token.text.size();
  }
  return cells;
}

bool begins_row(const Piece& piece) { return piece.forced == Piece::row; }

void begin_row(Piece& piece) {
  piece.forced = Piece::row;
  piece.gap = 0;  // to the right of the column where rows start
}

// Breaks the list into rows of equal length.
void fill(std::span<const Cell> cells, std::span<Piece> pieces, size_t column) {
  size_t widest = 0;
  for (const Cell& cell : cells) widest = std::max(widest, cell.width + 2);
  const size_t room = max_columns > column + 2 ? max_columns - column - 2 : 0;
  const size_t length = std::max<size_t>(room / widest, 1);
  for (size_t i = length; i < cells.size(); i += length) begin_row(pieces[cells[i].begin]);
}

void align(std::span<const Cell> cells, std::span<Piece> pieces) {
  std::vector<size_t> columns;
  const auto for_cells = [&](auto visit) {
    size_t column = 0;
    for (const Cell& cell : cells) {
      if (begins_row(pieces[cell.begin])) column = 0;
      visit(cell, column++);
    }
  };
  for_cells([&](const Cell& cell, size_t column) {
    columns.resize(std::max(columns.size(), column + 1));
    columns[column] = std::max(columns[column], cell.width);
  });
  for_cells([&](const Cell& cell, size_t column) {
    pieces[cell.begin].gap =
        (column > 0 || cell.begin == cells[0].begin ? 1 : 0) + columns[column] - cell.width;
  });
}

// Arranges the list with the pieces from `begin` to before `end`. `column` is that of its first
// weight if the statement is on one line.
void arrange(std::span<const Role> roles, std::span<Piece> pieces, size_t begin, size_t end,
             size_t column) {
  bool comments = false, rows = false;
  for (size_t i = begin; i < end; ++i) {
    comments |= is_comment(pieces[i].token);
    if (i == begin || !roles[i].listed) continue;
    const bool behind_comma = pieces[i - 1].token.text == ",";
    if (pieces[i].forced != Piece::none || (behind_comma && pieces[i].token.lines_before > 0))
      begin_row(pieces[i]), rows = true;
  }
  pieces[begin].first_weight = true;
  if (comments) return;
  const std::vector<Cell> cells = cells_of(roles, pieces, begin, end);
  if (!rows && column + width_of(pieces.subspan(begin)) > max_columns) fill(cells, pieces, column);
  align(cells, pieces);
}

}  // namespace

void arrange_weights(std::span<const Role> roles, std::span<Piece> pieces, size_t indent) {
  for (size_t i = 0; i + 1 < pieces.size(); ++i) {
    if (roles[i].kind != Role::list || pieces[i].token.text != "{") continue;
    size_t end = i + 1;
    while (end < pieces.size() && roles[end].depth > roles[i].depth) ++end;
    if (end > i + 1) arrange(roles, pieces, i + 1, end, indent + width_of(pieces.first(i + 1)) + 1);
    i = end;
  }
}

}  // namespace stencilc::format
