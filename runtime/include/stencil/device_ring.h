// Planes of grids in shared memory, and the cells outside the grid in them.
#pragma once

#include "device_barrier.h"
#include "device_copy.h"

namespace st {
inline namespace STENCIL_TARGET {

// Where a box is copied to.
template <typename T, int Rows, int Width>
struct alignas(128) Plane {
  T at[Rows][Width];
};

// The block's dynamic shared memory from a byte on, which is a multiple of 128.
template <typename Array>
__device__ inline Array& shared(int from) {
  extern __shared__ __align__(128) unsigned char memory[];
  return *reinterpret_cast<Array*>(memory + from);
}

// One thread copies the box that fills a plane and begins at cell (x, y, z); copy_box says how. In
// grids of fewer axes a plane is all of the box.
template <typename T, int Rows, int Width>
__device__ inline void copy_box(T (&plane)[Rows][Width], const Map& map, int x, Barrier& barrier) {
  copy_box(static_cast<void*>(plane), map, x / cells_of_element(Width, sizeof(T)), barrier);
}
template <typename T, int Rows, int Width>
__device__ inline void copy_box(T (&plane)[Rows][Width], const Map& map, int x, int y,
                                Barrier& barrier) {
  constexpr int cells = cells_of_element(Width, sizeof(T));
  copy_box(static_cast<void*>(plane), map, x / cells, y, barrier);
}
template <typename T, int Rows, int Width>
__device__ inline void copy_box(T (&plane)[Rows][Width], const Map& map, int x, int y, int z,
                                Barrier& barrier) {
  constexpr int cells = cells_of_element(Width, sizeof(T));
  copy_box(static_cast<void*>(plane), map, x / cells, y, z, barrier);
}

__device__ inline int thread_of_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// Makes the barriers of a ring, each for one arrival in a phase, before any thread goes on.
template <int Depth>
__device__ inline void begin(Barrier (&barriers)[Depth], bool leads) {
  if (leads) {
    for (Barrier& barrier : barriers) barrier.init(1);
    fence_init();
  }
  sync();
}

// The same for a ring that `Producers` threads of the block fill while `Warps` warps compute: a
// phase of `whole` takes an arrival of each of these threads, and one of `freed` of each warp.
template <int Producers, int Warps, int Depth>
__device__ inline void begin(Barrier (&arrived)[Depth], Barrier (&whole)[Depth],
                             Barrier (&freed)[Depth]) {
  if (thread_of_block() == 0) {
    for (Barrier& barrier : arrived) barrier.init(1);
    for (Barrier& barrier : whole) barrier.init(Producers);
    for (Barrier& barrier : freed) barrier.init(Warps);
    fence_init();
  }
  sync();
}

// The same where producers copy, and arrive by arrive_copied().
template <int Producers, int Warps, int Depth>
__device__ inline void begin(Barrier (&arrived)[Depth], Barrier (&freed)[Depth]) {
  if (thread_of_block() == 0) {
    for (Barrier& barrier : arrived) barrier.init(2 * Producers);
    for (Barrier& barrier : freed) barrier.init(Warps);
    fence_init();
  }
  sync();
}

// A producer arrives twice: for what it has written itself, and when its copies have landed.
__device__ inline void arrive_copied(Barrier& arrived) {
  arrived.arrive_landed();
  arrived.arrive();
}

// The calling warp has read all that it reads in a place of the ring.
__device__ inline void release(Barrier& freed) {
  sync_warp();
  if (thread_of_block() % 32 == 0) freed.arrive();
}

// Makes one barrier, for one arrival in a phase.
__device__ inline void begin(Barrier& barrier, bool leads) {
  if (leads) {
    barrier.init(1);
    fence_init();
  }
  sync();
}

// Where rows of a plane leave out 16 bytes after each vector of `Vector` cells, so that lanes with
// a vector each meet in no bank: the cells of a row of so many values, how many values such cells
// take, and where one lies. 0: nothing is left out.
template <typename T>
__device__ constexpr int cells_in(int values, int vector) {
  return vector == 0 ? values : values / (vector + 16 / static_cast<int>(sizeof(T))) * vector;
}
template <int Vector, typename T>
__device__ constexpr int spread(int cells) {
  if constexpr (Vector == 0)
    return cells;
  else
    return cells + cells / Vector * (16 / static_cast<int>(sizeof(T)));
}

// Loads all cells of a plane, which begins with the value at `from`, a pointer or a texture, rows
// being `pitch` apart. `Threads` threads of the block, from the one named `First` on, share the
// work, here and below.
template <int Threads, int First = 0, int Vector = 0, typename T, int Rows, int Width,
          typename From, typename Index = int>
__device__ inline void load_plane(T (&plane)[Rows][Width], From from, Index pitch = 0) {
  constexpr int columns = cells_in<T>(Width, Vector);
  for (int n = thread_of_block() - First; n < Rows * columns; n += Threads)
    plane[n / columns][spread<Vector, T>(n % columns)] = from[(n / columns) * pitch + n % columns];
}

// The same by asynchronous copies of `Cells` neighbours, at most 16 bytes.
template <int Threads, int Cells, int First = 0, int Vector = 0, typename T, int Rows, int Width,
          typename Index = int>
__device__ inline void copy_plane(T (&plane)[Rows][Width], const T* from, Index pitch = 0) {
  static_assert(cells_in<T>(Width, Vector) % Cells == 0,
                "rows are multiples of what one copy moves");
  constexpr int columns = cells_in<T>(Width, Vector) / Cells;
  for (int n = thread_of_block() - First; n < Rows * columns; n += Threads)
    copy_async<Cells * sizeof(T)>(&plane[n / columns][spread<Vector, T>(n % columns * Cells)],
                                  &from[(n / columns) * pitch + n % columns * Cells]);
}

// The block's own cells in a plane.
template <int Column, int Row, int Columns, int Rows>
struct Own {
  static constexpr int column = Column, row = Row, columns = Columns, rows = Rows;
};

// How many of the warps of a block move so many of all cells: one at least.
__device__ constexpr int warps_for(int cells, int all, int warps) {
  return cells == 0 ? 0 : cells * warps < all ? 1 : cells * warps / all;
}

// Calls move(row, column) for each `Cells` neighbours of a plane. Warps share the work: some move
// the columns beside the block's own cells, some the rows above and below them, and all others
// these themselves, so that no warp does two kinds of things.
template <int Threads, int Cells, typename Own, int Rows, int Width, typename Move>
__device__ inline void by_warps(const Move& move) {
  constexpr int warp = 32, warps = Threads / warp;
  constexpr int columns = Width / Cells, own = Own::columns / Cells, beside = columns - own;
  constexpr int rows = Rows - Own::rows;
  constexpr int most_x = warps_for(beside * Own::rows, columns * Rows, warps);
  constexpr int most_y = warps_for(columns * rows, columns * Rows, warps);
  constexpr bool all = most_x + most_y == warps;  // which leaves none for the block's own cells
  constexpr int x = most_x - (all && most_x > most_y), y = most_y - (all && most_x <= most_y);
  static_assert(Threads % warp == 0 && x + y < warps, "each part has whole warps of its own");
  const int thread = thread_of_block();
  if constexpr (x > 0) {
    if (thread < x * warp) {
      for (int n = thread; n < beside * Own::rows; n += x * warp) {
        const int column = n % beside * Cells;
        move(Own::row + n / beside, column < Own::column ? column : column + Own::columns);
      }
      return;
    }
  }
  if constexpr (y > 0) {
    if (thread < (x + y) * warp) {
      for (int n = thread - x * warp; n < columns * rows; n += y * warp) {
        const int row = n / columns;
        move(row < Own::row ? row : row + Own::rows, n % columns * Cells);
      }
      return;
    }
  }
  for (int n = thread - (x + y) * warp; n < own * Own::rows; n += Threads - (x + y) * warp)
    move(Own::row + n / own, Own::column + n % own * Cells);
}

// load_plane and copy_plane with the work shared out so.
template <int Threads, typename Own, int Vector = 0, typename T, int Rows, int Width, typename From,
          typename Index = int>
__device__ inline void load_parts(T (&plane)[Rows][Width], From from, Index pitch = 0) {
  by_warps<Threads, 1, Own, Rows, cells_in<T>(Width, Vector)>([&](int row, int column) {
    plane[row][spread<Vector, T>(column)] = from[row * pitch + column];
  });
}
template <int Threads, int Cells, typename Own, int Vector = 0, typename T, int Rows, int Width,
          typename Index = int>
__device__ inline void copy_parts(T (&plane)[Rows][Width], const T* from, Index pitch = 0) {
  by_warps<Threads, Cells, Own, Rows, cells_in<T>(Width, Vector)>([&](int row, int column) {
    copy_async<Cells * sizeof(T)>(&plane[row][spread<Vector, T>(column)],
                                  &from[row * pitch + column]);
  });
}

// The cells of a plane that lie outside a grid of nx x ny cells, as far as cells of the
// grid are ReachX and ReachY away; plane[0][0] stands for cell (x, y). They are shared out among
// `Threads` threads of the block, from the first one named on.
template <typename T, typename Index, int Rows, int Width, int ReachX, int ReachY, int Threads,
          int First = 0, int Vector = 0>
class Ghosts {
 public:
  __device__ Ghosts(Index x, Index y, Index nx, Index ny)
      : left_(x < 0 ? static_cast<int>(-x) : 0),
        right_(nx - x < Width ? static_cast<int>(nx - x) : Width),
        low_(y < 0 ? static_cast<int>(-y) : 0),
        high_(ny - y < Rows ? static_cast<int>(ny - y) : Rows) {
#pragma unroll
    for (int k = 0; k < kKept; ++k) place_[k] = place(thread() + k * Threads);
  }
  // Where other cells of the plane stand for them: from(row, column) tells by row * Width + column
  // which, or (below 0) that `beyond` of copy() does.
  template <typename From>
  __device__ Ghosts(Index x, Index y, Index nx, Index ny, const From& from) : Ghosts(x, y, nx, ny) {
#pragma unroll
    for (int k = 0; k < kKept; ++k)
      from_[k] = place_[k] < 0 ? -1 : from(place_[k] / Width, place_[k] % Width);
  }

  // When the plane has come.
  template <typename From>
  __device__ void copy(T (&plane)[Rows][Width], const From& from, T ghost = {}) const {
#pragma unroll
    for (int k = 0; k < kKept; ++k)
      if (place_[k] >= 0) plane[0][place_[k]] = from_[k] >= 0 ? plane[0][from_[k]] : ghost;
#pragma unroll 1
    for (int n = thread() + kKept * Threads; n < count(); n += Threads) {
      const int place = this->place(n);
      if (place < 0) continue;
      const int source = from(place / Width, place % Width);
      plane[0][place] = source >= 0 ? plane[0][source] : ghost;
    }
  }

  // Otherwise cell(row, column) gives the values, which are loaded before the plane comes and
  // stored when it has; if they fit: a block that meets both ends of an axis has too many.
  __device__ bool fits() const { return count() <= kKept * Threads; }
  template <typename Cell>
  __device__ void load(const Cell& cell) {
#pragma unroll
    for (int k = 0; k < kKept; ++k)
      if (place_[k] >= 0) kept_[k] = cell(place_[k] / Width, place_[k] % Width);
  }
  __device__ void store(T (&plane)[Rows][Width]) const {
#pragma unroll
    for (int k = 0; k < kKept; ++k)
      if (place_[k] >= 0) plane[0][place_[k]] = kept_[k];
  }

  // All cells of a plane that does not come as a box.
  template <typename Cell>
  __device__ void store_all(T (&plane)[Rows][spread<Vector, T>(Width)], const Cell& cell) const {
#pragma unroll 1
    for (int n = thread(); n < Rows * Width; n += Threads) {
      const int row = n / Width, column = n % Width;
      plane[row][spread<Vector, T>(column)] = near(row, column) ? cell(row, column) : T{};
    }
  }

 private:
  static constexpr int kKept = (ReachX * Rows + ReachY * Width + Threads - 1) / Threads;
  static constexpr int kPlaces = kKept > 0 ? kKept : 1;

  static __device__ int thread() { return thread_of_block() - First; }
  __device__ bool near(int row, int column) const {
    return row >= low_ - ReachY && row < high_ + ReachY && column >= left_ - ReachX &&
           column < right_ + ReachX;
  }
  // Cells outside the grid: those of rows, and of columns without these rows.
  __device__ int in_rows() const { return ((low_ > 0) + (high_ < Rows)) * ReachY * Width; }
  __device__ int count() const {
    return in_rows() + ((left_ > 0) + (right_ < Width)) * ReachX * Rows;
  }
  // row * Width + column of the n-th of them; -1: the plane does not have it.
  __device__ int place(int n) const {
    if (n >= count()) return -1;
    if (n < in_rows()) {
      const int nth = n / Width, column = n % Width;
      const int row =
          low_ > 0 && nth < ReachY ? low_ - ReachY + nth : high_ + nth - (low_ > 0 ? ReachY : 0);
      return row >= 0 && row < Rows && near(row, column) ? row * Width + column : -1;
    }
    const int nth = (n - in_rows()) / Rows, row = (n - in_rows()) % Rows;
    const int column =
        left_ > 0 && nth < ReachX ? left_ - ReachX + nth : right_ + nth - (left_ > 0 ? ReachX : 0);
    return column >= 0 && column < Width && row >= low_ && row < high_ ? row * Width + column : -1;
  }

  T kept_[kPlaces];
  int place_[kPlaces], from_[kPlaces];
  // plane[low..high-1][left..right-1] stands for cells of the grid.
  const int left_, right_, low_, high_;
};

}  // namespace STENCIL_TARGET
}  // namespace st
