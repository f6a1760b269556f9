// How warps that march share out a grid, and what they take besides the rows they store.
#pragma once

#include <array>

#include "plan/temporal/temporal_blocking.h"
#include "runtime/include/stencil/columns.h"
#include "runtime/include/stencil/partition.h"

namespace stencilc::plan {

// Is the text of the ends of a march that of the rest?
bool alike_at_ends(const ir::Stencil& stencil, const Temporal& temporal);

// Of strips whose last vector is filled, and of others.
struct PartitionCosts {
  st::PartitionCost filled, ragged;
};
PartitionCosts partition_costs(const ir::Stencil& stencil, const Temporal& temporal);
// Those of rows of so many cells, in vectors of `width`.
st::PartitionCost partition_cost(const ir::Stencil& stencil, const Temporal& temporal,
                                 int64_t cells, int width);

// With places for so many warps.
st::Partition partition_of(const ir::Stencil& stencil, const Schedule& schedule,
                           const Temporal& temporal, const std::array<int64_t, 3>& extents,
                           int64_t places);

// Of blocks that march: what a column of rows of so many cells takes, and how they share out a
// grid, with places for so many.
st::ColumnCost column_cost(const ir::Stencil& stencil, const Schedule& schedule,
                           const Temporal& temporal, int64_t cells);
st::Columns columns_of(const ir::Stencil& stencil, const Schedule& schedule,
                       const Temporal& temporal, const std::array<int64_t, 3>& extents,
                       int64_t places);

}  // namespace stencilc::plan
