#include "lower/tile/slots.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;
using kernel::index;
using kernel::pick;

void Slots::declare(const std::string& wanted, kernel::Body& body) {
  current_ = lower::declare(wanted, index(0), context_.names, body, true);
}

void Slots::declare_previous(const std::string& wanted, kernel::Body& body) {
  previous_ = lower::declare(wanted, kernel::add(index(count()), -1), context_.names, body, true);
}

ExprPtr Slots::asked(bool turned) const {
  const int back = depth() - ahead_;
  const ExprPtr by = index(distance());
  if (!turned && back == 1)
    return pick(kernel::bin(BinOp::eq, current_, index(0)), by, kernel::add(current_, -1));
  if (!turned && ahead_ == 1) return next();
  const ExprPtr others = index(context_.count("wrap_slot", back));
  const ExprPtr later = kernel::add(current_, by),
                before = kernel::bin(BinOp::sub, current_, others);
  return turned ? pick(kernel::bin(BinOp::ge, current_, others), before, later)
                : pick(kernel::bin(BinOp::lt, current_, others), later, before);
}

ExprPtr Slots::next() const {
  return pick(kernel::bin(BinOp::eq, current_, kernel::add(index(count()), -1)), index(0),
              kernel::add(current_, 1));
}

void Slots::go_on(kernel::Body& body) const {
  const auto set = [&](const ExprPtr& which, const ExprPtr& value) {
    body.push_back({kernel::Assign{kernel::as<kernel::Var>(which)->name, value}});
  };
  if (previous_) set(previous_, current_);
  set(current_, next());
}

}  // namespace stencilc::lower
