#include "lower/boundary/ghost_plane.h"

#include <algorithm>
#include <cmath>

#include "lower/boundary/grid_ends.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

std::optional<kernel::Fn> map_along(const ir::Boundary& boundary, int axis) {
  const std::array<ir::Side, 2>& sides = boundary.sides[axis];
  return sides[0].edge == sides[1].edge ? ghost_map(sides[0]) : std::nullopt;
}

std::optional<kernel::Fn> ghost_map(const ir::Side& side) {
  const ir::EdgeKind& kind = ir::kind_of(side);
  if (!kind.only_maps()) return std::nullopt;
  return index_map(kind.source);
}

kernel::Fn index_map(ir::EdgeKind::Source source) {
  switch (source) {
    case ir::EdgeKind::again:
      return kernel::Fn::reflect;
    case ir::EdgeKind::next:
      return kernel::Fn::mirror;
    case ir::EdgeKind::around:
      return kernel::Fn::wrap;
    default:
      return kernel::Fn::clamp;
  }
}

ExprPtr ghost_number(const ir::Field& field, const ir::Constant& number) {
  return constant(ir::convert(number.value, field.type));
}

std::optional<PlainGhosts> plain_ghosts(const ir::Boundary& boundary, int axes) {
  PlainGhosts ghosts;
  for (int a = 0; a < axes; ++a) {
    ghosts.maps[a] = map_along(boundary, a);
    if (ghosts.maps[a]) continue;
    const ir::Constant* here = ir::number_along(boundary, a);
    if (!here || (ghosts.number && !ir::same_number(ghosts.number, here))) return {};
    ghosts.number = here;
  }
  return ghosts;
}

bool is_zero(const ir::Boundary& boundary, int rank) {
  for (int a = 0; a < rank; ++a)
    for (const ir::Side& side : boundary.sides[a]) {
      const ir::Constant* number = ir::number_of(side);
      const bool zero = number && number->value.integer == 0 && number->value.real == 0 &&
                        !std::signbit(number->value.real);
      if (!zero && !ir::kind_of(side).closed()) return false;
    }
  return true;
}

namespace {

// What stands for a cell beyond the ends along x and y: the place of another one in the plane that
// begins at `first`; below 0, the number. Null where the other cell is not in the plane.
ExprPtr place_in_plane(const Context& context, const PlainGhosts& ghosts,
                       const std::vector<ExprPtr>& first, const std::vector<std::string>& place,
                       const kernel::Count& width, Names& names, kernel::Body& body) {
  std::vector<ExprPtr> at;
  const int axes = std::min(context.rank(), 2);
  ExprPtr has;
  for (int a = 0; a < axes; ++a) {
    const ExprPtr extent = context.box.extent(a);
    const ExprPtr x = kernel::add(first[a], kernel::var(place[1 - a]));
    at.push_back(kernel::var(place[1 - a]));
    if (const auto& map = ghosts.maps[a]) {
      if (*map == kernel::Fn::wrap) return nullptr;
      at.back() = lower::declare(
          "at_" + context.axes[a],
          kernel::bin(BinOp::sub, kernel::call(kernel::Type::index, *map, {x, extent}), first[a]),
          names, body);
      continue;
    }
    has = kernel::both(has, in_grid(context, a, x));
  }
  const ExprPtr result =
      axes == 1 ? at[0] : kernel::add(kernel::mul(at[1], kernel::index(width)), at[0]);
  if (!has) return result;
  return kernel::make(kernel::Type::index, kernel::Pick{has, result, kernel::index(-1)});
}

}  // namespace

void declare_from(const Context& context, int field, kernel::Ring::Grid& grid, Names& names,
                  kernel::Body& body) {
  Names inner = names;
  kernel::Local from;
  from.params = {inner.claim("plane_row"), inner.claim("plane_column")};
  grid.ghost = nullptr;
  const ir::Field& declared = context.stencil.fields[field];
  const auto ghosts = plain_ghosts(declared.boundary, std::min(context.rank(), 2));
  if (!ghosts) return;
  const ExprPtr place = place_in_plane(context, *ghosts, grid.at, from.params,
                                       grid.planes.registers, inner, from.body);
  if (!place) return;
  if (ghosts->number) grid.ghost = ghost_number(declared, *ghosts->number);
  from.name = grid.from = names.claim(grid.ghosts + "_from");
  from.body.push_back({kernel::Return{place}});
  body.push_back(
      {kernel::Note{"The source of a ghost cell along x and y: its index in "
                    "the plane."}});
  body.push_back({std::move(from)});
}

}  // namespace stencilc::lower
