// What stands beside the first and the last cell of a row, and before and behind the rows of a
// tile, by what lies inside.
#include <algorithm>
#include <array>

#include "ir/boundary.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/boundary/ghost_value.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/temporal/common/tile_layout.h"
#include "lower/tile/register_tile_load.h"
#include "plan/temporal/resident_tile.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

// What a step makes anew has no level t.
ir::Read TemporalTile::read_of(int field) const {
  const bool output = context_.stencil.fields[field].role == ir::Role::output;
  return {field, output ? 1 : 0, {}};
}

// The cell so far beyond an end, whose last cell is `last` of the lane's own; `row` is where the
// row is along the other axes.
void TemporalTile::make_beside(int field, const kernel::Sides& sides,
                               const std::vector<ExprPtr>& row, int end, int distance,
                               const ExprPtr& last, Names& names, Body& body) const {
  const auto place = [&](const ExprPtr& cell) { return kernel::add(sides.own, cell); };
  const plan::GhostSource kind =
      plan::ghost_source(context_.stencil.fields[field].boundary.sides[0][end]);
  const int back = kind == plan::GhostSource::next    ? distance
                   : kind == plan::GhostSource::again ? distance - 1
                                                      : 0;
  const ExprPtr source = kernel::add(last, end == 0 ? back : -back);
  const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, Body&) {
    return kernel::make(sides.to.element, kernel::Load{sides.to, place(source), sides.row});
  };
  const ExprPtr ghost = lower::declare(
      "ghost_" + context_.axes[0],
      end == 0 ? index(-distance) : kernel::add(extent(0), distance - 1), names, body);
  std::vector<ExprPtr> cell = {ghost};
  cell.insert(cell.end(), row.begin(), row.end());
  EdgeTaps taps(context_, cell, {EdgeTaps::outside(end), 0, 0}, names, body, fetch);
  const ExprPtr value = taps(read_of(field));
  const ExprPtr at = place(kernel::add(last, end == 0 ? -distance : distance));
  body.push_back({kernel::Store{sides.to, at, value, sides.row}});
}

Body TemporalTile::columns(int field, const kernel::Sides& sides, const ExprPtr& y,
                           const Names& names) const {
  Body body;
  const auto& ends = context_.stencil.fields[field].boundary.sides[0];
  // Lanes behind the first cell's read before it, too, where a vector has fewer cells.
  for (int n = 0; ir::kind_of(ends[0]).open() && n < sides.left; n += schedule_.vector) {
    kernel::If low{kernel::bin(BinOp::eq, x, index(n)), {}, {}};
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
    kernel::If high{kernel::bin(BinOp::eq, kernel::add(x, v), kernel::add(extent(0), -1)), {}, {}};
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

Body TemporalTile::columns(int field, const kernel::Sides& sides, int first, int rows,
                           const ExprPtr& z, const Names& names) const {
  if (selects_columns) {
    Names inner = names;
    For loop = unrolled(inner.claim("r"), first, first + rows);
    const ExprPtr r = kernel::var(loop.name);
    kernel::Sides row = sides;
    row.row = kernel::add(r, sides.row);
    loop.body = columns_of_row(field, row, {kernel::add(y, r), z}, nullptr, inner);
    return {{std::move(loop)}};
  }
  return columns_at_ends(field, sides, nullptr, [&](int end, int distances, const ExprPtr& last) {
    Names inner = names;
    For loop = unrolled(inner.claim("r"), first, first + rows);
    const ExprPtr r = kernel::var(loop.name);
    kernel::Sides row = sides;
    row.row = kernel::add(r, sides.row);
    for (int d = 1; d <= distances; ++d)
      make_beside(field, row, {kernel::add(y, r), z}, end, d, last, inner, loop.body);
    return Body{{std::move(loop)}};
  });
}

Body TemporalTile::columns_of_row(int field, const kernel::Sides& sides,
                                  const std::vector<ExprPtr>& at, const ExprPtr& odd,
                                  Names& names) const {
  return columns_at_ends(field, sides, odd, [&](int end, int distances, const ExprPtr& last) {
    Body body;
    for (int d = 1; d <= distances; ++d) make_beside(field, sides, at, end, d, last, names, body);
    return body;
  });
}

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

// Each end is asked for once for all rows. Where vectors fill a row, and in all columns, its last
// cell is the last one of a vector.
Body TemporalTile::columns_at_ends(
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
    at(kernel::bin(BinOp::eq, x, index(n)), make(0, sides.left - n, index(-n)), body);
  if (!ir::kind_of(ends[1]).open() || sides.right == 0) return body;
  kernel::If ragged{
      odd ? odd
          : kernel::bin(BinOp::ne, kernel::bin(BinOp::mod, extent(0), index(vector)), index(0)),
      {},
      {}};
  // Lanes before the last cell's read beyond it, too.
  for (int v = 0; v < vector + sides.right - 1; ++v) {
    const int distances = std::min(sides.right, vector + sides.right - 1 - v);
    const bool filled = v % vector == vector - 1;
    if (filled || !is_column())
      at(kernel::bin(BinOp::eq, kernel::add(x, v + 1), extent(0)), make(1, distances, index(v)),
         filled ? body : ragged.yes);
  }
  if (!ragged.yes.empty()) body.push_back({std::move(ragged)});
  return body;
}

bool TemporalTile::is_constant(int field, int end) const {
  return context_.stencil.fields[field].boundary.sides[1][end].edge == ir::Edge::constant;
}

// Is what lies beyond an end of a tile a constant that is laid down for it?
bool TemporalTile::is_laid(int field, int end) const {
  return is_constant(field, end) && halo_holds_ghosts(field, end);
}

namespace {

// Is what lies beyond both ends a cell of the grid, or a constant?
bool only_moves(const std::array<ir::Side, 2>& sides) {
  return std::ranges::none_of(sides,
                              [](const ir::Side& side) { return ir::kind_of(side).computes(); });
}

}  // namespace

// A warp's rows at an end lie in the place that those of the warp beyond it would be read from, at
// the other one.
bool TemporalTile::halo_holds_ghosts(int field, int end) const {
  const ir::Boundary& boundary = context_.stencil.fields[field].boundary;
  const int reach = end == 0 ? temporal_.below : temporal_.above;
  const int own = end == 0 ? temporal_.above : temporal_.below;
  if (wraps(1) || reach == 0 || own == 0) return false;
  // Planes beyond a tile that blocks hold are made of such rows, too, and a constant stays one. And
  // where all rows are exchanged there is none that nobody would read.
  if (temporal_.resident_tile && context_.rank() == 3 && is_constant(field, end) &&
      (temporal_.exchanges_all || !only_moves(boundary.sides[2])))
    return false;
  const ir::EdgeKind& kind = ir::kind_of(boundary.sides[1][end]);
  if (kind.edge == ir::Edge::constant) return stepped(field).ghost != nullptr;  // a number
  if (!kind.only_maps() || !kind.open()) return false;
  if (kind.source == ir::EdgeKind::last) return true;
  return map_along(boundary, 1) && reach + (kind.source == ir::EdgeKind::next) <= own;
}

ExprPtr TemporalTile::exchanges(int field, int end) const {
  if (!halo_holds_ghosts(field, end) || !is_constant(field, end)) return nullptr;
  return kernel::bin(BinOp::ne, warp, end == 0 ? index(0) : kernel::add(warps(), -1));
}

// No warp is beside the first and the last one: where the grid ends there, too, what stands beyond
// it is in their own rows, and where not, it is no matter.
void TemporalTile::declare_beside(Stepped& one, Body& body) {
  const int above = temporal_.above;
  const auto& ends = context_.stencil.fields[one.field].boundary.sides[1];
  if (halo_rows() > 0) {
    std::string note = "The halo rows next to a warp's own rows";
    if (exchanges(one.field, 0) || exchanges(one.field, 1))
      note += "; at the boundary they are a constant, in slots that no warp uses";
    else if (halo_holds_ghosts(one.field, 0) || halo_holds_ghosts(one.field, 1))
      note += "; at the boundary they are its own rows";
    body.push_back({kernel::Note{note + "."}});
  }
  for (const int end : {0, 1}) {
    const plan::GhostSource kind = halo_holds_ghosts(one.field, end) ? plan::ghost_source(ends[end])
                                                                     : plan::GhostSource::nowhere;
    for (int n = 0; n < (end == 0 ? temporal_.below : above); ++n) {
      const int back = kind == plan::GhostSource::next    ? n + 1
                       : kind == plan::GhostSource::again ? n
                                                          : 0;
      const ExprPtr other = halo_of(warp, end == 0 ? -1 - n : halo_rows() + n);
      one.beside[end].push_back(declare(
          end == 0 ? "row_below" : "row_above",
          kernel::pick(kernel::bin(BinOp::eq, warp, end == 0 ? index(0) : kernel::add(warps(), -1)),
                       end == 0 ? index(back) : kernel::add(step_halo(), -1 - back), other),
          context_.names, body));
    }
  }
  for (const int end : {0, 1})
    if (exchanges(one.field, end)) lay_constant(one, end, body);
}

// The constant outside the grid, as a row of each of some places, of which `row` says where it is.
Body TemporalTile::constant_rows(const kernel::Buffer& to, const ExprPtr& constant, int places,
                                 const std::function<ExprPtr(const ExprPtr&)>& row) const {
  Names names = context_.names;
  For each = unrolled(names.claim("n"), 0, places);
  each.mark = For::plain;
  For loop = unrolled(names.claim("v"), 0, width());
  loop.body.push_back({kernel::Store{to, kernel::add(own(), kernel::var(loop.name)), constant,
                                     row(kernel::var(each.name))}});
  each.body.push_back({std::move(loop)});
  Body body;
  body.push_back({std::move(each)});
  return body;
}

// Where the last warp at an end would exchange rows that nobody reads.
void TemporalTile::lay_constant(const Stepped& one, int end, Body& body) {
  const int last = schedule_.threads[1] - 1;
  const int buffers = temporal_.resident_tile ? plan::halo_buffers(context_.rank()) : 2;
  const int row = end == 0 ? 0 : (last + 1) * halo_rows() - 1;
  Body rows =
      constant_rows(one.halo, one.ghost, buffers * halo_places(one.field) * schedule_.planes,
                    [&](const ExprPtr& slot) {
                      return kernel::add(kernel::mul(slot, index((last + 1) * halo_rows())), row);
                    });
  const ExprPtr there = kernel::bin(BinOp::eq, warp, index(end == 0 ? 0 : last));
  body.push_back({kernel::If{there, std::move(rows), {}}});
}

// Rows beside a tile that are not in the grid, in all places of the ring: none is copied over them.
void TemporalTile::lay_beside_tile(const ExprPtr& at_end, Body& body) {
  const auto none = [](const ExprPtr& condition) {
    return kernel::make(kernel::Type::boolean, kernel::Not{condition});
  };
  const auto lay = [&](const ExprPtr& row) {
    Body rows;
    for (const Stepped& one : fields)
      for (kernel::Stmt& stmt :
           constant_rows(one.ahead, one.ghost, depth(),
                         [&](const ExprPtr& slot) { return ahead_row(slot, row); }))
        rows.push_back(std::move(stmt));
    return rows;
  };
  body.push_back({kernel::Note{"Rows outside the grid are a constant."}});
  if (temporal_.below == 1) {
    const ExprPtr outside = kernel::both(at_end, none(copies_beside_));
    body.push_back({kernel::If{outside, lay(beside_row_), {}}});
    return;
  }
  Names names = context_.names;
  For rows = unrolled(names.claim("r"), 0, temporal_.below);
  const ExprPtr row = kernel::add(beside_row_, kernel::var(rows.name));
  const ExprPtr outside = none(in_grid(kernel::add(below_, row), 1));
  rows.body.push_back({kernel::If{outside, lay(row), {}}});
  body.push_back({kernel::If{at_end, {{std::move(rows)}}, {}}});
}

// As columns(): a row beyond an end is another one, or made of it.
Body TemporalTile::ghost_rows(int field, const kernel::Buffer& registers, int own_row, int cell,
                              const ExprPtr& z, bool skip_halo, const Names& names,
                              const ExprPtr& first, int rows) const {
  Body body;
  const auto& ends = context_.stencil.fields[field].boundary.sides[1];
  for (const int end : {0, 1}) {
    const int reach = end == 0 ? temporal_.below : temporal_.above;
    if (!ir::kind_of(ends[end]).open() || reach == 0) continue;
    if (skip_halo && halo_holds_ghosts(field, end)) continue;
    const plan::GhostSource kind = plan::ghost_source(ends[end]);
    // Rows beside a tile that streams are read, too, and of these some may lie inside: where the
    // tile before the last one ends a few rows before the grid does.
    const int most_inside = end == 1 && !plan::is_resident_tile(schedule_) ? reach - 1 : 0;
    for (int inside = 0; inside <= most_inside; ++inside) {
      const ExprPtr at_end =
          end == 0 ? kernel::bin(BinOp::eq, y, index(0))
                   : kernel::bin(BinOp::eq, kernel::add(y, schedule_.rows + inside), extent(1));
      kernel::If there{at_end, {}, {}};
      const int last = own_row + (end == 0 ? 0 : schedule_.rows - 1 + inside);
      for (int distance = 1; distance <= reach - inside; ++distance)
        append(there.yes, ghost_row(field, registers, {last, end, distance}, kind, cell, z, first,
                                    first ? rows : registers.rows, names));
      if (!there.yes.empty()) body.push_back({std::move(there)});
    }
  }
  return body;
}

Body TemporalTile::ghost_row(int field, const kernel::Buffer& registers, const GhostRow& which,
                             plan::GhostSource kind, int cell, const ExprPtr& z,
                             const ExprPtr& first, int rows, const Names& names) const {
  const auto [last, end, distance] = which;
  const auto at_row = [&](int row) { return first ? kernel::add(first, row) : index(row); };
  const int row = last + (end == 0 ? -distance : distance);
  if (row < 0 || row >= rows) return {};
  const int back = kind == plan::GhostSource::next    ? distance
                   : kind == plan::GhostSource::again ? distance - 1
                                                      : 0;
  const int source = last + (end == 0 ? back : -back);
  Names inner = names;
  For loop = unrolled(inner.claim("v"), 0, width());
  const ExprPtr v = kernel::var(loop.name);
  const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, Body&) {
    return kernel::make(registers.element,
                        kernel::Load{registers, kernel::add(v, cell), at_row(source)});
  };
  const ExprPtr ghost = lower::declare(
      "ghost_" + context_.axes[1],
      end == 0 ? index(-distance) : kernel::add(extent(1), distance - 1), inner, loop.body);
  const ExprPtr column = kernel::add(x, v);
  const std::vector<ExprPtr> at =
      z ? std::vector<ExprPtr>{column, ghost, z} : std::vector<ExprPtr>{column, ghost};
  EdgeTaps taps(context_, at, std::array{0, EdgeTaps::outside(end), 0}, inner, loop.body, fetch);
  const ExprPtr value = taps(read_of(field));
  loop.body.push_back({kernel::Store{registers, kernel::add(v, cell), value, at_row(row)}});
  return {{std::move(loop)}};
}

Body TemporalTile::ghost_plane(int field, const kernel::Buffer& registers, int cell, int end,
                               int distance, int first_row_of, int end_row_of,
                               const std::function<ExprPtr(int, const ExprPtr&)>& row,
                               const Names& names) const {
  const ir::Side& side = context_.stencil.fields[field].boundary.sides[2][end];
  const plan::GhostSource kind = plan::ghost_source(side);
  const int last = end == 0 ? 0 : schedule_.planes - 1;
  const int back = kind == plan::GhostSource::next    ? distance
                   : kind == plan::GhostSource::again ? distance - 1
                                                      : 0;
  const int plane = last + (end == 0 ? -distance : distance);
  const int source = last + (end == 0 ? back : -back);
  Names inner = names;
  For rows = unrolled(inner.claim("r"), first_row_of, end_row_of);
  const ExprPtr r = kernel::var(rows.name);
  For loop = unrolled(inner.claim("v"), 0, width());
  const ExprPtr v = kernel::var(loop.name);
  const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, Body&) {
    return kernel::make(registers.element,
                        kernel::Load{registers, kernel::add(v, cell), row(source, r)});
  };
  const ExprPtr ghost = lower::declare(
      "ghost_" + context_.axes[2],
      end == 0 ? index(-distance) : kernel::add(extent(2), distance - 1), inner, loop.body);
  EdgeTaps taps(context_, {kernel::add(x, v), kernel::add(y, r), ghost},
                std::array{0, 0, EdgeTaps::outside(end)}, inner, loop.body, fetch);
  const ExprPtr value = taps(read_of(field));
  loop.body.push_back({kernel::Store{registers, kernel::add(v, cell), value, row(plane, r)}});
  rows.body.push_back({std::move(loop)});
  return {{std::move(rows)}};
}

}  // namespace stencilc::lower
