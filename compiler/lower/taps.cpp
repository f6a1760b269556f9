#include "lower/taps.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

ExprPtr linear(const Context& context, const std::vector<ExprPtr>& at) {
  ExprPtr index = at[0];
  if (context.rank() > 1)
    index = kernel::add(kernel::mul(at[1], kernel::var(context.pitch)), index);
  if (context.rank() > 2) {
    // z * plane + y * pitch + x, in this order
    index = kernel::add(kernel::mul(at[2], kernel::var(context.plane)),
                        kernel::mul(at[1], kernel::var(context.pitch)));
    index = kernel::add(index, at[0]);
  }
  return index;
}

ExprPtr shifted(const Context& context, ExprPtr i, const ir::Offset& offset) {
  if (context.rank() > 2)
    i = kernel::add(i, kernel::mul(kernel::index(offset[2]), kernel::var(context.plane)));
  if (context.rank() > 1)
    i = kernel::add(i, kernel::mul(kernel::index(offset[1]), kernel::var(context.pitch)));
  return kernel::add(i, offset[0]);
}

ExprPtr interior_tap(const Context& context, const ExprPtr& i, const ir::Read& read) {
  return kernel::load(context.levels[read.field][-read.level], shifted(context, i, read.offset));
}

ExprPtr EdgeTaps::name(const std::string& wanted, const ExprPtr& value) {
  const std::string name = names_.claim(wanted);
  body_.push_back({kernel::Let{name, value}});
  return kernel::var(name, value->type);
}

// The coordinate that stands for at + offset by an index map.
ExprPtr EdgeTaps::mapped(ir::Edge edge, int axis, int offset) {
  if (offset == 0) return at_[axis];
  ExprPtr& known = known_[{edge, axis, offset}];
  if (known) return known;
  const kernel::Fn map = edge == ir::Edge::clamp     ? kernel::Fn::clamp
                         : edge == ir::Edge::reflect ? kernel::Fn::reflect
                         : edge == ir::Edge::mirror  ? kernel::Fn::mirror
                                                     : kernel::Fn::wrap;
  ir::Offset where = {};
  where[axis] = offset;
  return known = name(
             context_.name_at("at", where),
             kernel::call(kernel::Type::index, map,
                          {kernel::add(at_[axis], offset), kernel::var(context_.extents[axis])}));
}

// Does at + offset lie inside? The cell itself does, so one side needs a test.
ExprPtr EdgeTaps::has(int axis, int offset) {
  if (offset == 0) return nullptr;
  ExprPtr& known = known_[{ir::Edge::constant, axis, offset}];
  if (known) return known;
  ir::Offset where = {};
  where[axis] = offset;
  return known = name(context_.name_at("has", where),
                      offset < 0 ? kernel::bin(BinOp::ge, at_[axis], kernel::index(-offset))
                                 : kernel::bin(BinOp::lt, kernel::add(at_[axis], offset),
                                               kernel::var(context_.extents[axis])));
}

ExprPtr EdgeTaps::operator()(const ir::Read& read) {
  const kernel::Buffer& buffer = context_.levels[read.field][-read.level];
  const ir::Boundary& boundary = context_.stencil.fields[read.field].boundary;
  switch (boundary.edge) {
    case ir::Edge::none:
    case ir::Edge::fixed:
      return interior_tap(context_, i_, read);
    case ir::Edge::constant: {
      ExprPtr inside;
      for (int a = 0; a < context_.rank(); ++a)
        inside = kernel::both(inside, has(a, read.offset[a]));
      // three tests and what they guard do not fit a line
      if (context_.rank() == 3 && read.offset[0] != 0 && read.offset[1] != 0 && read.offset[2] != 0)
        inside = name(context_.name_at("has", read.offset), inside);
      const ExprPtr value = interior_tap(context_, i_, read);
      return inside
                 ? kernel::make(value->type, kernel::Pick{inside, value, constant(boundary.value)})
                 : value;
    }
    default:
      break;
  }
  if (read.offset == ir::Offset{}) return interior_tap(context_, i_, read);
  std::vector<ExprPtr> at;
  for (int a = 0; a < context_.rank(); ++a) at.push_back(mapped(boundary.edge, a, read.offset[a]));
  return kernel::load(buffer, linear(context_, at));
}

}  // namespace stencilc::lower
