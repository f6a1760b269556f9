// How warps that march along the last of two axes share out a grid: in strips along x, and in
// chunks of the rows of a strip. All warps of a card take about as long: no chunk waits for others.
#pragma once

#include <cstdint>

#include "anywhere.h"

namespace st {

struct March {
  // Chunks of a strip: so many, of so many rows, the first and the last of `less` fewer.
  struct Chunks {
    int64_t count = 1, rows = 1, less = 0;
  };
  int64_t strips = 1;
  Chunks rim, inner;  // of the first and the last strip, and of all others
  int64_t more = 0;   // but so many of these, the first ones, have one chunk more:
  Chunks finer;

  STENCIL_ANYWHERE int64_t at_rim() const { return strips < 2 ? strips : 2; }
  STENCIL_ANYWHERE int64_t inside() const { return strips - at_rim(); }
  STENCIL_ANYWHERE int64_t parts() const {
    return at_rim() * rim.count + more * finer.count + (inside() - more) * inner.count;
  }
};

// The strip and the rows, from the first to before `behind`, of a part of a grid with so many rows.
// What takes longest comes first: strips at the rim, then the ends of others. Those of one chunk
// follow each other, so that they read the same rows at about the same time. A part that is none
// has no rows.
template <typename Index>
STENCIL_ANYWHERE void part_of(const March& march, Index part, Index rows, Index& strip,
                              Index& first, Index& behind) {
  const Index at_rim = static_cast<Index>(march.at_rim());
  const Index inside = static_cast<Index>(march.inside()), more = static_cast<Index>(march.more);
  const Index of_rim = at_rim * static_cast<Index>(march.rim.count);
  const Index of_finer = of_rim + more * static_cast<Index>(march.finer.count);
  const bool rim = part < of_rim, finer = !rim && part < of_finer;
  const March::Chunks& chunks = rim ? march.rim : finer ? march.finer : march.inner;
  const Index count = static_cast<Index>(chunks.count), length = static_cast<Index>(chunks.rows);
  const Index less = static_cast<Index>(chunks.less);
  const Index at = rim ? part : part - (finer ? of_rim : of_finer);
  const Index side = rim ? at_rim : finer ? more : inside - more;
  if (at >= side * count) {
    strip = 0;
    first = rows;
    behind = rows;
    return;
  }
  const Index nth = at / side, beside = at % side;
  const Index chunk = nth == 0 ? 0 : nth == 1 ? count - 1 : nth - 1;
  strip = rim ? beside * (at_rim + inside - 1) : beside + 1 + (finer ? 0 : more);
  first = chunk == 0 ? 0 : chunk * length - less;
  behind = chunk == count - 1 ? rows : (chunk + 1) * length - less;
  first = first < rows ? first : rows;
  behind = behind < rows ? behind : rows;
}

// What warps take besides the rows that they store.
struct MarchCost {
  int64_t beside = 0;  // rows that a chunk computes before and behind its own
  int64_t ends = 0;    // rows in whose time a warp does what the end of a strip takes besides
  int64_t rim = 100;   // percent: a row of a strip at the rim, of one inside
};

// Chunks of so many rows in all strips.
inline March chunks_of(int64_t strips, int64_t rows, int64_t length) {
  March march;
  march.strips = strips;
  march.inner = {(rows - 1) / length + 1, length, 0};
  march.rim = march.inner;
  return march;
}

namespace marching {

constexpr int64_t kFewestRows = 16;

// About `count` chunks.
inline March::Chunks cut(int64_t rows, int64_t count, int64_t ends) {
  March::Chunks chunks;
  const int64_t even = (rows - 1) / count + 1;
  chunks.less = count < 3 ? 0 : ends < even / 3 ? ends : even / 3;
  chunks.rows = (rows + 2 * chunks.less - 1) / count + 1;
  chunks.count = (rows + 2 * chunks.less - 1) / chunks.rows + 1;
  return chunks;
}

// So many in a strip inside; those at the rim take as long.
inline March share(int64_t strips, int64_t rows, int64_t count, const MarchCost& cost) {
  March march;
  march.strips = strips;
  march.inner = cut(rows, count, cost.ends);
  const int64_t length = (march.inner.rows + cost.beside) * 100 / cost.rim - cost.beside;
  const int64_t most = length < kFewestRows ? kFewestRows : length;
  march.rim = cut(rows, (rows - 1) / most + 1, cost.ends);
  return march;
}

// Takes what is left of so many places.
inline void fill(March& march, int64_t rows, int64_t places, const MarchCost& cost) {
  const March::Chunks finer = cut(rows, march.inner.count + 1, cost.ends);
  const int64_t left = places - march.parts();
  if (left <= 0 || finer.count != march.inner.count + 1 || finer.rows < kFewestRows) return;
  march.more = left < march.inside() ? left : march.inside();
  march.finer = finer;
}

// Rows of a chunk inside, with those beside it.
inline int64_t mean(const March& march, const MarchCost& cost) {
  if (march.inside() == 0) return march.inner.rows + cost.beside;
  const int64_t fine = march.more * march.finer.count;
  const int64_t others = (march.inside() - march.more) * march.inner.count;
  return (fine * (march.finer.rows + cost.beside) + others * (march.inner.rows + cost.beside)) /
         (fine + others);
}

}  // namespace marching

inline int64_t turns(const March& march, int64_t places) {
  return (march.parts() - 1) / places + 1;
}

// Chunks for a card with places for so many warps at once: in whole waves, as many of these as are
// over soonest, when the last warp takes a twelfth of a chunk longer than most. What places are
// left take the further chunks of some strips: warps of a multiprocessor share its time, so that
// all of these are over together where each has as many.
inline March march_of(int64_t strips, int64_t rows, int64_t places, const MarchCost& cost) {
  constexpr int64_t kMostWaves = 8, kLonger = 12;
  int64_t count = 1, least = -1;
  March best;
  for (int64_t waves = 1; waves <= kMostWaves; ++waves) {
    March march = marching::share(strips, rows, count, cost);
    for (;; ++count) {
      const March more = marching::share(strips, rows, count + 1, cost);
      if (more.inner.rows < marching::kFewestRows || more.parts() > places * waves) break;
      march = more;
    }
    marching::fill(march, rows, places * waves, cost);
    const int64_t longest = march.inner.rows + cost.beside;
    const int64_t time = kLonger * turns(march, places) * marching::mean(march, cost) + longest;
    if (least >= 0 && time >= least) continue;
    least = time;
    best = march;
  }
  return best;
}

}  // namespace st
