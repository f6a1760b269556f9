// Rows and planes that are on their way to a warp or a block that streams, and what asks for them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lower/temporal/common/halo_rows.h"

namespace stencilc::lower {

class Prefetch {
 public:
  Prefetch(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
           const TileLayout& layout, const TileRows& rows, const HaloRows& halo)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        layout_(layout),
        rows_(rows),
        halo_(halo) {}

  // Of a tile: is it said whether a plane that is asked for may lie beyond an end?
  bool tells_ends = false;
  // Declares the function that asks for a row or a plane.
  void declare(kernel::Body& body);

  // Asks for the first rows or planes of a stream.
  void start(const kernel::ExprPtr& first, kernel::Body& body) const;
  // Asks for a row, which is to lie in the place of the ring. Of a tile, for a plane, and that of
  // t-1 in a place of its own, if there is one.
  kernel::Stmt ask(const kernel::ExprPtr& row, const kernel::ExprPtr& slot,
                   const kernel::ExprPtr& before_slot = nullptr, bool at_ends = true) const;
  // The same where warps stream: `near`, a constant, says whether the boundary may be; empty: it
  // may, or not, by the flag.
  kernel::Stmt ask_row(const kernel::ExprPtr& row, const kernel::ExprPtr& slot,
                       const std::string& near, bool flag) const;

 private:
  // Rows of warps that stream on their own.
  bool tells_boundary() const;
  kernel::ExprPtr copied_x() const;
  kernel::ExprPtr whole_row() const;
  kernel::ExprPtr near_ends(const kernel::ExprPtr& row, const kernel::ExprPtr& inside) const;
  kernel::AsyncCopy copy_of(const Stepped& one, const std::vector<kernel::ExprPtr>& at,
                            const std::vector<kernel::ExprPtr>& from, const kernel::ExprPtr& row,
                            const kernel::ExprPtr& inside) const;
  kernel::AsyncCopy copy_of_row(const Stepped& one, const kernel::ExprPtr& row,
                                const kernel::ExprPtr& slot) const;
  kernel::AsyncCopy copy_of_input(const Waiting& one, const kernel::ExprPtr& row,
                                  const kernel::ExprPtr& slot) const;
  kernel::AsyncCopy copy_before(const Stepped& one, const kernel::ExprPtr& row,
                                const kernel::ExprPtr& slot) const;

  // Planes of a tile. A row of it, and of the grid; and where in a plane it begins, if the grid
  // goes round.
  struct RowOfTile {
    kernel::ExprPtr row, at, start;
  };
  // What stands for a plane by maps of indices, one beyond each end, if it may lie there.
  using Maps = std::array<std::optional<kernel::Fn>, 2>;
  Maps maps_of_planes(const Stepped& one) const;
  kernel::ExprPtr mapped_plane(const Maps& by, const kernel::ExprPtr& plane) const;
  void declare_beside_tile(kernel::Body& body);
  void lay_beside_tile(const kernel::ExprPtr& at_end, kernel::Body& body);
  void declare_starts(kernel::Body& body);
  kernel::Body copies_of_plane(const kernel::ExprPtr& plane, const kernel::ExprPtr& slot,
                               const Names& names) const;
  kernel::ExprPtr in_plane_from(const kernel::ExprPtr& start, const kernel::ExprPtr& z) const;
  // `beside`: of rows beside the tile, at that end.
  kernel::AsyncCopy copy_of_plane(const Stepped& one, const kernel::ExprPtr& plane,
                                  const kernel::ExprPtr& slot, const RowOfTile& row,
                                  std::optional<int> beside) const;
  kernel::AsyncCopy copy_of_plane_before(const Stepped& one, const kernel::ExprPtr& plane,
                                         const RowOfTile& row) const;
  kernel::AsyncCopy of_rows(kernel::AsyncCopy copy, const kernel::ExprPtr& is_there) const;

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const TileLayout& layout_;
  const TileRows& rows_;
  const HaloRows& halo_;
  std::string name_;  // of the function
  // May what is asked for lie near the boundary along x, and near the ends? As the layout says, or
  // else the function is told.
  std::array<kernel::ExprPtr, 2> near_;
  // Where it is one variant: does a warp copy rows beside the tile, and from which row of it on?
  kernel::ExprPtr copies_beside_, beside_row_;
  // Where rows begin in a plane that a lane copies: a warp's own, and those beside the tile at each
  // end.
  kernel::Buffer starts_;
  std::array<kernel::Buffer, 2> starts_beside_;
  bool laid_ = false;            // rows beside a tile that are not in the grid: before the stream
  kernel::ExprPtr before_slot_;  // of the plane of t-1 that comes with the one that is prefetched
  kernel::ExprPtr from_plane_;   // where that is, if the grid goes round
  std::map<Maps, kernel::ExprPtr> mapped_planes_;
};

}  // namespace stencilc::lower
