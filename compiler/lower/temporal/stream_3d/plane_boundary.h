// What stands for planes beyond the ends of the stream of a launch of several steps.
#pragma once

#include <vector>

#include "lower/temporal/common/temporal_tile.h"
#include "lower/tile/register_tile.h"

namespace stencilc::lower {

// Of a variant that serves all, constants when the kernel is compiled: is it for blocks near the
// ends of rows; near the first and the last row, too; and for planes near the ends of the stream?
// Null: there is no flag, and it is.
struct PlaneFlags {
  kernel::ExprPtr edge, corner, ends;
};

class PlaneBoundary {
 public:
  PlaneBoundary(const Context& context, const plan::Schedule& schedule,
                const plan::Temporal& temporal, const TemporalTile& tile)
      : context_(context), schedule_(schedule), temporal_(temporal), tile_(tile) {}

  // Does a step leave out cells at the ends of an axis that is periodic?
  bool limits_wrap() const;
  // Cells at an end of an axis that a step leaves out.
  int unassigned_cells(int axis, int end) const;
  // Does cell v of row r of a thread lie in plane z outside the box? Declares that for each axis.
  kernel::ExprPtr unassigned(const kernel::ExprPtr& r, const kernel::ExprPtr& v,
                             const kernel::ExprPtr& z, const PlaneFlags& flags, Names& names,
                             kernel::Body& body) const;
  // The same along one axis, whatever the flags are. Null: no cell does.
  kernel::ExprPtr unassigned_along(int axis, const kernel::ExprPtr& r, const kernel::ExprPtr& v,
                                   const kernel::ExprPtr& z) const;
  // Does the first plane of a time step stand for those before it?
  bool has_first() const { return temporal_.planes_before > 0 && temporal_.held > 0; }
  // Are the planes from z on, which are below 0, the first one itself, with all that lies around
  // it?
  bool are_the_first(const std::vector<RegisterTile>& tiles, int z) const;
  // Declares registers for a plane before the first one, as those of the register tiles.
  std::vector<RegisterTile> planes_before(const std::vector<RegisterTile>& tiles, Names& names,
                                          kernel::Body& body) const;
  // Makes plane z, which is below 0, by plane 0 in `tiles`.
  void fill_before(const std::vector<RegisterTile>& tiles, const std::vector<RegisterTile>& before,
                   int z, const Names& names, kernel::Body& body) const;
  // Keeps plane z of time step t+k, whose first row is `row` of the registers, if planes after the
  // last one stand for it, and makes it if it is one of these.
  kernel::Body hold(const kernel::ExprPtr& z, const kernel::ExprPtr& k, const kernel::ExprPtr& row,
                    const Names& names) const;

 private:
  const ir::Domain& box() const;
  void make_row(const Stepped& one, int end, const kernel::ExprPtr& r, const kernel::ExprPtr& row,
                const kernel::ExprPtr& z, Names names, kernel::Body& body) const;

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const TemporalTile& tile_;
};

}  // namespace stencilc::lower
