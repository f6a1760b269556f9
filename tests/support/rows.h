// Tables that are texts: a row has cells with `=>` between them, and goes on where the next line
// begins further right; `//` begins a comment. A function of the first cell may be held against the
// second one.
//
//   expect_rows(problem, R"(
//     steps=0  => `steps=0`: a launch takes 1 to 32 time steps
//     steps=2  =>
//   )");
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stencilc::testing {

using Cells = std::vector<std::string>;

inline std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}
inline Cells parts_of(std::string_view text, std::string_view separator) {
  Cells parts;
  for (size_t at = 0; at != text.npos;) {
    const size_t end = text.find(separator, at);
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end == text.npos ? end : end + separator.size();
  }
  return parts;
}

inline std::vector<Cells> rows(std::string_view table, std::string_view separator = "=>") {
  std::vector<std::string> texts;
  size_t margin = std::string_view::npos;
  for (size_t at = 0; at < table.size();) {
    const std::string_view line = table.substr(at, table.find('\n', at) - at);
    at += line.size() + 1;
    const size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) continue;
    margin = std::min(margin, begin);  // that of the first row
    if (begin > margin)
      texts.back() += " " + trimmed(line);
    else
      texts.push_back(trimmed(line));
  }
  std::vector<Cells> result;
  for (const std::string& text : texts)
    if (!text.starts_with("//")) result.push_back(parts_of(text, separator));
  return result;
}

// How results stand in tables.
template <class Value>
std::string shown(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>)
    return value ? "yes" : "no";
  else if constexpr (std::is_arithmetic_v<Value>)
    return std::to_string(value);
  else
    return std::string(value);
}

template <class Function>
void expect_rows(const Function& function, std::string_view table,
                 const std::source_location& here = std::source_location::current()) {
  for (const Cells& row : rows(table)) {
    const ::testing::ScopedTrace trace(here.file_name(), static_cast<int>(here.line()), row.at(0));
    EXPECT_EQ(shown(function(row[0])), row.at(1));
  }
}

}  // namespace stencilc::testing
