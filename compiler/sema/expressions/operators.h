// Applies operators to values: the types of their operands, conversions, the arithmetic of
// literals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

inline Operand fail() { return {}; }
Operand literal_integer(int64_t value);
Operand literal_real(double value, std::optional<ir::Fraction> exact);
Operand typed(ir::ExprPtr expr);
bool is_zero(const Operand& operand);  // a literal or constant 0

// The result of an operand that failed is one that failed.
class Operators {
 public:
  Operators(const Scope& scope, diag::Engine& engine) : scope_(scope), engine_(engine) {}

  Operand arithmetic(ir::Op op, const Operand& a, const Operand& b, const ast::Range& at);
  Operand negate(const Operand& operand, const ast::Range& at);
  Operand power(const Operand& base, const Literal& exponent, const ast::Range& at,
                const ast::Range& exponent_at);
  Operand compare(ir::Op op, const Operand& a, const Operand& b, const ast::Range& at);
  Operand logic(ir::Op op, const std::vector<Operand>& args, const std::vector<ast::Range>& at);
  Operand extremum(ir::Op op, const Operand& a, const Operand& b, const ast::Range& at,
                   std::optional<ir::Type> want);
  Operand select(const Operand& condition, const Operand& yes, const Operand& no,
                 const ast::Ternary& at, std::optional<ir::Type> want);

  ir::Type common_type(const Operand& a, const Operand& b) const;
  // Null after an error, as that of assign().
  ir::ExprPtr in_type(const Operand& operand, ir::Type type, const ast::Range& at);
  // A literal as a constant of `type`; reports if it does not fit.
  std::optional<ir::Constant> adopt(const Literal& literal, ir::Type type, const ast::Range& at);
  // The operand as a value of the declared type of a field, param or const. Reports narrowing and
  // literals out of range.
  ir::ExprPtr assign(const Operand& operand, ir::Type type, const ast::Range& at,
                     const std::string& target);

 private:
  Operand literal_arithmetic(ir::Op op, const Literal& a, const Literal& b, const ast::Range& at);
  ir::Type chosen_type(const Operand& a, const Operand& b, std::optional<ir::Type> want) const;

  const Scope& scope_;
  diag::Engine& engine_;
};

}  // namespace stencilc::sema
