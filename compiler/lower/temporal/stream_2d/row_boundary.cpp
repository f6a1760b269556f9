// Rows near the ends of the stream, and cells near the boundary that no statement assigns.
#include <algorithm>

#include "lower/boundary/interior_split.h"
#include "lower/context/build.h"
#include "lower/temporal/stream_2d/row_steps.h"
#include "lower/tile/register_tile_load.h"
#include "plan/temporal/streaming_partition.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

void RowSteps::hold(const ExprPtr& row, const ExprPtr& k, const ExprPtr& near_ends,
                    Body& body) const {
  kernel::If inside{tile_.layout.in_rows(row), {}, {}};
  Names names = context_.names;
  const ExprPtr at = declare("held_row", tile_.rows.held_row(row, k), names, inside.yes);
  for (const Stepped& one : tile_.rows.fields)
    inside.yes.push_back({kernel::Copy{one.held, tile_.layout.own(), one.row, index(0),
                                       schedule_.vector, 1, at, nullptr}});
  inside.condition = kernel::both(near_ends, inside.condition);
  body.push_back({std::move(inside)});
}

// The first rows wait for all that stand for rows before them; `one`: what a row does otherwise.
// Returns what is left of that.
Body RowSteps::first_rows(const ExprPtr& arrived, const ExprPtr& y, const ExprPtr& k, Body one,
                          Names& names, Body& body) {
  const ExprPtr near_ends = is_later(k);
  const ExprPtr last =
      temporal_.first_rows == 1
          ? index(0)
          : declare("last",
                    pick(kernel::bin(BinOp::lt, extent(1), index(temporal_.first_rows)),
                         kernel::add(extent(1), -1), index(temporal_.first_rows - 1)),
                    names, body);
  body.push_back({kernel::Note{
      "The first rows wait for all that stand for rows before them, and go on with these."}});
  kernel::If first{kernel::both(near_ends, kernel::bin(BinOp::eq, arrived, last)), {}, {}};
  Names inner = names;
  For loop{For::plain,
           inner.claim("row"),
           kernel::Type::index,
           index(-temporal_.behind),
           last,
           {},
           nullptr,
           nullptr};
  loop.body = refill(kernel::var(loop.name), k, inner);
  append(loop.body, arrive(kernel::var(loop.name), y, k, inner));
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

// Do cells that no statement assigns come from rows that stay, and is nothing else special near the
// boundary?
bool RowSteps::unassigned_at_boundary() const {
  if (temporal_.unassigned_rows < 0 || !serves_both(context_) || reads_inputs() ||
      reads_unassigned(context_))
    return false;
  return std::all_of(tile_.rows.fields.begin(), tile_.rows.fields.end(), [&](const Stepped& one) {
    return !register_value(carried_.tiles, ir::Read{one.field, 0, {}}, patch_, index(0), index(0));
  });
}

// Do they pass through the sums as they are?
bool RowSteps::has_passing() const {
  return temporal_.passes && !carried_.sums.sums.empty() && carried_.sums.low <= 0 &&
         unassigned_at_boundary() &&
         carried_.sums.sums[0].expr->type ==
             context_.stencil.fields[tile_.rows.fields[0].field].type;
}

// Is cell v of the vector one of them, along the row? Null: none is. Of rows that vectors fill the
// first and the last vector have such cells, at one end each.
ExprPtr RowSteps::unassigned_in_row(const ExprPtr& v) const {
  const ir::Domain& domain = context_.stencil.updates[0].cases[0].domain;
  const int low = domain.low[0], high = domain.high[0], width = schedule_.vector;
  const ExprPtr x = kernel::add(tile_.layout.x, v);
  ExprPtr any;
  const auto add = [&](const ExprPtr& may, const ExprPtr& does) {
    const ExprPtr one = kernel::both(may, does);
    any = any ? kernel::either(any, one) : one;
  };
  if (low > 0)
    add(tile_.layout.corner && low < width ? kernel::bin(BinOp::lt, v, index(low)) : nullptr,
        kernel::bin(BinOp::lt, x, index(low)));
  if (high > 0)
    add(tile_.layout.corner && high < width
            ? kernel::either(tile_.layout.corner, kernel::bin(BinOp::ge, v, index(width - high)))
            : nullptr,
        kernel::bin(BinOp::ge, kernel::add(x, high), extent(0)));
  return any ? kernel::both(edge(), any) : nullptr;
}

// Are all cells of the row such ones? Null: none is.
ExprPtr RowSteps::unassigned_row(const ExprPtr& y) const {
  const ir::Domain& domain = context_.stencil.updates[0].cases[0].domain;
  if (!near_ends_ && !plan::alike_at_ends(context_.stencil, temporal_)) return nullptr;
  ExprPtr any;
  if (domain.low[1] > 0) any = kernel::bin(BinOp::lt, y, index(domain.low[1]));
  if (domain.high[1] > 0) {
    const ExprPtr last = kernel::bin(BinOp::ge, kernel::add(y, domain.high[1]), extent(1));
    any = any ? kernel::either(any, last) : last;
  }
  return any ? kernel::both(edge(), any) : nullptr;
}

// Which of the rows of the sums that have their own row stay, from that row on back to the one that
// goes on; empty: none does.
std::vector<ExprPtr> RowSteps::unassigned_rows_from(const ExprPtr& arrived, Names& names,
                                                    Body& body) const {
  std::vector<ExprPtr> rows;
  if (!edges_ || !has_passing()) return rows;
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
  ExprPtr columns = edges_ && has_passing() ? unassigned_in_row(v) : nullptr;
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
    // Of `count` cells from one on: does any lie outside the domain?
    const auto outside = [&](const ExprPtr& x, int count) {
      const std::vector<ExprPtr> at = {x, y};
      ExprPtr any;
      const auto add = [&](const ExprPtr& one) {
        any = any ? kernel::bin(BinOp::or_, any, one) : one;
      };
      for (int a = 0; a < 2; ++a) {
        const int high = domain.high[a] + (a == 0 ? count : 1);
        if (domain.low[a] > 0) add(kernel::bin(BinOp::lt, at[a], index(domain.low[a])));
        if (domain.high[a] > 0) add(kernel::bin(BinOp::gt, kernel::add(at[a], high), extent(a)));
      }
      return any;
    };
    const ExprPtr any = outside(tile_.layout.x, schedule_.vector);
    if (!any) continue;
    kernel::If boundary{kernel::both(edge(), any), {}, {}};
    Names inner = names;
    const ExprPtr waits =
        tile_.rows.ahead_row(slot_, kernel::bin(BinOp::sub, n_, y), inner, boundary.yes);
    kernel::Buffer row = one.row;
    row.name = inner.claim(context_.levels[one.field][0].name + "_unassigned");
    boundary.yes.push_back({kernel::Array{row}});
    boundary.yes.push_back({kernel::Copy{row, index(0), one.ahead, tile_.layout.own(),
                                         schedule_.vector, 1, nullptr, waits}});
    For loop = unrolled(inner.claim("v"), 0, tile_.layout.width());
    const ExprPtr v = kernel::var(loop.name);
    loop.body.push_back({kernel::If{
        outside(kernel::add(tile_.layout.x, v), 1),
        {{kernel::Store{one.row, v, kernel::make(row.element, kernel::Load{row, v, nullptr}),
                        nullptr}}},
        {}}});
    boundary.yes.push_back({std::move(loop)});
    all.push_back({std::move(boundary)});
  }
  return all;
}

}  // namespace stencilc::lower
