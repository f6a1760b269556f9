#include "lower/context/box.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

void Box::cut(int axis, std::string first, std::string end) {
  first_[axis] = std::move(first);
  end_[axis] = std::move(end);
}

ExprPtr Box::first(int axis) const {
  return is_cut(axis) ? kernel::var(first_[axis]) : kernel::index(0);
}
ExprPtr Box::end(int axis) const { return is_cut(axis) ? kernel::var(end_[axis]) : extent(axis); }
ExprPtr Box::cells(int axis) const {
  return is_cut(axis) ? kernel::bin(BinOp::sub, end(axis), first(axis)) : extent(axis);
}

ExprPtr Box::holds_before(int axis, const ExprPtr& behind) const {
  return is_cut(axis) ? kernel::bin(BinOp::le, behind, end(axis)) : nullptr;
}

ExprPtr Box::not_before(int axis, const ExprPtr& at) const {
  if (!is_cut(axis)) return at;
  return kernel::pick(kernel::bin(BinOp::lt, at, first(axis)), first(axis), at);
}
ExprPtr Box::not_behind(int axis, const ExprPtr& at) const {
  if (!is_cut(axis)) return at;
  return kernel::pick(kernel::bin(BinOp::lt, end(axis), at), end(axis), at);
}

}  // namespace stencilc::lower
