// The memory in which the launches of a step keep values, where the caller of a run gives it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check.h"

namespace stencil {

// Null: a run takes what it needs from a pool.
struct Workspace {
  void* data = nullptr;
  size_t bytes = 0;
};

namespace detail {

constexpr int64_t kValueAlignment = 256;
constexpr int64_t kGhostAlignment = 128;  // after the cells of the same value

// a + b for a, b >= 0, or a negative number where the sum does not fit or an operand is negative.
inline int64_t sum(int64_t a, int64_t b) {
  return a < 0 || b < 0 || a > INT64_MAX - b ? -1 : a + b;
}
// The next multiple, or a negative number.
inline int64_t rounded_up(int64_t bytes, int64_t multiple) {
  const int64_t more = sum(bytes, multiple - 1);
  return more < 0 ? -1 : more / multiple * multiple;
}

}  // namespace detail

// Where a value of each cell of a grid, with the strides of the grids, has its ghost cells, and how
// many bytes it takes, with those that align the next value; negative: more than fit.
struct ValueLayout {
  int64_t ghosts = -1, bytes = -1;
};

// `size` is that of an element; ghost cells lie around the cells, so many at each end of each axis.
// Of a piece of a grid, `grid` is the whole one, around which ghost cells are counted.
inline ValueLayout value_layout(const Shape& shape, int64_t size, const Halo<3>& ghosts,
                                const Shape& grid) {
  using namespace detail;
  const int64_t all = product(product(grown(grid.nx, ghosts[0]), grown(grid.ny, ghosts[1])),
                              grown(grid.nz, ghosts[2]));
  const int64_t cells = product(product(grid.nx, grid.ny), grid.nz);
  ValueLayout layout;
  layout.ghosts = rounded_up(product(shape.span(), size), kGhostAlignment);
  const int64_t around = all < 0 || cells < 0 ? -1 : product(all - cells, size);
  layout.bytes = rounded_up(sum(layout.ghosts, around), kValueAlignment);
  return layout;
}

inline ValueLayout value_layout(const Shape& shape, int64_t size, const Halo<3>& ghosts) {
  return value_layout(shape, size, ghosts, shape);
}

// The bytes of a workspace for values that are added one by one.
class WorkspaceSize {
 public:
  explicit WorkspaceSize(const Shape& shape) : shape_(shape) {}

  void add(size_t size, const Halo<3>& ghosts = {}) {
    const auto element = static_cast<int64_t>(size);
    const bool good = check_shape("", shape_, element).ok();
    bytes_ = detail::sum(bytes_, good ? value_layout(shape_, element, ghosts).bytes : -1);
  }

  // With what aligns the first value, wherever the memory begins; SIZE_MAX where the shape is none
  // or values are larger than memory.
  size_t bytes() const {
    return bytes_ < 0 || static_cast<uint64_t>(bytes_) > SIZE_MAX ? SIZE_MAX
                                                                  : static_cast<size_t>(bytes_);
  }

 private:
  Shape shape_;
  int64_t bytes_ = detail::kValueAlignment;
};

// The part of a workspace that holds no value yet, if it has the bytes that the run needs.
inline Status begin_workspace(const char* who, const Workspace& given, size_t needed,
                              Workspace* left) {
  *left = {};
  if (given.data == nullptr && given.bytes == 0) return {};
  if (given.data == nullptr)
    return failure(Code::null_pointer,
                   "%s: the workspace of %llu bytes is a null pointer; pass memory, or 0 bytes for "
                   "that of a pool",
                   who, static_cast<unsigned long long>(given.bytes));
  if (given.bytes < needed)
    return failure(Code::small_workspace,
                   "%s: the workspace has %llu bytes, and values need %llu; ask for the size with "
                   "the same extents, pitch and schedule, or pass none",
                   who, static_cast<unsigned long long>(given.bytes),
                   static_cast<unsigned long long>(needed));
  constexpr auto alignment = static_cast<uintptr_t>(detail::kValueAlignment);
  const uintptr_t before =
      (alignment - reinterpret_cast<uintptr_t>(given.data) % alignment) % alignment;
  *left = {static_cast<char*>(given.data) + before, given.bytes - before};
  return {};
}

// The first bytes of what is left; null where there is no workspace.
inline void* next_part(Workspace& left, int64_t bytes) {
  void* const taken = left.data;
  if (taken == nullptr) return nullptr;
  left.data = static_cast<char*>(taken) + bytes;
  left.bytes -= static_cast<size_t>(bytes);
  return taken;
}

}  // namespace stencil
