// Building kernel expressions: constants fold, and x + 0, x * 1, 0 * x of index arithmetic never
// stand in a tree.
#pragma once

#include "kernel/kernel.h"

namespace stencilc::kernel {

template <class Node>
ExprPtr make(Type type, Node node) {
  return std::make_shared<const Expr>(Expr{type, std::move(node)});
}
template <class Node>
const Node* as(const ExprPtr& expr) {
  return expr ? std::get_if<Node>(&expr->node) : nullptr;
}

ExprPtr index(int64_t value);
ExprPtr index(const Count& value);
ExprPtr named(int64_t value, std::string name);  // such a number never folds into another
ExprPtr place(Place::What what, int axis);  // of a thread or block
ExprPtr var(std::string name, Type type = Type::index);
ExprPtr bin(BinOp op, ExprPtr left, ExprPtr right, bool wraps = false);  // type from the operands
ExprPtr call(Type type, Fn function, std::vector<ExprPtr> args);
ExprPtr load(const Buffer& buffer, ExprPtr at);

ExprPtr pick(ExprPtr condition, ExprPtr yes, ExprPtr no);
ExprPtr least(const ExprPtr& a, const ExprPtr& b);

// The exponent of a divisor that is a power of two, of a quotient or remainder of 32 or 64 bits;
// otherwise -1. Such an operation is one instruction.
int exponent_of_divisor(const Bin& division);

// Of type index:
ExprPtr add(ExprPtr left, ExprPtr right);
ExprPtr add(ExprPtr left, int64_t right);
ExprPtr mul(ExprPtr left, ExprPtr right);
// Of type boolean; a null operand is left out, and null means true.
ExprPtr both(ExprPtr left, ExprPtr right);
ExprPtr either(ExprPtr left, ExprPtr right);  // null means false

void append(Body& to, Body from);

// Does the node itself, without its children, take what another lane of the warp has? All lanes
// evaluate it then, at the same place.
bool takes_of_lanes(const Expr& expr);

// Calls `with` for each child, in their order.
template <class With>
void for_each_child(const Expr& expr, const With& with) {
  struct Visit {
    const With& with;
    void operator()(const Int&) const {}
    void operator()(const Real&) const {}
    void operator()(const Var&) const {}
    void operator()(const Place&) const {}
    void operator()(const Identity&) const {}
    void operator()(const Bin& n) const { with(n.left), with(n.right); }
    void operator()(const Neg& n) const { with(n.value); }
    void operator()(const Not& n) const { with(n.value); }
    void operator()(const Fma& n) const { with(n.a), with(n.b), with(n.c); }
    void operator()(const Call& n) const {
      for (const ExprPtr& arg : n.args) with(arg);
    }
    void operator()(const Convert& n) const { with(n.value); }
    void operator()(const Load& n) const {
      if (n.row) with(n.row);
      with(n.at);
    }
    void operator()(const Beside& n) const { with(n.own), with(n.at); }
    void operator()(const Entry& n) const {
      for (const ExprPtr& arg : n.args) with(arg);
    }
    void operator()(const Pick& n) const { with(n.condition), with(n.yes), with(n.no); }
  };
  std::visit(Visit{with}, expr.node);
}
std::vector<ExprPtr> children(const Expr& expr);

}  // namespace stencilc::kernel
