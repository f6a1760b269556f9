// The names that expressions and statements use.
#pragma once

#include <set>
#include <string>

#include "kernel/kernel.h"

namespace stencilc::kernel {

// Collects the buffers, variables and functions that are read or written.
struct Uses {
  std::set<std::string> names;

  void in(const ExprPtr& expr);
  void in(const Body& body);
};

}  // namespace stencilc::kernel
