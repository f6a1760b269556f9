#include "support/tables.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace stencilc::testing {

std::vector<TableRow> rows_of(const std::string& table) {
  std::vector<TableRow> rows;
  std::string title, in;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("--- ")) {
      title = line.substr(4);
      continue;
    }
    if (line.starts_with("   ") && in.empty() && !rows.empty()) {
      rows.back().out += "\n" + line.substr(3);
      continue;
    }
    const std::string padded = " " + line + " ";
    const size_t at = std::min(padded.find(" => "), padded.find(" ~> "));
    const std::string left = line.substr(0, at == 0 ? 0 : at - 1);
    if (!left.empty()) in += (in.empty() ? "" : "\n") + left;
    if (at == std::string::npos) continue;
    const bool whole = padded[at + 1] == '=';
    rows.push_back({title, in, line.size() > at + 3 ? line.substr(at + 3) : "", whole});
    in = "";
  }
  if (!in.empty() || rows.empty()) throw std::runtime_error("a row without an output: " + in);
  return rows;
}

std::vector<std::string> parts_of(const std::string& in, size_t count) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t at; (at = in.find(" | ", begin)) != std::string::npos; begin = at + 3)
    parts.push_back(in.substr(begin, at - begin));
  parts.push_back(in.substr(begin));
  if (parts.size() != count) throw std::runtime_error("a row of another width: " + in);
  return parts;
}

namespace {

// `^~~ error: ...`
bool is_mark(const std::string& line) {
  const size_t caret = line.find_first_not_of(' ');
  if (caret == std::string::npos || line[caret] != '^') return false;
  const size_t end = line.find_first_not_of('~', caret + 1);
  return end != std::string::npos && line[end] == ' ';
}
bool is_remark(const std::string& line) {
  return line.starts_with("  help: ") || line.starts_with("  note: ");
}

Page page_of(const std::vector<std::string>& lines, int first_line) {
  struct Said {
    std::string error, notes, remarks;
  };
  std::vector<Said> all;
  std::vector<std::pair<size_t, std::string>> notes;
  Page page;
  std::string shown;
  int number = first_line - 1;
  for (const std::string& line : lines) {
    if (line.starts_with("--- ")) {
      page.title = line.substr(4);
    } else if (is_mark(line)) {
      const size_t caret = line.find('^'), end = line.find(' ', caret),
                   colon = line.find(": ", end);
      const std::string kind = line.substr(end + 1, colon - end - 1);
      std::string margin = std::to_string(number);
      margin.insert(0, 4 - std::min<size_t>(4, margin.size()), ' ');
      const std::string place =
          "in.stn:" + std::to_string(number) + ":" + std::to_string(caret + 1) + ": ";
      const std::string text = line.substr(colon) + "\n" + margin + " | " + shown + "\n" +
                               std::string(margin.size(), ' ') + " | " + line.substr(0, end) + "\n";
      if (kind.starts_with("note"))
        notes.emplace_back(kind == "note" ? 1 : std::stoul(kind.substr(5)), place + "note" + text);
      else
        all.push_back({place + kind + text, "", ""});
    } else if (is_remark(line)) {
      all.at(all.size() - 1).remarks += line + "\n";
    } else {
      if (number >= first_line) page.text += "\n";
      page.text += shown = line;
      ++number;
    }
  }
  for (const auto& [of, note] : notes) all.at(of - 1).notes += note;
  for (const Said& one : all) page.said += one.error + one.notes + one.remarks;
  return page;
}

}  // namespace

std::vector<Page> pages_of(const std::string& book, int first_line, bool of_statements) {
  std::vector<Page> pages;
  std::vector<std::string> lines;
  bool said = false;
  const auto finish = [&] {
    if (!lines.empty()) pages.push_back(page_of(lines, first_line));
    lines.clear();
    said = false;
  };
  std::istringstream in(book);
  for (std::string line; std::getline(in, line);) {
    const bool remarks = is_mark(line) || is_remark(line);
    if (line.empty() || (of_statements && said && !remarks)) finish();
    if (!line.empty()) lines.push_back(line);
    said = said || remarks;
  }
  finish();
  if (pages.empty()) throw std::runtime_error("a book without pages");
  return pages;
}

}  // namespace stencilc::testing
