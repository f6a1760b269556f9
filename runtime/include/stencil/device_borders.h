// Border planes: those at the ends of a window, which the neighbours of a piece read. A launch
// counts them as they are stored, and goes on; and it may begin before the planes of the neighbours
// have come, for which only those blocks wait that read them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "anywhere.h"
#include "columns.h"
#include "partition.h"

namespace st {

struct Borders {
  // Planes at the low end. Who streams from there on stores them first, and counts them then.
  int64_t low = 0;
  // Planes at the high end, which the first blocks of a launch compute and count; 0: they are the
  // last ones of those that stream to there, and not counted.
  int64_t high = 0;
  // Words in memory of the device: how much of the low end is stored, and of the high one; how
  // often planes of the neighbour below have come, and of the one above.
  unsigned* counters = nullptr;
  static constexpr int kApart = 32;  // elements between two of them
  static constexpr int kWords = 4;
  // How often those have to have come, before blocks read them: those that have one of so many
  // planes at either end. 0: they are there before the launch. Launches of a graph count alike each
  // time, so only the last bits count: a neighbour is some launches ahead or behind, and no more.
  int64_t awaits_low = 0, awaits_high = 0;
  unsigned from_low = 0, from_high = 0;
  static constexpr unsigned kRound = 8;
  // In a word: nothing more will come, nobody is to wait.
  static constexpr unsigned kReleased = 1u << 31;

  // Parts of a launch that have the high end alone, for so many tiles of a plane.
  STENCIL_ANYWHERE int64_t parts(int64_t tiles) const { return high > 0 ? tiles : 0; }
};

STENCIL_ANYWHERE inline int64_t tiles_of(const Partition& partition) { return partition.tiles_x; }
// The planes of the shortest chunk at the low end; at most so many.
inline int64_t planes_at_low_end(const Partition& partition, int64_t most) {
  for (const Partition::Chunks* chunks :
       {&partition.boundary, &partition.inner, &partition.finer}) {
    const bool used = chunks != &partition.finer || partition.more > 0;
    const int64_t planes = chunks->rows - chunks->less;
    if (used && chunks->count > 1 && planes < most) most = planes;
  }
  return most;
}
inline int64_t planes_at_low_end(const Columns& columns, int64_t most) {
  if (columns.at_boundary + columns.inside > 0 && columns.length < most) most = columns.length;
  for (int n = 0; n < columns.count; ++n) {
    const Columns::Piece& piece = columns.pieces[n];
    const int64_t planes = int64_t{columns.unit} * (piece.end - piece.first);
    if (piece.first == 0 && planes < most) most = planes;
  }
  return most;
}
STENCIL_ANYWHERE inline int64_t tiles_of(const Columns& columns) {
  return columns.tiles_x * columns.tiles_y;
}

// Blocks of so many planes each, in layers of so many blocks; those of the first one begin first.
struct Layers {
  int64_t blocks, planes;
};
STENCIL_ANYWHERE inline int64_t tiles_of(const Layers& layers) { return layers.blocks; }
inline int64_t planes_at_low_end(const Layers& layers, int64_t most) {
  return layers.planes < most ? layers.planes : most;
}

// As in partition.h, after the parts at the borders.
template <typename Index>
STENCIL_ANYWHERE void chunk_of(const Partition& partition, const Borders& borders, Index part,
                               Index rows, Index& tile_x, Index& first, Index& end) {
  const Index tiles = static_cast<Index>(tiles_of(partition));
  const Index of_borders = static_cast<Index>(borders.parts(tiles));
  if (part < of_borders) {
    tile_x = part % tiles;
    first = rows - static_cast<Index>(borders.high);
    end = rows;
    return;
  }
  chunk_of<Index>(partition, part - of_borders, rows - static_cast<Index>(borders.high), tile_x,
                  first, end);
}

// As in columns.h, likewise.
template <typename Index>
STENCIL_ANYWHERE void column_of(const Columns& columns, const Borders& borders, Index block,
                                Index& tile_x, Index& tile_y, Index& first, Index& end) {
  const Index tiles = static_cast<Index>(tiles_of(columns));
  const Index of_borders = static_cast<Index>(borders.parts(tiles));
  if (block < of_borders) {
    const Index tiles_x = static_cast<Index>(columns.tiles_x), tile = block % tiles;
    tile_x = tile % tiles_x;
    tile_y = tile / tiles_x;
    first = static_cast<Index>(columns.planes);
    end = static_cast<Index>(columns.planes + borders.high);
    return;
  }
  column_of<Index>(columns, block - of_borders, tile_x, tile_y, first, end);
}

// Where the low end of a window ends, whose first plane is `window`, for who streams from `first`
// on in it. They have none of it that begin elsewhere: before all planes.
template <typename Index>
STENCIL_ANYWHERE Index end_of_low(const Borders& borders, Index first, Index window) {
  constexpr Index none = -(Index{1} << 30);
  return first == 0 && borders.low > 0 ? window + static_cast<Index>(borders.low) : none;
}

#if defined(__CUDACC__) || defined(__CUDA__)
// Waits until planes have come so often. What another device stored before it wrote the word is
// there then. All lanes of a warp wait together: ptxas would make every later shuffle slower if it
// took the warp for a divergent one.
__device__ inline void await_word(const unsigned* word, unsigned value) {
#if defined(__STENCIL_EXECUTOR__)
  __stencil_await_word(word, value, Borders::kRound, Borders::kReleased);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  constexpr unsigned all = 0xffffffffu, pause = 40;  // ns
  for (;;) {
    unsigned now = 0;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    const bool come = (now - value) % Borders::kRound < Borders::kRound / 2;
    if (__all_sync(all, come || now >= Borders::kReleased)) return;
    __nanosleep(pause);
  }
#endif
}
// Before a part of a window with so many planes is computed, by a block or by one of its warps.
template <typename Index>
__device__ void await_planes(const Borders& borders, Index first, Index end, Index planes) {
  const bool low = first < static_cast<Index>(borders.awaits_low);
  const bool high = planes - end < static_cast<Index>(borders.awaits_high);
  if (low) await_word(borders.counters + 2 * Borders::kApart, borders.from_low);
  if (high) await_word(borders.counters + 3 * Borders::kApart, borders.from_high);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(__STENCIL_EXECUTOR__)
  if (low || high) asm volatile("fence.proxy.async;" ::: "memory");  // before copies of boxes
#endif
}
// What its threads stored is there for all devices: copies may have it once all of an end is
// counted. `all` says whether all threads of a block have a part, or each warp one.
template <bool all>
__device__ void count_border(unsigned* counter) {
  __threadfence_system();
  if (all)
    __syncthreads();
  else
    __syncwarp();
  if (threadIdx.x != 0 || (all && threadIdx.y != 0)) return;
  atomicAdd_system(counter, 1u);
}
// At the end of a block of some layers: does it have the low end?
__device__ inline void count_first_layer(const Borders& borders) {
  if (blockIdx.z == 0 && borders.low > 0) count_border<true>(borders.counters);
}
// At the end of a part: does it have the high end alone?
template <bool all, typename Index>
__device__ void count_high_end(const Borders& borders, Index tiles, Index part) {
  if (part < static_cast<Index>(borders.parts(tiles)))
    count_border<all>(borders.counters + Borders::kApart);
}
#endif

}  // namespace st
