#include "diag/codes.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <vector>

#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> table() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    for (auto part :
         {syntax_rows(), name_rows(), value_rows(), grid_rows(), tool_rows(), lint_rows()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    std::ranges::stable_sort(all, {}, [](const Row& row) { return row.code.number; });
    return all;
  }();
  return rows;
}

const Row& row(Code code) {
  auto found = std::ranges::find(table(), code, &Row::code);
  assert(found != table().end() && "every code of codes.h has a row");
  return *found;
}

const Row* find_row(std::string_view wanted) {
  auto found = std::ranges::find_if(
      table(), [&](const Row& row) { return row.name == wanted || id(row.code) == wanted; });
  return found == table().end() ? nullptr : &*found;
}

std::string id(Code code) {
  char text[sizeof "STN65535"];
  std::snprintf(text, sizeof text, "STN%04u", static_cast<unsigned>(code.number));
  return text;
}

}  // namespace stencilc::diag
