#include "ir/work.h"

#include <algorithm>
#include <set>
#include <utility>

namespace stencilc::ir {
namespace {

// What the updates and reductions compute of every cell.
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

std::vector<ExprPtr> work_of(const Stencil& stencil) { return nodes_of(roots_of(stencil)); }

int operations(Op op) {
  if (op == Op::fma) return 2;
  return op >= Op::lt ? 0 : 1;
}

}  // namespace

Traffic compulsory_traffic(const Stencil& stencil) {
  std::set<std::pair<int, int>> levels;  // field, level
  for (const ExprPtr& node : work_of(stencil)) {
    const auto* read = as<Read>(node);
    // t+1 is what the step itself has made.
    if (read && read->level <= 0) levels.emplace(read->field, read->level);
  }
  Traffic traffic;
  for (const auto& [f, level] : levels)
    if (has_all_axes(stencil, stencil.fields[f])) traffic.read += bytes(stencil.fields[f].type);
  for (const Update& update : stencil.updates)
    traffic.stored += bytes(stencil.fields[update.field].type);
  return traffic;
}

Arithmetic arithmetic_of_cell(const Stencil& stencil) {
  Arithmetic result;
  for (const ExprPtr& node : work_of(stencil)) {
    int count = 0;
    if (const auto* apply = as<Apply>(node)) count = operations(apply->op);
    if (const auto* sum = as<Sum>(node))
      count = 2 * static_cast<int>(sum->terms.size()) - (sum->bias ? 0 : 1);
    (is_float(node->type) ? result.real : result.integer) += count;
  }
  return result;
}

namespace {

bool is_function(Op op) { return op >= Op::sqrt && op <= Op::pow; }
bool is_division(Op op) { return op == Op::div || op == Op::idiv || op == Op::mod; }

// In `count`, what an operation on values of the type is.
void add(Instructions& count, Type type, int number) {
  (type == Type::f64 ? count.f64 : is_float(type) ? count.f32 : count.integer) += number;
}

}  // namespace

Instructions instructions_of_cell(const Stencil& stencil) {
  return instructions_of(roots_of(stencil));
}

Instructions instructions_of(const std::vector<ExprPtr>& values) {
  Instructions count;
  std::set<const Expr*> varies;  // from cell to cell; the rest is computed once
  for (const ExprPtr& node : nodes_of(values)) {
    const std::vector<ExprPtr> parts = children(*node);
    if (as<Read>(node) || as<Coordinate>(node) ||
        std::any_of(parts.begin(), parts.end(),
                    [&](const ExprPtr& part) { return part && varies.count(part.get()) != 0; }))
      varies.insert(node.get());
    if (varies.count(node.get()) == 0) continue;
    if (const auto* sum = as<Sum>(node))
      add(count, node->type, static_cast<int>(sum->terms.size()));
    const auto* apply = as<Apply>(node);
    if (!apply) continue;
    if (is_division(apply->op))
      ++count.divisions;
    else if (is_function(apply->op))
      ++count.functions;
    else if (is_comparison(apply->op))
      add(count, apply->args[0]->type, 1);
    else if (node->type != Type::boolean)
      add(count, node->type, 1);
  }
  return count;
}

}  // namespace stencilc::ir
