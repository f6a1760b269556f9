#include "format/pieces.h"

#include "format/chains.h"
#include "format/weights.h"

namespace stencilc::format {
namespace {

constexpr int levels_of_depth = 16;  // breaks outside of brackets come first
constexpr int last_level = 1 << 20;  // after `=`: only if there is no other place

bool is_clause(std::string_view statement, std::string_view word) {
  return statement == "field" ? word == "boundary" : word == "on" || word == "where";
}

size_t gap_between(const Token& left, const Role& left_role, const Token& right,
                   const Role& right_role) {
  const std::string_view a = left.text, b = right.text;
  if (right.kind == Token::line_comment) return 2;
  if (b == "," || b == ";" || b == ")" || b == "]" || a == "(" || a == "[") return 0;
  if (is_comment(left) || is_comment(right)) return 1;
  if (a == "." || b == "." || (a == "{" && b == "}")) return 0;
  if (right_role.kind == Role::side_colon || left_role.kind == Role::prefix) return 0;
  if ((right_role.kind == Role::call && (b == "(" || b == "[")) || left_role.tight ||
      right_role.tight)
    return 0;
  return 1;
}

// The priority of breaking a line after the token.
int level_behind(const Token& token, const Role& role) {
  if (role.indexed || role.listed) return -1;
  const int depth = role.depth * levels_of_depth;
  const std::string_view sign = token.text;
  if (sign == ",") return depth + 1;
  if (role.kind != Role::infix || role.tight) return -1;
  if (sign == "?" || sign == ":") return depth + 2;
  if (sign == "||") return depth + 3;
  if (sign == "&&") return depth + 4;
  if (sign == "+" || sign == "-") return depth + 6;
  if (sign == "*" || sign == "/" || sign == "%") return depth + 7;
  if (sign == "=" || sign.size() == 2) {
    const bool compares = sign == "==" || sign == "!=" || sign == "<=" || sign == ">=";
    return compares ? depth + 5 : last_level + depth;
  }
  return depth + 5;
}

}  // namespace

std::vector<Piece> pieces_of(std::span<const Token> statement, size_t indent, bool side) {
  const std::vector<Role> roles = roles_of(statement, side);
  std::vector<Piece> pieces(statement.size());
  std::string_view first_word;
  size_t before = statement.size();  // the last token that is not a comment
  bool clause_begun = false;
  for (size_t i = 0; i < statement.size(); ++i) {
    Piece& piece = pieces[i];
    const Token& token = piece.token = statement[i];
    const bool comment = is_comment(token);
    if (i > 0) {
      const Token& left = statement[i - 1];
      piece.gap = gap_between(left, roles[i - 1], token, roles[i]);
      if (piece.gap == 0 && run_together(left, token)) piece.gap = 1;
      const bool broken = token.lines_before > 0 && (comment || is_comment(left));
      if (broken || left.kind == Token::line_comment) piece.forced = Piece::line;
      if (!comment && !is_comment(left)) piece.level = level_behind(left, roles[i - 1]);
    }
    if (comment) continue;
    if (before == statement.size()) first_word = token.text;
    if (before + 1 == i && first_word == "axes" && statement[before].text == "axes")
      piece.gap = 2;  // its names are aligned with those of `param` and `field`
    if (!clause_begun && before < i && roles[i].depth == 0 && is_clause(first_word, token.text)) {
      clause_begun = piece.clause = true;
      piece.gap = 2;
      if (!is_comment(statement[i - 1])) piece.level = 0;
    }
    before = i;
  }
  arrange_weights(roles, pieces, indent);
  return pieces;
}

size_t width_of(const Token& token) {
  const std::string_view line = token.text.substr(0, token.text.find('\n'));
  return line.find_last_not_of(" \t\r\v\f") + 1;
}

size_t width_of(std::span<const Piece> pieces) {
  size_t width = 0;
  for (const Piece& piece : pieces) width += piece.gap + width_of(piece.token);
  return width;
}

}  // namespace stencilc::format
