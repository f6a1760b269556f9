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

// Rounded arithmetic as runtime/include/stencil/host_number.h spells it for the host.
std::string spell_on_host(const kernel::ExprPtr& expr);

// Where values of a kernel's buffer begin, from a text of the index: &u[i], or u + i of a texture.
std::string place_in(const kernel::Buffer& buffer, const std::string& at);

// float, 4, Index: of the texture over a buffer whose texels hold four values.
std::string texture_arguments(const kernel::Buffer& buffer);

}  // namespace stencilc::emit
