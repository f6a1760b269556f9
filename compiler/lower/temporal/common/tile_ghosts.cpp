#include "lower/temporal/common/tile_ghosts.h"

#include <algorithm>
#include <array>

#include "ir/boundary.h"
#include "lower/boundary/ghost_value.h"
#include "lower/boundary/grid_ends.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

namespace {

// Has the statements, which store to registers, run everywhere, and change these only where the
// condition holds. Not, if there are others among them.
bool selected(const ExprPtr& condition, Body& body) {
  for (kernel::Stmt& stmt : body) {
    if (auto* store = std::get_if<kernel::Store>(&stmt.node)) {
      if (store->buffer.registers == 0 || store->buffer.shared) return false;
      const ExprPtr old =
          kernel::make(store->buffer.element, kernel::Load{store->buffer, store->at, store->row});
      store->value = kernel::pick(condition, store->value, old);
    } else if (!std::get_if<kernel::Let>(&stmt.node)) {
      return false;
    }
  }
  return true;
}

}  // namespace

// What a step makes anew has no level t.
ExprPtr TileGhosts::value_of(int field, const GhostCell& ghost, std::vector<ExprPtr> at,
                             const ExprPtr& source, Names& names, Body& body) const {
  const bool output = context_.stencil.fields[field].role == ir::Role::output;
  return ghost_value(context_, {field, output ? 1 : 0, {}}, std::move(at), ghost.axis,
                     ghost.outside(), source, names, body);
}

// The cell so far beyond an end, whose last cell is `last` of the lane's own; `row` is where the
// row is along the other axes.
void TileGhosts::make_beside(int field, const kernel::Sides& sides, const std::vector<ExprPtr>& row,
                             int end, int distance, const ExprPtr& last, Names& names,
                             Body& body) const {
  const GhostCell ghost{0, end, distance};
  const auto place = [&](int beside) { return kernel::add(sides.own, kernel::add(last, beside)); };
  const ExprPtr source = kernel::make(
      sides.to.element, kernel::Load{sides.to, place(ghost.source(boundary_of(field))), sides.row});
  std::vector<ExprPtr> at = {ghost.coordinate(context_, names, body)};
  at.insert(at.end(), row.begin(), row.end());
  const ExprPtr value = value_of(field, ghost, std::move(at), source, names, body);
  body.push_back({kernel::Store{sides.to, place(ghost.place()), value, sides.row}});
}

Body TileGhosts::columns(int field, const kernel::Sides& sides, const ExprPtr& y,
                         const Names& names) const {
  Body body;
  const auto& ends = context_.stencil.fields[field].boundary.sides[0];
  // Lanes after the first cell's read before it, too, where a vector has fewer cells.
  for (int n = 0; ir::kind_of(ends[0]).open() && n < sides.left; n += schedule_.vector) {
    kernel::If low{kernel::bin(BinOp::eq, layout_.x, index(n)), {}, {}};
    Names inner = names;
    for (int d = 1; d <= sides.left - n; ++d)
      make_beside(field, sides, {y}, 0, d, index(-n), inner, low.yes);
    body.push_back({std::move(low)});
  }
  if (ir::kind_of(ends[1]).open() && sides.right > 0) {
    Names inner = names;
    // Lanes before the last cell's read beyond it, too.
    For loop = unrolled(inner.claim("v"), 0, schedule_.vector + sides.right - 1);
    const ExprPtr v = kernel::var(loop.name);
    kernel::If high{
        kernel::bin(BinOp::eq, kernel::add(layout_.x, v), kernel::add(layout_.extent(0), -1)),
        {},
        {}};
    make_beside(field, sides, {y}, 1, 1, v, inner, high.yes);
    for (int d = 2; d <= sides.right; ++d) {
      kernel::If there{
          kernel::bin(BinOp::lt, v, index(schedule_.vector + sides.right - d)), {}, {}};
      Names own = inner;
      make_beside(field, sides, {y}, 1, d, v, own, there.yes);
      high.yes.push_back({std::move(there)});
    }
    loop.body.push_back({std::move(high)});
    body.push_back({std::move(loop)});
  }
  return body;
}

Body TileGhosts::columns(int field, const kernel::Sides& sides, int first, int rows,
                         const ExprPtr& z, const Names& names) const {
  if (selects_columns) {
    Names inner = names;
    For loop = unrolled(inner.claim("r"), first, first + rows);
    const ExprPtr r = kernel::var(loop.name);
    kernel::Sides row = sides;
    row.row = kernel::add(r, sides.row);
    loop.body = columns_of_row(field, row, {kernel::add(layout_.y, r), z}, nullptr, inner);
    return {{std::move(loop)}};
  }
  return columns_at_ends(field, sides, nullptr, [&](int end, int distances, const ExprPtr& last) {
    Names inner = names;
    For loop = unrolled(inner.claim("r"), first, first + rows);
    const ExprPtr r = kernel::var(loop.name);
    kernel::Sides row = sides;
    row.row = kernel::add(r, sides.row);
    for (int d = 1; d <= distances; ++d)
      make_beside(field, row, {kernel::add(layout_.y, r), z}, end, d, last, inner, loop.body);
    return Body{{std::move(loop)}};
  });
}

Body TileGhosts::columns_of_row(int field, const kernel::Sides& sides,
                                const std::vector<ExprPtr>& at, const ExprPtr& odd,
                                Names& names) const {
  return columns_at_ends(field, sides, odd, [&](int end, int distances, const ExprPtr& last) {
    Body body;
    for (int d = 1; d <= distances; ++d) make_beside(field, sides, at, end, d, last, names, body);
    return body;
  });
}

// Each end is asked for once for all rows. Where vectors fill a row, and in all columns, its last
// cell is the last one of a vector.
Body TileGhosts::columns_at_ends(
    int field, const kernel::Sides& sides, const ExprPtr& odd,
    const std::function<Body(int end, int distances, const ExprPtr& last)>& make) const {
  Body body;
  const int vector = schedule_.vector;
  const auto& ends = context_.stencil.fields[field].boundary.sides[0];
  const auto at = [&](const ExprPtr& end, Body made, Body& to) {
    if (selects_columns && selected(end, made))
      append(to, std::move(made));
    else
      to.push_back({kernel::If{end, std::move(made), {}, true}});
  };
  for (int n = 0; ir::kind_of(ends[0]).open() && n < sides.left; n += vector)
    at(kernel::bin(BinOp::eq, layout_.x, index(n)), make(0, sides.left - n, index(-n)), body);
  if (!ir::kind_of(ends[1]).open() || sides.right == 0) return body;
  kernel::If ragged{
      odd ? odd
          : kernel::bin(BinOp::ne, kernel::bin(BinOp::mod, layout_.extent(0), index(vector)),
                        index(0)),
      {},
      {}};
  // Lanes before the last cell's read beyond it, too.
  for (int v = 0; v < vector + sides.right - 1; ++v) {
    const int distances = std::min(sides.right, vector + sides.right - 1 - v);
    const bool filled = v % vector == vector - 1;
    if (filled || !layout_.is_column())
      at(is_last(context_, 0, 1, kernel::add(layout_.x, v)), make(1, distances, index(v)),
         filled ? body : ragged.yes);
  }
  if (!ragged.yes.empty()) body.push_back({std::move(ragged)});
  return body;
}

// As columns(): a row beyond an end is another one, or made of it.
Body TileGhosts::rows(int field, const kernel::Buffer& registers, int own_row, int cell,
                      const ExprPtr& z, bool skip_halo, const Names& names, const ExprPtr& first,
                      int rows) const {
  Body body;
  const auto& ends = context_.stencil.fields[field].boundary.sides[1];
  for (const int end : {0, 1}) {
    const int reach = end == 0 ? temporal_.below : temporal_.above;
    if (!ir::kind_of(ends[end]).open() || reach == 0) continue;
    if (skip_halo && halo_.holds_ghosts(field, end)) continue;
    // Rows beside a tile that streams are read, too, and of these some may lie inside: where the
    // tile before the last one ends a few rows before the grid does.
    const int most_inside = end == 1 && !plan::is_resident_tile(schedule_) ? reach - 1 : 0;
    for (int inside = 0; inside <= most_inside; ++inside) {
      const int from_first = end == 0 ? 0 : schedule_.rows - 1 + inside,
                last = own_row + from_first;
      kernel::If there{is_last(context_, 1, end, kernel::add(layout_.y, from_first)), {}, {}};
      for (int distance = 1; distance <= reach - inside; ++distance)
        append(there.yes, row(field, registers, {last, end, distance}, cell, z, first,
                              first ? rows : registers.rows.value, names));
      if (!there.yes.empty()) body.push_back({std::move(there)});
    }
  }
  return body;
}

Body TileGhosts::row(int field, const kernel::Buffer& registers, const GhostRow& which, int cell,
                     const ExprPtr& z, const ExprPtr& first, int rows, const Names& names) const {
  const auto [last, end, distance] = which;
  const GhostCell ghost{1, end, distance};
  const auto at_row = [&](int row) { return first ? kernel::add(first, row) : index(row); };
  const int row = last + ghost.place();
  if (row < 0 || row >= rows) return {};
  Names inner = names;
  For loop = unrolled(inner.claim("v"), 0, layout_.width());
  const ExprPtr v = kernel::var(loop.name);
  const ExprPtr source = kernel::make(
      registers.element, kernel::Load{registers, kernel::add(v, cell),
                                      at_row(last + ghost.source(boundary_of(field)))});
  std::vector<ExprPtr> at = {kernel::add(layout_.x, v),
                             ghost.coordinate(context_, inner, loop.body)};
  if (z) at.push_back(z);
  const ExprPtr value = value_of(field, ghost, std::move(at), source, inner, loop.body);
  loop.body.push_back({kernel::Store{registers, kernel::add(v, cell), value, at_row(row)}});
  return {{std::move(loop)}};
}

Body TileGhosts::plane(int field, const kernel::Buffer& registers, int cell, int end, int distance,
                       int first_row_of, int end_row_of,
                       const std::function<ExprPtr(int, const ExprPtr&)>& row,
                       const Names& names) const {
  const GhostCell ghost{2, end, distance};
  const int last = end == 0 ? 0 : schedule_.planes - 1;
  const int plane = last + ghost.place();
  Names inner = names;
  For rows = unrolled(inner.claim("r"), first_row_of, end_row_of);
  const ExprPtr r = kernel::var(rows.name);
  For loop = unrolled(inner.claim("v"), 0, layout_.width());
  const ExprPtr v = kernel::var(loop.name);
  const ExprPtr source = kernel::make(
      registers.element, kernel::Load{registers, kernel::add(v, cell),
                                      row(last + ghost.source(boundary_of(field)), r)});
  const ExprPtr value = value_of(field, ghost,
                                 {kernel::add(layout_.x, v), kernel::add(layout_.y, r),
                                  ghost.coordinate(context_, inner, loop.body)},
                                 source, inner, loop.body);
  loop.body.push_back({kernel::Store{registers, kernel::add(v, cell), value, row(plane, r)}});
  rows.body.push_back({std::move(loop)});
  return {{std::move(rows)}};
}

}  // namespace stencilc::lower
