#include "sema/expressions/arguments.h"

#include "ir/build.h"
#include "sema/expressions/expressions.h"

namespace stencilc::sema {
namespace {

// A read, a number and a `let` are what they are; what reads no field is the same for each reader
// or depends on its place alone.
bool may_be_value(const Operand& operand) {
  if (operand.kind != Operand::typed || !operand.expr->reads) return false;
  const auto* cast = ir::as<ir::Cast>(operand.expr);
  const ir::ExprPtr& inner = cast ? cast->value : operand.expr;
  return !ir::as<ir::Read>(inner) && !ir::as<ir::Named>(inner);
}

}  // namespace

Operand Arguments::read(const ast::ExprPtr& expr, const std::string& name, const Frame& caller,
                        const ir::Offset& place, const ast::Range& at, int& value) {
  ir::Offset from_call;
  for (int a = 0; a < ir::kMaxRank; ++a) from_call[a] = place[a] - caller.shift[a];
  if (value >= 0) {
    scope_.stencil.arguments[value].read_at.insert(from_call);
    if (const auto found = known_.find({value, place}); found != known_.end()) {
      auto& [operand, size] = found->second;
      if (size < 0) size = Statement::size_of(operand);
      return statement_.check_size(operand, at, size) ? operand : Operand{};
    }
  }
  Frame there = caller;
  there.shift = place;
  const Operand operand = expressions_.evaluate(expr, there);
  if (!may_be_value(operand)) return operand;
  if (value < 0) {
    value = static_cast<int>(scope_.stencil.arguments.size());
    scope_.stencil.arguments.push_back({name, {from_call}});
  }
  Operand named;
  named.kind = Operand::typed;
  named.expr = ir::make(operand.expr->type,
                        ir::Named{name, ir::kFirstArgument + value, place, operand.expr});
  known_.emplace(std::pair(value, place), std::pair(named, -1));
  return named;
}

}  // namespace stencilc::sema
