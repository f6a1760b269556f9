#include "lower/temporal/common/at_step.h"

#include "kernel/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;

AtStep::AtStep(Context& context, const ExprPtr& k, Names& names, Body& body)
    : context_(context), first_(context.time) {
  if (first_.empty()) return;
  const ExprPtr steps = kernel::make(kernel::Type::i64, kernel::Convert{k});
  context_.time = names.claim("now");
  body.push_back({kernel::Let{
      context_.time, kernel::bin(BinOp::add, kernel::var(first_, kernel::Type::i64), steps)}});
}

}  // namespace stencilc::lower
