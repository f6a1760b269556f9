// Knows the functions of the language.
#pragma once

#include <string>
#include <vector>

#include "ir/operations.h"

namespace stencilc::sema {

struct MathFunction {
  const char* name;
  ir::Op op;
  int arity;  // -2: two or more arguments
};
const MathFunction* find_math(const std::string& name);  // null if there is none

bool is_builtin_function(const std::string& name);
std::vector<std::string> builtin_functions();
// The name here of a function of C or of a textbook; "" if there is none.
std::string known_elsewhere(std::string name);
// An advice about a function of C or CUDA that the language does not have; "" if there is none.
std::string written_instead(const std::string& name);

}  // namespace stencilc::sema
