#include "driver/inputs/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stencilc::driver {

std::optional<LevelName> level_name(const std::string& text) {
  const size_t bracket = text.find('[');
  if (bracket == std::string::npos) return LevelName{text, {}};
  std::string inside = text.substr(bracket + 1);
  std::erase(inside, ' ');
  if (bracket == 0 || !inside.starts_with('t') || !inside.ends_with(']')) return {};
  inside = inside.substr(1, inside.size() - 2);
  LevelName name{text.substr(0, bracket), 0};
  if (inside.empty()) return name;
  const char* const end = inside.data() + inside.size();
  const auto [next, error] = std::from_chars(inside.data() + 1, end, *name.level);
  const bool good = inside[0] == '-' && inside.size() > 1 && inside[1] != '-';
  if (!good || error != std::errc() || next != end) return {};
  return name;
}

int first_levels(const ir::Field& field) {
  return field.role == ir::Role::stepped ? field.levels() : 1;
}

std::string print_level(const ir::Field& field, int level) {
  if (first_levels(field) == 1) return field.name;
  return level == 0 ? field.name + "[t]" : fmt::format("{}[t-{}]", field.name, level);
}

std::vector<std::string> names_of_levels(const ir::Stencil& stencil,
                                         const std::vector<std::vector<bool>>& listed) {
  std::vector<std::string> names;
  for (size_t f = 0; f < listed.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    if (std::ranges::all_of(listed[f], [](bool one) { return one; })) {
      names.push_back(field.name);
      continue;
    }
    for (size_t level = 0; level < listed[f].size(); ++level)
      if (listed[f][level]) names.push_back(print_level(field, static_cast<int>(level)));
  }
  return names;
}

}  // namespace stencilc::driver
