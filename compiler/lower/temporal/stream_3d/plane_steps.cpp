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

PlaneSteps::PlaneSteps(Context& context, const plan::Schedule& schedule,
                       const plan::Temporal& temporal, TemporalTile& tile)
    : context_(context),
      schedule_(schedule),
      temporal_(temporal),
      patch_{schedule.vector, schedule.rows, -1, true},
      tile_(tile),
      boundary_(context, schedule, temporal, tile),
      carried_(carried_by_step(context, schedule, temporal)) {
  spell_carried(tile, carried_, {{"max_steps", temporal.steps}, {"rows", schedule.rows}});
  planes_ = carried_.sums.high - carried_.sums.low + 1;
  // What a plane still lacks to complete a sum comes by the cells in whose place it then is.
  const bool alike = carried_.sums.sums.size() == 1 && tile_.fields.size() == 1 &&
                     carried_.sums.sums[0].partials[0].element == tile_.fields[0].row.element;
  in_place_ = alike && !temporal_.later;
  for (const PlaneSum& sum : carried_.sums.sums)
    for (const ir::ExprPtr& node : ir::nodes_of({sum.expr}))
      if (const auto* read = ir::as<ir::Read>(node); read && read->level < 0)
        before_in_sums_.insert(read->field);
  for (const ir::ExprPtr& node : carried_.sums.others)
    if (const auto* read = ir::as<ir::Read>(node); read && read->level < 0)
      before_at_end_.insert(read->field);
  const bool at_boundary = alike && boundary_.one_box() && !boundary_.limits_wrap();
  // Values that read the cell itself besides have it at hand.
  has_own_ = at_boundary && !carried_.tiles.empty();
  recalls_ = at_boundary && temporal_.unassigned_rows >= 0 && serves_both(context);
  carries_ = at_boundary && !has_own_ && !recalls_ && carried_.sums.low <= 0 &&
             -carried_.sums.low < planes_ - 1;
}

int PlaneSteps::passing() const { return carries_ ? context_.launch.margin.high[2] - 1 : 0; }

bool PlaneSteps::is_stepped(int field) const {
  return context_.stencil.fields[field].role == ir::Role::stepped;
}

// Row r of what time step t+k has in registers.
ExprPtr PlaneSteps::row_at(const ExprPtr& k, const ExprPtr& r) const {
  return kernel::add(kernel::mul(k, tile_.warp_rows()), r);
}
// The plane of t+k that has arrived when plane n of t has.
ExprPtr PlaneSteps::plane_of(const ExprPtr& k) const {
  return kernel::bin(BinOp::sub, at_.n, kernel::mul(k, index(temporal_.back())));
}
PartialAt PlaneSteps::partials(const ExprPtr& k, const ExprPtr& r) const {
  return [this, k, r](const PlaneSum& sum, int n) {
    if (in_place_ && n == planes_ - 2)
      return std::pair(tile_.fields[0].row, row_at(kernel::add(k, 1), r));
    const kernel::Buffer& partial = sum.partials[n];
    return std::pair(partial, partial.rows > 1 ? row_at(k, r) : ExprPtr());
  };
}

void PlaneSteps::declare_registers(Body& body) const {
  const bool sums = !carried_.sums.sums.empty();
  body.push_back(
      {kernel::Note{"Registers of each time step: its newest plane" +
                    std::string(carried_.tiles.empty() ? "" : ", the planes it carries") +
                    (!sums       ? "."
                     : in_place_ ? ", and partial sums of later planes, the next one in place."
                                 : ", and partial sums of later planes.")}});
  for (const Stepped& one : tile_.fields) body.push_back({kernel::Array{one.row, true}});
  for (const RegisterTile& regs : carried_.tiles)
    for (int along = regs.low; along <= regs.high; ++along)
      body.push_back({kernel::Array{regs.plane(along).registers, true}});
  for (const PlaneSum& sum : carried_.sums.sums)
    for (int n = 0; n + 1 < planes_; ++n)
      if (!in_place_ || n != planes_ - 2) body.push_back({kernel::Array{sum.partials[n], true}});
}

Body PlaneSteps::plane_body(const PlanePosition& at, bool edges, bool ends,
                            const PlaneFlags& flags) {
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
        temporal_.later ? "The newest plane of t+k completes a plane of t+k+1. The last step "
                          "goes first: it frees registers for the step before."
                        : "The newest plane of t+k is added to the sums of t+k+1. The last "
                          "step goes first: it frees registers for the step before."}});
    // The plane of t-1 that the first time step adds comes with that of t.
    if (waits)
      loop.body.push_back({kernel::If{
          kernel::bin(BinOp::eq, k, index(0)), {{kernel::Await{schedule_.ahead}}}, {}}});
    add_planes(k, inner, loop.body);
    body.push_back({std::move(loop)});
  }
  body.push_back({kernel::Note{"Load the next plane of t."}});
  if (!waits) body.push_back({kernel::Await{schedule_.ahead}});
  over_rows(names, body, [&](const ExprPtr& r, Names&, Body& to) {
    for (const Stepped& one : tile_.fields)
      to.push_back({kernel::Copy{one.row, index(0), one.ahead, tile_.own(), schedule_.vector, 1, r,
                                 tile_.ahead_row(at_.slot, tile_.row_of(tile_.warp, r))}});
  });
  if (!temporal_.later) {
    body.push_back({kernel::Note{
        "The new plane of t completes a plane of t+1, that one a plane of t+2, and so on."}});
    Names inner = names;
    For loop = over("k", at_.steps, inner);
    const AtStep here(context_, kernel::var(loop.name), inner, loop.body);
    complete(kernel::var(loop.name), nullptr, inner, loop.body);
    body.push_back({std::move(loop)});
  }
  store(names, body);
  return body;
}

For PlaneSteps::over(const std::string& wanted, const ExprPtr& last, Names& names) const {
  For loop = unrolled(names.claim(wanted), 0, 0);
  loop.last = last;
  return loop;
}

// The plane of t+k that came last, with what lies beside it, is added to all sums.
void PlaneSteps::add_planes(const ExprPtr& k, Names& names, Body& body) {
  const ExprPtr z = declare("z_new", kernel::add(plane_of(k), -1), names, body);
  let_wait(k, names, body);
  for (const RegisterTile& regs : carried_.arriving) gather(regs, k, z, names, body);
  if (near_ends_ && boundary_.has_first()) {
    kernel::If first{kernel::both(kernel::both(flags_.ends, kernel::bin(BinOp::gt, k, index(0))),
                                  kernel::bin(BinOp::eq, z, index(0))),
                     {},
                     {},
                     true};
    first.yes.push_back({kernel::Note{"The first plane also fills the ghost planes below it."}});
    Names inner = names;
    std::vector<RegisterTile> before;
    if (!boundary_.are_the_first(carried_.arriving, -temporal_.behind))
      before = boundary_.planes_before(carried_.arriving, inner, first.yes);
    // They add to sums of planes behind them, up to those of the first plane.
    const int behind = std::min(in_place_ ? planes_ - 2 : planes_ - 1, -carried_.sums.low);
    for (int g = -temporal_.behind; g < 0; ++g) {
      if (before.empty()) {
        add(carried_.arriving, k, index(g), behind, inner, first.yes);
        continue;
      }
      boundary_.fill_before(carried_.arriving, before, g, inner, first.yes);
      // If all that is outside the grid are places and one constant, it is already there.
      for (const RegisterTile& regs : before)
        if (!tile_.stepped(regs.field).ghost) surround(regs, false, index(g), inner, first.yes);
      add(before, k, index(g), behind, inner, first.yes);
    }
    body.push_back({std::move(first)});
  }
  if (temporal_.later)
    complete(k, z, names, body);
  else
    add(carried_.arriving, k, z, planes_ - 1, names, body);
}

void PlaneSteps::add(const std::vector<RegisterTile>& tiles, const ExprPtr& k, const ExprPtr& z,
                     int behind, const Names& names, Body& body) {
  if (behind <= 0) return;
  over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
    add_to_row(tiles, k, r, z, behind, inner, row);
  });
  if (carries_ && edges_ && -carried_.sums.low < behind) pass_own(tiles, k, z, names, body);
}
// The cells of a plane of t+k around the warp's own.
void PlaneSteps::gather(const RegisterTile& regs, const ExprPtr& k, const ExprPtr& z, Names& names,
                        Body& body) {
  const Stepped& one = tile_.stepped(regs.field);
  const RegisterTile::Plane& plane = regs.plane(0);
  const kernel::Buffer& to = plane.registers;
  const int vector = schedule_.vector, rows = schedule_.rows;
  body.push_back({kernel::Array{to}});
  over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
    row.push_back({kernel::Copy{to, index(-plane.cell), one.row, index(0), vector, 1,
                                kernel::add(r, -plane.row), row_at(k, r)}});
  });
  const ExprPtr last_parity = kernel::bin(BinOp::sub, index(1), at_.parity);
  // Those of t are where they came from, all others with the warps beside this one.
  kernel::If first{kernel::bin(BinOp::eq, k, index(0)), {}, {}};
  const auto exchange = [&](int row, const ExprPtr& beside) {
    const auto copy = [&](const kernel::Buffer& from, const ExprPtr& from_row) {
      return kernel::Stmt{kernel::Copy{to, index(-plane.cell), from, tile_.own(), vector, 1,
                                       index(row - plane.row), from_row}};
    };
    first.yes.push_back(
        copy(one.ahead, tile_.ahead_row(at_.before, tile_.row_of(tile_.warp, index(row)))));
    first.no.push_back(copy(one.halo, tile_.halo_row(last_parity, k, beside)));
  };
  for (int row = plane.row; row < 0; ++row) exchange(row, one.beside[0][-row - 1]);
  for (int row = 0; row < plane.row + to.rows - rows; ++row)
    exchange(rows + row, one.beside[1][row]);
  if (!first.yes.empty()) body.push_back({std::move(first)});
  surround(regs, true, z, names, body);
}

// What lies beside a run of the warp's rows; its row is that of the first one in the registers.
kernel::Sides PlaneSteps::sides_of(const RegisterTile& regs, const Run& run) const {
  const RegisterTile::Plane& plane = regs.plane(0);
  const Span span = cells_of(regs, run, patch_);
  kernel::Sides sides;
  sides.to = plane.registers;
  sides.own = index(-plane.cell);
  sides.row = index(-plane.row);
  sides.width = schedule_.vector;
  sides.left = -std::min(span.low, 0);
  sides.right = std::max(span.high - schedule_.vector, 0);
  return sides;
}

// What lies around the warp's own cells of plane z: rows outside the grid, by those inside
// (`skip_halo`: but for those that are exchanged), what other lanes have, and columns outside the
// grid.
void PlaneSteps::surround(const RegisterTile& regs, bool skip_halo, const ExprPtr& z,
                          const Names& names, Body& body) const {
  const RegisterTile::Plane& plane = regs.plane(0);
  if (edges_)
    append_where(
        flags_.corner,
        tile_.ghost_rows(regs.field, plane.registers, -plane.row, -plane.cell, z, skip_halo, names),
        body);
  for (const Run& run : runs_at_each(regs)) {
    const kernel::Sides sides = sides_of(regs, run);
    if (sides.left + sides.right == 0) continue;
    Names inner = names;
    For loop = unrolled(inner.claim("r"), run.row, run.row + run.rows);
    kernel::Sides of_row = sides;
    of_row.row = kernel::add(kernel::var(loop.name), sides.row);
    loop.body.push_back({of_row});
    body.push_back({std::move(loop)});
    if (edges_)
      append_where(flags_.edge, tile_.columns(regs.field, sides, run.row, run.rows, z, names),
                   body);
  }
}

// Plane z of t+k+1, by the sums and the plane of t+k that is there, which (`newest`, if that
// comes later) is not yet added to them.
void PlaneSteps::complete(const ExprPtr& k, const ExprPtr& newest, Names& names, Body& body) {
  const std::string& axis = context_.axes[2];
  body.push_back({kernel::Let{axis, plane_of(kernel::add(k, 1))}});
  const ExprPtr z = kernel::var(axis), next = kernel::add(k, 1);
  carry_cells(k, names, body);
  over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
    const int made = 2 * temporal_.back() - 1;  // planes from where it waits to where it is read
    const Before before = take_before(before_at_end_, made, k, r, inner, row);
    for (const PlaneSum& sum : carried_.sums.sums)
      row.push_back({kernel::Array{sum.partials.back()}});
    if (newest) add_to_row(carried_.arriving, k, r, newest, planes_, inner, row);
    For loop = unrolled(inner.claim("v"), 0, tile_.width());
    compute(k, r, kernel::var(loop.name), z, before, inner, loop.body);
    row.push_back({std::move(loop)});
  });
  if (newest && carries_ && edges_) pass_own(carried_.arriving, k, newest, names, body);
  if (recalls_) recall(k, z, names, body);
  kernel::If more{kernel::bin(BinOp::lt, next, at_.steps), {}, {}};
  if (near_ends_ && temporal_.held > 0) {
    append_where(flags_.ends, boundary_.hold(z, next, row_at(next, index(0)), names), more.yes);
  }
  exchange(next, more.yes);
  if (!more.yes.empty()) body.push_back({std::move(more)});
}

// The rows at the ends of a warp, for those beside it.
void PlaneSteps::exchange(const ExprPtr& next, Body& body) const {
  for (const Stepped& one : tile_.fields)
    for (int row = 0; row < temporal_.above + temporal_.below; ++row) {
      const int end = row < temporal_.above ? 0 : 1;
      const int own = end == 0 ? row : schedule_.rows + row - temporal_.above - temporal_.below;
      const kernel::Copy copy{one.halo,
                              tile_.own(),
                              one.row,
                              index(0),
                              schedule_.vector,
                              1,
                              tile_.halo_row(at_.parity, next, tile_.halo_of(tile_.warp, row)),
                              row_at(next, index(own))};
      if (const ExprPtr exchanges = tile_.exchanges(one.field, end))
        body.push_back({kernel::If{exchanges, {{copy}}, {}}});
      else
        body.push_back({copy});
    }
}

// The cells themselves that values read, until their plane is completed.
void PlaneSteps::carry_cells(const ExprPtr& k, Names& names, Body& body) const {
  for (const RegisterTile& regs : carried_.tiles) {
    const Stepped& one = tile_.stepped(regs.field);
    over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
      const auto copy = [&](const kernel::Buffer& to, const kernel::Buffer& from) {
        row.push_back({kernel::Copy{to, index(0), from, index(0), schedule_.vector, 1, row_at(k, r),
                                    row_at(k, r)}});
      };
      for (int along = regs.low; along < regs.high; ++along)
        copy(regs.plane(along).registers, regs.plane(along + 1).registers);
      copy(regs.plane(regs.high).registers, one.row);
    });
  }
}

// What the launch makes, and before it what the next one reads at t-1.
void PlaneSteps::store(const Names& names, Body& body) {
  Names inner = names;
  const ExprPtr z = declare("stored_" + context_.axes[2], plane_of(at_.steps), inner, body);
  const ExprPtr begun = kernel::bin(BinOp::ge, z, tile_.first);
  store_level(at_.steps, z, kernel::both(tile_.parts[0].stores, begun), false, inner, body);
  if (temporal_.before_bytes == 0) return;
  body.push_back(
      {kernel::Note{"The plane of the time step before came " +
                    (temporal_.back() == 1 ? std::string("one plane")
                                           : std::to_string(temporal_.back()) + " planes") +
                    " earlier."}});
  const ExprPtr last =
      declare("stored_" + context_.axes[2], kernel::add(z, temporal_.back()), inner, body);
  const ExprPtr own = kernel::both(kernel::bin(BinOp::ge, last, tile_.first),
                                   kernel::bin(BinOp::lt, last, tile_.end));
  store_level(kernel::add(at_.steps, -1), last, kernel::both(tile_.parts[0].stores, own), true,
              inner, body);
}

// Plane z of t+k; `earlier`: of the fields that are read at t-1 alone, where they have that level.
void PlaneSteps::store_level(const ExprPtr& k, const ExprPtr& z, const ExprPtr& own, bool earlier,
                             const Names& names, Body& body) {
  kernel::If own_planes{own, {}, {}};
  over_rows(names, own_planes.yes, [&](const ExprPtr& r, Names& inner, Body& row) {
    const ExprPtr y = kernel::add(tile_.y, r);
    kernel::If own_row{kernel::both(kernel::bin(BinOp::ge, y, tile_.first_row),
                                    kernel::bin(BinOp::lt, y, tile_.end_row)),
                       {},
                       {}};
    const ExprPtr i = declare("i", linear(context_, {tile_.x, y, z}), inner, own_row.yes);
    for (const Stepped& one : tile_.fields) {
      if (earlier && !one.before) continue;
      const kernel::Buffer& to =
          earlier ? context_.earlier[one.field] : context_.targets[one.field];
      const kernel::Copy copy{to, i, one.row, index(0), schedule_.vector, 1, nullptr, row_at(k, r)};
      if (edges_)
        own_row.yes.push_back({kernel::StoreRow{copy, unless(flags_.edge, tile_.whole),
                                                kernel::bin(BinOp::sub, extent(0), tile_.x)}});
      else
        own_row.yes.push_back({copy});
    }
    row.push_back({std::move(own_row)});
  });
  body.push_back({std::move(own_planes)});
}

}  // namespace stencilc::lower
