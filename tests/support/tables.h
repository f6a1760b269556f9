// Tables of tests as they are read: rows of what goes in and what comes out, and pages of a text
// with what is said of it. `--- words` on a line of its own are a title, which failures repeat.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace stencilc::testing {

// `in => out`, or lines of `in` above `=> out`; more lines of `out` are indented by three blanks.
// With `~>` the output holds `out` among other things. A line break at the end does not count.
struct TableRow {
  std::string title, in, out;
  bool whole;
};

std::vector<TableRow> rows_of(const std::string& table);
std::vector<std::string> parts_of(const std::string& in, size_t count);

inline void expect_row(const TableRow& row, std::string made) {
  if (made.ends_with('\n')) made.pop_back();
  if (row.whole) {
    EXPECT_EQ(made, row.out);
  } else {
    EXPECT_NE(made.find(row.out), std::string::npos) << made;
  }
}

// What a function makes of a text; of two or three, which ` | ` parts.
using OfOne = std::function<std::string(const std::string&)>;
using OfTwo = std::function<std::string(const std::string&, const std::string&)>;
using OfThree =
    std::function<std::string(const std::string&, const std::string&, const std::string&)>;

inline void expect_rows(const OfOne& of, const std::string& table) {
  for (const TableRow& row : rows_of(table)) {
    SCOPED_TRACE(row.title + "\n" + row.in);
    expect_row(row, of(row.in));
  }
}
inline void expect_rows(const OfTwo& of, const std::string& table) {
  for (const TableRow& row : rows_of(table)) {
    SCOPED_TRACE(row.title + "\n" + row.in);
    const std::vector<std::string> in = parts_of(row.in, 2);
    expect_row(row, of(in[0], in[1]));
  }
}
inline void expect_rows(const OfThree& of, const std::string& table) {
  for (const TableRow& row : rows_of(table)) {
    SCOPED_TRACE(row.title + "\n" + row.in);
    const std::vector<std::string> in = parts_of(row.in, 3);
    expect_row(row, of(in[0], in[1], in[2]));
  }
}

// A page is a text with what is said of it below the lines:
//
//   u[t+1] = 2*v;
//              ^ error: `v` is not declared [STN0201]
//     help: declare it, as in `param f32 v;`
//
// A note with a place belongs to the first error, `note 2:` to the second. What is said is compared
// as the whole text that people see.
struct Page {
  std::string title, text, said;
};

// Pages stand between empty lines; where they are of `statements`, a line after what is said
// begins the next.
std::vector<Page> pages_of(const std::string& book, int first_line, bool of_statements);

// Of each page between the same two texts.
inline void expect_pages(const OfOne& judge, const std::string& before, const std::string& after,
                         const std::string& book, bool of_statements = false) {
  const auto lines = std::count(before.begin(), before.end(), '\n');
  for (const Page& page : pages_of(book, 1 + static_cast<int>(lines), of_statements)) {
    EXPECT_EQ(judge(before + page.text + after), page.said) << page.title << "\n" << page.text;
  }
}
inline void expect_statements(const OfOne& judge, const std::string& before,
                              const std::string& after, const std::string& book) {
  expect_pages(judge, before, after, book, true);
}
inline void expect_pages(const OfOne& judge, const std::string& book) {
  expect_pages(judge, "", "\n", book);
}

}  // namespace stencilc::testing
