// Rows near the ends of the march, and cells near the rim that no statement assigns.
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

void LeapRow::hold(const ExprPtr& row, const ExprPtr& k, const ExprPtr& near_ends,
                   Body& body) const {
  kernel::If inside{strip_.in_rows(row), {}, {}};
  for (const Stepped& one : strip_.fields)
    inside.yes.push_back({kernel::Copy{one.held, strip_.own(), one.row, index(0), schedule_.vector,
                                       1, strip_.held_row(row, k), nullptr}});
  inside.condition = kernel::both(near_ends, inside.condition);
  body.push_back({std::move(inside)});
}

// The first rows wait for all that stand for rows before them; `one`: what a row does otherwise.
// Returns what is left of that.
Body LeapRow::first_rows(const ExprPtr& arrived, const ExprPtr& y, const ExprPtr& k, Body one,
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
  loop.body = arrive(kernel::var(loop.name), y, k, near_ends, inner);
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
// rim?
bool LeapRow::stays_at_rim() const {
  if (temporal_.staying < 0 || !serves_both(context_) || reads_inputs() ||
      reads_what_stays(context_))
    return false;
  return std::all_of(strip_.fields.begin(), strip_.fields.end(), [&](const Stepped& one) {
    return !kept(kept_.panes, ir::Read{one.field, 0, {}}, patch_, index(0), index(0));
  });
}

// Do they pass through the sums as they are?
bool LeapRow::has_passing() const {
  return temporal_.passes && !kept_.sums.sums.empty() && kept_.sums.low <= 0 && stays_at_rim() &&
         kept_.sums.sums[0].expr->type == context_.stencil.fields[strip_.fields[0].field].type;
}

// Is cell v of the vector one of them, along the row? Null: none is. Of rows that vectors fill the
// first and the last vector have such cells, at one end each.
ExprPtr LeapRow::stays_in_row(const ExprPtr& v) const {
  const ir::Domain& domain = context_.stencil.updates[0].cases[0].domain;
  const int low = domain.low[0], high = domain.high[0], width = schedule_.vector;
  const ExprPtr x = kernel::add(strip_.x, v);
  ExprPtr any;
  const auto add = [&](const ExprPtr& may, const ExprPtr& does) {
    const ExprPtr one = kernel::both(may, does);
    any = any ? kernel::either(any, one) : one;
  };
  if (low > 0)
    add(strip_.corner && low < width ? kernel::bin(BinOp::lt, v, index(low)) : nullptr,
        kernel::bin(BinOp::lt, x, index(low)));
  if (high > 0)
    add(strip_.corner && high < width
            ? kernel::either(strip_.corner, kernel::bin(BinOp::ge, v, index(width - high)))
            : nullptr,
        kernel::bin(BinOp::ge, kernel::add(x, high), extent(0)));
  return any ? kernel::both(edge(), any) : nullptr;
}

// Are all cells of the row such ones? Null: none is.
ExprPtr LeapRow::row_stays(const ExprPtr& y) const {
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
std::vector<ExprPtr> LeapRow::rows_that_stay(const ExprPtr& arrived, Names& names,
                                             Body& body) const {
  std::vector<ExprPtr> rows;
  if (!edges_ || !has_passing()) return rows;
  for (int back = 0; back <= kept_.sums.high; ++back) {
    const ExprPtr stays = row_stays(kernel::add(arrived, -back));
    if (!stays) return {};
    rows.push_back(declare("stays_" + context_.axes[1], stays, names, body));
  }
  return rows;
}

// The row that arrived is added to the sums that read it. Cells that no step assigns pass through
// the first of them, from their own row on, as they are.
void LeapRow::add_row(const ExprPtr& k, const ExprPtr& v, const std::vector<ExprPtr>& rows,
                      Cell& cell, Names& names, Body& body) const {
  const auto at = [&](const PlaneSum& sum, int n) {
    const kernel::Buffer& partial = sum.partials[n];
    return std::pair(partial, partial.rows > 1 ? k : nullptr);
  };
  const int own = -kept_.sums.low;  // the row that brings a sum's own cell
  ExprPtr columns = edges_ && has_passing() ? stays_in_row(v) : nullptr;
  if (columns || !rows.empty())
    body.push_back({kernel::Note{"Cells that no step assigns pass through the sums as they are."}});
  if (columns) columns = declare("stays", columns, names, body);
  const auto instead = [&](const PlaneSum& sum, int n) -> std::optional<Instead> {
    if (n < own || &sum != &kept_.sums.sums[0]) return std::nullopt;
    const auto [buffer, row] =
        n == own ? std::pair(strip_.fields[0].row, ExprPtr()) : at(sum, n - 1);
    const ExprPtr stays = rows.empty() ? columns
                          : columns    ? kernel::either(rows[n - own], columns)
                                       : rows[n - own];
    return Instead{stays, kernel::make(buffer.element, kernel::Load{buffer, v, row})};
  };
  add_plane(kept_.sums, 0, kept_.sums.high - kept_.sums.low + 1, at, v, cell, body,
            columns || !rows.empty() ? InsteadOf(instead) : nullptr);
}

// Gives cells of the row that goes on which no statement assigns what they were at t.
Body LeapRow::stay(const ExprPtr& y, Names names) {
  Body all;
  for (const ir::Update& update : context_.stencil.updates) {
    const ir::Domain& domain = update.cases[0].domain;
    const Stepped& one = strip_.stepped(update.field);
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
    const ExprPtr any = outside(strip_.x, schedule_.vector);
    if (!any) continue;
    kernel::If rim{kernel::both(edge(), any), {}, {}};
    Names inner = names;
    const ExprPtr waits = strip_.ahead_row(place_, kernel::bin(BinOp::sub, n_, y), inner, rim.yes);
    kernel::Buffer row = one.row;
    row.name = inner.claim(context_.levels[one.field][0].name + "_stays");
    rim.yes.push_back({kernel::Array{row}});
    rim.yes.push_back({kernel::Copy{row, index(0), one.ahead, strip_.own(), schedule_.vector, 1,
                                    nullptr, waits}});
    For loop = unrolled(inner.claim("v"), 0, schedule_.vector);
    const ExprPtr v = kernel::var(loop.name);
    loop.body.push_back({kernel::If{
        outside(kernel::add(strip_.x, v), 1),
        {{kernel::Store{one.row, v, kernel::make(row.element, kernel::Load{row, v, nullptr}),
                        nullptr}}},
        {}}});
    rim.yes.push_back({std::move(loop)});
    all.push_back({std::move(rim)});
  }
  return all;
}

}  // namespace stencilc::lower
