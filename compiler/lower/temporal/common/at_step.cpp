#include "lower/temporal/common/at_step.h"

#include "kernel/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;

CellContext at_step(const Context& context, const ExprPtr& k, Names& names, Body& body) {
  CellContext here;
  if (context.time.empty()) return here;
  const ExprPtr steps = kernel::make(kernel::Type::i64, kernel::Convert{k});
  here.now = names.claim("now");
  body.push_back({kernel::Let{
      here.now, kernel::bin(BinOp::add, kernel::var(context.time, kernel::Type::i64), steps)}});
  return here;
}

}  // namespace stencilc::lower
