#include "lower/temporal/common/prefetch.h"

#include <algorithm>

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/boundary/grid_ends.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

// Rows are copied ahead: each lane copies its own vector, and waits for no other.
void Prefetch::declare(Body& body) {
  near_ = layout_.at_boundary;
  kernel::Local local{context_.names.claim("prefetch"), {}, {}, ""};
  Names names = context_.names;
  for (const char* param : {layout_.is_tile() ? "plane" : "row", "slot"})
    local.params.push_back(names.claim(param));
  const ExprPtr along = kernel::var(local.params[0]), slot = kernel::var(local.params[1]);
  if (!layout_.is_tile() && !near_[0]) {
    local.flag = names.claim("at_boundary");
    near_[0] = near_[1] = kernel::var(local.flag, kernel::Type::boolean);
  }
  if (layout_.is_tile()) {
    if (tells_ends) {
      local.flag = names.claim("at_boundary");
      near_[1] = kernel::var(local.flag, kernel::Type::boolean);
    }
    if (temporal_.before_bytes > 0) {
      local.params.push_back(names.claim("old_slot"));
      before_slot_ = kernel::var(local.params.back());
    }
    from_plane_ = layout_.wraps(2) ? lower::declare("at_" + context_.axes[2],
                                                    layout_.wrapped(along, 2), names, local.body)
                                   : along;
    for (const Stepped& one : rows_.fields) {
      const Maps by = maps_of_planes(one);
      const ExprPtr mapped = mapped_plane(by, along);
      if (mapped && mapped_planes_.count(by) == 0)
        mapped_planes_[by] =
            lower::declare("at_" + context_.axes[2], near_ends(mapped, along), names, local.body);
    }
    declare_beside_tile(body);
    if (layout_.wraps(1)) declare_starts(body);
    append(local.body, copies_of_plane(along, slot, names));
  } else {
    for (const Stepped& one : rows_.fields) {
      local.body.push_back({copy_of_row(one, along, slot)});
      if (one.before) local.body.push_back({copy_before(one, along, slot)});
    }
    for (const Waiting& one : rows_.inputs) local.body.push_back({copy_of_input(one, along, slot)});
  }
  local.body.push_back({kernel::Commit{}});
  if (tells_ends) near_[1] = nullptr;
  name_ = local.name;
  body.push_back(
      {kernel::Note{layout_.is_tile() ? "Each lane prefetches its own vectors of a plane."
                                      : "Each lane prefetches its own vector of a row."}});
  body.push_back({std::move(local)});
}

void Prefetch::start(const ExprPtr& first, Body& body) const {
  for (int n = 0; n < schedule_.ahead; ++n) {
    const ExprPtr row = kernel::add(first, n), slot = index(n);
    body.push_back(layout_.is_tile() ? ask(row, slot, temporal_.past() > 0 ? slot : nullptr)
                                     : ask_row(row, slot, "", true));
  }
}

kernel::Stmt Prefetch::ask(const ExprPtr& row, const ExprPtr& slot, const ExprPtr& before_slot,
                           bool at_ends) const {
  std::vector<ExprPtr> args = {row, slot};
  if (before_slot) args.push_back(before_slot);
  return {kernel::Perform{name_, !tells_ends ? -1 : at_ends ? 1 : 0, args}};
}

kernel::Stmt Prefetch::ask_row(const ExprPtr& row, const ExprPtr& slot, const std::string& near,
                               bool flag) const {
  kernel::Stmt stmt = ask(row, slot);
  if (!tells_boundary()) return stmt;
  auto& call = std::get<kernel::Perform>(stmt.node);
  call.flag_of = near;
  call.flag = flag ? 1 : 0;
  return stmt;
}

// Where rows are prefetched by one function inside and near the boundary, this says of a tile's
// place.
bool Prefetch::tells_boundary() const { return near_[0] && near_[0] == near_[1]; }

ExprPtr Prefetch::copied_x() const {
  return tells_boundary() ? kernel::pick(near_[0], layout_.load_x, layout_.x) : layout_.load_x;
}

ExprPtr Prefetch::whole_row() const {
  return tells_boundary() ? unless(near_[0], layout_.loads_whole) : layout_.loads_whole;
}

ExprPtr Prefetch::near_ends(const ExprPtr& row, const ExprPtr& inside) const {
  return near_[1] ? kernel::pick(near_[1], row, inside) : row;
}

kernel::AsyncCopy Prefetch::copy_of(const Stepped& one, const std::vector<ExprPtr>& at,
                                    const std::vector<ExprPtr>& from, const ExprPtr& row,
                                    const ExprPtr& inside) const {
  kernel::AsyncCopy copy;
  copy.to = one.ahead;
  copy.from = context_.levels[one.field][0];
  copy.to_row = row;
  copy.to_at = layout_.own();
  copy.from_at = linear_of_any(context_, from);
  copy.width = layout_.vector();
  copy.whole = inside;
  copy.local = one.at;
  copy.at = at;
  copy.ghost = one.ghost;
  copy.follow = layout_.contiguous;
  return copy;
}

kernel::AsyncCopy Prefetch::copy_of_row(const Stepped& one, const ExprPtr& row,
                                        const ExprPtr& slot) const {
  ExprPtr from = row, inside = whole_row();
  if (const auto map = map_along(context_.stencil.fields[one.field].boundary, 1))
    from = near_ends(kernel::call(kernel::Type::index, *map, {row, layout_.extent(1)}), row);
  else
    inside = kernel::both(inside, unless(near_[1], layout_.in_rows(row)));
  kernel::AsyncCopy copy =
      copy_of(one, {layout_.x, row}, {copied_x(), from}, rows_.ahead_row(slot), inside);
  if (layout_.contiguous && !map_along(context_.stencil.fields[one.field].boundary, 1))
    copy.follow = kernel::both(layout_.contiguous, unless(near_[1], layout_.in_rows(row)));
  return copy;
}

// With a row comes that of t-1 which the first time step then reads, `lag` rows before.
kernel::AsyncCopy Prefetch::copy_before(const Stepped& one, const ExprPtr& row,
                                        const ExprPtr& slot) const {
  const ExprPtr y = kernel::add(row, -temporal_.lag);
  const ExprPtr from = near_ends(
      kernel::call(kernel::Type::index, layout_.wraps(1) ? kernel::Fn::wrap : kernel::Fn::clamp,
                   {y, layout_.extent(1)}),
      y);
  kernel::AsyncCopy copy =
      copy_of(one, {layout_.x, y}, {copied_x(), from}, rows_.ahead_row(slot), whole_row());
  copy.to = *one.before_ahead;
  copy.from = context_.levels[one.field][1];
  copy.local = rows_.before_at();
  copy.ghost = lower::constant(ir::Scalar{context_.stencil.fields[one.field].type});
  return copy;
}

// As it is read at the cell itself, outside the grid any row will do, but for what wraps around.
kernel::AsyncCopy Prefetch::copy_of_input(const Waiting& one, const ExprPtr& row,
                                          const ExprPtr& slot) const {
  const ExprPtr from = near_ends(
      kernel::call(kernel::Type::index, layout_.wraps(1) ? kernel::Fn::wrap : kernel::Fn::clamp,
                   {row, layout_.extent(1)}),
      row);
  Stepped stepped;
  stepped.field = one.field;
  stepped.ahead = one.ahead;
  stepped.at = rows_.before_at();
  stepped.ghost = lower::constant(ir::Scalar{context_.stencil.fields[one.field].type});
  return copy_of(stepped, {layout_.x, row}, {copied_x(), from}, rows_.ahead_row(slot), whole_row());
}

// Rows beside a tile are copied by the warps next to them: by one variant, where both have as many,
// of rows of which the same is asked.
void Prefetch::declare_beside_tile(Body& body) {
  const auto laid_of_fields = [&](int end) {
    std::vector<bool> of_fields;
    for (const Stepped& one : rows_.fields) of_fields.push_back(halo_.is_laid(one.field, end));
    return of_fields;
  };
  if (temporal_.below != temporal_.above || temporal_.below == 0 || schedule_.threads[1] == 1 ||
      laid_of_fields(0) != laid_of_fields(1))
    return;
  Names& names = context_.names;
  const ExprPtr first = kernel::bin(BinOp::eq, layout_.warp, index(0));
  const ExprPtr last = kernel::bin(BinOp::eq, layout_.warp, kernel::add(layout_.warps(), -1));
  const ExprPtr row =
      pick(first, index(-temporal_.below), layout_.constant("tile_rows", layout_.tile_rows()));
  laid_ = std::all_of(rows_.fields.begin(), rows_.fields.end(), [&](const Stepped& one) {
    return halo_.is_laid(one.field, 0) && halo_.is_laid(one.field, 1);
  });
  const ExprPtr at_end =
      lower::declare(laid_ ? "at_end" : "beside", kernel::either(first, last), names, body);
  beside_row_ = lower::declare("beside_row", row, names, body);
  copies_beside_ = at_end;
  if (!laid_) return;
  if (temporal_.below == 1)
    copies_beside_ = lower::declare(
        "beside",
        kernel::both(at_end,
                     layout_.in_grid(kernel::add(layout_.first_tile_row(), beside_row_), 1)),
        names, body);
  lay_beside_tile(at_end, body);
}

// Rows beside a tile that are not in the grid, in all places of the ring: none is copied over them.
void Prefetch::lay_beside_tile(const ExprPtr& at_end, Body& body) {
  const auto none = [](const ExprPtr& condition) {
    return kernel::make(kernel::Type::boolean, kernel::Not{condition});
  };
  const auto lay = [&](const ExprPtr& row) {
    Body rows;
    for (const Stepped& one : rows_.fields)
      for (kernel::Stmt& stmt :
           rows_.constant_rows(one.ahead, one.ghost, rows_.ring.depth(),
                               [&](const ExprPtr& slot) { return rows_.ahead_row(slot, row); }))
        rows.push_back(std::move(stmt));
    return rows;
  };
  body.push_back({kernel::Note{"Rows outside the grid are a constant."}});
  if (temporal_.below == 1) {
    const ExprPtr outside = kernel::both(at_end, none(copies_beside_));
    body.push_back({kernel::If{outside, lay(beside_row_), {}}});
    return;
  }
  Names names = context_.names;
  For rows = unrolled(names.claim("r"), 0, temporal_.below);
  const ExprPtr row = kernel::add(beside_row_, kernel::var(rows.name));
  const ExprPtr outside = none(layout_.in_grid(kernel::add(layout_.first_tile_row(), row), 1));
  rows.body.push_back({kernel::If{outside, lay(row), {}}});
  body.push_back({kernel::If{at_end, {{std::move(rows)}}, {}}});
}

// Where the grid goes round: where in a plane the rows begin that a warp copies, found out once.
void Prefetch::declare_starts(Body& body) {
  const auto start = [&](const ExprPtr& at, Names& names, Body& to) {
    const std::string& axis = context_.axes[1];
    const ExprPtr row = lower::declare("row_" + axis, at, names, to);
    const ExprPtr wrapped = lower::declare("at_" + axis, layout_.wrapped(row, 1), names, to);
    return kernel::add(kernel::mul(wrapped, kernel::var(context_.pitch)), layout_.load_x);
  };
  const auto starts_of = [&](const std::string& wanted, const ExprPtr& first, int rows) {
    kernel::Buffer starts;
    starts.name = context_.names.claim(wanted);
    starts.element = kernel::Type::index;
    starts.writable = true;
    starts.registers = rows;
    body.push_back({kernel::Array{starts}});
    Names names = context_.names;
    For loop = unrolled(names.claim("r"), 0, rows);
    if (rows == 1) {
      body.push_back({kernel::Store{starts, index(0), start(first, context_.names, body)}});
      return starts;
    }
    const ExprPtr r = kernel::var(loop.name);
    const ExprPtr at = start(kernel::add(first, r), names, loop.body);
    loop.body.push_back({kernel::Store{starts, r, at}});
    body.push_back({std::move(loop)});
    return starts;
  };
  body.push_back(
      {kernel::Note{"The offsets in a plane that a lane copies from: rows may wrap around."}});
  starts_ = starts_of("starts", layout_.y, schedule_.rows);
  const auto beside = [&](const ExprPtr& row, int rows) {
    return rows > 0 ? starts_of("starts_beside", kernel::add(layout_.first_tile_row(), row), rows)
                    : kernel::Buffer{};
  };
  const int below = temporal_.below, above = temporal_.above;
  starts_beside_[0] = beside(copies_beside_ ? beside_row_ : index(-below), below);
  starts_beside_[1] = copies_beside_
                          ? starts_beside_[0]
                          : beside(layout_.constant("tile_rows", layout_.tile_rows()), above);
}

// A warp's own rows, and those beside the tile.
Body Prefetch::copies_of_plane(const ExprPtr& plane, const ExprPtr& slot,
                               const Names& names) const {
  // Of so many rows from the row `from` of the tile on.
  const auto rows = [&](const ExprPtr& from, int count, std::optional<int> end = {}) {
    Body copies;
    Names inner = names;
    For loop = unrolled(inner.claim("r"), 0, count);
    for (const Stepped& one : rows_.fields) {
      const auto add = [&](bool all, const auto& make) {
        const bool at_once = count == 1 || all;
        const ExprPtr r = at_once ? index(0) : kernel::var(loop.name);
        Body& to = at_once ? copies : loop.body;
        RowOfTile row{kernel::add(from, r),
                      kernel::add(end ? kernel::add(layout_.first_tile_row(), from) : layout_.y, r),
                      nullptr};
        if (layout_.wraps(1))
          row.start = kernel::make(kernel::Type::index,
                                   kernel::Load{end ? starts_beside_[*end] : starts_, r, nullptr});
        kernel::AsyncCopy copy = make(row);
        if (count > 1 && all) {
          copy.rows = count;
          copy.pitch = kernel::var(context_.pitch);
        }
        if (end && laid_ && temporal_.below > 1)
          to.push_back({kernel::If{layout_.in_grid(row.at, 1), {{std::move(copy)}}, {}}});
        else
          to.push_back({std::move(copy)});
      };
      add(!end && !layout_.wraps(1) && one.ghost,
          [&](const RowOfTile& row) { return copy_of_plane(one, plane, slot, row, end); });
      if (!one.before || end) continue;
      add(!layout_.wraps(1),
          [&](const RowOfTile& row) { return copy_of_plane_before(one, plane, row); });
    }
    if (!loop.body.empty()) copies.push_back({std::move(loop)});
    return copies;
  };
  const int below = temporal_.below, above = temporal_.above;
  Body body = rows(kernel::mul(layout_.warp, layout_.warp_rows()), schedule_.rows);
  if (copies_beside_) {
    body.push_back({kernel::If{copies_beside_, rows(beside_row_, below, 0), {}}});
    return body;
  }
  if (below > 0)
    body.push_back({kernel::If{
        kernel::bin(BinOp::eq, layout_.warp, index(0)), rows(index(-below), below, 0), {}}});
  if (above > 0)
    body.push_back(
        {kernel::If{kernel::bin(BinOp::eq, layout_.warp, kernel::add(layout_.warps(), -1)),
                    rows(layout_.constant("tile_rows", layout_.tile_rows()), above, 1),
                    {}}});
  return body;
}

Prefetch::Maps Prefetch::maps_of_planes(const Stepped& one) const {
  const auto& sides = context_.stencil.fields[one.field].boundary.sides[2];
  return {ghost_map(sides[0]), ghost_map(sides[1])};
}

// Null: beyond no end a plane of the grid stands for others, or it was found already.
ExprPtr Prefetch::mapped_plane(const Maps& by, const ExprPtr& plane) const {
  const auto map = [&](int end) {
    return kernel::call(kernel::Type::index, *by[end], {plane, layout_.extent(2)});
  };
  if ((!by[0] && !by[1]) || by[0] == kernel::Fn::wrap) return nullptr;
  if (!by[0] || !by[1] || by[0] == by[1]) return map(by[0] ? 0 : 1);
  return pick(beyond_end(context_, 2, 0, plane), map(0), map(1));
}

kernel::AsyncCopy Prefetch::copy_of_plane(const Stepped& one, const ExprPtr& plane,
                                          const ExprPtr& slot, const RowOfTile& of,
                                          std::optional<int> beside) const {
  const ir::Boundary& boundary = context_.stencil.fields[one.field].boundary;
  ExprPtr row = of.at, in_plane = from_plane_;
  ExprPtr is_there;  // what is asked of the row and the plane
  if (!layout_.wraps(1) && beside) {
    // Rows beyond the grid are made of the tile's own, or all of them a constant.
    if (const auto by = map_along(boundary, 1)) {
      row = kernel::call(kernel::Type::index, *by, {row, layout_.extent(1)});
    } else if (!laid_) {
      row = kernel::call(kernel::Type::index, kernel::Fn::clamp, {row, layout_.extent(1)});
      if (halo_.is_laid(one.field, *beside)) is_there = layout_.in_grid(of.at, 1);
    }
  }
  const Maps by = maps_of_planes(one);
  if (const auto mapped = mapped_planes_.find(by); mapped != mapped_planes_.end())
    in_plane = mapped->second;
  const ExprPtr behind_first = by[0] ? nullptr : before_end(context_, 2, 0, plane);
  const ExprPtr before_last = by[1] ? nullptr : before_end(context_, 2, 1, plane);
  if (const ExprPtr there = kernel::both(behind_first, before_last))
    is_there = kernel::both(is_there, unless(near_[1], there));
  kernel::AsyncCopy copy = copy_of(one, {layout_.x, of.at, plane}, {layout_.load_x, row, in_plane},
                                   rows_.ahead_row(slot, of.row), layout_.loads_whole);
  if (of.start) copy.from_at = in_plane_from(of.start, in_plane);
  return of_rows(std::move(copy), is_there);
}

// What begins at `start` in a plane, of the z-th one.
ExprPtr Prefetch::in_plane_from(const ExprPtr& start, const ExprPtr& z) const {
  return kernel::add(kernel::mul(context_.box.any_place(2, z), kernel::var(context_.plane)), start);
}

// All of the vector is where it follows from its first cell, if it is in memory; and what is not
// may be one value.
kernel::AsyncCopy Prefetch::of_rows(kernel::AsyncCopy copy, const ExprPtr& is_there) const {
  if (is_there && !copy.ghost) {
    copy.whole = kernel::both(copy.whole, is_there);
    copy.follow = is_there;
    return copy;
  }
  copy.local.clear();
  copy.there = is_there;
  return copy;
}

// The plane of t-1 that is read when the one that comes with it has arrived. It is read at the cell
// itself: what lies beyond the ends of the grid is no matter.
kernel::AsyncCopy Prefetch::copy_of_plane_before(const Stepped& one, const ExprPtr& plane,
                                                 const RowOfTile& of) const {
  const ExprPtr z = kernel::add(plane, -temporal_.before_lag());
  const ExprPtr in_plane =
      layout_.wraps(2)
          ? layout_.wrapped(z, 2)
          : near_ends(kernel::call(kernel::Type::index, kernel::Fn::clamp, {z, layout_.extent(2)}),
                      z);
  kernel::AsyncCopy copy = copy_of(one, {layout_.x, of.at, z}, {layout_.load_x, of.at, in_plane},
                                   rows_.before_row(before_slot_, of.row), layout_.loads_whole);
  if (of.start) copy.from_at = in_plane_from(of.start, in_plane);
  copy.to = *one.before_ahead;
  copy.from = context_.levels[one.field][1];
  return of_rows(std::move(copy), nullptr);
}

}  // namespace stencilc::lower
