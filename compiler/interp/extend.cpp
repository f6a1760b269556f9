// What lies beyond the rim of a field.
#include <cassert>

#include "interp/cell.h"

namespace stencilc::interp {

int64_t extend(ir::Edge edge, int64_t index, int64_t extent) {
  while (index < 0 || index >= extent) {
    switch (edge) {
      case ir::Edge::clamp:
        index = index < 0 ? 0 : extent - 1;
        break;
      case ir::Edge::reflect:
        index = index < 0 ? -1 - index : 2 * extent - 1 - index;
        break;
      case ir::Edge::mirror:
        if (extent == 1) return 0;
        index = index < 0 ? -index : 2 * (extent - 1) - index;
        break;
      case ir::Edge::periodic:
        index += index < 0 ? extent : -extent;
        break;
      case ir::Edge::constant:
        return -1;
      default:
        assert(false && "read outside the grid");
        return index;
    }
  }
  return index;
}

ir::Scalar read(const View& view, const ir::Read& read, Extents at) {
  const ir::Field& field = view.stencil.fields[read.field];
  const Extents own = extents_of(field, view.state.extents);
  for (int a = 0; a < ir::kMaxRank; ++a) {
    if (!field.along[a]) {
      at[a] = 0;
      continue;
    }
    if (at[a] >= 0 && at[a] < own[a]) continue;
    const ir::Side& side = field.boundary.sides[a][at[a] < 0 ? 0 : 1];
    at[a] = extend(side.edge, at[a], own[a]);
    if (at[a] < 0) return Cell(view, at).value(side.value);
  }
  const Grid& grid =
      read.level == 1 ? view.next[read.field] : view.state.fields[read.field][-read.level];
  return grid[position(own, at)];
}

}  // namespace stencilc::interp
