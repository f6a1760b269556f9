// Rows that are on their way, and what asks for them.
#include "lower/boundary/ghost_plane.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/temporal/common/tile_layout.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

// Rows are copied ahead: each lane copies its own vector, and waits for no other.
void TemporalTile::declare_prefetch(Body& body) {
  kernel::Local local{context_.names.claim("prefetch"), {}, {}, ""};
  Names names = context_.names;
  for (const char* param : {is_tile() ? "plane" : "row", "slot"})
    local.params.push_back(names.claim(param));
  const ExprPtr along = kernel::var(local.params[0]), slot = kernel::var(local.params[1]);
  if (!is_tile() && !at_boundary[0]) {
    local.flag = names.claim("at_boundary");
    at_boundary[0] = at_boundary[1] = kernel::var(local.flag, kernel::Type::boolean);
  }
  if (is_tile()) {
    if (prefetch_tells_ends) {
      local.flag = names.claim("at_boundary");
      at_boundary[1] = kernel::var(local.flag, kernel::Type::boolean);
    }
    if (temporal_.before_bytes > 0) {
      local.params.push_back(names.claim("old_slot"));
      before_slot_ = kernel::var(local.params.back());
    }
    from_plane_ =
        wraps(2) ? declare("at_" + context_.axes[2], wrapped(along, 2), names, local.body) : along;
    for (const Stepped& one : fields) {
      const Maps by = maps_of_planes(one);
      const ExprPtr mapped = mapped_plane(by, along);
      if (mapped && mapped_planes_.count(by) == 0)
        mapped_planes_[by] =
            declare("at_" + context_.axes[2], near_ends(mapped, along), names, local.body);
    }
    declare_beside_tile(body);
    if (wraps(1)) declare_starts(body);
    append(local.body, copies_of_plane(along, slot, names));
  } else {
    for (const Stepped& one : fields) {
      local.body.push_back({copy_of_row(one, along, slot)});
      if (one.before) local.body.push_back({copy_before(one, along, slot)});
    }
    for (const Waiting& one : inputs) local.body.push_back({copy_of_input(one, along, slot)});
  }
  local.body.push_back({kernel::Commit{}});
  if (prefetch_tells_ends) at_boundary[1] = nullptr;
  prefetch_ = local.name;
  body.push_back({kernel::Note{is_tile() ? "Each lane prefetches its own vectors of a plane."
                                         : "Each lane prefetches its own vector of a row."}});
  body.push_back({std::move(local)});
}

kernel::Stmt TemporalTile::prefetch_row(const ExprPtr& row, const ExprPtr& slot,
                                        const std::string& near, bool flag) const {
  kernel::Stmt stmt = prefetch(row, slot);
  if (!prefetch_tells_boundary()) return stmt;
  auto& call = std::get<kernel::Perform>(stmt.node);
  call.flag_of = near;
  call.flag = flag ? 1 : 0;
  return stmt;
}

// It is read at the cell itself: outside the grid nothing is, but for what wraps around.
void TemporalTile::declare_before_at(Body& body) {
  before_at_ = context_.names.claim(inputs.empty() ? "before_index" : "own_index");
  kernel::Local local{before_at_, {}, {}, ""};
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (int a = 0; a < context_.rank(); ++a) {
    local.params.push_back(names.claim("cell_" + context_.axes[a]));
    const ExprPtr cell = kernel::var(local.params.back());
    at.push_back(kernel::call(kernel::Type::index, wraps(a) ? kernel::Fn::wrap : kernel::Fn::clamp,
                              {cell, extent(a)}));
  }
  local.body.push_back({kernel::Return{linear(context_, at)}});
  const std::string what = inputs.empty() ? "a cell of t-1" : "a cell that is read by itself";
  body.push_back({kernel::Note{"Where " + what + " is in memory" +
                               (wraps(0) || wraps(1) ? "." : "; none outside the grid is read.")}});
  body.push_back({std::move(local)});
}

// Of fields that no step makes: rows that wait in shared memory.
void TemporalTile::name_inputs(Body& body) {
  for (const int field : temporal_.inputs) {
    const kernel::Buffer& memory = context_.levels[field][0];
    Waiting one;
    one.field = field;
    one.ahead = shared(memory.name + "_ring", memory.element,
                       {{"warps", schedule_.threads[1]}, {"ring_depth", depth()}}, body);
    one.row.name = context_.names.claim(memory.name + "_row");
    one.row.element = memory.element;
    one.row.writable = true;
    one.row.registers = schedule_.vector;
    inputs.push_back(std::move(one));
  }
}

ExprPtr TemporalTile::unless_inside(int axis, const ExprPtr& condition) const {
  const ExprPtr& near = at_boundary[axis];
  if (!near) return condition;
  return kernel::bin(BinOp::or_, kernel::make(kernel::Type::boolean, kernel::Not{near}), condition);
}
// Where rows are prefetched by one function inside and near the boundary, this says of a tile's
// place.
bool TemporalTile::prefetch_tells_boundary() const {
  return at_boundary[0] && at_boundary[0] == at_boundary[1];
}
ExprPtr TemporalTile::from_x() const {
  return prefetch_tells_boundary() ? kernel::pick(at_boundary[0], from_, x) : from_;
}
ExprPtr TemporalTile::prefetch_whole() const {
  return prefetch_tells_boundary() ? unless_inside(0, loads_) : loads_;
}
ExprPtr TemporalTile::near_ends(const ExprPtr& row, const ExprPtr& inside) const {
  return at_boundary[1] ? kernel::pick(at_boundary[1], row, inside) : row;
}

// Which parts of its vectors a lane stores.
void TemporalTile::declare_stores(Body& body) {
  if (is_column()) {
    // Of tiles that were set back, the next one stores a vector in which it begins to.
    const ExprPtr last = kernel::add(kernel::add(x, width()), -1);
    const ExprPtr stores = kernel::both(kernel::bin(BinOp::ge, last, first_stored),
                                        kernel::bin(BinOp::lt, wraps(0) ? last : x, end_stored));
    parts.push_back({0, schedule_.vector, declare("stores", stores, context_.names, body)});
    return;
  }
  const int vector = schedule_.vector;
  const int part = stores_vectors() ? vector : temporal_.part;
  for (int first = 0; first < vector; first += part) {
    const int low = (temporal_.lost_left - first + vector - 1) / vector;
    const int high = (cells() - temporal_.lost_right - first - part) / vector + 1;
    ExprPtr own;
    if (low > 0) own = kernel::bin(BinOp::ge, lane_, constant("first_storing", low));
    if (high < kLanes)
      own = kernel::both(own, kernel::bin(BinOp::lt, lane_, constant("end_storing", high)));
    if (low < temporal_.left_lanes) own = kernel::both(own, kernel::bin(BinOp::ge, x, index(0)));
    if (is_tile()) own = kernel::both(own, kernel::bin(BinOp::lt, x, extent(0)));
    if (own)
      own = declare(part == vector ? "stores" : "stores_" + std::to_string(first), own,
                    context_.names, body);
    parts.push_back({first, part, own});
  }
}

std::string TemporalTile::stored_of_tile() const {
  const int vector = schedule_.vector;
  const bool vectors = stores_vectors();
  return (vectors ? "32 vectors" : std::to_string(cells()) + " cells") + ", of which it stores " +
         std::to_string(temporal_.stored_cells(vector) / (vectors ? vector : 1));
}

kernel::AsyncCopy TemporalTile::copy_of(const Stepped& one, const std::vector<ExprPtr>& at,
                                        const std::vector<ExprPtr>& from, const ExprPtr& row,
                                        const ExprPtr& inside) const {
  kernel::AsyncCopy copy;
  copy.to = one.ahead;
  copy.from = context_.levels[one.field][0];
  copy.to_row = row;
  copy.to_at = own();
  copy.from_at = linear(context_, from);
  copy.width = schedule_.vector;
  copy.whole = inside;
  copy.local = one.at;
  copy.at = at;
  copy.ghost = one.ghost;
  copy.follow = follow_;
  return copy;
}

kernel::AsyncCopy TemporalTile::copy_of_row(const Stepped& one, const ExprPtr& row,
                                            const ExprPtr& slot) const {
  ExprPtr from = row, inside = prefetch_whole();
  if (const auto map = map_along(context_.stencil.fields[one.field].boundary, 1))
    from = near_ends(kernel::call(kernel::Type::index, *map, {row, extent(1)}), row);
  else
    inside = kernel::both(inside, unless_inside(1, in_rows(row)));
  kernel::AsyncCopy copy = copy_of(one, {x, row}, {from_x(), from}, ahead_row(slot), inside);
  if (follow_ && !map_along(context_.stencil.fields[one.field].boundary, 1))
    copy.follow = kernel::both(follow_, unless_inside(1, in_rows(row)));
  return copy;
}

// With a row comes that of t-1 which the first time step then reads, `lag` rows before.
kernel::AsyncCopy TemporalTile::copy_before(const Stepped& one, const ExprPtr& row,
                                            const ExprPtr& slot) const {
  const ExprPtr y = kernel::add(row, -temporal_.lag);
  const ExprPtr from =
      near_ends(kernel::call(kernel::Type::index, wraps(1) ? kernel::Fn::wrap : kernel::Fn::clamp,
                             {y, extent(1)}),
                y);
  kernel::AsyncCopy copy =
      copy_of(one, {x, y}, {from_x(), from}, ahead_row(slot), prefetch_whole());
  copy.to = *one.before_ahead;
  copy.from = context_.levels[one.field][1];
  copy.local = before_at_;
  copy.ghost = lower::constant(ir::Scalar{context_.stencil.fields[one.field].type});
  return copy;
}

// As it is read at the cell itself, outside the grid any row will do, but for what wraps around.
kernel::AsyncCopy TemporalTile::copy_of_input(const Waiting& one, const ExprPtr& row,
                                              const ExprPtr& slot) const {
  const ExprPtr from =
      near_ends(kernel::call(kernel::Type::index, wraps(1) ? kernel::Fn::wrap : kernel::Fn::clamp,
                             {row, extent(1)}),
                row);
  Stepped stepped;
  stepped.field = one.field;
  stepped.ahead = one.ahead;
  stepped.at = before_at_;
  stepped.ghost = lower::constant(ir::Scalar{context_.stencil.fields[one.field].type});
  return copy_of(stepped, {x, row}, {from_x(), from}, ahead_row(slot), prefetch_whole());
}

ExprPtr TemporalTile::ahead_row(const ExprPtr& slot) const {
  return kernel::add(kernel::mul(warp, ring_depth()), slot);
}

ExprPtr TemporalTile::ahead_row(const ExprPtr& slot, const ExprPtr& rows_back, Names& names,
                                Body& body) const {
  const ExprPtr before =
      declare("before_slot", kernel::bin(BinOp::sub, slot, rows_back), names, body);
  return ahead_row(kernel::pick(kernel::bin(BinOp::lt, before, index(0)),
                                kernel::add(before, ring_depth()), before));
}

// Why the ring is as deep as it is, and why warps that stream on their own need no barrier.
void TemporalTile::note_ring(Body& body) const {
  const auto rows_or_planes = [](int count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  if (is_tile()) {
    const int others = depth() - schedule_.ahead - 1;
    body.push_back({kernel::Note{"Prefetch ring of planes. The prefetch distance is " +
                                 rows_or_planes(schedule_.ahead, "plane") + "; " +
                                 (temporal_.unassigned_rows < 0
                                      ? "the slot of the plane before is still read."
                                      : rows_or_planes(others, "more slot") +
                                            " hold planes for cells that no step assigns.")}});
    return;
  }
  const int behind = depth() - schedule_.ahead - 1;
  body.push_back(
      {kernel::Note{"Prefetch ring of rows, one for each warp. The prefetch distance is " +
                    rows_or_planes(schedule_.ahead, "row") +
                    (behind > 0 ? "; " + rows_or_planes(behind, "more slot") +
                                      " hold rows until the last step has read them"
                                : "") +
                    ". A lane reads only what it copied itself, so no barrier is needed."}});
}

}  // namespace stencilc::lower
