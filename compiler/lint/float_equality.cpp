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
constexpr size_t kMaxCandidates = 256;

// exact: integers, and floats that are copied from fields without rounding. rounded: floats that
// are results of arithmetic.
enum class Value { exact, real, rounded };

// What the names of a stencil mean for comparisons.
struct Names {
  std::map<std::string, bool> real;  // fields, params and constants: whether their type is a float
  std::map<std::string, ast::ExprPtr> lets;
  std::map<std::string, Value> judged;  // results for lets, computed once for each
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

bool is_selection(const ast::Window& window) {
  return window.kind == ast::Window::min || window.kind == ast::Window::max;
}

// The value of a let; null if the name is none.
const ast::ExprPtr* let_of(const ast::ExprPtr& expr, const Names& names) {
  const auto* name = as<ast::Name>(expr);
  const auto* access = as<ast::Access>(expr);
  if (!name && !access) return nullptr;
  const auto let = names.lets.find(name ? name->name : access->base.name);
  return let == names.lets.end() ? nullptr : &let->second;
}

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

// Arithmetic rounds; sums and products of whole numbers are accepted.
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
  if (const auto* window = as<ast::Window>(expr)) {
    const Value value = value_of(window->body, names, depth + 1);
    return is_selection(*window) || value == Value::exact ? value : Value::rounded;
  }
  return Value::exact;
}

// The values among which min, max or ?: chooses; empty for anything else.
std::vector<ast::ExprPtr> choices(const ast::ExprPtr& expr) {
  if (const auto* call = as<ast::Call>(expr);
      call && (call->function.name == "min" || call->function.name == "max"))
    return call->args;
  if (const auto* ternary = as<ast::Ternary>(expr)) return {ternary->yes, ternary->no};
  if (const auto* window = as<ast::Window>(expr); window && is_selection(*window))
    return {window->body};
  return {};
}

// All values that the expression can have, with lets expanded where they choose.
void add_candidates(const ast::ExprPtr& expr, const Names& names, int depth,
                    std::vector<ast::ExprPtr>& out) {
  const ast::ExprPtr* let = let_of(expr, names);
  const std::vector<ast::ExprPtr> among = choices(let ? *let : expr);
  if (among.empty() || depth > kMaxDepth || out.size() > kMaxCandidates) return out.push_back(expr);
  for (const ast::ExprPtr& one : among) add_candidates(one, names, depth + 1, out);
}

// Whether this is the same expression, perhaps at other cells.
bool same_but_for_places(const ast::ExprPtr& a, const ast::ExprPtr& b, int depth) {
  if (depth > kMaxDepth) return false;
  const auto base = [](const ast::ExprPtr& expr) {
    const auto* name = as<ast::Name>(expr);
    const auto* access = as<ast::Access>(expr);
    return name ? name->name : access ? access->base.name : "";
  };
  if (!base(a).empty()) return base(a) == base(b);
  if (const auto* number = as<ast::Number>(a)) {
    const auto* other = as<ast::Number>(b);
    return other && other->value == number->value;
  }
  if (a->node.index() != b->node.index()) return false;
  if (const auto* binary = as<ast::Binary>(a); binary && binary->op != as<ast::Binary>(b)->op)
    return false;
  if (const auto* unary = as<ast::Unary>(a); unary && unary->op != as<ast::Unary>(b)->op)
    return false;
  if (const auto* call = as<ast::Call>(a);
      call && (call->function.name != as<ast::Call>(b)->function.name || !call->named.empty()))
    return false;
  const auto parts = children(*a), others = children(*b);
  if (parts.empty() || parts.size() != others.size()) return false;
  for (size_t i = 0; i < parts.size(); ++i)
    if (!same_but_for_places(parts[i], others[i], depth + 1)) return false;
  return true;
}

// Whether the other side is one of the values among which this side chooses. Then comparing them is
// exact.
bool is_choice(const ast::Binary& comparison, const Names& names) {
  std::vector<ast::ExprPtr> left, right;
  add_candidates(comparison.left, names, 0, left);
  add_candidates(comparison.right, names, 0, right);
  if (left == std::vector{comparison.left} && right == std::vector{comparison.right}) return false;
  for (const ast::ExprPtr& a : left)
    for (const ast::ExprPtr& b : right)
      if (same_but_for_places(a, b, 0)) return true;
  return false;
}

}  // namespace

void find_float_equality(const Subject& subject, diag::Engine& engine) {
  Names names = names_of(subject);
  for (const ast::ExprPtr& node : nodes_of(expressions_of(subject.text))) {
    const auto* binary = as<ast::Binary>(node);
    if (!binary || (binary->op != ast::Binary::eq && binary->op != ast::Binary::ne)) continue;
    if (worst({binary->left, binary->right}, names, 0) != Value::rounded) continue;
    if (is_choice(*binary, names)) continue;
    const bool equal = binary->op == ast::Binary::eq;
    engine
        .report(diag::float_equality, node->at,
                equal ? "rounded numbers are compared with `==`"
                      : "rounded numbers are compared with `!=`")
        .help(equal ? "compare with a tolerance: `abs(a - b) <= tol`"
                    : "compare with a tolerance: `abs(a - b) > tol`");
  }
}

}  // namespace stencilc::lint
