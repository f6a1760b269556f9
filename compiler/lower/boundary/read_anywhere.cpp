#include "lower/boundary/read_anywhere.h"

#include <string>
#include <utility>

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;

ExprPtr ReadAnywhere::operator()(const ir::Read& read) {
  const ir::Boundary& boundary = context_.stencil.fields[read.field].boundary;
  bool one = true;
  for (int a = 0; a < context_.rank(); ++a) one = one && is_one(boundary, a);
  return one ? taps_(read) : by_sides(read, 0, {}, names_, body_);
}

std::vector<ExprPtr> ReadAnywhere::place(const ir::Offset& offset) const {
  std::vector<ExprPtr> there = at_;
  for (int a = 0; a < context_.rank(); ++a) there[a] = kernel::add(there[a], offset[a]);
  return there;
}

// The axes before `axis` are decided.
ExprPtr ReadAnywhere::by_sides(const ir::Read& read, int axis, std::array<int, 3> outside,
                               Names& names, Body& body) {
  const ir::Field& field = context_.stencil.fields[read.field];
  if (axis == context_.rank()) {
    EdgeTaps taps(context_, place(read.offset), outside, names, body);
    return taps(ir::Read{read.field, read.level, {}});
  }
  outside[axis] = EdgeTaps::kEither;
  if (is_one(field.boundary, axis)) return by_sides(read, axis + 1, outside, names, body);
  const std::string result =
      names.claim(context_.name_at(buffer_of(context_, read).name, read.offset));
  body.push_back({kernel::Let{result, lower::constant(ir::Scalar{field.type}), true}});
  kernel::If ends{kernel::bin(BinOp::lt, place(read.offset)[axis], kernel::index(0)), {}, {}};
  for (const bool below : {true, false}) {
    Names inner = names;
    Body& to = below ? ends.yes : ends.no;
    outside[axis] = below ? EdgeTaps::kBelow : 1;
    const ExprPtr value = by_sides(read, axis + 1, outside, inner, to);
    to.push_back({kernel::Assign{result, value}});
  }
  body.push_back({std::move(ends)});
  return kernel::var(result, type_of(field.type));
}

}  // namespace stencilc::lower
