// The values of params and run-time weights that --param gives.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "ir/ir.h"
#include "lint/lint.h"

namespace stencilc::driver {

using NameValue = std::pair<std::string, std::string>;  // name=value

// The last of the name wins; null: none has it.
const std::string* find(const std::vector<NameValue>& given, const std::string& name);

// The number that the text is; false after a report.
bool set_param(const std::string& text, const ir::Param& param, ir::Scalar& out,
               diag::Engine& engine);
// `--param w=1,2,1`: the values of run-time weights, the last index fastest; false after a report.
bool set_weights(const std::string& text, const ir::Weights& weights,
                 std::vector<ir::Scalar>& values, diag::Engine& engine);

// What of --param fits the params and weights of the stencil; what does not is left out.
lint::Given given_values(const std::vector<NameValue>& given, const ir::Stencil& stencil);

}  // namespace stencilc::driver
