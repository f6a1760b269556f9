// Threads that compute whole vectors of cells: neighbours along x that are loaded and stored by
// wide accesses, in one row or several, and along another axis one after the other.
//
// before   for each cell: u_new[i] = f(u[i - pitch], u[i - 1], ...)
// after    for each row: st::load<4>(u_yp1, &u[i + pitch]);
//                        for v in 0..3: u_out[v] = f(u_ym1[v], u_0[v + 3], ...)
//                        st::store<4>(&u_new[i], u_out);
//                        the row above becomes the row
#include <algorithm>
#include <functional>
#include <optional>

#include "lower/boundary/edge_cell.h"
#include "lower/boundary/edge_flag.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/peeled_loop.h"
#include "lower/context/build.h"
#include "lower/spatial/edge_cells.h"
#include "lower/spatial/traversals.h"
#include "lower/tile/partial_sums.h"
#include "lower/tile/register_tile_load.h"
#include "lower/tile/shared_ring.h"
#include "lower/tile/thread_mapping.h"
#include "lower/tile/vector_row.h"
#include "plan/analysis/footprint.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

namespace {

class Patches {
 public:
  Patches(const Context& context, const plan::Schedule& schedule)
      : context_(context),
        schedule_(schedule),
        unrolls_(plan::unrolls(plan::reads_of(context.stencil, context.launch), schedule)) {
    patch_.width = context.count("width", schedule.vector);
    patch_.rows = context.count("rows", schedule.rows);
    patch_.lanes = schedule.lanes;
    ring_ = Ring::of(context, schedule, patch_, no_planes_);
  }

  Body run(kernel::Launch& launch) {
    if (const ir::Reach margin = margin_of(context_, patch_, ir::Reach());
        has_edge_cells(context_, schedule_, margin))
      return with_edge_cells(context_, schedule_, margin, edge_cell_bodies(), launch);
    Body body = context_.invariants.statements;
    mapping_ = map_threads(context_, schedule_, body);
    if (ring_) ring_->declare(context_, mapping_, launch, body);
    launch.no_planes = no_planes_;
    const ir::Reach margin = margin_of(context_, patch_, ring_ ? ring_->reach() : ir::Reach());
    launch.checked = why_checked(context_, schedule_, true);
    const bool peels = schedule_.peeled && launch.checked.empty();
    const bool checks_x = !peels && checks_x_alone();
    body.push_back({kernel::Note{
        checks_x ? "Interior blocks need no checks; at ends of rows only neighbours in the row do "
                   "(edge_x)."
                 : "Interior blocks read nothing outside the grid and need no checks."}});
    const bool maps_ends = staged() && ring_->maps_ends(context_);
    const int axis = peels || maps_ends ? schedule_.coarsen_axis : -1;
    std::vector<ExprPtr> along;
    const ExprPtr inside = block_inside(context_, schedule_, mapping_, margin, body, axis, &along);
    const ExprPtr aligned = kernel::var(context_.aligned, kernel::Type::boolean);
    if (peels) {
      inside_ = declare("inside", kernel::both(inside, aligned), context_.names, body);
      append(body, cells(true, {}));
      return body;
    }
    Halves halves{inside, serves_both(context_)};
    if (ring_)
      halves.inside = kernel::both(inside, kernel::both(aligned, ring_->mapped()));
    else
      halves.aligned = aligned;
    if (checks_x && halves.one_variant)
      halves.between = {"edge_x", inside_rows(along), {false, true}};
    append(body, inside_or_not(context_, halves, [&](bool edges, const EdgeFlags& flags) {
             return cells(edges, flags);
           }));
    return body;
  }

 private:
  EdgeCellBodies edge_cell_bodies() {
    const auto one_cell = [this](bool edges, const std::vector<ExprPtr>& at, Names names) {
      Body cell;
      const ExprPtr i = declare("i", linear(context_, at), names, cell);
      const Cell::Tap tap = [&](const ir::Read& read) {
        return interior_tap(context_, at, i, read);
      };
      if (edges)
        edge_cell(context_, at, i, names, cell);
      else
        interior_cell(context_, at, tap, store_at(context_, i), names, cell);
      return cell;
    };
    return {[this](const ThreadMapping& mapping) {
              mapping_ = mapping;
              return cells(false, {});
            },
            [this, one_cell](const std::vector<ExprPtr>& at, const Names& names) -> Body {
              return {{kernel::If{in_box(context_, at), one_cell(true, at, names), {}}}};
            },
            [one_cell](const std::vector<ExprPtr>& at, const Names& names) {
              return one_cell(false, at, names);
            }};
  }

  // Have blocks that read outside the grid along x alone a variant of their own? In space they are
  // most of those near the boundary, a sixth of all, and where threads gather what they read as
  // vectors, of their own cells and beside them, all but what is beside stays as inside. Sums by
  // scatter lose 2 % by a third variant.
  bool checks_x_alone() const {
    if (context_.rank() < 3 || !by_rows() || strided() || schedule_.scatter ||
        !serves_both(context_))
      return false;
    Patch patch = patch_;
    patch.axis = streams() ? schedule_.coarsen_axis : -1;
    Names names = context_.names;
    bool beside = false;
    for (const RegisterTile& regs :
         register_tiles_of(context_, values_of(context_, true), patch, names)) {
      if (!rows_map(context_, regs.field) && !context_.stencil.fields[regs.field].temporary)
        return false;
      for (const auto& runs : {runs_before(regs), runs_at_each(regs)})
        beside = beside || std::ranges::any_of(runs, std::not_fn(is_own));
    }
    return beside;
  }
  // Where the block's rows are inside, and its vectors lie in them or beyond their ends.
  ExprPtr inside_rows(const std::vector<ExprPtr>& along) {
    const ExprPtr end = context_.box.end(0),
                  of_block = end_of_block(context_, schedule_, mapping_, 0);
    const ExprPtr whole = context_.box.is_cut(0)
                              ? kernel::bin(BinOp::le, of_block, end)
                              : kernel::call(kernel::Type::boolean, kernel::Fn::whole_vectors,
                                             {end, kernel::index(patch_.width), of_block});
    return kernel::both(kernel::both(along[1], along[2]), whole);
  }
  bool loops() const { return schedule_.coarsen > 1; }
  // Do planes come into shared memory while the block streams?
  bool staged() const { return ring_ && !ring_->is_tile(); }
  bool has_rows() const { return patch_.rows > 1; }
  // Are rows near the boundary others that stand for them? The functions of rows map in all text
  // that calls them: with peeled ends in that of the interior, too.
  bool by_rows() const { return !ring_ && !patch_.lanes && !inside_; }

  // All cells of the thread.
  Body cells(bool edges, const EdgeFlags& flags) {
    edges_ = edges;
    flags_ = flags;
    tiles_.clear();
    sums_ = {};
    patch_.axis = streams() && !schedule_.scatter ? schedule_.coarsen_axis : -1;
    Names names = context_.names;
    const bool by_cell = edges && recomputes(context_);
    if (!by_cell && schedule_.scatter)
      sums_ = sums_along(context_, values_of(context_, edges), schedule_.coarsen_axis, patch_.width,
                         patch_.rows, names);
    if (sums_.sums.empty() && streams()) patch_.axis = schedule_.coarsen_axis;
    fill_.emplace(context_, patch_, edges, !strided(), by_rows(), flags);
    if (!by_cell)
      tiles_ = register_tiles_of(
          context_, sums_.sums.empty() ? values_of(context_, edges) : sums_.others, patch_, names);
    arriving_ = register_tiles_of(context_, sums_.taps, patch_, names);
    Body body;
    for (const auto* tiles : {&tiles_, &arriving_})
      fill_->declare(*tiles, mapping_.thread, names, body);
    if (ring_) ring_->declare_source(context_, fill_->cells(), edges, edge(), names, body);
    Body cells;
    stream(names, ring_ ? cells : body);
    if (!ring_) return edges ? within(mapping_.thread, std::move(body), false) : body;
    // All threads of a block fill its tile.
    append(body, edges && !staged() ? within(mapping_.thread, std::move(cells), false)
                                    : std::move(cells));
    return body;
  }

  // Of a body that serves both; null: all of the body is for the boundary.
  ExprPtr edge() const { return edge_flag(flags_); }

  // The loop over the cells along the streamed axis, or the only ones.
  void stream(Names& names, Body& body) {
    ExprPtr i;
    // planes that arrive before the first cell's last
    const int early = staged() ? ring_->shape().early : sums_.high - sums_.low;
    if (streams()) {
      ir::Offset first = {};
      first[schedule_.coarsen_axis] = -early;
      i = declare("i", shifted(context_, linear(context_, mapping_.thread), first), names, body,
                  true);
    }
    for (const RegisterTile& regs : tiles_) {
      for (int along = regs.low; along < regs.high; ++along)
        body.push_back({kernel::Array{regs.plane(along).registers, staged()}});
      for (const Run& run : staged() ? std::vector<Run>() : runs_before(regs))
        load(regs, run, mapping_.thread, i, nullptr, names, body);
    }
    for (const PlaneSum& sum : sums_.sums)
      for (size_t n = 0; n + 1 < sum.partials.size(); ++n)
        body.push_back({kernel::Array{sum.partials[n], true}});
    For loop = unrolled(loops() ? names.claim("k") : "", -early,
                        loops() ? streamed_cells(context_, schedule_) : kernel::Count(1));
    if (inside_) {
      flags_.edge = names.claim("edge");
      fill_.emplace(fill_->in(flags_));
    }
    const bool edges_only = edges_ && flags_.edge.empty();
    if (edges_only || staged() || !unrolls_) loop.mark = For::plain;
    if (staged()) loop.last = ring_->planes();
    const ExprPtr k = loops() ? kernel::var(loop.name) : nullptr;
    Body& each = loops() ? loop.body : body;
    const std::vector<ExprPtr> at = cell_at(context_, schedule_, mapping_, k, each);
    if (!streams()) i = declare("i", linear(context_, at), names, each);
    if (staged())
      append(each, one_stage(at, i, k, early, names));
    else
      append(each, within(at, sums_.sums.empty() ? one_patch(at, i, k, names)
                                                 : one_plane(at, i, k, early, names)));
    if (loops()) roll_if_long(loop, schedule_.coarsen, schedule_.coarsen_axis == 2);
    if (inside_) {
      const int axis = schedule_.coarsen_axis;
      peel(context_, {axis, mapping_.thread[axis], inside_}, std::move(loop), flags_.edge, names,
           body);
      flags_ = {};  // what stands around the loop is the same for all of its cells
    } else if (loops()) {
      body.push_back({std::move(loop)});
    }
  }

  bool streams() const { return loops() && schedule_.coarsen_axis > 0; }

  // A stage of the ring begins, and what the thread reads of it goes on.
  Body one_stage(const std::vector<ExprPtr>& at, const ExprPtr& i, const ExprPtr& k, int early,
                 Names names) {
    Body body;
    const ExprPtr n = ring_->n();
    body.push_back({kernel::Let{kernel::as<kernel::Var>(n)->name, kernel::add(k, early)}});
    stage_ = ring_->stage(edges_, edge());
    Body cells;
    if (sums_.sums.empty()) {
      for (const RegisterTile& regs : tiles_) {
        cells.push_back({kernel::Array{regs.plane(regs.high).registers}});
        for (const Run& run : runs_carried(regs)) load_carried(regs, run, n, names, cells);
      }
      Body patch = one_patch(at, i, k, names);
      if (early > 0)
        patch = {{kernel::If{kernel::bin(BinOp::ge, k, kernel::index(0)), std::move(patch), {}}}};
      append(cells, std::move(patch));
      move_on(i, names, cells);
    } else {
      cells = one_plane(at, i, k, early, names);
    }
    body.push_back({stage_});
    append(body, within(mapping_.thread, std::move(cells), false));
    if (ring_->ends_stages(edges_)) body.push_back({kernel::StageEnd{stage_.ring, n, edge()}});
    return body;
  }

  // Of a plane that arrived some stages before, the first of which have none yet.
  void load_carried(const RegisterTile& regs, const Run& run, const ExprPtr& n, const Names& names,
                    Body& body) {
    const int back = ring_->back(regs.field, regs.level, run.along);
    Body load;
    ring_->load(regs, run, back, nullptr, stage_, names, load);
    if (back > 0)
      load = {{kernel::If{kernel::bin(BinOp::ge, n, kernel::index(back)), std::move(load), {}}}};
    append(body, std::move(load));
  }

  // A run that is in no register: from the ring where that has it, otherwise from memory.
  void load(const RegisterTile& regs, const Run& run, const std::vector<ExprPtr>& at,
            const ExprPtr& i, const ExprPtr& k, Names& names, Body& body) {
    const int along = patch_.axis >= 0 ? run.along : regs.offset[context_.rank() - 1];
    const int back = ring_ ? ring_->back(regs.field, regs.level, along) : -1;
    if (back >= 0)
      ring_->load(regs, run, back, k, stage_, names, body);
    else
      (*fill_)(regs, run, at, i, -1, Ends::none, names, body);
  }

  // A plane arrives; when it is the last that the thread's cells read, they are computed.
  Body one_plane(const std::vector<ExprPtr>& at, const ExprPtr& i, const ExprPtr& k, int early,
                 Names names) {
    Body body;
    const int axis = schedule_.coarsen_axis;
    std::vector<ExprPtr> there = at;
    there[axis] = kernel::add(at[axis], sums_.high);
    ir::Offset ahead = {};
    ahead[axis] = sums_.high;
    const Ends ends = sums_.low >= 0 ? Ends::high : sums_.high <= 0 ? Ends::low : Ends::both;
    for (const RegisterTile& regs : arriving_) {
      body.push_back({kernel::Array{regs.plane(0).registers}});
      for (const Run& run : runs_at_each(regs)) {
        if (ring_)
          ring_->load(regs, run, 0, kernel::add(k, sums_.high), stage_, names, body);
        else
          (*fill_)(regs, run, there, shifted(context_, i, ahead), axis, ends, names, body);
      }
    }
    for (const PlaneSum& sum : sums_.sums) body.push_back({kernel::Array{sum.partials.back()}});
    For rows = unrolled(has_rows() ? names.claim("r") : "", 0, patch_.rows);
    For loop = unrolled(names.claim("v"), 0, patch_.width);
    const ExprPtr r = has_rows() ? kernel::var(rows.name) : kernel::index(0);
    const ExprPtr v = kernel::var(loop.name);
    Names inner = names;
    Cell cell(
        context_, at,
        [&](const ir::Read& read) {
          ir::Read here = read;
          here.offset[axis] = 0;
          return register_value(arriving_, here, patch_, r, v);
        },
        inner, loop.body);
    add_plane(sums_, r, v, cell, loop.body);
    if (has_rows()) rows.body.push_back({std::move(loop)});
    body.push_back({has_rows() ? std::move(rows) : std::move(loop)});
    Body patch = one_patch(at, i, k, names);
    if (early > 0)
      patch = {{kernel::If{kernel::bin(BinOp::ge, k, kernel::index(0)), std::move(patch), {}}}};
    append(body, std::move(patch));
    move_on(i, names, body);
    return body;
  }

  // A thread's cells along x stand a block apart.
  bool strided() const { return loops() && schedule_.coarsen_axis == 0; }

  // Near the boundary: only where the thread's first cell is a cell of the grid, or along the
  // streamed axis the one in work. From there on no coordinate of a read lies beyond both ends.
  Body within(const std::vector<ExprPtr>& at, Body body, bool streamed = true) const {
    ExprPtr in_row, in_rows;
    for (int a = 0; a < context_.rank() && edges_; ++a)
      if (!streamed || (loops() && a == schedule_.coarsen_axis)) {
        ExprPtr& all = a == 0 ? in_row : in_rows;
        all = kernel::both(all, in_box(context_, a, at[a]));
      }
    kernel::If guard{nullptr, {}, {}};
    if (flags_.edge_x.empty())
      guard.condition = near_boundary(flags_, kernel::both(in_row, in_rows));
    else
      guard.condition =
          kernel::both(near_ends_of_rows(flags_, in_row), near_boundary(flags_, in_rows));
    if (!guard.condition) return body;
    guard.yes = std::move(body);
    return {{std::move(guard)}};
  }

  // The cells that a thread computes at once.
  Body one_patch(const std::vector<ExprPtr>& at, const ExprPtr& i, const ExprPtr& k, Names names) {
    Body body;
    for (const RegisterTile& regs : tiles_) {
      const bool carried = staged() && sums_.sums.empty();  // all that later cells read is there
      if (!carried) body.push_back({kernel::Array{regs.plane(regs.high).registers}});
      for (const Run& run : carried ? runs_read_once(regs) : runs_at_each(regs))
        load(regs, run, at, i, k, names, body);
    }
    For loop = unrolled(has_rows() ? names.claim("r") : "", 0, patch_.rows);
    const ExprPtr r = has_rows() ? kernel::var(loop.name) : kernel::index(0);
    std::vector<ExprPtr> here = at;
    if (has_rows()) here[1] = kernel::add(at[1], r);
    Body row = one_row(here, r, row_start(context_, patch_, i, r), names);
    if (has_rows() && edges_)
      row = {{kernel::If{near_boundary(flags_, in_box(context_, 1, here[1])), std::move(row), {}}}};
    if (has_rows()) {
      loop.body = std::move(row);
      body.push_back({std::move(loop)});
    } else {
      append(body, std::move(row));
    }
    if (streams() && sums_.sums.empty() && !staged()) move_on(i, names, body);
    return body;
  }

  // The cells of a vector. `i`: of cell 0.
  Body one_row(const std::vector<ExprPtr>& at, const ExprPtr& r, const ExprPtr& i, Names names) {
    Row row{at, i, patch_.width, edges_, flags_, nullptr, {}};
    row.in_registers = [&](const ir::Read& read, const ExprPtr& v) {
      return register_value(tiles_, read, patch_, r, v);
    };
    for (const PlaneSum& sum : sums_.sums)
      row.made.push_back({sum.expr, sum.partials.back(), has_rows() ? r : nullptr});
    return lower_row(context_, row, *fill_, std::move(names));
  }

  // The next cells: what was above is now at their place.
  void move_on(const ExprPtr& i, Names& names, Body& body) const {
    move_planes(tiles_, patch_, names, body);
    const std::string stride = schedule_.coarsen_axis == 1 ? context_.pitch : context_.plane;
    body.push_back(
        {kernel::Assign{kernel::as<kernel::Var>(i)->name, kernel::add(i, kernel::var(stride))}});
  }

  const Context& context_;
  const plan::Schedule& schedule_;
  const bool unrolls_;
  Patch patch_;
  ThreadMapping mapping_;
  ExprPtr inside_;  // where the ends are peeled: is the block inside along the other axes?
  bool edges_ = false;
  EdgeFlags flags_;                  // of the variant in work
  std::vector<RegisterTile> tiles_;  // what the thread's cells read
  PlaneSums sums_;
  std::vector<RegisterTile> arriving_;  // what the sums read
  std::optional<Fill> fill_;
  std::optional<Ring> ring_;
  std::string no_planes_;
  kernel::Stage stage_;  // of the ring, in work
};

}  // namespace

Body lower_patches(const Context& context, const plan::Schedule& schedule, kernel::Launch& launch) {
  return Patches(context, schedule).run(launch);
}

}  // namespace stencilc::lower
