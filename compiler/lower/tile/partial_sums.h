// Sums that are built plane by plane along the streamed axis: a plane that arrives adds its
// products to every sum that reads it, so that no plane is kept. The terms of a sum stand in the
// order of the planes (ir/numerics.h), so it is the same sum.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "lower/cell/cell.h"

namespace stencilc::lower {

struct PlaneSum {
  ir::ExprPtr expr;
  // What each plane adds, from the lowest on; nothing from a plane that the sum does not read.
  std::vector<std::vector<ir::Sum::Term>> planes;
  // partial[n]: what planes 0 .. n have made of the sum of a cell; the last one is the sum.
  std::vector<kernel::Buffer> partials;
};

struct PlaneSums {
  int low = 0, high = 0;  // the planes, as offsets along the axis, the same for all sums
  std::vector<PlaneSum> sums;
  std::vector<ir::ExprPtr> taps;    // reads of the planes, as offsets in the plane that arrives
  std::vector<ir::ExprPtr> others;  // reads that are no terms of the sums
};

// The sums among the values whose terms are constants, or numbers that are the same in every cell,
// times reads of planes in their order. The registers hold `rows` rows of `width` cells.
PlaneSums sums_along(const Context& context, const std::vector<ir::ExprPtr>& values, int axis,
                     const kernel::Count& width, const kernel::Count& rows, Names& names);

// The statements that add the plane that arrived to all sums, in cell (r, v) of a thread. `cell`
// reads the plane: its taps ask for offsets along the axis as the stencil does.
void add_plane(const PlaneSums& sums, const kernel::ExprPtr& r, const kernel::ExprPtr& v,
               Cell& cell, kernel::Body& body);

// The same to the partials first .. end-1 alone, which are in registers of their own.
using PartialAt = std::function<std::pair<kernel::Buffer, kernel::ExprPtr>(
    const PlaneSum& sum, int n)>;  // and in which row of them
// What a partial is instead, where its cell is none that the sum is for; nothing: it always is.
struct Instead {
  kernel::ExprPtr where, value;
};
using InsteadOf = std::function<std::optional<Instead>(const PlaneSum& sum, int n)>;
void add_plane(const PlaneSums& sums, int first, int end, const PartialAt& at,
               const kernel::ExprPtr& v, Cell& cell, kernel::Body& body,
               const InsteadOf& instead = nullptr);

}  // namespace stencilc::lower
