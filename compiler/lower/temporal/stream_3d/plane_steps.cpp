#include "lower/temporal/stream_3d/plane_steps.h"

#include <algorithm>

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/interior_split.h"
#include "lower/cell/interior_cell.h"
#include "lower/context/build.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

ClimbPlane::ClimbPlane(Context& context, const plan::Schedule& schedule,
                       const plan::Temporal& temporal, Strip& strip)
    : context_(context),
      schedule_(schedule),
      temporal_(temporal),
      patch_{schedule.vector, schedule.rows, -1, true},
      strip_(strip),
      rim_(context, schedule, temporal, strip),
      kept_(kept_by_step(context, schedule, temporal)) {
  planes_ = kept_.sums.high - kept_.sums.low + 1;
  // What a plane still lacks to complete a sum comes by the cells in whose place it then is.
  const bool alike = kept_.sums.sums.size() == 1 && strip_.fields.size() == 1 &&
                     kept_.sums.sums[0].partials[0].element == strip_.fields[0].row.element;
  in_place_ = alike && !temporal_.later;
  for (const PlaneSum& sum : kept_.sums.sums)
    for (const ir::ExprPtr& node : ir::nodes_of({sum.expr}))
      if (const auto* read = ir::as<ir::Read>(node); read && read->level < 0)
        before_in_sums_.insert(read->field);
  for (const ir::ExprPtr& node : kept_.sums.others)
    if (const auto* read = ir::as<ir::Read>(node); read && read->level < 0)
      before_at_end_.insert(read->field);
  const bool at_rim = alike && rim_.one_box() && !rim_.limits_wrap();
  // Values that read the cell itself besides have it at hand.
  has_own_ = at_rim && !kept_.panes.empty();
  recalls_ = at_rim && temporal_.staying >= 0 && serves_both(context);
  carries_ =
      at_rim && !has_own_ && !recalls_ && kept_.sums.low <= 0 && -kept_.sums.low < planes_ - 1;
}

int ClimbPlane::passing() const { return carries_ ? context_.launch.margin.high[2] - 1 : 0; }

bool ClimbPlane::is_stepped(int field) const {
  return context_.stencil.fields[field].role == ir::Role::stepped;
}

// Row r of what time step t+k has in registers.
ExprPtr ClimbPlane::row_at(const ExprPtr& k, const ExprPtr& r) const {
  return kernel::add(kernel::mul(k, index(schedule_.rows)), r);
}
// The plane of t+k that has arrived when plane n of t has.
ExprPtr ClimbPlane::plane_of(const ExprPtr& k) const {
  return kernel::bin(BinOp::sub, at_.n, kernel::mul(k, index(temporal_.back())));
}
PartialAt ClimbPlane::partials(const ExprPtr& k, const ExprPtr& r) const {
  return [this, k, r](const PlaneSum& sum, int n) {
    if (in_place_ && n == planes_ - 2)
      return std::pair(strip_.fields[0].row, row_at(kernel::add(k, 1), r));
    const kernel::Buffer& partial = sum.partials[n];
    return std::pair(partial, partial.rows > 1 ? row_at(k, r) : ExprPtr());
  };
}

void ClimbPlane::declare_registers(Body& body) const {
  const bool sums = !kept_.sums.sums.empty();
  body.push_back({kernel::Note{
      "In registers, of each time step: the plane that came last" +
      std::string(kept_.panes.empty() ? "" : ", those that it keeps") +
      (!sums       ? "."
       : in_place_ ? ", and what planes to come add up to so far, the next one in its own place."
                   : ", and what planes to come add up to so far.")}});
  for (const Stepped& one : strip_.fields) body.push_back({kernel::Array{one.row, true}});
  for (const Pane& pane : kept_.panes)
    for (int along = pane.low; along <= pane.high; ++along)
      body.push_back({kernel::Array{pane.plane(along).registers, true}});
  for (const PlaneSum& sum : kept_.sums.sums)
    for (int n = 0; n + 1 < planes_; ++n)
      if (!in_place_ || n != planes_ - 2) body.push_back({kernel::Array{sum.partials[n], true}});
}

Body ClimbPlane::text(const ClimbPlace& at, bool edges, bool ends, const ClimbFlags& flags) {
  at_ = at;
  edges_ = edges;
  near_ends_ = ends;
  flags_ = flags;
  Names names = context_.names;
  Body body;
  const bool waits = temporal_.before_bytes > 0 && (temporal_.later || !before_in_sums_.empty());
  {
    Names inner = names;
    For loop = over("l", at_.steps, inner);
    const ExprPtr k =
        declare("k", kernel::bin(BinOp::sub, kernel::add(at_.steps, -1), kernel::var(loop.name)),
                inner, loop.body);
    const AtStep here(context_, k, inner, loop.body);
    loop.body.push_back({kernel::Note{
        temporal_.later ? "The plane of t+k that came last completes one of t+k+1; the last k "
                          "first, because each makes way for the one before."
                        : "The plane of t+k that came last is added to sums; the last k first, "
                          "because each makes way for the one before."}});
    // The plane of t-1 that the first time step adds comes with that of t.
    if (waits)
      loop.body.push_back({kernel::If{
          kernel::bin(BinOp::eq, k, index(0)), {{kernel::Await{schedule_.ahead}}}, {}}});
    add_planes(k, inner, loop.body);
    body.push_back({std::move(loop)});
  }
  body.push_back({kernel::Note{"The next plane of t."}});
  if (!waits) body.push_back({kernel::Await{schedule_.ahead}});
  over_rows(names, body, [&](const ExprPtr& r, Names&, Body& to) {
    for (const Stepped& one : strip_.fields)
      to.push_back({kernel::Copy{one.row, index(0), one.ahead, strip_.own(), schedule_.vector, 1, r,
                                 strip_.ahead_row(at_.place, strip_.row_of(strip_.warp, r))}});
  });
  if (!temporal_.later) {
    body.push_back({kernel::Note{"It completes one of t+1, which completes one of t+2, ..."}});
    Names inner = names;
    For loop = over("k", at_.steps, inner);
    const AtStep here(context_, kernel::var(loop.name), inner, loop.body);
    complete(kernel::var(loop.name), nullptr, inner, loop.body);
    body.push_back({std::move(loop)});
  }
  store(names, body);
  return body;
}

For ClimbPlane::over(const std::string& wanted, const ExprPtr& last, Names& names) const {
  For loop = unrolled(names.claim(wanted), 0, 0);
  loop.last = last;
  return loop;
}

// The plane of t+k that came last, with what lies beside it, is added to all sums.
void ClimbPlane::add_planes(const ExprPtr& k, Names& names, Body& body) {
  const ExprPtr z = declare("z_new", kernel::add(plane_of(k), -1), names, body);
  let_wait(k, names, body);
  for (const Pane& pane : kept_.arriving) gather(pane, k, z, names, body);
  if (near_ends_ && rim_.has_first()) {
    kernel::If first{kernel::both(kernel::both(flags_.ends, kernel::bin(BinOp::gt, k, index(0))),
                                  kernel::bin(BinOp::eq, z, index(0))),
                     {},
                     {},
                     true};
    first.yes.push_back({kernel::Note{"The first plane, and those that it stands for."}});
    Names inner = names;
    std::vector<Pane> before;
    if (!rim_.are_the_first(kept_.arriving, -temporal_.behind))
      before = rim_.planes_before(kept_.arriving, inner, first.yes);
    // They add to sums of planes behind them, up to those of the first plane.
    const int behind = std::min(in_place_ ? planes_ - 2 : planes_ - 1, -kept_.sums.low);
    for (int g = -temporal_.behind; g < 0; ++g) {
      if (before.empty()) {
        add(kept_.arriving, k, index(g), behind, inner, first.yes);
        continue;
      }
      rim_.fill_before(kept_.arriving, before, g, inner, first.yes);
      // If all that is beyond the rim are places and one constant, it is already there.
      for (const Pane& pane : before)
        if (!strip_.stepped(pane.field).beyond) surround(pane, false, index(g), inner, first.yes);
      add(before, k, index(g), behind, inner, first.yes);
    }
    body.push_back({std::move(first)});
  }
  if (temporal_.later)
    complete(k, z, names, body);
  else
    add(kept_.arriving, k, z, planes_ - 1, names, body);
}

void ClimbPlane::add(const std::vector<Pane>& panes, const ExprPtr& k, const ExprPtr& z, int behind,
                     const Names& names, Body& body) {
  if (behind <= 0) return;
  over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
    add_to_row(panes, k, r, z, behind, inner, row);
  });
  if (carries_ && edges_ && -kept_.sums.low < behind) pass_own(panes, k, z, names, body);
}
// The cells of a plane of t+k around the warp's own.
void ClimbPlane::gather(const Pane& pane, const ExprPtr& k, const ExprPtr& z, Names& names,
                        Body& body) {
  const Stepped& one = strip_.stepped(pane.field);
  const Pane::Plane& plane = pane.plane(0);
  const kernel::Buffer& to = plane.registers;
  const int vector = schedule_.vector, rows = schedule_.rows;
  body.push_back({kernel::Array{to}});
  over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
    row.push_back({kernel::Copy{to, index(-plane.cell), one.row, index(0), vector, 1,
                                kernel::add(r, -plane.row), row_at(k, r)}});
  });
  const ExprPtr last_turn = kernel::bin(BinOp::sub, index(1), at_.turn);
  // Those of t are where they came from, all others with the warps beside this one.
  kernel::If first{kernel::bin(BinOp::eq, k, index(0)), {}, {}};
  const auto lend = [&](int row, const ExprPtr& beside) {
    const auto copy = [&](const kernel::Buffer& from, const ExprPtr& from_row) {
      return kernel::Stmt{kernel::Copy{to, index(-plane.cell), from, strip_.own(), vector, 1,
                                       index(row - plane.row), from_row}};
    };
    first.yes.push_back(
        copy(one.ahead, strip_.ahead_row(at_.before, strip_.row_of(strip_.warp, index(row)))));
    first.no.push_back(copy(one.lent, strip_.lent_row(last_turn, k, beside)));
  };
  for (int row = plane.row; row < 0; ++row) lend(row, one.beside[0][-row - 1]);
  for (int row = 0; row < plane.row + to.rows - rows; ++row) lend(rows + row, one.beside[1][row]);
  if (!first.yes.empty()) body.push_back({std::move(first)});
  surround(pane, true, z, names, body);
}

// What lies beside a run of the warp's rows; its row is that of the first one in the registers.
kernel::Sides ClimbPlane::sides_of(const Pane& pane, const Run& run) const {
  const Pane::Plane& plane = pane.plane(0);
  const Span span = cells_of(pane, run, patch_);
  kernel::Sides sides;
  sides.to = plane.registers;
  sides.own = index(-plane.cell);
  sides.row = index(-plane.row);
  sides.width = schedule_.vector;
  sides.left = -std::min(span.low, 0);
  sides.right = std::max(span.high - schedule_.vector, 0);
  return sides;
}

// What lies around the warp's own cells of plane z: rows beyond the rim, by those inside (`lent`:
// but for those that are lent), what other lanes have, and columns beyond the rim.
void ClimbPlane::surround(const Pane& pane, bool lent, const ExprPtr& z, const Names& names,
                          Body& body) const {
  const Pane::Plane& plane = pane.plane(0);
  if (edges_)
    append_where(
        flags_.corner,
        strip_.rows_beyond(pane.field, plane.registers, -plane.row, -plane.cell, z, lent, names),
        body);
  for (const Run& run : runs_at_each(pane)) {
    const kernel::Sides sides = sides_of(pane, run);
    if (sides.left + sides.right == 0) continue;
    Names inner = names;
    For loop = unrolled(inner.claim("r"), run.row, run.row + run.rows);
    kernel::Sides of_row = sides;
    of_row.row = kernel::add(kernel::var(loop.name), sides.row);
    loop.body.push_back({of_row});
    body.push_back({std::move(loop)});
    if (edges_)
      append_where(flags_.edge, strip_.columns(pane.field, sides, run.row, run.rows, z, names),
                   body);
  }
}

// Plane z of t+k+1, by the sums and the plane of t+k that is there, which (`newest`, if that
// comes later) is not yet added to them.
void ClimbPlane::complete(const ExprPtr& k, const ExprPtr& newest, Names& names, Body& body) {
  const std::string& axis = context_.axes[2];
  body.push_back({kernel::Let{axis, plane_of(kernel::add(k, 1))}});
  const ExprPtr z = kernel::var(axis), next = kernel::add(k, 1);
  keep(k, names, body);
  over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
    const int made = 2 * temporal_.back() - 1;  // planes from where it waits to where it is read
    const Before before = take_before(before_at_end_, made, k, r, inner, row);
    for (const PlaneSum& sum : kept_.sums.sums) row.push_back({kernel::Array{sum.partials.back()}});
    if (newest) add_to_row(kept_.arriving, k, r, newest, planes_, inner, row);
    For loop = unrolled(inner.claim("v"), 0, schedule_.vector);
    compute(k, r, kernel::var(loop.name), z, before, inner, loop.body);
    row.push_back({std::move(loop)});
  });
  if (newest && carries_ && edges_) pass_own(kept_.arriving, k, newest, names, body);
  if (recalls_) recall(k, z, names, body);
  kernel::If more{kernel::bin(BinOp::lt, next, at_.steps), {}, {}};
  if (near_ends_ && temporal_.held > 0) {
    append_where(flags_.ends, rim_.hold(z, next, row_at(next, index(0)), names), more.yes);
  }
  lend(next, more.yes);
  if (!more.yes.empty()) body.push_back({std::move(more)});
}

// The rows at the ends of a warp, for those beside it.
void ClimbPlane::lend(const ExprPtr& next, Body& body) const {
  for (const Stepped& one : strip_.fields)
    for (int row = 0; row < temporal_.above + temporal_.below; ++row) {
      const int end = row < temporal_.above ? 0 : 1;
      const int own = end == 0 ? row : schedule_.rows + row - temporal_.above - temporal_.below;
      const kernel::Copy copy{one.lent,
                              strip_.own(),
                              one.row,
                              index(0),
                              schedule_.vector,
                              1,
                              strip_.lent_row(at_.turn, next, strip_.lent_of(strip_.warp, row)),
                              row_at(next, index(own))};
      if (const ExprPtr lends = strip_.lends(one.field, end))
        body.push_back({kernel::If{lends, {{copy}}, {}}});
      else
        body.push_back({copy});
    }
}

// The cells themselves that values read, until their plane is completed.
void ClimbPlane::keep(const ExprPtr& k, Names& names, Body& body) const {
  for (const Pane& pane : kept_.panes) {
    const Stepped& one = strip_.stepped(pane.field);
    over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
      const auto copy = [&](const kernel::Buffer& to, const kernel::Buffer& from) {
        row.push_back({kernel::Copy{to, index(0), from, index(0), schedule_.vector, 1, row_at(k, r),
                                    row_at(k, r)}});
      };
      for (int along = pane.low; along < pane.high; ++along)
        copy(pane.plane(along).registers, pane.plane(along + 1).registers);
      copy(pane.plane(pane.high).registers, one.row);
    });
  }
}

// What the launch makes, and before it what the next one reads at t-1.
void ClimbPlane::store(const Names& names, Body& body) {
  Names inner = names;
  const ExprPtr z = declare("stored_" + context_.axes[2], plane_of(at_.steps), inner, body);
  const ExprPtr begun = kernel::bin(BinOp::ge, z, strip_.first);
  store_level(at_.steps, z, kernel::both(strip_.parts[0].stores, begun), false, inner, body);
  if (temporal_.before_bytes == 0) return;
  body.push_back(
      {kernel::Note{"The plane of the time step before came " +
                    (temporal_.back() == 1 ? std::string("one plane")
                                           : std::to_string(temporal_.back()) + " planes") +
                    " earlier."}});
  const ExprPtr last =
      declare("stored_" + context_.axes[2], kernel::add(z, temporal_.back()), inner, body);
  const ExprPtr own = kernel::both(kernel::bin(BinOp::ge, last, strip_.first),
                                   kernel::bin(BinOp::lt, last, strip_.behind));
  store_level(kernel::add(at_.steps, -1), last, kernel::both(strip_.parts[0].stores, own), true,
              inner, body);
}

// Plane z of t+k; `earlier`: of the fields that are read at t-1 alone, where they have that level.
void ClimbPlane::store_level(const ExprPtr& k, const ExprPtr& z, const ExprPtr& own, bool earlier,
                             const Names& names, Body& body) {
  kernel::If own_planes{own, {}, {}};
  over_rows(names, own_planes.yes, [&](const ExprPtr& r, Names& inner, Body& row) {
    const ExprPtr y = kernel::add(strip_.y, r);
    kernel::If own_row{kernel::both(kernel::bin(BinOp::ge, y, strip_.first_row),
                                    kernel::bin(BinOp::lt, y, strip_.behind_row)),
                       {},
                       {}};
    const ExprPtr i = declare("i", linear(context_, {strip_.x, y, z}), inner, own_row.yes);
    for (const Stepped& one : strip_.fields) {
      if (earlier && !one.before) continue;
      const kernel::Buffer& to =
          earlier ? context_.earlier[one.field] : context_.targets[one.field];
      const kernel::Copy copy{to, i, one.row, index(0), schedule_.vector, 1, nullptr, row_at(k, r)};
      if (edges_)
        own_row.yes.push_back({kernel::StoreRow{copy, unless(flags_.edge, strip_.whole),
                                                kernel::bin(BinOp::sub, extent(0), strip_.x)}});
      else
        own_row.yes.push_back({copy});
    }
    row.push_back({std::move(own_row)});
  });
  body.push_back({std::move(own_planes)});
}

}  // namespace stencilc::lower
