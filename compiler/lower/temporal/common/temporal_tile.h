// What warps and blocks have in a launch of several steps, by its parts.
#pragma once

#include "lower/temporal/common/prefetch.h"
#include "lower/temporal/common/tile_ghosts.h"

namespace stencilc::lower {

// Owns the parts, each of which knows those before it.
class TemporalTile {
 public:
  TemporalTile(const Context& context, const plan::Schedule& schedule,
               const plan::Temporal& temporal)
      : layout(context, schedule, temporal),
        rows(context, schedule, temporal, layout),
        halo(context, schedule, temporal, layout, rows),
        ghosts(context, schedule, temporal, layout, halo),
        prefetch(context, schedule, temporal, layout, rows, halo),
        streams_(!temporal.resident_tile()) {}
  TemporalTile(const TemporalTile&) = delete;
  TemporalTile& operator=(const TemporalTile&) = delete;

  // Declares all of it, where warps or blocks stream after layout.share_out(). The kernel gets the
  // shared memory it needs.
  void lay_out(kernel::Kernel& kernel, kernel::Body& body) {
    layout.map_threads(body);
    rows.declare(body);
    if (layout.is_tile()) halo.declare(body);
    if (streams_) prefetch.declare(body);
    kernel.shared = rows.shared_bytes();
  }

  TileLayout layout;
  TileRows rows;
  HaloRows halo;
  TileGhosts ghosts;
  Prefetch prefetch;

 private:
  const bool streams_;
};

}  // namespace stencilc::lower
