// Finds what names in expressions mean, and reports those that nothing declares.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "sema/expressions/frame.h"
#include "sema/expressions/statement.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

class Lookup {
 public:
  Lookup(Statement& statement, Scope& scope, diag::Engine& engine)
      : statement_(statement), scope_(scope), engine_(engine) {}

  // Null after an error. `declared`: the word with which the name could be declared.
  Symbol* find_symbol(const ast::Ident& ident, const char* declared, const Frame& frame);
  bool check_declared(const ast::Ident& ident);  // of a name in an offset
  void report_unknown_function(const ast::Ident& function);

  // Reports further undeclared names in an expression whose evaluation stopped at the first one.
  // `bound`: the variables of windows around it.
  void report_unknown_names(const ast::ExprPtr& expr, const Frame& frame,
                            std::vector<std::string> bound = {});

 private:
  void report_unknown_names_in_index(const ast::ExprPtr& expr, const Frame& frame,
                                     const std::vector<std::string>& bound);

  Statement& statement_;
  Scope& scope_;
  diag::Engine& engine_;
};

}  // namespace stencilc::sema
