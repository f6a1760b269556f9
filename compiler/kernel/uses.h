// The names that expressions and statements use.
#pragma once

#include <string>
#include <unordered_set>

#include "kernel/kernel.h"

namespace stencilc::kernel {

// Collects the buffers, variables and functions that are read or written.
struct Uses {
  std::unordered_set<std::string> names;

  void in(const ExprPtr& expr);
  void in(const Stmt& stmt);
  void in(const Body& body);
  void merge(std::unordered_set<std::string> other);
};

}  // namespace stencilc::kernel
