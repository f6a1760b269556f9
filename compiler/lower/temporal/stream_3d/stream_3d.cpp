// Temporal blocking by blocks that stream: all time steps of a launch at once, each behind the
// last.
//
// before   a launch for each step: load the planes around z, compute plane z, store it
// after    for each plane n: what plane n-1 of t, n-2 of t+1, ... adds to sums, with the rows that
//                              other warps have exchanged
//                            load plane n of t
//                            step 1 completes plane n-1 of t+1 by the cells of plane n of t,
//                            step 2 completes plane n-2 of t+2 by those of plane n-1 of t+1 ...
//                            store plane n-steps of t+steps
//                            exchange the rows at the ends of the warps; wait once for all
//
// Where a sum takes cells beside the own one from its newest plane, too, it cannot be complete
// before these are exchanged: each time step is then one more plane behind the last.
#include "lower/temporal/stream_3d/stream_3d.h"

#include <algorithm>
#include <array>
#include <functional>

#include "lower/boundary/interior_split.h"
#include "lower/boundary/peeled_loop.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/context/build.h"
#include "lower/temporal/stream_3d/plane_steps.h"
#include "lower/tile/thread_mapping.h"
#include "plan/temporal/streaming_partition.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

namespace {

class Stream3d {
 public:
  Stream3d(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        tile_(context, schedule, temporal) {}

  Body run(kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = "steps";  // which names of the program never are (names.cpp)
    kernel.most_steps = temporal_.steps;
    kernel.tile[0] = temporal_.stored_cells(schedule_.vector);
    kernel.tile[1] = temporal_.stored_rows(schedule_);
    share_costs(kernel.partition);
    launch.least[0] = tile_.layout.cells();
    launch.least[1] =
        schedule_.threads[1] * schedule_.rows + (tile_.layout.wraps(1) ? temporal_.above : 0);
    if (tile_.layout.wraps(2))
      launch.least[2] = temporal_.steps * std::max(temporal_.planes_before, temporal_.step_lag()) +
                        schedule_.ahead;
    at_.steps = kernel::var(kernel.steps);
    Body body = has_one_variant() ? separate_variants(kernel) : stream_of_block(kernel);
    tile_.layout.give_constants(kernel);
    return body;
  }

 private:
  Body stream_of_block(kernel::Kernel& kernel) {
    Body body = context_.invariants.statements;
    tile_.layout.share_out(kernel, body);
    tile_.lay_out(kernel, body);
    stream(body);
    return body;
  }
  void share_costs(kernel::Kernel::Partition& partition) const {
    partition.length = schedule_.full ? 0 : schedule_.coarsen;
    partition.vector = schedule_.vector;
    partition.more[0] = temporal_.more_cells();
    partition.more[1] = temporal_.more_rows();
    const auto cost = [&](int64_t cells) {
      const st::ColumnCost one = plan::column_cost(context_.stencil, schedule_, temporal_, cells);
      return kernel::Kernel::Partition::ColumnCost{one.beside, one.first, one.last, one.tile,
                                                   one.apart};
    };
    partition.columns_filled = cost(schedule_.vector);
    partition.columns_ragged = cost(1);
  }
  ExprPtr extent(int axis) const { return context_.box.extent(axis); }
  bool reads_inputs() const {
    return std::any_of(context_.stencil.fields.begin(), context_.stencil.fields.end(),
                       [](const ir::Field& field) { return field.role != ir::Role::stepped; });
  }
  // Does one variant serve all warps and planes?
  bool has_one_variant() const { return serves_both(context_) && !reads_inputs(); }
  // Is it the same near the ends of an axis, too, because what lies beyond is loaded as any other?
  bool goes_round(int axis) const {
    if (!has_one_variant() || !tile_.layout.wraps(axis) || launch_limits(context_, axis))
      return false;
    return std::none_of(
        tile_.rows.fields.begin(), tile_.rows.fields.end(), [&](const Stepped& one) {
          const auto& sides = context_.stencil.fields[one.field].boundary.sides[axis];
          return ir::kind_of(sides[0]).open() || ir::kind_of(sides[1]).open();
        });
  }
  // Does all lie inside that a warp computes, along x or y?
  ExprPtr within(const ExprPtr& first, const ExprPtr& cells, int axis) const {
    return InteriorSplit(context_).holds(axis, first, kernel::add(first, cells));
  }
  // Are rows beyond the ends along y read as all others, because they stand among them?
  bool ghosts_come_by_halo() const {
    if (!has_one_variant() || launch_limits(context_, 1)) return false;
    const auto open = [&](const Stepped& one, int end) {
      return ir::kind_of(context_.stencil.fields[one.field].boundary.sides[1][end]).open() &&
             !tile_.halo.holds_ghosts(one.field, end);
    };
    return std::none_of(tile_.rows.fields.begin(), tile_.rows.fields.end(),
                        [&](const Stepped& one) { return open(one, 0) || open(one, 1); });
  }
  void declare_interior(Body& body) {
    Names& names = context_.names;
    const ExprPtr inside_x =
        declare("inside_" + context_.axes[0],
                kernel::both(tile_.layout.vectors_aligned(),
                             within(tile_.layout.first_cell, tile_.layout.row_cells(), 0)),
                names, body);
    const ExprPtr inside_y =
        declare("inside_" + context_.axes[1], within(tile_.layout.y, tile_.layout.warp_rows(), 1),
                names, body);
    body.push_back({kernel::Note{"A warp whose reads all stay in the grid needs no checks."}});
    interior_ = declare("interior", kernel::both(inside_x, inside_y), names, body);
  }

  // Which places of the rings the plane in work has; the first ones are asked for.
  void begin(const ExprPtr& first, Body& body) {
    Names& names = context_.names;
    const int past = temporal_.past();
    tile_.rows.ring.declare("slot", body);
    // Before the first plane nothing came: its cells are no matter.
    tile_.rows.ring.declare_previous("previous_slot", body);
    at_.parity = declare("parity", index(0), names, body, true);
    if (past > 1) tile_.rows.past.declare("past_slot", body);
    if (past > 0) tile_.rows.old.declare("old_slot", body);
    tile_.prefetch.start(first, body);
  }
  kernel::Stmt prefetch(bool at_ends) const {
    const TileRows& rows = tile_.rows;
    return tile_.prefetch.ask(kernel::add(at_.n, index(rows.ring.distance())), rows.ring.asked(),
                              temporal_.past() > 0 ? rows.old.asked() : nullptr, at_ends);
  }
  // Goes on to the places of the next plane, when all warps are there.
  void go_on(Body& body) const {
    tile_.rows.ring.go_on(body);
    body.push_back({kernel::Assign{kernel::as<kernel::Var>(at_.parity)->name,
                                   kernel::bin(BinOp::sub, index(1), at_.parity)}});
    if (temporal_.past() > 0) tile_.rows.old.go_on(body);
    if (temporal_.past() > 1) tile_.rows.past.go_on(body);
    body.push_back({kernel::Meet{}});
  }
  ExprPtr planes(int of_step) const { return kernel::mul(at_.steps, index(of_step)); }
  // Planes all that the steps read of which lies inside: those of a plane that arrives are so many
  // planes behind it.
  Sections::Span planes_inside(const PlaneSteps& plane) const {
    ir::Reach reach;
    reach.low[2] = context_.launch.margin.low[2] + 1;
    const int held =
        std::max(context_.launch.margin.high[2], temporal_.held) - temporal_.step_lag();
    reach.high[2] =
        std::max({tile_.prefetch.tells_ends ? schedule_.ahead : 0, held, plane.passing()});
    const InteriorSplit split(context_, reach);
    return {kernel::add(planes(temporal_.step_lag()), split.first(2)), split.end(2)};
  }

  void stream(Body& body) {
    Names& names = context_.names;
    PlaneSteps plane_steps(context_, schedule_, temporal_, tile_);
    plane_steps.declare_registers(body);
    declare_interior(body);
    const ExprPtr first = declare(
        "first_plane", kernel::bin(BinOp::sub, tile_.layout.first, planes(temporal_.planes_before)),
        names, body);
    begin(first, body);
    const ExprPtr last = kernel::add(tile_.layout.end, planes(temporal_.step_lag()));
    const bool turns = tile_.layout.low_end != nullptr;
    For loop{For::plain, names.claim("n"), kernel::Type::index, turns ? nullptr : first, last, {},
             nullptr,    nullptr};
    at_.n = kernel::var(loop.name);
    if (turns) body.push_back({kernel::Let{loop.name, first, true}});
    Body& plane = loop.body;
    plane.push_back(prefetch(true));
    const Sections::Span inside = planes_inside(plane_steps);
    planes_inside_ = declare("inside_" + context_.axes[2],
                             kernel::both(kernel::bin(BinOp::ge, at_.n, inside.first),
                                          kernel::bin(BinOp::lt, at_.n, inside.end)),
                             names, plane);
    append(plane, variants(plane_steps));
    go_on(plane);
    in_turns(
        last,
        [&](const ExprPtr& stop, Body& to) {
          if (stop) loop.last = stop;
          to.push_back({std::move(loop)});
        },
        body);
  }

  // A plane inside, one with ends near the boundary, and one near the ends of the stream.
  Body variants(PlaneSteps& plane) {
    const auto unless = [](const ExprPtr& inside) {
      return Halves{.inside = inside, .noted = false};
    };
    return inside_or_not(context_, unless(planes_inside_), [&](bool ends, const VariantFlags&) {
      if (ends) return plane.plane_body(at_, true, true, {});
      return inside_or_not(context_, unless(interior_), [&](bool edges, const VariantFlags&) {
        return plane.plane_body(at_, edges, false, {});
      });
    });
  }

  // One variant for all, compiled for each of the places where a block can be, as functions: what
  // the others hold takes no registers from the one for the inside.
  Body separate_variants(kernel::Kernel& kernel) {
    Names& names = context_.names;
    Body body;
    tile_.layout.share_out(kernel, body);
    kernel::Variants variants;
    variants.apart = true;
    variants.name = names.claim("advance_planes");
    const std::array flags = {names.claim("edge"), names.claim("corner")};
    // Of conditions that choose the text; what is in it has other names.
    for (int a = 0; a < 2; ++a) inside_[a] = names.claim("inside_" + context_.axes[a]);
    const auto flag = [&](int n) { return kernel::var(flags[n], kernel::Type::boolean); };
    tile_.layout.apart = true;
    tile_.layout.at_boundary = {flag(0), nullptr};
    tile_.ghosts.selects_columns = true;
    tile_.prefetch.tells_ends = !tile_.layout.wraps(2);
    variants.body = context_.invariants.statements;
    tile_.lay_out(kernel, variants.body);
    flags_ = {flag(0), flag(1), nullptr};
    stream_apart(variants.body);
    for (const ExprPtr& var :
         {tile_.layout.first_cell, tile_.layout.first_stored, tile_.layout.end_stored,
          tile_.layout.first_tile_row(), tile_.layout.first_row, tile_.layout.end_row,
          tile_.layout.first, tile_.layout.end})
      variants.takes.push_back(kernel::as<kernel::Var>(var)->name);
    if (tile_.layout.low_end) {
      variants.takes.push_back(kernel::as<kernel::Var>(tile_.layout.low_end)->name);
      variants.counts = true;
    }
    variants.flag = flags[0];
    variants.further = {flags[1]};
    variants.note = edge_note(context_);
    choose_variant(variants, body);
    body.push_back({std::move(variants)});
    return body;
  }

  // Which variant a block runs.
  void choose_variant(kernel::Variants& variants, Body& body) {
    const ExprPtr& aligned = tile_.layout.aligned;
    const std::string vectors = kernel::as<kernel::Var>(aligned)->name;
    if (vectors != context_.aligned) variants.instead = {{context_.aligned, vectors}};
    // Has the first row a variant that rows inside have not?
    const bool rows_differ = !goes_round(1) && !ghosts_come_by_halo();
    const auto let = [&](int axis, const ExprPtr& value) {
      body.push_back({kernel::Let{inside_[axis], value}});
      return kernel::var(inside_[axis], value->type);
    };
    body.push_back({kernel::Note{
        "Blocks that read nothing outside of the grid run a variant without checks."}});
    variants.condition =
        let(0, kernel::both(aligned, within(tile_.layout.first_cell, tile_.layout.row_cells(), 0)));
    if (!rows_differ) return;
    const ExprPtr inside_y = let(
        1, within(tile_.layout.first_tile_row(),
                  tile_.layout.constant("tile_rows", schedule_.threads[1] * schedule_.rows), 1));
    variants.condition = kernel::both(variants.condition, inside_y);
    variants.cases = {{inside_y, {true, false}}};
  }

  // The stream of a block.
  void stream_apart(Body& body) {
    Names& names = context_.names;
    PlaneSteps plane(context_, schedule_, temporal_, tile_);
    plane.declare_registers(body);
    const bool has_ends = !goes_round(2);
    const ExprPtr first = declare(
        "first_plane", kernel::bin(BinOp::sub, tile_.layout.first, planes(temporal_.planes_before)),
        names, body);
    const ExprPtr last = declare(
        "last_plane", kernel::add(tile_.layout.end, planes(temporal_.step_lag())), names, body);
    begin(first, body);
    at_.n = declare("n", first, names, body, true);
    const std::string cells = one_plane(plane, has_ends, body);
    // Two planes at once need not move what waits in registers, but are long code: of two
    // variants in turn no more stays in the cache of instructions.
    const auto until = [&](const ExprPtr& end, int near_ends, Body& to) {
      For loop{has_ends ? For::plain : For::paired,
               kernel::as<kernel::Var>(at_.n)->name,
               kernel::Type::index,
               nullptr,
               end,
               {},
               nullptr,
               nullptr};
      loop.body.push_back(prefetch(near_ends != 0));
      loop.body.push_back({kernel::Perform{cells, near_ends, {}}});
      go_on(loop.body);
      to.push_back({std::move(loop)});
    };
    const auto all = [&](const ExprPtr& stop, Body& to) {
      if (!has_ends) return until(stop ? stop : last, -1, to);
      Sections sections(planes_inside(plane), last, names, to);
      For parts = sections.loop("Planes", index(0), names, to);
      kernel::If which{sections.is_inside(), {}, {}};
      const auto end = [&](const ExprPtr& of, Body& in) {
        return stop ? declare("until", kernel::least(of, stop), names, in) : of;
      };
      until(end(sections.end_inside(), which.yes), 0, which.yes);
      const ExprPtr at_end =
          declare(stop ? "end_of_section" : "until", sections.end_of_edge(), names, which.no);
      until(end(at_end, which.no), 1, which.no);
      parts.body.push_back({std::move(which)});
      to.push_back({std::move(parts)});
    };
    in_turns(last, all, body);
  }

  // A stream to before `last`; on a window it stops once.
  void in_turns(const ExprPtr& last,
                const std::function<void(const ExprPtr& stop, Body& to)>& stream, Body& body) {
    TileLayout& layout = tile_.layout;
    if (!layout.low_end) return stream(nullptr, body);
    For turns;
    const ExprPtr stop =
        layout.stop_at_low_end(at_.n, planes(temporal_.step_lag()), last, turns, body);
    stream(stop, turns.body);
    layout.count_low_end(turns, body);
  }

  // What happens when a plane arrives, as a function.
  std::string one_plane(PlaneSteps& plane, bool has_ends, Body& body) {
    kernel::Local local;
    local.name = context_.names.claim("advance_plane");
    PlaneFlags flags = flags_;
    if (has_ends) {
      local.flag = context_.names.claim("ends");
      flags.ends = kernel::var(local.flag, kernel::Type::boolean);
    }
    local.body = plane.plane_body(at_, true, has_ends, flags);
    const std::string name = local.name;
    body.push_back({std::move(local)});
    return name;
  }

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  TemporalTile tile_;
  PlanePosition at_;
  ExprPtr interior_, planes_inside_;   // does a warp stand inside, and are planes?
  PlaneFlags flags_;                   // of the variant in work
  std::array<std::string, 2> inside_;  // names of what chooses it
};

}  // namespace

Body lower_stream_3d(const Context& context, const plan::Schedule& schedule,
                     const plan::Temporal& temporal, kernel::Launch& launch) {
  return Stream3d(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
