// Divides the grid among warps or blocks that stream, and counts what they load in addition to what
// they store.
#pragma once

#include <array>

#include "plan/temporal/temporal_blocking.h"
#include "runtime/include/stencil/columns.h"
#include "runtime/include/stencil/partition.h"

namespace stencilc::plan {

// Whether the ends of a chunk run the same code as its middle.
bool alike_at_ends(const ir::Stencil& stencil, const Temporal& temporal);

// From so many steps a launch on, a stream of rows takes only the first half of them while its first
// rows arrive (lower/temporal/stream_2d).
constexpr int kFewestFilled = 4;

// Costs of tiles whose last vector is full, and of others.
struct PartitionCosts {
  st::PartitionCost filled, ragged;
};
PartitionCosts partition_costs(const ir::Stencil& stencil, const Temporal& temporal);
// For rows of this many cells, in vectors of `width`.
st::PartitionCost partition_cost(const ir::Stencil& stencil, const Temporal& temporal,
                                 int64_t cells, int width);

// With room for this many warps on a card with this many schedulers of warps.
st::Partition partition_of(const ir::Stencil& stencil, const Schedule& schedule,
                           const Temporal& temporal, const std::array<int64_t, 3>& extents,
                           int64_t places, int64_t schedulers);

// For blocks that stream: the cost of a column of rows of this many cells, and how blocks divide
// the grid, with room for this many.
st::ColumnCost column_cost(const ir::Stencil& stencil, const Schedule& schedule,
                           const Temporal& temporal, int64_t cells);
st::Columns columns_of(const ir::Stencil& stencil, const Schedule& schedule,
                       const Temporal& temporal, const std::array<int64_t, 3>& extents,
                       int64_t places);

}  // namespace stencilc::plan
