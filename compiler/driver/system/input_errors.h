// Reports errors in the inputs of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "ir/ir.h"

namespace stencilc::driver {

// Reports that an input cannot be used. Always returns false.
bool bad_input(diag::Engine& engine, const std::string& text);
// The same for an unknown name, with the name that was likely meant.
bool unknown_input(diag::Engine& engine, const std::string& text, const std::string& name,
                   const std::vector<std::string>& known);
// The same for a name that is no field, param or list of points (`kind`) of the stencil. What is of
// another kind has another option.
bool unknown_of(diag::Engine& engine, const ir::Stencil& stencil, const std::string& kind,
                const std::string& name, const std::vector<std::string>& known);

// Whether there are as many extents as axes. If not, reports it.
bool has_axes(diag::Engine& engine, const std::vector<int64_t>& extents, int axes);

}  // namespace stencilc::driver
