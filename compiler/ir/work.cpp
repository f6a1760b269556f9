#include "ir/work.h"

#include <set>
#include <utility>

namespace stencilc::ir {
namespace {

// What the updates and reductions compute for every cell.
std::vector<ExprPtr> roots_of(const Stencil& stencil) {
  std::vector<ExprPtr> roots;
  for (const Update& update : stencil.updates)
    for (const Case& one : update.cases) {
      roots.push_back(one.value);
      roots.push_back(one.domain.mask);
    }
  for (const Reduction& reduction : stencil.reductions) {
    roots.push_back(reduction.value);
    roots.push_back(reduction.domain.mask);
  }
  return roots;
}

}  // namespace

Traffic compulsory_traffic(const Stencil& stencil) {
  std::set<std::pair<int, int>> levels;  // field, level
  for (const ExprPtr& node : nodes_of(roots_of(stencil))) {
    const auto* read = as<Read>(node);
    // t+1 is a result of the step itself.
    if (read && read->level <= 0) levels.emplace(read->field, read->level);
  }
  Traffic traffic;
  for (const auto& [f, level] : levels)
    if (has_all_axes(stencil, stencil.fields[f])) traffic.read += bytes(stencil.fields[f].type);
  for (const Update& update : stencil.updates)
    traffic.stored += bytes(stencil.fields[update.field].type);
  return traffic;
}

Operations operations_of_cell(const Stencil& stencil) { return operations_of(roots_of(stencil)); }

Arithmetic arithmetic_of_cell(const Stencil& stencil) {
  const Operations count = operations_of_cell(stencil);
  return {count.flops(), count.integers};
}

namespace {

bool is_function(Op op) { return op >= Op::sqrt && op <= Op::pow; }
bool is_division(Op op) { return op == Op::div || op == Op::idiv || op == Op::mod; }

// Adds an operation on values of the type to `count`.
void add(Instructions& count, Type type, int number) {
  (type == Type::f64 ? count.f64 : is_float(type) ? count.f32 : count.integer) += number;
}

}  // namespace

Instructions instructions_of_cell(const Stencil& stencil) {
  return instructions_of(roots_of(stencil));
}

Instructions instructions_of(const std::vector<ExprPtr>& values) {
  Instructions count;
  for (const ExprPtr& node : varying(values)) {
    if (const auto* sum = as<Sum>(node))
      add(count, node->type, static_cast<int>(sum->terms.size()));
    const auto* apply = as<Apply>(node);
    if (!apply) continue;
    if (is_division(apply->op) && !has_exact_reciprocal(apply->args[1]))
      ++count.divisions;
    else if (is_function(apply->op)) {
      ++count.functions;
      if (apply->op == Op::sqrt) ++count.roots;
    } else if (is_comparison(apply->op))
      add(count, apply->args[0]->type, 1);
    else if (node->type != Type::boolean)
      add(count, node->type, 1);
  }
  return count;
}

}  // namespace stencilc::ir
