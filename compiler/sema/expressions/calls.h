// Evaluates calls: functions of the program, casts, mathematical functions, finite differences.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "sema/expressions/difference_calls.h"
#include "sema/expressions/frame.h"
#include "sema/expressions/lookup.h"
#include "sema/expressions/operators.h"
#include "sema/expressions/statement.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

class Expressions;

class Calls {
 public:
  // `expressions` evaluates arguments and the bodies of functions. `broken`: functions with a
  // reported error, so that it is reported once and not for each call.
  Calls(Expressions& expressions, Arguments& arguments, Operators& operators, Lookup& lookup,
        Statement& statement, Scope& scope, std::set<const ast::Function*>& broken,
        diag::Engine& engine)
      : expressions_(expressions),
        operators_(operators),
        lookup_(lookup),
        statement_(statement),
        scope_(scope),
        broken_(broken),
        engine_(engine),
        differences_(expressions, arguments, operators, scope, engine) {}

  Operand evaluate(const ast::Call& call, const ast::Range& at, const Frame& frame,
                   std::optional<ir::Type> want);

  void start_statement() {
    walked_.clear();
    results_.clear();
  }

 private:
  // A function, a field that is changed, the displacement of its body, and the numbers that are its
  // arguments.
  using FunctionCall = std::tuple<const ast::Function*, int, ir::Offset,
                                  std::vector<std::tuple<bool, int64_t, double>>>;
  std::optional<FunctionCall> known_call(const ast::Function& function, const ast::Call& call,
                                         const Frame& frame) const;
  std::optional<Literal> known_number(const ast::ExprPtr& expr, const Frame& frame,
                                      int depth) const;
  Operand call_function(const ast::Function& function, const ast::Call& call, const ast::Range& at,
                        const Frame& frame);
  Operand call_cast(ir::Type type, bool saturate, const ast::Call& call, const Frame& frame);
  Operand call_bits(ir::Op op, const std::vector<Operand>& args, const ast::Range& at);
  Operand call_math(ir::Op op, const ast::Call& call, const Frame& frame,
                    std::optional<ir::Type> want);

  Expressions& expressions_;
  Operators& operators_;
  Lookup& lookup_;
  Statement& statement_;
  Scope& scope_;
  std::set<const ast::Function*>& broken_;
  diag::Engine& engine_;
  DifferenceCalls differences_;
  std::set<const ast::Function*> walked_;  // whose unknown names were reported in this statement
  // Results of functions of numbers in this statement, which a window calls often.
  std::map<FunctionCall, std::pair<Operand, int64_t>> results_;  // with the size of each
};

// Whether the call has `count` arguments without a name. `shape` shows how it is used.
bool check_count(const ast::Call& call, size_t count, const std::string& shape,
                 diag::Engine& engine);

}  // namespace stencilc::sema
