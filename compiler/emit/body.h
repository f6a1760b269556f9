// Statements of a kernel as text.
#pragma once

#include "emit/emit.h"
#include "emit/writer.h"

namespace stencilc::emit {

// `source` and `self` are the names #line directives give: the .stn and the file being written.
void write_kernel(Writer& out, const kernel::Module& module, const Options& options,
                  const std::string& self);

}  // namespace stencilc::emit
