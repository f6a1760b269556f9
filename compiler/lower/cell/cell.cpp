#include "lower/cell/cell.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "ir/operations.h"
#include "lower/cell/weights.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;
using kernel::Fn;

namespace {

constexpr int kWidth = 60;  // of an expression in the emitted text: what is wider gets a name

// A conversion that C++ makes by itself and the emitted text does not show: of a narrow integer to
// i32.
bool is_silent(const ExprPtr& expr) {
  const auto* convert = kernel::as<kernel::Convert>(expr);
  return convert && expr->type == kernel::Type::i32 && convert->value->type < kernel::Type::i32;
}

bool is_leaf(const ExprPtr& expr) {
  if (is_silent(expr)) return is_leaf(kernel::as<kernel::Convert>(expr)->value);
  if (const auto* load = kernel::as<kernel::Load>(expr)) return load->buffer.registers > 0;
  return kernel::as<kernel::Var>(expr) || kernel::as<kernel::Int>(expr) ||
         kernel::as<kernel::Real>(expr);
}

bool is_one(const ir::ExprPtr& weight, double value) {
  const auto* constant = ir::as<ir::Constant>(weight);
  return constant && constant->value.real == value;
}

// so_far + weight * tap, rounded once; `so_far` null: nothing yet.
ExprPtr term_added(const ir::Sum::Term& term, const std::vector<ExprPtr>& operands,
                   const ExprPtr& so_far, kernel::Type type) {
  const bool plus = is_one(term.weight, 1), minus = is_one(term.weight, -1);
  if (!so_far)
    return plus    ? operands[1]
           : minus ? kernel::make(type, kernel::Neg{operands[1]})
                   : kernel::bin(BinOp::mul, operands[0], operands[1]);
  if (plus || minus) return kernel::bin(plus ? BinOp::add : BinOp::sub, so_far, operands[1]);
  return kernel::make(type, kernel::Fma{operands[0], operands[1], so_far});
}

}  // namespace

int width(const ExprPtr& expr) {
  if (const auto* real = kernel::as<kernel::Real>(expr)) {
    char text[40];
    const auto end = expr->type == kernel::Type::f32
                         ? std::to_chars(text, text + sizeof text, static_cast<float>(real->value))
                         : std::to_chars(text, text + sizeof text, real->value);
    return static_cast<int>(end.ptr - text) + 1;
  }
  if (is_silent(expr)) return width(kernel::as<kernel::Convert>(expr)->value);
  int sum = 0;
  kernel::for_each_child(*expr, [&](const ExprPtr& arg) { sum += width(arg) + 2; });
  struct Visit {
    int operator()(const kernel::Int&) { return 3; }
    int operator()(const kernel::Real&) { return 0; }  // above
    int operator()(const kernel::Var& n) { return static_cast<int>(n.name.size()); }
    int operator()(const kernel::Bin& n) {
      if (n.op == BinOp::idiv || n.op == BinOp::mod) return 20;
      return kernel::is_float(n.left->type) || n.wraps ? 12 : 3;
    }
    int operator()(const kernel::Neg&) { return 1; }
    int operator()(const kernel::Not&) { return 1; }
    int operator()(const kernel::Fma&) { return 11; }
    int operator()(const kernel::Call&) { return 11; }
    int operator()(const kernel::Convert&) { return 20; }
    int operator()(const kernel::Load& n) { return static_cast<int>(n.buffer.name.size()); }
    int operator()(const kernel::Beside& n) { return static_cast<int>(n.buffer.name.size()) + 16; }
    int operator()(const kernel::Entry&) { return 20; }
    int operator()(const kernel::Pick&) { return 4; }
    int operator()(const kernel::Place&) { return 20; }
    int operator()(const kernel::Identity&) { return 30; }
  };
  return sum + std::visit(Visit{}, expr->node);
}

ExprPtr Cell::named(const ExprPtr& value, const std::string& wanted) {
  if (is_leaf(value)) return value;
  const std::string name = names_.claim(wanted);
  body_.push_back({kernel::Let{name, value}});
  return kernel::var(name, value->type);
}

// Names the widest of `args` until the expression they stand in, which takes `spent` itself, keeps
// to its line.
void Cell::fit(std::vector<ExprPtr>& args, int spent) {
  const auto total = [&] {
    return std::accumulate(args.begin(), args.end(), 0,
                           [](int sum, const ExprPtr& a) { return sum + width(a) + 2; });
  };
  while (total() + spent > kWidth) {
    auto widest =
        std::max_element(args.begin(), args.end(),
                         [](const ExprPtr& a, const ExprPtr& b) { return width(a) < width(b); });
    if (is_leaf(*widest)) return;
    *widest = named(*widest, "part");
  }
}

// u_xm1, and u_0 for the cell itself.
std::string Cell::name_of(const ir::Read& read) const {
  const kernel::Buffer& buffer =
      read.level == 1 ? context_.next[read.field] : context_.levels[read.field][-read.level];
  return context_.name_at(buffer.name, read.offset) + (read.offset == ir::Offset{} ? "_0" : "");
}

void add_ghost_shape(const Context& context, int field, std::vector<ExprPtr>& args) {
  for (int a = 0; a < context.rank(); ++a) args.push_back(context.box.extent(a));
  for (int a = 0; a < context.rank(); ++a)
    args.push_back(kernel::index(context.stencil.fields[field].ghosts[a]));
}

ExprPtr ghost_place(const Context& context, int field, const std::vector<ExprPtr>& at) {
  std::vector<ExprPtr> args(at.begin(), at.begin() + context.rank());
  add_ghost_shape(context, field, args);
  return kernel::call(kernel::Type::index, Fn::ghost_place, std::move(args));
}

ExprPtr Cell::value(const ir::ExprPtr& expr) {
  const int id = context_.numbering().id(expr);
  if (const auto found = context_.invariants.values.find(id);
      found != context_.invariants.values.end())
    return found->second;
  if (const auto found = here_.at_hand.find(id); found != here_.at_hand.end()) return found->second;
  if (const auto found = values_.find(id); found != values_.end()) return found->second;
  ExprPtr result = compute(expr);
  if (!is_leaf(result) && context_.numbering().uses(expr) > 1) {
    const auto* read = ir::as<ir::Read>(expr);
    result = named(result, read ? name_of(*read) : "value");
  }
  return values_[id] = result;
}

ExprPtr Cell::compute(const ir::ExprPtr& expr) {
  if (const auto* node = ir::as<ir::Constant>(expr)) return constant(node->value);
  if (const auto* node = ir::as<ir::ParamRef>(expr))
    return kernel::var(context_.params[node->param], type_of(expr->type));
  if (const auto* node = ir::as<ir::Coordinate>(expr))
    return kernel::make(kernel::Type::i64,
                        kernel::Convert{kernel::add(at_[node->axis], node->offset)});
  if (const auto* node = ir::as<ir::Extent>(expr))
    return kernel::make(kernel::Type::i64, kernel::Convert{context_.box.extent(node->axis)});
  if (const auto* node = ir::as<ir::SeriesRef>(expr))
    return kernel::load(context_.series[node->series], here_.point);
  if (const auto* node = ir::as<ir::GhostRef>(expr))
    return kernel::load(context_.ghosts[node->field], ghost_place(context_, node->field, at_));
  if (ir::as<ir::Time>(expr))
    return kernel::var(here_.now.empty() ? context_.time : here_.now, kernel::Type::i64);
  if (const auto* node = ir::as<ir::WeightRef>(expr))
    return kernel::load(context_.weights[node->array],
                        kernel::index(place_of(node->element, context_.weight_rows[node->array])));
  if (const auto* node = ir::as<ir::ReductionRef>(expr))
    return context_.host ? kernel::var(context_.results[node->reduction].name, type_of(expr->type))
                         : kernel::load(context_.results[node->reduction], kernel::index(0));
  if (const auto* node = ir::as<ir::Read>(expr)) return tap_(*node);
  if (const auto* node = ir::as<ir::Apply>(expr)) return compute_apply(*node, expr);
  if (const auto* node = ir::as<ir::Cast>(expr)) {
    std::vector<ExprPtr> args = {value(node->value)};
    // f32(x) of a coordinate converts the index itself: it is the same number
    if (const auto* inner = kernel::as<kernel::Convert>(args[0]);
        inner && inner->value->type == kernel::Type::index && ir::is_float(expr->type))
      args[0] = inner->value;
    fit(args, 22);  // a conversion takes that much itself
    return kernel::make(type_of(expr->type), kernel::Convert{args[0], node->saturate});
  }
  if (const auto* node = ir::as<ir::Named>(expr)) {
    const std::string name = context_.name_at(node->name, node->offset);
    if (const auto* sum = ir::as<ir::Sum>(node->value);
        sum && !values_.count(context_.numbering().id(node->value)) &&
        !here_.at_hand.count(context_.numbering().id(node->value)))
      return values_[context_.numbering().id(node->value)] = compute_sum(*sum, node->value, name);
    return named(value(node->value), name);
  }
  const auto* sum = ir::as<ir::Sum>(expr);
  assert(sum);
  return compute_sum(*sum, expr, "sum");
}

ExprPtr Cell::added(const ir::Sum::Term& term, const ExprPtr& so_far, kernel::Type type) {
  std::vector<ExprPtr> operands = {value(term.weight), value(term.tap)};
  fit(operands);
  return term_added(term, operands, so_far, type);
}

// acc = first; acc = fma(weight, tap, acc) ... with fma(1, tap, acc) written as the addition it is.
ExprPtr Cell::compute_sum(const ir::Sum& sum, const ir::ExprPtr& expr, const std::string& wanted) {
  const kernel::Type type = type_of(expr->type);
  std::string name;
  ExprPtr so_far = sum.bias ? value(sum.bias) : nullptr;
  std::vector<std::vector<ExprPtr>>
      operands;  // weight and tap; all of them first, so that the sum stands in one piece
  for (const ir::Sum::Term& term : sum.terms) {
    operands.push_back({value(term.weight), value(term.tap)});
    fit(operands.back());
  }
  for (size_t t = 0; t < sum.terms.size(); ++t) {
    const ExprPtr next = term_added(sum.terms[t], operands[t], so_far, type);
    if (sum.terms.size() == 1) return next;
    if (name.empty()) {
      name = names_.claim(wanted);
      body_.push_back({kernel::Let{name, next, true}});
    } else {
      body_.push_back({kernel::Assign{name, next}});
    }
    so_far = kernel::var(name, type);
  }
  return so_far;
}

ExprPtr Cell::compute_apply(const ir::Apply& apply, const ir::ExprPtr& expr) {
  std::vector<ExprPtr> args;
  for (const ir::ExprPtr& arg : apply.args) args.push_back(value(arg));
  fit(args, apply.op == ir::Op::idiv || apply.op == ir::Op::mod ? 18 : 0);
  const kernel::Type type = type_of(expr->type);
  const bool wraps = context_.numbering().may_wrap(expr);
  const auto binary = [&](BinOp op) { return kernel::bin(op, args[0], args[1], wraps); };
  const auto function = [&](Fn fn) { return kernel::call(type, fn, args); };
  switch (apply.op) {
    case ir::Op::neg:
      return kernel::make(type, kernel::Neg{args[0], wraps});
    case ir::Op::add:
      return binary(BinOp::add);
    case ir::Op::sub:
      return binary(BinOp::sub);
    case ir::Op::mul:
      return binary(BinOp::mul);
    case ir::Op::fma:
      return kernel::make(type, kernel::Fma{args[0], args[1], args[2]});
    case ir::Op::div:
      // nvcc divides by any constant if the quotient has to be rounded (__fdiv_rn).
      if (ir::has_exact_reciprocal(apply.args[1])) {
        ir::Scalar reciprocal = ir::as<ir::Constant>(apply.args[1])->value;
        reciprocal.real = 1 / reciprocal.real;
        return kernel::bin(BinOp::mul, args[0], constant(reciprocal));
      }
      if (const ExprPtr quotient = over_number(apply, args[0], type)) return quotient;
      return binary(BinOp::div);
    case ir::Op::idiv:
      return binary(BinOp::idiv);
    case ir::Op::mod:
      return binary(BinOp::mod);
    case ir::Op::lt:
      return binary(BinOp::lt);
    case ir::Op::le:
      return binary(BinOp::le);
    case ir::Op::gt:
      return binary(BinOp::gt);
    case ir::Op::ge:
      return binary(BinOp::ge);
    case ir::Op::eq:
      return binary(BinOp::eq);
    case ir::Op::ne:
      return binary(BinOp::ne);
    case ir::Op::and_:
      return binary(BinOp::and_);
    case ir::Op::or_:
      return binary(BinOp::or_);
    case ir::Op::not_:
      return kernel::make(type, kernel::Not{args[0]});
    case ir::Op::select:
      return kernel::make(type, kernel::Pick{args[0], args[1], args[2]});
    case ir::Op::sqrt:
      return function(Fn::sqrt);
    case ir::Op::exp:
      return function(Fn::exp);
    case ir::Op::log:
      return function(Fn::log);
    case ir::Op::sin:
      return function(Fn::sin);
    case ir::Op::cos:
      return function(Fn::cos);
    case ir::Op::tan:
      return function(Fn::tan);
    case ir::Op::tanh:
      return function(Fn::tanh);
    case ir::Op::pow:
      return function(Fn::pow);
    case ir::Op::floor:
      return function(Fn::floor);
    case ir::Op::ceil:
      return function(Fn::ceil);
    case ir::Op::abs:
      return function(Fn::abs);
    case ir::Op::min:
      return function(Fn::min);
    case ir::Op::max:
      return function(Fn::max);
    case ir::Op::bit_and:
      return binary(BinOp::and_);
    case ir::Op::bit_or:
      return binary(BinOp::or_);
    case ir::Op::bit_xor:
      return binary(BinOp::xor_);
    case ir::Op::popcount:
      return function(Fn::popcount);
  }
  return nullptr;
}

// By a number that takes no division, of a dividend for which that holds (ir/number_divisor.h); or
// null.
ExprPtr Cell::over_number(const ir::Apply& apply, const ExprPtr& dividend, kernel::Type type) {
  const auto* number = ir::as<ir::Constant>(apply.args[1]);
  if (!number || context_.host || context_.target != plan::Target::cuda) return nullptr;
  const auto parts = ir::two_part_reciprocal(number->value.real, apply.args[1]->type);
  if (!parts || !context_.grains().is_usual(apply.args[0])) return nullptr;
  return kernel::call(type, Fn::over_number,
                      {dividend, kernel::make(type, kernel::Real{parts->high}),
                       kernel::make(type, kernel::Real{parts->low})});
}

Invariants invariants_of(const Context& context, bool many_steps) {
  Invariants result;
  Cell top(context, {}, nullptr, context.names, result.statements);
  std::vector<ir::ExprPtr> pending = context.all_roots();
  std::reverse(pending.begin(), pending.end());
  std::unordered_set<int> seen;
  // From the roots down, so that the largest invariant expression gets the name.
  while (!pending.empty()) {
    const ir::ExprPtr expr = pending.back();
    pending.pop_back();
    const int id = context.numbering().id(expr);
    if (!seen.insert(id).second) continue;
    if (!context.numbering().invariant(expr) || (many_steps && expr->counts)) {
      std::vector<ir::ExprPtr> below = ir::children(*expr);
      pending.insert(pending.end(), below.rbegin(), below.rend());
      continue;
    }
    if (ir::as<ir::Constant>(expr) || ir::as<ir::ParamRef>(expr) || ir::as<ir::Time>(expr) ||
        ir::as<ir::WeightRef>(expr))
      continue;
    const auto* negated = ir::as<ir::Apply>(expr);
    if (negated && negated->op == ir::Op::neg && ir::as<ir::ParamRef>(negated->args[0]))
      continue;  // as short where it is used
    const auto* let = ir::as<ir::Named>(expr);
    const ExprPtr value = top.named(top.value(expr), let ? let->name : "factor");
    result.values[id] = value;
    top.take(expr, value);
  }
  return result;
}

}  // namespace stencilc::lower
