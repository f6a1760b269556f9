#include "lower/boundary/edge_flag.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

ExprPtr unless(const ExprPtr& flag, const ExprPtr& condition) {
  if (!flag || !condition) return condition;
  return kernel::bin(BinOp::or_, kernel::make(kernel::Type::boolean, kernel::Not{flag}), condition);
}

ExprPtr edge_flag(const EdgeFlags& flags) {
  return flags.edge.empty() ? nullptr : kernel::var(flags.edge, kernel::Type::boolean);
}
ExprPtr edge_x_flag(const EdgeFlags& flags) {
  return flags.edge_x.empty() ? edge_flag(flags) : kernel::var(flags.edge_x, kernel::Type::boolean);
}
ExprPtr near_boundary(const EdgeFlags& flags, const ExprPtr& condition) {
  return unless(edge_flag(flags), condition);
}

ExprPtr near_ends_of_rows(const EdgeFlags& flags, const ExprPtr& condition) {
  return unless(edge_x_flag(flags), condition);
}

}  // namespace stencilc::lower
