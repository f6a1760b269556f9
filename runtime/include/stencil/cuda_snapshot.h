// Copies of grids on their way to the host, while the device goes on: for callers that write
// snapshots and checkpoints.
#pragma once

#include <cuda_runtime.h>
#include <pthread.h>  // <mutex> and <condition_variable> would double what each program is compiled with

#include "cuda.h"

namespace stencil {
inline namespace cuda {

// A copy begins with one on the device, behind what is pending on the default stream: from then on
// steps may change the grids. Another thread brings it to the host by a stream of its own, so that
// the thread of the steps does not wait. Host memory is pinned when it is first used, and has to
// stay as long as this does; each slot has two arrays there, by turns.
template <int Slots>
class LateCopies {
 public:
  LateCopies() = default;
  LateCopies(const LateCopies&) = delete;
  LateCopies& operator=(const LateCopies&) = delete;
  ~LateCopies() {
    launched();
    wait();
    for (const Slot& slot : slots_) {
      for (int i = 0; i < slot.known; ++i)
        if (slot.pinned[i] && cudaHostUnregister(slot.host[i]) != cudaSuccess) forget_error();
      (void)cudaFree(slot.memory);
    }
    if (begun_ != nullptr) (void)cudaEventDestroy(begun_);
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }

  // Waits for the copies before. Then each grid is added, and depart() ends the list. Where one of
  // these returns false, copies cannot be late.
  bool begin() {
    launched();
    wait();
    for (Slot& slot : slots_) slot.bytes = 0;
    return ready();
  }
  template <typename T, int Rank>
  bool add(int slot, const Grid<T, Rank>& grid, Halo<Rank> halo = {}) {
    Shape part = grid.shape();
    part.hx = halo[0];
    if constexpr (Rank >= 2) part.hy = halo[1];
    if constexpr (Rank >= 3) part.hz = halo[2];
    const Shape box = part.box();
    constexpr size_t kMost = INT32_MAX;  // bytes of a pitch
    const auto bytes_of = [](int64_t cells) { return static_cast<size_t>(cells) * sizeof(T); };
    const size_t width = bytes_of(box.nx), pitch = bytes_of(box.pitch);
    Slot& own = slots_[slot];
    own.bytes = bytes_of(box.nx * box.ny * box.nz);
    if (pitch > kMost || !has_memory(own)) return false;
    const char* from = reinterpret_cast<const char*>(grid.data() - part.front());
    // Planes that follow each other are like one.
    const bool one = box.nz == 1 || box.plane == box.pitch * box.ny;
    const int64_t planes = one ? 1 : box.nz, rows = one ? box.ny * box.nz : box.ny;
    for (int64_t z = 0; z < planes; ++z)
      if (cudaMemcpy2DAsync(static_cast<char*>(own.memory) + bytes_of(z * rows * box.nx), width,
                            from + bytes_of(z * box.plane), pitch, width, static_cast<size_t>(rows),
                            cudaMemcpyDeviceToDevice, nullptr) != cudaSuccess)
        return forget_error();
    return true;
  }
  bool depart() {
    if (cudaEventRecord(begun_, nullptr) != cudaSuccess) return forget_error();
    const Lock lock(mutex_);
    on_the_way_ = true;
    launched_ = false;
    return true;
  }
  // The steps behind are on the device: memory may be pinned now, for which launches would wait.
  void launched() {
    const Lock lock(mutex_);
    launched_ = true;
    (void)pthread_cond_broadcast(&changed_);
  }

  // For another thread, once after each depart(): waits for the values, as grid.copy_to(host, halo)
  // for each slot that was added. What is null is left out.
  Status arrive(void* const* hosts) {
    cudaError_t error = cudaSetDevice(device_);
    if (error == cudaSuccess) error = cudaStreamWaitEvent(stream_, begun_, 0);
    for (int i = 0; i < Slots; ++i) {
      Slot& own = slots_[i];
      if (error != cudaSuccess || own.bytes == 0 || hosts[i] == nullptr) continue;
      pin(own, hosts[i]);
      error = cudaMemcpyAsync(hosts[i], own.memory, own.bytes, cudaMemcpyDeviceToHost, stream_);
    }
    const cudaError_t ended = cudaStreamSynchronize(stream_);
    // This ends under the lock, since the destructor may wait for it.
    const Lock lock(mutex_);
    on_the_way_ = false;
    (void)pthread_cond_broadcast(&changed_);
    return cuda_status(error == cudaSuccess ? ended : error, "a copy to the host");
  }

 private:
  struct Slot {
    void* memory = nullptr;  // of the device
    bool tried = false;
    size_t bytes = 0;  // of the present copy; 0: none
    void* host[2] = {};
    bool pinned[2] = {};
    int known = 0;
  };

  class Lock {
   public:
    explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { (void)pthread_mutex_lock(&mutex_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() { (void)pthread_mutex_unlock(&mutex_); }

   private:
    pthread_mutex_t& mutex_;
  };

  void wait() {
    const Lock lock(mutex_);
    while (on_the_way_) (void)pthread_cond_wait(&changed_, &mutex_);
  }
  void wait_for_launch() {
    const Lock lock(mutex_);
    while (!launched_) (void)pthread_cond_wait(&changed_, &mutex_);
  }

  bool ready() {
    if (begun_ != nullptr) return true;
    if (stream_ != nullptr) return false;  // it has failed before
    cudaError_t error = cudaGetDevice(&device_);
    if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    if (error == cudaSuccess) error = cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming);
    return error == cudaSuccess || forget_error();
  }

  // Some of the memory is left for kernels that are loaded later.
  static bool has_memory(Slot& slot) {
    size_t free = 0, total = 0;
    if (!slot.tried && (cudaMemGetInfo(&free, &total) != cudaSuccess || free < slot.bytes + kLeft ||
                        cudaMalloc(&slot.memory, slot.bytes) != cudaSuccess)) {
      slot.memory = nullptr;
      forget_error();
    }
    slot.tried = true;
    return slot.memory != nullptr;
  }

  // Small arrays share pages with others, and are fast enough as they are.
  void pin(Slot& slot, void* host) {
    if (slot.bytes < kPinned || slot.known == 2 || (slot.known == 1 && slot.host[0] == host))
      return;
    wait_for_launch();
    slot.host[slot.known] = host;
    slot.pinned[slot.known] =
        cudaHostRegister(host, slot.bytes, cudaHostRegisterDefault) == cudaSuccess ||
        forget_error();
    ++slot.known;
  }

  // There is another way, so the next launch does not report this.
  static bool forget_error() {
    (void)cudaGetLastError();
    return false;
  }

  static constexpr size_t kPinned = size_t{1} << 16;
  static constexpr size_t kLeft = size_t{64} << 20;
  Slot slots_[Slots];
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begun_ = nullptr;
  int device_ = 0;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  bool on_the_way_ = false, launched_ = true;
};

}  // namespace cuda
}  // namespace stencil
