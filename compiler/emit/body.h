// Statements of a kernel as text.
#pragma once

#include "emit/emit.h"
#include "emit/writer.h"

namespace stencilc::emit {

// `self` is the name #line directives give the file being written.
void write_kernel(Writer& out, const kernel::Module& module, const kernel::Kernel& kernel,
                  const Options& options, const std::string& self);

// Statements of the host.
void write_statements(Writer& out, const kernel::Module& module, const kernel::Body& body,
                      Dialect dialect);

}  // namespace stencilc::emit
