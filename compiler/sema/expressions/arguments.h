// Evaluates the arguments of functions and finite differences where their bodies read them, and
// names those that may be values of their own.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sema/expressions/frame.h"
#include "sema/expressions/statement.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

class Expressions;

class Arguments {
 public:
  // `expressions` evaluates the arguments.
  Arguments(Expressions& expressions, Statement& statement, Scope& scope)
      : expressions_(expressions), statement_(statement), scope_(scope) {}

  // The argument `expr` of the call in `caller`, read at the displacement `place`. `value`: its
  // number, -1 until it turns out that it may be a value. `name`: of the value.
  Operand read(const ast::ExprPtr& expr, const std::string& name, const Frame& caller,
               const ir::Offset& place, const ast::Range& at, int& value);

 private:
  Expressions& expressions_;
  Statement& statement_;
  Scope& scope_;
  // By the number of the argument and the place: what was evaluated, and its size; -1: not counted.
  std::map<std::pair<int, ir::Offset>, std::pair<Operand, int64_t>> known_;
};

}  // namespace stencilc::sema
