// Evaluates expressions of the syntax tree to IR.
//
// Evaluation happens at a displacement: `lap[x+1]` evaluates the expression of the let with every
// read shifted by one cell. The bodies of operators and functions are displaced in the same way.
// Window variables and function arguments are in a Frame.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "sema/expressions/calls.h"
#include "sema/expressions/frame.h"
#include "sema/expressions/lookup.h"
#include "sema/expressions/operators.h"
#include "sema/expressions/reads.h"
#include "sema/expressions/statement.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

// Walks the tree, and leaves names to Reads, operators to Operators and calls to Calls.
class Expressions {
 public:
  // `broken`: functions with a reported error, so that it is reported once and not for each call.
  Expressions(Scope& scope, std::set<const ast::Function*>& broken, diag::Engine& engine)
      : engine_(engine),
        statement_(engine),
        lookup_(statement_, scope, engine),
        operators_(scope, engine),
        arguments_(*this, statement_, scope),
        reads_(*this, arguments_, lookup_, statement_, scope, engine),
        calls_(*this, arguments_, operators_, lookup_, statement_, scope, broken, engine) {}
  Expressions(const Expressions&) = delete;
  Expressions& operator=(const Expressions&) = delete;

  // If both arms of ?: are literals, the operand stays a literal and takes the type `want`.
  Operand evaluate(const ast::ExprPtr& expr, const Frame& frame, std::optional<ir::Type> want = {});

  // A bool for every cell; null after an error.
  ir::ExprPtr condition(const ast::ExprPtr& expr);

  // Compile-time values; nothing, after an error, if the expression is not constant. `what`
  // completes "... is not constant".
  std::optional<int64_t> constant_integer(const ast::ExprPtr& expr, const Frame& frame,
                                          const std::string& what);
  std::optional<Literal> constant_number(const ast::ExprPtr& expr, const Frame& frame,
                                         const std::string& what);

  // See Operators and Reads.
  ir::ExprPtr assign(const Operand& operand, ir::Type type, const ast::Range& at,
                     const std::string& target) {
    return operators_.assign(operand, type, at, target);
  }
  std::optional<ir::Constant> adopt(const Literal& literal, ir::Type type, const ast::Range& at) {
    return operators_.adopt(literal, type, at);
  }
  std::optional<Site> site(const std::vector<ast::ExprPtr>& args, const ast::Range& at,
                           const Frame& frame, const ir::Field* field = nullptr) {
    return reads_.site(args, at, frame, field);
  }

  // See Statement::start().
  void start_statement(int changed = -1) {
    statement_.start(changed);
    calls_.start_statement();
  }

 private:
  Operand node(const ast::Number& number, const ast::Expr&, const Frame&, std::optional<ir::Type>);
  Operand node(const ast::Bool& value, const ast::Expr&, const Frame&, std::optional<ir::Type>);
  Operand node(const ast::Name& name, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Access& access, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Unary& unary, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type> want);
  Operand node(const ast::Binary& binary, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type> want);
  Operand node(const ast::Ternary& ternary, const ast::Expr&, const Frame& frame,
               std::optional<ir::Type> want);
  Operand node(const ast::Call& call, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type> want);
  Operand node(const ast::Window& window, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type> want);
  Operand power(const Operand& base, const ast::ExprPtr& exponent, const ast::Range& at,
                const Frame& frame);

  diag::Engine& engine_;
  Statement statement_;
  Lookup lookup_;
  Operators operators_;
  Arguments arguments_;
  Reads reads_;
  Calls calls_;
  int depth_ = 0;  // nested calls of evaluate()
};

}  // namespace stencilc::sema
