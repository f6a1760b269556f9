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

// So many slots back or, below that, so many on: both are the same slot.
ExprPtr Slots::wrapped(const ExprPtr& back, const ExprPtr& on) const {
  return pick(kernel::bin(BinOp::lt, current_, back), kernel::add(current_, on),
              kernel::bin(BinOp::sub, current_, back));
}

ExprPtr Slots::asked() const {
  const ExprPtr by = index(distance());
  if (behind_ == 0)
    return pick(kernel::bin(BinOp::eq, current_, index(0)), by, kernel::add(current_, -1));
  if (ahead_ == 1) return next();
  return wrapped(index(context_.count("wrap_slot", behind_ + 1)), by);
}

ExprPtr Slots::next() const {
  return pick(kernel::bin(BinOp::eq, current_, kernel::add(index(count()), -1)), index(0),
              kernel::add(current_, 1));
}

ExprPtr Slots::before(int stages) const {
  if (!current_) return index(0);
  const int back = stages % depth();
  return back == 0 ? current_ : wrapped(index(back), index(depth() - back));
}

ExprPtr Slots::before(const ExprPtr& stages, Names& names, kernel::Body& body) const {
  const ExprPtr before =
      lower::declare("before_slot", kernel::bin(BinOp::sub, current_, stages), names, body);
  return pick(kernel::bin(BinOp::lt, before, index(0)), kernel::add(before, index(count())),
              before);
}

void Slots::go_on(kernel::Body& body) const {
  const auto set = [&](const ExprPtr& which, const ExprPtr& value) {
    body.push_back({kernel::Assign{kernel::as<kernel::Var>(which)->name, value}});
  };
  if (previous_) set(previous_, current_);
  set(current_, next());
}

}  // namespace stencilc::lower
