#include "passes/bit_counts.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/node_map.h"
#include "ir/value_numbers.h"

namespace stencilc::passes {
namespace {

// An instruction that counts takes as long as four additions.
constexpr int kFewestBits = 3;

bool is_number(const ir::ExprPtr& expr, int64_t value) {
  const auto* constant = ir::as<ir::Constant>(expr);
  return constant && !ir::is_float(expr->type) && constant->value.integer == value;
}

const ir::ExprPtr& without_name(const ir::ExprPtr& expr) {
  const auto* named = ir::as<ir::Named>(expr);
  return named ? without_name(named->value) : expr;
}

const ir::Apply* applied(const ir::ExprPtr& expr, ir::Op op) {
  const auto* apply = ir::as<ir::Apply>(without_name(expr));
  return apply && apply->op == op ? apply : nullptr;
}

// Bit number `bit` of `first`, or of `first` and `second` combined by an exclusive or.
struct Bit {
  ir::ExprPtr first, second;  // second: may be null
  int bit = 0;
};

// idiv(a, 2^k) % 2
std::optional<Bit> bit_of(const ir::ExprPtr& expr) {
  const ir::Apply* rest = applied(expr, ir::Op::mod);
  if (!rest || !is_number(rest->args[1], 2)) return {};
  const ir::Apply* shifted = applied(rest->args[0], ir::Op::idiv);
  const auto* by = shifted ? ir::as<ir::Constant>(shifted->args[1]) : nullptr;
  if (!by) return Bit{rest->args[0], nullptr, 0};
  const auto divisor = static_cast<uint64_t>(std::max<int64_t>(by->value.integer, 0));
  if (!std::has_single_bit(divisor)) return Bit{rest->args[0], nullptr, 0};
  return Bit{shifted->args[0], nullptr, std::countr_zero(divisor)};
}

// Whether the same bit of two values differs, or a bit is set.
std::optional<Bit> bit_of_condition(const ir::ExprPtr& condition, bool holds) {
  const ir::Apply* compared = applied(condition, holds ? ir::Op::ne : ir::Op::eq);
  const bool other = compared == nullptr;  // the bit is compared with the number of the other case
  if (other) compared = applied(condition, holds ? ir::Op::eq : ir::Op::ne);
  if (!compared) return {};
  std::optional<Bit> a = bit_of(compared->args[0]), b = bit_of(compared->args[1]);
  if (a && is_number(compared->args[1], other ? 1 : 0)) return a;
  if (b && is_number(compared->args[0], other ? 1 : 0)) return b;
  if (other || !a || !b || a->bit != b->bit || a->first->type != b->first->type) return {};
  return Bit{a->first, b->first, a->bit};
}

std::optional<Bit> bit_in(const ir::ExprPtr& term) {
  if (const std::optional<Bit> plain = bit_of(term)) return plain;
  const ir::ExprPtr& value = without_name(term);
  if (const auto* cast = ir::as<ir::Cast>(value)) {
    if (cast->value->type == ir::Type::boolean) return bit_of_condition(cast->value, true);
    return ir::is_integer(cast->value->type) ? bit_in(cast->value) : std::nullopt;
  }
  const ir::Apply* chosen = applied(value, ir::Op::select);
  if (!chosen) return {};
  if (is_number(chosen->args[1], 1) && is_number(chosen->args[2], 0))
    return bit_of_condition(chosen->args[0], true);
  if (is_number(chosen->args[1], 0) && is_number(chosen->args[2], 1))
    return bit_of_condition(chosen->args[0], false);
  return {};
}

class Counter {
 public:
  ir::ExprPtr rewrite(const ir::ExprPtr& expr) {
    if (!expr) return expr;
    if (const ir::ExprPtr* known = done_.find(expr.get())) return *known;
    ir::ExprPtr result = of(expr);
    return done_[expr.get()] = std::move(result);
  }

 private:
  ir::ExprPtr of(const ir::ExprPtr& expr) {
    if (const auto* apply = ir::as<ir::Apply>(expr)) {
      if (apply->op == ir::Op::add && ir::is_integer(expr->type))
        if (ir::ExprPtr counted = counted_sum(expr)) return counted;
      ir::Apply other = *apply;
      for (ir::ExprPtr& arg : other.args) arg = rewrite(arg);
      return other.args == apply->args ? expr : ir::make(expr->type, std::move(other));
    }
    if (const auto* cast = ir::as<ir::Cast>(expr)) {
      const ir::ExprPtr inner = rewrite(cast->value);
      return inner == cast->value ? expr : ir::make(expr->type, ir::Cast{cast->saturate, inner});
    }
    if (const auto* named = ir::as<ir::Named>(expr)) {
      ir::ExprPtr inner = rewrite(named->value);
      if (inner == named->value) return expr;
      return ir::make(expr->type, ir::Named{named->name, named->let, named->offset, inner});
    }
    if (const auto* sum = ir::as<ir::Sum>(expr)) {
      ir::Sum other{rewrite(sum->bias), sum->terms};
      bool same = other.bias == sum->bias;
      for (ir::Sum::Term& term : other.terms) {
        const ir::ExprPtr weight = rewrite(term.weight);
        same &= weight == term.weight;
        term.weight = weight;
      }
      return same ? expr : ir::make(expr->type, std::move(other));
    }
    return expr;
  }

  static void add_terms(const ir::ExprPtr& expr, std::vector<ir::ExprPtr>& terms) {
    const auto* sum = ir::as<ir::Apply>(expr);
    if (!sum || sum->op != ir::Op::add) return terms.push_back(expr);
    for (const ir::ExprPtr& arg : sum->args) add_terms(arg, terms);
  }

  // Null: no three terms are bits of one value.
  ir::ExprPtr counted_sum(const ir::ExprPtr& expr) {
    struct Count {
      ir::ExprPtr first, second;
      uint64_t mask = 0;
      std::vector<ir::ExprPtr> terms;
    };
    std::vector<ir::ExprPtr> terms, others;
    add_terms(expr, terms);
    if (static_cast<int>(terms.size()) < kFewestBits) return nullptr;
    std::map<std::pair<int, int>, Count> counts;
    for (const ir::ExprPtr& term : terms) {
      const std::optional<Bit> bit = bit_in(term);
      if (!bit) {
        others.push_back(term);
        continue;
      }
      int first = numbers_.of(bit->first), second = bit->second ? numbers_.of(bit->second) : -1;
      if (second > first) std::swap(first, second);
      Count& count = counts[{first, second}];
      const uint64_t mask = uint64_t{1} << bit->bit;
      if (count.mask & mask) {
        others.push_back(term);
        continue;
      }
      if (!count.first) {
        count.first = bit->first;
        count.second = bit->second;
      }
      count.mask |= mask;
      count.terms.push_back(term);
    }
    std::vector<ir::ExprPtr> result;
    for (const auto& [values, count] : counts) {
      if (static_cast<int>(count.terms.size()) < kFewestBits)
        others.insert(others.end(), count.terms.begin(), count.terms.end());
      else
        result.push_back(counted(rewrite(count.first), rewrite(count.second), count.mask));
    }
    if (result.empty()) return nullptr;
    for (const ir::ExprPtr& other : others) result.push_back(rewrite(other));
    ir::ExprPtr total;
    for (const ir::ExprPtr& term : result) {
      const ir::ExprPtr value = ir::cast(expr->type, term);
      total = total ? ir::apply(ir::Op::add, expr->type, {total, value}) : value;
    }
    return total;
  }

  static ir::ExprPtr counted(const ir::ExprPtr& first, const ir::ExprPtr& second, uint64_t mask) {
    const ir::Type type = first->type;
    const ir::ExprPtr word = second ? ir::apply(ir::Op::bit_xor, type, {first, second}) : first;
    const ir::ExprPtr number = ir::constant(ir::make_integer(type, static_cast<int64_t>(mask)));
    return ir::apply(ir::Op::popcount, ir::Type::i32,
                     {ir::apply(ir::Op::bit_and, type, {word, number})});
  }

  ir::ValueNumbers numbers_;
  ir::NodeMap<ir::ExprPtr> done_;
};

}  // namespace

void count_bits(ir::Stencil& stencil) {
  const ir::Stencil before = stencil;  // keeps the nodes that are known by their addresses
  Counter counter;
  for (ir::ExprPtr* root : ir::roots(stencil)) *root = counter.rewrite(*root);
}

}  // namespace stencilc::passes
