// Rows and planes that are on their way.
#include "lower/fill.h"
#include "lower/ring_rim.h"
#include "lower/standing.h"
#include "lower/strip.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

// Rows are copied ahead: each lane copies its own vector, and waits for no other.
void Strip::declare_ask(Body& body) {
  kernel::Local local{context_.names.claim("ask"), {}, {}, ""};
  Names names = context_.names;
  for (const char* param : {is_tile() ? "plane" : "row", "place"})
    local.params.push_back(names.claim(param));
  const ExprPtr along = kernel::var(local.params[0]), place = kernel::var(local.params[1]);
  if (!is_tile() && !at_rim[0]) {
    local.flag = names.claim("near");
    at_rim[0] = at_rim[1] = kernel::var(local.flag, kernel::Type::boolean);
  }
  if (is_tile()) {
    if (asks_at_ends) {
      local.flag = names.claim("near");
      at_rim[1] = kernel::var(local.flag, kernel::Type::boolean);
    }
    if (temporal_.before_bytes > 0) {
      local.params.push_back(names.claim("prior"));
      before_place_ = kernel::var(local.params.back());
    }
    declare_whole(along, names, local.body);
    from_plane_ =
        wraps(2) ? declare("at_" + context_.axes[2], wrapped(along, 2), names, local.body) : along;
    for (const Stepped& one : fields) {
      const auto map = map_along(context_.stencil.fields[one.field].boundary, 2);
      if (!map || *map == kernel::Fn::wrap || mapped_planes_.count(*map)) continue;
      const ExprPtr mapped = kernel::call(kernel::Type::index, *map, {along, extent(2)});
      mapped_planes_[*map] =
          declare("at_" + context_.axes[2], near_ends(mapped, along), names, local.body);
    }
    Body copies = copies_of_plane(along, place, true, names);
    if (wraps(1)) {
      kernel::If split{declare_follow(body), std::move(copies),
                       copies_of_plane(along, place, false, names)};
      local.body.push_back({std::move(split)});
    } else {
      for (kernel::Stmt& copy : copies) local.body.push_back(std::move(copy));
    }
  } else {
    for (const Stepped& one : fields) {
      local.body.push_back({copy_of_row(one, along, place)});
      if (one.before) local.body.push_back({copy_before(one, along, place)});
    }
    for (const Waiting& one : inputs) local.body.push_back({copy_of_input(one, along, place)});
  }
  local.body.push_back({kernel::Commit{}});
  if (asks_at_ends) at_rim[1] = nullptr;
  ask_ = local.name;
  body.push_back(
      {kernel::Note{is_tile() ? "Each lane copies its vectors of a plane some planes ahead."
                              : "Each lane copies its vector of a row some rows ahead."}});
  body.push_back({std::move(local)});
}

kernel::Stmt Strip::ask_row(const ExprPtr& row, const ExprPtr& place, const std::string& near,
                            bool flag) const {
  kernel::Stmt stmt = ask(row, place);
  if (!asks_where()) return stmt;
  auto& asked = std::get<kernel::Perform>(stmt.node);
  asked.flag_of = near;
  asked.flag = flag ? 1 : 0;
  return stmt;
}

// It is read at the cell itself: beyond the rim nothing is, but for what wraps around.
void Strip::declare_before_at(Body& body) {
  before_at_ = context_.names.claim(inputs.empty() ? "before_place" : "own_place");
  kernel::Local local{before_at_, {}, {}, ""};
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (int a = 0; a < context_.rank(); ++a) {
    local.params.push_back(names.claim("cell_" + context_.axes[a]));
    const ExprPtr cell = kernel::var(local.params.back());
    at.push_back(is_tile() && wraps(a)
                     ? declare("at_" + context_.axes[a], wrapped(cell, a), names, local.body)
                     : kernel::call(kernel::Type::index,
                                    wraps(a) ? kernel::Fn::wrap : kernel::Fn::clamp,
                                    {cell, extent(a)}));
  }
  local.body.push_back({kernel::Return{linear(context_, at)}});
  const std::string what = inputs.empty() ? "a cell of t-1" : "a cell that is read by itself";
  body.push_back({kernel::Note{
      "Where " + what + " is in memory" +
      (wraps(0) || wraps(1) || (is_tile() && wraps(2)) ? "." : "; none beyond the rim is read.")}});
  body.push_back({std::move(local)});
}

// Of fields that no step makes: rows that wait in shared memory.
void Strip::name_inputs(Body& body) {
  for (const int field : temporal_.inputs) {
    const kernel::Buffer& memory = context_.levels[field][0];
    Waiting one;
    one.field = field;
    one.ahead =
        shared(memory.name + "_ahead", memory.element, schedule_.threads[1] * depth(), body);
    one.row.name = context_.names.claim(memory.name + "_row");
    one.row.element = memory.element;
    one.row.writable = true;
    one.row.registers = schedule_.vector;
    inputs.push_back(std::move(one));
  }
}

// Does a lane load its vectors of the plane whole?
void Strip::declare_whole(const ExprPtr& plane, Names& names, Body& body) {
  loads_plane_ = loads_;
  if (wraps(0)) return;
  body.push_back({kernel::Note{
      "Before the last plane there is memory behind each row, for a vector that it ends in."}});
  const ExprPtr before_last =
      kernel::both(kernel::bin(BinOp::ge, plane, index(0)),
                   kernel::bin(BinOp::lt, kernel::add(plane, 1), extent(2)));
  const ExprPtr aligned = kernel::var(context_.aligned, kernel::Type::boolean);
  loads_plane_ = declare(
      "whole", kernel::bin(BinOp::or_, loads_, kernel::both(aligned, before_last)), names, body);
}

// Where the grid goes round: do the rows of a warp, and those beside them, lie in it one behind the
// other, and does the lane load whole vectors of them?
ExprPtr Strip::declare_follow(Body& body) {
  const ExprPtr behind = kernel::add(y, schedule_.rows + temporal_.above);
  return declare(
      "follow",
      kernel::both(loads_, kernel::both(kernel::bin(BinOp::ge, y, index(temporal_.below)),
                                        kernel::bin(BinOp::le, behind, extent(1)))),
      context_.names, body);
}

// A warp's own rows, and those beside the tile by the warps next to them.
Body Strip::copies_of_plane(const ExprPtr& plane, const ExprPtr& place, bool follow,
                            const Names& names) const {
  const auto rows = [&](int first, int behind, std::optional<int> end = {}) {
    Body copies;
    Names inner = names;
    For loop = unrolled(inner.claim("r"), first, behind);
    if (!follow) loop.mark = For::rolled;
    for (const Stepped& one : fields) {
      const bool alone = behind - first == 1;
      const auto add = [&](bool all, const auto& make) {
        const bool at_once = alone || all;
        const ExprPtr r = at_once ? index(first) : kernel::var(loop.name);
        Body& to = at_once ? copies : loop.body;
        ExprPtr row = kernel::add(y, r);
        if (!follow) row = declare("at_" + context_.axes[1], wrapped(row, 1), inner, to);
        kernel::AsyncCopy copy = make(r, row);
        if (!alone && all) {
          copy.rows = behind - first;
          copy.pitch = kernel::var(context_.pitch);
        }
        to.push_back({std::move(copy)});
      };
      add(follow && (!end || wraps(1)) && one.beyond, [&](const ExprPtr& r, const ExprPtr& row) {
        return copy_of_plane(one, plane, place, r, row, follow, end);
      });
      if (!one.before || end) continue;
      add(follow, [&](const ExprPtr& r, const ExprPtr& row) {
        return copy_of_plane_before(one, plane, r, row, follow);
      });
    }
    if (!loop.body.empty()) copies.push_back({std::move(loop)});
    return copies;
  };
  const int own = schedule_.rows;
  Body body = rows(0, own);
  const auto beside = [&](int end, int first, int behind) {
    if (first == behind) return;
    const int of_warp = end == 0 ? 0 : schedule_.threads[1] - 1;
    body.push_back(
        {kernel::If{kernel::bin(BinOp::eq, warp, index(of_warp)), rows(first, behind, end), {}}});
  };
  beside(0, -temporal_.below, 0);
  beside(1, own, own + temporal_.above);
  return body;
}

ExprPtr Strip::unless_inside(int axis, const ExprPtr& condition) const {
  const ExprPtr& rim = at_rim[axis];
  if (!rim) return condition;
  return kernel::bin(BinOp::or_, kernel::make(kernel::Type::boolean, kernel::Not{rim}), condition);
}
// Where rows are asked for by one function inside and near the rim, this says of a strip's place.
bool Strip::asks_where() const { return at_rim[0] && at_rim[0] == at_rim[1]; }
ExprPtr Strip::from_x() const { return asks_where() ? kernel::pick(at_rim[0], from_, x) : from_; }
ExprPtr Strip::asked_whole() const { return asks_where() ? unless_inside(0, loads_) : loads_; }
ExprPtr Strip::near_ends(const ExprPtr& row, const ExprPtr& inside) const {
  return at_rim[1] ? kernel::pick(at_rim[1], row, inside) : row;
}

// Which parts of its vectors a lane stores.
void Strip::declare_stores(Body& body) {
  const int vector = schedule_.vector;
  const int width = stores_vectors() ? vector : temporal_.part;
  for (int first = 0; first < vector; first += width) {
    const int low = (temporal_.lost_left - first + vector - 1) / vector;
    const int high = (cells() - temporal_.lost_right - first - width) / vector + 1;
    ExprPtr own;
    if (low > 0) own = kernel::bin(BinOp::ge, lane_, index(low));
    if (high < kLanes) own = kernel::both(own, kernel::bin(BinOp::lt, lane_, index(high)));
    if (low < temporal_.left_lanes) own = kernel::both(own, kernel::bin(BinOp::ge, x, index(0)));
    if (is_tile()) own = kernel::both(own, kernel::bin(BinOp::lt, x, extent(0)));
    if (own)
      own = declare(width == vector ? "stores" : "stores_" + std::to_string(first), own,
                    context_.names, body);
    parts.push_back({first, width, own});
  }
}

std::string Strip::stored_of_strip() const {
  const int vector = schedule_.vector;
  const bool vectors = stores_vectors();
  return (vectors ? "32 vectors" : std::to_string(cells()) + " cells") + ", of which it stores " +
         std::to_string(temporal_.stored_cells(vector) / (vectors ? vector : 1));
}

kernel::AsyncCopy Strip::copy_of(const Stepped& one, const std::vector<ExprPtr>& at,
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
  copy.beyond = one.beyond;
  copy.follow = follow_;
  return copy;
}

kernel::AsyncCopy Strip::copy_of_row(const Stepped& one, const ExprPtr& row,
                                     const ExprPtr& place) const {
  ExprPtr from = row, inside = asked_whole();
  if (const auto map = map_along(context_.stencil.fields[one.field].boundary, 1))
    from = near_ends(kernel::call(kernel::Type::index, *map, {row, extent(1)}), row);
  else
    inside = kernel::both(inside, unless_inside(1, in_rows(row)));
  kernel::AsyncCopy copy = copy_of(one, {x, row}, {from_x(), from}, ahead_row(place), inside);
  if (follow_ && !map_along(context_.stencil.fields[one.field].boundary, 1))
    copy.follow = kernel::both(follow_, unless_inside(1, in_rows(row)));
  return copy;
}

// With a row comes that of t-1 which the first time step then reads, `lag` rows before.
kernel::AsyncCopy Strip::copy_before(const Stepped& one, const ExprPtr& row,
                                     const ExprPtr& place) const {
  const ExprPtr y = kernel::add(row, -temporal_.lag);
  const ExprPtr from =
      near_ends(kernel::call(kernel::Type::index, wraps(1) ? kernel::Fn::wrap : kernel::Fn::clamp,
                             {y, extent(1)}),
                y);
  kernel::AsyncCopy copy = copy_of(one, {x, y}, {from_x(), from}, ahead_row(place), asked_whole());
  copy.to = *one.before_ahead;
  copy.from = context_.levels[one.field][1];
  copy.local = before_at_;
  copy.beyond = constant(ir::Scalar{context_.stencil.fields[one.field].type});
  return copy;
}

// As it is read at the cell itself, beyond the rim any row will do, but for what wraps around.
kernel::AsyncCopy Strip::copy_of_input(const Waiting& one, const ExprPtr& row,
                                       const ExprPtr& place) const {
  const ExprPtr from =
      near_ends(kernel::call(kernel::Type::index, wraps(1) ? kernel::Fn::wrap : kernel::Fn::clamp,
                             {row, extent(1)}),
                row);
  Stepped stepped;
  stepped.field = one.field;
  stepped.ahead = one.ahead;
  stepped.at = before_at_;
  stepped.beyond = constant(ir::Scalar{context_.stencil.fields[one.field].type});
  return copy_of(stepped, {x, row}, {from_x(), from}, ahead_row(place), asked_whole());
}

kernel::AsyncCopy Strip::copy_of_plane(const Stepped& one, const ExprPtr& plane,
                                       const ExprPtr& place, const ExprPtr& r,
                                       const ExprPtr& from_row, bool follow,
                                       std::optional<int> beside) const {
  const ir::Boundary& boundary = context_.stencil.fields[one.field].boundary;
  const ExprPtr at = kernel::add(y, r);
  ExprPtr row = from_row, in_plane = from_plane_, inside = loads_plane_;
  const auto map = [&](int axis, ExprPtr& place) {
    const auto by = map_along(boundary, axis);
    if (by && *by != kernel::Fn::wrap)
      place = axis == 2 ? mapped_planes_.at(*by)
                        : kernel::call(kernel::Type::index, *by, {place, extent(axis)});
    return by.has_value();
  };
  if (wraps(1)) {
    if (follow) inside = nullptr;
  } else if (beside && !map(1, row)) {
    // Where the tile ends with the grid, rows beyond it are made of its own.
    row = kernel::call(kernel::Type::index, kernel::Fn::clamp, {at, extent(1)});
    const ExprPtr end = *beside == 0
                            ? kernel::bin(BinOp::eq, y, index(0))
                            : kernel::bin(BinOp::eq, kernel::add(y, schedule_.rows), extent(1));
    const ExprPtr in_grid =
        *beside == 0 ? kernel::bin(BinOp::ge, at, index(0)) : kernel::bin(BinOp::lt, at, extent(1));
    const bool made = !is_constant(one.field, *beside) || !lends_beyond(one.field, *beside);
    inside = kernel::both(inside, made ? kernel::bin(BinOp::or_, end, in_grid) : in_grid);
  }
  if (!map(2, in_plane)) inside = kernel::both(inside, unless_inside(1, in_rows(plane)));
  if (!inside) inside = kernel::make(kernel::Type::boolean, kernel::Int{1});
  kernel::AsyncCopy copy = copy_of(one, {x, at, plane}, {from_, row, in_plane},
                                   ahead_row(place, row_of(warp, r)), inside);
  // Inside along x a row is one of the grid, or all of it is the constant.
  const auto is_row = [&](int axis) {
    return map_along(boundary, axis) ||
           std::all_of(boundary.sides[axis].begin(), boundary.sides[axis].end(),
                       [](const ir::Side& side) { return side.edge == ir::Edge::constant; });
  };
  if (one.beyond && is_row(1) && is_row(2) && !(map_along(boundary, 1) && map_along(boundary, 2)))
    copy.rim = at_rim[0];
  return copy;
}

// The plane of t-1 that is read when the one that comes with it has arrived. It is read at the cell
// itself: what lies beyond the ends of the grid is no matter.
kernel::AsyncCopy Strip::copy_of_plane_before(const Stepped& one, const ExprPtr& plane,
                                              const ExprPtr& r, const ExprPtr& from_row,
                                              bool follow) const {
  const ExprPtr z = kernel::add(plane, -temporal_.before_lag());
  const ExprPtr in_plane =
      wraps(2) ? wrapped(z, 2)
               : near_ends(kernel::call(kernel::Type::index, kernel::Fn::clamp, {z, extent(2)}), z);
  const ExprPtr inside =
      wraps(1) && follow ? kernel::make(kernel::Type::boolean, kernel::Int{1}) : loads_plane_;
  kernel::AsyncCopy copy = copy_of(one, {x, kernel::add(y, r), z}, {from_, from_row, in_plane},
                                   before_row(before_place_, row_of(warp, r)), inside);
  copy.to = *one.before_ahead;
  copy.from = context_.levels[one.field][1];
  copy.local = before_at_;
  copy.beyond = constant(ir::Scalar{context_.stencil.fields[one.field].type});
  return copy;
}

ExprPtr Strip::ahead_row(const ExprPtr& place) const {
  return kernel::add(kernel::mul(warp, index(depth())), place);
}

ExprPtr Strip::ahead_row(const ExprPtr& place, const ExprPtr& rows_back, Names& names,
                         Body& body) const {
  const ExprPtr before = declare("before", kernel::bin(BinOp::sub, place, rows_back), names, body);
  return ahead_row(
      kernel::pick(kernel::bin(BinOp::lt, before, index(0)), kernel::add(before, depth()), before));
}

// Why the ring is as deep as it is, and why warps that march by themselves need no barrier.
void Strip::note_ring(Body& body) const {
  const std::string ahead = std::to_string(schedule_.ahead), places = std::to_string(depth());
  if (is_tile()) {
    body.push_back({kernel::Note{"Planes on their way: " + ahead +
                                 " are asked for ahead of the one in work, and rows of " +
                                 "the one before are still read: a ring of " + places + "."}});
    return;
  }
  const int behind = depth() - schedule_.ahead - 1;
  body.push_back({kernel::Note{
      "Rows on their way: " + ahead + " are asked for ahead of the one in work" +
      (behind > 0 ? ", and " + std::to_string(behind) + " wait until the last step has read them"
                  : "") +
      ": a ring of " + places +
      ". A lane reads what it asked for, and the rest of a row from other lanes: there is no "
      "barrier."}});
}

}  // namespace stencilc::lower
