// Knows the names that the language reserves.
#pragma once

#include <optional>
#include <string>

#include "ir/type.h"

namespace stencilc::sema {

std::optional<ir::Type> find_type(const std::string& name);  // "f32"
bool is_later_type(const std::string& name);                 // f128
bool is_keyword(const std::string& name);

}  // namespace stencilc::sema
