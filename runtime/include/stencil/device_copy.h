// Copies into shared memory that go on while the thread that asked for them does something else.
//
//   st::copy_async<16>(&tile[i], &u[j]);  // any number of these
//   st::commit();                         // makes a group of them
//   st::wait<1>();                        // until all groups but the youngest have landed
//
// A thread waits for its own copies; for those of others it needs a barrier after their waits.
#pragma once

#include "device_target.h"
#include "device_vector.h"

namespace st {
inline namespace STENCIL_TARGET {

// The barrier of the block: all its threads get here, at the same place of the text.
__device__ inline void sync() { __syncthreads(); }

// The same for a warp.
__device__ inline void sync_warp() { __syncwarp(); }

// In a launch that begins early (stencil::launch_early): waits until all launches before it ended
// and what they wrote is there. Before it nothing of theirs is read, and nothing is written.
__device__ inline void follow() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// In a branch that few threads take: it stays one. No instruction, but where it stands compilers do
// not compute both ways and select, which would take registers from all threads.
__device__ inline void keep_branch() { asm volatile(""); }

// `Bytes` are 4, 8 or 16, and both addresses are multiples of them. 16 do not go through the L1.
template <int Bytes>
__device__ void copy_async(void* shared, const void* global);

// Zeros where `inside` is false, and then nothing is read.
template <int Bytes>
__device__ void copy_async(void* shared, const void* global, bool inside);

__device__ void commit();

template <int Pending>
__device__ void wait();

#if defined(__STENCIL_EXECUTOR__)  // functions of compiler/check

template <int Bytes>
__device__ inline void copy_async(void* shared, const void* global) {
  __stencil_copy_async(shared, global, Bytes, Bytes);
}
template <int Bytes>
__device__ inline void copy_async(void* shared, const void* global, bool inside) {
  __stencil_copy_async(shared, global, Bytes, inside ? Bytes : 0);
}
__device__ inline void commit() { __stencil_commit(); }
template <int Pending>
__device__ inline void wait() {
  __stencil_wait(Pending);
}

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800  // a load and a store, done at once

template <int Bytes>
__device__ inline void copy_async(void* shared, const void* global) {
  using Type = typename Word<Bytes>::Type;
  *static_cast<Type*>(shared) = *static_cast<const Type*>(global);
}
template <int Bytes>
__device__ inline void copy_async(void* shared, const void* global, bool inside) {
  using Type = typename Word<Bytes>::Type;
  *static_cast<Type*>(shared) = inside ? *static_cast<const Type*>(global) : Type{};
}
__device__ inline void commit() {}
template <int Pending>
__device__ inline void wait() {}

#else

template <int Bytes>
__device__ inline void copy_async(void* shared, const void* global) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "a copy moves 4, 8 or 16 bytes");
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(Bytes)
                 : "memory");
  }
}
template <int Bytes>
__device__ inline void copy_async(void* shared, const void* global, bool inside) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "a copy moves 4, 8 or 16 bytes");
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  const int read = inside ? Bytes : 0;
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(read)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global), "n"(Bytes),
                 "r"(read)
                 : "memory");
  }
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Pending>
__device__ inline void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

#endif

// `Width` neighbouring cells, at addresses that are multiples of them or of 16 bytes. Less than 4
// bytes are loaded and stored, which is done at once.
template <int Width, typename T>
__device__ inline void copy_async_cells(T* shared, const T* global) {
  constexpr int bytes = Width * sizeof(T);
  if constexpr (bytes < 4) {
#pragma unroll
    for (int k = 0; k < Width; ++k) shared[k] = global[k];
  } else {
    constexpr int once = bytes < 16 ? bytes : 16;
#pragma unroll
    for (int k = 0; k < Width; k += once / sizeof(T)) copy_async<once>(shared + k, global + k);
  }
}

// The same one by one, at any address.
template <int Width, typename T>
__device__ inline void copy_async_each(T* shared, const T* global) {
#pragma unroll
  for (int k = 0; k < Width; ++k) copy_async_cells<1>(shared + k, global + k);
}

// Neighbouring cells in `Rows` rows, which are `pitch` apart in the grid and `Stride` in shared
// memory: `vectors` says whether they are where vectors lie.
template <int Width, int Rows, int Stride, typename T, typename Index>
__device__ inline void copy_rows_async(T* shared, const T* grid, Index pitch, bool vectors) {
  if (vectors) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) copy_async_cells<Width>(shared + r * Stride, grid + r * pitch);
  } else {
#pragma unroll
    for (int r = 0; r < Rows; ++r) copy_async_each<Width>(shared + r * Stride, grid + r * pitch);
  }
}
template <int Width, typename T>
__device__ inline void copy_row_async(T* shared, const T* grid, bool vectors) {
  copy_rows_async<Width, 1, 0>(shared, grid, 0, vectors);
}

// The same where they are in the grid (`there`); otherwise all of them are `beyond`.
template <int Width, int Rows, int Stride, typename T, typename Index>
__device__ inline void fill_rows_async(T* shared, const T* grid, Index pitch, bool vectors,
                                       bool there, T ghost) {
  if (there) {
    copy_rows_async<Width, Rows, Stride>(shared, grid, pitch, vectors);
  } else {
#pragma unroll
    for (int r = 0; r < Rows; ++r)
#pragma unroll
      for (int k = 0; k < Width; ++k) shared[r * Stride + k] = ghost;
  }
}
template <int Width, typename T>
__device__ inline void fill_row_async(T* shared, const T* grid, bool vectors, bool there, T ghost) {
  fill_rows_async<Width, 1, 0>(shared, grid, 0, vectors, there, ghost);
}

// Vectors from grid[i] on, where `whole` holds; otherwise value k is grid[place(x + k, rest...)],
// or `beyond` where that is below 0. In a loop: few threads come here, and the registers of all are
// those of what takes most.
template <int Width, typename T, typename Place, typename Index, typename... Rest>
__device__ inline void fill_async(T* shared, const T* grid, Index i, bool whole, const Place& place,
                                  T ghost, Index x, Rest... rest) {
  if (whole) {
    copy_async_cells<Width>(shared, grid + i);
  } else {
#pragma unroll 1
    for (int k = 0; k < Width; ++k) {
      const Index at = place(x + k, rest...);
      if (at < 0)
        shared[k] = ghost;
      else
        copy_async_cells<1>(shared + k, grid + at);
    }
  }
}

// The same where, if `whole` does not hold, `follow` may: the values are those from grid[i] on, at
// an address that is no multiple of them.
template <int Width, typename T, typename Place, typename Index, typename... Rest>
__device__ inline void fill_async(T* shared, const T* grid, Index i, bool whole, bool follow,
                                  const Place& place, T ghost, Index x, Rest... rest) {
  if (whole || !follow) {
    fill_async<Width>(shared, grid, i, whole, place, ghost, x, rest...);
  } else {
    copy_async_each<Width>(shared, grid + i);
  }
}

// Otherwise value k is cell(x + k, rest...), for which the thread waits.
template <int Width, typename T, typename Cell, typename Index, typename... Rest>
__device__ inline void fill_async_by_cells(T* shared, const T* grid, Index i, bool whole,
                                           const Cell& cell, Index x, Rest... rest) {
  if (whole) {
    copy_async_cells<Width>(shared, grid + i);
  } else {
#pragma unroll 1
    for (int k = 0; k < Width; ++k) shared[k] = cell(x + k, rest...);
  }
}
template <int Width, typename T, typename Cell, typename Index, typename... Rest>
__device__ inline void fill_async_by_cells(T* shared, const T* grid, Index i, bool whole,
                                           bool follow, const Cell& cell, Index x, Rest... rest) {
  if (whole || !follow) {
    fill_async_by_cells<Width>(shared, grid, i, whole, cell, x, rest...);
  } else {
    copy_async_each<Width>(shared, grid + i);
  }
}

}  // namespace STENCIL_TARGET
}  // namespace st
