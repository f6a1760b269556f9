#include "plan/schedule/inline_updates.h"

#include <algorithm>

#include "ir/build.h"
#include "ir/node_map.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

struct Expander {
  const std::function<ExprPtr(int)>& made;
  ir::MovedValues& moved;
  ir::NodeMap<ExprPtr> done = {};

  ExprPtr operator()(const ExprPtr& expr) {
    if (!expr) return nullptr;
    if (const ExprPtr* found = done.find(expr.get())) return *found;
    ExprPtr result = std::visit([&](const auto& node) { return one(node, expr); }, expr->node);
    return done[expr.get()] = result;
  }
  // Nodes that do not change stay shared.
  template <class Leaf>
  ExprPtr one(const Leaf&, const ExprPtr& expr) {
    return expr;
  }
  ExprPtr one(const ir::Read& node, const ExprPtr& expr) {
    const ExprPtr value = node.level == 1 ? made(node.field) : nullptr;
    return value ? ir::displace(value, node.offset, moved) : expr;
  }
  ExprPtr one(const ir::Apply& node, const ExprPtr& expr) {
    ir::Apply apply{node.op, {}};
    for (const ExprPtr& arg : node.args) apply.args.push_back((*this)(arg));
    return apply.args == node.args ? expr : ir::make(expr->type, std::move(apply));
  }
  ExprPtr one(const ir::Cast& node, const ExprPtr& expr) {
    const ExprPtr value = (*this)(node.value);
    return value == node.value ? expr : ir::make(expr->type, ir::Cast{node.saturate, value});
  }
  ExprPtr one(const ir::Named& node, const ExprPtr& expr) {
    const ExprPtr value = (*this)(node.value);
    return value == node.value
               ? expr
               : ir::make(expr->type, ir::Named{node.name, node.let, node.offset, value});
  }
  ExprPtr one(const ir::Sum& node, const ExprPtr& expr) {
    ir::Sum sum{(*this)(node.bias), {}};
    bool same = sum.bias == node.bias;
    for (const ir::Sum::Term& term : node.terms) {
      sum.terms.push_back({(*this)(term.weight), (*this)(term.tap)});
      same &= sum.terms.back().weight == term.weight && sum.terms.back().tap == term.tap;
    }
    return same ? expr : ir::make(expr->type, std::move(sum));
  }
};

}  // namespace

ExprPtr expand(const ExprPtr& expr, const std::function<ExprPtr(int)>& made,
               ir::MovedValues& moved) {
  return Expander{made, moved}(expr);
}

bool holds_inside(const ir::Domain& domain) {
  return std::all_of(domain.limits.begin(), domain.limits.end(),
                     [](const ir::Limit& limit) { return limit.upper == limit.from_end; });
}

Whole whole(const ir::Stencil& stencil, const ir::Update& update,
            const std::function<ExprPtr(int)>& made, ir::MovedValues& moved) {
  const ir::Field& field = stencil.fields[update.field];
  Whole result;
  ExprPtr current;
  if (field.role != ir::Role::output) current = ir::make(field.type, ir::Read{update.field, 0, {}});
  bool everywhere = current != nullptr;
  for (const ir::Case& one : update.cases) {
    if (!holds_inside(one.domain)) continue;
    const auto of = [&](int f) { return f == update.field ? current : made(f); };
    const ExprPtr value = expand(one.value, of, moved), mask = expand(one.domain.mask, of, moved);
    if (!mask)
      everywhere = true;
    else if (!everywhere)
      result.when =
          result.when ? ir::apply(ir::Op::or_, ir::Type::boolean, {result.when, mask}) : mask;
    current =
        mask && current ? ir::apply(ir::Op::select, field.type, {mask, value, current}) : value;
  }
  if (everywhere) result.when = nullptr;
  result.value = current;
  result.none = !current;
  return result;
}

}  // namespace stencilc::plan
