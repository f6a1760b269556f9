// Copies of grids on their way to the host, while the device goes on: for callers that write
// snapshots.
#pragma once

#include <cuda_runtime.h>

#include "cuda.h"

namespace stencil {
inline namespace cuda {

// A copy begins with one on the device, behind what is pending on the default stream: from then on
// steps may change the grid. A stream of its own brings it to the host. Host memory is pinned when
// it is first used, and has to stay as long as this does; each slot has two arrays there, by turns.
template <int Slots>
class LateCopies {
 public:
  LateCopies() = default;
  LateCopies(const LateCopies&) = delete;
  LateCopies& operator=(const LateCopies&) = delete;
  ~LateCopies() {
    (void)arrive();
    for (const Slot& slot : slots_) {
      for (int i = 0; i < slot.known; ++i)
        if (slot.pinned[i]) (void)cudaHostUnregister(slot.host[i]);
      (void)cudaFree(slot.memory);
    }
    if (begun_ != nullptr) (void)cudaEventDestroy(begun_);
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }

  // As grid.copy_to(host, halo); but if they may be late, the values are there after arrive(),
  // which comes before the next copy of the slot. Where the device has no memory for it, they are
  // there at once.
  template <typename T, int Rank>
  Status copy(bool late, int slot, const Grid<T, Rank>& grid, T* host, Halo<Rank> halo = {}) {
    const Shape& shape = grid.shape();
    const size_t width = static_cast<size_t>(shape.nx) * sizeof(T),
                 pitch = static_cast<size_t>(shape.pitch) * sizeof(T),
                 rows = static_cast<size_t>(shape.ny * shape.nz), bytes = width * rows;
    Slot& own = slots_[slot];
    if (!late || !is_rows(shape, halo) || !ready() || !has_memory(own, bytes))
      return grid.copy_to(host, halo);
    pin(own, host, bytes);
    cudaError_t error = cudaMemcpy2DAsync(own.memory, width, grid.data(), pitch, width, rows,
                                          cudaMemcpyDeviceToDevice, nullptr);
    if (error == cudaSuccess) error = cudaEventRecord(begun_, nullptr);
    if (error == cudaSuccess) error = cudaStreamWaitEvent(stream_, begun_, 0);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(host, own.memory, bytes, cudaMemcpyDeviceToHost, stream_);
    return cuda_status(error, "a copy to the host");
  }

  // Waits for all copies.
  Status arrive() {
    if (stream_ == nullptr) return {};
    return cuda_status(cudaStreamSynchronize(stream_), "a copy to the host");
  }

 private:
  struct Slot {
    void* memory = nullptr;  // of the device
    bool tried = false;
    void* host[2] = {};
    bool pinned[2] = {};
    int known = 0;
  };

  // Whether the cells are rows at equal distances, which a 2-D copy takes, and no halo is asked
  // for.
  template <int Rank>
  static bool is_rows(const Shape& shape, const Halo<Rank>& halo) {
    for (int axis = 0; axis < Rank; ++axis)
      if (halo[axis] != 0) return false;
    return (shape.nz == 1 || shape.plane == shape.pitch * shape.ny) && shape.pitch <= INT32_MAX / 8;
  }

  bool ready() {
    if (begun_ != nullptr) return true;
    if (stream_ != nullptr) return false;  // it has failed before
    cudaError_t error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    if (error == cudaSuccess) error = cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming);
    return error == cudaSuccess || forget_error();
  }

  static bool has_memory(Slot& slot, size_t bytes) {
    if (!slot.tried && cudaMalloc(&slot.memory, bytes) != cudaSuccess) {
      slot.memory = nullptr;
      forget_error();
    }
    slot.tried = true;
    return slot.memory != nullptr;
  }

  // Small arrays share pages with others, and are fast enough as they are.
  static void pin(Slot& slot, void* host, size_t bytes) {
    if (bytes < kPinned || slot.known == 2 || (slot.known == 1 && slot.host[0] == host)) return;
    slot.host[slot.known] = host;
    slot.pinned[slot.known] =
        cudaHostRegister(host, bytes, cudaHostRegisterDefault) == cudaSuccess || forget_error();
    ++slot.known;
  }

  // There is another way, so the next launch does not report this.
  static bool forget_error() {
    (void)cudaGetLastError();
    return false;
  }

  static constexpr size_t kPinned = size_t{1} << 16;
  Slot slots_[Slots];
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begun_ = nullptr;
};

}  // namespace cuda
}  // namespace stencil
