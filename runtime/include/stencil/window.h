// Windows: the part of a grid that one device computes of it, for code that is emitted with
// --distributed. A grid is cut along its last axis, into planes (rows of a grid of two axes,
// cells of a grid of one).
#pragma once

#include <cstdint>

#include "device_borders.h"
#include "shape.h"

namespace stencil {

// What one launch computes, in coordinates of the grid, and the plane at which memory begins for
// it. Around a periodic axis memory goes on where the grid ends: there it begins one grid before or
// behind where it does inside.
struct WindowPart : Box {
  int64_t origin;
};

// At most three: inside the grid, and around either end.
class WindowParts {
 public:
  void add(const Box& box, int64_t origin) {
    if (!box.empty()) parts_[count_++] = {box, origin};
  }
  const WindowPart* begin() const { return parts_; }
  const WindowPart* end() const { return parts_ + count_; }

 private:
  WindowPart parts_[6];
  int count_ = 0;
};

// How the planes at the borders of a piece are computed, which its neighbours read.
struct BorderPlanes {
  Busy apart;         // by launches of their own, beside this one;
  st::Borders early;  // or by this one, which counts them as it stores them:
  int64_t* counted =
      nullptr;  // how often it does, at the low end and at the high one, is added to these

  Busy busy() const {
    if (early.high == 0) return {apart.ends, apart.planes, early.low > 0};
    return {1, early.high, early.low > 0};
  }
  // What a launch that is shared out so is told. Where who streams from the low end on has fewer
  // planes than that has, it is not counted.
  template <typename Parts>
  st::Borders of(const Parts& parts) const {
    st::Borders told = early;
    if (st::planes_at_low_end(parts, told.low) < told.low) told.low = 0;
    if (counted != nullptr && told.low > 0) counted[0] += st::tiles_of(parts);
    if (counted != nullptr && told.high > 0) counted[1] += st::tiles_of(parts);
    return told;
  }
};

// A call computes the cells of the planes from `first` to before `end`. `piece` is in memory.
struct Window {
  int64_t first, end;
  Piece piece;
  int64_t taken;  // how many steps of the run came before the call
  bool wraps;     // is the axis periodic?
  // Planes of the piece, of which the window may be a part: what decides which kernels take the
  // steps.
  int64_t planes;
  bool checked;  // are the arguments known to be good?
  BorderPlanes borders;

  // The same where memory is taken for a grid of its own.
  Window within_memory() const {
    Window made = *this;
    made.first -= piece.first;
    made.end -= piece.first;
    made.piece = {0, piece.planes};
    made.wraps = false;
    return made;
  }
  // So many planes more on either side, as far as there is a grid.
  WindowParts grown(const Shape& shape, int64_t low, int64_t high) const {
    WindowParts parts;
    add(parts, shape, first - low, end + high);
    return parts;
  }
  // Those planes alone, without the window itself.
  WindowParts beside(const Shape& shape, int64_t low, int64_t high) const {
    WindowParts parts;
    add(parts, shape, first - low, first);
    add(parts, shape, end, end + high);
    return parts;
  }

 private:
  void add(WindowParts& parts, const Shape& shape, int64_t from, int64_t to) const {
    const int64_t planes = Piece::of(shape).planes;
    const int axis = shape.rank - 1;
    for (int64_t turn = wraps ? -1 : 0; turn <= (wraps ? 1 : 0); ++turn) {
      // The grid as it repeats, which begins at plane turn * planes.
      Box box = Box::of(shape);
      const int64_t begin = from - turn * planes, behind = to - turn * planes;
      box.first[axis] = begin > 0 ? begin : 0;
      box.end[axis] = behind < planes ? behind : planes;
      parts.add(box, piece.first - turn * planes);
    }
  }
};

// The window of a call of C.
inline Window window_of(int64_t first, int64_t end, int64_t origin, int64_t held, int64_t taken,
                        bool wraps) {
  return {first, end, {origin, held}, taken, wraps, end - first, false, {}};
}

// Is the window in the grid, and is so much of the grid in memory beside it, of the grid with its
// halo and around a periodic axis?
inline Status check_window(const char* stencil, const Shape& shape, const Window& window,
                           int64_t beside) {
  const int64_t planes = Piece::of(shape).planes, halo = shape.last_halo();
  if (window.first < 0 || window.end <= window.first || window.end > planes)
    return failure(Code::bad_extents, "`%s`: the window is planes %lld to %lld of %lld", stencil,
                   static_cast<long long>(window.first), static_cast<long long>(window.end),
                   static_cast<long long>(planes));
  if (window.wraps && 2 * beside > planes)
    return failure(Code::bad_extents,
                   "`%s`: the steps reach %lld planes in either direction, and the periodic axis "
                   "has %lld; take fewer steps a leg",
                   stencil, static_cast<long long>(beside), static_cast<long long>(planes));
  int64_t low = window.first - beside, high = window.end + beside;
  if (!window.wraps && low < -halo) low = -halo;
  if (!window.wraps && high > planes + halo) high = planes + halo;
  const Piece& piece = window.piece;
  if (window.wraps && window.end - window.first < planes && piece.planes > planes)
    return failure(Code::bad_extents,
                   "`%s`: memory holds %lld planes of %lld, so some twice, and it would not be "
                   "clear which is meant; take fewer steps a leg, or pieces of other sizes",
                   stencil, static_cast<long long>(piece.planes), static_cast<long long>(planes));
  if (piece.first <= low && piece.first + piece.planes >= high) return {};
  return failure(Code::bad_extents,
                 "`%s`: memory holds planes %lld to %lld, and the call needs %lld to %lld", stencil,
                 static_cast<long long>(piece.first),
                 static_cast<long long>(piece.first + piece.planes), static_cast<long long>(low),
                 static_cast<long long>(high));
}

// Copies the ghost cells that memory holds of a piece to another buffer: those beside its cells,
// and whole planes beyond an end of the grid. `Memory` is that of the target (grid.h).
template <typename Memory, typename T>
void copy_ghosts(T* to, const T* from, const Shape& shape, const Window& window,
                 typename Memory::Stream stream) {
  const Shape held = window.piece.of_memory(shape), box = held.box();
  if (held.has_halo()) copy_halo(to, from, held, stream);
  const int64_t planes = Piece::of(shape).planes, first = window.piece.first;
  const auto copy = [&](int64_t begin, int64_t end) {
    if (end <= begin) return;
    const int64_t at = (begin - first) * shape.last_stride() - held.front();
    Shape some = box;
    some.last() = end - begin;
    (void)Memory::copy(to + at, from + at, some, sizeof(T), stream);
  };
  copy(first, 0);
  copy(planes, first + window.piece.planes);
}

// What the cells of a window add to a reduction: a value for each group of so many cells of a row.
// The caller has the memory, for the planes of the window, and that of the result.
template <typename T, int Group>
class WindowReduction {
 public:
  // Values of a plane (a row of a grid of two axes).
  static int64_t plane(const Shape& shape) {
    return blocks(shape.nx, Group) * (shape.rank == 3 ? shape.ny : 1);
  }
  // And of all planes.
  static int64_t all(const Shape& shape) { return plane(shape) * Piece::of(shape).planes; }

  WindowReduction(T* partials, const T* result, const Shape& shape, const Window& window)
      : partials_(partials == nullptr ? nullptr : partials - window.first * plane(shape)),
        result_(result) {}

  T* partials() const { return partials_; }  // as if those of all planes were in memory
  const T* result() const { return result_; }

 private:
  T* partials_;
  const T* result_;
};

}  // namespace stencil
