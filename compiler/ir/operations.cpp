#include "ir/operations.h"

#include <algorithm>
#include <cmath>

#include "ir/node_map.h"

namespace stencilc::ir {
namespace {

bool is_unit(const ExprPtr& weight) {
  const auto* constant = as<Constant>(weight);
  return constant && std::abs(constant->value.real) == 1;
}

void count_sum(const Sum& sum, Operations& count) {
  for (size_t n = 0; n < sum.terms.size(); ++n) {
    const bool first = n == 0 && !sum.bias;
    if (is_unit(sum.terms[n].weight))
      count.additions += first ? 0 : 1;
    else
      ++(first ? count.products : count.fused);
  }
}

void count_float(const Apply& apply, Operations& count) {
  switch (apply.op) {
    case Op::neg:
      break;
    case Op::add:
    case Op::sub:
      ++count.additions;
      break;
    case Op::mul:
      ++count.products;
      break;
    case Op::fma:
      ++count.fused;
      break;
    case Op::div:
      ++(has_exact_reciprocal(apply.args[1]) ? count.products : count.divisions);
      break;
    case Op::sqrt:
      ++count.roots;
      break;
    default:
      ++(is_transcendental(apply.op) ? count.functions : count.extrema);
  }
}

void count_apply(const Apply& apply, Type type, Operations& count) {
  if (apply.op == Op::select)
    ++count.selections;
  else if (is_comparison(apply.op))
    ++count.comparisons;
  else if (type == Type::boolean)
    ++count.logic;
  else if (is_float(type))
    count_float(apply, count);
  else
    ++count.integers;
}

}  // namespace

std::vector<ExprPtr> varying(const std::vector<ExprPtr>& values) {
  std::vector<ExprPtr> result;
  NodeSet seen;
  for (const ExprPtr& node : nodes_of(values)) {
    bool varies = as<Read>(node) || as<Coordinate>(node);
    for_each_child(*node,
                   [&](const ExprPtr& part) { varies = varies || (part && seen.has(part.get())); });
    if (!varies) continue;
    seen.insert(node.get());
    result.push_back(node);
  }
  return result;
}

Operations operations_of(const std::vector<ExprPtr>& values) {
  Operations count;
  for (const ExprPtr& node : varying(values)) {
    if (const auto* sum = as<Sum>(node)) count_sum(*sum, count);
    if (const auto* apply = as<Apply>(node)) count_apply(*apply, node->type, count);
    if (as<Cast>(node)) ++count.conversions;
  }
  return count;
}

bool has_exact_reciprocal(const ExprPtr& divisor) {
  const auto* constant = as<Constant>(divisor);
  if (!constant || !is_float(divisor->type)) return false;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(constant->value.real), &exponent);
  const int largest = divisor->type == Type::f64 ? 1022 : 126;
  return fraction == 0.5 && exponent - 1 <= largest && exponent - 1 >= -largest;
}

std::vector<ExprPtr> invariant_divisors(const std::vector<ExprPtr>& values) {
  const std::vector<ExprPtr> nodes = varying(values);
  NodeSet vary;
  for (const ExprPtr& node : nodes) vary.insert(node.get());
  std::vector<ExprPtr> result;
  for (const ExprPtr& node : nodes) {
    const auto* apply = as<Apply>(node);
    if (!apply || apply->op != Op::div || has_exact_reciprocal(apply->args[1])) continue;
    if (!vary.has(apply->args[1].get())) result.push_back(apply->args[1]);
  }
  return result;
}

}  // namespace stencilc::ir
