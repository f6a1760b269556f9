// What tests ask of texts. Each function that expects something says where it was called from.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <source_location>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace stencilc::testing {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}
inline int count(std::string_view text, std::string_view part) {
  int n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
// The first line that holds a part.
inline std::string line_with(const std::string& text, std::string_view part) {
  for (const std::string& line : lines_of(text))
    if (has(line, part)) return line;
  return "no " + std::string(part) + " in:\n" + text;
}

using Parts = std::initializer_list<std::string_view>;
using Here = std::source_location;

inline void complain(const Here& here, std::string_view what, std::string_view part,
                     std::string_view text) {
  ADD_FAILURE_AT(here.file_name(), static_cast<int>(here.line()))
      << what << " `" << part << "` in:\n"
      << text;
}
inline void expect_has(std::string_view text, Parts parts, const Here& here = Here::current()) {
  for (const std::string_view part : parts)
    if (!has(text, part)) complain(here, "no", part, text);
}
inline void expect_lacks(std::string_view text, Parts parts, const Here& here = Here::current()) {
  for (const std::string_view part : parts)
    if (has(text, part)) complain(here, "there is", part, text);
}
inline void expect_begins(std::string_view text, std::string_view part,
                          const Here& here = Here::current()) {
  if (!text.starts_with(part)) complain(here, "it does not begin with", part, text);
}
// Of a list: it holds this text alone, or "" and is empty.
inline void expect_only(const std::vector<std::string>& list, std::string_view text,
                        const Here& here = Here::current()) {
  std::string all;
  for (const std::string& one : list) all += (all.empty() ? "" : "\n") + one;
  if (all != text) complain(here, "it is not", text, all);
}
// The parts stand after each other.
inline void expect_in_order(std::string_view text, Parts parts,
                            const Here& here = Here::current()) {
  size_t at = 0;
  for (const std::string_view part : parts) {
    const size_t found = text.find(part, at);
    if (found == text.npos) return complain(here, "behind what was found there is no", part, text);
    at = found + part.size();
  }
}

}  // namespace stencilc::testing
