// Temporal blocking by blocks that march: all time steps of a launch at once, each behind the last.
//
// before   a launch for each step: load the planes around z, compute plane z, store it
// after    for each plane n: what plane n-1 of t, n-2 of t+1, ... adds to sums, with the rows that
//                              other warps have lent
//                            load plane n of t
//                            step 1 completes plane n-1 of t+1 by the cells of plane n of t,
//                            step 2 completes plane n-2 of t+2 by those of plane n-1 of t+1 ...
//                            store plane n-steps of t+steps
//                            lend the rows at the ends of the warps; wait once for all
//
// Where a sum takes cells beside the own one from its newest plane, too, it cannot be complete
// before these are lent: each time step is then one more plane behind the last.
#include "lower/climb.h"

#include <algorithm>

#include "lower/bodies.h"
#include "lower/climb_rim.h"
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

class Climb {
 public:
  Climb(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        patch_{schedule.vector, schedule.rows, -1, true},
        strip_(context, schedule, temporal),
        rim_(context, schedule, temporal, strip_) {}

  Body run(kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = context_.names.claim("degree");
    kernel.most_steps = temporal_.steps;
    kernel.tile[0] = temporal_.stored_lanes() * schedule_.vector;
    kernel.tile[1] = temporal_.stored_rows(schedule_);
    launch.least[0] = wraps(0) ? strip_.cells() : std::max(temporal_.left, temporal_.right) + 1;
    launch.least[1] = schedule_.threads[1] * schedule_.rows;
    steps_ = kernel::var(kernel.steps);
    Body body = context_.invariants;
    strip_.lay_out(kernel, body);
    kept_ = kept_by_step(context_, schedule_, temporal_);
    planes_ = kept_.sums.high - kept_.sums.low + 1;
    // What a plane still lacks to complete a sum comes by the cells in whose place it then is.
    in_place_ = !temporal_.later && kept_.sums.sums.size() == 1 && strip_.fields.size() == 1 &&
                kept_.sums.sums[0].partials[0].element == strip_.fields[0].row.element;
    carries_ = in_place_ && rim_.one_box() && kept_.sums.low <= 0 && -kept_.sums.low < planes_ - 1;
    march(body);
    return body;
  }

 private:
  ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  bool is_stepped(int field) const {
    return context_.stencil.fields[field].role == ir::Role::stepped;
  }
  bool wraps(int axis) const {
    return std::any_of(context_.stencil.fields.begin(), context_.stencil.fields.end(),
                       [&](const ir::Field& field) {
                         return field.role == ir::Role::stepped &&
                                field.boundary.sides[axis][0].edge == ir::Edge::periodic;
                       });
  }
  bool reads_inputs() const { return strip_.fields.size() != context_.stencil.fields.size(); }
  ExprPtr edge() const {
    return context_.edge.empty() ? nullptr : kernel::var(context_.edge, kernel::Type::boolean);
  }
  // Row r of what time step t+k has in registers.
  ExprPtr row_at(const ExprPtr& k, const ExprPtr& r) const {
    return kernel::add(kernel::mul(k, index(schedule_.rows)), r);
  }
  // The plane of t+k that has arrived when plane n of t has.
  ExprPtr plane_of(const ExprPtr& n, const ExprPtr& k) const {
    return kernel::bin(BinOp::sub, n, kernel::mul(k, index(temporal_.back())));
  }
  PartialAt partials(const ExprPtr& k, const ExprPtr& r) const {
    return [this, k, r](const PlaneSum& sum, int n) {
      if (in_place_ && n == planes_ - 2)
        return std::pair(strip_.fields[0].row, row_at(kernel::add(k, 1), r));
      const kernel::Buffer& partial = sum.partials[n];
      return std::pair(partial, partial.rows > 1 ? row_at(k, r) : ExprPtr());
    };
  }

  void declare_registers(Body& body) {
    for (const Stepped& one : strip_.fields) body.push_back({kernel::Array{one.row, true}});
    for (const Pane& pane : kept_.panes)
      for (int along = pane.low; along <= pane.high; ++along)
        body.push_back({kernel::Array{pane.plane(along).registers, true}});
    for (const PlaneSum& sum : kept_.sums.sums)
      for (int n = 0; n + 1 < planes_; ++n)
        if (!in_place_ || n != planes_ - 2) body.push_back({kernel::Array{sum.partials[n], true}});
  }

  // Does all lie inside that a warp computes, in x and y?
  ExprPtr declare_interior(Body& body) {
    const ir::Reach& margin = context_.launch.margin;
    body.push_back({kernel::Note{
        "Where nothing that a warp computes lies near the rim, no cell needs a check."}});
    ExprPtr inside = kernel::var(context_.aligned, kernel::Type::boolean);
    const auto within = [&](const ExprPtr& first, int cells, int axis) {
      inside = kernel::both(
          inside, kernel::both(kernel::bin(BinOp::ge, first, index(margin.low[axis])),
                               kernel::bin(BinOp::le, kernel::add(first, cells + margin.high[axis]),
                                           extent(axis))));
    };
    within(strip_.first_cell, strip_.cells(), 0);
    within(strip_.y, schedule_.rows, 1);
    return declare("interior", inside, context_.names, body);
  }

  void march(Body& body) {
    Names& names = context_.names;
    const std::string& z = context_.axes[2];
    const ir::Reach& margin = context_.launch.margin;
    const int ahead = schedule_.ahead;
    declare_registers(body);
    const ExprPtr interior = declare_interior(body);
    const ExprPtr first =
        declare("first_plane",
                kernel::bin(BinOp::sub, strip_.first, kernel::mul(steps_, index(temporal_.behind))),
                names, body);
    place_ = declare("place", index(0), names, body, true);
    turn_ = declare("turn", index(0), names, body, true);
    for (int n = 0; n < ahead; ++n) body.push_back(strip_.ask(kernel::add(first, n), index(n)));
    const ExprPtr last = kernel::mul(steps_, index(temporal_.back()));
    For loop{For::plain,
             names.claim("n"),
             kernel::Type::index,
             first,
             kernel::add(strip_.behind, last),
             {},
             nullptr,
             nullptr};
    n_ = kernel::var(loop.name);
    Body& plane = loop.body;
    plane.push_back(strip_.ask(kernel::add(n_, ahead),
                               pick(kernel::bin(BinOp::ge, place_, index(2)),
                                    kernel::add(place_, -2), kernel::add(place_, ahead))));
    const ExprPtr low = kernel::add(last, margin.low[2] + 1);
    int beyond = std::max(margin.high[2], temporal_.held) - temporal_.back();
    if (carries_) beyond = std::max(beyond, margin.high[2] - 1);  // planes that pass as they are
    planes_inside_ = declare(
        "inside_" + z,
        kernel::both(kernel::bin(BinOp::ge, n_, low),
                     kernel::bin(BinOp::lt, n_, kernel::add(extent(2), -std::max(0, beyond)))),
        names, plane);
    append(plane, texts(interior));
    const auto turn = [&](const ExprPtr& which, const ExprPtr& value) {
      plane.push_back({kernel::Assign{kernel::as<kernel::Var>(which)->name, value}});
    };
    turn(place_,
         pick(kernel::bin(BinOp::eq, place_, index(ahead + 1)), index(0), kernel::add(place_, 1)));
    turn(turn_, kernel::bin(BinOp::sub, index(1), turn_));
    plane.push_back({kernel::Meet{}});
    body.push_back({std::move(loop)});
  }

  // A plane inside, one with ends near the rim, and one near the ends of the march.
  Body texts(const ExprPtr& interior) {
    const ExprPtr inside = kernel::both(interior, planes_inside_);
    if (serves_both(context_) && !reads_inputs()) {
      const std::string name = context_.names.claim("cells");
      context_.edge = context_.names.claim("edge");
      ends_ = context_.names.claim("ends");
      kernel::Twice twice{name, context_.edge, inside, one_plane(true, true), edge_note(context_)};
      context_.edge.clear();
      if (kernel::used_names(twice.body).count(ends_)) {
        twice.second = ends_;
        twice.second_condition = planes_inside_;
      }
      return {{std::move(twice)}};
    }
    kernel::If planes{planes_inside_, {}, one_plane(true, true)};
    planes.yes.push_back({kernel::If{interior, one_plane(false, false), one_plane(true, false)}});
    return {{std::move(planes)}};
  }

  Body one_plane(bool edges, bool ends) {
    edges_ = edges;
    near_ends_ = ends;
    Names names = context_.names;
    Body body;
    body.push_back({kernel::Note{
        temporal_.later ? "The planes that came before go on; the last time step first, because "
                          "each makes way for the one before."
                        : "What the planes that came before add to sums; the last time step "
                          "first, because each makes way for the one before."}});
    {
      Names inner = names;
      For loop = over("l", steps_, inner);
      const ExprPtr k =
          declare("k", kernel::bin(BinOp::sub, kernel::add(steps_, -1), kernel::var(loop.name)),
                  inner, loop.body);
      add_planes(k, inner, loop.body);
      body.push_back({std::move(loop)});
    }
    body.push_back({kernel::Note{"The next plane of t."}});
    body.push_back({kernel::Await{schedule_.ahead}});
    over_rows(names, body, [&](const ExprPtr& r, Names&, Body& to) {
      for (const Stepped& one : strip_.fields)
        to.push_back({kernel::Copy{one.row, index(0), one.ahead, strip_.own(), schedule_.vector, 1,
                                   r, strip_.ahead_row(place_, strip_.row_of(strip_.warp, r))}});
    });
    if (!temporal_.later) {
      body.push_back({kernel::Note{"It completes one of t+1, which completes one of t+2, ..."}});
      Names inner = names;
      For loop = over("k", steps_, inner);
      complete(kernel::var(loop.name), nullptr, inner, loop.body);
      body.push_back({std::move(loop)});
    }
    store(names, body);
    return body;
  }

  For over(const std::string& wanted, const ExprPtr& last, Names& names) const {
    For loop = unrolled(names.claim(wanted), 0, 0);
    loop.last = last;
    return loop;
  }
  template <class Make>
  void over_rows(Names names, Body& body, const Make& make) const {
    For loop = unrolled(names.claim("r"), 0, schedule_.rows);
    make(kernel::var(loop.name), names, loop.body);
    body.push_back({std::move(loop)});
  }

  // The plane of t+k that came last, with what lies beside it, is added to all sums.
  void add_planes(const ExprPtr& k, Names& names, Body& body) {
    const ExprPtr z =
        declare("z_" + std::string("new"), kernel::add(plane_of(n_, k), -1), names, body);
    for (const Pane& pane : kept_.arriving) gather(pane, k, z, names, body);
    if (near_ends_ && rim_.has_first()) {
      const ExprPtr ends = ends_.empty() ? nullptr : kernel::var(ends_, kernel::Type::boolean);
      kernel::If first{kernel::both(kernel::both(ends, kernel::bin(BinOp::gt, k, index(0))),
                                    kernel::bin(BinOp::eq, z, index(0))),
                       {},
                       {}};
      first.yes.push_back({kernel::Note{"The first plane, and those that it stands for."}});
      Names inner = names;
      const std::vector<Pane> before = rim_.planes_before(kept_.arriving, inner, first.yes);
      for (int g = -temporal_.behind; g < 0; ++g) {
        rim_.fill_before(kept_.arriving, before, g, inner, first.yes);
        add(before, k, index(g), in_place_ ? planes_ - 2 : planes_ - 1, inner, first.yes);
      }
      body.push_back({std::move(first)});
    }
    if (temporal_.later)
      complete(k, z, names, body);
    else
      add(kept_.arriving, k, z, planes_ - 1, names, body);
  }

  void add(const std::vector<Pane>& panes, const ExprPtr& k, const ExprPtr& z, int behind,
           const Names& names, Body& body) {
    if (behind <= 0) return;
    over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
      add_to_row(panes, k, r, z, behind, inner, row);
    });
  }
  void add_to_row(const std::vector<Pane>& panes, const ExprPtr& k, const ExprPtr& r,
                  const ExprPtr& z, int behind, Names names, Body& body) {
    For loop = unrolled(names.claim("v"), 0, schedule_.vector);
    const ExprPtr v = kernel::var(loop.name);
    Cell cell(context_, {kernel::add(strip_.x, v), kernel::add(strip_.y, r), z},
              arriving_tap(panes, r, v), names, loop.body);
    // Cells that no step assigns pass through the sums as they are.
    const int own = -kept_.sums.low;  // the plane that brings a sum's own cell
    const auto instead = [&](const PlaneSum& sum, int n) -> std::optional<Instead> {
      if (n < own) return std::nullopt;
      const ExprPtr inside =
          near_rim(context_, rim_.in_box({kernel::add(strip_.x, v), kernel::add(strip_.y, r),
                                          kernel::add(z, own - n)}));
      if (n == own)
        return Instead{inside, arriving_tap(panes, r, v)(ir::Read{strip_.fields[0].field, 0, {}})};
      const auto [buffer, row] = partials(k, r)(sum, n - 1);
      return Instead{inside, kernel::make(buffer.element, kernel::Load{buffer, v, row})};
    };
    add_plane(kept_.sums, 0, behind, partials(k, r), v, cell, loop.body,
              carries_ && edges_ ? InsteadOf(instead) : nullptr);
    body.push_back({std::move(loop)});
  }

  Cell::Tap arriving_tap(const std::vector<Pane>& panes, const ExprPtr& r, const ExprPtr& v) const {
    return [this, &panes, r, v](const ir::Read& read) {
      ir::Read here = read;
      here.offset[2] = 0;
      return kept(panes, here, patch_, r, v);
    };
  }

  // The cells of a plane of t+k around the warp's own.
  void gather(const Pane& pane, const ExprPtr& k, const ExprPtr& z, Names& names, Body& body) {
    const Stepped& one = strip_.stepped(pane.field);
    const Pane::Plane& plane = pane.plane(0);
    const kernel::Buffer& to = plane.registers;
    const int vector = schedule_.vector, rows = schedule_.rows;
    body.push_back({kernel::Array{to}});
    over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
      row.push_back({kernel::Copy{to, index(-plane.cell), one.row, index(0), vector, 1,
                                  kernel::add(r, -plane.row), row_at(k, r)}});
    });
    const ExprPtr before = pick(kernel::bin(BinOp::eq, place_, index(0)),
                                index(schedule_.ahead + 1), kernel::add(place_, -1));
    const ExprPtr last_turn = kernel::bin(BinOp::sub, index(1), turn_);
    // Those of t are where they came from, all others with the warps beside this one.
    kernel::If first{kernel::bin(BinOp::eq, k, index(0)), {}, {}};
    const auto lend = [&](int row, const ExprPtr& warp, int lent) {
      const auto copy = [&](const kernel::Buffer& from, const ExprPtr& from_row) {
        return kernel::Stmt{kernel::Copy{to, index(-plane.cell), from, strip_.own(), vector, 1,
                                         index(row - plane.row), from_row}};
      };
      first.yes.push_back(
          copy(one.ahead, strip_.ahead_row(before, strip_.row_of(strip_.warp, index(row)))));
      first.no.push_back(copy(one.lent, strip_.lent_row(last_turn, k, warp, lent)));
    };
    for (int row = plane.row; row < 0; ++row)
      lend(row, strip_.warp_below, temporal_.above + temporal_.below + row);
    for (int row = 0; row < plane.row + to.rows - rows; ++row)
      lend(rows + row, strip_.warp_above, row);
    if (!first.yes.empty()) body.push_back({std::move(first)});
    if (edges_) {
      Body beyond = strip_.rows_beyond(pane.field, to, -plane.row, -plane.cell, z, names);
      if (!beyond.empty()) near_edge(std::move(beyond), body);
    }
    for (const Run& run : runs_at_each(pane)) {
      const Span span = cells_of(pane, run, patch_);
      const int left = -std::min(span.low, 0), right = std::max(span.high - vector, 0);
      if (left + right == 0) continue;
      Names inner = names;
      For loop = unrolled(inner.claim("r"), run.row, run.row + run.rows);
      kernel::Sides sides;
      sides.to = to;
      sides.own = index(-plane.cell);
      sides.row = kernel::add(kernel::var(loop.name), -plane.row);
      sides.width = vector;
      sides.left = left;
      sides.right = right;
      loop.body.push_back({sides});
      body.push_back({std::move(loop)});
      if (!edges_) continue;
      sides.row = index(-plane.row);
      Body beside = strip_.columns(pane.field, sides, run.row, run.rows, z, names);
      if (!beside.empty()) near_edge(std::move(beside), body);
    }
  }
  void near_edge(Body statements, Body& body) const {
    if (!edge()) return append(body, std::move(statements));
    body.push_back({kernel::If{edge(), std::move(statements), {}}});
  }

  // Plane z of t+k+1, by the sums and the plane of t+k that is there, which (`newest`, if that
  // comes later) is not yet added to them.
  void complete(const ExprPtr& k, const ExprPtr& newest, Names& names, Body& body) {
    const std::string& axis = context_.axes[2];
    body.push_back({kernel::Let{axis, plane_of(n_, kernel::add(k, 1))}});
    const ExprPtr z = kernel::var(axis), next = kernel::add(k, 1);
    keep(k, names, body);
    over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
      for (const PlaneSum& sum : kept_.sums.sums)
        row.push_back({kernel::Array{sum.partials.back()}});
      if (newest) add_to_row(kept_.arriving, k, r, newest, planes_, inner, row);
      For loop = unrolled(inner.claim("v"), 0, schedule_.vector);
      compute(k, r, kernel::var(loop.name), z, inner, loop.body);
      row.push_back({std::move(loop)});
    });
    kernel::If more{kernel::bin(BinOp::lt, next, steps_), {}, {}};
    if (near_ends_ && temporal_.held > 0) {
      const ExprPtr ends = ends_.empty() ? nullptr : kernel::var(ends_, kernel::Type::boolean);
      Body held = rim_.hold(z, next, row_at(next, index(0)), names);
      if (ends)
        more.yes.push_back({kernel::If{ends, std::move(held), {}}});
      else
        append(more.yes, std::move(held));
    }
    for (const Stepped& one : strip_.fields)
      for (int row = 0; row < temporal_.above + temporal_.below; ++row) {
        const int own =
            row < temporal_.above ? row : schedule_.rows + row - temporal_.above - temporal_.below;
        more.yes.push_back({kernel::Copy{
            one.lent, strip_.own(), one.row, index(0), schedule_.vector, 1,
            strip_.lent_row(turn_, next, strip_.warp, row), row_at(next, index(own))}});
      }
    if (!more.yes.empty()) body.push_back({std::move(more)});
  }

  // The cells themselves that values read, until their plane is completed.
  void keep(const ExprPtr& k, Names& names, Body& body) const {
    for (const Pane& pane : kept_.panes) {
      const Stepped& one = strip_.stepped(pane.field);
      over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
        const auto copy = [&](const kernel::Buffer& to, const kernel::Buffer& from) {
          row.push_back({kernel::Copy{to, index(0), from, index(0), schedule_.vector, 1,
                                      row_at(k, r), row_at(k, r)}});
        };
        for (int along = pane.low; along < pane.high; ++along)
          copy(pane.plane(along).registers, pane.plane(along + 1).registers);
        copy(pane.plane(pane.high).registers, one.row);
      });
    }
  }

  void compute(const ExprPtr& k, const ExprPtr& r, const ExprPtr& v, const ExprPtr& z, Names& names,
               Body& body) {
    std::vector<ExprPtr> at = {kernel::add(strip_.x, v), kernel::add(strip_.y, r), z};
    for (const PlaneSum& sum : kept_.sums.sums) {
      const kernel::Buffer& made = sum.partials.back();
      context_.at_hand[context_.numbering.id(sum.expr)] =
          kernel::make(made.element, kernel::Load{made, v, nullptr});
    }
    if (!temporal_.later) {
      const auto tap = [&](const ir::Read& read) {
        return kernel::make(strip_.stepped(read.field).row.element,
                            kernel::Load{strip_.stepped(read.field).row, v, row_at(k, r)});
      };
      Cell cell(context_, at, tap, names, body);
      add_plane(kept_.sums, planes_ - 1, planes_, partials(k, r), v, cell, body);
    }
    ExprPtr inside;
    for (int a = 0; a < 3 && edges_; ++a) {
      if (wraps(a)) {
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
      if (read.level != 0 || !is_stepped(read.field)) return nullptr;
      if (carries_) {
        const auto [buffer, row] = partials(k, r)(kept_.sums.sums[0], planes_ - 2);
        return kernel::make(buffer.element, kernel::Load{buffer, v, row});
      }
      const Patch patch = {schedule_.vector, schedule_.rows, 2, true};
      if (const ExprPtr value = kept(kept_.panes, read, patch, row_at(k, r), v)) return value;
      return interior_tap(context_, at, i, read);  // never assigned: as it was at t
    };
    const Sink sink = [&](int field, const ExprPtr& value, bool) {
      return kernel::Stmt{
          kernel::Store{strip_.stepped(field).row, v, value, row_at(kernel::add(k, 1), r)}};
    };
    if (edges_) {
      Body cell;
      edge_cell(context_, at, i, names, cell, tap, sink);
      if (inside && touch_memory(context_, cell))
        cell = {{kernel::If{near_rim(context_, inside), std::move(cell), {}}}};
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

  void store(Names names, Body& body) {
    const ExprPtr z = declare("stored_" + context_.axes[2], plane_of(n_, steps_), names, body);
    kernel::If own_planes{
        kernel::both(strip_.stores, kernel::bin(BinOp::ge, z, strip_.first)), {}, {}};
    over_rows(names, own_planes.yes, [&](const ExprPtr& r, Names& inner, Body& rows) {
      const ExprPtr y = kernel::add(strip_.y, r);
      kernel::If own_row{kernel::both(kernel::bin(BinOp::ge, y, strip_.first_row),
                                      kernel::bin(BinOp::lt, y, strip_.behind_row)),
                         {},
                         {}};
      const ExprPtr i = declare("i", linear(context_, {strip_.x, y, z}), inner, own_row.yes);
      for (const Stepped& one : strip_.fields) {
        const kernel::Copy copy{context_.targets[one.field],
                                i,
                                one.row,
                                index(0),
                                schedule_.vector,
                                1,
                                nullptr,
                                row_at(steps_, r)};
        if (edges_)
          own_row.yes.push_back({kernel::StoreRow{copy, near_rim(context_, strip_.whole),
                                                  kernel::bin(BinOp::sub, extent(0), strip_.x)}});
        else
          own_row.yes.push_back({copy});
      }
      rows.push_back({std::move(own_row)});
    });
    body.push_back({std::move(own_planes)});
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const Patch patch_;
  Strip strip_;
  ClimbRim rim_;
  bool edges_ = false, near_ends_ = false;
  std::string ends_;  // the flag of text that serves all: is a plane near the ends of the march?
  Kept kept_;
  int planes_ = 0;         // that sums add
  bool in_place_ = false;  // are sums that lack one plane in the registers of what they will be?
  bool carries_ = false;   // and cells that no step assigns, all the way?
  ExprPtr steps_, n_, place_, turn_, planes_inside_;
};

}  // namespace

Body lower_climb(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
                 kernel::Launch& launch) {
  return Climb(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
