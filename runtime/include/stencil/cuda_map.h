// Maps of grids, by which kernels copy boxes of cells into shared memory (device_barrier.h).
#pragma once

#include <cuda_runtime.h>

#include "cuda_driver.h"
#include "cuda_status.h"
#include "device_map.h"
#include "shape.h"

namespace stencil {
inline namespace cuda {
namespace maps {

// cuTensorMapEncodeTiled.
using EncodeMap = int (*)(void* map, int type, uint32_t rank, void* data, const uint64_t* extents,
                          const uint64_t* strides, const uint32_t* box, const uint32_t* steps,
                          int interleave, int swizzle, int promotion, int fill);

inline Status find_encode_map(const char* who, EncodeMap* out) {
  static EncodeMap known = nullptr;
  *out = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (*out != nullptr) return {};
  void* found = nullptr;
  const cudaError_t error = find_driver_function("cuTensorMapEncodeTiled", 12000, &found);
  if (error != cudaSuccess) return cuda_status(error, who);
  if (found == nullptr)
    return failure(Code::insufficient_driver,
                   "%s: the driver has no `cuTensorMapEncodeTiled`, by which kernels copy boxes; "
                   "update it to one of CUDA 12 or later, or use another schedule",
                   who);
  *out = reinterpret_cast<EncodeMap>(found);
  __atomic_store_n(&known, *out, __ATOMIC_RELAXED);
  return {};
}

// Everything about a grid that the copy engine asks for. `size` is that of an element.
inline Status check_mappable(const char* who, const void* data, const Shape& shape, int64_t size) {
  if (reinterpret_cast<uintptr_t>(data) % 16 != 0)
    return failure(Code::misaligned,
                   "%s: a grid whose boxes are copied does not start at a multiple of 16 bytes; "
                   "allocate it with `cudaMalloc` or `stencil::Grid`, or use another schedule",
                   who);
  const int64_t extents[] = {shape.nx, shape.ny, shape.nz};
  for (int axis = 0; axis < shape.rank; ++axis)
    if (extents[axis] < 1 || extents[axis] > INT32_MAX)
      return failure(Code::bad_extents,
                     "%s: an extent of %lld is too large for copies of boxes; use at most %d cells "
                     "along each axis, or another schedule",
                     who, static_cast<long long>(extents[axis]), INT32_MAX);
  const int64_t strides[] = {shape.pitch, shape.plane};
  for (int axis = 0; axis + 1 < shape.rank; ++axis) {
    if (strides[axis] < 1 || strides[axis] >= (int64_t{1} << 40) / size ||
        strides[axis] * size % 16 != 0)
      return failure(Code::bad_pitch,
                     "%s: %s start every %lld elements of %lld bytes; where boxes are copied that "
                     "is a multiple of 16 bytes below 2^40: pad them, or use another schedule",
                     who, axis == 0 ? "rows" : "planes", static_cast<long long>(strides[axis]),
                     static_cast<long long>(size));
  }
  return {};
}

inline Status check_box(const char* who, const int* box, int rank, int64_t size) {
  for (int axis = 0; axis < rank; ++axis) {
    const int most = 256 * (axis == 0 ? st::cells_of_element(box[0], static_cast<int>(size)) : 1);
    if (box[axis] < 1 || box[axis] > most)
      return failure(Code::launch_configuration,
                     "%s: a box of %d cells along axis %d is copied; an extent is 1 to %d", who,
                     box[axis], axis, most);
  }
  if (box[0] * size % 16 != 0)
    return failure(Code::launch_configuration,
                   "%s: boxes with rows of %d elements of %lld bytes are copied; a row is a "
                   "multiple of 16 bytes",
                   who, box[0], static_cast<long long>(size));
  return {};
}

}  // namespace maps

// Whether boxes of a grid can be copied at all; box_map says why not.
template <typename T>
bool can_map(const T* data, const Shape& shape) {
  return maps::check_mappable("", data, shape, sizeof(T)).ok();
}

// Whether a kernel was compiled for a device that copies boxes, as it then runs on none other.
template <typename Kernel>
bool copies_boxes(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  const bool good =
      cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)) == cudaSuccess;
  if (!good) (void)cudaGetLastError();
  return good && attributes.ptxVersion >= 90;
}

// Makes the map by which a kernel copies boxes of so many cells, x first, of a grid whose cell
// (0, 0, 0) lies at `data`. What of a box lies beyond the cells of `shape` arrives as zeros: for a
// halo, give the pointer to its first cell and shape.box(). Where cells are grouped into elements
// (st::cells_of_element), what lies beyond is no zero in the element of the last cell of a row. A
// map holds as long as the grid does.
template <typename T, int Rank>
Status box_map(const char* who, st::Map* map, const T* data, const Shape& shape,
               const int (&box)[Rank]) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "an element has 1, 2, 4 or 8 bytes");
  static_assert(Rank >= 1 && Rank <= 3, "a grid has 1, 2 or 3 axes");
  Status status = maps::check_mappable(who, data, shape, sizeof(T));
  if (status.ok()) status = maps::check_box(who, box, Rank, sizeof(T));
  maps::EncodeMap encode = nullptr;
  if (status.ok()) status = maps::find_encode_map(who, &encode);
  if (!status.ok()) return status;

  const int group = st::cells_of_element(box[0], sizeof(T));
  // Unsigned integers of its size stand for each type: bits are copied.
  const int size = group * static_cast<int>(sizeof(T));
  const int type = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 4;
  constexpr int no_interleave = 0, no_swizzle = 0, promotion_256_bytes = 3, fill_zeros = 0;
  const uint64_t extents[] = {static_cast<uint64_t>((shape.nx + group - 1) / group),
                              static_cast<uint64_t>(shape.ny),
                              static_cast<uint64_t>(shape.nz)};
  const uint64_t strides[] = {static_cast<uint64_t>(shape.pitch) * sizeof(T),
                              static_cast<uint64_t>(shape.plane) * sizeof(T)};
  uint32_t cells[Rank], steps[Rank];
  for (int axis = 0; axis < Rank; ++axis) {
    cells[axis] = static_cast<uint32_t>(axis == 0 ? box[0] / group : box[axis]);
    steps[axis] = 1;
  }
  const int error = encode(map, type, Rank, const_cast<T*>(data), extents, strides, cells, steps,
                           no_interleave, no_swizzle, promotion_256_bytes, fill_zeros);
  if (error == 0) return {};
  return failure(Code::cuda_error,
                 "%s: the driver makes no map of a grid of %s (error %d of "
                 "`cuTensorMapEncodeTiled`); use a device of compute capability 9.0 or another "
                 "schedule",
                 who, ShapeText(shape).c_str(), error);
}

// Makes the maps of several grids of one shape; false where boxes of one cannot be copied.
template <int N, typename T, int Rank>
bool map_boxes(st::Map (&maps)[N], T* const* grids, const Shape& shape, const int (&box)[Rank]) {
  for (int n = 0; n < N; ++n)
    if (!box_map("", &maps[n], grids[n], shape, box).ok()) return false;
  return true;
}

// Lets a kernel have so much dynamic shared memory.
template <typename Kernel>
Status allow_shared(const char* stencil, Kernel* kernel, int bytes) {
  const cudaError_t error =
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (error == cudaSuccess) return {};
  (void)cudaGetLastError();
  return failure(Code::launch_configuration,
                 "`%s`: a block keeps %d bytes of cells in shared memory, and the device gives it "
                 "fewer; use a schedule with smaller blocks, or without `shared`",
                 stencil, bytes);
}

}  // namespace cuda
}  // namespace stencil
