// The runtime of kernels for the CPU. The same names for the GPU are in cuda.h; a file includes the
// one of its target.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "call.h"
#include "cpu_probe.h"
#include "device.h"
#include "points.h"
#include "weights.h"
#include "workspace.h"

namespace stencil {
inline namespace cpu {

// Calls on the CPU return when they are done; a stream has nothing to hold.
struct Stream {};

}  // namespace cpu
}  // namespace stencil

#include "cpu_halo.h"
#include "cpu_points.h"
#include "cpu_reduction.h"
#include "cpu_temporary.h"

namespace stencil {
inline namespace cpu {

struct HostMemory {
  using Stream = cpu::Stream;

  // `what` tells the message what the memory is for: "4096 x 4096".
  static Status allocate(void** out, int64_t bytes, const char* what) {
    constexpr int64_t line = 256;
    *out = bytes > INT64_MAX - line
               ? nullptr
               : std::aligned_alloc(line, static_cast<size_t>((bytes + line - 1) / line * line));
    if (*out != nullptr) return {};
    return failure(
        Code::out_of_memory,
        "a grid of %s needs %lld bytes and the machine has %lld free; use a smaller grid "
        "or release memory first",
        what, static_cast<long long>(bytes),
        static_cast<long long>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE));
  }
  static void release(void* memory) { std::free(memory); }

  static Status upload(void* to, const void* host, const Shape& shape, size_t size) {
    copy_rows(to, shape.pitch, shape.plane, host, shape.nx, shape.nx * shape.ny, shape, size);
    return {};
  }
  static Status download(void* host, const void* from, const Shape& shape, size_t size) {
    copy_rows(host, shape.nx, shape.nx * shape.ny, from, shape.pitch, shape.plane, shape, size);
    return {};
  }
  // Both arrays have this shape.
  static Status copy(void* to, const void* from, const Shape& shape, size_t size, Stream) {
    copy_rows(to, shape.pitch, shape.plane, from, shape.pitch, shape.plane, shape, size);
    return {};
  }

 private:
  // Out of line, so that no compiler warns of sizes that it makes up while inlining.
  __attribute__((noinline)) static void copy_rows(void* to, int64_t to_pitch, int64_t to_plane,
                                                  const void* from, int64_t from_pitch,
                                                  int64_t from_plane, const Shape& shape,
                                                  size_t size) {
    const int64_t bytes = static_cast<int64_t>(size);
    for (int64_t z = 0; z < shape.nz; ++z)
      for (int64_t y = 0; y < shape.ny; ++y)
        std::memcpy(static_cast<char*>(to) + (z * to_plane + y * to_pitch) * bytes,
                    static_cast<const char*>(from) + (z * from_plane + y * from_pitch) * bytes,
                    static_cast<size_t>(shape.nx) * size);
  }
};

template <typename T, int Rank>
using Grid = BasicGrid<T, Rank, HostMemory>;
template <int Rank>
using Call = BasicCall<Rank, HostMemory>;

inline Status synchronize(Stream) { return {}; }

// Everything that can be told before the first step. Not inline: it speaks for the flags that this
// file is compiled with.
[[maybe_unused]] static Status check(const char* stencil, const Shape& shape, Steps steps,
                                     BufferList buffers) {
  char who[80];
  std::snprintf(who, sizeof who, "`%s`", stencil);
  const Status status = check_arguments(who, shape, steps, buffers);
  return status.ok() ? probe::check_rounding(who) : status;
}

// As on the GPU: what a first run tests beside its arguments.
[[maybe_unused]] static Status prepare(const char* stencil) {
  char who[80];
  std::snprintf(who, sizeof who, "`%s`", stencil);
  return probe::check_rounding(who);
}

}  // namespace cpu
}  // namespace stencil
