// BasicCall: from grids to the pointers of the C interface and back. cuda.h and cpu.h name it Call.
#pragma once

#include <cstdint>

#include "grid.h"

namespace stencil {

// The N buffers of a stepped field, newest first. The first `given` belong to grids, the others are
// spares of the first grid.
template <typename T, int N, int Rank, typename Memory>
struct Levels {
  T* at[N] = {};    // rotates during the run
  T* home[N] = {};  // where each buffer was at the start
  BasicGrid<T, Rank, Memory>* grids[N] = {};
  int given = 0;
};

namespace detail {

// Lets owning grids take over the buffers that now hold their levels.
template <typename T, int N, int Rank, typename Memory>
void adopt(Levels<T, N, Rank, Memory>& levels) {
  for (int i = 0; i < N; ++i)
    if (i < levels.given)
      levels.grids[i]->set_data(levels.at[i]);
    else
      levels.grids[0]->set_spare(i - levels.given, levels.at[i]);
}

// Moves levels to the memory of their own grids, for grids that cannot change it. A buffer is
// overwritten only once no level that is still to be moved lives there; a cycle of levels is opened
// through one spare.
template <typename T, int N, int Rank, typename Memory>
Status move_home(Levels<T, N, Rank, Memory>& levels, const Shape& shape,
                 typename Memory::Stream stream) {
  const auto needed = [&](const T* buffer, int except) {
    for (int k = 0; k < levels.given; ++k)
      if (k != except && levels.at[k] != levels.home[k] && levels.at[k] == buffer) return true;
    return false;
  };
  for (;;) {
    int away = -1, free = -1;
    for (int k = 0; k < levels.given; ++k) {
      if (levels.at[k] == levels.home[k]) continue;
      away = k;
      if (!needed(levels.home[k], k)) free = k;
    }
    if (away < 0) return {};
    T* target = free < 0 ? nullptr : levels.home[free];
    if (free < 0) {
      const Status status = levels.grids[0]->spare(N - levels.given, &target);
      if (!status.ok()) return status;
      free = away;
    }
    const Status status = Memory::copy(target - shape.front(), levels.at[free] - shape.front(),
                                       shape.box(), sizeof(T), stream);
    if (!status.ok()) return status;
    levels.at[free] = target;
  }
}

}  // namespace detail

// Checks what only grids know (that they were allocated and have one shape) and passes on their
// buffers. The first failure is kept, later calls do nothing. The C interface checks the rest.
template <int Rank, typename Memory>
class BasicCall {
 public:
  using Stream = typename Memory::Stream;
  template <typename T>
  using Grid = BasicGrid<T, Rank, Memory>;

  // The stencil reads `halo` cells outside the grid in memory.
  BasicCall(const char* stencil, Stream stream, Halo<Rank> halo = {})
      : stencil_(stencil), stream_(stream), halo_(halo) {}

  // N levels from `newest` and the grids of older levels, as many as the caller keeps; spares make
  // up the number.
  template <int N, typename T, typename... Older>
  Levels<T, N, Rank, Memory> levels(const char* name, Grid<T>& newest, Older&... older) {
    constexpr int given = 1 + static_cast<int>(sizeof...(older));
    static_assert(given <= N && N - given < Grid<T>::max_spares, "levels without a buffer");
    Levels<T, N, Rank, Memory> result;
    Grid<T>* grids[] = {&newest, &older...};
    result.given = given;
    for (int i = 0; i < N; ++i) {
      if (i < given) {
        result.grids[i] = grids[i];
        join(name, *grids[i]);
        result.at[i] = grids[i]->data();
      } else if (ok()) {
        blame(name, newest.spare(i - given, &result.at[i]));
      }
      result.home[i] = result.at[i];
    }
    return result;
  }

  template <typename T>
  const T* input(const char* name, const Grid<T>& grid) {
    join(name, grid);
    return grid.data();
  }
  template <typename T>
  T* output(const char* name, Grid<T>& grid) {
    join(name, grid);
    return grid.data();
  }

  // A grid on the axes in `axes` alone, 0 for x, with the halo that the stencil reads. Those on all
  // axes come before.
  template <typename T, int Part>
  const T* part(const char* name, const BasicGrid<T, Part, Memory>& grid, const int (&axes)[Part],
                Halo<Part> halo = {}) {
    if (!ok()) return nullptr;
    if (!grid.status().ok()) blame(name, grid.status());
    check_halo(name, grid.halo(), halo, grid.shape());
    const int64_t whole[] = {shape_.nx, shape_.ny, shape_.nz};
    const int64_t own[] = {grid.shape().nx, grid.shape().ny, grid.shape().nz};
    for (int a = 0; a < Part && ok(); ++a)
      if (own[a] != whole[axes[a]])
        status_ = failure(Code::bad_extents,
                          "`%s`: `%s` has %lld cells where `%s` has %lld; a grid on some of the "
                          "axes has the extents of those",
                          stencil_, name, static_cast<long long>(own[a]), first_,
                          static_cast<long long>(whole[axes[a]]));
    return grid.data();
  }

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  int64_t nx() const { return shape_.nx; }
  int64_t ny() const { return shape_.ny; }
  int64_t nz() const { return shape_.nz; }
  int64_t pitch() const { return shape_.pitch; }
  int64_t plane() const { return shape_.plane; }

  // Takes the code that the C interface returned. On success every grid holds its level again:
  // owning grids by exchanging buffers, wrapped ones by copies on the stream. After a failure the
  // contents of what was to be written are unknown.
  template <typename... AllLevels>
  Status finish(int code, AllLevels&... levels) {
    status_ = status_of(code);
    (settle(levels), ...);
    return status_;
  }

 private:
  // A grid's failure becomes the call's.
  void blame(const char* name, const Status& status) {
    if (!status.ok())
      status_ = failure(status.code(), "`%s`: `%s`: %s", stencil_, name, status.message());
  }

  template <int Axes>
  void check_halo(const char* name, const Halo<Axes>& given, const Halo<Axes>& read,
                  const Shape& shape) {
    Shape wanted{Axes, read[0]};
    if constexpr (Axes >= 2) wanted.ny = read[1];
    if constexpr (Axes >= 3) wanted.nz = read[2];
    for (int axis = 0; axis < Axes && ok(); ++axis)
      if (given[axis] < read[axis])
        status_ =
            failure(Code::bad_extents,
                    "`%s`: `%s` is %s and the stencil reads a halo of %s; construct the grids "
                    "of the call with one",
                    stencil_, name, ShapeText(shape).c_str(), ShapeText(wanted).c_str());
  }

  template <typename T>
  void join(const char* name, const Grid<T>& grid) {
    if (!ok()) return;
    const Shape& shape = grid.shape();
    if (!grid.status().ok()) {
      status_ =
          failure(grid.status().code(), "`%s`: `%s`: %s", stencil_, name, grid.status().message());
    } else if (first_ == nullptr) {
      first_ = name;
      shape_ = shape;
      check_halo(name, grid.halo(), halo_, shape);
    } else if (!same_extents(shape, shape_)) {
      status_ =
          failure(Code::bad_extents,
                  "`%s`: `%s` is %s and `%s` is %s; the grids of one call have the same "
                  "extents",
                  stencil_, first_, ShapeText(shape_).c_str(), name, ShapeText(shape).c_str());
    } else if (!same_halo(shape, shape_)) {
      status_ =
          failure(Code::bad_extents,
                  "`%s`: `%s` is %s and `%s` is %s; the grids of one call have the same halo",
                  stencil_, first_, ShapeText(shape_).c_str(), name, ShapeText(shape).c_str());
    } else if (shape.pitch != shape_.pitch || (Rank == 3 && shape.plane != shape_.plane)) {
      status_ = failure(Code::bad_pitch,
                        "`%s`: `%s` has pitch %lld and plane %lld, `%s` has pitch %lld and plane "
                        "%lld; the grids of one call have the same",
                        stencil_, first_, static_cast<long long>(shape_.pitch),
                        static_cast<long long>(shape_.plane), name,
                        static_cast<long long>(shape.pitch), static_cast<long long>(shape.plane));
    }
  }

  template <typename T, int N>
  void settle(Levels<T, N, Rank, Memory>& levels) {
    if (!ok()) return;
    bool all_owned = true;
    for (int i = 0; i < levels.given; ++i) all_owned = all_owned && levels.grids[i]->owns();
    if (all_owned)
      detail::adopt(levels);
    else
      status_ = detail::move_home(levels, shape_, stream_);
  }

  const char* stencil_;
  const char* first_ = nullptr;  // the grid that the others are compared with
  Stream stream_;
  Halo<Rank> halo_;
  Shape shape_;
  Status status_;
};

}  // namespace stencil
