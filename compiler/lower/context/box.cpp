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

void Box::hold(int axis, std::string origin, std::string planes, bool wraps) {
  wraps_ = wraps;
  origin_[axis] = std::move(origin);
  planes_[axis] = std::move(planes);
}

ExprPtr Box::origin(int axis) const {
  return origin_[axis].empty() ? nullptr : kernel::var(origin_[axis]);
}
ExprPtr Box::planes(int axis) const {
  return planes_[axis].empty() ? nullptr : kernel::var(planes_[axis]);
}
ExprPtr Box::place(int axis, const ExprPtr& at) const {
  return origin(axis) ? kernel::bin(BinOp::sub, at, origin(axis)) : at;
}
ExprPtr Box::any_place(int axis, const ExprPtr& at) const {
  if (!origin(axis)) return at;
  if (!wraps_ && exact_) return place(axis, at);
  if (!wraps_)
    return kernel::call(kernel::Type::index, kernel::Fn::clamp, {place(axis, at), planes(axis)});
  return kernel::call(kernel::Type::index, kernel::Fn::held,
                      {at, origin(axis), planes(axis), extent(axis)});
}
ExprPtr Box::reaches(int axis, const ExprPtr& at) const {
  if (!origin(axis)) return nullptr;
  return kernel::bin(BinOp::lt, at, kernel::add(origin(axis), planes(axis)));
}
ExprPtr Box::holds(int axis, const ExprPtr& first, const ExprPtr& end) const {
  if (!origin(axis) || wraps_ || exact_) return nullptr;
  return kernel::both(kernel::bin(BinOp::ge, first, origin(axis)),
                      kernel::bin(BinOp::le, end, kernel::add(origin(axis), planes(axis))));
}

}  // namespace stencilc::lower
