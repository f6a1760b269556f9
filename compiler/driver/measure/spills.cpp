#include "driver/measure/spills.h"

#include <fmt/format.h>

#include <algorithm>

namespace stencilc::driver {
namespace {

int spilled(const std::optional<Resources>& resources) {
  return resources ? resources->spilled : 0;
}

}  // namespace

bool spills_too_much(const std::optional<Resources>& resources) {
  return spilled(resources) > kMostSpilled;
}

std::vector<bool> left_out(const std::vector<std::optional<Resources>>& all, bool& seen) {
  seen = seen || !std::ranges::all_of(all, spills_too_much);
  std::vector<bool> result;
  for (const std::optional<Resources>& one : all) result.push_back(seen && spills_too_much(one));
  return result;
}

size_t least_spilling(const std::vector<std::optional<Resources>>& all) {
  return static_cast<size_t>(std::ranges::min_element(all, {}, spilled) - all.begin());
}

std::string spilled_text(const Resources& resources) {
  return fmt::format("{} bytes of registers per thread", resources.spilled);
}

}  // namespace stencilc::driver
