// Shapes: how the cells of a grid lie in memory. x is contiguous; a row starts every `pitch`
// elements, a plane every `plane`.
#pragma once

#include <cstdint>
#include <type_traits>

#include "status.h"

namespace stencil {

// Extents of a grid, x first: Grid<float, 2> u({nx, ny}).
template <int Rank>
struct Extents {
  static_assert(Rank >= 1 && Rank <= 3, "a grid has 1, 2 or 3 axes");
  int64_t at[Rank];

  int64_t operator[](int axis) const { return at[axis]; }
};

// How many cells beyond each end of an axis a grid holds for its caller:
// Grid<float, 2> u({nx, ny}, {1, 1}).
template <int Rank>
struct Halo {
  int64_t at[Rank] = {};

  int64_t operator[](int axis) const { return at[axis]; }
};

// How many steps a run takes, and the number `t` of the first. kIterate: as the `iterate` of the
// .stn says.
inline constexpr int64_t kIterate = -1;
struct Steps {
  int64_t count = 1;
  int64_t first = 0;
};

namespace detail {
// a * b for a, b >= 0, or a negative number where the product does not fit.
inline int64_t product(int64_t a, int64_t b) {
  return a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b) ? -1 : a * b;
}
// The extent with a halo at both ends, or a negative number where there is none.
inline int64_t grown(int64_t extent, int64_t halo) {
  return extent < 0 || halo < 0 || halo > (INT64_MAX - extent) / 2 ? -1 : extent + 2 * halo;
}
}  // namespace detail

struct Shape {
  int rank = 0;
  int64_t nx = 0;
  int64_t ny = 1;  // 1 for the axes that the grid does not have
  int64_t nz = 1;
  int64_t pitch = 0;
  int64_t plane = 0;
  int64_t hx = 0;  // the halo; 0 for the axes that the grid does not have
  int64_t hy = 0;
  int64_t hz = 0;

  // Elements from the first cell to the end of the last row; the padding after the last row does
  // not count.
  int64_t span() const { return (nz - 1) * plane + (ny - 1) * pitch + nx; }

  // The last axis, along which a grid is cut into pieces: its extent, its halo, and how far apart
  // in memory its planes are (rows of a grid of two axes, cells of a grid of one).
  int64_t& last() { return rank == 1 ? nx : rank == 2 ? ny : nz; }
  int64_t last() const { return rank == 1 ? nx : rank == 2 ? ny : nz; }
  int64_t& last_halo() { return rank == 1 ? hx : rank == 2 ? hy : hz; }
  int64_t last_halo() const { return rank == 1 ? hx : rank == 2 ? hy : hz; }
  int64_t last_stride() const { return rank == 1 ? 1 : rank == 2 ? pitch : plane; }

  bool has_halo() const { return hx != 0 || hy != 0 || hz != 0; }
  // Elements from the first cell of the halo to cell (0, 0, 0), where the pointer of a grid points.
  int64_t front() const { return hz * plane + hy * pitch + hx; }
  // The cells and their halo, as cells.
  Shape box() const {
    return {rank, detail::grown(nx, hx), detail::grown(ny, hy), detail::grown(nz, hz), pitch,
            plane};
  }
};

// Cells of a grid, along each axis those from `first` to before `end`.
struct Box {
  int64_t first[3];
  int64_t end[3];

  static Box of(const Shape& shape) { return {{0, 0, 0}, {shape.nx, shape.ny, shape.nz}}; }
  int64_t cells(int axis) const { return end[axis] > first[axis] ? end[axis] - first[axis] : 0; }
  bool empty() const { return cells(0) == 0 || cells(1) == 0 || cells(2) == 0; }
};

// What memory holds of a grid: so many planes (rows of a grid of two axes, cells of a grid of one)
// from `first` on, which the pointers of a call point at. Some may lie outside the grid.
struct Piece {
  int64_t first = 0, planes = 0;

  static Piece of(const Shape& shape) { return {0, shape.last()}; }
  // The shape of what is in memory. Its halo along the cut axis counts as planes.
  Shape of_memory(const Shape& shape) const {
    Shape made = shape;
    made.last() = planes;
    made.last_halo() = 0;
    if (shape.rank == 1) made.pitch = made.plane = planes;
    return made;
  }
};

// What has places on a device before the inner planes of a piece do: its border planes, at so many
// ends, each of so many planes.
struct Busy {
  int64_t ends = 0, planes = 0;
  bool low_first = false;
};

// The shape of memory that somebody else laid out: stencil::shape({nx, ny, nz}, pitch, plane).
template <int Rank, typename = std::enable_if_t<Rank == 3>>
Shape shape(const int64_t (&extents)[Rank], int64_t pitch, int64_t plane,
            const Halo<Rank>& halo = {}) {
  return {Rank, extents[0], extents[1], extents[2], pitch, plane, halo[0], halo[1], halo[2]};
}
// Planes follow each other without a gap. A plane too large to count gives -1, which no check lets
// pass.
template <int Rank>
Shape shape(const int64_t (&extents)[Rank], int64_t pitch, const Halo<Rank>& halo = {}) {
  static_assert(Rank >= 1 && Rank <= 3, "a grid has 1, 2 or 3 axes");
  Shape made{Rank, extents[0], 1, 1, pitch, 0, halo[0]};
  if constexpr (Rank >= 2) made.ny = extents[1], made.hy = halo[1];
  if constexpr (Rank >= 3) made.nz = extents[2], made.hz = halo[2];
  made.plane = detail::product(pitch, detail::grown(made.ny, made.hy));
  return made;
}

// The shape of a new grid: rows start at multiples of 64 elements. It follows from the extents and
// the halo alone, so that all grids of these agree, whatever their element type.
template <int Rank>
Shape padded_shape(const int64_t (&extents)[Rank], const Halo<Rank>& halo = {}) {
  const int64_t row = detail::grown(extents[0], halo[0]);
  return shape(extents, row > INT64_MAX - 63 ? row : (row + 63) / 64 * 64, halo);
}

inline bool same_extents(const Shape& a, const Shape& b) {
  return a.rank == b.rank && a.nx == b.nx && a.ny == b.ny && a.nz == b.nz;
}
inline bool same_halo(const Shape& a, const Shape& b) {
  return a.hx == b.hx && a.hy == b.hy && a.hz == b.hz;
}

// Whether 32-bit indices will do: they reach every element, and as many again for threads beyond
// the last cell.
inline bool fits_32_bits(int64_t elements) { return elements <= INT32_MAX / 2; }

// Do rows of these buffers begin where `Width` cells can be moved by one access, or by several of
// 16 bytes?
template <int Width, typename... T>
bool aligned(const Shape& shape, const T*... buffers) {
  const bool rows =
      (shape.rank < 2 || shape.pitch % Width == 0) && (shape.rank < 3 || shape.plane % Width == 0);
  const auto at_multiple = [](const void* buffer, uintptr_t bytes) {
    return reinterpret_cast<uintptr_t>(buffer) % (bytes < 16 ? bytes : 16) == 0;
  };
  return rows && (... && at_multiple(buffers, Width * sizeof(T)));
}

// Whether 32-bit indices reach every element of a piece, every coordinate of its grid and every one
// of the grid's rows.
inline bool fits_32_bits(const Shape& shape, const Piece& piece) {
  const auto fits = [](int64_t count) { return count >= 0 && fits_32_bits(count); };
  return fits(detail::product(shape.last_stride(), piece.planes)) && fits(shape.nx) &&
         fits(detail::product(shape.ny, shape.nz));
}

// How many blocks of `size` cells cover `extent` cells.
inline int64_t blocks(int64_t extent, int64_t size) { return (extent - 1) / size + 1; }

// The rows of blocks, of so many cells along x and y, that hold the cells of a plane near its ends:
// those within at most `beside_x` cells, of both ends together, and `beside_y` (device_edges.h).
inline int64_t edge_rows(const Shape& shape, int64_t beside_x, int64_t beside_y, int64_t block_x,
                         int64_t block_y) {
  const int64_t cells = beside_y * shape.nx + beside_x * shape.ny;
  return blocks(cells, blocks(shape.nx, block_x) * block_x * block_y);
}

// Colours meet across a periodic boundary where an extent is no multiple of `cells`.
inline Status check_multiple(const char* stencil, const char* name, int64_t extent, int64_t cells) {
  if (extent % cells == 0) return {};
  return failure(Code::bad_extents,
                 "`%s`: `%s` is %lld; with colours and a periodic boundary it must be a multiple "
                 "of %lld",
                 stencil, name, static_cast<long long>(extent), static_cast<long long>(cells));
}

// "640 x 480" or "640 x 480 with a halo of 1 x 1", for messages.
class ShapeText {
 public:
  explicit ShapeText(const Shape& shape) {
    const int used = print(text_, sizeof text_, shape.rank, shape.nx, shape.ny, shape.nz);
    if (!shape.has_halo()) return;
    const int more =
        std::snprintf(text_ + used, sizeof text_ - static_cast<size_t>(used), " with a halo of ");
    print(text_ + used + more, sizeof text_ - static_cast<size_t>(used + more), shape.rank,
          shape.hx, shape.hy, shape.hz);
  }
  const char* c_str() const { return text_; }

 private:
  static int print(char* to, size_t size, int rank, long long x, long long y, long long z) {
    if (rank <= 1) return std::snprintf(to, size, "%lld", x);
    if (rank == 2) return std::snprintf(to, size, "%lld x %lld", x, y);
    return std::snprintf(to, size, "%lld x %lld x %lld", x, y, z);
  }

  char text_[152];
};

// Advances by one time level: the last of `Levels` buffers becomes the newest, the others age. So
// do maps of the buffers.
template <int Levels, typename T>
void rotate(T* level) {
  const T newest = level[Levels - 1];
  for (int i = Levels - 1; i > 0; --i) level[i] = level[i - 1];
  level[0] = newest;
}

template <typename T, int Levels>
void rotate(T* (&level)[Levels]) {
  rotate<Levels>(&level[0]);
}

}  // namespace stencil
