#include "format/lines.h"

#include <algorithm>

namespace stencilc::format {
namespace {

constexpr size_t continuation = 4;
constexpr std::string_view blanks = " \t\r\v\f";

bool spans_lines(std::string_view text) { return text.find('\n') != std::string_view::npos; }

// Where the line that starts with pieces[begin] ends: before the last piece of the lowest level
// that makes it short enough, otherwise before the first piece of any level.
size_t end_of_line(std::span<const Piece> pieces, size_t begin, size_t column) {
  size_t best = 0;
  for (size_t i = begin; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (i > begin) {
      if (piece.forced != Piece::none) return i;
      const bool full = column > max_columns;
      if (full && best != 0) return best;
      if (piece.level >= 0 && (full || best == 0 || piece.level <= pieces[best].level)) best = i;
      if (full && best != 0) return best;
    }
    if (piece.token.kind == Token::line_comment) continue;  // may be of any length
    column += (i > begin ? piece.gap : 0) + width_of(piece.token);
  }
  return column > max_columns && best != 0 ? best : pieces.size();
}

// The comments at the end of the pieces, if the line ends with them.
size_t trailing_comments(std::span<const Piece> pieces) {
  size_t begin = pieces.size();
  while (begin > 1 && is_comment(pieces[begin - 1].token)) --begin;
  return begin;
}

}  // namespace

std::vector<Line> lines_of(std::span<const Piece> pieces, size_t indent) {
  std::vector<Line> lines;
  size_t weights = 0;  // the column of the first weight
  for (size_t begin = 0; begin < pieces.size();) {
    Line line;
    line.indent = indent + (begin > 0 ? continuation : 0);
    if (pieces[begin].forced == Piece::row) line.indent = weights + pieces[begin].gap;
    const size_t end = end_of_line(pieces, begin, line.indent);
    const size_t comments = begin + trailing_comments(pieces.subspan(begin, end - begin));
    for (size_t i = begin; i < end; ++i) {
      std::string& text = i < comments ? line.text : line.comment;
      if (pieces[i].first_weight) weights = line.indent + line.text.size() + (i > begin ? 1 : 0);
      if (i > begin && i != comments) text.append(pieces[i].gap, ' ');
      if (pieces[i].clause && begin == 0 && i > 0) line.clause = text.size();
      text += comment_text(pieces[i].token.text, {});
    }
    lines.push_back(std::move(line));
    begin = end;
  }
  if (lines.size() > 1) lines[0].clause = 0;
  return lines;
}

std::string comment_text(std::string_view comment, std::optional<size_t> column) {
  std::vector<std::string_view> lines;
  bool starred = column.has_value();  // all lines after the first start with `*`
  while (true) {
    const size_t end = comment.find('\n');
    lines.push_back(comment.substr(0, end));
    const size_t first = lines.back().find_first_not_of(blanks);
    starred &= lines.size() == 1 || (first != comment.npos && lines.back()[first] == '*');
    if (end == comment.npos) break;
    comment.remove_prefix(end + 1);
  }
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i].substr(0, lines[i].find_last_not_of(blanks) + 1);
    if (i > 0) text += "\n";
    if (i > 0 && starred) {
      text.append(*column + 1, ' ');
      line.remove_prefix(line.find('*'));
    }
    text += line;
  }
  return text;
}

namespace {

// Calls visit(run) for the longest runs of adjacent lines that satisfy the conditions, without
// blank lines between them.
template <typename Holds, typename Follows, typename Visit>
void for_runs(std::span<Line> lines, Holds holds, Follows follows, Visit visit) {
  for (size_t begin = 0; begin < lines.size();) {
    size_t end = begin;
    while (end < lines.size() && holds(lines[end]) &&
           (end == begin || (!lines[end].blank_before && follows(lines[end - 1], lines[end]))))
      ++end;
    if (end > begin) visit(lines.subspan(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
}

void align_clauses(std::span<Line> run) {
  size_t column = 0, rest = 0;
  for (const Line& line : run) {
    column = std::max(column, line.clause);
    rest = std::max(rest, line.text.size() - line.clause);
  }
  if (run[0].indent + column + rest > max_columns) return;
  for (Line& line : run) {
    line.text.insert(line.clause, column - line.clause, ' ');
    line.clause = column;
  }
}

void align_comments(std::span<Line> run) {
  size_t column = 0, rest = 0;
  for (const Line& line : run) {
    column = std::max(column, line.indent + line.text.size());
    rest = std::max(rest, line.comment.size());
  }
  if (column + 2 + rest > max_columns) return;
  for (Line& line : run) line.text.append(column - line.indent - line.text.size(), ' ');
}

}  // namespace

void align_columns(std::span<Line> lines) {
  const auto clause_word = [](const Line& line) {
    const std::string_view clause = std::string_view(line.text).substr(line.clause);
    return clause.substr(0, clause.find(' '));
  };
  for_runs(
      lines, [](const Line& line) { return line.clause > 0 && !spans_lines(line.text); },
      [&](const Line& before, const Line& line) {
        return before.indent == line.indent && clause_word(before) == clause_word(line);
      },
      align_clauses);
  for_runs(
      lines,
      [](const Line& line) {
        return !line.comment.empty() && !spans_lines(line.text) && !spans_lines(line.comment);
      },
      [](const Line& before, const Line&) { return before.text.back() != '{'; }, align_comments);
}

}  // namespace stencilc::format
