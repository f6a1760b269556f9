#include "sema/statements/domains.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <utility>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/statements/affine.h"

namespace stencilc::sema {
namespace {

using ast::Binary;
using ir::ExprPtr;

// One condition of `on`, with the axis on its left side.
struct Comparison {
  int axis = 0;
  Binary::Op op = Binary::lt;
  ast::ExprPtr bound;
};

int axis_of(const ast::ExprPtr& expr, const Scope& scope) {
  const auto* name = std::get_if<ast::Name>(&expr->node);
  const auto symbol = name ? scope.symbols.find(name->name) : scope.symbols.end();
  const bool is_axis = symbol != scope.symbols.end() && symbol->second.kind == Symbol::axis;
  return is_axis ? symbol->second.index : -1;
}

Binary::Op turned(Binary::Op op) {
  switch (op) {
    case Binary::lt:
      return Binary::gt;
    case Binary::le:
      return Binary::ge;
    case Binary::gt:
      return Binary::lt;
    case Binary::ge:
      return Binary::le;
    default:
      return op;
  }
}

std::optional<Comparison> comparison(const ast::ExprPtr& condition, const Scope& scope) {
  const auto* binary = std::get_if<Binary>(&condition->node);
  if (!binary || binary->op < Binary::lt || binary->op > Binary::ne) return {};
  const int left = axis_of(binary->left, scope), right = axis_of(binary->right, scope);
  if ((left < 0) == (right < 0)) return {};
  if (left >= 0) return Comparison{left, binary->op, binary->right};
  return Comparison{right, turned(binary->op), binary->left};
}

// Whether the value is the same in every cell: made of constants, params and extents.
bool is_invariant(const ExprPtr& expr) {
  for (const ExprPtr& node : ir::nodes_of({expr})) {
    const bool known = ir::as<ir::Constant>(node) || ir::as<ir::ParamRef>(node) ||
                       ir::as<ir::Extent>(node) || ir::as<ir::Apply>(node) ||
                       ir::as<ir::Cast>(node) || ir::as<ir::Named>(node);
    if (!known) return false;
  }
  return true;
}

// The limits for `axis op bound`; nothing if limits cannot express it.
std::optional<std::vector<ir::Limit>> limits(const Comparison& comparison, const Operand& bound) {
  Affine place;
  if (bound.kind == Operand::literal) {
    const int64_t number = bound.number.integer;
    if (!bound.number.integral || number < -ir::kMaxLimit - 1 || number > ir::kMaxLimit) return {};
    place.constant = number;
  } else if (const auto form = affine(bound.expr)) {
    place = *form;
  } else {
    return {};
  }
  Affine own;
  own.extent[comparison.axis] = 1;
  const bool from_end = place.extent == own.extent;
  if (!from_end && !place.is_constant()) return {};
  std::vector<ir::Limit> result;
  bool fits = true;
  const auto add = [&](bool upper, int64_t offset) {
    fits &= std::abs(offset) <= ir::kMaxLimit;
    if (!fits || (offset == 0 && upper == from_end)) return;  // at >= 0, at < extent: no limit
    result.push_back({comparison.axis, upper, from_end, static_cast<int>(offset)});
  };
  const int64_t at = place.constant;
  switch (comparison.op) {
    case Binary::lt:
      add(true, at);
      break;
    case Binary::le:
      add(true, at + 1);
      break;
    case Binary::gt:
      add(false, at + 1);
      break;
    case Binary::ge:
      add(false, at);
      break;
    case Binary::eq:
      add(false, at);
      add(true, at + 1);
      break;
    default:
      return {};
  }
  return fits ? std::optional(result) : std::nullopt;
}

// The conjunction; null is true.
ExprPtr both(const ExprPtr& a, const ExprPtr& b) {
  if (!a || !b) return a ? a : b;
  return ir::apply(ir::Op::and_, ir::Type::boolean, {a, b});
}

bool is_true(const ExprPtr& mask) {
  const auto* known = ir::as<ir::Constant>(mask);
  return known && known->value.integer != 0;
}

}  // namespace

std::optional<ir::Domain> resolve_domain(const ast::Where& where, Scope& scope,
                                         Expressions& expressions, diag::Engine& engine) {
  ir::Domain domain;
  for (const ast::ExprPtr& condition : where.on) {
    const auto compared = comparison(condition, scope);
    if (!compared) {
      const auto* joined = std::get_if<Binary>(&condition->node);
      const bool both = joined && joined->op == Binary::and_;
      engine
          .report(diag::bad_domain, condition->at,
                  fmt::format("a condition of `on` compares one of the axes `{}` with a position",
                              fmt::join(scope.stencil.axes, "`, `")))
          .help(both ? "separate the conditions by commas: `on x >= 1, x < nx-1`"
                     : fmt::format("as in `on {0} >= 1, {0} < n{0}-1`; write any other condition "
                                   "after `where`",
                                   scope.stencil.axes[0]));
      return {};
    }
    const Operand bound = expressions.evaluate(compared->bound, {});
    if (bound.kind == Operand::failed) return {};
    if (bound.kind == Operand::typed && !is_invariant(bound.expr)) {
      engine
          .report(diag::bad_domain, compared->bound->at,
                  "`on` compares an axis with a value that differs from cell to cell")
          .help("write the condition after `where`");
      return {};
    }
    if (const auto known = limits(*compared, bound)) {
      domain.limits.insert(domain.limits.end(), known->begin(), known->end());
      continue;
    }
    const ExprPtr holds = expressions.condition(condition);
    if (!holds) return {};
    domain.mask = both(domain.mask, holds);
  }
  if (where.mask) {
    const ExprPtr holds = expressions.condition(where.mask);
    if (!holds) return {};
    domain.mask = both(domain.mask, holds);
  }
  if (domain.mask && is_true(domain.mask)) domain.mask = nullptr;
  return domain;
}

}  // namespace stencilc::sema
