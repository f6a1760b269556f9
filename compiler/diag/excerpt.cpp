#include "diag/excerpt.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace stencilc::diag {
namespace {

constexpr uint32_t columns = 200;
constexpr uint32_t tab = 4;
// Only as much of a line is read as can be shown; a column needs at most four bytes.
constexpr uint32_t bytes = 4 * columns;

// How some bytes of the line are printed.
struct Cell {
  uint32_t begin;  // position in the text
  std::string shown;
  uint32_t width;
};

// The length of the first UTF-8 character; 1 for a byte that starts none.
size_t character_length(std::string_view text) {
  auto lead = static_cast<unsigned char>(text[0]);
  size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  if (lead >= 0xF5 || text.size() < length) return 1;
  for (size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xC0) != 0x80) return 1;
  }
  return length;
}

std::string escaped(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::vector<Cell> cells(std::string_view text, uint32_t from, uint32_t to) {
  std::vector<Cell> result;
  uint32_t column = 0;
  for (uint32_t i = from; i < to;) {
    auto byte = static_cast<unsigned char>(text[i]);
    auto length = static_cast<uint32_t>(character_length(text.substr(i, to - i)));
    Cell cell{i, std::string(text.substr(i, length)), 1};
    if (byte == '\t') {
      cell.width = tab - column % tab;
      cell.shown = std::string(cell.width, ' ');
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && length == 1)) {
      cell.shown = escaped(byte);
      cell.width = static_cast<uint32_t>(cell.shown.size());
    }
    column += cell.width;
    result.push_back(std::move(cell));
    i += length;
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    auto byte = static_cast<unsigned char>(text[i]);
    size_t length = character_length(text.substr(i));
    // U+0080 to U+009F, of two bytes, are control characters as well.
    bool control = byte < 0x20 ? byte != '\n' && byte != '\t' : byte == 0x7F;
    control |= length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (control || (byte >= 0x80 && length == 1)) {
      for (size_t k = 0; k < length; ++k)
        result += escaped(static_cast<unsigned char>(text[i + k]));
    } else {
      result += text.substr(i, length);
    }
    i += length;
  }
  return result;
}

Excerpt excerpt(const Source& source, Range at) {
  std::string_view text = source.text;
  auto size = static_cast<uint32_t>(text.size());
  uint32_t begin = std::min(at.begin, size);
  Excerpt result;
  result.begin = position(source, begin);

  uint32_t line_begin = begin - (result.begin.column - 1);
  if (line_begin == 0 && text.starts_with("\xEF\xBB\xBF")) line_begin = std::min(begin, 3u);
  uint32_t line_end = line_begins(source)[result.begin.line] - 1;
  if (line_end > begin && text[line_end - 1] == '\r') --line_end;
  uint32_t range_end = std::clamp(at.end, begin, std::max(begin, line_end));

  std::vector<Cell> line = cells(text, std::max(line_begin, begin - std::min(begin, bytes)),
                                 std::min(std::max(line_end, begin), begin + bytes));
  uint32_t total = 0, caret_column = 0;
  for (const Cell& cell : line) {
    if (cell.begin < begin) caret_column += cell.width;
    total += cell.width;
  }
  // The range of columns that is shown: the whole line, or equal parts before and after the caret.
  uint32_t first = total <= columns || caret_column <= columns / 2 ? 0 : caret_column - columns / 2;
  uint32_t column = 0, width = 0;
  for (const Cell& cell : line) {
    bool shown = column >= first && column + cell.width <= first + columns;
    column += cell.width;
    if (!shown) continue;
    if (cell.begin < begin) result.caret += cell.width;
    if (cell.begin >= begin && cell.begin < range_end) width += cell.width;
    result.line += cell.shown;
  }
  result.width = std::max(width, 1u);
  return result;
}

}  // namespace stencilc::diag
