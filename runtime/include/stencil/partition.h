// How warps that stream along the last of two axes share out a grid: in tiles along x, and in
// chunks of the rows of a tile. All warps of a card take about as long: no chunk waits for others.
#pragma once

#include <cstdint>

#include "anywhere.h"

namespace st {

struct Partition {
  // Chunks of a tile: so many, of so many rows, the first and the last of `less` fewer.
  struct Chunks {
    int64_t count = 1, rows = 1, less = 0;
  };
  int64_t tiles_x = 1;
  Chunks boundary, inner;  // of the first and the last tile, and of all others
  int64_t more = 0;        // but so many of these, the first ones, have one chunk more:
  Chunks finer;

  STENCIL_ANYWHERE int64_t at_boundary() const { return tiles_x < 2 ? tiles_x : 2; }
  STENCIL_ANYWHERE int64_t inside() const { return tiles_x - at_boundary(); }
  STENCIL_ANYWHERE int64_t parts() const {
    return at_boundary() * boundary.count + more * finer.count + (inside() - more) * inner.count;
  }
};

// The tile and the rows, from the first to before `end`, of a part of a grid with so many rows.
// What takes longest comes first: tiles at the boundary, then the ends of others. Those of one
// chunk follow each other, so that they read the same rows at about the same time. A part that is
// none has no rows.
template <typename Index>
STENCIL_ANYWHERE void chunk_of(const Partition& partition, Index part, Index rows, Index& tile_x,
                               Index& first, Index& end) {
  const Index at_boundary = static_cast<Index>(partition.at_boundary());
  const Index inside = static_cast<Index>(partition.inside()),
              more = static_cast<Index>(partition.more);
  const Index of_boundary = at_boundary * static_cast<Index>(partition.boundary.count);
  const Index of_finer = of_boundary + more * static_cast<Index>(partition.finer.count);
  const bool boundary = part < of_boundary, finer = !boundary && part < of_finer;
  const Partition::Chunks& chunks = boundary ? partition.boundary
                                    : finer  ? partition.finer
                                             : partition.inner;
  const Index count = static_cast<Index>(chunks.count), length = static_cast<Index>(chunks.rows);
  const Index less = static_cast<Index>(chunks.less);
  const Index at = boundary ? part : part - (finer ? of_boundary : of_finer);
  const Index side = boundary ? at_boundary : finer ? more : inside - more;
  if (at >= side * count) {
    tile_x = 0;
    first = rows;
    end = rows;
    return;
  }
  const Index nth = at / side, beside = at % side;
  const Index chunk = nth == 0 ? 0 : nth == 1 ? count - 1 : nth - 1;
  tile_x = boundary ? beside * (at_boundary + inside - 1) : beside + 1 + (finer ? 0 : more);
  first = chunk == 0 ? 0 : chunk * length - less;
  end = chunk == count - 1 ? rows : (chunk + 1) * length - less;
  first = first < rows ? first : rows;
  end = end < rows ? end : rows;
}

// What warps take besides the rows that they store.
struct PartitionCost {
  int64_t beside = 0;      // rows that a chunk computes before and after its own
  int64_t ends = 0;        // rows in whose time a warp does what the end of a tile takes besides
  int64_t boundary = 100;  // percent: a row of a tile at the boundary, of one inside
};

// Chunks of so many rows in all tiles.
inline Partition chunks_of(int64_t tiles_x, int64_t rows, int64_t length) {
  Partition partition;
  partition.tiles_x = tiles_x;
  partition.inner = {(rows - 1) / length + 1, length, 0};
  partition.boundary = partition.inner;
  return partition;
}

namespace partitioning {

constexpr int64_t kFewestRows = 16;

// About `count` chunks.
inline Partition::Chunks cut(int64_t rows, int64_t count, int64_t ends) {
  Partition::Chunks chunks;
  const int64_t even = (rows - 1) / count + 1;
  chunks.less = count < 3 ? 0 : ends < even / 3 ? ends : even / 3;
  chunks.rows = (rows + 2 * chunks.less - 1) / count + 1;
  chunks.count = (rows + 2 * chunks.less - 1) / chunks.rows + 1;
  return chunks;
}

// So many in a tile inside; those at the boundary take as long.
inline Partition share(int64_t tiles_x, int64_t rows, int64_t count, const PartitionCost& cost) {
  Partition partition;
  partition.tiles_x = tiles_x;
  partition.inner = cut(rows, count, cost.ends);
  const int64_t length = (partition.inner.rows + cost.beside) * 100 / cost.boundary - cost.beside;
  const int64_t most = length < kFewestRows ? kFewestRows : length;
  partition.boundary = cut(rows, (rows - 1) / most + 1, cost.ends);
  return partition;
}

// Takes what is left of so many places.
inline void fill(Partition& partition, int64_t rows, int64_t places, const PartitionCost& cost) {
  const Partition::Chunks finer = cut(rows, partition.inner.count + 1, cost.ends);
  const int64_t left = places - partition.parts();
  if (left <= 0 || finer.count != partition.inner.count + 1 || finer.rows < kFewestRows) return;
  partition.more = left < partition.inside() ? left : partition.inside();
  partition.finer = finer;
}

// Rows of a chunk inside, with those beside it.
inline int64_t mean(const Partition& partition, const PartitionCost& cost) {
  if (partition.inside() == 0) return partition.inner.rows + cost.beside;
  const int64_t fine = partition.more * partition.finer.count;
  const int64_t others = (partition.inside() - partition.more) * partition.inner.count;
  return (fine * (partition.finer.rows + cost.beside) +
          others * (partition.inner.rows + cost.beside)) /
         (fine + others);
}

}  // namespace partitioning

// May a wave have half of the warps? If each scheduler of the card, of so many, has an even number
// of places.
inline bool has_half_waves(int64_t places, int64_t schedulers) {
  return schedulers > 0 && places % (2 * schedulers) == 0;
}
// How long so many parts take, in percent of a wave. One of half the warps takes 0.58 to 0.65
// of a full one, because a warp alone on its scheduler waits more (bench/notes/model.md).
inline int64_t percent_of_waves(int64_t parts, int64_t places, int64_t schedulers) {
  constexpr int64_t kOfHalf = 60;
  const int64_t before = (parts - 1) / places, last = parts - before * places;
  return 100 * before + (has_half_waves(places, schedulers) && 2 * last <= places ? kOfHalf : 100);
}

// Chunks for a card with places for so many warps at once: in whole waves, as many of these as are
// over soonest, when the last warp takes a twelfth of a chunk longer than most. What places are
// left take the further chunks of some tiles: warps of a multiprocessor share its time, so that
// all of these are over together where each has as many. The last wave may be a half one.
// `busy` places have something else to do first, about as long as a chunk takes.
inline Partition partition_of(int64_t tiles_x, int64_t rows, int64_t places,
                              const PartitionCost& cost, int64_t busy = 0, int64_t schedulers = 0) {
  constexpr int64_t kMostWaves = 8, kLonger = 12;
  const int64_t step = has_half_waves(places, schedulers) ? 1 : 2;  // of half waves
  int64_t count = 1, least = -1;
  Partition best;
  for (int64_t half_waves = step; half_waves <= 2 * kMostWaves; half_waves += step) {
    const int64_t most = places * half_waves / 2 - busy;
    Partition partition = partitioning::share(tiles_x, rows, count, cost);
    for (;; ++count) {
      const Partition more = partitioning::share(tiles_x, rows, count + 1, cost);
      if (more.inner.rows < partitioning::kFewestRows || more.parts() > most) break;
      partition = more;
    }
    partitioning::fill(partition, rows, most, cost);
    const int64_t longest = partition.inner.rows + cost.beside;
    const int64_t percent = percent_of_waves(partition.parts() + busy, places, schedulers);
    const int64_t last = percent < 100 ? percent : 100;
    const int64_t time =
        (kLonger * percent * partitioning::mean(partition, cost) + last * longest) / 100;
    if (least >= 0 && time >= least) continue;
    least = time;
    best = partition;
  }
  return best;
}

}  // namespace st
