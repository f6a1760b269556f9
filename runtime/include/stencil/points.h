// Lists of points given to a run, and the series of values that go with them.
#pragma once

#include <cstdint>

#include "status.h"

namespace stencil {

// Places on the grid: `rank` whole coordinates for each point, x first, in the memory of the
// target. Points outside the grid take part in nothing.
struct Points {
  const int32_t* at = nullptr;
  int64_t count = 0;
};
// Places between the cells: real coordinates, in cells.
struct LinearPoints {
  const double* at = nullptr;
  int64_t count = 0;
};

// A value for each step and each point: that of step t and point p is data[t * points + p].
template <typename T>
struct Series {
  T* data = nullptr;
  int64_t steps = 0;
  int64_t points = 0;  // filled in by the run

  T* at(int64_t t) const { return data + t * points; }
};

inline Status check_points(const char* stencil, const char* name, const void* at, int64_t count) {
  if (count < 0)
    return failure(Code::bad_extents, "`%s`: `%s` has %lld points", stencil, name,
                   static_cast<long long>(count));
  if (count > 0 && at == nullptr)
    return failure(Code::null_pointer, "`%s`: the %lld points `%s` are a null pointer", stencil,
                   static_cast<long long>(count), name);
  return {};
}

// The run takes steps first .. first + count - 1.
inline Status check_series(const char* stencil, const char* name, const void* data, int64_t points,
                           int64_t steps, int64_t first, int64_t count) {
  if (points > 0 && count > 0 && data == nullptr)
    return failure(Code::null_pointer, "`%s`: the series `%s` is a null pointer", stencil, name);
  if (first < 0 || (count > 0 && steps - count < first))
    return failure(Code::bad_extents,
                   "`%s`: the series `%s` holds %lld steps and the run takes steps %lld to %lld",
                   stencil, name, static_cast<long long>(steps), static_cast<long long>(first),
                   static_cast<long long>(first + count - 1));
  return {};
}

}  // namespace stencil
