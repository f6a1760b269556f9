#include "lower/climb_rim.h"

#include <array>

#include "lower/fill.h"
#include "lower/standing.h"
#include "lower/taps.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

bool ClimbRim::one_box() const {
  if (context_.launch.stores.size() != 1) return false;
  const std::vector<ir::Case>& cases =
      context_.stencil.updates[context_.launch.stores[0].update].cases;
  return cases.size() == 1 && cases[0].domain.limits.empty() && !cases[0].domain.mask &&
         !cases[0].domain.everywhere();
}

ExprPtr ClimbRim::in_box(const std::vector<ExprPtr>& at) const {
  const ir::Domain& box =
      context_.stencil.updates[context_.launch.stores[0].update].cases[0].domain;
  ExprPtr inside;
  for (int a = 0; a < 3; ++a) {
    if (box.low[a] > 0)
      inside = kernel::both(inside, kernel::bin(BinOp::ge, at[a], index(box.low[a])));
    if (box.high[a] > 0)
      inside = kernel::both(inside, kernel::bin(BinOp::lt, kernel::add(at[a], box.high[a]),
                                                kernel::var(context_.extents[a])));
  }
  return inside;
}

std::vector<Pane> ClimbRim::planes_before(const std::vector<Pane>& panes, Names& names,
                                          Body& body) const {
  std::vector<Pane> before = panes;
  for (Pane& pane : before)
    for (Pane::Plane& plane : pane.planes) {
      plane.registers.name = names.claim(context_.levels[pane.field][0].name + "_before");
      body.push_back({kernel::Array{plane.registers}});
    }
  return before;
}

void ClimbRim::fill_before(const std::vector<Pane>& panes, const std::vector<Pane>& before, int z,
                           const Names& names, Body& body) const {
  for (size_t p = 0; p < panes.size(); ++p) {
    const Pane::Plane& from = panes[p].plane(0);
    const Pane::Plane& to = before[p].plane(0);
    Names inner = names;
    For rows = unrolled(inner.claim("r"), 0, from.registers.rows);
    For cells = unrolled(inner.claim("v"), 0, from.registers.registers);
    const ExprPtr r = kernel::var(rows.name), v = kernel::var(cells.name);
    ExprPtr value = kernel::make(from.registers.element, kernel::Load{from.registers, v, r});
    const auto& side = context_.stencil.fields[panes[p].field].boundary.sides[2][0];
    if (plan::is_open(side)) {
      const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, Body&) {
        return kernel::make(from.registers.element, kernel::Load{from.registers, v, r});
      };
      const ExprPtr plane =
          lower::declare("beyond_" + context_.axes[2], index(z), inner, cells.body);
      EdgeTaps taps(context_,
                    {kernel::add(strip_.x, kernel::add(v, from.cell)),
                     kernel::add(strip_.y, kernel::add(r, from.row)), plane},
                    std::array{0, 0, -1}, inner, cells.body, fetch);
      value = taps(ir::Read{panes[p].field, 0, {}});
    }
    cells.body.push_back({kernel::Store{to.registers, v, value, r}});
    rows.body.push_back({std::move(cells)});
    body.push_back({std::move(rows)});
  }
}

Body ClimbRim::hold(const ExprPtr& z, const ExprPtr& k, const ExprPtr& first,
                    const Names& names) const {
  Body body;
  Names inner = names;
  For loop = unrolled(inner.claim("r"), 0, schedule_.rows);
  const ExprPtr r = kernel::var(loop.name), row = kernel::add(first, r);
  kernel::If keeps{strip_.in_rows(z), {}, {}};
  for (const Stepped& one : strip_.fields) {
    const ExprPtr held = strip_.held_row(z, k, strip_.row_of(strip_.warp, r));
    keeps.yes.push_back(
        {kernel::Copy{one.held, strip_.own(), one.row, index(0), schedule_.vector, 1, held, row}});
    keeps.no.push_back(
        {kernel::Fill{{one.row, index(0), one.held, strip_.own(), schedule_.vector, 1, row, held},
                      strip_.in_rows(z),
                      one.held_at,
                      {strip_.x, kernel::add(strip_.y, r), z, k}}});
  }
  loop.body.push_back({std::move(keeps)});
  body.push_back({std::move(loop)});
  return body;
}

}  // namespace stencilc::lower
