// What the threads of a block that holds a resident tile hold in registers.
#pragma once

#include "kernel/build.h"

namespace stencilc::lower {

// What a thread holds of a field at a time level: its own rows, with three axes those of its
// planes, and what is read around them.
struct Held {
  int field = 0, level = 0;
  int below = 0, above = 0, left = 0, right = 0;
  int low = 0, high = 0;  // planes
  kernel::Count rows;     // of a plane
  kernel::Buffer registers;

  // Where row r of plane p is in them, all planes after one another; null, where there is one. p
  // is null with two axes.
  kernel::ExprPtr row(const kernel::ExprPtr& p, const kernel::ExprPtr& r) const {
    if (registers.rows == 1) return nullptr;
    const kernel::ExprPtr at = kernel::add(r, below);
    return p ? kernel::add(plane(p), at) : at;
  }
  kernel::ExprPtr plane(const kernel::ExprPtr& p) const {  // its first one
    return p ? kernel::mul(kernel::add(p, low), kernel::index(rows)) : nullptr;
  }
  // Cell v of row r of plane p, counted from the thread's first ones.
  kernel::ExprPtr value(const kernel::ExprPtr& p, const kernel::ExprPtr& r,
                        const kernel::ExprPtr& v) const {
    return kernel::make(registers.element,
                        kernel::Load{registers, kernel::add(v, left), row(p, r)});
  }
};

}  // namespace stencilc::lower
