// before   0.25 * (u[x-1] + u[x+1] + u[y-1] + u[y+1])
// after    sum(0.25 * u[y-1], 0.25 * u[x-1], 0.25 * u[x+1], 0.25 * u[y+1])      one mul and three
// fma
//
// before   u + dt * (k*v - uvv)          (uvv a let that is used twice)
// after    fma(dt, fma(k, v, neg(uvv)), u)
#include "passes/canonicalise.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "ir/build.h"
#include "ir/node_map.h"
#include "passes/argument_values.h"

namespace stencilc::passes {

using namespace ir;  // its expressions are what is rewritten

namespace {

// The read of a tap: it may be cast to the type in which the field is computed, and from there once
// more.
const Read* read_of(const ExprPtr& tap) {
  const auto* cast = as<Cast>(tap);
  if (!cast) return as<Read>(tap);
  const auto* inner = as<Cast>(cast->value);
  return as<Read>(inner && is_half(inner->value->type) ? inner->value : cast->value);
}

// A tap: a read as a float, or a read cast to the float type the sum is in without losing what a
// float can hold.
bool is_tap(const ExprPtr& expr) {
  if (!is_float(expr->type)) return false;
  const auto* cast = as<Cast>(expr);
  if (cast && (cast->saturate || cast->value->type == Type::f64)) return false;
  return read_of(expr) != nullptr;
}

struct Canonicaliser {
  const Stencil& stencil;
  Numerics numerics;
  struct Uses {
    int count = 0;
    bool beside = false;  // one of them is at another cell
  };
  std::unordered_map<int, Uses> uses;  // by let
  NodeMap<bool> invariant_memo, linear_memo;
  // The cell of the value that is rewritten: that of the statement, or of the let that it reads.
  Offset cell = {};
  std::map<Offset, NodeMap<ExprPtr>> done;  // by that cell
  ArgumentValues arguments;

  explicit Canonicaliser(const Stencil& s, Numerics n) : stencil(s), numerics(n), arguments(s) {
    count_uses();
  }

  // Counts where lets are read, in statements and in other lets: none, once, or more often. What a
  // let reads counts once, however often the let is read itself; and so does the base of a power.
  // An argument counts at each place where the function reads it.
  void count_uses() {
    NodeSet seen;
    std::vector<std::pair<const Expr*, Offset>> bodies;  // and the cell of each
    std::function<void(const ExprPtr&, const Offset&)> visit = [&](const ExprPtr& expr,
                                                                   const Offset& own) {
      if (!expr) return;
      if (const auto* named = as<Named>(expr); named && !is_argument(*named)) {
        Uses& of = uses[named->let];
        if (++of.count == 1) bodies.emplace_back(expr.get(), named->offset);
        of.beside |= named->offset != own;
        return;
      }
      if (!seen.insert(expr.get())) return;
      for_each_child(*expr, [&](const ExprPtr& child) { visit(child, own); });
    };
    for (const ExprPtr* root : roots(stencil)) visit(*root, {});
    for (size_t n = 0; n < bodies.size(); ++n)
      visit(std::get<Named>(bodies[n].first->node).value, Offset(bodies[n].second));
  }

  bool transparent(const ExprPtr& expr) {
    const auto* named = as<Named>(expr);
    if (named && is_argument(*named)) return !is_value(*named);
    if (!named || numerics.order != Numerics::canonical) return false;
    const Uses& of = uses[named->let];
    return of.count == 1 && !of.beside;
  }

  // Whether an argument is a value of its own, and not expanded where it is read.
  bool is_value(const Named& named) {
    if (numerics.order != Numerics::canonical) return false;
    const std::set<Offset>& read_at = stencil.arguments[named.let - kFirstArgument].read_at;
    const bool beside = read_at.size() > 1 || *read_at.begin() != Offset{};
    return beside && !linear(named.value);
  }

  bool invariant(const ExprPtr& expr) {
    if (const bool* found = invariant_memo.find(expr.get())) return *found;
    bool result = !as<Read>(expr) && !as<Coordinate>(expr);
    for_each_child(*expr, [&](const ExprPtr& child) { result = result && invariant(child); });
    return invariant_memo[expr.get()] = result;
  }

  // Is expr bias + sum of scalar * tap?
  bool linear(const ExprPtr& expr) {
    if (!is_float(expr->type)) return false;
    if (const bool* found = linear_memo.find(expr.get())) return *found;
    return linear_memo[expr.get()] = linear_node(expr);
  }
  // Whether this factor or divisor of a linear expression goes into the weights. One that is not
  // known before the run would have to be multiplied into each, in every thread.
  bool distributes(const ExprPtr& factor, const ExprPtr& over) {
    constexpr int kManyTaps = 64;
    return as<Constant>(rewrite(factor)) || parts(over).taps <= kManyTaps;
  }
  bool linear_node(const ExprPtr& expr) {
    if (is_tap(expr) || invariant(expr)) return true;
    if (transparent(expr)) return linear(as<Named>(expr)->value);
    const auto* node = as<Apply>(expr);
    if (!node) return false;
    switch (node->op) {
      case Op::add:
      case Op::sub:
        return linear(node->args[0]) && linear(node->args[1]);
      case Op::neg:
        return linear(node->args[0]);
      case Op::mul:
        return (invariant(node->args[0]) && linear(node->args[1]) &&
                distributes(node->args[0], node->args[1])) ||
               (linear(node->args[0]) && invariant(node->args[1]) &&
                distributes(node->args[1], node->args[0]));
      case Op::div:
        return linear(node->args[0]) && invariant(node->args[1]) &&
               distributes(node->args[1], node->args[0]);
      default:
        return false;
    }
  }

  // How many parts has what accumulate() makes of a linear expression? Its taps as they are
  // written, and 1 where it has a bias. More than kMostTaps are not told apart.
  static constexpr int kMostTaps = 1000;
  struct Parts {
    int taps = 0, bias = 0;
  };
  NodeMap<Parts> parts_memo;
  Parts parts(const ExprPtr& expr) {
    if (is_tap(expr)) return {1, 0};
    if (invariant(expr)) return {0, 1};
    if (const Parts* found = parts_memo.find(expr.get())) return *found;
    Parts result;
    if (const auto* named = as<Named>(expr)) {
      result = parts(named->value);
    } else {
      const auto* node = as<Apply>(expr);
      const bool both = node->op == Op::add || node->op == Op::sub;
      const bool right = node->op == Op::mul && invariant(node->args[0]);
      result = parts(node->args[right ? 1 : 0]);
      if (both) {
        const Parts other = parts(node->args[1]);
        result = {std::min(kMostTaps, result.taps + other.taps), std::max(result.bias, other.bias)};
      }
    }
    return parts_memo[expr.get()] = result;
  }

  // A sum under construction: `factor` times what is added lands in it.
  struct Linear {
    ExprPtr bias;
    std::vector<Sum::Term> terms;
  };

  void accumulate(const ExprPtr& expr, const ExprPtr& factor, Linear& sum) {
    const Type type = expr->type;
    if (is_tap(expr)) {
      sum.terms.push_back({factor, expr});
      return;
    }
    if (invariant(expr)) {
      const ExprPtr value = apply(Op::mul, type, {factor, rewrite(expr)});
      sum.bias = sum.bias ? apply(Op::add, type, {sum.bias, value}) : value;
      return;
    }
    if (const auto* named = as<Named>(expr)) return accumulate(named->value, factor, sum);
    const auto* node = as<Apply>(expr);
    assert(node && "linear() said yes");
    switch (node->op) {
      case Op::sub:
      case Op::add:
        accumulate(node->args[0], factor, sum);
        return accumulate(node->args[1],
                          node->op == Op::add ? factor : apply(Op::neg, type, {factor}), sum);
      case Op::neg:
        return accumulate(node->args[0], apply(Op::neg, type, {factor}), sum);
      case Op::mul: {
        const bool left = invariant(node->args[0]);
        const ExprPtr scalar = rewrite(node->args[left ? 0 : 1]);
        return accumulate(node->args[left ? 1 : 0], apply(Op::mul, type, {factor, scalar}), sum);
      }
      default:
        assert(node->op == Op::div);
        return accumulate(node->args[0], apply(Op::div, type, {factor, rewrite(node->args[1])}),
                          sum);
    }
  }

  auto key(const Sum::Term& term) const {
    const Read& read = *read_of(term.tap);
    Offset from_cell = read.offset;
    for (int axis = 0; axis < stencil.rank(); ++axis)
      if (stencil.fields[read.field].along[axis]) from_cell[axis] -= cell[axis];
    const bool off_row = stencil.rank() == 3 && from_cell[1] != 0;
    return std::tuple(from_cell[stencil.rank() - 1], off_row, from_cell[1], from_cell[0],
                      read.level, read.field, term.tap->type);
  }

  ExprPtr ordered(Linear sum, Type type) {
    std::stable_sort(sum.terms.begin(), sum.terms.end(),
                     [&](const Sum::Term& a, const Sum::Term& b) { return key(a) < key(b); });
    std::vector<Sum::Term> merged;
    for (const Sum::Term& term : sum.terms) {
      if (!merged.empty() && key(merged.back()) == key(term))
        merged.back().weight = apply(Op::add, type, {merged.back().weight, term.weight});
      else
        merged.push_back(term);
    }
    std::erase_if(merged, [](const Sum::Term& term) {
      const auto* weight = as<Constant>(term.weight);
      return weight && weight->value.real == 0;
    });
    if (merged.empty()) return sum.bias ? sum.bias : constant(type, 0);
    if (numerics.fuse) return make(type, Sum{sum.bias, std::move(merged)});
    ExprPtr result = sum.bias;
    for (const Sum::Term& term : merged) {
      const ExprPtr product = apply(Op::mul, type, {term.weight, term.tap});
      result = result ? apply(Op::add, type, {result, product}) : product;
    }
    return result;
  }

  // a + p*q as one fma where one side is a product; see the header.
  ExprPtr sum_of_two(Type type, Op op, const ExprPtr& a, const ExprPtr& b) {
    const auto product = [](const ExprPtr& e) {
      const auto* node = as<Apply>(e);
      return node && node->op == Op::mul ? node : nullptr;
    };
    const auto negated = [&](const ExprPtr& e) {
      return op == Op::sub ? apply(Op::neg, type, {e}) : e;
    };
    if (numerics.fuse && is_float(type)) {
      if (const Apply* right = product(b))
        return apply(Op::fma, type, {negated(right->args[0]), right->args[1], a});
      if (const Apply* left = product(a))
        return apply(Op::fma, type, {left->args[0], left->args[1], negated(b)});
    }
    return apply(op, type, {a, b});
  }

  ExprPtr rewrite(const ExprPtr& expr) {
    NodeMap<ExprPtr>& known = done[cell];
    if (const ExprPtr* found = known.find(expr.get())) return *found;
    const ExprPtr result = rewrite_node(expr);
    return known[expr.get()] = result;
  }

  ExprPtr rewrite_node(const ExprPtr& expr) {
    if (numerics.order == Numerics::canonical && !invariant(expr) && linear(expr) &&
        parts(expr).taps + parts(expr).bias >= 2) {
      Linear sum;
      accumulate(expr, constant(expr->type, 1), sum);
      return ordered(std::move(sum), expr->type);
    }
    if (const auto* node = as<Apply>(expr)) {
      std::vector<ExprPtr> args;
      for (const ExprPtr& arg : node->args) args.push_back(rewrite(arg));
      if (node->op == Op::add || node->op == Op::sub)
        return sum_of_two(expr->type, node->op, args[0], args[1]);
      return apply(node->op, expr->type, std::move(args));
    }
    if (const auto* node = as<Cast>(expr))
      return cast(expr->type, rewrite(node->value), node->saturate);
    if (const auto* node = as<Named>(expr)) {
      if (transparent(expr)) return rewrite(node->value);
      const Offset around = std::exchange(cell, node->offset);
      ExprPtr value = rewrite(node->value);
      cell = around;
      if (is_argument(*node)) return arguments.value(*node, value);
      return make(expr->type, Named{node->name, node->let, node->offset, std::move(value)});
    }
    return expr;
  }
};

}  // namespace

void canonicalise(Stencil& stencil, Numerics numerics) {
  const Stencil before = stencil;
  Canonicaliser canonicaliser(before, numerics);
  for (ExprPtr* root : roots(stencil)) *root = canonicaliser.rewrite(*root);
  stencil.arguments.clear();  // what is left of them has numbers and names of its own
}

}  // namespace stencilc::passes
