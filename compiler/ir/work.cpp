#include "ir/work.h"

#include <algorithm>
#include <set>
#include <utility>

namespace stencilc::ir {
namespace {

// What the updates and reductions compute of every cell.
std::vector<ExprPtr> work_of(const Stencil& stencil) {
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
  return nodes_of(roots);
}

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

}  // namespace stencilc::ir
