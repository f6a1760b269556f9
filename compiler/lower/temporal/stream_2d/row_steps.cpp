#include "lower/temporal/stream_2d/row_steps.h"

#include <algorithm>

#include "lower/boundary/edge_cell.h"
#include "lower/boundary/edge_flag.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/cell/interior_cell.h"
#include "lower/context/build.h"
#include "lower/temporal/common/at_step.h"
#include "lower/tile/register_tile_load.h"
#include "plan/temporal/streaming_partition.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

// A row arrives, goes through all time steps, and leaves.
Body RowSteps::one_row(bool edges, bool ends, const ExprPtr& filling) {
  edges_ = edges;
  near_ends_ = ends;
  Names names = context_.names;
  Body body;
  for (const Stepped& one : tile_.rows.fields) {
    body.push_back({kernel::Array{one.row}});
    body.push_back(
        {kernel::Copy{one.row, index(0), one.ahead, tile_.layout.own(), tile_.layout.vector(), 1,
                      nullptr, tile_.rows.ahead_row(tile_.rows.ring.current())}});
    if (!one.before) continue;
    body.push_back({kernel::Array{*one.before}});
    body.push_back({kernel::Copy{*one.before, index(0), *one.before_ahead, tile_.layout.own(),
                                 tile_.layout.vector(), 1, nullptr,
                                 tile_.rows.ahead_row(tile_.rows.ring.current())}});
  }
  For loop =
      counted(ends ? For::rolled : For::unrolled, names.claim("k"), filling ? filling : steps_);
  if (ends && temporal_.lag > 0) bound(loop, names, body);
  loop.body = one_step(kernel::var(loop.name), names);
  body.push_back({std::move(loop)});
  if (!filling) append(body, store(edges_, names));
  return body;
}

// Near the ends of the stream only those steps that rows have reached, and that some of their rows
// are still to come from.
void RowSteps::bound(For& loop, Names& names, Body& body) const {
  const bool holds = temporal_.held > 0;
  const auto steps_of = [&](const ExprPtr& rows) {
    return temporal_.lag == 1 ? rows : kernel::bin(BinOp::idiv, rows, index(temporal_.lag));
  };
  // Rows before the first one come by themselves, unless they wait for those that stand for them.
  const bool waits = holds && temporal_.first_rows > 0;
  const ExprPtr reached =
      kernel::add(steps_of(kernel::add(n_, waits ? 0 : temporal_.planes_before)), 1);
  ExprPtr last = pick(kernel::bin(BinOp::lt, reached, steps_), reached, steps_);
  if (waits && temporal_.planes_before > 0)
    last = pick(kernel::bin(BinOp::lt, n_, index(0)), index(1), last);
  loop.last = declare("end_" + loop.name, last, names, body);
  // A step that makes what lies outside the grid, or has the rows of the one before, is one more.
  const bool before = std::any_of(tile_.rows.fields.begin(), tile_.rows.fields.end(),
                                  [](const Stepped& one) { return one.before; });
  const int more = holds && !before ? 0 : 1;
  const ExprPtr past_end = kernel::bin(BinOp::sub, n_, extent(1));
  loop.first = declare("first_" + loop.name,
                       pick(kernel::bin(BinOp::gt, past_end, index(more * temporal_.lag)),
                            kernel::add(steps_of(past_end), -more), index(0)),
                       names, body);
}

// Time step t+k+1: the row that arrived is one of t+k, the row that goes on `lag` rows back.
Body RowSteps::one_step(const ExprPtr& k, Names names) {
  Body body;
  const CellContext here = at_step(context_, k, names, body);
  const ExprPtr back = kernel::mul(kernel::add(k, 1), index(temporal_.lag));
  body.push_back({kernel::Let{context_.axes[1], kernel::bin(BinOp::sub, n_, back)}});
  const ExprPtr y = kernel::var(context_.axes[1]);
  const ExprPtr arrived = kernel::add(y, temporal_.lag);
  const bool holds = near_ends_ && temporal_.held > 0;
  const ExprPtr near_ends = is_later(k);
  if (holds) hold(arrived, k, near_ends, body);
  for (const PlaneSum& sum : carried_.sums.sums)
    body.push_back({kernel::Array{sum.partials.back()}});
  Body one;
  if (holds) one.push_back({kernel::If{near_ends, refill(arrived, k, names), {}}});
  append(one, arrive(here, arrived, y, k, names));
  if (holds && temporal_.first_rows > 0)
    one = first_rows(here, arrived, y, k, std::move(one), names, body);
  append(body, std::move(one));
  append(body, compute(here, y, k, names));
  for (const Stepped& one : tile_.rows.fields)
    if (one.before) body.push_back({carried_row(one, -temporal_.lag, k, *one.before, index(0))});
  return body;
}

// Copies a row of time step t+k that is kept, so far from the one that goes on.
kernel::Copy RowSteps::carried_row(const Stepped& one, int along, const ExprPtr& k,
                                   const kernel::Buffer& to, const ExprPtr& at) const {
  const RegisterTile& regs =
      *std::find_if(carried_.tiles.begin(), carried_.tiles.end(),
                    [&](const RegisterTile& p) { return p.field == one.field; });
  const RegisterTile::Plane& plane = regs.plane(along);
  return {to, at, plane.registers, index(-plane.cell), tile_.layout.vector(), 1, nullptr, k};
}

// The row is one of those that are held, or made of them.
Body RowSteps::refill(const ExprPtr& row, const ExprPtr& k, Names names) const {
  Body body;
  const ExprPtr at = declare("held_row", tile_.rows.held_row(row, k), names, body);
  for (const Stepped& one : tile_.rows.fields)
    body.push_back({kernel::Fill{
        {one.row, index(0), one.held, tile_.layout.own(), tile_.layout.vector(), 1, nullptr, at},
        tile_.layout.in_rows(row),
        one.held_at,
        {tile_.layout.x, row, k}}});
  return body;
}

// What a time step keeps takes in the row.
Body RowSteps::arrive(const CellContext& here, const ExprPtr& row, const ExprPtr& y,
                      const ExprPtr& k, Names& names) {
  Body body;
  for (const RegisterTile& regs : carried_.tiles) {
    for (const Run& run : runs_moved(regs)) {
      const RegisterTile::Plane &from = regs.plane(run.along), &to = regs.plane(run.along - 1);
      const Span span = cells_of(regs, run, patch_);
      body.push_back({kernel::Copy{to.registers, index(span.low - to.cell), from.registers,
                                   index(span.low - from.cell), span.high - span.low, 1, k, k}});
    }
    take(regs, kernel::add(row, -temporal_.lag), k, names, body);
  }
  for (const RegisterTile& regs : carried_.arriving) {
    body.push_back({kernel::Array{regs.plane(0).registers}});
    take(regs, row, nullptr, names, body);
  }
  if (carried_.sums.sums.empty()) return body;
  const std::vector<ExprPtr> rows = unassigned_rows_from(row, names, body);
  For loop = unrolled(names.claim("v"), 0, tile_.layout.width());
  const ExprPtr v = kernel::var(loop.name);
  Names inner = names;
  Cell cell(
      context_, {kernel::add(tile_.layout.x, v), y},
      [&](const ir::Read& read) {
        ir::Read here = read;
        here.offset[1] = 0;
        Patch arriving = patch_;
        arriving.axis = -1;
        return register_value(carried_.arriving, here, arriving, index(0), v);
      },
      inner, loop.body, here);
  add_row(k, v, rows, cell, inner, loop.body);
  body.push_back({std::move(loop)});
  return body;
}

// The newest plane of a register tile takes the row; what lies beside it comes from other lanes,
// when it is first read.
void RowSteps::take(const RegisterTile& regs, const ExprPtr& y, const ExprPtr& k, Names& names,
                    Body& body) {
  const RegisterTile::Plane& newest = regs.plane(regs.high);
  const auto row_of = [&](const RegisterTile::Plane& plane) {
    return plane.registers.rows > 1 ? k : nullptr;
  };
  body.push_back(
      {kernel::Copy{newest.registers, index(-newest.cell), tile_.rows.stepped(regs.field).row,
                    index(0), tile_.layout.vector(), 1, row_of(newest), nullptr}});
  for (const Run& run : runs_at_each(regs)) {
    const Span span = cells_of(regs, run, patch_);
    const int left = -std::min(span.low, 0), right = std::max(span.high - schedule_.vector, 0);
    if (left + right == 0) continue;
    const RegisterTile::Plane& plane = regs.plane(run.along);
    kernel::Sides sides;
    sides.to = plane.registers;
    sides.own = index(-plane.cell);
    sides.row = row_of(plane);
    sides.width = tile_.layout.vector();
    sides.left = left;
    sides.right = right;
    body.push_back({sides});
    if (!edges_) continue;
    Body beside = tile_.layout.corner
                      ? tile_.ghosts.columns_of_row(regs.field, sides, {kernel::add(y, run.along)},
                                                    tile_.layout.corner, names)
                      : tile_.ghosts.columns(regs.field, sides, kernel::add(y, run.along), names);
    if (beside.empty()) continue;
    if (const ExprPtr boundary = edge())
      body.push_back({kernel::If{boundary, std::move(beside), {}}});
    else
      append(body, std::move(beside));
  }
}

// The row that goes on.
Body RowSteps::compute(CellContext here, const ExprPtr& y, const ExprPtr& k, Names names) {
  Body body;
  here.flags = flags_;
  if (!tile_.rows.inputs.empty()) {
    const ExprPtr waits =
        tile_.rows.ahead_row(tile_.rows.ring.before(kernel::bin(BinOp::sub, n_, y), names, body));
    for (const Waiting& one : tile_.rows.inputs) {
      body.push_back({kernel::Array{one.row}});
      body.push_back({kernel::Copy{one.row, index(0), one.ahead, tile_.layout.own(),
                                   tile_.layout.vector(), 1, nullptr, waits}});
    }
  }
  For loop = unrolled(names.claim("v"), 0, tile_.layout.width());
  const ExprPtr v = kernel::var(loop.name);
  for (const PlaneSum& sum : carried_.sums.sums) {
    const kernel::Buffer& made = sum.partials.back();
    here.at_hand[context_.numbering().id(sum.expr)] =
        kernel::make(made.element, kernel::Load{made, v, nullptr});
  }
  std::vector<ExprPtr> at = {kernel::add(tile_.layout.x, v), y};
  const ExprPtr inside = edges_ ? tile_.layout.in_grid(at, names, loop.body) : nullptr;
  const ExprPtr i = declare("i", linear_of_any(context_, at), names, loop.body);
  const Cell::Tap tap = [&](const ir::Read& read) -> ExprPtr {
    if (read.level > 0) return nullptr;
    for (const Waiting& one : tile_.rows.inputs)
      if (one.field == read.field && read.offset == ir::Offset{})
        return kernel::make(one.row.element, kernel::Load{one.row, v, nullptr});
    if (!is_stepped(read.field)) return nullptr;
    if (read.level < 0) {
      const kernel::Buffer& before = *tile_.rows.stepped(read.field).before;
      return kernel::make(before.element, kernel::Load{before, v, nullptr});
    }
    if (const ExprPtr value = register_value(carried_.tiles, read, patch_, k, v)) return value;
    // Never assigned: as it was at t, which near the boundary only those cells load.
    return edges_ ? nullptr : interior_tap(context_, at, i, read);
  };
  const Keeping kept = edges_ ? keeping() : Keeping::by_cell;
  ExprPtr passes;
  if (kept == Keeping::passing) {
    const ExprPtr row = unassigned_row(y), cells = unassigned_in_row(v);
    passes = row && cells ? kernel::either(row, cells) : row ? row : cells;
  }
  const Sink sink = [&](int field, const ExprPtr& value, bool) {
    ExprPtr made = value;
    if (passes) {  // a sum that is the value itself has what stays
      const kernel::Buffer& sum = carried_.sums.sums[0].partials.back();
      const auto* load = kernel::as<kernel::Load>(value);
      const ExprPtr passed = kernel::make(sum.element, kernel::Load{sum, v, nullptr});
      if (!load || load->buffer.name != sum.name)
        made = kernel::make(value->type, kernel::Pick{passes, passed, value});
    }
    return kernel::Stmt{kernel::Store{tile_.rows.stepped(field).row, v, made, nullptr}};
  };
  any_cell(context_, edges_ && kept == Keeping::by_cell, {at, i, inside, true}, tap, sink, names,
           loop.body, here);
  body.push_back({std::move(loop)});
  if (kept == Keeping::recalled) append(body, restore_unassigned(y, names));
  return body;
}

Body RowSteps::store(bool edges, Names names) {
  Body body;
  const ExprPtr row = declare(
      "row", kernel::bin(BinOp::sub, n_, kernel::mul(steps_, index(temporal_.lag))), names, body);
  const bool alone = tile_.layout.parts.size() == 1;
  const ExprPtr begun = kernel::bin(BinOp::ge, row, tile_.layout.first);
  kernel::If own_cells{alone ? kernel::both(tile_.layout.parts[0].stores, begun) : begun, {}, {}};
  const ExprPtr i = declare("i", linear(context_, {tile_.layout.x, row}), names, own_cells.yes);
  for (const TileLayout::Part& part : tile_.layout.parts) {
    Body stores;
    const auto store = [&](kernel::Copy copy) {
      const ExprPtr first =
          part.first == part.width ? index(part.width) : index(part.first);  // the usual two parts
      copy.to_at = kernel::add(copy.to_at, first);
      copy.from_at = kernel::add(copy.from_at, first);
      copy.width = part.width;
      if (edges)
        stores.push_back({kernel::StoreRow{
            copy, near_boundary(flags_, tile_.layout.whole),
            kernel::add(kernel::bin(BinOp::sub, extent(0), tile_.layout.x), -part.first)}});
      else
        stores.push_back({copy});
    };
    for (const Stepped& one : tile_.rows.fields) {
      store({context_.targets[one.field], i, one.row, index(0), tile_.layout.vector(), 1, nullptr,
             nullptr});
      if (one.before)
        store(carried_row(one, 0, kernel::add(steps_, -1), context_.earlier[one.field], i));
    }
    if (alone || !part.stores)
      append(own_cells.yes, std::move(stores));
    else
      own_cells.yes.push_back({kernel::If{part.stores, std::move(stores), {}}});
  }
  body.push_back({std::move(own_cells)});
  return body;
}

void RowSteps::hold(const ExprPtr& row, const ExprPtr& k, const ExprPtr& near_ends,
                    Body& body) const {
  kernel::If inside{tile_.layout.in_rows(row), {}, {}};
  Names names = context_.names;
  const ExprPtr at = declare("held_row", tile_.rows.held_row(row, k), names, inside.yes);
  for (const Stepped& one : tile_.rows.fields)
    inside.yes.push_back({kernel::Copy{one.held, tile_.layout.own(), one.row, index(0),
                                       tile_.layout.vector(), 1, at, nullptr}});
  inside.condition = kernel::both(near_ends, inside.condition);
  body.push_back({std::move(inside)});
}

// The first rows wait for all that stand for rows before them; `one`: what a row does otherwise.
// Returns what is left of that.
Body RowSteps::first_rows(const CellContext& here, const ExprPtr& arrived, const ExprPtr& y,
                          const ExprPtr& k, Body one, Names& names, Body& body) {
  const ExprPtr near_ends = is_later(k);
  const ExprPtr last =
      temporal_.first_rows == 1
          ? index(0)
          : declare("last",
                    pick(kernel::bin(BinOp::lt, extent(1), index(temporal_.first_rows)),
                         kernel::add(extent(1), -1), index(temporal_.first_rows - 1)),
                    names, body);
  body.push_back({kernel::Note{
      "The first rows wait until the rows that their ghost rows copy have arrived, and go on with "
      "these."}});
  kernel::If first{kernel::both(near_ends, kernel::bin(BinOp::eq, arrived, last)), {}, {}};
  Names inner = names;
  For loop{For::plain,
           inner.claim("row"),
           kernel::Type::index,
           index(-temporal_.planes_before),
           last,
           {},
           nullptr,
           nullptr};
  loop.body = refill(kernel::var(loop.name), k, inner);
  append(loop.body, arrive(here, kernel::var(loop.name), y, k, inner));
  first.yes.push_back({std::move(loop)});
  body.push_back({std::move(first)});
  if (temporal_.first_rows > 1) {
    const ExprPtr waits =
        kernel::both(near_ends, kernel::both(kernel::bin(BinOp::ge, arrived, index(0)),
                                             kernel::bin(BinOp::lt, arrived, last)));
    const ExprPtr goes = kernel::make(kernel::Type::boolean, kernel::Not{waits});
    body.push_back({kernel::If{goes, std::move(one), {}}});
    one.clear();
  }
  return one;
}

// Cells come from rows that stay, or pass through the sums, where nothing else is special near the
// boundary.
Keeping RowSteps::keeping() const {
  if (temporal_.unassigned_rows < 0 || !serves_both(context_) || reads_inputs() ||
      reads_unassigned(context_))
    return Keeping::by_cell;
  for (const Stepped& one : tile_.rows.fields)
    if (register_value(carried_.tiles, ir::Read{one.field, 0, {}}, patch_, index(0), index(0)))
      return Keeping::by_cell;
  return temporal_.passes && !carried_.sums.sums.empty() && carried_.sums.low <= 0 &&
                 carried_.sums.sums[0].expr->type ==
                     context_.stencil.fields[tile_.rows.fields[0].field].type
             ? Keeping::passing
             : Keeping::recalled;
}

// Is cell v of the vector one of them, along the row? Null: none is. Of rows that vectors fill the
// first and the last vector have such cells, at one end each.
ExprPtr RowSteps::unassigned_in_row(const ExprPtr& v) const {
  const ExprPtr x = kernel::add(tile_.layout.x, v), corner = tile_.layout.corner;
  const ExprPtr any =
      is_unassigned(context_, box(), 0, {x, corner ? v : nullptr, schedule_.vector, corner});
  return any ? kernel::both(edge(), any) : nullptr;
}

// Are all cells of the row such ones? Null: none is.
ExprPtr RowSteps::unassigned_row(const ExprPtr& y) const {
  if (!near_ends_ && !plan::alike_at_ends(context_.stencil, temporal_)) return nullptr;
  const ExprPtr any = is_unassigned(context_, box(), 1, {y});
  return any ? kernel::both(edge(), any) : nullptr;
}

// Which of the rows of the sums that have their own row stay, from that row on back to the one that
// goes on; empty: none does.
std::vector<ExprPtr> RowSteps::unassigned_rows_from(const ExprPtr& arrived, Names& names,
                                                    Body& body) const {
  std::vector<ExprPtr> rows;
  if (!edges_ || keeping() != Keeping::passing) return rows;
  for (int back = 0; back <= carried_.sums.high; ++back) {
    const ExprPtr unassigned = unassigned_row(kernel::add(arrived, -back));
    if (!unassigned) return {};
    rows.push_back(declare("keeps_" + context_.axes[1], unassigned, names, body));
  }
  return rows;
}

// The row that arrived is added to the sums that read it. Cells that no step assigns pass through
// the first of them, from their own row on, as they are.
void RowSteps::add_row(const ExprPtr& k, const ExprPtr& v, const std::vector<ExprPtr>& rows,
                       Cell& cell, Names& names, Body& body) const {
  const auto at = [&](const PlaneSum& sum, int n) {
    const kernel::Buffer& partial = sum.partials[n];
    return std::pair(partial, partial.rows > 1 ? k : nullptr);
  };
  const int own = -carried_.sums.low;  // the row that brings a sum's own cell
  ExprPtr columns = edges_ && keeping() == Keeping::passing ? unassigned_in_row(v) : nullptr;
  if (columns || !rows.empty())
    body.push_back({kernel::Note{"Cells that no step assigns pass through the sums unchanged."}});
  if (columns) columns = declare("keeps", columns, names, body);
  const auto instead = [&](const PlaneSum& sum, int n) -> std::optional<Instead> {
    if (n < own || &sum != &carried_.sums.sums[0]) return std::nullopt;
    const auto [buffer, row] =
        n == own ? std::pair(tile_.rows.fields[0].row, ExprPtr()) : at(sum, n - 1);
    const ExprPtr unassigned = rows.empty() ? columns
                               : columns    ? kernel::either(rows[n - own], columns)
                                            : rows[n - own];
    return Instead{unassigned, kernel::make(buffer.element, kernel::Load{buffer, v, row})};
  };
  add_plane(carried_.sums, 0, carried_.sums.high - carried_.sums.low + 1, at, v, cell, body,
            columns || !rows.empty() ? InsteadOf(instead) : nullptr);
}

// Gives cells of the row that goes on which no statement assigns what they were at t.
Body RowSteps::restore_unassigned(const ExprPtr& y, Names names) {
  Body all;
  for (const ir::Update& update : context_.stencil.updates) {
    const ir::Domain& domain = update.cases[0].domain;
    const Stepped& one = tile_.rows.stepped(update.field);
    const ExprPtr any = any_unassigned(context_, domain, {tile_.layout.x, y}, schedule_.vector);
    if (!any) continue;
    kernel::If boundary{kernel::both(edge(), any), {}, {}};
    Names inner = names;
    const ExprPtr waits = tile_.rows.ahead_row(
        tile_.rows.ring.before(kernel::bin(BinOp::sub, n_, y), inner, boundary.yes));
    kernel::Buffer row = one.row;
    row.name = inner.claim(context_.levels[one.field][0].name + "_unassigned");
    boundary.yes.push_back({kernel::Array{row}});
    boundary.yes.push_back({kernel::Copy{row, index(0), one.ahead, tile_.layout.own(),
                                         tile_.layout.vector(), 1, nullptr, waits}});
    For loop = unrolled(inner.claim("v"), 0, tile_.layout.width());
    const ExprPtr v = kernel::var(loop.name);
    loop.body.push_back({kernel::If{
        any_unassigned(context_, domain, {kernel::add(tile_.layout.x, v), y}, 1),
        {{kernel::Store{one.row, v, kernel::make(row.element, kernel::Load{row, v, nullptr}),
                        nullptr}}},
        {}}});
    boundary.yes.push_back({std::move(loop)});
    all.push_back({std::move(boundary)});
  }
  return all;
}

}  // namespace stencilc::lower
