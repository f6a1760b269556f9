#include "format/tokens.h"

#include <algorithm>
#include <array>

namespace stencilc::format {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_sign(char c) {
  return std::string_view("!%&()*+,-./:;<=>?[]^{|}").find(c) != std::string_view::npos;
}

constexpr std::array<std::string_view, 11> pairs = {"==", "!=", "<=", ">=", "&&", "||",
                                                    "..", "+=", "-=", "*=", "/="};

size_t while_true(std::string_view text, size_t i, bool (*wanted)(char)) {
  while (i < text.size() && wanted(text[i])) ++i;
  return i;
}

size_t end_of_word(std::string_view text, size_t i) {
  return while_true(text, i, [](char c) { return is_letter(c) || is_digit(c); });
}

bool digit_at(std::string_view text, size_t i) { return i < text.size() && is_digit(text[i]); }

// The end of the number that starts at `i`. In `-1..1` the point belongs to the `..`. Anything
// attached to a number is part of it.
size_t end_of_number(std::string_view text, size_t i) {
  i = while_true(text, i, is_digit);
  if (i < text.size() && text[i] == '.' && !text.substr(i).starts_with(".."))
    i = while_true(text, i + 1, is_digit);
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const bool has_sign = i + 1 < text.size() && (text[i + 1] == '+' || text[i + 1] == '-');
    const size_t digits = i + (has_sign ? 2 : 1);
    if (digit_at(text, digits)) i = while_true(text, digits, is_digit);
  }
  return end_of_word(text, i);
}

std::string_view without_end_blanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// The kind and the end of the token at `i`, which is not a blank; nothing if there is none.
struct Found {
  Token::Kind kind;
  size_t end;
};
std::optional<Found> token_at(std::string_view text, size_t i) {
  const std::string_view rest = text.substr(i);
  const char first = rest[0];
  if (first == '#' || rest.starts_with("//"))
    return Found{Token::line_comment, std::min(text.find('\n', i), text.size())};
  if (rest.starts_with("/*")) {
    const size_t end = text.find("*/", i + 2);
    if (end == std::string_view::npos) return {};
    return Found{Token::block_comment, end + 2};
  }
  if (first == '"') {
    const size_t end = text.find_first_of("\"\n", i + 1);
    if (end == std::string_view::npos || text[end] == '\n') return {};
    return Found{Token::string, end + 1};
  }
  if (is_letter(first)) return Found{Token::word, end_of_word(text, i)};
  if (is_digit(first) || (first == '.' && digit_at(text, i + 1)))
    return Found{Token::number, end_of_number(text, i)};
  if (std::ranges::find(pairs, rest.substr(0, 2)) != pairs.end()) return Found{Token::sign, i + 2};
  if (is_sign(first)) return Found{Token::sign, i + 1};
  return {};
}

std::string_view trimmed(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  return without_end_blanks(line.substr(begin));
}

bool same_lines(std::string_view left, std::string_view right) {
  while (true) {
    const size_t i = left.find('\n'), j = right.find('\n');
    if (trimmed(left.substr(0, i)) != trimmed(right.substr(0, j))) return false;
    if (i == std::string_view::npos || j == std::string_view::npos) return i == j;
    left.remove_prefix(i + 1);
    right.remove_prefix(j + 1);
  }
}

}  // namespace

std::optional<std::vector<Token>> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  int lines = 0;
  size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (i < text.size()) {
    if (is_blank(text[i])) {
      lines += text[i++] == '\n' ? 1 : 0;
      continue;
    }
    const auto found = token_at(text, i);
    if (!found) return {};
    tokens.push_back({found->kind, without_end_blanks(text.substr(i, found->end - i)), lines});
    lines = 0;
    i = found->end;
  }
  return tokens;
}

bool run_together(const Token& left, const Token& right) {
  const bool sticky = left.kind == Token::word || left.kind == Token::number;
  if (sticky && (right.kind == Token::word || right.kind == Token::number)) return true;
  const char last = left.text.back(), first = right.text.front();
  if (left.kind == Token::number)
    return (last == '.' && first == '.') || right.text == "." ||
           ((last == 'e' || last == 'E') && (first == '+' || first == '-'));
  if (left.kind != Token::sign) return false;
  if (last == '.') return first == '.' || (left.text == "." && is_digit(first));
  // `--` and `++` are two operators for the parser, but not for people.
  const std::string joined = {last, first};
  return joined == "--" || joined == "++" || joined == "//" || joined == "/*" ||
         std::ranges::find(pairs, joined) != pairs.end();
}

bool same_tokens(std::string_view left, std::string_view right) {
  const auto a = tokens_of(left), b = tokens_of(right);
  return a && b && std::ranges::equal(*a, *b, [](const Token& x, const Token& y) {
           return x.kind == y.kind &&
                  (is_comment(x) ? same_lines(x.text, y.text) : x.text == y.text);
         });
}

}  // namespace stencilc::format
