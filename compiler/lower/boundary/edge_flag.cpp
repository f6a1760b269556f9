#include "lower/boundary/edge_flag.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

ExprPtr unless(const ExprPtr& flag, const ExprPtr& condition) {
  if (!flag || !condition) return condition;
  return kernel::bin(BinOp::or_, kernel::make(kernel::Type::boolean, kernel::Not{flag}), condition);
}

ExprPtr edge_flag(const Context& context) {
  return context.edge.empty() ? nullptr : kernel::var(context.edge, kernel::Type::boolean);
}
ExprPtr edge_x_flag(const Context& context) {
  return context.edge_x.empty() ? edge_flag(context)
                                : kernel::var(context.edge_x, kernel::Type::boolean);
}
ExprPtr near_boundary(const Context& context, const ExprPtr& condition) {
  return unless(edge_flag(context), condition);
}

}  // namespace stencilc::lower
