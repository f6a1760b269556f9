// Reports on what a run was given.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.h"

namespace stencilc::driver {

// Reports that what a run was given cannot be used; always false.
bool bad_input(diag::Engine& engine, const std::string& text);
// The same of a name that is none of `known`, with what is likely meant.
bool unknown_input(diag::Engine& engine, const std::string& text, const std::string& name,
                   const std::vector<std::string>& known);

}  // namespace stencilc::driver
