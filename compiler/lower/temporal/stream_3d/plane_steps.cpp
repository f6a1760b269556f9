#include "lower/temporal/stream_3d/plane_steps.h"

#include <algorithm>
#include <array>

#include "lower/boundary/edge_cell.h"
#include "lower/boundary/edge_flag.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/cell/interior_cell.h"
#include "lower/context/build.h"
#include "lower/temporal/common/at_step.h"
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

PlaneSteps::PlaneSteps(const Context& context, const plan::Schedule& schedule,
                       const plan::Temporal& temporal, TemporalTile& tile)
    : context_(context),
      schedule_(schedule),
      temporal_(temporal),
      patch_{context.count("width", schedule.vector), context.count("rows", schedule.rows), -1,
             true},
      tile_(tile),
      boundary_(context, schedule, temporal, tile),
      carried_(carried_by_step(context, schedule, temporal)) {
  spell_carried(tile.layout, carried_, {{"max_steps", temporal.steps}, {"rows", schedule.rows}});
  planes_ = carried_.sums.high - carried_.sums.low + 1;
  // What a plane still lacks to complete a sum comes by the cells in whose place it then is.
  const bool alike = carried_.sums.sums.size() == 1 && tile_.rows.fields.size() == 1 &&
                     carried_.sums.sums[0].partials[0].element == tile_.rows.fields[0].row.element;
  in_place_ = alike && !temporal_.later;
  for (const PlaneSum& sum : carried_.sums.sums)
    for (const ir::ExprPtr& node : ir::nodes_of({sum.expr}))
      if (const auto* read = ir::as<ir::Read>(node); read && read->level < 0)
        before_in_sums_.insert(read->field);
  for (const ir::ExprPtr& node : carried_.sums.others)
    if (const auto* read = ir::as<ir::Read>(node); read && read->level < 0)
      before_at_end_.insert(read->field);
  keeping_ = how_kept(alike);
}

// `alike`: is there one sum, in the type of the one field?
Keeping PlaneSteps::how_kept(bool alike) const {
  if (!alike || !assigns_one_box(context_) || boundary_.limits_wrap()) return Keeping::by_cell;
  if (temporal_.unassigned_rows >= 0 && serves_both(context_)) return Keeping::recalled;
  // Values that read the cell itself besides have it at hand.
  if (!carried_.tiles.empty()) return Keeping::at_hand;
  return carried_.sums.low <= 0 && -carried_.sums.low < planes_ - 1 ? Keeping::passing
                                                                    : Keeping::by_cell;
}

int PlaneSteps::passing() const { return passes() ? context_.launch.margin.high[2] - 1 : 0; }

bool PlaneSteps::is_stepped(int field) const {
  return context_.stencil.fields[field].role == ir::Role::stepped;
}

// Row r of what time step t+k has in registers.
ExprPtr PlaneSteps::row_at(const ExprPtr& k, const ExprPtr& r) const {
  return kernel::add(kernel::mul(k, tile_.layout.warp_rows()), r);
}
// The plane of t+k that has arrived when plane n of t has.
ExprPtr PlaneSteps::plane_of(const ExprPtr& k) const {
  return kernel::bin(BinOp::sub, at_.n, kernel::mul(k, index(temporal_.step_lag())));
}
PartialAt PlaneSteps::partials(const ExprPtr& k, const ExprPtr& r) const {
  return [this, k, r](const PlaneSum& sum, int n) {
    if (in_place_ && n == planes_ - 2)
      return std::pair(tile_.rows.fields[0].row, row_at(kernel::add(k, 1), r));
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
  for (const Stepped& one : tile_.rows.fields) body.push_back({kernel::Array{one.row, true}});
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
    const CellContext here = at_step(context_, k, inner, loop.body);
    loop.body.push_back({kernel::Note{
        temporal_.later ? "The newest plane of t+k completes a plane of t+k+1. The last step "
                          "goes first: it frees registers for the previous step."
                        : "The newest plane of t+k is added to the sums of t+k+1. The last "
                          "step goes first: it frees registers for the previous step."}});
    // The plane of t-1 that the first time step adds comes with that of t.
    if (waits)
      loop.body.push_back({kernel::If{
          kernel::bin(BinOp::eq, k, index(0)), {{kernel::Await{schedule_.ahead}}}, {}}});
    add_planes(here, k, inner, loop.body);
    body.push_back({std::move(loop)});
  }
  body.push_back({kernel::Note{"Load the next plane of t."}});
  if (!waits) body.push_back({kernel::Await{schedule_.ahead}});
  over_rows(names, body, [&](const ExprPtr& r, Names&, Body& to) {
    for (const Stepped& one : tile_.rows.fields)
      to.push_back({kernel::Copy{one.row, index(0), one.ahead, tile_.layout.own(),
                                 tile_.layout.vector(), 1, r,
                                 tile_.rows.ahead_row(tile_.rows.ring.current(),
                                                      tile_.layout.row_of(tile_.layout.warp, r))}});
  });
  if (!temporal_.later) {
    body.push_back({kernel::Note{
        "The new plane of t completes a plane of t+1, that one a plane of t+2, and so on."}});
    Names inner = names;
    For loop = over("k", at_.steps, inner);
    const CellContext here = at_step(context_, kernel::var(loop.name), inner, loop.body);
    complete(here, kernel::var(loop.name), nullptr, inner, loop.body);
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
void PlaneSteps::add_planes(const CellContext& here, const ExprPtr& k, Names& names, Body& body) {
  const ExprPtr z = declare("z_new", kernel::add(plane_of(k), -1), names, body);
  let_wait(k, names, body);
  for (const RegisterTile& regs : carried_.arriving) gather(regs, k, z, names, body);
  if (near_ends_ && boundary_.has_first()) {
    kernel::If first{kernel::both(kernel::both(flags_.ends, kernel::bin(BinOp::gt, k, index(0))),
                                  is_last(context_, 2, 0, z)),
                     {},
                     {},
                     true};
    first.yes.push_back({kernel::Note{"The first plane also fills the ghost planes below it."}});
    Names inner = names;
    std::vector<RegisterTile> before;
    if (!boundary_.are_the_first(carried_.arriving, -temporal_.planes_before))
      before = boundary_.planes_before(carried_.arriving, inner, first.yes);
    // They add to sums of planes after them, up to those of the first plane.
    const int end = std::min(in_place_ ? planes_ - 2 : planes_ - 1, -carried_.sums.low);
    for (int g = -temporal_.planes_before; g < 0; ++g) {
      if (before.empty()) {
        add(here, carried_.arriving, k, index(g), end, inner, first.yes);
        continue;
      }
      boundary_.fill_before(carried_.arriving, before, g, inner, first.yes);
      // If all that is outside the grid are places and one constant, it is already there.
      for (const RegisterTile& regs : before)
        if (!tile_.rows.stepped(regs.field).ghost)
          surround(regs, false, index(g), inner, first.yes);
      add(here, before, k, index(g), end, inner, first.yes);
    }
    body.push_back({std::move(first)});
  }
  if (temporal_.later)
    complete(here, k, z, names, body);
  else
    add(here, carried_.arriving, k, z, planes_ - 1, names, body);
}

void PlaneSteps::add(const CellContext& here, const std::vector<RegisterTile>& tiles,
                     const ExprPtr& k, const ExprPtr& z, int end, const Names& names, Body& body) {
  if (end <= 0) return;
  over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
    add_to_row(here, tiles, k, r, z, end, inner, row);
  });
  if (passes() && edges_ && -carried_.sums.low < end) pass_own(tiles, k, z, names, body);
}
// The cells of a plane of t+k around the warp's own.
void PlaneSteps::gather(const RegisterTile& regs, const ExprPtr& k, const ExprPtr& z, Names& names,
                        Body& body) {
  const Stepped& one = tile_.rows.stepped(regs.field);
  const RegisterTile::Plane& plane = regs.plane(0);
  const kernel::Buffer& to = plane.registers;
  const kernel::Count vector = patch_.width, rows = patch_.rows;
  body.push_back({kernel::Array{to}});
  over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
    row.push_back({kernel::Copy{to, index(-plane.cell), one.row, index(0), vector, 1,
                                kernel::add(r, -plane.row), row_at(k, r)}});
  });
  const ExprPtr last_parity = kernel::bin(BinOp::sub, index(1), at_.parity);
  // Those of t are where they came from, all others with the warps beside this one.
  kernel::If first{kernel::bin(BinOp::eq, k, index(0)), {}, {}};
  const auto exchange = [&](const kernel::Count& row, const ExprPtr& beside) {
    const auto copy = [&](const kernel::Buffer& from, const ExprPtr& from_row) {
      return kernel::Stmt{kernel::Copy{to, index(-plane.cell), from, tile_.layout.own(), vector, 1,
                                       index(kernel::plus(row, -plane.row)), from_row}};
    };
    first.yes.push_back(
        copy(one.ahead, tile_.rows.ahead_row(tile_.rows.ring.previous(),
                                             tile_.layout.row_of(tile_.layout.warp, index(row)))));
    first.no.push_back(copy(one.halo, tile_.rows.halo_row(last_parity, k, beside)));
  };
  for (int row = plane.row; row < 0; ++row)
    exchange(row, tile_.halo.beside(one.field, 0, -row - 1));
  for (int row = 0; row < plane.row + to.rows - rows; ++row)
    exchange(kernel::plus(rows, row), tile_.halo.beside(one.field, 1, row));
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
  sides.width = tile_.layout.vector();
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
    append_where(flags_.corner,
                 tile_.ghosts.rows(regs.field, plane.registers, -plane.row, -plane.cell, z,
                                   skip_halo, names),
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
      append_where(flags_.edge,
                   tile_.ghosts.columns(regs.field, sides, run.row, run.rows, z, names), body);
  }
}

// Plane z of t+k+1, by the sums and the plane of t+k that is there, which (`newest`, if that
// comes later) is not yet added to them.
void PlaneSteps::complete(const CellContext& here, const ExprPtr& k, const ExprPtr& newest,
                          Names& names, Body& body) {
  const std::string& axis = context_.axes[2];
  body.push_back({kernel::Let{axis, plane_of(kernel::add(k, 1))}});
  const ExprPtr z = kernel::var(axis), next = kernel::add(k, 1);
  carry_cells(k, names, body);
  over_rows(names, body, [&](const ExprPtr& r, Names& inner, Body& row) {
    const int made =
        2 * temporal_.step_lag() - 1;  // planes from where it waits to where it is read
    const Before before = take_before(before_at_end_, made, k, r, inner, row);
    for (const PlaneSum& sum : carried_.sums.sums)
      row.push_back({kernel::Array{sum.partials.back()}});
    if (newest) add_to_row(here, carried_.arriving, k, r, newest, planes_, inner, row);
    For loop = unrolled(inner.claim("v"), 0, tile_.layout.width());
    compute(here, k, r, kernel::var(loop.name), z, before, inner, loop.body);
    row.push_back({std::move(loop)});
  });
  if (newest && passes() && edges_) pass_own(carried_.arriving, k, newest, names, body);
  if (keeping_ == Keeping::recalled) recall(k, z, names, body);
  kernel::If more{kernel::bin(BinOp::lt, next, at_.steps), {}, {}};
  if (near_ends_ && temporal_.held > 0) {
    append_where(flags_.ends, boundary_.hold(z, next, row_at(next, index(0)), names), more.yes);
  }
  exchange(next, more.yes);
  if (!more.yes.empty()) body.push_back({std::move(more)});
}

// The rows at the ends of a warp, for those beside it.
void PlaneSteps::exchange(const ExprPtr& next, Body& body) const {
  for (const Stepped& one : tile_.rows.fields)
    for (int row = 0; row < temporal_.above + temporal_.below; ++row) {
      const int end = row < temporal_.above ? 0 : 1;
      const kernel::Count own =
          end == 0 ? kernel::Count(row)
                   : kernel::plus(patch_.rows, row - temporal_.above - temporal_.below);
      const kernel::Copy copy{
          one.halo,
          tile_.layout.own(),
          one.row,
          index(0),
          tile_.layout.vector(),
          1,
          tile_.rows.halo_row(at_.parity, next, tile_.rows.halo_of(tile_.layout.warp, row)),
          row_at(next, index(own))};
      if (const ExprPtr exchanges = tile_.halo.exchanges(one.field, end))
        body.push_back({kernel::If{exchanges, {{copy}}, {}}});
      else
        body.push_back({copy});
    }
}

// The cells themselves that values read, until their plane is completed.
void PlaneSteps::carry_cells(const ExprPtr& k, Names& names, Body& body) const {
  for (const RegisterTile& regs : carried_.tiles) {
    const Stepped& one = tile_.rows.stepped(regs.field);
    over_rows(names, body, [&](const ExprPtr& r, Names&, Body& row) {
      const auto copy = [&](const kernel::Buffer& to, const kernel::Buffer& from) {
        row.push_back({kernel::Copy{to, index(0), from, index(0), tile_.layout.vector(), 1,
                                    row_at(k, r), row_at(k, r)}});
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
  const ExprPtr begun = kernel::bin(BinOp::ge, z, tile_.layout.first);
  store_level(at_.steps, z, kernel::both(tile_.layout.parts[0].stores, begun), false, inner, body);
  if (temporal_.before_bytes == 0) return;
  body.push_back(
      {kernel::Note{"The plane of the previous time step came " +
                    (temporal_.step_lag() == 1 ? std::string("one plane")
                                               : std::to_string(temporal_.step_lag()) + " planes") +
                    " earlier."}});
  const ExprPtr last =
      declare("stored_" + context_.axes[2], kernel::add(z, temporal_.step_lag()), inner, body);
  const ExprPtr own = kernel::both(kernel::bin(BinOp::ge, last, tile_.layout.first),
                                   kernel::bin(BinOp::lt, last, tile_.layout.end));
  store_level(kernel::add(at_.steps, -1), last, kernel::both(tile_.layout.parts[0].stores, own),
              true, inner, body);
}

// Plane z of t+k; `earlier`: of the fields that are read at t-1 alone, where they have that level.
void PlaneSteps::store_level(const ExprPtr& k, const ExprPtr& z, const ExprPtr& own, bool earlier,
                             const Names& names, Body& body) {
  kernel::If own_planes{own, {}, {}};
  over_rows(names, own_planes.yes, [&](const ExprPtr& r, Names& inner, Body& row) {
    const ExprPtr y = kernel::add(tile_.layout.y, r);
    kernel::If own_row{kernel::both(kernel::bin(BinOp::ge, y, tile_.layout.first_row),
                                    kernel::bin(BinOp::lt, y, tile_.layout.end_row)),
                       {},
                       {}};
    const ExprPtr i = declare("i", linear(context_, {tile_.layout.x, y, z}), inner, own_row.yes);
    for (const Stepped& one : tile_.rows.fields) {
      if (earlier && !one.before) continue;
      const kernel::Buffer& to =
          earlier ? context_.earlier[one.field] : context_.targets[one.field];
      const kernel::Copy copy{to, i,       one.row,     index(0), tile_.layout.vector(),
                              1,  nullptr, row_at(k, r)};
      if (edges_)
        own_row.yes.push_back(
            {kernel::StoreRow{copy, unless(flags_.edge, tile_.layout.whole),
                              kernel::bin(BinOp::sub, extent(0), tile_.layout.x)}});
      else
        own_row.yes.push_back({copy});
    }
    row.push_back({std::move(own_row)});
  });
  body.push_back({std::move(own_planes)});
}

void PlaneSteps::add_to_row(const CellContext& here, const std::vector<RegisterTile>& tiles,
                            const ExprPtr& k, const ExprPtr& r, const ExprPtr& z, int end,
                            Names names, Body& body) {
  const int own = -carried_.sums.low;  // the plane that brings a sum's own cell
  Before before;
  if (end > own) before = take_before(before_in_sums_, temporal_.step_lag(), k, r, names, body);
  For loop = unrolled(names.claim("v"), 0, tile_.layout.width());
  const ExprPtr v = kernel::var(loop.name);
  Cell cell(context_, {kernel::add(tile_.layout.x, v), kernel::add(tile_.layout.y, r), z},
            arriving_tap(tiles, before, r, v), names, loop.body, here);
  // Cells that no step assigns pass through the sums as they are.
  const auto instead = [&](const PlaneSum& sum, int n) -> std::optional<Instead> {
    if (n <= own) return std::nullopt;
    const ExprPtr unassigned =
        boundary_.unassigned(r, v, kernel::add(z, own - n), flags_, names, loop.body);
    const auto [buffer, row] = partials(k, r)(sum, n - 1);
    return Instead{unassigned, kernel::make(buffer.element, kernel::Load{buffer, v, row})};
  };
  add_plane(carried_.sums, 0, end, partials(k, r), v, cell, loop.body,
            passes() && edges_ ? InsteadOf(instead) : nullptr);
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
  const ExprPtr back = declare("back", kernel::mul(next, index(temporal_.step_lag())), names, body);
  const ExprPtr came =
      declare("arrival_slot", tile_.rows.ring.before(back, names, body), names, body);
  append_where(flags_.edge, recall_columns(next, came, names), body);
  const Stepped& one = tile_.rows.fields[0];
  For loop = unrolled(names.claim("r"), 0, tile_.layout.warp_rows());
  const ExprPtr r = kernel::var(loop.name);
  const kernel::Copy row{one.row,
                         index(0),
                         one.ahead,
                         tile_.layout.own(),
                         tile_.layout.vector(),
                         1,
                         row_at(next, r),
                         tile_.rows.ahead_row(came, tile_.layout.row_of(tile_.layout.warp, r))};
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
      is_last(context_, 0, 0, tile_.layout.x),
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

void PlaneSteps::compute(CellContext here, const ExprPtr& k, const ExprPtr& r, const ExprPtr& v,
                         const ExprPtr& z, const Before& before, Names& names, Body& body) {
  std::vector<ExprPtr> at = {kernel::add(tile_.layout.x, v), kernel::add(tile_.layout.y, r), z};
  for (const PlaneSum& sum : carried_.sums.sums) {
    const kernel::Buffer& made = sum.partials.back();
    here.at_hand[context_.numbering().id(sum.expr)] = cell_of(made, v);
  }
  if (!temporal_.later) {
    const auto tap = [&](const ir::Read& read) {
      return kernel::make(tile_.rows.stepped(read.field).row.element,
                          kernel::Load{tile_.rows.stepped(read.field).row, v, row_at(k, r)});
    };
    Cell cell(context_, at, tap, names, body, here);
    add_plane(carried_.sums, planes_ - 1, planes_, partials(k, r), v, cell, body);
  }
  const ExprPtr inside = edges_ ? tile_.layout.in_grid(at, names, body) : nullptr;
  const ExprPtr i = declare("i", linear_of_any(context_, at), names, body);
  const Cell::Tap tap = [&](const ir::Read& read) -> ExprPtr {
    if (read.level > 0 || !is_stepped(read.field)) return nullptr;
    if (read.level < 0) return cell_of(before.at(read.field), v);
    if (passes()) {
      const auto [buffer, row] =
          partials(k, r)(carried_.sums.sums[0], planes_ - (temporal_.later ? 1 : 2));
      return kernel::make(buffer.element, kernel::Load{buffer, v, row});
    }
    Patch patch = patch_;
    patch.axis = 2;
    if (const ExprPtr value = register_value(carried_.tiles, read, patch, row_at(k, r), v))
      return value;
    return interior_tap(context_, at, i, read);  // never assigned: as it was at t
  };
  // In a variant that serves all blocks, cells that no step assigns differ in nothing else.
  const ExprPtr unassigned = (passes() || keeping_ == Keeping::at_hand) && flags_.edge
                                 ? boundary_.unassigned(r, v, z, flags_, names, body)
                                 : nullptr;
  const Sink sink = [&](int field, const ExprPtr& value, bool) {
    // A sum that is the value itself has what stays already, where its last plane comes later.
    const auto* load = kernel::as<kernel::Load>(value);
    const bool has_it = passes() && temporal_.later && load &&
                        load->buffer.name == carried_.sums.sums[0].partials.back().name;
    const ExprPtr made =
        unassigned && !has_it
            ? kernel::make(value->type,
                           kernel::Pick{unassigned, tap(ir::Read{field, 0, {}}), value})
            : value;
    return kernel::Stmt{
        kernel::Store{tile_.rows.stepped(field).row, v, made, row_at(kernel::add(k, 1), r)}};
  };
  const bool is_edge = edges_ && !unassigned && keeping_ != Keeping::recalled;
  if (is_edge) {
    // A plane near an end of the stream is near the boundary in a block inside, too.
    ExprPtr edge = flags_.edge;
    if (edge && flags_.ends)
      edge = declare("at_boundary", kernel::either(edge, flags_.ends), names, body);
    if (edge) here.flags.edge = kernel::as<kernel::Var>(edge)->name;
  }
  any_cell(context_, is_edge, {at, i, inside, true}, tap, sink, names, body, here);
}

// A lane reads its own cells of planes of t-1 alone: they wait in shared memory, and no other lane
// has to know.
Before PlaneSteps::take_before(const std::set<int>& fields, int planes, const ExprPtr& k,
                               const ExprPtr& r, Names& names, Body& body) const {
  Before result;
  const ExprPtr slot = tile_.rows.past.before(planes);
  for (const int field : fields) {
    const Stepped& one = tile_.rows.stepped(field);
    kernel::Buffer to = *one.before;
    to.name = names.claim(to.name);
    const ExprPtr row = tile_.layout.row_of(tile_.layout.warp, r);
    const auto copy = [&](const kernel::Buffer& from, const ExprPtr& from_row) {
      return Body{{kernel::Copy{to, index(0), from, tile_.layout.own(), tile_.layout.vector(), 1,
                                nullptr, from_row}}};
    };
    body.push_back({kernel::Array{to}});
    body.push_back(
        {kernel::If{kernel::bin(BinOp::eq, k, index(0)),
                    copy(*one.before_ahead, tile_.rows.before_row(tile_.rows.old.current(), row)),
                    copy(one.past, tile_.rows.past_row(kernel::add(k, -1), slot, row))}});
    result[field] = to;
  }
  return result;
}

// What was there is what the next time step has just read, or no longer reads. The sooner it is
// done, the sooner registers are free for sums.
void PlaneSteps::let_wait(const ExprPtr& k, const Names& names, Body& body) const {
  if (temporal_.before_bytes == 0) return;
  // Near the ends of the stream the last time step's may stand for planes beyond them.
  const ExprPtr more = kernel::bin(BinOp::lt, kernel::add(k, 1), at_.steps);
  const bool held = near_ends_ && temporal_.past_is_held();
  kernel::If waits{!held         ? more
                   : flags_.ends ? kernel::either(flags_.ends, more)
                                 : nullptr,
                   {},
                   {}};
  over_rows(names, waits.yes, [&](const ExprPtr& r, Names&, Body& to) {
    for (const Stepped& one : tile_.rows.fields)
      if (one.before)
        to.push_back(
            {kernel::Copy{one.past, tile_.layout.own(), one.row, index(0), tile_.layout.vector(), 1,
                          tile_.rows.past_row(k, tile_.rows.past.before(0),
                                              tile_.layout.row_of(tile_.layout.warp, r)),
                          row_at(k, r)}});
  });
  if (waits.condition)
    body.push_back({std::move(waits)});
  else
    append(body, std::move(waits.yes));
}

}  // namespace stencilc::lower
