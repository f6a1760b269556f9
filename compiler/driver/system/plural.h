// Formats a number with its noun: "1 step", "2 steps".
#pragma once

#include <fmt/format.h>

#include <string>

namespace stencilc::driver {

inline std::string plural(int number, const std::string& one, const std::string& more) {
  return fmt::format("{} {}", number, number == 1 ? one : more);
}

}  // namespace stencilc::driver
