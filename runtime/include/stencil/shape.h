// Shapes: how the cells of a grid lie in memory. x is contiguous; a row starts every `pitch`
// elements, a plane every `plane`.
#pragma once

#include <cstdint>

#include "status.h"

namespace stencil {

// Extents of a grid, x first: Grid<float, 2> u({nx, ny}).
template <int Rank>
struct Extents {
  static_assert(Rank >= 1 && Rank <= 3, "a grid has 1, 2 or 3 axes");
  int64_t at[Rank];

  int64_t operator[](int axis) const { return at[axis]; }
};

// How many steps a run takes, and the number `t` of the first. kIterate: as the `iterate` of the
// .stn says.
inline constexpr int64_t kIterate = -1;
struct Steps {
  int64_t count = 1;
  int64_t first = 0;
};

struct Shape {
  int rank = 0;
  int64_t nx = 0;
  int64_t ny = 1;  // 1 for the axes that the grid does not have
  int64_t nz = 1;
  int64_t pitch = 0;
  int64_t plane = 0;

  // Elements from the first cell to the end of the last row; the padding behind the last row does
  // not count.
  int64_t span() const { return (nz - 1) * plane + (ny - 1) * pitch + nx; }
};

// The shape of memory that somebody else laid out: stencil::shape({nx, ny}, pitch).
template <int Rank>
Shape shape(const int64_t (&extents)[Rank], int64_t pitch, int64_t plane) {
  static_assert(Rank >= 1 && Rank <= 3, "a grid has 1, 2 or 3 axes");
  Shape made{Rank, extents[0], 1, 1, pitch, plane};
  if constexpr (Rank >= 2) made.ny = extents[1];
  if constexpr (Rank >= 3) made.nz = extents[2];
  return made;
}

namespace detail {
// a * b for a, b >= 0, or a negative number where the product does not fit.
inline int64_t product(int64_t a, int64_t b) {
  return a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b) ? -1 : a * b;
}
}  // namespace detail

// Planes follow each other without a gap. A plane too large to count gives -1, which no check lets
// pass.
template <int Rank>
Shape shape(const int64_t (&extents)[Rank], int64_t pitch) {
  Shape made = shape(extents, pitch, 0);
  made.plane = detail::product(pitch, made.ny);
  return made;
}

// The shape of a new grid: rows start at multiples of 64 elements. It follows from the extents
// alone, so that all grids of these extents agree, whatever their element type.
template <int Rank>
Shape padded_shape(const int64_t (&extents)[Rank]) {
  const int64_t nx = extents[0];
  return shape(extents, nx > INT64_MAX - 63 ? nx : (nx + 63) / 64 * 64);
}

inline bool same_extents(const Shape& a, const Shape& b) {
  return a.rank == b.rank && a.nx == b.nx && a.ny == b.ny && a.nz == b.nz;
}

// Whether 32-bit indices will do: they reach every element, and as many again for threads beyond
// the last cell.
inline bool fits_32_bits(int64_t elements) { return elements <= INT32_MAX / 2; }

// How many blocks of `size` cells cover `extent` cells.
inline int64_t blocks(int64_t extent, int64_t size) { return (extent - 1) / size + 1; }

// Colours meet across a periodic rim where an extent is no multiple of `cells`.
inline Status check_multiple(const char* stencil, const char* name, int64_t extent, int64_t cells) {
  if (extent % cells == 0) return {};
  return failure(Code::bad_extents,
                 "`%s`: `%s` is %lld; with colours and a periodic boundary it must be a multiple "
                 "of %lld",
                 stencil, name, static_cast<long long>(extent), static_cast<long long>(cells));
}

// "640 x 480", for messages.
class ShapeText {
 public:
  explicit ShapeText(const Shape& shape) {
    const long long nx = shape.nx, ny = shape.ny, nz = shape.nz;
    if (shape.rank <= 1) std::snprintf(text_, sizeof text_, "%lld", nx);
    if (shape.rank == 2) std::snprintf(text_, sizeof text_, "%lld x %lld", nx, ny);
    if (shape.rank == 3) std::snprintf(text_, sizeof text_, "%lld x %lld x %lld", nx, ny, nz);
  }
  const char* c_str() const { return text_; }

 private:
  char text_[72];
};

// Advances by one time level: the last of `Levels` buffers becomes the newest, the others age.
template <int Levels, typename T>
void rotate(T** level) {
  T* const newest = level[Levels - 1];
  for (int i = Levels - 1; i > 0; --i) level[i] = level[i - 1];
  level[0] = newest;
}

template <typename T, int Levels>
void rotate(T* (&level)[Levels]) {
  rotate<Levels>(&level[0]);
}

}  // namespace stencil
