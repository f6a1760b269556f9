#include "passes/stored_values.h"

#include <map>
#include <set>
#include <utility>

#include "ir/value_numbers.h"

namespace stencilc::passes {
namespace {

// Does it compute anything of fields?
bool is_computed(const ir::ExprPtr& value) {
  if (const auto* named = ir::as<ir::Named>(value)) return is_computed(named->value);
  return value->reads && !ir::as<ir::Read>(value);
}

class Stored {
 public:
  explicit Stored(const ir::Stencil& stencil) {
    for (const ir::Update& update : stencil.updates) {
      const ir::Field& field = stencil.fields[update.field];
      if (update.cases.size() != 1 || !update.cases[0].domain.everywhere()) continue;
      const ir::ExprPtr& value = update.cases[0].value;
      if (!is_computed(value) || value->type != field.type) continue;
      reads_.try_emplace(numbers_.of(value), ir::make(value->type, ir::Read{update.field, 1, {}}));
    }
  }

  // The expression that reads what is stored.
  ir::ExprPtr read(const ir::ExprPtr& expr) {
    if (!is_computed(expr)) return expr;
    if (const auto found = reads_.find(numbers_.of(expr)); found != reads_.end())
      return found->second;
    if (const auto* named = ir::as<ir::Named>(expr)) {
      const ir::ExprPtr inner = read(named->value);
      return inner == named->value ? expr : inner;
    }
    if (const auto* cast = ir::as<ir::Cast>(expr)) {
      const ir::ExprPtr inner = read(cast->value);
      return inner == cast->value ? expr : ir::make(expr->type, ir::Cast{cast->saturate, inner});
    }
    const auto* apply = ir::as<ir::Apply>(expr);
    if (!apply) return expr;
    ir::Apply other = *apply;
    for (ir::ExprPtr& arg : other.args) arg = read(arg);
    return other.args == apply->args ? expr : ir::make(expr->type, std::move(other));
  }

 private:
  ir::ValueNumbers numbers_;
  std::map<int, ir::ExprPtr> reads_;  // by the number of the value
};

}  // namespace

void reduce_stored_values(ir::Stencil& stencil) {
  // Colours and injections change what updates have stored.
  if (stencil.reductions.empty() || stencil.colors.count() != 0 || !stencil.injections.empty())
    return;
  std::set<int> before;  // the reductions that updates read
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      for (const ir::ExprPtr& node : ir::nodes_of({one.value, one.domain.mask}))
        if (const auto* ref = ir::as<ir::ReductionRef>(node)) before.insert(ref->reduction);
  Stored stored(stencil);
  for (size_t r = 0; r < stencil.reductions.size(); ++r)
    if (!before.contains(static_cast<int>(r)))
      stencil.reductions[r].value = stored.read(stencil.reductions[r].value);
}

}  // namespace stencilc::passes
