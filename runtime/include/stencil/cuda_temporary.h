// Values that the launches of one step keep in memory of the GPU. For cuda.h.
#pragma once

#include <cstdint>

#include "cuda_status.h"
#include "device_ghosts.h"
#include "workspace.h"

namespace stencil {
inline namespace cuda {

namespace detail {

// Pools of all devices, which keep what was freed for the next call.
struct TemporaryPools {
  static constexpr int kDevices = 64;
  cudaMemPool_t of[kDevices] = {};

  TemporaryPools() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
    for (int device = 0; device < count && device < kDevices; ++device) {
      cudaMemPoolProps props = {};
      props.allocType = cudaMemAllocationTypePinned;
      props.location.type = cudaMemLocationTypeDevice;
      props.location.id = device;
      uint64_t all = UINT64_MAX;
      if (cudaMemPoolCreate(&of[device], &props) != cudaSuccess)
        of[device] = nullptr;
      else
        (void)cudaMemPoolSetAttribute(of[device], cudaMemPoolAttrReleaseThreshold, &all);
    }
    (void)cudaGetLastError();
  }
};

// That of the current device. Null: there is none.
inline cudaMemPool_t temporary_pool() {
  static const TemporaryPools pools;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device >= TemporaryPools::kDevices) return nullptr;
  return pools.of[device];
}

}  // namespace detail

// A value of each cell of a grid, with the strides of the grids, and of its ghost cells.
template <typename T>
class Temporary {
 public:
  explicit Temporary(cudaStream_t stream) : stream_(stream) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (is_own_) (void)cudaFreeAsync(memory_, stream_);
  }

  // In the next part of a workspace; without one, in memory of the pool. `what` is how messages
  // begin: "`laplace2d`".
  Status make(const char* what, const char* name, const Shape& shape, Workspace& left,
              const Halo<3>& ghosts = {}) {
    return make(what, name, shape, left, ghosts, shape);
  }
  // Of a piece of a grid.
  Status make(const char* what, const char* name, const Shape& shape, Workspace& left,
              const Halo<3>& ghosts, const Shape& grid) {
    const ValueLayout layout = value_layout(shape, sizeof(T), ghosts, grid);
    const int64_t bytes = layout.bytes;
    ghosts_ = layout.ghosts / static_cast<int64_t>(sizeof(T));
    memory_ = static_cast<T*>(next_part(left, bytes));
    if (memory_ != nullptr) return {};
    const cudaMemPool_t pool = detail::temporary_pool();
    void* memory = nullptr;
    const cudaError_t error =
        pool != nullptr
            ? cudaMallocFromPoolAsync(&memory, static_cast<size_t>(bytes), pool, stream_)
            : cudaMallocAsync(&memory, static_cast<size_t>(bytes), stream_);
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      return failure(Code::out_of_memory, "%s: the value `%s` needs %lld bytes of device memory",
                     what, name, static_cast<long long>(bytes));
    }
    is_own_ = error == cudaSuccess;
    if (is_own_) memory_ = static_cast<T*>(memory);
    return cuda_status(error, what);
  }

  T* cells() const { return memory_; }
  T* ghosts() const { return memory_ + ghosts_; }

 private:
  cudaStream_t stream_;
  T* memory_ = nullptr;
  bool is_own_ = false;
  int64_t ghosts_ = 0;
};

}  // namespace cuda
}  // namespace stencil
