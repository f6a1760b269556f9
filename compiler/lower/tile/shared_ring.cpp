#include "lower/tile/shared_ring.h"

#include <algorithm>

#include "ir/boundary.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/context/kernel_arguments.h"
#include "lower/tile/partial_sums.h"
#include "lower/tile/register_tile_load.h"
#include "lower/tile/shared_ring_fields.h"
#include "lower/tile/slots.h"
#include "plan/machine/occupancy.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;

namespace {

constexpr int kRowBytes = 16;    // of which the rows of a box are multiples, and where they begin
constexpr int kCopyBytes = 4;    // that an asynchronous copy moves at least
constexpr int kMostInBox = 256;  // elements along an axis; cells are grouped in wider rows

int whole(int cells, int width) { return (cells + width - 1) / width * width; }

// Boxes begin at multiples of so many cells of the field.
int cells_of_row(const Context& context, int field) {
  return std::max(1, kRowBytes / ir::bytes(context.stencil.fields[field].type));
}

// What the values read of fields that are read beside the cell.
RingShape shape_of(const Context& context, const std::vector<ir::ExprPtr>& values, bool scatter,
                   Patch patch, const std::set<std::pair<int, int>>& fields) {
  constexpr int kAxis = 2;
  Names names;
  PlaneSums sums;
  if (scatter) sums = sums_along(context, values, kAxis, patch.width, patch.rows, names);
  RingShape shape{sums.high, sums.high - sums.low, 0};
  patch.axis = sums.sums.empty() ? kAxis : -1;
  const std::vector<RegisterTile> tiles =
      register_tiles_of(context, sums.sums.empty() ? values : sums.others, patch, names);
  const auto is_in = [&](const RegisterTile& regs) {
    return fields.count({regs.field, regs.level}) != 0;
  };
  if (sums.sums.empty()) {
    int oldest = 0;
    bool first = true;
    for (const RegisterTile& regs : tiles) {
      if (!is_in(regs)) continue;
      shape.newest = first ? regs.high : std::max(shape.newest, regs.high);
      oldest = first ? regs.low : std::min(oldest, regs.low);
      first = false;
    }
    shape.early = shape.newest - oldest;
  }
  for (const RegisterTile& regs : tiles)
    for (const auto& [key, span] : regs.vectors) {
      const int along = patch.axis >= 0 ? span.high : regs.offset[kAxis];
      const int back = shape.newest - along;
      // The first cell's own stages are all that there are before it.
      if (is_in(regs) && back >= 0 && back <= shape.early) shape.back = std::max(shape.back, back);
    }
  return shape;
}

}  // namespace

std::optional<Ring> Ring::of(const Context& context, const plan::Schedule& schedule,
                             const Patch& patch, std::string& why) {
  const auto none = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (schedule.shared == plan::Shared::none) return std::nullopt;
  if (recomputes(context)) return none("it recomputes `t+1` of neighbouring cells");
  Ring ring;
  ring.schedule_ = &schedule;
  ring.patch_ = patch;
  ring.tile_ = context.rank() < 3;
  std::map<std::pair<int, int>, ir::Reach> reaches = reaches_of(context, schedule, patch);
  if (reaches.empty()) return none("cells read no neighbours");
  std::set<std::pair<int, int>> fields;
  for (const auto& [key, reach] : reaches) fields.insert(key);
  // Each block's box begins where one may.
  for (const auto& [field, level] : fields)
    if (schedule.shared == plan::Shared::boxes &&
        schedule.tile()[0] % cells_of_row(context, field) != 0)
      return none("a row of a block of `" + context.stencil.fields[field].name +
                  "` is not a multiple of 16 bytes, as bulk copies need");
  RingShape shapes[2];
  for (const bool edges : {false, true})
    if (!ring.tile_)
      shapes[edges] = shape_of(context, values_of(context, edges), schedule.scatter, patch, fields);
  if (!(shapes[0] == shapes[1]))
    return none("cells near the boundary do not read the same planes as interior cells");
  ring.shape_ = shapes[0];
  for (auto& [key, reach] : reaches) {
    // What is turned back at one end comes from as far inside.
    for (int a = 0; a < 2; ++a)
      for (const ir::Side& side : context.stencil.fields[key.first].boundary.sides[a])
        if (ir::kind_of(side).mirrors())
          reach.low[a] = reach.high[a] = std::max(reach.low[a], reach.high[a]);
    ring.fields_.push_back({key.first, key.second, reach, 0, 0});
  }
  ring.lay_out(context);
  for (const Field& field : ring.fields_) {
    // Cells of wider rows are grouped, and without a pitch the last group may not be memory.
    if (schedule.shared == plan::Shared::boxes && context.rank() == 1 && field.width > kMostInBox)
      return none("a row of `" + context.stencil.fields[field.field].name + "` of " +
                  std::to_string(field.width) + " cells is larger than a bulk copy");
  }
  return ring;
}

// Lanes that load a vector of several accesses each meet in banks of shared memory, unless one more
// access, which nobody makes, lies between vectors. In the fields it has to be as many cells.
int Ring::gap_of(const Context& context) const {
  const int bytes = ir::bytes(context.stencil.fields[fields_[0].field].type);
  for (const Field& field : fields_)
    if (ir::bytes(context.stencil.fields[field.field].type) != bytes) return 0;
  return patch_.width * bytes > kRowBytes ? kRowBytes / bytes : 0;
}

ExprPtr Ring::by_vectors(const ExprPtr& column, int vectors) const {
  Patch patch = patch_;
  patch.width = stride_;
  return lower::by_vectors(column, vectors, patch);
}

// Where in a row so many cells from a vector's first one is another's.
int Ring::values(int cells) const { return cells + cells / patch_.width * gap_; }

// All planes begin as far from the block, because a thread has one place in all of them. Threads
// load no more than there may be around the block.
void Ring::lay_out(const Context& context) {
  const bool boxes = schedule_->shared == plan::Shared::boxes;
  int step = patch_.width;
  for (const Field& field : fields_) {
    left_ = std::max(left_, field.reach.low[0]);
    below_ = std::max(below_, field.reach.low[1]);
    if (boxes) step = std::max(step, cells_of_row(context, field.field));
  }
  left_ = whole(left_, step);
  gap_ = tile_ && !boxes ? gap_of(context) : 0;
  stride_ = gap_ > 0 ? kernel::plus(patch_.width, gap_) : patch_.width;
  const std::array<int, 3> tile = schedule_->tile();
  for (Field& field : fields_) {
    field.width = whole(left_ + tile[0] + whole(field.reach.high[0], patch_.width),
                        boxes ? cells_of_row(context, field.field) : patch_.width.value);
    field.height = below_ + tile[1] + field.reach.high[1];
  }
}

ir::Reach Ring::reach() const {
  ir::Reach all;
  for (const Field& field : fields_)
    for (int a = 0; a < 2; ++a) {
      all.low[a] = std::max(all.low[a], field.reach.low[a]);
      all.high[a] = std::max(all.high[a], field.reach.high[a]);
    }
  all.low[2] = shape_.early - shape_.newest;
  all.high[2] = shape_.newest;
  return all;
}

int Ring::back(int field, int level, int along) const {
  for (const Field& one : fields_) {
    if (one.field != field || one.level != level) continue;
    if (tile_) return 0;
    if (along <= shape_.newest && shape_.newest - along <= shape_.back)
      return shape_.newest - along;
  }
  return -1;
}

// Where the thread's first cell lies in the planes.
void Ring::declare_places(const Context& context, kernel::Body& body) {
  const auto thread = [&](int a, const kernel::Count& cells) {
    return kernel::mul(
        schedule_->threads[a] == 1 ? kernel::index(0) : kernel::place(kernel::Place::thread, a),
        kernel::index(cells));
  };
  body.push_back({kernel::Note{tile_ ? "The thread's first cell in the tile."
                                     : "The thread's first cell in a plane."}});
  const bool streams = schedule_->coarsen > 1 && schedule_->coarsen_axis == 1;
  const kernel::Count rows =
      kernel::times(patch_.rows, streams ? streamed_cells(context, *schedule_) : kernel::Count(1));
  const kernel::Count halo =
      gap_ > 0 ? context.count("halo_values", values(left_)) : context.count("halo_cells", left_);
  row_ = context.rank() == 1
             ? kernel::index(0)
             : lower::declare(
                   "row",
                   kernel::add(thread(1, rows), kernel::index(context.count("halo_rows", below_))),
                   context.names, body);
  column_ = lower::declare("column", kernel::add(thread(0, stride_), kernel::index(halo)),
                           context.names, body);
}

namespace {
ExprPtr before(const ExprPtr& at, const kernel::Count& cells) {
  return cells.text.empty() ? kernel::add(at, -cells.value)
                            : kernel::bin(BinOp::sub, at, kernel::index(cells));
}
}  // namespace

void Ring::add_grid(const Context& context, const ThreadMapping& mapping, const Field& field) {
  const int axes = std::min(context.rank(), 2);
  const kernel::Buffer& memory = buffer_of(context, ir::Read{field.field, field.level, {}});
  kernel::Ring::Grid grid;
  grid.planes.name = context.names.claim(memory.name + (tile_ ? "_tile" : "_ring"));
  grid.planes.element = memory.element;
  grid.planes.shared = true;
  const int step = cells_of_row(context, field.field);
  const std::string what = tile_ ? "tile" : "ring";
  grid.planes.registers =
      context.count(what + (gap_ > 0 ? "_values" : "_cells"), values(field.width));
  if (gap_ > 0) grid.spread = patch_.width;
  grid.planes.rows = context.count(what + "_rows", field.height);
  if (of_boxes()) grid.map = context.names.claim(memory.name + "_map");
  grid.memory = memory;
  if (context.rank() > 1) grid.pitch = kernel::var(context.pitch);
  if (context.rank() > 2) grid.stride = kernel::var(context.plane);
  if (patch_.width * kRowBytes / step >= kCopyBytes)
    grid.copied = patch_.width <= step ? patch_.width : kernel::Count(step);
  grid.ghosts = context.names.claim(memory.name + "_ghosts");
  grid.plane = context.names.claim(tile_                ? grid.planes.name + "_cell"
                                   : fields_.size() > 1 ? grid.planes.name + "_at"
                                                        : "at");
  for (int back = 0; back <= shape_.back && !tile_; ++back)
    grid.names.push_back(
        context.names.claim(grid.planes.name + (back == 0 ? "_n" : "_nm" + std::to_string(back))));
  const ir::Boundary& boundary = context.stencil.fields[field.field].boundary;
  // The element that the last cell of a row is in may hold more than zeros besides.
  const bool grouped = of_boxes() && grid.planes.registers > kMostInBox;
  grid.zeros = is_zero(boundary, context.rank()) && !grouped;
  grid.at = {before(mapping.block[0], context.count("halo_cells", left_))};
  if (axes > 1) grid.at.push_back(before(mapping.block[1], context.count("halo_rows", below_)));
  if (!tile_) {
    const int axis = context.rank() - 1;
    grid.map_along = map_along(boundary, axis);
    grid.at.push_back(kernel::add(mapping.block[axis], shape_.newest - shape_.early));
  }
  for (int a = 0; a < axes; ++a) grid.reach[a] = std::max(field.reach.low[a], field.reach.high[a]);
  ring_->grids.push_back(grid);
}

void Ring::declare(const Context& context, const ThreadMapping& mapping, kernel::Launch& launch,
                   kernel::Body& body) {
  ring_ = std::make_shared<kernel::Ring>();
  if (!tile_) {
    const int axis = context.rank() - 1;
    const ExprPtr all = kernel::index(block_cells(context, *schedule_, axis));
    const ExprPtr rest = kernel::bin(BinOp::sub, context.box.end(axis), mapping.block[axis]);
    planes_ =
        lower::declare("planes",
                       kernel::make(kernel::Type::index,
                                    kernel::Pick{kernel::bin(BinOp::lt, rest, all), rest, all}),
                       context.names, body);
    ring_->stages = kernel::add(planes_, shape_.early);
  }
  declare_places(context, body);
  const Slots slots(context, "ring_depth", tile_ ? 0 : schedule_->ahead, shape_.back);
  ring_->ahead = slots.distance();
  ring_->depth = slots.count();
  ring_->ready = context.names.claim("arrived");
  ring_->leads = context.names.claim("leads");
  ring_->fetch = context.names.claim("fetch");
  ring_->load_ghosts = context.names.claim("load_ghosts");
  ring_->store_ghosts = context.names.claim("store_ghosts");
  ring_->n = context.names.claim("n");
  const int threads = schedule_->threads[0] * schedule_->threads[1] * schedule_->threads[2];
  ring_->threads = context.count("block_threads", threads);
  if (schedule_->fill == plan::Filling::producers) {
    launch.kernel.producers = schedule_->producers();
    // Unasked, ptxas spares registers of blocks of so many warps until it spills.
    launch.kernel.resident = std::max(1, launch.kernel.resident);
    ring_->warps = context.count("computing_warps", plan::warps_of(threads));
    ring_->producers = context.count("producers", schedule_->threads[0] * schedule_->producers());
    ring_->first_producer = context.count("first_producer", 32 * ring_->warps);
    ring_->threads = ring_->producers;
    ring_->fills = context.names.claim("fills");
    ring_->whole = context.names.claim("whole");
    ring_->freed = context.names.claim("freed");
    ring_->next = context.names.claim("next");
  }
  ring_->kind = schedule_->shared == plan::Shared::loads   ? kernel::Ring::loads
                : schedule_->shared == plan::Shared::async ? kernel::Ring::async
                                                           : kernel::Ring::boxes;
  if (schedule_->fill == plan::Filling::split)
    ring_->own = {context.count("halo_cells", left_), context.count("halo_rows", below_),
                  block_cells(context, *schedule_, 0), block_cells(context, *schedule_, 1)};
  if (of_boxes()) ring_->mapped = kernel::var(context.mapped, kernel::Type::boolean);
  for (int a = 0; a < context.rank(); ++a) ring_->extents.push_back(context.box.extent(a));
  ring_->origin = context.box.origin(context.rank() - 1);
  ring_->planes = context.box.planes(context.rank() - 1);
  for (const Field& field : fields_) add_grid(context, mapping, field);
  body.push_back({kernel::RingPtr(ring_)});
  launch.kernel.shared = ring_->bytes();
  for (size_t f = 0; f < fields_.size() && of_boxes(); ++f) {
    const kernel::Ring::Grid& grid = ring_->grids[f];
    launch.kernel.maps.push_back(
        {grid.map, {grid.planes.registers, grid.planes.rows, 1}, grid.planes.element});
    launch.map_args.push_back(
        {"", fields_[f].field, slot_of(context, fields_[f].field, fields_[f].level)});
  }
}

bool Ring::maps_ends(const Context& context) const {
  constexpr int kAxis = 2;
  for (const kernel::Ring::Grid& grid : ring_->grids)
    if (!of_boxes() || (!grid.map_along && !grid.zeros)) return false;
  if (!assigns_all_along(context, kAxis)) return false;
  for (const ir::ExprPtr& node : ir::nodes_of(values_of(context, true))) {
    const auto* read = ir::as<ir::Read>(node);
    if (read && read->offset[kAxis] != 0 && !is_read_beside(context, node)) return false;
  }
  return true;
}

void Ring::declare_source(const Context& context,
                          const std::map<std::pair<int, int>, std::string>& cells, bool edges,
                          const ExprPtr& edge, Names& names, kernel::Body& body) const {
  for (size_t f = 0; f < fields_.size() && edges; ++f) {
    const Field& field = fields_[f];
    kernel::Ring::Grid& grid = ring_->grids[f];
    grid.cell = cells.at({field.field, field.level});
    if (!grid.zeros && of_boxes()) declare_from(context, field.field, grid, names, body);
  }
  body.push_back({kernel::Source{ring_, edges, edge}});
}

kernel::Stage Ring::stage(bool edges, const ExprPtr& edge) const {
  return {ring_, n(), {}, edges, edge};
}

Ring::Place Ring::place(int field, int level, const ir::Offset& offset, int back, const ExprPtr& k,
                        kernel::Stage& stage) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& one) {
    return one.field == field && one.level == level;
  });
  const int grid = static_cast<int>(found - fields_.begin());
  Place place{ring_->grids[grid].planes, row_, column_};
  if (tile_) {
    const int axis = schedule_->coarsen_axis;
    if (k && axis == 1) place.row = kernel::add(row_, k);
    if (k && axis == 0)
      place.column = kernel::add(
          column_, kernel::mul(k, kernel::index(kernel::times(schedule_->threads[0], stride_))));
  } else {
    place.plane.name = ring_->grids[grid].names[back];
    const bool known = std::any_of(
        stage.planes.begin(), stage.planes.end(),
        [&](const kernel::Stage::Plane& one) { return one.grid == grid && one.back == back; });
    if (!known) stage.planes.push_back({place.plane, grid, back});
  }
  place.row = kernel::add(place.row, offset[1]);
  place.column = kernel::add(place.column, values(offset[0]));
  return place;
}

void Ring::load(const RegisterTile& regs, const Run& run, int back, const ExprPtr& k,
                kernel::Stage& stage, const Names& outer, kernel::Body& body) const {
  Names names = outer;
  kernel::For loop = unrolled(run.rows > 1 ? names.claim("r") : "", run.row, end_of(run, patch_));
  const ExprPtr r = run.rows > 1 ? kernel::var(loop.name) : kernel::index(first_of(run, patch_));
  const RegisterTile::Plane& plane = regs.plane(run.along);
  ir::Offset offset = regs.offset;
  if (tile_ && schedule_->coarsen > 1 && schedule_->coarsen_axis == 1) offset[1] += run.along;
  const Place from = place(regs.field, regs.level, offset, back, k, stage);
  kernel::Body& one = run.rows > 1 ? loop.body : body;
  const int together = gap_ > 0 ? 1 : run.count;  // vectors
  for (int v = 0; v < run.count; v += together)
    one.push_back(
        {kernel::Copy{plane.registers, kernel::index(place_of(plane, run.vector + v, patch_)),
                      from.plane, by_vectors(from.column, run.vector + v), patch_.width, together,
                      row_in(plane, r), kernel::add(from.row, r)}});
  if (run.rows > 1) body.push_back({std::move(loop)});
}

}  // namespace stencilc::lower
