#include "format/format.h"

#include <iterator>
#include <span>
#include <vector>

#include "format/lines.h"
#include "format/statements.h"
#include "format/tokens.h"

namespace stencilc::format {
namespace {

constexpr size_t step = 2;  // indentation of a block

// What the statement before a `{` opens.
Block block_of(std::span<const Piece> pieces) {
  for (const Piece& piece : pieces) {
    const std::string_view word = piece.token.text;
    if (is_comment(piece.token)) continue;
    if (word == "field" || word == "boundary") return Block::sides;
    return word == "schedule" ? Block::parts : Block::statements;
  }
  return Block::statements;
}

class Document {
 public:
  explicit Document(std::span<const Token> tokens) : tokens_(tokens) {}

  std::vector<Line> lines() {
    while (at_ < tokens_.size()) {
      const size_t begun = lines_.size();
      const bool blank = blank_wanted();
      if (const size_t end = end_of_comments(); end > at_)
        comments(end);
      else if (is_sign(at_, "}"))
        close();
      else
        statement();
      lines_[begun].blank_before = blank;
      trailing_comments();
    }
    align_columns(lines_);
    return std::move(lines_);
  }

 private:
  bool is_sign(size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].kind == Token::sign && tokens_[i].text == text;
  }
  bool is_comment_on_line(size_t i) const {
    return i < tokens_.size() && is_comment(tokens_[i]) && tokens_[i].lines_before == 0;
  }

  // Whether to write a blank line: where there was one, except at the beginning and end of a block,
  // and after a stencil.
  bool blank_wanted() const {
    if (lines_.empty() || lines_.back().text.back() == '{' || is_sign(at_, "}")) return false;
    const bool behind_stencil = lines_.back().text[0] == '}' && indent_ == 0;
    return behind_stencil || tokens_[at_].lines_before > 1;
  }

  // The end of the comments here, if they are on lines of their own; otherwise `at_`.
  size_t end_of_comments() const {
    if (!is_comment(tokens_[at_])) return at_;
    size_t end = at_ + 1;
    while (is_comment_on_line(end)) ++end;
    const bool alone = end == tokens_.size() || tokens_[end].lines_before > 0 || is_sign(end, "}");
    return alone ? end : at_;
  }

  void comments(size_t end) {
    Line line{.indent = indent_};
    line.text = comment_text(tokens_[at_].text, indent_);
    while (++at_ < end) line.text += " " + comment_text(tokens_[at_].text, {});
    lines_.push_back(std::move(line));
  }

  void close() {
    if (indent_ > 0) indent_ -= step;
    block_ = Block::statements;
    Line line{.indent = indent_};
    line.text = is_sign(at_ + 1, ";") ? "};" : "}";
    at_ += line.text.size();
    lines_.push_back(std::move(line));
  }

  void statement() {
    const size_t end = end_of_statement(tokens_, at_, indent_, block_);
    const auto pieces = pieces_of(tokens_.subspan(at_, end - at_), indent_, block_ == Block::sides);
    std::vector<Line> lines = lines_of(pieces, indent_);
    std::move(lines.begin(), lines.end(), std::back_inserter(lines_));
    if (is_sign(end - 1, "{")) {
      indent_ += step;
      block_ = block_of(pieces);
    }
    at_ = end;
  }

  // Comments after the last token of a line.
  void trailing_comments() {
    std::string& text = lines_.back().comment;
    for (; is_comment_on_line(at_); ++at_)
      text += (text.empty() ? "" : " ") + comment_text(tokens_[at_].text, {});
  }

  std::span<const Token> tokens_;
  size_t at_ = 0;
  size_t indent_ = 0;
  Block block_ = Block::statements;  // around the token at `at_`
  std::vector<Line> lines_;
};

}  // namespace

std::optional<std::string> formatted(std::string_view text) {
  const auto tokens = tokens_of(text);
  if (!tokens) return {};
  std::string result;
  for (const Line& line : Document(*tokens).lines()) {
    if (line.blank_before) result += '\n';
    result.append(line.indent, ' ') += line.text;
    if (!line.comment.empty()) result += "  " + line.comment;
    result += '\n';
  }
  return result;
}

}  // namespace stencilc::format
