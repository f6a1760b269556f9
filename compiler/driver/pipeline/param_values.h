// Reads the values of params and run-time weights from --param.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "ir/ir.h"
#include "lint/lint.h"

namespace stencilc::driver {

using NameValue = std::pair<std::string, std::string>;  // name=value

// The last one of this name; null if there is none.
const std::string* find(const std::vector<NameValue>& given, const std::string& name);

// Reads a number; false after an error.
bool set_param(const std::string& text, const ir::Param& param, ir::Scalar& out,
               diag::Engine& engine);
// Reads the values of run-time weights, as in `--param w=1,2,1`; the last index changes fastest.
// False after an error.
bool set_weights(const std::string& text, const ir::Weights& weights,
                 std::vector<ir::Scalar>& values, diag::Engine& engine);

// The values of --param that fit the params and weights of the stencil; others are left out.
lint::Given given_values(const std::vector<NameValue>& given, const ir::Stencil& stencil);

}  // namespace stencilc::driver
