// Threads of one cell that read their neighbours in shared memory: in a tile that the block fills
// first, or in the planes that come while the block streams along the third axis.
//
// before   each cell: u_new[i] = f(u[i - pitch], u[i - 1], u[i + 1], u[i + pitch])
// after    the block: st::load_plane<256>(u_tile, &u[...], pitch); st::sync();
//          each cell: u_new[i] = f(u_tile[row - 1][column], u_tile[row][column - 1], ...)
#include <algorithm>
#include <optional>

#include "lower/boundary/edge_cell.h"
#include "lower/boundary/edge_flag.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/context/build.h"
#include "lower/spatial/traversals.h"
#include "lower/tile/register_tile_load.h"
#include "lower/tile/register_window.h"
#include "lower/tile/shared_ring.h"
#include "plan/analysis/footprint.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

namespace {

class Tiles {
 public:
  Tiles(const Context& context, const plan::Schedule& schedule, Ring ring)
      : context_(context), schedule_(schedule), ring_(std::move(ring)) {}

  Body run(kernel::Launch& launch) {
    Body body = context_.invariants.statements;
    mapping_ = map_threads(context_, schedule_, body);
    ring_.declare(context_, mapping_, launch, body);
    body.push_back(
        {kernel::Note{"Interior blocks read nothing outside the grid and need no checks."}});
    const int axis = staged() && ring_.maps_ends(context_) ? schedule_.coarsen_axis : -1;
    const ExprPtr inside =
        kernel::both(block_inside(context_, schedule_, mapping_, margin(), body, axis), mapped());
    append(body,
           inside_or_not(context_, {inside, serves_both(context_)},
                         [&](bool edges, const EdgeFlags& flags) { return cells(edges, flags); }));
    return body;
  }

 private:
  bool staged() const { return !ring_.is_tile(); }
  bool loops() const { return schedule_.coarsen > 1; }
  bool streams() const { return loops() && schedule_.coarsen_axis > 0; }
  ExprPtr mapped() const { return ring_.mapped(); }

  ir::Reach margin() const {
    ir::Reach margin = context_.launch.margin;
    const ir::Reach reach = ring_.reach();
    for (int a = 0; a < context_.rank(); ++a) {
      margin.low[a] = std::max(margin.low[a], reach.low[a]);
      margin.high[a] = std::max(margin.high[a], reach.high[a]);
    }
    return margin;
  }

  // Null: all of the body is for the boundary.
  ExprPtr edge() const { return edge_flag(flags_); }

  // What the block shares, and all cells of the thread.
  Body cells(bool edges, const EdgeFlags& flags) {
    edges_ = edges;
    flags_ = flags;
    Names names = context_.names;
    Body body;
    Fill fill(context_, Patch(), edges, false, false, flags);
    Names others = names;  // of registers that nobody has
    fill.declare(register_tiles_of(context_, values_of(context_, edges), Patch(), others),
                 mapping_.thread, names, body);
    ring_.declare_source(context_, fill.cells(), edges, edge(), names, body);
    windows_.clear();
    if (streams())
      windows_ =
          windows_of(context_, values_of(context_, edges), schedule_.coarsen_axis, false, names);
    std::erase_if(windows_, [&](const Window& one) {
      return ring_.back(one.field, one.level, one.high) < 0;
    });
    if (staged())
      stream(names, body);
    else
      append(body, within(mapping_.thread, -1, of_tile(names)));
    return body;
  }

  // Near the boundary: only where that is a cell of the grid, along one axis or (-1) along all.
  Body within(const std::vector<ExprPtr>& at, int axis, Body body) const {
    ExprPtr guard;
    for (int a = 0; a < context_.rank() && edges_; ++a)
      if (axis < 0 || a == axis) guard = kernel::both(guard, in_box(context_, a, at[a]));
    if (!guard) return body;
    return {{kernel::If{near_boundary(flags_, guard), std::move(body), {}}}};
  }

  // The cells of a thread, in the tile.
  Body of_tile(Names names) {
    Body body;
    if (!loops()) {
      cell(mapping_.thread, declare("i", linear(context_, mapping_.thread), names, body), nullptr,
           names, body);
      return body;
    }
    ExprPtr i;
    if (streams()) i = declare("i", linear(context_, mapping_.thread), names, body, true);
    for (const Window& window : windows_)
      for (int along = window.low; along < window.high; ++along)
        body.push_back(
            {kernel::Let{window.names[along - window.low], shared(window, along, nullptr), true}});
    For loop = unrolled(names.claim("k"), 0, streamed_cells(context_, schedule_));
    const bool edges_only = edges_ && flags_.edge.empty();
    if (edges_only || !plan::unrolls(plan::reads_of(context_.stencil, context_.launch), schedule_))
      loop.mark = For::plain;
    const ExprPtr k = kernel::var(loop.name);
    const std::vector<ExprPtr> at = cell_at(context_, schedule_, mapping_, k, loop.body);
    Body inner;
    if (!streams()) i = declare("i", linear(context_, at), names, inner);
    for (const Window& window : windows_)
      inner.push_back({kernel::Let{window.names.back(), shared(window, window.high, k)}});
    cell(at, i, k, names, inner);
    if (streams()) move_on(i, inner);
    append(loop.body, within(at, schedule_.coarsen_axis, std::move(inner)));
    body.push_back({std::move(loop)});
    return body;
  }

  // The loop over the planes that come, the first of which only later cells read.
  void stream(Names& names, Body& body) {
    const int axis = schedule_.coarsen_axis;
    const int early = ring_.shape().early;
    ir::Offset first = {};
    first[axis] = -early;
    const ExprPtr i = declare("i", shifted(context_, linear(context_, mapping_.thread), first),
                              names, body, true);
    for (const Window& window : windows_)
      for (size_t n = 0; n + 1 < window.names.size(); ++n)
        body.push_back({kernel::Let{window.names[n], nothing(window), true}});
    For loop = unrolled(names.claim("k"), -early, ring_.planes());
    loop.mark = For::plain;
    const ExprPtr k = kernel::var(loop.name), n = ring_.n();
    const std::vector<ExprPtr> at = cell_at(context_, schedule_, mapping_, k, loop.body);
    loop.body.push_back({kernel::Let{kernel::as<kernel::Var>(n)->name, kernel::add(k, early)}});
    stage_ = ring_.stage(edges_, edge());
    Body inner, one;
    for (const Window& window : windows_) arrive(window, n, inner);
    cell(at, i, nullptr, names, one);
    if (early > 0) one = {{kernel::If{kernel::bin(BinOp::ge, k, kernel::index(0)), one, {}}}};
    append(inner, std::move(one));
    move_on(i, inner);
    loop.body.push_back({stage_});
    append(loop.body, within(mapping_.thread, -1, std::move(inner)));
    if (ring_.ends_stages(edges_)) loop.body.push_back({kernel::StageEnd{stage_.ring, n, edge()}});
    body.push_back({std::move(loop)});
  }

  // The newest value of a window, from a plane that arrived some stages before, the first of which
  // have none yet.
  void arrive(const Window& window, const ExprPtr& n, Body& body) {
    const int back = ring_.back(window.field, window.level, window.high);
    const ExprPtr value = shared(window, window.high, nullptr);
    const std::string& name = window.names.back();
    if (back > 0) {
      body.push_back({kernel::Let{name, nothing(window), true}});
      body.push_back({kernel::If{
          kernel::bin(BinOp::ge, n, kernel::index(back)), {{kernel::Assign{name, value}}}, {}}});
    } else {
      body.push_back({kernel::Let{name, value}});
    }
  }

  ExprPtr nothing(const Window& window) const {
    return constant(ir::Scalar{context_.stencil.fields[window.field].type});
  }

  // The value of a window at an offset along the axis, in shared memory.
  ExprPtr shared(const Window& window, int along, const ExprPtr& k) {
    ir::Read read{window.field, window.level, window.column};
    read.offset[schedule_.coarsen_axis] = along;
    return shared(read, k);
  }
  // Null: it is not there.
  ExprPtr shared(const ir::Read& read, const ExprPtr& k) {
    const int back = ring_.back(read.field, read.level, read.offset[context_.rank() - 1]);
    if (back < 0) return nullptr;
    const Ring::Place place = ring_.place(read.field, read.level, read.offset, back, k, stage_);
    return kernel::make(place.plane.element, kernel::Load{place.plane, place.column, place.row});
  }

  void cell(const std::vector<ExprPtr>& at, const ExprPtr& i, const ExprPtr& k, Names names,
            Body& body) {
    const Cell::Tap tap = [&](const ir::Read& read) {
      const ExprPtr carried =
          streams() ? held(context_, windows_, schedule_.coarsen_axis, read) : nullptr;
      return carried ? carried : shared(read, k);
    };
    any_cell(context_, edges_, {at, i, nullptr}, tap, nullptr, names, body,
             {flags_, "", nullptr, {}});
  }

  void move_on(const ExprPtr& i, Body& body) const {
    for (const Window& window : windows_)
      for (size_t n = 0; n + 1 < window.names.size(); ++n)
        body.push_back({kernel::Assign{window.names[n],
                                       kernel::var(window.names[n + 1], nothing(window)->type)}});
    const std::string stride = schedule_.coarsen_axis == 1 ? context_.pitch : context_.plane;
    body.push_back(
        {kernel::Assign{kernel::as<kernel::Var>(i)->name, kernel::add(i, kernel::var(stride))}});
  }

  const Context& context_;
  const plan::Schedule& schedule_;
  Ring ring_;
  ThreadMapping mapping_;
  bool edges_ = false;
  EdgeFlags flags_;              // of the variant in work
  std::vector<Window> windows_;  // of what is shared
  kernel::Stage stage_;          // of the ring, in work
};

}  // namespace

Body lower_tiles(const Context& context, const plan::Schedule& schedule, kernel::Launch& launch) {
  std::optional<Ring> ring = Ring::of(context, schedule, Patch(), launch.no_planes);
  if (!ring) return lower_blocks(context, schedule, launch);
  return Tiles(context, schedule, std::move(*ring)).run(launch);
}

}  // namespace stencilc::lower
