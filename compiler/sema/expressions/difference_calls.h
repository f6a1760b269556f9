// Evaluates finite differences: laplacian, and dx, dxx, dxy and others named after the axes.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.h"
#include "sema/expressions/arguments.h"
#include "sema/expressions/differences.h"
#include "sema/expressions/frame.h"
#include "sema/expressions/operators.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

class Expressions;

class DifferenceCalls {
 public:
  // `expressions` evaluates named arguments, `arguments` what is differentiated.
  DifferenceCalls(Expressions& expressions, Arguments& arguments, Operators& operators,
                  const Scope& scope, diag::Engine& engine)
      : expressions_(expressions),
        arguments_(arguments),
        operators_(operators),
        scope_(scope),
        engine_(engine) {}

  Operand laplacian(const ast::Call& call, const ast::Range& at, const Frame& frame);
  Operand derivative(const std::vector<int>& axes, const ast::Call& call, const ast::Range& at,
                     const Frame& frame);

 private:
  struct WeightedOffset;
  Operand upwind_difference(const ast::NamedArg& upwind, int order, int axis, const ast::Call& call,
                            const ast::Range& at, const Frame& frame);
  Operand along_axis(const Difference& difference, int axis, const ast::Call& call,
                     const ast::Range& at, const Frame& frame);
  Operand weighted_sum(const std::vector<WeightedOffset>& terms, const ast::Call& call,
                       const ast::Range& at, const Frame& frame);
  bool check_named(const ast::Call& call, std::initializer_list<std::string_view> known,
                   const std::string& shape);
  bool check_form(const ast::Call& call, const std::vector<int>& axes);
  std::optional<int> difference_order(const ast::Call& call, bool sided, const Frame& frame);
  std::optional<int> difference_side(const ast::NamedArg& arg, double unit, const std::string& help,
                                     const Frame& frame);

  Expressions& expressions_;
  Arguments& arguments_;
  Operators& operators_;
  const Scope& scope_;
  diag::Engine& engine_;
};

}  // namespace stencilc::sema
