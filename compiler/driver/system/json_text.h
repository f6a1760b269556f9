// Prints JSON for files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace stencilc::driver {

// Indented by two spaces, with a newline at the end. Invalid UTF-8 in names is replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stencilc::driver
