// Ghost cells of a launch of several steps: what stands beside the first and the last cell of a
// row, and before and after the rows and planes of a tile, made of what lies inside.
#pragma once

#include <functional>
#include <vector>

#include "lower/boundary/ghost_value.h"
#include "lower/temporal/common/halo_rows.h"

namespace stencilc::lower {

class TileGhosts {
 public:
  TileGhosts(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
             const TileLayout& layout, const HaloRows& halo)
      : context_(context), schedule_(schedule), temporal_(temporal), layout_(layout), halo_(halo) {}

  // Of a tile: are columns outside the grid made by selection and not by branches?
  bool selects_columns = false;

  // Makes rows beyond the ends along y, of cells 0 .. vector-1 of registers whose row `own` is the
  // warp's first one, in plane z. `skip_halo`: but for those that are exchanged. Of planes in
  // registers: of so many rows each, of the one that begins with row `first`.
  kernel::Body rows(int field, const kernel::Buffer& registers, int own, int cell,
                    const kernel::ExprPtr& z, bool skip_halo, const Names& names,
                    const kernel::ExprPtr& first = nullptr, int rows = 0) const;
  // Makes the plane so far beyond an end along z, of registers whose row n of the tile's plane 0 is
  // `row` of 0 and n: its rows first .. end_row-1, by those of planes inside.
  kernel::Body plane(int field, const kernel::Buffer& registers, int cell, int end, int distance,
                     int first, int end_row,
                     const std::function<kernel::ExprPtr(int, const kernel::ExprPtr&)>& row,
                     const Names& names) const;
  // Makes what stands beside the first and the last cell of a row, by what the row holds: `sides`
  // are those of a field, in row y. Of a tile: of so many rows from `first` on, in plane z.
  kernel::Body columns(int field, const kernel::Sides& sides, const kernel::ExprPtr& y,
                       const Names& names) const;
  kernel::Body columns(int field, const kernel::Sides& sides, int first, int rows,
                       const kernel::ExprPtr& z, const Names& names) const;
  // Of the row that is at `at` along the axes but the first, by statements of which several such
  // rows may stand side by side: their names are taken. `odd`: where rows end within a vector;
  // null: that is to be found out.
  kernel::Body columns_of_row(int field, const kernel::Sides& sides,
                              const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& odd,
                              Names& names) const;

 private:
  // One of the rows: the row of the registers that is the last one inside at that end, and how far
  // it lies beyond the end.
  struct GhostRow {
    int last, end, distance;
  };
  kernel::Body row(int field, const kernel::Buffer& registers, const GhostRow& which, int cell,
                   const kernel::ExprPtr& z, const kernel::ExprPtr& first, int rows,
                   const Names& names) const;
  kernel::Body columns_at_ends(
      int field, const kernel::Sides& sides, const kernel::ExprPtr& odd,
      const std::function<kernel::Body(int end, int distances, const kernel::ExprPtr& last)>& make)
      const;
  const ir::Boundary& boundary_of(int field) const {
    return context_.stencil.fields[field].boundary;
  }
  // Of a ghost cell at `at`, by the cell that stands for it.
  kernel::ExprPtr value_of(int field, const GhostCell& ghost, std::vector<kernel::ExprPtr> at,
                           const kernel::ExprPtr& source, Names& names, kernel::Body& body) const;
  void make_beside(int field, const kernel::Sides& sides, const std::vector<kernel::ExprPtr>& row,
                   int end, int distance, const kernel::ExprPtr& last, Names& names,
                   kernel::Body& body) const;

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const TileLayout& layout_;
  const HaloRows& halo_;
};

}  // namespace stencilc::lower
