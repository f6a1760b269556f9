// How blocks that stream along the last of three axes share out a grid: in columns, tiles of the
// first two axes, of which a block streams through some planes. All multiprocessors of a card take
// about as long, so that none waits for another.
#pragma once

#include <cstdint>

#include "anywhere.h"

namespace st {

// Blocks take, in this order: chunks of whole columns, first those at the ends of rows (the first
// tile along x and the last), then all others; and pieces of the columns that are left.
struct Columns {
  struct Piece {
    uint32_t column = 0;          // tile_y * tiles_x + tile_x
    uint16_t first = 0, end = 0;  // its planes, in units
  };
  static constexpr int kMostPieces = 448;  // arguments of a kernel have 4 KB

  int64_t tiles_x = 1, tiles_y = 1, planes = 1;
  int64_t at_boundary = 0, inside = 0;  // columns that are taken whole
  int64_t length = 1;                   // planes of a chunk of these
  int32_t count = 0, unit = 1;          // pieces, and planes of a unit
  bool pieces_first = false;            // before whole columns
  Piece pieces[kMostPieces];

  STENCIL_ANYWHERE int64_t boundary_tiles_x() const { return tiles_x < 2 ? tiles_x : 2; }
  STENCIL_ANYWHERE int64_t chunks() const { return (planes - 1) / length + 1; }
  STENCIL_ANYWHERE int64_t blocks() const { return (at_boundary + inside) * chunks() + count; }
};

// The n-th of the columns in the first and the last of a row of tiles (`boundary`), or of all
// others.
template <typename Index>
STENCIL_ANYWHERE void whole_column(Index n, Index tiles_x, bool boundary, Index& tile_x,
                                   Index& tile_y) {
  const Index ends = tiles_x < 2 ? tiles_x : 2, side = boundary ? ends : tiles_x - ends;
  tile_x = boundary ? n % side * (tiles_x - 1) : 1 + n % side;
  tile_y = n / side;
}

// The tile of a block along x and y, and its planes, from the first to before `end`.
template <typename Index>
STENCIL_ANYWHERE void column_of(const Columns& columns, Index block, Index& tile_x, Index& tile_y,
                                Index& first, Index& end) {
  const Index tiles_x = static_cast<Index>(columns.tiles_x);
  const Index planes = static_cast<Index>(columns.planes);
  const Index at_boundary = static_cast<Index>(columns.at_boundary);
  const Index whole = at_boundary + static_cast<Index>(columns.inside);
  const Index length = static_cast<Index>(columns.length);
  const Index of_whole = whole * ((planes - 1) / length + 1);
  if (columns.pieces_first) {
    const Index pieces = static_cast<Index>(columns.count);
    block = block < pieces ? block + of_whole : block - pieces;
  }
  if (block < of_whole) {
    const Index nth = block % whole;
    const bool boundary = nth < at_boundary;
    whole_column(boundary ? nth : nth - at_boundary, tiles_x, boundary, tile_x, tile_y);
    first = block / whole * length;
    end = first + length;
  } else {
    const Columns::Piece& piece = columns.pieces[block - of_whole];
    tile_x = static_cast<Index>(piece.column) % tiles_x;
    tile_y = static_cast<Index>(piece.column) / tiles_x;
    first = static_cast<Index>(piece.first) * static_cast<Index>(columns.unit);
    end = static_cast<Index>(piece.end) * static_cast<Index>(columns.unit);
  }
  end = end < planes ? end : planes;
}

// What blocks take besides the planes that they store.
struct ColumnCost {
  int64_t beside = 0;  // planes that a block computes before and after its own
  // Percent that a plane takes in the first and the last tile along x, and in the first and the
  // last tile of any.
  int64_t first = 100, last = 100, tile = 100;
  // And percent that all take longer where blocks do not stream side by side: what two of them read
  // is then no longer in the L2 when the second one comes.
  int64_t apart = 0;
  STENCIL_ANYWHERE int64_t of(const Columns& columns, int64_t at_tile_x, int64_t at_tile_y) const {
    const int64_t across = at_tile_x == 0 ? first : at_tile_x == columns.tiles_x - 1 ? last : 100;
    const bool end = at_tile_y == 0 || at_tile_y == columns.tiles_y - 1;
    return end && tile > across ? tile : across;
  }
};

// So many of a card's places are taken at first, for as long as a block takes for so many planes.
struct Late {
  int64_t places = 0, planes = 0;
  bool low_first = false;  // the low ends of all columns come before others
};

// Chunks of so many planes in all columns, those of one height side by side.
inline Columns columns_of(int64_t tiles_x, int64_t tiles_y, int64_t planes, int64_t length) {
  Columns columns;
  columns.tiles_x = tiles_x;
  columns.tiles_y = tiles_y;
  columns.planes = planes;
  columns.length = length < planes ? length : planes;
  columns.at_boundary = columns.boundary_tiles_x() * tiles_y;
  columns.inside = tiles_x * tiles_y - columns.at_boundary;
  return columns;
}

// How long they take, in planes of a block inside: full waves of whole ones, or what pieces level,
// and at least the longest of these.
inline double expected_time(const Columns& columns, int64_t places, const ColumnCost& cost,
                            const Late& late = {}) {
  constexpr double kLevel = 1.02;
  const auto place = static_cast<double>(places);
  const int64_t of_whole = columns.planes + columns.chunks() * cost.beside;
  int64_t total =
      of_whole * (columns.at_boundary * (cost.first + cost.last) / 2 + columns.inside * 100);
  int64_t longest = 0;
  const bool waits = columns.blocks() > places - late.places;  // some blocks begin late
  for (int n = 0; n < columns.count; ++n) {
    const Columns::Piece& piece = columns.pieces[n];
    const int64_t planes = int64_t{columns.unit} * (piece.end - piece.first) + cost.beside;
    const int64_t time =
        planes * cost.of(columns, piece.column % columns.tiles_x, piece.column / columns.tiles_x);
    total += time;
    longest = longest < time ? time : longest;
  }
  if (columns.count > 0 && waits) total += 100 * late.places * late.planes;
  const double mean = static_cast<double>(total) / (100 * place);
  if (columns.count > 0) {
    const double last = static_cast<double>(longest) / 100;
    return (mean * kLevel < last ? last : mean * kLevel) * static_cast<double>(100 + cost.apart) /
           100;
  }
  const int64_t waves = (columns.blocks() - 1) / places + 1;
  return mean * static_cast<double>(waves) * place / static_cast<double>(columns.blocks()) +
         (waits ? static_cast<double>(late.planes) : 0);
}

namespace columning {

// A piece, and what it takes.
struct Job {
  Columns::Piece piece;
  int64_t takes;
};

// Pieces of columns, one after the other, for places that each have so much time.
class Cut {
 public:
  Cut(const Columns& columns, const ColumnCost& cost, int64_t places, int64_t time,
      const Late& late)
      : columns_(columns), cost_(cost), late_(late), places_(places), time_(time), left_(time) {
    if (places <= late.places) left_ -= 100 * late.planes;
  }

  // False: there are not enough places, or too many pieces.
  bool add(int64_t tile_x, int64_t tile_y) {
    constexpr int64_t kFewest = 8;  // planes
    const int64_t percent = cost_.of(columns_, tile_x, tile_y);
    for (int64_t plane = 0; plane < columns_.planes;) {
      const int64_t rest = columns_.planes - plane;
      int64_t taken = left_ / percent - cost_.beside;
      taken = taken < rest ? taken / columns_.unit * columns_.unit : rest;
      if (taken < kFewest && taken < rest) {
        if (--places_ == 0) return false;
        left_ = time_ - (places_ <= late_.places ? 100 * late_.planes : 0);
        continue;
      }
      if (count == Columns::kMostPieces) return false;
      const int64_t time = (taken + cost_.beside) * percent;
      const int64_t end = plane + taken;
      jobs[count++] = {{static_cast<uint32_t>(tile_y * columns_.tiles_x + tile_x),
                        static_cast<uint16_t>(plane / columns_.unit),
                        static_cast<uint16_t>((end - 1) / columns_.unit + 1)},
                       time};
      left_ -= time;
      plane = end;
    }
    return true;
  }
  // The longest first, of as long ones the first.
  void sort() {
    const auto before = [&](const Job& one, const Job& other) {
      const bool low = one.piece.first == 0, other_low = other.piece.first == 0;
      if (late_.low_first && low != other_low) return low;
      return one.takes > other.takes;
    };
    for (int n = 1; n < count; ++n) {
      const Job job = jobs[n];
      int to = n;
      for (; to > 0 && before(job, jobs[to - 1]); --to) jobs[to] = jobs[to - 1];
      jobs[to] = job;
    }
  }
  Job jobs[Columns::kMostPieces];
  int count = 0;

 private:
  const Columns& columns_;
  const ColumnCost& cost_;
  const Late& late_;
  int64_t places_, time_, left_;
};

// The columns that are left beside whole ones, while `take` takes them.
template <typename Take>
bool each_left(const Columns& columns, const Columns& all, const Take& take) {
  const auto some = [&](int64_t n, int64_t end, bool boundary) {
    for (int64_t tile_x = 0, tile_y = 0; n < end; ++n) {
      whole_column(n, all.tiles_x, boundary, tile_x, tile_y);
      if (!take(tile_x, tile_y)) return false;
    }
    return true;
  };
  return some(columns.at_boundary, all.at_boundary, true) &&
         some(columns.inside, all.inside, false);
}

// In pieces for places of so much time each; false: there are not enough places, or too many
// pieces.
inline bool cut_rest(Columns& columns, const Columns& all, int64_t places, int64_t time,
                     const ColumnCost& cost, const Late& late) {
  Cut cut(all, cost, places, time, late);
  if (!each_left(columns, all,
                 [&](int64_t tile_x, int64_t tile_y) { return cut.add(tile_x, tile_y); }))
    return false;
  cut.sort();
  for (int n = 0; n < cut.count; ++n) columns.pieces[n] = cut.jobs[n].piece;
  columns.count = cut.count;
  columns.pieces_first = late.low_first;
  return true;
}

// Chunks of all columns, the ones that are over soonest; of those that stream side by side such as
// begin again before they fall out of step.
inline Columns even_columns(const Columns& all, int64_t places, const ColumnCost& cost,
                            const Late& late) {
  constexpr int64_t kChunks = 16, kInStep = 160;
  const int64_t fewest = cost.apart > 0 ? (all.planes - 1) / kInStep + 1 : 1;
  double least = -1;
  Columns best = all;
  for (int64_t count = fewest; count < fewest + kChunks && count <= all.planes; ++count) {
    const Columns columns =
        columns_of(all.tiles_x, all.tiles_y, all.planes, (all.planes - 1) / count + 1);
    const double time = expected_time(columns, places, cost, late);
    if (least >= 0 && time >= least) continue;
    least = time;
    best = columns;
  }
  return best;
}

}  // namespace columning

// Columns for a card with places for so many blocks at once: whole ones as long as each place takes
// one, and what is then left in pieces that take equally long together, one place's after the
// other's. The longest piece comes first: a place that has done with a short one takes the rest of
// another place's share, which is as long as it has time for. Or even chunks, if these are over
// sooner.
inline Columns columns_of(int64_t tiles_x, int64_t tiles_y, int64_t planes, int64_t places,
                          const ColumnCost& cost, const Late& late = {}) {
  constexpr int64_t kMostUnits = 65535;
  Columns all = columns_of(tiles_x, tiles_y, planes, planes);
  all.unit = static_cast<int32_t>((planes - 1) / kMostUnits + 1);
  Columns columns = all;
  columns.at_boundary = all.at_boundary / places * places;
  columns.inside = all.inside / places * places;
  const int64_t at_boundary = all.at_boundary - columns.at_boundary,
                inside = all.inside - columns.inside;
  const Columns even = columning::even_columns(all, places, cost, late);
  if (at_boundary + inside == 0 || at_boundary + inside > Columns::kMostPieces) return even;
  int64_t total = 0;
  columning::each_left(columns, all, [&](int64_t tile_x, int64_t tile_y) {
    total += (planes + cost.beside) * cost.of(all, tile_x, tile_y);
    return true;
  });
  total += 100 * late.places * late.planes;
  const int64_t most = total + 100 * cost.beside * places;
  for (int64_t time = total / places + 1; time <= most; time += time / 256 + 100)
    if (columning::cut_rest(columns, all, places, time, cost, late))
      return expected_time(columns, places, cost, late) < expected_time(even, places, cost, late)
                 ? columns
                 : even;
  return even;
}

}  // namespace st
