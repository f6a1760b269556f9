#include "lower/cell/addressing.h"

namespace stencilc::lower {

using kernel::ExprPtr;

namespace {

// The axes a field has, in their order.
std::vector<int> axes_of(const Context& context, const ir::Field& field) {
  std::vector<int> axes;
  for (int a = 0; a < context.rank(); ++a)
    if (field.along[a]) axes.push_back(a);
  return axes;
}

}  // namespace

std::vector<std::string> strides_of(const Context& context, const ir::Field& field) {
  const std::vector<int> axes = axes_of(context, field);
  if (static_cast<int>(axes.size()) < context.rank()) {
    if (axes.size() < 2) return {};
    return {context.pitches[&field - context.stencil.fields.data()]};
  }
  std::vector<std::string> strides;
  if (context.rank() > 1) strides.push_back(context.pitch);
  if (context.rank() > 2) strides.push_back(context.plane);
  return strides;
}

namespace {

using Place = ExprPtr (Box::*)(int axis, const ExprPtr& at) const;

// The last axis first: z * plane + y * pitch + x.
ExprPtr linear_along(const Box& box, Place place, const std::vector<int>& axes,
                     const std::vector<std::string>& strides, const std::vector<ExprPtr>& at) {
  ExprPtr index = kernel::index(0);
  for (size_t k = axes.size(); k-- > 0;) {
    const ExprPtr there = (box.*place)(axes[k], at[axes[k]]);
    index = kernel::add(index, k == 0 ? there : kernel::mul(there, kernel::var(strides[k - 1])));
  }
  return index;
}

std::vector<int> all_axes(const Context& context) {
  std::vector<int> axes;
  for (int a = 0; a < context.rank(); ++a) axes.push_back(a);
  return axes;
}

}  // namespace

ExprPtr linear(const Context& context, const std::vector<ExprPtr>& at, const ir::Field& field) {
  return linear_along(context.box, &Box::place, axes_of(context, field), strides_of(context, field),
                      at);
}

ExprPtr linear(const Context& context, const std::vector<ExprPtr>& at) {
  return linear_along(context.box, &Box::place, all_axes(context), {context.pitch, context.plane},
                      at);
}

ExprPtr linear_of_any(const Context& context, const std::vector<ExprPtr>& at,
                      const ir::Field& field) {
  return linear_along(context.box, &Box::any_place, axes_of(context, field),
                      strides_of(context, field), at);
}

ExprPtr linear_of_any(const Context& context, const std::vector<ExprPtr>& at) {
  return linear_along(context.box, &Box::any_place, all_axes(context),
                      {context.pitch, context.plane}, at);
}

ExprPtr shifted(const Context& context, ExprPtr i, const ir::Offset& offset) {
  if (context.rank() > 2)
    i = kernel::add(i, kernel::mul(kernel::index(offset[2]), kernel::var(context.plane)));
  if (context.rank() > 1)
    i = kernel::add(i, kernel::mul(kernel::index(offset[1]), kernel::var(context.pitch)));
  return kernel::add(i, offset[0]);
}

const kernel::Buffer& buffer_of(const Context& context, const ir::Read& read) {
  return read.level == 1 ? context.next[read.field] : context.levels[read.field][-read.level];
}

bool in_memory(const Context& context, const ir::Read& read) {
  return read.level <= 0 || !context.launch.stores_field(context.stencil, read.field);
}

ExprPtr tap_anywhere(const Context& context, const std::vector<ExprPtr>& at, const ExprPtr& i,
                     const ir::Read& read) {
  const size_t last = at.size() - 1;
  if (!context.box.origin(static_cast<int>(last)) || read.offset[last] == 0)
    return interior_tap(context, at, i, read);
  std::vector<ExprPtr> place;
  for (size_t a = 0; a <= last; ++a) place.push_back(kernel::add(at[a], read.offset[a]));
  const ir::Field& field = context.stencil.fields[read.field];
  return kernel::load(buffer_of(context, read), linear_of_any(context, place, field));
}

ExprPtr interior_tap(const Context& context, const std::vector<ExprPtr>& at, const ExprPtr& i,
                     const ir::Read& read) {
  const ir::Field& field = context.stencil.fields[read.field];
  if (static_cast<int>(axes_of(context, field).size()) == context.rank())
    return kernel::load(buffer_of(context, read), shifted(context, i, read.offset));
  std::vector<ExprPtr> place;
  for (int a = 0; a < context.rank(); ++a) place.push_back(kernel::add(at[a], read.offset[a]));
  return kernel::load(buffer_of(context, read), linear_of_any(context, place, field));
}

}  // namespace stencilc::lower
