#include "lower/temporal/stream_3d/plane_boundary.h"

#include <algorithm>
#include <array>

#include "lower/boundary/ghost_value.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

bool PlaneBoundary::limits_wrap() const {
  for (int a = 0; a < 3; ++a)
    if (tile_.layout.wraps(a) && launch_limits(context_, a)) return true;
  return false;
}

const ir::Domain& PlaneBoundary::box() const {
  return context_.stencil.updates[context_.launch.stores[0].update].cases[0].domain;
}

int PlaneBoundary::unassigned_cells(int axis, int end) const {
  return lower::unassigned_cells(box(), axis, end);
}

// As tiles end with the grid, few cells of a thread can lie at an end.
ExprPtr PlaneBoundary::unassigned_along(int axis, const ExprPtr& r, const ExprPtr& v,
                                        const ExprPtr& z) const {
  const CellOfThread cells[] = {
      {kernel::add(tile_.layout.x, v), v, schedule_.vector, nullptr, true},
      {kernel::add(tile_.layout.y, r), r, schedule_.rows, nullptr, true},
      {z}};
  return is_unassigned(context_, box(), axis, cells[axis]);
}

ExprPtr PlaneBoundary::unassigned(const ExprPtr& r, const ExprPtr& v, const ExprPtr& z,
                                  const PlaneFlags& flags, Names& names, Body& body) const {
  const ExprPtr where[] = {flags.edge, flags.corner, flags.ends};
  ExprPtr any;
  for (int a = 0; a < 3; ++a)
    if (const ExprPtr here = unassigned_along(a, r, v, z))
      any = kernel::either(any, lower::declare("keeps_" + context_.axes[a],
                                               kernel::both(where[a], here), names, body));
  return any;
}

bool PlaneBoundary::are_the_first(const std::vector<RegisterTile>& tiles, int z) const {
  return std::all_of(tiles.begin(), tiles.end(), [&](const RegisterTile& regs) {
    const ir::EdgeKind& kind =
        ir::kind_of(context_.stencil.fields[regs.field].boundary.sides[2][0]);
    return tile_.rows.stepped(regs.field).ghost && kind.open() && kind.only_maps() &&
           kind.inward(-z) == 0;
  });
}

std::vector<RegisterTile> PlaneBoundary::planes_before(const std::vector<RegisterTile>& tiles,
                                                       Names& names, Body& body) const {
  std::vector<RegisterTile> before = tiles;
  for (RegisterTile& regs : before)
    for (RegisterTile::Plane& plane : regs.planes) {
      plane.registers.name = names.claim(context_.levels[regs.field][0].name + "_before");
      body.push_back({kernel::Array{plane.registers}});
    }
  return before;
}

void PlaneBoundary::fill_before(const std::vector<RegisterTile>& tiles,
                                const std::vector<RegisterTile>& before, int z, const Names& names,
                                Body& body) const {
  for (size_t p = 0; p < tiles.size(); ++p) {
    const RegisterTile::Plane& from = tiles[p].plane(0);
    const RegisterTile::Plane& to = before[p].plane(0);
    Names inner = names;
    For rows = unrolled(inner.claim("r"), 0, from.registers.rows);
    For cells = unrolled(inner.claim("v"), 0, from.registers.registers);
    const ExprPtr r = kernel::var(rows.name), v = kernel::var(cells.name);
    ExprPtr value = kernel::make(from.registers.element, kernel::Load{from.registers, v, r});
    const auto& side = context_.stencil.fields[tiles[p].field].boundary.sides[2][0];
    if (ir::kind_of(side).open()) {
      const GhostCell ghost{2, 0, -z};
      value = ghost_value(context_, {tiles[p].field, 0, {}},
                          {kernel::add(tile_.layout.x, kernel::add(v, from.cell)),
                           kernel::add(tile_.layout.y, kernel::add(r, from.row)),
                           ghost.coordinate(context_, inner, cells.body)},
                          ghost.axis, ghost.outside(), value, inner, cells.body);
    }
    cells.body.push_back({kernel::Store{to.registers, v, value, r}});
    rows.body.push_back({std::move(cells)});
    body.push_back({std::move(rows)});
  }
}

Body PlaneBoundary::hold(const ExprPtr& z, const ExprPtr& k, const ExprPtr& first,
                         const Names& names) const {
  Body body;
  Names inner = names;
  For loop = unrolled(inner.claim("r"), 0, tile_.layout.warp_rows());
  const ExprPtr r = kernel::var(loop.name), row = kernel::add(first, r);
  kernel::If keeps{tile_.layout.in_rows(z), {}, {}};
  for (const Stepped& one : tile_.rows.fields) {
    if (one.held_at.empty()) {
      for (const int end : {0, 1}) make_row(one, end, r, row, z, inner, loop.body);
      continue;
    }
    const ExprPtr held = tile_.rows.held_row(z, k, tile_.layout.row_of(tile_.layout.warp, r));
    keeps.yes.push_back({kernel::Copy{one.held, tile_.layout.own(), one.row, index(0),
                                      tile_.layout.vector(), 1, held, row}});
    keeps.no.push_back({kernel::FillCells{one.row,
                                          row,
                                          index(0),
                                          one.held_at,
                                          {tile_.layout.x, kernel::add(tile_.layout.y, r), z, k},
                                          schedule_.vector}});
  }
  // The plane before is still there, if that waits for the next time step, too.
  if (temporal_.past_is_held())
    keeps = {
        kernel::make(kernel::Type::boolean, kernel::Not{keeps.condition}), std::move(keeps.no), {}};
  if (!keeps.yes.empty()) loop.body.push_back({std::move(keeps)});
  if (!loop.body.empty()) body.push_back({std::move(loop)});
  return body;
}

// Row r of plane z, where that lies beyond an end and no cell stands for it.
void PlaneBoundary::make_row(const Stepped& one, int end, const ExprPtr& r, const ExprPtr& row,
                             const ExprPtr& z, Names names, Body& body) const {
  const auto& side = context_.stencil.fields[one.field].boundary.sides[2][end];
  if (!ir::kind_of(side).open()) return;
  kernel::If ghost{beyond_end(context_, 2, end, z), {}, {}};
  For cells = unrolled(names.claim("v"), 0, tile_.layout.width());
  const ExprPtr v = kernel::var(cells.name);
  const ExprPtr value = ghost_value(
      context_, {one.field, 0, {}},
      {kernel::add(tile_.layout.x, v), kernel::add(tile_.layout.y, r), z}, 2, end == 0 ? -1 : 1,
      kernel::make(one.row.element, kernel::Load{one.row, v, row}), names, cells.body);
  cells.body.push_back({kernel::Store{one.row, v, value, row}});
  ghost.yes.push_back({std::move(cells)});
  body.push_back({std::move(ghost)});
}

}  // namespace stencilc::lower
