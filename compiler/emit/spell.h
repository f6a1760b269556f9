// How expressions and types are spelt in each dialect.
#pragma once

#include <string>

#include "emit/emit.h"
#include "kernel/kernel.h"

namespace stencilc::emit {

std::string spell(kernel::Type type);  // float, uint8_t, Index
std::string literal(kernel::Type type, double real, int64_t integer);

// `rank` is that of the launch grid: what does not fit the grid's y axis goes on in z for two axes.
std::string spell(const kernel::ExprPtr& expr, Dialect dialect, int rank);

}  // namespace stencilc::emit
