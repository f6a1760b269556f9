// JSON as it is written to files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace stencilc::driver {

// Indented by two blanks, with a line break at the end. Bytes of names that are no UTF-8 are
// replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stencilc::driver
