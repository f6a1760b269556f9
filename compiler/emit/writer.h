// Lines of C++ with their indentation and line breaks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stencilc::emit {

inline constexpr int kColumns = 100;

class Writer {
 public:
  void line(std::string_view text);  // at the current indentation
  void raw(std::string_view text);   // at column 0: #line, #include
  void blank() { text_ += '\n'; }
  void comment(std::string_view text);  // "// ..." broken at words
  void indent() { indent_ += 2; }
  void outdent() { indent_ -= 2; }
  int column() const { return indent_; }
  int lines() const;

  // before(a, b, c)after on one line where it fits; else the list on lines of its own.
  void list(std::string_view before, const std::vector<std::string>& items, std::string_view after);
  // for (first; condition; next) {
  void loop(const std::string& first, const std::string& condition, const std::string& next);
  // Of a function: where it is too long for a line, it is broken in front of the name if the rest
  // then fits.
  void head(const std::string& result, const std::string& name,
            const std::vector<std::string>& items);

  // head items) { body }: on one line if the body has one and all of it fits. The body is indented.
  void function(const std::string& head, const std::vector<std::string>& items, Writer body);
  // if (condition) {
  void condition(const std::string& text, const std::string& before = "if (");
  // before value; on one line where it fits. Else a call has its arguments on lines of their own,
  // a choice its last arm, and operands fill as many lines as they need.
  void assignment(const std::string& before, const std::string& value);

  std::string take() { return std::move(text_); }

 private:
  // Operands with their operators, as many on a line as fit; further lines are indented so far.
  void fill(const std::string& before, const std::vector<std::string>& operands, size_t indented,
            const std::string& after);
  bool broken(const std::string& item, const std::string& after, std::string& row);

  std::string text_;
  int indent_ = 0;
};

std::string join(const std::vector<std::string>& parts, std::string_view separator);
// User text in a comment: what could end the comment or the line is percent-encoded.
std::string harmless(std::string_view text);
// As a C string literal, quotes included.
std::string quoted(std::string_view text);

}  // namespace stencilc::emit
