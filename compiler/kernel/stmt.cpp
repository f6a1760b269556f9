// What copies, moves and destroys statements.
#include "kernel/kernel.h"

namespace stencilc::kernel {

Stmt::Stmt(const Stmt& other) = default;
Stmt::Stmt(Stmt&& other) noexcept = default;
Stmt& Stmt::operator=(const Stmt& other) = default;
Stmt& Stmt::operator=(Stmt&& other) noexcept = default;
Stmt::~Stmt() = default;

}  // namespace stencilc::kernel
