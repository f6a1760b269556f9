#include "lower/temporal/common/halo_rows.h"

#include <algorithm>
#include <array>

#include "ir/boundary.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/context/build.h"
#include "plan/temporal/resident_tile.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

namespace {

// Is what lies beyond both ends a cell of the grid, or a constant?
bool only_moves(const std::array<ir::Side, 2>& sides) {
  return std::ranges::none_of(sides,
                              [](const ir::Side& side) { return ir::kind_of(side).computes(); });
}

}  // namespace

void HaloRows::declare(Body& body) {
  for (const Stepped& one : rows_.fields)
    if (!one.halo.name.empty()) declare_beside(one, body);
}

// No warp is beside the first and the last one: where the grid ends there, too, what stands beyond
// it is in their own rows, and where not, it is no matter.
void HaloRows::declare_beside(const Stepped& one, Body& body) {
  const int above = temporal_.above;
  const auto& ends = context_.stencil.fields[one.field].boundary.sides[1];
  if (rows_.halo_rows() > 0) {
    std::string note = "The halo rows next to a warp's own rows";
    if (exchanges(one.field, 0) || exchanges(one.field, 1))
      note += "; at the boundary they are a constant, in slots that no warp uses";
    else if (holds_ghosts(one.field, 0) || holds_ghosts(one.field, 1))
      note += "; at the boundary they are its own rows";
    body.push_back({kernel::Note{note + "."}});
  }
  for (const int end : {0, 1}) {
    const bool own_rows = holds_ghosts(one.field, end);
    for (int n = 0; n < (end == 0 ? temporal_.below : above); ++n) {
      const int back = own_rows ? ir::kind_of(ends[end]).inward(n + 1) : 0;
      const ExprPtr other = rows_.halo_of(layout_.warp, end == 0 ? -1 - n : rows_.halo_rows() + n);
      beside_[one.field][end].push_back(lower::declare(
          end == 0 ? "row_below" : "row_above",
          kernel::pick(kernel::bin(BinOp::eq, layout_.warp,
                                   end == 0 ? index(0) : kernel::add(layout_.warps(), -1)),
                       end == 0 ? index(back) : kernel::add(rows_.step_halo(), -1 - back), other),
          context_.names, body));
    }
  }
  for (const int end : {0, 1})
    if (exchanges(one.field, end)) lay_constant(one, end, body);
}

const ExprPtr& HaloRows::beside(int field, int end, int n) const {
  return beside_.at(field)[end][n];
}

bool HaloRows::is_constant(int field, int end) const {
  return context_.stencil.fields[field].boundary.sides[1][end].edge == ir::Edge::constant;
}

// A warp's rows at an end lie in the place that those of the warp beyond it would be read from, at
// the other one.
bool HaloRows::holds_ghosts(int field, int end) const {
  const ir::Boundary& boundary = context_.stencil.fields[field].boundary;
  const int reach = end == 0 ? temporal_.below : temporal_.above;
  const int own = end == 0 ? temporal_.above : temporal_.below;
  if (layout_.wraps(1) || reach == 0 || own == 0) return false;
  // Planes beyond a tile that blocks hold are made of such rows, too, and a constant stays one. And
  // where all rows are exchanged there is none that nobody would read.
  if (temporal_.resident_tile() && context_.rank() == 3 && is_constant(field, end) &&
      (temporal_.resident_tile()->exchanges_all || !only_moves(boundary.sides[2])))
    return false;
  const ir::EdgeKind& kind = ir::kind_of(boundary.sides[1][end]);
  if (kind.edge == ir::Edge::constant) return rows_.stepped(field).ghost != nullptr;  // a number
  if (!kind.only_maps() || !kind.open()) return false;
  if (kind.source == ir::EdgeKind::last) return true;
  return map_along(boundary, 1) && kind.inward(reach) < own;
}

// Is what lies beyond an end of a tile a constant that is laid down for it?
bool HaloRows::is_laid(int field, int end) const {
  return is_constant(field, end) && holds_ghosts(field, end);
}

ExprPtr HaloRows::exchanges(int field, int end) const {
  if (!holds_ghosts(field, end) || !is_constant(field, end)) return nullptr;
  return kernel::bin(BinOp::ne, layout_.warp,
                     end == 0 ? index(0) : kernel::add(layout_.warps(), -1));
}

// Where the last warp at an end would exchange rows that nobody reads.
void HaloRows::lay_constant(const Stepped& one, int end, Body& body) {
  const int last = schedule_.threads[1] - 1;
  const int buffers = temporal_.resident_tile() ? plan::halo_buffers(context_.rank()) : 2;
  const int row = end == 0 ? 0 : (last + 1) * rows_.halo_rows() - 1;
  Body rows = rows_.constant_rows(
      one.halo, one.ghost, buffers * rows_.halo_places(one.field) * schedule_.planes,
      [&](const ExprPtr& slot) {
        return kernel::add(kernel::mul(slot, index((last + 1) * rows_.halo_rows())), row);
      });
  const ExprPtr there = kernel::bin(BinOp::eq, layout_.warp, index(end == 0 ? 0 : last));
  body.push_back({kernel::If{there, std::move(rows), {}}});
}

}  // namespace stencilc::lower
