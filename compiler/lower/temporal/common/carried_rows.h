// What each time step of a launch of several keeps of the rows that arrived.
#pragma once

#include "lower/temporal/common/tile_layout.h"
#include "lower/tile/partial_sums.h"
#include "lower/tile/register_tile.h"

namespace stencilc::lower {

// The same inside and near the boundary. Registers hold a row for each time step, but those in
// which a row arrives and is computed.
struct CarriedRows {
  std::vector<RegisterTile> tiles;     // rows
  PlaneSums sums;                      // sums that rows are added to
  std::vector<RegisterTile> arriving;  // what the sums read
};
// Spells the sizes of its arrays by constants of the kernel; `rows`: of each time step.
void spell_carried(const TileLayout& layout, CarriedRows& carried, const TileLayout::Factors& rows);

CarriedRows carried_by_step(const Context& context, const plan::Schedule& schedule,
                            const plan::Temporal& temporal);

}  // namespace stencilc::lower
