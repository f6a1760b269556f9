#include "sema/symbols/types.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stencilc::sema {

std::optional<ir::Type> find_type(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(ir::Type::f64); ++i)
    if (ir::name(static_cast<ir::Type>(i)) == name) return static_cast<ir::Type>(i);
  return {};
}

bool is_later_type(const std::string& name) { return name == "f128"; }

bool is_keyword(const std::string& name) {
  static constexpr std::array<std::string_view, 24> kWords = {
      "axes",     "boundary", "color",   "compute", "const",   "field",  "fn",     "in",
      "inject",   "iterate",  "let",     "on",      "param",   "points", "reduce", "sample",
      "schedule", "series",   "stencil", "use",     "weights", "where",  "true",   "false"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

}  // namespace stencilc::sema
