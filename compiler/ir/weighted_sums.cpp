// Downwards from the root of each sum: the derivative of the sum by each node, which for a read is
// its weight. A node that is used more than once ends the sum above it, so that no node belongs to
// two.
//
// 0.5 * (u[x-1] + 2*u + u[x+1]) + dt*v      u: 0.5 at x-1, 1 at x, 0.5 at x+1; nothing for v
#include <array>
#include <tuple>

#include "ir/build.h"
#include "ir/node_map.h"
#include "ir/separable.h"

namespace stencilc::ir {
namespace {

using Exact = std::optional<Fraction>;

struct Weight {
  Exact written = Fraction{1, 1}, held = Fraction{1, 1};
};

Exact held(const Constant& constant) {
  if (!is_float(constant.value.type)) return whole(constant.value.integer);
  return as_binary(constant.value.real);
}

Weight combine(Op op, const Weight& a, const Weight& b) {
  return {exactly(op, std::array{a.written, b.written}), exactly(op, std::array{a.held, b.held})};
}

// The read of a tap: a read, or a widened one.
const Read* read_of(const ExprPtr& expr) {
  const auto* cast = as<Cast>(expr);
  if (!cast) return as<Read>(expr);
  const bool widens = !cast->saturate && promote(cast->value->type, expr->type) == expr->type;
  return widens ? as<Read>(cast->value) : nullptr;
}

Offset minus(Offset a, const Offset& b) {
  for (int axis = 0; axis < kMaxRank; ++axis) a[axis] -= b[axis];
  return a;
}

struct Part {
  ExprPtr expr;
  Weight weight;  // the factor of the part
};

// The parts of a node that is a sum; empty otherwise.
std::vector<Part> parts_of(const Expr& expr) {
  if (const auto* named = std::get_if<Named>(&expr.node)) return {{named->value, {}}};
  const auto* node = std::get_if<Apply>(&expr.node);
  if (!node) return {};
  const auto& args = node->args;
  const Weight negative{Fraction{-1, 1}, Fraction{-1, 1}};
  const auto by = [&](Op op, const ExprPtr& value, const ExprPtr& factor) -> std::vector<Part> {
    const auto* constant = as<Constant>(factor);
    if (!constant) return {};
    return {{value, combine(op, {}, {written(*constant), held(*constant)})}};
  };
  switch (node->op) {
    case Op::add:
      return {{args[0], {}}, {args[1], {}}};
    case Op::sub:
      return {{args[0], {}}, {args[1], negative}};
    case Op::neg:
      return {{args[0], negative}};
    case Op::mul:
      return by(Op::mul, args[as<Constant>(args[0]) ? 1 : 0], args[as<Constant>(args[0]) ? 0 : 1]);
    case Op::div:
      return by(Op::div, args[0], args[1]);
    default:
      return {};
  }
}

struct Taps {
  Type type;
  std::map<Offset, Weight> weights;
};
// By the root of the sum, in the order of the nodes; field; level.
using AllTaps = std::map<std::tuple<size_t, int, int>, Taps>;

// Nothing if neither all written numbers nor all held ones are known.
std::optional<WeightTable> table_of(const std::map<Offset, Weight>& weights) {
  for (const auto kind : {&Weight::written, &Weight::held}) {
    WeightTable table;
    bool known = true;
    for (const auto& [offset, weight] : weights) {
      known &= (weight.*kind).has_value();
      if (known && *(weight.*kind) != Fraction{}) table[offset] = *(weight.*kind);
    }
    if (known) return table;
  }
  return {};
}

}  // namespace

std::vector<WeightedSum> weighted_sums(const ExprPtr& expr) {
  const std::vector<ExprPtr> nodes = nodes_of(std::vector{expr});
  NodeMap<int> uses;
  for (const ExprPtr& node : nodes)
    for_each_child(*node, [&](const ExprPtr& child) { ++uses[child.get()]; });

  struct Place {
    size_t root = 0;
    Offset cell = {};  // the cell of the sum; for a `let` read at a neighbour, that one
    Weight weight;
  };
  NodeMap<Place> places;  // of the nodes inside a sum
  AllTaps taps;
  for (size_t i = nodes.size(); i-- > 0;) {
    const Expr& node = *nodes[i];
    const Place* inside = places.find(&node);
    const auto* named = as<Named>(nodes[i]);
    const Place place = inside ? *inside : Place{i, named ? named->offset : Offset{}, {}};
    for (const Part& part : parts_of(node)) {
      const Weight weight = combine(Op::mul, place.weight, part.weight);
      if (const Read* read = read_of(part.expr)) {
        Taps& of_field = taps[{place.root, read->field, read->level}];
        of_field.type = node.type;
        const auto [known, fresh] =
            of_field.weights.try_emplace(minus(read->offset, place.cell), weight);
        if (!fresh) known->second = combine(Op::add, known->second, weight);
      } else if (uses[part.expr.get()] == 1) {
        places[part.expr.get()] = {place.root, place.cell, weight};
      }
    }
  }
  std::vector<WeightedSum> sums;
  for (const auto& [key, of_field] : taps) {
    auto table = table_of(of_field.weights);
    const auto& [root, field, level] = key;
    if (table) sums.push_back({field, level, of_field.type, std::move(*table)});
  }
  return sums;
}

}  // namespace stencilc::ir
