// Temporal blocking by warps that march: all time steps of a launch at once, each behind the last.
//
// before   a launch for each step: load the rows around y, compute row y, store it
// after    for each row n: load row n of t
//                          step 1 makes row n-1 of t+1 of the rows n-2, n-1, n of t
//                          step 2 makes row n-2 of t+2 of the rows n-3, n-2, n-1 of t+1 ...
//                          store row n-steps of t+steps
//
// A lane has a vector of each row; what lies beside it comes from other lanes, what lies above and
// below from rows that it keeps or has added to sums. What the lanes at the ends of a strip and its
// first rows make is not stored, because they lack neighbours.
#include "lower/leap.h"

#include <algorithm>
#include <set>

#include "lower/bodies.h"
#include "lower/fill.h"
#include "lower/kept.h"
#include "lower/standing.h"
#include "lower/strip.h"
#include "lower/sweep.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

namespace {

void append(Body& to, Body from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

class Leap {
 public:
  Leap(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        patch_{schedule.vector, 1, 1, true},
        strip_(context, schedule, temporal) {}

  Body run(kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = context_.names.claim("degree");
    kernel.most_steps = temporal_.steps;
    kernel.last_axis_first = true;
    launch.least[0] = std::max(temporal_.left, temporal_.right) + 1;
    kernel.tile[0] = temporal_.stored_lanes() * schedule_.vector;
    steps_ = kernel::var(kernel.steps);
    Body body = context_.invariants;
    strip_.lay_out(kernel, body);
    kept_ = kept_by_step(context_, schedule_, temporal_);
    march(body);
    return body;
  }

 private:
  ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  bool is_stepped(int field) const {
    return context_.stencil.fields[field].role == ir::Role::stepped;
  }
  bool wraps(int axis) const {
    return std::any_of(strip_.fields.begin(), strip_.fields.end(), [&](const Stepped& one) {
      return context_.stencil.fields[one.field].boundary.sides[axis][0].edge == ir::Edge::periodic;
    });
  }
  // Does the stencil read fields that no step makes?
  bool reads_inputs() const { return strip_.fields.size() != context_.stencil.fields.size(); }
  // Of text that serves both; null: all of it is for the rim.
  ExprPtr edge() const {
    return context_.edge.empty() ? nullptr : kernel::var(context_.edge, kernel::Type::boolean);
  }

  void march(Body& body) {
    Names& names = context_.names;
    const ExprPtr before = kernel::mul(steps_, index(temporal_.behind)),
                  lag = kernel::mul(steps_, index(temporal_.lag));
    for (const Pane& pane : kept_.panes)
      for (int along = pane.low; along <= pane.high; ++along)
        body.push_back({kernel::Array{pane.plane(along).registers, true}});
    for (const PlaneSum& sum : kept_.sums.sums)
      for (size_t n = 0; n + 1 < sum.partials.size(); ++n)
        body.push_back({kernel::Array{sum.partials[n], true}});
    const ir::Reach& margin = context_.launch.margin;
    body.push_back({kernel::Note{
        "Where nothing that a strip computes lies near the rim, no cell needs a check."}});
    const ExprPtr interior = declare(
        "interior_" + context_.axes[0],
        kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                     kernel::both(kernel::bin(BinOp::ge, strip_.first_cell, index(margin.low[0])),
                                  kernel::bin(BinOp::le,
                                              kernel::add(strip_.first_cell,
                                                          strip_.cells() + margin.high[0]),
                                              extent(0)))),
        names, body);
    const ExprPtr first =
        declare("first_row", kernel::bin(BinOp::sub, strip_.first, before), names, body);
    const ExprPtr place = declare("place", index(0), names, body, true);
    const int asked = schedule_.ahead;
    for (int n = 0; n < asked; ++n) body.push_back(strip_.ask(kernel::add(first, n), index(n)));
    For loop{For::plain,
             names.claim("n"),
             kernel::Type::index,
             first,
             kernel::add(strip_.behind, lag),
             {},
             nullptr,
             nullptr};
    n_ = kernel::var(loop.name);
    place_ = place;
    Body& row = loop.body;
    row.push_back(strip_.ask(kernel::add(n_, asked), pick(kernel::bin(BinOp::eq, place, index(0)),
                                                          index(asked), kernel::add(place, -1))));
    row.push_back({kernel::Await{asked}});
    // From the first row on of which all that the steps read lies inside.
    const ExprPtr low = kernel::add(lag, margin.low[1] + 1);
    const ExprPtr high = kernel::add(
        extent(1), -std::max({0, margin.high[1] - temporal_.lag, temporal_.held - temporal_.lag}));
    rows_inside_ =
        declare("inside_" + context_.axes[1],
                kernel::both(kernel::bin(BinOp::ge, n_, low), kernel::bin(BinOp::lt, n_, high)),
                names, row);
    append(row, texts(interior));
    row.push_back({kernel::Assign{
        kernel::as<kernel::Var>(place)->name,
        pick(kernel::bin(BinOp::eq, place, index(asked)), index(0), kernel::add(place, 1))}});
    body.push_back({std::move(loop)});
  }

  // A row inside, one with ends near the rim, and one near the ends of the march.
  Body texts(const ExprPtr& interior) {
    const ExprPtr inside = kernel::both(interior, rows_inside_);
    if (serves_both(context_) && !reads_inputs()) {
      const std::string name = context_.names.claim("cells");
      context_.edge = context_.names.claim("edge");
      ends_ = context_.names.claim("ends");
      kernel::Twice twice{name, context_.edge, inside, one_row(true, true), edge_note(context_)};
      context_.edge.clear();
      if (kernel::used_names(twice.body).count(ends_)) {
        twice.second = ends_;
        twice.second_condition = rows_inside_;
      }
      return {{std::move(twice)}};
    }
    kernel::If rows{rows_inside_, {}, one_row(true, true)};
    rows.yes.push_back({kernel::If{interior, one_row(false, false), one_row(true, false)}});
    return {{std::move(rows)}};
  }

  // A row arrives, goes through all time steps, and leaves.
  Body one_row(bool edges, bool ends) {
    edges_ = edges;
    near_ends_ = ends;
    Names names = context_.names;
    Body body;
    for (const Stepped& one : strip_.fields) {
      body.push_back({kernel::Array{one.row}});
      body.push_back({kernel::Copy{one.row, index(0), one.ahead, strip_.own(), schedule_.vector, 1,
                                   nullptr, strip_.ahead_row(place_)}});
    }
    For loop{For::unrolled, names.claim("k"), kernel::Type::index, index(0), steps_, {},
             nullptr,       nullptr};
    loop.body = one_step(kernel::var(loop.name), names);
    body.push_back({std::move(loop)});
    append(body, store(names));
    return body;
  }

  // Time step t+k+1: the row that arrived is one of t+k, the row that goes on `lag` rows back.
  Body one_step(const ExprPtr& k, Names names) {
    Body body;
    const ExprPtr back = kernel::mul(kernel::add(k, 1), index(temporal_.lag));
    body.push_back({kernel::Let{context_.axes[1], kernel::bin(BinOp::sub, n_, back)}});
    const ExprPtr y = kernel::var(context_.axes[1]);
    const ExprPtr arrived = kernel::add(y, temporal_.lag);
    const bool holds = near_ends_ && temporal_.held > 0;
    const ExprPtr later = kernel::both(edge(), k_is_later(k));
    const ExprPtr near_ends = kernel::both(
        ends_.empty() ? nullptr : kernel::var(ends_, kernel::Type::boolean), k_is_later(k));
    if (holds) hold(arrived, k, near_ends, body);
    for (const PlaneSum& sum : kept_.sums.sums)
      body.push_back({kernel::Array{sum.partials.back()}});
    if (holds && temporal_.first_rows > 0) {
      const ExprPtr last =
          temporal_.first_rows == 1
              ? index(0)
              : declare("last",
                        pick(kernel::bin(BinOp::lt, extent(1), index(temporal_.first_rows)),
                             kernel::add(extent(1), -1), index(temporal_.first_rows - 1)),
                        names, body);
      const ExprPtr waits =
          kernel::both(near_ends, kernel::both(kernel::bin(BinOp::ge, arrived, index(0)),
                                               kernel::bin(BinOp::le, arrived, last)));
      body.push_back({kernel::Note{
          "The first rows wait for all that stand for rows before them, and go on with these."}});
      const ExprPtr from = declare("from",
                                   pick(waits,
                                        pick(kernel::bin(BinOp::eq, arrived, last),
                                             index(-temporal_.behind), kernel::add(arrived, 1)),
                                        arrived),
                                   names, body);
      For loop{For::plain,
               names.claim("row"),
               kernel::Type::index,
               from,
               kernel::add(arrived, 1),
               {},
               nullptr,
               nullptr};
      loop.body = arrive(kernel::var(loop.name), y, k, later, near_ends, names);
      body.push_back({std::move(loop)});
    } else {
      append(body, arrive(arrived, y, k, later, holds ? near_ends : nullptr, names));
    }
    append(body, compute(y, k, names));
    return body;
  }

  static ExprPtr k_is_later(const ExprPtr& k) { return kernel::bin(BinOp::gt, k, index(0)); }

  void hold(const ExprPtr& row, const ExprPtr& k, const ExprPtr& near_ends, Body& body) const {
    kernel::If inside{strip_.in_rows(row), {}, {}};
    for (const Stepped& one : strip_.fields)
      inside.yes.push_back({kernel::Copy{one.held, strip_.own(), one.row, index(0),
                                         schedule_.vector, 1, strip_.held_row(row, k), nullptr}});
    inside.condition = kernel::both(near_ends, inside.condition);
    body.push_back({std::move(inside)});
  }

  // What a time step keeps takes in the row. `later`: near the rim, of a later time step than t;
  // `near_ends`: and near the ends of the march (null: nothing is held).
  Body arrive(const ExprPtr& row, const ExprPtr& y, const ExprPtr& k, const ExprPtr& later,
              const ExprPtr& near_ends, Names names) {
    Body body;
    if (near_ends) {
      kernel::If rim{near_ends, {}, {}};
      for (const Stepped& one : strip_.fields)
        rim.yes.push_back({kernel::Fill{{one.row, index(0), one.held, strip_.own(),
                                         schedule_.vector, 1, nullptr, strip_.held_row(row, k)},
                                        strip_.in_rows(row),
                                        one.held_at,
                                        {strip_.x, row, k}}});
      body.push_back({std::move(rim)});
    }
    for (const Pane& pane : kept_.panes) {
      for (const Run& run : runs_moved(pane)) {
        const Pane::Plane &from = pane.plane(run.along), &to = pane.plane(run.along - 1);
        const Span span = cells_of(pane, run, patch_);
        body.push_back({kernel::Copy{to.registers, index(span.low - to.cell), from.registers,
                                     index(span.low - from.cell), span.high - span.low, 1, k, k}});
      }
      take(pane, kernel::add(row, -temporal_.lag), k, later, names, body);
    }
    for (const Pane& pane : kept_.arriving) {
      body.push_back({kernel::Array{pane.plane(0).registers}});
      take(pane, row, nullptr, later, names, body);
    }
    if (kept_.sums.sums.empty()) return body;
    For loop = unrolled(names.claim("v"), 0, schedule_.vector);
    const ExprPtr v = kernel::var(loop.name);
    Names inner = names;
    Cell cell(
        context_, {kernel::add(strip_.x, v), y},
        [&](const ir::Read& read) {
          ir::Read here = read;
          here.offset[1] = 0;
          Patch arriving = patch_;
          arriving.axis = -1;
          return kept(kept_.arriving, here, arriving, index(0), v);
        },
        inner, loop.body);
    add_plane(kept_.sums, k, v, cell, loop.body);
    body.push_back({std::move(loop)});
    return body;
  }

  // The newest plane of a pane takes the row; what lies beside it comes from other lanes, when it
  // is first read.
  void take(const Pane& pane, const ExprPtr& y, const ExprPtr& k, const ExprPtr& later,
            const Names& names, Body& body) {
    const Pane::Plane& newest = pane.plane(pane.high);
    const auto row_of = [&](const Pane::Plane& plane) {
      return plane.registers.rows > 1 ? k : nullptr;
    };
    body.push_back(
        {kernel::Copy{newest.registers, index(-newest.cell), strip_.stepped(pane.field).row,
                      index(0), schedule_.vector, 1, row_of(newest), nullptr}});
    for (const Run& run : runs_at_each(pane)) {
      const Span span = cells_of(pane, run, patch_);
      const int left = -std::min(span.low, 0), right = std::max(span.high - schedule_.vector, 0);
      if (left + right == 0) continue;
      const Pane::Plane& plane = pane.plane(run.along);
      kernel::Sides sides;
      sides.to = plane.registers;
      sides.own = index(-plane.cell);
      sides.row = row_of(plane);
      sides.width = schedule_.vector;
      sides.left = left;
      sides.right = right;
      body.push_back({sides});
      if (!edges_) continue;
      Body beside = strip_.columns(pane.field, sides, kernel::add(y, run.along), names);
      if (!beside.empty()) body.push_back({kernel::If{later, std::move(beside), {}}});
    }
  }

  // The row that goes on.
  Body compute(const ExprPtr& y, const ExprPtr& k, Names names) {
    Body body;
    For loop = unrolled(names.claim("v"), 0, schedule_.vector);
    const ExprPtr v = kernel::var(loop.name);
    for (const PlaneSum& sum : kept_.sums.sums) {
      const kernel::Buffer& made = sum.partials.back();
      context_.at_hand[context_.numbering.id(sum.expr)] =
          kernel::make(made.element, kernel::Load{made, v, nullptr});
    }
    std::vector<ExprPtr> at = {kernel::add(strip_.x, v), y};
    ExprPtr inside;
    for (int a = 0; a < 2 && edges_; ++a) {
      if (wraps(a)) {
        at[a] = declare("at_" + context_.axes[a],
                        kernel::call(kernel::Type::index, kernel::Fn::wrap, {at[a], extent(a)}),
                        names, loop.body);
        continue;
      }
      inside = kernel::both(inside, kernel::both(kernel::bin(BinOp::ge, at[a], index(0)),
                                                 kernel::bin(BinOp::lt, at[a], extent(a))));
    }
    const ExprPtr i = declare("i", linear(context_, at), names, loop.body);
    const Cell::Tap tap = [&](const ir::Read& read) -> ExprPtr {
      if (read.level != 0 || !is_stepped(read.field)) return nullptr;
      if (const ExprPtr value = kept(kept_.panes, read, patch_, k, v)) return value;
      return interior_tap(context_, at, i, read);  // never assigned: as it was at t
    };
    const Sink sink = [&](int field, const ExprPtr& value, bool) {
      return kernel::Stmt{kernel::Store{strip_.stepped(field).row, v, value, nullptr}};
    };
    if (edges_) {
      Body cell;
      edge_cell(context_, at, i, names, cell, tap, sink);
      if (inside && touch_memory(context_, cell))
        cell = {{kernel::If{near_rim(context_, inside), std::move(cell), {}}}};
      append(loop.body, std::move(cell));
    } else {
      const Cell::Tap or_load = [&](const ir::Read& read) {
        const ExprPtr value = tap(read);
        return value ? value : interior_tap(context_, at, i, read);
      };
      interior_cell(context_, at, or_load, sink, names, loop.body);
    }
    context_.at_hand.clear();
    body.push_back({std::move(loop)});
    return body;
  }

  Body store(Names names) {
    Body body;
    const ExprPtr row = declare(
        "row", kernel::bin(BinOp::sub, n_, kernel::mul(steps_, index(temporal_.lag))), names, body);
    kernel::If own_cells{
        kernel::both(strip_.stores, kernel::bin(BinOp::ge, row, strip_.first)), {}, {}};
    const ExprPtr i = declare("i", linear(context_, {strip_.x, row}), names, own_cells.yes);
    for (const Stepped& one : strip_.fields) {
      const kernel::Copy copy{
          context_.targets[one.field], i, one.row, index(0), schedule_.vector, 1, nullptr, nullptr};
      if (edges_)
        own_cells.yes.push_back({kernel::StoreRow{copy, near_rim(context_, strip_.whole),
                                                  kernel::bin(BinOp::sub, extent(0), strip_.x)}});
      else
        own_cells.yes.push_back({copy});
    }
    body.push_back({std::move(own_cells)});
    return body;
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const Patch patch_;
  Strip strip_;
  bool edges_ = false, near_ends_ = false;
  std::string ends_;  // the flag of text that serves all: is a row near the ends of the march?
  Kept kept_;
  ExprPtr steps_, n_, place_, rows_inside_;
};

}  // namespace

Body lower_leap(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
                kernel::Launch& launch) {
  return Leap(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
