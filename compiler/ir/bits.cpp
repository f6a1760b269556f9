#include "ir/bits.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "ir/bit_numbers.h"
#include "ir/boundary.h"

namespace stencilc::ir {
namespace {

constexpr int64_t kMostValues = 1 << 16;  // of a number
constexpr int kMostBits = 8;              // of a cell, for all fields
constexpr int kMostGates = 4000;
constexpr int kFurthest = 31;  // along x: in the words next to that of the cell
constexpr const char* kNegativeBits =
    "a step takes bits of numbers that may be negative, for all that is known";
constexpr const char* kTooFar = "a step reads cells more than 31 away along x";

std::string quoted(const std::string& name) { return "`" + name + "`"; }

Interval all_of(Type type) {
  return type == Type::boolean ? Interval{0, 1} : Interval{lowest(type), highest(type)};
}

std::optional<int64_t> integer_of(const ExprPtr& expr) {
  const auto* constant = as<Constant>(expr);
  if (!constant || is_float(expr->type)) return {};
  return constant->value.integer;
}

// The exponent, if a constant is a power of two.
std::optional<int> power_of(const ExprPtr& expr) {
  const std::optional<int64_t> value = integer_of(expr);
  if (!value || *value < 1 || !std::has_single_bit(static_cast<uint64_t>(*value))) return {};
  return std::countr_zero(static_cast<uint64_t>(*value));
}

// The values of a step as numbers of few bits, given the ranges of the fields.
class Builder {
 public:
  Builder(const Stencil& stencil, std::vector<Interval> fields)
      : stencil_(stencil), numbers_(fields), fields_(std::move(fields)) {}

  // The new value of each field; nothing is known about fields without a statement.
  std::map<int, Number> run() {
    for (const Update& update : stencil_.updates) {
      Number value = number(update.cases[0].value);
      if (!problem_.empty()) return {};
      made_by_step_[update.field] = std::move(value);
    }
    return made_by_step_;
  }
  const std::string& problem() const { return problem_; }
  BitNumbers& numbers() { return numbers_; }

 private:
  Number refuse(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    return numbers_.constant(0);
  }

  Number number(const ExprPtr& expr) {
    if (!problem_.empty()) return numbers_.constant(0);
    if (const auto known = made_.find(expr); known != made_.end()) return known->second;
    if (is_float(expr->type)) return refuse("a step computes with floats");
    Number value = std::visit([&](const auto& node) { return one(node, expr); }, expr->node);
    if (problem_.empty() && !all_of(expr->type).holds(value.range))
      return refuse("an integer may overflow in a step");
    if (value.range.high - value.range.low >= kMostValues)
      return refuse("an integer of a step needs more than 16 bits");
    if (numbers_.circuit().gates().size() > kMostGates)
      return refuse("a step needs more than " + std::to_string(kMostGates) + " bit operations");
    return made_[expr] = value;
  }

  Number one(const Constant& node, const ExprPtr&) { return numbers_.constant(node.value.integer); }
  Number one(const Named& node, const ExprPtr&) { return number(node.value); }
  Number one(const Read& node, const ExprPtr&) {
    const Field& field = stencil_.fields[node.field];
    if (node.level == 1 && node.offset == Offset{}) return made_by_step_.at(node.field);
    if (field.role != Role::stepped || node.level != 0)
      return refuse("a step reads " + quoted(field.name) +
                    " in another way than at level t of a field that it updates");
    if (std::abs(node.offset[0]) > kFurthest) return refuse(kTooFar);
    return numbers_.read(node.field, node.offset[stencil_.rank() - 1], node.offset[0]);
  }
  Number one(const Cast& node, const ExprPtr& expr) {
    const Number value = number(node.value);
    if (!problem_.empty()) return value;
    if (expr->type == Type::boolean) return numbers_.truth(numbers_.any(value));
    const Interval range = all_of(expr->type);
    if (range.holds(value.range)) return value;
    if (node.saturate)
      return least(greatest(value, numbers_.constant(range.low)), numbers_.constant(range.high));
    return numbers_.lowest(value, 8 * bytes(expr->type), range.low < 0);
  }
  Number one(const Apply& node, const ExprPtr& expr) {
    switch (node.op) {
      case Op::add:
      case Op::sub:
      case Op::neg:
        return sum(expr);
      case Op::mul:
        return product(node, expr);
      default:
        break;
    }
    std::vector<Number> args;
    for (const ExprPtr& arg : node.args) args.push_back(number(arg));
    if (!problem_.empty()) return args[0];
    Circuit& circuit = numbers_.circuit();
    const auto truth = [&](int gate) { return numbers_.truth(gate); };
    switch (node.op) {
      case Op::lt:
        return truth(numbers_.less(args[0], args[1]));
      case Op::ge:
        return truth(circuit.not_(numbers_.less(args[0], args[1])));
      case Op::gt:
        return truth(numbers_.less(args[1], args[0]));
      case Op::le:
        return truth(circuit.not_(numbers_.less(args[1], args[0])));
      case Op::eq:
        return truth(numbers_.equal(args[0], args[1]));
      case Op::ne:
        return truth(circuit.not_(numbers_.equal(args[0], args[1])));
      case Op::not_:
        return truth(circuit.not_(numbers_.any(args[0])));
      case Op::and_:
        return truth(circuit.and_(numbers_.any(args[0]), numbers_.any(args[1])));
      case Op::or_:
        return truth(circuit.or_(numbers_.any(args[0]), numbers_.any(args[1])));
      case Op::select:
        return numbers_.pick(numbers_.any(args[0]), args[1], args[2]);
      case Op::min:
        return least(args[0], args[1]);
      case Op::max:
        return greatest(args[0], args[1]);
      case Op::abs: {
        const Number& a = args[0];
        if (a.range.low >= 0) return a;
        const int below = numbers_.less(a, numbers_.constant(0));
        return numbers_.fitted(numbers_.pick(below, numbers_.negated(a), a),
                               {0, std::max(-a.range.low, a.range.high)});
      }
      case Op::idiv:
        if (const auto power = power_of(node.args[1]))
          return numbers_.without_lowest(args[0], *power);
        return refuse("a step divides by a number that is not a power of two");
      case Op::mod:
        if (const auto power = power_of(node.args[1]))
          return numbers_.lowest(args[0], *power, false);
        return refuse("a step divides by a number that is not a power of two");
      case Op::bit_and:
      case Op::bit_or:
      case Op::bit_xor:
        if (args[0].range.low < 0 || args[1].range.low < 0) return refuse(kNegativeBits);
        return numbers_.bitwise(node.op == Op::bit_and  ? BitNumbers::Bitwise::and_
                                : node.op == Op::bit_or ? BitNumbers::Bitwise::or_
                                                        : BitNumbers::Bitwise::xor_,
                                args[0], args[1]);
      case Op::popcount:
        if (args[0].range.low < 0) return refuse(kNegativeBits);
        return numbers_.ones(args[0]);
      default:
        return refuse("a step computes with floats");
    }
  }
  template <class Node>
  Number one(const Node&, const ExprPtr&) {
    return refuse("a step reads something other than fields and numbers");
  }

  Number least(const Number& a, const Number& b) {
    return numbers_.fitted(
        numbers_.pick(numbers_.less(a, b), a, b),
        {std::min(a.range.low, b.range.low), std::min(a.range.high, b.range.high)});
  }
  Number greatest(const Number& a, const Number& b) {
    return numbers_.fitted(
        numbers_.pick(numbers_.less(a, b), b, a),
        {std::max(a.range.low, b.range.low), std::max(a.range.high, b.range.high)});
  }

  Number product(const Apply& node, const ExprPtr& expr) {
    if (integer_of(node.args[0]) || integer_of(node.args[1])) return sum(expr);
    const Number a = number(node.args[0]), b = number(node.args[1]);
    if (!problem_.empty()) return a;
    if (Interval{0, 1}.holds(a.range)) return numbers_.where(numbers_.any(a), b);
    if (Interval{0, 1}.holds(b.range)) return numbers_.where(numbers_.any(b), a);
    return refuse("a step multiplies two values that vary from cell to cell");
  }

  Number sum(const ExprPtr& expr) {
    Linear linear;
    collect(expr, 1, linear);
    return problem_.empty() ? numbers_.sum(linear) : numbers_.constant(0);
  }
  // No part of it overflows, so the parts are numbers whose ranges are checked.
  void collect(const ExprPtr& expr, int64_t factor, Linear& linear) {
    if (std::abs(factor) > kMostValues) return void(refuse("an integer may overflow in a step"));
    if (const auto value = integer_of(expr)) {
      linear.bias += factor * *value;
      return;
    }
    if (const auto* named = as<Named>(expr)) return collect(named->value, factor, linear);
    const auto* read = as<Read>(expr);
    if (read && read->level == 0 && stencil_.fields[read->field].role == Role::stepped) {
      if (std::abs(read->offset[0]) > kFurthest) return void(refuse(kTooFar));
      linear.reads[read->offset[0]][{read->field, read->offset[stencil_.rank() - 1]}] += factor;
      return;
    }
    if (const auto* cast = as<Cast>(expr)) {
      const bool widens =
          !is_float(cast->value->type) && all_of(expr->type).holds(all_of(cast->value->type));
      if (widens) return collect(cast->value, factor, linear);
    }
    const auto* apply = as<Apply>(expr);
    if (apply && (apply->op == Op::add || apply->op == Op::sub || apply->op == Op::neg)) {
      if (wraps(expr)) return void(refuse("an integer may overflow in a step"));
      collect(apply->args[0], apply->op == Op::neg ? -factor : factor, linear);
      if (apply->op != Op::neg)
        collect(apply->args[1], apply->op == Op::sub ? -factor : factor, linear);
      return;
    }
    if (apply && apply->op == Op::mul) {
      for (const int n : {0, 1})
        if (const auto value = integer_of(apply->args[n])) {
          if (wraps(expr)) return void(refuse("an integer may overflow in a step"));
          return collect(apply->args[1 - n], factor * *value, linear);
        }
    }
    linear.others.emplace_back(number(expr), factor);
  }

  // The range of a part of a sum, from the ranges of its parts.
  bool wraps(const ExprPtr& expr) { return !all_of(expr->type).holds(range(expr)); }
  Interval range(const ExprPtr& expr) {
    if (const auto known = ranges_.find(expr); known != ranges_.end()) return known->second;
    Interval result = {0, 0};
    const auto* apply = as<Apply>(expr);
    const auto* read = as<Read>(expr);
    const auto* cast = as<Cast>(expr);
    const auto product = [](const Interval& a, int64_t factor) {
      return factor < 0 ? Interval{a.high * factor, a.low * factor}
                        : Interval{a.low * factor, a.high * factor};
    };
    const auto plus = [](const Interval& a, const Interval& b) {
      return Interval{a.low + b.low, a.high + b.high};
    };
    if (const auto value = integer_of(expr))
      result = {*value, *value};
    else if (const auto* named = as<Named>(expr))
      result = range(named->value);
    else if (read && read->level == 0 && stencil_.fields[read->field].role == Role::stepped)
      result = fields_[read->field];
    else if (cast && !is_float(cast->value->type) &&
             all_of(expr->type).holds(all_of(cast->value->type)))
      result = range(cast->value);
    else if (apply && apply->op == Op::add)
      result = plus(range(apply->args[0]), range(apply->args[1]));
    else if (apply && apply->op == Op::sub)
      result = plus(range(apply->args[0]), product(range(apply->args[1]), -1));
    else if (apply && apply->op == Op::neg)
      result = product(range(apply->args[0]), -1);
    else if (apply && apply->op == Op::mul && integer_of(apply->args[0]))
      result = product(range(apply->args[1]), *integer_of(apply->args[0]));
    else if (apply && apply->op == Op::mul && integer_of(apply->args[1]))
      result = product(range(apply->args[0]), *integer_of(apply->args[1]));
    else
      result = number(expr).range;
    constexpr int64_t kMost = int64_t{1} << 40;  // larger values have overflowed; this one has not
    result = {std::clamp(result.low, -kMost, kMost), std::clamp(result.high, -kMost, kMost)};
    return ranges_[expr] = result;
  }

  const Stencil& stencil_;
  BitNumbers numbers_;
  std::vector<Interval> fields_;
  std::map<ExprPtr, Number> made_;
  std::map<ExprPtr, Interval> ranges_;
  std::map<int, Number> made_by_step_;
  std::string problem_;
};

// Ghost cells along an axis: as inside (periodic), or a number.
struct Outside {
  std::string problem;
  std::optional<int64_t> value;
};
Outside outside_of(const Stencil& stencil, const Field& field) {
  Outside result;
  for (int a = 0; a < stencil.rank(); ++a)
    for (const Side& side : field.boundary.sides[a]) {
      if (!kind_of(side).open()) continue;
      const auto value = side.edge == Edge::constant ? integer_of(side.value) : std::nullopt;
      if (!value || (result.value && *result.value != *value))
        return {"the boundary of " + quoted(field.name) + " is neither periodic nor one number",
                {}};
      result.value = value;
    }
  return result;
}

std::string problem_of(const Stencil& stencil) {
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const Field& field = stencil.fields[f];
    if (field.role != Role::stepped) continue;
    if (bytes(field.type) != 1 || field.levels() != 1)
      return quoted(field.name) + " needs more than one byte per cell";
    const int update = stencil.update_of(static_cast<int>(f));
    if (update < 0 || stencil.updates[update].cases.size() != 1 ||
        !stencil.updates[update].cases[0].domain.everywhere())
      return "a step does not assign every cell of " + quoted(field.name);
  }
  return "";
}

}  // namespace

int Bits::all() const {
  int sum = 0;
  for (const int one : count) sum += one;
  return sum;
}

int Bits::operations() const {
  return static_cast<int>(std::count_if(gates.begin(), gates.end(), [](const Gate& gate) {
    return gate.op > Gate::read && gate.op != Gate::not_;
  }));
}

Bits bits_of(const Stencil& stencil) {
  Bits result;
  result.why_not = stencil.rank() == 2 ? problem_of(stencil) : "the stencil does not have two axes";
  if (!result.why_not.empty()) return result;
  std::vector<Interval> any(stencil.fields.size()), few;
  std::vector<std::optional<int64_t>> outside(stencil.fields.size());
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const Field& field = stencil.fields[f];
    if (field.role != Role::stepped) continue;
    const Outside ghost = outside_of(stencil, field);
    result.why_not = ghost.problem;
    if (!result.why_not.empty()) return result;
    outside[f] = ghost.value;
    any[f] = all_of(field.type);
  }
  // The range after one step from any values; a step keeps values in this range.
  Builder first(stencil, any);
  const std::map<int, Number> made = first.run();
  result.why_not = first.problem();
  if (!result.why_not.empty()) return result;
  few = any;
  for (const auto& [field, number] : made) {
    few[field] = number.range;
    if (outside[field]) few[field] = around(few[field], {*outside[field], *outside[field]});
    if (few[field].low < 0) {
      result.why_not = quoted(stencil.fields[field].name) + " can become negative";
      return result;
    }
    if (few[field] != any[field]) result.after_a_step = true;
  }
  Builder builder(stencil, few);
  std::map<int, Number> numbers = builder.run();
  result.why_not = builder.problem();
  if (!result.why_not.empty()) return result;
  result.count.resize(stencil.fields.size());
  result.results.resize(stencil.fields.size());
  std::vector<std::vector<int>*> roots;
  for (auto& [field, number] : numbers) {
    result.count[field] = bits_for(few[field]);
    std::vector<int>& gates = result.results[field];
    gates = number.bits;
    gates.resize(result.count[field], builder.numbers().circuit().zero());
    roots.push_back(&gates);
  }
  if (result.all() > kMostBits)
    result.why_not = "a cell needs " + std::to_string(result.all()) + " bits, and the limit is " +
                     std::to_string(kMostBits);
  result.gates = builder.numbers().circuit().used(roots);
  return result;
}

}  // namespace stencilc::ir
