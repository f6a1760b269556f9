// Computes the values of ghost cells.
#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "interp/cell.h"

namespace stencilc::interp {

namespace {

using ir::Edge;
using ir::Op;
using ir::Scalar;

bool is_closed(Edge edge) { return edge == Edge::none || edge == Edge::fixed; }

bool is_inside(int64_t index, int64_t extent) { return index >= 0 && index < extent; }

Scalar stored(const View& view, const ir::Read& read, const Extents& at) {
  const Grid& grid =
      read.level == 1 ? view.next[read.field] : view.state.fields[read.field][-read.level];
  return grid[place(view.stencil, view.state, read.field, at)];
}

// Evaluates a read axis by axis: what one axis does to the value encloses what later axes do.
struct GhostValue {
  const View& view;
  const ir::Read& read;
  const ir::Field& field;
  const Extents own;

  Landing land(int axis, int64_t index) const {
    const auto& sides = field.boundary.sides[axis];
    return field.along[axis] ? extend(sides[0].edge, sides[1].edge, index, own[axis])
                             : Landing{0, false};
  }
  const ir::Side* side_outside(int axis, int64_t index) const {
    if (is_inside(index, own[axis])) return nullptr;
    return &field.boundary.sides[axis][index < 0 ? 0 : 1];
  }
  // The axes before `axis` are done; `at` has their mapped coordinates.
  Scalar value(int axis, Extents at) const {
    if (axis == ir::kMaxRank) return stored(view, read, at);
    if (!field.along[axis]) return value(axis + 1, at);
    const Landing landing = land(axis, at[axis]);
    at[axis] = landing.index;
    const ir::Side* side = side_outside(axis, landing.index);
    assert(!side || !is_closed(side->edge));  // the domains exclude such reads
    Scalar result;
    if (side && side->edge == Edge::expr)
      result = ir::convert(Cell(view, at).value(side->value), field.type);
    else if (side && side->edge == Edge::neumann)
      result = risen(axis, at, *side);
    else
      result = value(axis + 1, at);
    if (!landing.negated) return result;
    return ir::convert(
        ir::apply(Op::neg, field.compute, std::array{ir::convert(result, field.compute)}),
        field.type);
  }

  // The boundary cell plus the slope for each cell outward.
  Scalar risen(int axis, const Extents& at, const ir::Side& side) const {
    Extents nearest = at;
    nearest[axis] = std::clamp<int64_t>(at[axis], 0, own[axis] - 1);
    const int64_t cells = std::abs(at[axis] - nearest[axis]);
    const Scalar distance = ir::convert(ir::make_integer(ir::Type::i64, cells), field.compute);
    const Scalar edge = ir::convert(value(axis + 1, nearest), field.compute);
    return ir::convert(ir::apply(Op::fma, field.compute,
                                 std::array{Cell(view, at).value(side.value), distance, edge}),
                       field.type);
  }
};

}  // namespace

Landing extend(Edge low, Edge high, int64_t index, int64_t extent) {
  const bool below = index < 0;
  if (below && is_closed(high)) high = low;
  if (!below && is_closed(low)) low = high;
  if (low == Edge::mirror && high == Edge::mirror && extent == 1) return {0, false};
  bool negated = false;
  while (!is_inside(index, extent)) {
    const Edge edge = index < 0 ? low : high;
    switch (edge) {
      case Edge::clamp:
        index = index < 0 ? 0 : extent - 1;
        break;
      case Edge::antireflect:
        negated = !negated;
        [[fallthrough]];
      case Edge::reflect:
        index = index < 0 ? -1 - index : 2 * extent - 1 - index;
        break;
      case Edge::mirror:
        index = index < 0 ? -index : 2 * (extent - 1) - index;
        break;
      case Edge::periodic:
        index += index < 0 ? extent : -extent;
        break;
      default:
        return {index, negated};
    }
  }
  return {index, negated};
}

Scalar read(const View& view, const ir::Read& read, const Extents& at) {
  const ir::Field& field = view.stencil.fields[read.field];
  bool inside = true;
  for (int a = 0; a < ir::kMaxRank; ++a)
    inside &= !field.along[a] || is_inside(at[a], view.state.extents[a]);
  if (inside) return stored(view, read, at);
  const GhostValue ghost{view, read, field, extents_of(field, view.state.extents)};
  // A constant side wins over the other axes.
  for (int a = 0; a < ir::kMaxRank; ++a) {
    if (!field.along[a]) continue;
    const ir::Side* side = ghost.side_outside(a, ghost.land(a, at[a]).index);
    if (side && side->edge == Edge::constant)
      return ir::convert(Cell(view, at).value(side->value), field.type);
  }
  return ghost.value(0, at);
}

}  // namespace stencilc::interp
