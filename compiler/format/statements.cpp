#include "format/statements.h"

#include "format/pieces.h"

namespace stencilc::format {
namespace {

bool is(const Token& token, std::string_view text) { return token.text == text; }

// The position after the `}` of the list of weights that starts at `open`; `open` if it is not one.
size_t end_of_list(std::span<const Token> tokens, size_t open) {
  for (size_t i = open + 1; i < tokens.size(); ++i) {
    if (is(tokens[i], "}")) return i + 1;
    if (is(tokens[i], ";") || is(tokens[i], "{")) return open;
  }
  return open;
}

// The position after the `}` of the sides or parts that start at `open`, and after its `;`; `open`
// if their contents need lines of their own.
size_t end_of_block(std::span<const Token> tokens, size_t open) {
  for (size_t i = open + 1; i < tokens.size(); ++i) {
    if (is_comment(tokens[i]) || is(tokens[i], "{")) return open;
    if (!is(tokens[i], "}")) continue;
    return i + 1 < tokens.size() && is(tokens[i + 1], ";") ? i + 2 : i + 1;
  }
  return open;
}

// Without the comments at the end.
size_t without_comments(std::span<const Token> tokens, size_t begin, size_t end) {
  while (end > begin && is_comment(tokens[end - 1])) --end;
  return end;
}

}  // namespace

size_t end_of_statement(std::span<const Token> tokens, size_t begin, size_t indent, Block block) {
  const Token* first = nullptr;  // those that are not comments
  const Token* before = nullptr;
  for (size_t i = begin; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (is_comment(token)) continue;
    if (is(token, ";") || (block == Block::parts && is(token, ","))) return i + 1;
    if (is(token, "}")) return without_comments(tokens, begin, i);
    if (is(token, "{")) {
      const bool list = before != nullptr && is(*before, "=");
      const bool spread = first == nullptr || is(*first, "stencil");
      const size_t end = list ? end_of_list(tokens, i) : spread ? i : end_of_block(tokens, i);
      if (end == i) return i + 1;
      if (!list) {
        const auto whole = pieces_of(tokens.subspan(begin, end - begin), indent, false);
        return indent + width_of(whole) > max_columns ? i + 1 : end;
      }
      i = end - 1;
    }
    if (first == nullptr) first = &token;
    before = &tokens[i];
  }
  return without_comments(tokens, begin, tokens.size());
}

}  // namespace stencilc::format
