#include "driver/run/numbered.h"

#include <fmt/format.h>

#include "driver/inputs/file_names.h"

namespace stencilc::driver {
namespace {

// `%d` or `%0Nd`, from `begin` to `end`.
struct NumberPlace {
  size_t begin = std::string::npos, end = 0;
  size_t width = 0;
};

NumberPlace number_place(const std::string& text, size_t from = 0) {
  for (size_t at = text.find('%', from); at != std::string::npos; at = text.find('%', at + 1)) {
    size_t end = at + 1;
    size_t width = 0;
    if (end < text.size() && text[end] == '0')
      for (++end; end < text.size() && text[end] >= '0' && text[end] <= '9' && end < at + 4; ++end)
        width = width * 10 + static_cast<size_t>(text[end] - '0');
    if (end < text.size() && text[end] == 'd' && width <= 20) return {at, end + 1, width};
  }
  return {};
}

}  // namespace

bool has_number(const std::string& text) { return number_place(text).begin != std::string::npos; }

std::string numbered(const std::string& text, int64_t step) {
  const NumberPlace place = number_place(text);
  if (place.begin == std::string::npos) return text;
  std::string digits = std::to_string(step);
  if (digits.size() < place.width) digits.insert(0, place.width - digits.size(), '0');
  return text.substr(0, place.begin) + digits + text.substr(place.end);
}

std::string without_number(const std::string& text) {
  const NumberPlace place = number_place(text);
  if (place.begin == std::string::npos) return text;
  std::string before = text.substr(0, place.begin);
  while (!before.empty() && std::string_view("_-.").find(before.back()) != std::string_view::npos)
    before.pop_back();
  if (before.empty() || before.back() == '/') before += "series";
  return before + text.substr(place.end);
}

std::string misnumbered(const std::string& path, bool every) {
  if (!every) {
    const std::string why = numbered_file(path);
    return why.empty() ? "" : why + ", or write snapshots with `--every N`";
  }
  if (path == "-") return "snapshots go to files, and `-` is standard output";
  const NumberPlace place = number_place(path);
  if (place.begin == std::string::npos)
    return "with `--every` there is a file for each snapshot, and its name needs a place for the "
           "number of the step, such as `%06d`";
  if (number_place(path, place.end).begin != std::string::npos)
    return "the name has two places for the number of the step";
  return "";
}

}  // namespace stencilc::driver
