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
    ExprPtr result = one(expr);
    return done[expr.get()] = result;
  }
  ExprPtr one(const ExprPtr& expr) {
    if (const auto* read = ir::as<ir::Read>(expr)) {
      const ExprPtr value = read->level == 1 ? made(read->field) : nullptr;
      return value ? ir::displace(value, read->offset, moved) : expr;
    }
    return ir::with_operands(expr, [&](const ExprPtr& operand) { return (*this)(operand); });
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
