// Planes that are on their way to a tile.
#include <algorithm>

#include "lower/boundary/ghost_plane.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/temporal/common/tile_layout.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

// Rows beside a tile are copied by the warps next to them: by one variant, where both have as many,
// of rows of which the same is asked.
void TemporalTile::declare_beside_tile(Body& body) {
  const auto laid_of_fields = [&](int end) {
    std::vector<bool> of_fields;
    for (const Stepped& one : fields) of_fields.push_back(is_laid(one.field, end));
    return of_fields;
  };
  if (temporal_.below != temporal_.above || temporal_.below == 0 || schedule_.threads[1] == 1 ||
      laid_of_fields(0) != laid_of_fields(1))
    return;
  Names& names = context_.names;
  const ExprPtr first = kernel::bin(BinOp::eq, warp, index(0));
  const ExprPtr last = kernel::bin(BinOp::eq, warp, kernel::add(warps(), -1));
  const ExprPtr row = pick(first, index(-temporal_.below), constant("tile_rows", tile_rows()));
  laid_ = std::all_of(fields.begin(), fields.end(), [&](const Stepped& one) {
    return is_laid(one.field, 0) && is_laid(one.field, 1);
  });
  const ExprPtr at_end =
      declare(laid_ ? "at_end" : "beside", kernel::either(first, last), names, body);
  beside_row_ = declare("beside_row", row, names, body);
  copies_beside_ = at_end;
  if (!laid_) return;
  if (temporal_.below == 1)
    copies_beside_ = declare(
        "beside", kernel::both(at_end, in_grid(kernel::add(below_, beside_row_), 1)), names, body);
  lay_beside_tile(at_end, body);
}

// Where the grid goes round: where in a plane the rows begin that a warp copies, found out once.
void TemporalTile::declare_starts(Body& body) {
  const auto start = [&](const ExprPtr& at, Names& names, Body& to) {
    const std::string& axis = context_.axes[1];
    const ExprPtr row = declare("row_" + axis, at, names, to);
    return linear(context_, {from_, declare("at_" + axis, wrapped(row, 1), names, to), index(0)});
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
  starts_ = starts_of("starts", y, schedule_.rows);
  const auto beside = [&](const ExprPtr& row, int rows) {
    return rows > 0 ? starts_of("starts_beside", kernel::add(below_, row), rows) : kernel::Buffer{};
  };
  const int below = temporal_.below, above = temporal_.above;
  starts_beside_[0] = beside(copies_beside_ ? beside_row_ : index(-below), below);
  starts_beside_[1] =
      copies_beside_ ? starts_beside_[0] : beside(constant("tile_rows", tile_rows()), above);
}

// A warp's own rows, and those beside the tile.
Body TemporalTile::copies_of_plane(const ExprPtr& plane, const ExprPtr& slot,
                                   const Names& names) const {
  // Of so many rows from the row `from` of the tile on.
  const auto rows = [&](const ExprPtr& from, int count, std::optional<int> end = {}) {
    Body copies;
    Names inner = names;
    For loop = unrolled(inner.claim("r"), 0, count);
    for (const Stepped& one : fields) {
      const auto add = [&](bool all, const auto& make) {
        const bool at_once = count == 1 || all;
        const ExprPtr r = at_once ? index(0) : kernel::var(loop.name);
        Body& to = at_once ? copies : loop.body;
        RowOfTile row{kernel::add(from, r), kernel::add(end ? kernel::add(below_, from) : y, r),
                      nullptr};
        if (wraps(1))
          row.start = kernel::make(kernel::Type::index,
                                   kernel::Load{end ? starts_beside_[*end] : starts_, r, nullptr});
        kernel::AsyncCopy copy = make(row);
        if (count > 1 && all) {
          copy.rows = count;
          copy.pitch = kernel::var(context_.pitch);
        }
        if (end && laid_ && temporal_.below > 1)
          to.push_back({kernel::If{in_grid(row.at, 1), {{std::move(copy)}}, {}}});
        else
          to.push_back({std::move(copy)});
      };
      add(!end && !wraps(1) && one.ghost,
          [&](const RowOfTile& row) { return copy_of_plane(one, plane, slot, row, end); });
      if (!one.before || end) continue;
      add(!wraps(1), [&](const RowOfTile& row) { return copy_of_plane_before(one, plane, row); });
    }
    if (!loop.body.empty()) copies.push_back({std::move(loop)});
    return copies;
  };
  const int below = temporal_.below, above = temporal_.above;
  Body body = rows(kernel::mul(warp, warp_rows()), schedule_.rows);
  if (copies_beside_) {
    body.push_back({kernel::If{copies_beside_, rows(beside_row_, below, 0), {}}});
    return body;
  }
  if (below > 0)
    body.push_back(
        {kernel::If{kernel::bin(BinOp::eq, warp, index(0)), rows(index(-below), below, 0), {}}});
  if (above > 0)
    body.push_back({kernel::If{kernel::bin(BinOp::eq, warp, kernel::add(warps(), -1)),
                               rows(constant("tile_rows", tile_rows()), above, 1),
                               {}}});
  return body;
}

TemporalTile::Maps TemporalTile::maps_of_planes(const Stepped& one) const {
  const auto& sides = context_.stencil.fields[one.field].boundary.sides[2];
  return {ghost_map(sides[0]), ghost_map(sides[1])};
}

// Null: beyond no end a plane of the grid stands for others, or it was found already.
ExprPtr TemporalTile::mapped_plane(const Maps& by, const ExprPtr& plane) const {
  const auto map = [&](int end) {
    return kernel::call(kernel::Type::index, *by[end], {plane, extent(2)});
  };
  if ((!by[0] && !by[1]) || by[0] == kernel::Fn::wrap) return nullptr;
  if (!by[0] || !by[1] || by[0] == by[1]) return map(by[0] ? 0 : 1);
  return pick(kernel::bin(BinOp::lt, plane, index(0)), map(0), map(1));
}

kernel::AsyncCopy TemporalTile::copy_of_plane(const Stepped& one, const ExprPtr& plane,
                                              const ExprPtr& slot, const RowOfTile& of,
                                              std::optional<int> beside) const {
  const ir::Boundary& boundary = context_.stencil.fields[one.field].boundary;
  ExprPtr row = of.at, in_plane = from_plane_;
  ExprPtr is_there;  // what is asked of the row and the plane
  if (!wraps(1) && beside) {
    // Rows beyond the grid are made of the tile's own, or all of them a constant.
    if (const auto by = map_along(boundary, 1)) {
      row = kernel::call(kernel::Type::index, *by, {row, extent(1)});
    } else if (!laid_) {
      row = kernel::call(kernel::Type::index, kernel::Fn::clamp, {row, extent(1)});
      if (is_laid(one.field, *beside)) is_there = in_grid(of.at, 1);
    }
  }
  const Maps by = maps_of_planes(one);
  if (const auto mapped = mapped_planes_.find(by); mapped != mapped_planes_.end())
    in_plane = mapped->second;
  const ExprPtr behind_first = by[0] ? nullptr : kernel::bin(BinOp::ge, plane, index(0));
  const ExprPtr before_last = by[1] ? nullptr : kernel::bin(BinOp::lt, plane, extent(2));
  if (const ExprPtr there = kernel::both(behind_first, before_last))
    is_there = kernel::both(is_there, unless_inside(1, there));
  kernel::AsyncCopy copy =
      copy_of(one, {x, of.at, plane}, {from_, row, in_plane}, ahead_row(slot, of.row), loads_);
  if (of.start) copy.from_at = in_plane_from(of.start, in_plane);
  return of_rows(std::move(copy), is_there);
}

// What begins at `start` in a plane, of the z-th one.
ExprPtr TemporalTile::in_plane_from(const ExprPtr& start, const ExprPtr& z) const {
  return kernel::add(kernel::mul(z, kernel::var(context_.plane)), start);
}

// All of the vector is where it follows from its first cell, if it is in memory; and what is not
// may be one value.
kernel::AsyncCopy TemporalTile::of_rows(kernel::AsyncCopy copy, const ExprPtr& is_there) const {
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
kernel::AsyncCopy TemporalTile::copy_of_plane_before(const Stepped& one, const ExprPtr& plane,
                                                     const RowOfTile& of) const {
  const ExprPtr z = kernel::add(plane, -temporal_.before_lag());
  const ExprPtr in_plane =
      wraps(2) ? wrapped(z, 2)
               : near_ends(kernel::call(kernel::Type::index, kernel::Fn::clamp, {z, extent(2)}), z);
  kernel::AsyncCopy copy = copy_of(one, {x, of.at, z}, {from_, of.at, in_plane},
                                   before_row(before_slot_, of.row), loads_);
  if (of.start) copy.from_at = in_plane_from(of.start, in_plane);
  copy.to = *one.before_ahead;
  copy.from = context_.levels[one.field][1];
  return of_rows(std::move(copy), nullptr);
}

}  // namespace stencilc::lower
