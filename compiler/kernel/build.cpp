#include "kernel/build.h"

namespace stencilc::kernel {
namespace {
const Int* number(const ExprPtr& expr) {
  const Int* one = as<Int>(expr);
  return one && one->name.empty() ? one : nullptr;
}
bool is(const ExprPtr& expr, int64_t value) { return number(expr) && number(expr)->value == value; }
}  // namespace

bool is_float(Type type) { return type >= Type::f16 && type <= Type::f64; }

int bytes_of(Type type) {
  switch (type) {
    case Type::boolean:
    case Type::i8:
    case Type::u8:
      return 1;
    case Type::i16:
    case Type::u16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::i64:
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}
bool is_half(Type type) { return type == Type::f16 || type == Type::bf16; }

Count plus(const Count& left, const Count& right) {
  const int sum = left.value + right.value;
  if (left.text.empty() && right.text.empty()) return sum;
  if (left.value == 0) return right;
  if (right.value == 0) return left;
  if (right.text.empty() && right.value < 0)
    return {sum, left.text + " - " + std::to_string(-right.value)};
  return {sum, spell(left) + " + " + spell(right)};
}

Count times(const Count& left, const Count& right) {
  const int product = left.value * right.value;
  if (left.text.empty() && right.text.empty()) return product;
  if (product == 0) return 0;
  if (left.value == 1) return right;
  if (right.value == 1) return left;
  const auto factor = [](const Count& one) {
    const bool is_sum = one.text.find_first_of("+-") != std::string::npos;
    return is_sum ? "(" + one.text + ")" : spell(one);
  };
  return {product, factor(left) + " * " + factor(right)};
}

std::string spell(const Count& count) {
  return count.text.empty() ? std::to_string(count.value) : count.text;
}

ExprPtr index(int64_t value) { return make(Type::index, Int{value, {}}); }
ExprPtr index(const Count& value) { return make(Type::index, Int{value.value, value.text}); }
ExprPtr named(int64_t value, std::string name) {
  return make(Type::index, Int{value, std::move(name)});
}
ExprPtr place(Place::What what, int axis) { return make(Type::index, Place{what, axis}); }
ExprPtr var(std::string name, Type type) { return make(type, Var{std::move(name)}); }

ExprPtr bin(BinOp op, ExprPtr left, ExprPtr right, bool wraps) {
  const bool compares = op >= BinOp::lt && op <= BinOp::ne && left->type != Type::bits;
  const Type type = compares ? Type::boolean : left->type;
  return make(type, Bin{op, std::move(left), std::move(right), wraps});
}

ExprPtr call(Type type, Fn function, std::vector<ExprPtr> args) {
  return make(type, Call{function, std::move(args)});
}

int exponent_of_divisor(const Bin& division) {
  if (division.op != BinOp::idiv && division.op != BinOp::mod) return -1;
  const Type type = division.left->type;
  const auto* divisor = as<Int>(division.right);
  if ((type != Type::i32 && type != Type::i64) || !divisor || !divisor->name.empty()) return -1;
  if (divisor->value <= 0) return -1;
  const auto value = static_cast<uint64_t>(divisor->value);
  return std::has_single_bit(value) ? std::countr_zero(value) : -1;
}

ExprPtr pick(ExprPtr condition, ExprPtr yes, ExprPtr no) {
  const Type type = yes->type;
  return make(type, Pick{std::move(condition), std::move(yes), std::move(no)});
}
ExprPtr least(const ExprPtr& a, const ExprPtr& b) { return pick(bin(BinOp::lt, a, b), a, b); }

ExprPtr load(const Buffer& buffer, ExprPtr at) {
  return make(buffer.element, Load{buffer, std::move(at), nullptr});
}

ExprPtr add(ExprPtr left, ExprPtr right) {
  if (number(left) && number(right)) return index(number(left)->value + number(right)->value);
  if (is(left, 0)) return right;
  if (is(right, 0)) return left;
  if (number(left)) return add(std::move(right), std::move(left));
  // x + 3 - 2 is x + 1, and a negative number is subtracted
  if (const Int* n = number(right)) {
    const auto* inner = as<Bin>(left);
    if (inner && number(inner->right) && (inner->op == BinOp::add || inner->op == BinOp::sub)) {
      const int64_t before =
          inner->op == BinOp::add ? number(inner->right)->value : -number(inner->right)->value;
      return add(inner->left, index(before + n->value));
    }
    if (n->value < 0) return bin(BinOp::sub, std::move(left), index(-n->value));
  }
  // a + (-2 * b) is a - 2 * b
  if (const auto* product = as<Bin>(right); product && product->op == BinOp::mul &&
                                            number(product->left) &&
                                            number(product->left)->value < 0)
    return bin(BinOp::sub, std::move(left),
               mul(index(-number(product->left)->value), product->right));
  return bin(BinOp::add, std::move(left), std::move(right));
}

ExprPtr add(ExprPtr left, int64_t right) { return add(std::move(left), index(right)); }

ExprPtr mul(ExprPtr left, ExprPtr right) {
  if (number(left) && number(right)) return index(number(left)->value * number(right)->value);
  if (is(left, 0) || is(right, 0)) return index(0);
  if (is(left, 1)) return right;
  if (is(right, 1)) return left;
  return bin(BinOp::mul, std::move(left), std::move(right));
}

ExprPtr both(ExprPtr left, ExprPtr right) {
  if (!left) return right;
  if (!right) return left;
  // a && (b && c) is a && b && c
  if (const auto* node = as<Bin>(right); node && node->op == BinOp::and_)
    return both(both(std::move(left), node->left), node->right);
  return bin(BinOp::and_, std::move(left), std::move(right));
}

ExprPtr either(ExprPtr left, ExprPtr right) {
  if (!left) return right;
  if (!right) return left;
  return bin(BinOp::or_, std::move(left), std::move(right));
}

void append(Body& to, Body from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

bool takes_of_lanes(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.node);
  return std::holds_alternative<Beside>(expr.node) ||
         (call && (call->function == Fn::moved || call->function == Fn::from_left ||
                   call->function == Fn::from_right));
}

std::vector<ExprPtr> children(const Expr& expr) {
  std::vector<ExprPtr> result;
  for_each_child(expr, [&](const ExprPtr& child) { result.push_back(child); });
  return result;
}

}  // namespace stencilc::kernel
