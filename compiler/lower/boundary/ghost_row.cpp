#include "lower/boundary/ghost_row.h"

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/boundary/grid_ends.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

bool rows_map(const Context& context, int field) {
  const ir::Boundary& boundary = context.stencil.fields[field].boundary;
  return context.rank() > 1 && plain_ghosts(boundary, context.rank());
}

RowFunctions declare_rows(const Context& context, int field, int level, const EdgeFlags& flags,
                          Names& names, kernel::Body& body) {
  const ir::Field& declared = context.stencil.fields[field];
  const kernel::Buffer& memory = buffer_of(context, ir::Read{field, level, {}});
  kernel::Local row, cell;
  row.name = names.claim(memory.name + "_row");
  cell.name = names.claim(memory.name + "_in");
  Names inner = names;
  std::vector<ExprPtr> at = {kernel::index(0)};
  ExprPtr has;
  const PlainGhosts ghosts = *plain_ghosts(declared.boundary, context.rank());
  for (int a = 1; a < context.rank(); ++a) {
    row.params.push_back(inner.claim("row_" + context.axes[a]));
    const ExprPtr own = kernel::var(row.params.back());
    at.push_back(own);
    if (const auto& map = ghosts.maps[a]) {
      at.back() = kernel::call(kernel::Type::index, *map, {own, context.box.extent(a)});
      if (const ExprPtr edge = edge_flag(flags))
        at.back() = kernel::make(kernel::Type::index, kernel::Pick{edge, at.back(), own});
      at.back() = lower::declare("at_" + context.axes[a], at.back(), inner, row.body);
    } else {
      has = kernel::both(has, in_grid(context, a, own));
    }
  }
  ExprPtr place = linear_of_any(context, at);
  if (has) {
    const ExprPtr known = lower::declare("has", near_boundary(flags, has), inner, row.body);
    place = kernel::make(kernel::Type::index, kernel::Pick{known, place, kernel::index(-1)});
  }
  row.body.push_back({kernel::Return{place}});

  Names own = names;
  cell.params = {own.claim("row"), own.claim("cell_" + context.axes[0])};
  const ExprPtr start = kernel::var(cell.params[0]);
  ExprPtr x = kernel::var(cell.params[1]);
  if (has) has = kernel::bin(BinOp::ge, start, kernel::index(0));
  if (const auto& map = ghosts.maps[0]) {
    x = kernel::call(kernel::Type::index, *map, {x, context.box.extent(0)});
  } else {
    has = kernel::both(has, in_grid(context, 0, x));
  }
  ExprPtr value = kernel::load(memory, kernel::add(start, x));
  if (has)
    value = kernel::make(memory.element,
                         kernel::Pick{has, value, ghost_number(declared, *ghosts.number)});
  cell.body.push_back({kernel::Return{value}});
  body.push_back(
      {kernel::Note{"Start of a row of " + declared.name +
                    ", and a cell of a row; outside the grid, those that ghost cells copy" +
                    (ghosts.number ? ", if any." : ".")}});
  body.push_back({row});
  body.push_back({cell});
  return {row.name, cell.name};
}

}  // namespace stencilc::lower
