#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "diag/codes.h"
#include "lint/rules.h"
#include "lint/tree.h"

namespace stencilc::lint {
namespace {

constexpr int kMaxDepth = 64;

// exact: integers, and floats that were not rounded on the way from the fields. rounded: floats
// that are results of arithmetic.
enum class Value { exact, real, rounded };

// What the names of a stencil stand for, as far as comparing goes.
struct Names {
  std::map<std::string, bool> real;  // fields, params and constants: of a float type?
  std::map<std::string, ast::ExprPtr> lets;
  std::map<std::string, Value> judged;  // of the lets: each once, however they are nested
};

bool is_real(const ast::Ident& type) { return type.name[0] == 'f' || type.name[0] == 'b'; }

Names names_of(const Subject& subject) {
  Names names;
  for (const ir::Field& field : subject.stencil.fields)
    names.real[field.name] = ir::is_float(field.type);
  for (const ast::Const& constant : subject.program.constants)
    names.real[constant.name.name] = is_real(constant.type) && constant.type.name != "bool";
  for (const ast::Item& item : subject.text.items) {
    if (const auto* constant = std::get_if<ast::Const>(&item.node))
      names.real[constant->name.name] = is_real(constant->type) && constant->type.name != "bool";
    if (const auto* params = std::get_if<ast::Params>(&item.node))
      for (const ast::ParamDecl& decl : params->decls)
        names.real[decl.name.name] = is_real(params->type) && params->type.name != "bool";
    if (const auto* let = std::get_if<ast::Let>(&item.node))
      names.lets[let->name.name] = let->value;
  }
  return names;
}

Value value_of(const ast::ExprPtr& expr, Names& names, int depth);

Value of_name(const std::string& name, Names& names, int depth) {
  const auto real = names.real.find(name);
  if (real != names.real.end()) return real->second ? Value::real : Value::exact;
  const auto let = names.lets.find(name);
  if (let == names.lets.end()) return Value::exact;
  const auto judged = names.judged.find(name);
  if (judged != names.judged.end()) return judged->second;
  return names.judged[name] = value_of(let->second, names, depth + 1);
}

Value worst(const std::vector<ast::ExprPtr>& exprs, Names& names, int depth) {
  Value result = Value::exact;
  for (const ast::ExprPtr& expr : exprs)
    result = std::max(result, value_of(expr, names, depth + 1));
  return result;
}

// Arithmetic rounds; sums and products of numbers without fractions are let pass.
Value of_arithmetic(const ast::Binary& binary, Names& names, int depth) {
  if (binary.op >= ast::Binary::lt) return Value::exact;
  const Value operands = worst({binary.left, binary.right}, names, depth);
  if (binary.op == ast::Binary::div) return Value::rounded;
  return operands == Value::exact ? Value::exact : Value::rounded;
}

Value of_call(const ast::Call& call, Names& names, int depth) {
  static constexpr std::array kSelecting = {"abs", "min", "max"};
  static constexpr std::array kRounding = {"sqrt", "exp", "log",  "sin",
                                           "cos",  "tan", "tanh", "pow"};
  const std::string& name = call.function.name;
  const auto is_one_of = [&](const auto& list) {
    return std::ranges::find(list, name) != list.end();
  };
  if (is_one_of(kSelecting)) return worst(call.args, names, depth);
  return is_one_of(kRounding) ? Value::rounded : Value::exact;
}

// Decimal fractions such as 0.1 are rounded when they are read; 0.5 and 3.0 are not.
Value of_literal(const ast::Number& literal) {
  const double scaled = literal.value * 1024;
  return scaled == std::floor(scaled) ? Value::exact : Value::rounded;
}

Value value_of(const ast::ExprPtr& expr, Names& names, int depth) {
  if (depth > kMaxDepth) return Value::exact;
  if (const auto* literal = as<ast::Number>(expr)) return of_literal(*literal);
  if (const auto* name = as<ast::Name>(expr)) return of_name(name->name, names, depth);
  if (const auto* access = as<ast::Access>(expr)) return of_name(access->base.name, names, depth);
  if (const auto* unary = as<ast::Unary>(expr)) return worst({unary->operand}, names, depth);
  if (const auto* binary = as<ast::Binary>(expr)) return of_arithmetic(*binary, names, depth);
  if (const auto* ternary = as<ast::Ternary>(expr))
    return worst({ternary->yes, ternary->no}, names, depth);
  if (const auto* call = as<ast::Call>(expr)) return of_call(*call, names, depth);
  return Value::exact;
}

}  // namespace

void find_float_equality(const Subject& subject, diag::Engine& engine) {
  Names names = names_of(subject);
  for (const ast::ExprPtr& node : nodes_of(expressions_of(subject.text))) {
    const auto* binary = as<ast::Binary>(node);
    if (!binary || (binary->op != ast::Binary::eq && binary->op != ast::Binary::ne)) continue;
    if (worst({binary->left, binary->right}, names, 0) != Value::rounded) continue;
    const bool equal = binary->op == ast::Binary::eq;
    engine
        .report(
            diag::float_equality, node->at,
            equal ? "rounded numbers are compared by `==`" : "rounded numbers are compared by `!=`")
        .help(equal ? "say how close is close enough: `abs(a - b) <= tol`"
                    : "say how close is close enough: `abs(a - b) > tol`");
  }
}

}  // namespace stencilc::lint
