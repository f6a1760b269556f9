// Names the language itself gives a meaning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/type.h"

namespace stencilc::sema {

std::optional<ir::Type> find_type(
    const std::string& name);                 // "f32"; not the types of later versions
bool is_later_type(const std::string& name);  // f16, bf16
bool is_builtin_function(const std::string& name);
std::vector<std::string> builtin_functions();
bool is_keyword(const std::string& name);

}  // namespace stencilc::sema
