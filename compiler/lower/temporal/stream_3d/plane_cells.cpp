// The cells of a plane of a launch of several steps in space: what they add to sums, and what they
// become.
#include <array>

#include "lower/boundary/edge_cell.h"
#include "lower/boundary/edge_flag.h"
#include "lower/boundary/interior_split.h"
#include "lower/cell/interior_cell.h"
#include "lower/context/build.h"
#include "lower/temporal/stream_3d/plane_steps.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

namespace {

ExprPtr cell_of(const kernel::Buffer& row, const ExprPtr& v) {
  return kernel::make(row.element, kernel::Load{row, v, nullptr});
}

}  // namespace

void PlaneSteps::add_to_row(const std::vector<RegisterTile>& tiles, const ExprPtr& k,
                            const ExprPtr& r, const ExprPtr& z, int behind, Names names,
                            Body& body) {
  const int own = -carried_.sums.low;  // the plane that brings a sum's own cell
  Before before;
  if (behind > own) before = take_before(before_in_sums_, temporal_.back(), k, r, names, body);
  For loop = unrolled(names.claim("v"), 0, tile_.layout.width());
  const ExprPtr v = kernel::var(loop.name);
  Cell cell(context_, {kernel::add(tile_.layout.x, v), kernel::add(tile_.layout.y, r), z},
            arriving_tap(tiles, before, r, v), names, loop.body);
  // Cells that no step assigns pass through the sums as they are.
  const auto instead = [&](const PlaneSum& sum, int n) -> std::optional<Instead> {
    if (n <= own) return std::nullopt;
    const ExprPtr unassigned =
        boundary_.unassigned(r, v, kernel::add(z, own - n), flags_, names, loop.body);
    const auto [buffer, row] = partials(k, r)(sum, n - 1);
    return Instead{unassigned, kernel::make(buffer.element, kernel::Load{buffer, v, row})};
  };
  add_plane(carried_.sums, 0, behind, partials(k, r), v, cell, loop.body,
            carries_ && edges_ ? InsteadOf(instead) : nullptr);
  body.push_back({std::move(loop)});
}

// Cells that no step assigns, of plane z of t+k, begin to pass. All rows after what they compute,
// and together: else the values of one wait in registers for those of all.
void PlaneSteps::pass_own(const std::vector<RegisterTile>& tiles, const ExprPtr& k,
                          const ExprPtr& z, const Names& names, Body& body) {
  body.push_back({kernel::Note{"Cells that no step assigns keep their values."}});
  Names inner = names;
  const std::string row = inner.claim("r"), cell = inner.claim("v");
  const ExprPtr r = kernel::var(row), v = kernel::var(cell);
  const auto [buffer, at] = partials(k, r)(carried_.sums.sums[0], -carried_.sums.low);
  const ExprPtr value = arriving_tap(tiles, {}, r, v)(ir::Read{tile_.rows.fields[0].field, 0, {}});
  const auto over_cells = [&](Body of) {
    For loop = unrolled(cell, 0, tile_.layout.width());
    loop.body = std::move(of);
    return Body{{std::move(loop)}};
  };
  const auto over_all_rows = [&](Body of) {
    For loop = unrolled(row, 0, tile_.layout.warp_rows());
    loop.body = std::move(of);
    return Body{{std::move(loop)}};
  };
  const auto where = [&](const ExprPtr& condition, Body of, bool seldom) {
    return Body{{kernel::If{condition, std::move(of), {}, seldom}}};
  };
  const Body moved = {{kernel::Store{buffer, v, value, at}}};
  const auto along = [&](int axis) { return boundary_.unassigned_along(axis, r, v, z); };
  if (const ExprPtr here = along(0))
    append_where(flags_.edge, over_cells(where(here, over_all_rows(moved), true)), body);
  if (const ExprPtr here = along(1))
    append_where(flags_.corner, over_all_rows(where(here, over_cells(moved), false)), body);
  if (const ExprPtr here = along(2))
    append(body, where(kernel::both(flags_.ends, here), over_all_rows(over_cells(moved)), false));
}

// Cells that no step assigns, of plane z of t+k+1: what they are at t is still in the ring.
void PlaneSteps::recall(const ExprPtr& k, const ExprPtr& z, Names names, Body& body) const {
  body.push_back({kernel::Note{"Cells that no step assigns are read again from the plane of t."}});
  const ExprPtr next = kernel::add(k, 1);
  const ExprPtr back = declare("back", kernel::mul(next, index(temporal_.back())), names, body);
  const ExprPtr slot = kernel::bin(BinOp::sub, at_.slot, back);
  const ExprPtr came = declare("arrival_slot",
                               kernel::pick(kernel::bin(BinOp::lt, at_.slot, back),
                                            kernel::add(slot, tile_.rows.ring_depth()), slot),
                               names, body);
  append_where(flags_.edge, recall_columns(next, came, names), body);
  const Stepped& one = tile_.rows.fields[0];
  For loop = unrolled(names.claim("r"), 0, tile_.layout.warp_rows());
  const ExprPtr r = kernel::var(loop.name);
  const kernel::Copy row{
      one.row,          index(0),
      one.ahead,        tile_.layout.own(),
      schedule_.vector, 1,
      row_at(next, r),  tile_.rows.ahead_row(came, tile_.layout.row_of(tile_.layout.warp, r))};
  if (const ExprPtr here = boundary_.unassigned_along(1, r, nullptr, z)) {
    loop.body = {{kernel::If{here, {{row}}, {}}}};
    append_where(flags_.corner, {{loop}}, body);
  }
  if (const ExprPtr here = boundary_.unassigned_along(2, r, nullptr, z)) {
    loop.body = {{row}};
    body.push_back({kernel::If{kernel::both(flags_.ends, here), {{std::move(loop)}}, {}}});
  }
}

// Those at the ends of rows: by selection, since a branch for few lanes is slower. A cell of each
// end is one load of a lane, more are a vector's.
Body PlaneSteps::recall_columns(const ExprPtr& next, const ExprPtr& came, Names names) const {
  const Stepped& one = tile_.rows.fields[0];
  const int vector = schedule_.vector;
  const std::array<int, 2> cells = {boundary_.unassigned_cells(0, 0),
                                    boundary_.unassigned_cells(0, 1)};
  if (cells[0] + cells[1] == 0) return {};
  const bool single = cells[0] <= 1 && cells[1] <= 1 && vector > 1;
  Body body;
  const std::array<ExprPtr, 2> end_cell = {index(0), index(vector - 1)};
  const std::array<ExprPtr, 2> at_end = {
      kernel::bin(BinOp::eq, tile_.layout.x, index(0)),
      kernel::bin(BinOp::eq, kernel::add(tile_.layout.x, tile_.layout.width()), extent(0))};
  ExprPtr side;
  if (single) {
    const ExprPtr cell = cells[0] == 0   ? end_cell[1]
                         : cells[1] == 0 ? end_cell[0]
                                         : kernel::pick(at_end[0], end_cell[0], end_cell[1]);
    side = declare("side", kernel::add(tile_.layout.own(), cell), names, body);
  }
  For rows = unrolled(names.claim("r"), 0, tile_.layout.warp_rows());
  const ExprPtr r = kernel::var(rows.name), to = row_at(next, r);
  const ExprPtr from = tile_.rows.ahead_row(came, tile_.layout.row_of(tile_.layout.warp, r));
  const auto choose = [&](const ExprPtr& v, const ExprPtr& here, const ExprPtr& value,
                          Body& body_of) {
    const ExprPtr made = kernel::make(one.row.element, kernel::Load{one.row, v, to});
    body_of.push_back({kernel::Store{
        one.row, v, kernel::make(one.row.element, kernel::Pick{here, value, made}), to}});
  };
  if (single) {
    const ExprPtr own =
        declare("own", kernel::make(one.ahead.element, kernel::Load{one.ahead, side, from}), names,
                rows.body);
    for (const int end : {0, 1})
      if (cells[end] > 0) choose(end_cell[end], at_end[end], own, rows.body);
  } else {
    kernel::Buffer own = one.row;
    own.name = names.claim("own");
    own.rows = 1;
    rows.body.push_back({kernel::Array{own}});
    rows.body.push_back(
        {kernel::Copy{own, index(0), one.ahead, tile_.layout.own(), vector, 1, nullptr, from}});
    For loop = unrolled(names.claim("v"), 0, vector);
    const ExprPtr v = kernel::var(loop.name);
    choose(v, boundary_.unassigned_along(0, r, v, nullptr), cell_of(own, v), loop.body);
    rows.body.push_back({std::move(loop)});
  }
  body.push_back({std::move(rows)});
  return body;
}

Cell::Tap PlaneSteps::arriving_tap(const std::vector<RegisterTile>& tiles, const Before& before,
                                   const ExprPtr& r, const ExprPtr& v) const {
  return [this, &tiles, before, r, v](const ir::Read& read) {
    if (read.level < 0) return cell_of(before.at(read.field), v);
    ir::Read here = read;
    here.offset[2] = 0;
    return register_value(tiles, here, patch_, r, v);
  };
}

void PlaneSteps::compute(const ExprPtr& k, const ExprPtr& r, const ExprPtr& v, const ExprPtr& z,
                         const Before& before, Names& names, Body& body) {
  std::vector<ExprPtr> at = {kernel::add(tile_.layout.x, v), kernel::add(tile_.layout.y, r), z};
  for (const PlaneSum& sum : carried_.sums.sums) {
    const kernel::Buffer& made = sum.partials.back();
    context_.at_hand[context_.numbering.id(sum.expr)] = cell_of(made, v);
  }
  if (!temporal_.later) {
    const auto tap = [&](const ir::Read& read) {
      return kernel::make(tile_.rows.stepped(read.field).row.element,
                          kernel::Load{tile_.rows.stepped(read.field).row, v, row_at(k, r)});
    };
    Cell cell(context_, at, tap, names, body);
    add_plane(carried_.sums, planes_ - 1, planes_, partials(k, r), v, cell, body);
  }
  ExprPtr inside;
  for (int a = 0; a < 3 && edges_; ++a) {
    if (tile_.layout.wraps(a)) {
      at[a] = declare("at_" + context_.axes[a],
                      kernel::call(kernel::Type::index, kernel::Fn::wrap, {at[a], extent(a)}),
                      names, body);
      continue;
    }
    inside = kernel::both(inside, kernel::both(kernel::bin(BinOp::ge, at[a], index(0)),
                                               kernel::bin(BinOp::lt, at[a], extent(a))));
  }
  const ExprPtr i = declare("i", linear(context_, at), names, body);
  const Cell::Tap tap = [&](const ir::Read& read) -> ExprPtr {
    if (read.level > 0 || !is_stepped(read.field)) return nullptr;
    if (read.level < 0) return cell_of(before.at(read.field), v);
    if (carries_) {
      const auto [buffer, row] =
          partials(k, r)(carried_.sums.sums[0], planes_ - (temporal_.later ? 1 : 2));
      return kernel::make(buffer.element, kernel::Load{buffer, v, row});
    }
    const Patch patch = {schedule_.vector, schedule_.rows, 2, true};
    if (const ExprPtr value = register_value(carried_.tiles, read, patch, row_at(k, r), v))
      return value;
    return interior_tap(context_, at, i, read);  // never assigned: as it was at t
  };
  // In a variant that serves all blocks, cells that no step assigns differ in nothing else.
  const ExprPtr unassigned = !recalls_ && (carries_ || has_own_) && flags_.edge
                                 ? boundary_.unassigned(r, v, z, flags_, names, body)
                                 : nullptr;
  const Sink sink = [&](int field, const ExprPtr& value, bool) {
    // A sum that is the value itself has what stays already, where its last plane comes later.
    const auto* load = kernel::as<kernel::Load>(value);
    const bool has_it = carries_ && temporal_.later && load &&
                        load->buffer.name == carried_.sums.sums[0].partials.back().name;
    const ExprPtr made =
        unassigned && !has_it
            ? kernel::make(value->type,
                           kernel::Pick{unassigned, tap(ir::Read{field, 0, {}}), value})
            : value;
    return kernel::Stmt{
        kernel::Store{tile_.rows.stepped(field).row, v, made, row_at(kernel::add(k, 1), r)}};
  };
  if (edges_ && !unassigned && !recalls_) {
    // A plane near an end of the stream is near the boundary in a block inside, too.
    const std::string edge = context_.edge;
    if (flags_.ends && !edge.empty())
      context_.edge =
          kernel::as<kernel::Var>(
              declare("at_boundary", kernel::either(flags_.edge, flags_.ends), names, body))
              ->name;
    Body cell;
    edge_cell(context_, at, i, names, cell, tap, sink);
    if (inside && touch_memory(context_, cell))
      cell = {{kernel::If{near_boundary(context_, inside), std::move(cell), {}}}};
    context_.edge = edge;
    append(body, std::move(cell));
  } else {
    const Cell::Tap or_load = [&](const ir::Read& read) {
      const ExprPtr value = tap(read);
      return value ? value : interior_tap(context_, at, i, read);
    };
    interior_cell(context_, at, or_load, sink, names, body);
  }
  context_.at_hand.clear();
}

}  // namespace stencilc::lower
