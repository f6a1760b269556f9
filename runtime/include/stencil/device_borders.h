// Border planes: those at the ends of a window, which the neighbours of a piece read. The first
// blocks of a launch compute them, and count what is stored, while the others go on.
#pragma once

#include <cstdint>

#include "anywhere.h"
#include "columns.h"
#include "partition.h"

namespace st {

struct Borders {
  int64_t low = 0, high = 0;         // planes at either end; 0: nobody reads these
  unsigned* counters = nullptr;      // in memory of the device: of the low end, and of the high one
  static constexpr int kApart = 32;  // elements between the two

  STENCIL_ANYWHERE int64_t planes() const { return low + high; }
  STENCIL_ANYWHERE int64_t ends() const { return (low > 0 ? 1 : 0) + (high > 0 ? 1 : 0); }
  // Parts of a launch that compute them, for so many tiles of a plane.
  STENCIL_ANYWHERE int64_t parts(int64_t tiles) const { return ends() * tiles; }
  template <typename Index>
  STENCIL_ANYWHERE bool is_low(Index part, Index tiles) const {
    return low > 0 && part < tiles;
  }
  // The planes of a part of so many in all.
  template <typename Index>
  STENCIL_ANYWHERE void planes_of(Index part, Index tiles, Index planes, Index& first,
                                  Index& end) const {
    const bool at_low = is_low(part, tiles);
    first = at_low ? 0 : planes - static_cast<Index>(high);
    end = at_low ? static_cast<Index>(low) : planes;
  }
};

STENCIL_ANYWHERE inline int64_t tiles_of(const Partition& partition) { return partition.tiles_x; }
STENCIL_ANYWHERE inline int64_t tiles_of(const Columns& columns) {
  return columns.tiles_x * columns.tiles_y;
}

// As in partition.h, after the parts at the borders.
template <typename Index>
STENCIL_ANYWHERE void chunk_of(const Partition& partition, const Borders& borders, Index part,
                               Index rows, Index& tile_x, Index& first, Index& end) {
  const Index tiles = static_cast<Index>(tiles_of(partition));
  const Index of_borders = static_cast<Index>(borders.parts(tiles));
  if (part < of_borders) {
    tile_x = part % tiles;
    borders.planes_of(part, tiles, rows, first, end);
    return;
  }
  const Index low = static_cast<Index>(borders.low);
  chunk_of<Index>(partition, part - of_borders, rows - static_cast<Index>(borders.planes()), tile_x,
                  first, end);
  first += low;
  end += low;
}

// As in columns.h, likewise; of so many planes.
template <typename Index>
STENCIL_ANYWHERE void column_of(const Columns& columns, const Borders& borders, Index block,
                                Index& tile_x, Index& tile_y, Index& first, Index& end) {
  const Index tiles = static_cast<Index>(tiles_of(columns));
  const Index of_borders = static_cast<Index>(borders.parts(tiles));
  if (block < of_borders) {
    const Index tiles_x = static_cast<Index>(columns.tiles_x), tile = block % tiles;
    tile_x = tile % tiles_x;
    tile_y = tile / tiles_x;
    borders.planes_of(block, tiles, static_cast<Index>(columns.planes + borders.planes()), first,
                      end);
    return;
  }
  const Index low = static_cast<Index>(borders.low);
  column_of<Index>(columns, block - of_borders, tile_x, tile_y, first, end);
  first += low;
  end += low;
}

#if defined(__CUDACC__) || defined(__CUDA__)
// What this part stored is there for all devices: the copies may have it once all parts of its end
// are counted. `all` says whether all threads of the block have the part, or each warp one.
template <bool all, typename Index>
__device__ void count_border(const Borders& borders, Index tiles, Index part) {
  if (part >= static_cast<Index>(borders.parts(tiles))) return;
  __threadfence_system();
  if (all)
    __syncthreads();
  else
    __syncwarp();
  if (threadIdx.x != 0 || (all && threadIdx.y != 0)) return;
  unsigned* const counter = borders.counters + (borders.is_low(part, tiles) ? 0 : Borders::kApart);
#ifdef __STENCIL_EXECUTOR__
  *counter += 1;
#else
  atomicAdd_system(counter, 1u);
#endif
}
#endif

}  // namespace st
