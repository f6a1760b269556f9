#include "parse/text.h"

#include <algorithm>
#include <array>
#include <string>

#include "diag/codes.h"

namespace stencilc::parse {
namespace {

constexpr int max_foreign_characters = 20;  // with more of them it is not a .stn file

bool is_blank(char c) { return std::string_view(" \t\r\n\v\f").find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Control characters that only binary files contain.
bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && !is_blank(c)) || c == 0x7F;
}

std::string hex(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

// The end of the comment at `i`, or `i` itself if there is none; npos for a `/*` without `*/`.
size_t skip_comment(std::string_view text, size_t i) {
  std::string_view rest = text.substr(i);
  if (rest.starts_with("#") || rest.starts_with("//"))
    return std::min(text.find('\n', i), text.size());
  if (!rest.starts_with("/*")) return i;
  size_t end = text.find("*/", i + 2);
  return end == std::string_view::npos ? end : end + 2;
}

// The end of the string at `i`, or of its line if it is not closed.
size_t skip_string(std::string_view text, size_t i) {
  size_t end = text.find_first_of("\"\n", i + 1);
  if (end == std::string_view::npos) return text.size();
  return text[end] == '"' ? end + 1 : end;
}

// The bytes of the UTF-8 character at `i`, or 0 if it is invalid.
size_t utf8_length(std::string_view text, size_t i) {
  auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  unsigned first = byte(i), second = byte(i + 1);
  if (first < 0x80) return 1;
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  for (size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// What word processors turn the characters of the language into.
struct LookAlike {
  std::string_view character, meant;
};
constexpr std::array<LookAlike, 12> look_alikes = {{{"\u2212", "-"},   // minus sign
                                                    {"\u2013", "-"},   // en dash
                                                    {"\u00D7", "*"},   // multiplication sign
                                                    {"\u00B7", "*"},   // middle dot
                                                    {"\u00B2", "^2"},  // superscript two
                                                    {"\u00B3", "^3"},  // superscript three
                                                    {"\u2264", "<="},
                                                    {"\u2265", ">="},
                                                    {"\u201C", "\""},  // quotation marks
                                                    {"\u201D", "\""},
                                                    {"'", "\""},
                                                    {"\u00A0", " "}}};  // no-break space

// Reports the character at `i` and returns its end; npos if the text is binary.
size_t refuse_character(std::string_view text, size_t i, uint16_t file, diag::Engine& engine) {
  auto at = [&](size_t length) {
    return diag::Range{static_cast<uint32_t>(i), static_cast<uint32_t>(i + length), file};
  };
  auto byte = static_cast<unsigned char>(text[i]);
  size_t length = utf8_length(text, i);
  if (length == 0) {
    engine.report(diag::bad_character, at(1), "byte `" + hex(byte) + "` is not valid UTF-8")
        .note("a .stn file is a text file");
    return std::string_view::npos;
  }
  if (is_control(text[i])) {
    engine.report(diag::bad_character, at(1), "control character `" + hex(byte) + "`")
        .note("a .stn file is a text file");
    return std::string_view::npos;
  }
  std::string character(text.substr(i, length));
  auto& diagnostic =
      engine.report(diag::bad_character, at(length), "unexpected character `" + character + "`");
  if (character == "~") diagnostic.help("with all its bits turned, `a` is `-1 - a`");
  auto found = std::ranges::find(look_alikes, character, &LookAlike::character);
  if (found != look_alikes.end()) {
    std::string meant(found->meant);
    diagnostic.help(meant == " " ? "write a plain space" : "write `" + meant + "`", at(length),
                    meant);
  } else if (length > 1) {
    diagnostic.note("only comments can hold characters outside ASCII");
  }
  return i + length;
}

size_t skip_non_ascii(std::string_view text, size_t i) {
  while (i < text.size() && static_cast<unsigned char>(text[i]) > 0x7F &&
         utf8_length(text, i) > 0) {
    i += utf8_length(text, i);
  }
  return i;
}

}  // namespace

bool is_foreign(unsigned char byte) {
  if (byte > 0x7F || is_control(static_cast<char>(byte))) return true;
  return byte == '$' || byte == '@' || byte == '\\' || byte == '`' || byte == '~' || byte == '\'';
}

bool check_text(const diag::Source& source, uint16_t file, diag::Engine& engine) {
  std::string_view text = source.text;
  if (text.size() > max_file_size) {
    engine.report(diag::size_limit, {0, 0, file}, "the file is larger than 64 MiB");
    return false;
  }
  size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  int refused = 0;
  while (i < text.size()) {
    size_t end = text[i] == '"' ? skip_string(text, i) : skip_comment(text, i);
    if (end == std::string_view::npos) {
      auto begin = static_cast<uint32_t>(i);
      engine.report(diag::unterminated_comment, {begin, begin + 2, file}, "this comment has no end")
          .help("close it with `*/`");
      return false;
    }
    // Comments and strings can contain any character except control characters.
    bool literal = end > i;
    while (i < end && !is_control(text[i])) ++i;
    if (i == text.size() || (literal && i == end)) continue;
    if (!is_foreign(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    i = refuse_character(text, i, file, engine);
    if (i == std::string_view::npos || ++refused == max_foreign_characters) return false;
    i = skip_non_ascii(text, i);  // one report for a run of characters, which have the same cause
  }
  return true;
}

std::string_view token_at(std::string_view text, size_t offset) {
  std::string_view rest = text.substr(std::min(offset, text.size()));
  if (rest.empty()) return rest;
  char first = rest[0];
  bool number = is_digit(first) || (first == '.' && rest.size() > 1 && is_digit(rest[1]));
  if (is_letter(first) || number) {
    size_t end = 1;
    while (end < rest.size() &&
           (is_letter(rest[end]) || is_digit(rest[end]) ||
            (number && rest[end] == '.' && !rest.substr(end).starts_with("..")))) {
      ++end;
    }
    return rest.substr(0, end);
  }
  if (first == '"') return rest.substr(0, skip_string(text, offset) - offset);
  constexpr std::string_view pairs[] = {
      "==", "!=", "<=", ">=", "&&", "||", "..", "+=", "-=", "*=", "/=", "**", "++", "--", "->"};
  for (std::string_view pair : pairs) {
    if (rest.starts_with(pair)) return rest.substr(0, 2);
  }
  return rest.substr(0, std::max<size_t>(utf8_length(rest, 0), 1));
}

size_t skip_blanks(std::string_view text, size_t i) {
  while (i < text.size()) {
    size_t next = is_blank(text[i]) ? i + 1 : std::min(skip_comment(text, i), text.size());
    if (next == i) break;
    i = next;
  }
  return i;
}

bool is_word(std::string_view token) { return !token.empty() && is_letter(token[0]); }

namespace {

// Calls visit(token, begin) for each token starting with `from` until it returns true.
template <typename Visit>
void for_tokens(std::string_view text, size_t from, Visit visit) {
  for (size_t i = skip_blanks(text, from); i < text.size(); i = skip_blanks(text, i)) {
    std::string_view token = token_at(text, i);
    if (visit(token, static_cast<uint32_t>(i))) return;
    i += token.size();
  }
}

bool begins_line(std::string_view text, size_t i) {
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) --i;
  return i == 0 || text[i - 1] == '\n';
}

}  // namespace

uint32_t skip_statement(std::string_view text, uint32_t from, int open_braces, bool block) {
  auto result = static_cast<uint32_t>(text.size());
  int depth = open_braces;
  const int last_depth = block ? 0 : open_braces;  // depth at which a `;` ends the statement
  bool closed_block = false;                       // a block of the skipped text was just closed
  for_tokens(text, from, [&](std::string_view token, uint32_t begin) {
    auto stop = [&](uint32_t resume) {
      result = resume;
      return true;
    };
    if (token == ";" && depth <= last_depth) {
      return stop(static_cast<uint32_t>(skip_blanks(text, begin + 1)));
    }
    if (closed_block && token != "/") return stop(begin);
    if (token == "}" && depth == 0) return stop(begin);
    if (token == "stencil" && begins_line(text, begin)) return stop(begin);
    closed_block = false;
    if (token == "{") ++depth;
    if (token == "}") closed_block = --depth == 0;
    return false;
  });
  return result;
}

uint32_t skip_parentheses(std::string_view text, uint32_t from) {
  auto end = static_cast<uint32_t>(text.size());
  int depth = 0;
  for_tokens(text, from, [&](std::string_view token, uint32_t begin) {
    depth += (token == "(") - (token == ")");
    if (depth > 0) return false;
    end = begin + 1;
    return true;
  });
  return end;
}

uint32_t skip_block(std::string_view text, uint32_t from) {
  auto result = static_cast<uint32_t>(text.size());
  int depth = 0;
  for_tokens(text, from, [&](std::string_view token, uint32_t begin) {
    if (token == "stencil" && begin > from) {
      result = begin;
      return true;
    }
    if (token == "{") ++depth;
    if (token == "}") --depth;
    if ((token != "}" && token != ";") || depth > 0) return false;
    if (token == ";" && begin > from) return false;  // a single `;` is skipped on its own
    result = static_cast<uint32_t>(skip_blanks(text, begin + 1));
    return true;
  });
  return result;
}

}  // namespace stencilc::parse
