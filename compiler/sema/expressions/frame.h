// Holds what an expression is evaluated with: its displacement, and the values of the variables of
// windows and of the arguments of functions around it.
#pragma once

#include <string>
#include <vector>

#include "ast/ast.h"
#include "ir/ir.h"

namespace stencilc::sema {

struct Frame {
  struct Binding {
    std::string name;
    bool is_number = false;
    int64_t number = 0;     // a window variable
    ast::ExprPtr argument;  // or a function argument, evaluated in the frame of the caller
    const Frame* caller = nullptr;
    const ast::Function* function = nullptr;  // whose argument it is
    int* value = nullptr;  // its number in Arguments, for all copies of the frame of the call
  };
  ir::Offset shift = {};
  std::vector<Binding> bindings;
  const Frame* outer = nullptr;   // variables of enclosing windows; null in a function body
  const Frame* caller = nullptr;  // of the function with this body
  const ast::Function* function = nullptr;  // null outside functions
  int depth = 0;                            // of function calls
};

inline const Frame::Binding* find_binding(const std::string& name, const Frame& frame) {
  for (const Frame* f = &frame; f; f = f->outer)
    for (const Frame::Binding& binding : f->bindings)
      if (binding.name == name) return &binding;
  return nullptr;
}

}  // namespace stencilc::sema
