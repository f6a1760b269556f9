#include "lower/boundary/grid_ends.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

ExprPtr before_end(const Context& context, int axis, int end, const ExprPtr& at) {
  return end == 0 ? kernel::bin(BinOp::ge, at, kernel::index(0))
                  : kernel::bin(BinOp::lt, at, context.box.extent(axis));
}

ExprPtr beyond_end(const Context& context, int axis, int end, const ExprPtr& at) {
  return end == 0 ? kernel::bin(BinOp::lt, at, kernel::index(0))
                  : kernel::bin(BinOp::ge, at, context.box.extent(axis));
}

ExprPtr in_grid(const Context& context, int axis, const ExprPtr& at) {
  return kernel::both(before_end(context, axis, 0, at), before_end(context, axis, 1, at));
}

ExprPtr is_last(const Context& context, int axis, int end, const ExprPtr& at) {
  return end == 0 ? kernel::bin(BinOp::eq, at, kernel::index(0))
                  : kernel::bin(BinOp::eq, kernel::add(at, 1), context.box.extent(axis));
}

ExprPtr span_in_grid(const Context& context, int axis, const ExprPtr& first,
                     const kernel::Count& low, const ExprPtr& end) {
  return kernel::both(first ? kernel::bin(BinOp::ge, first, kernel::index(low)) : nullptr,
                      end ? kernel::bin(BinOp::le, end, context.box.extent(axis)) : nullptr);
}

ExprPtr in_box(const Context& context, int axis, const ExprPtr& at) {
  return kernel::bin(BinOp::lt, at, context.box.end(axis));
}

ExprPtr in_box(const Context& context, const std::vector<ExprPtr>& at) {
  ExprPtr all;
  for (int a = 0; a < context.rank(); ++a) all = kernel::both(all, in_box(context, a, at[a]));
  return all;
}

}  // namespace stencilc::lower
