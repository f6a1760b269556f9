// Barriers of phases in shared memory, and copies of whole boxes that end on them.
//
// A phase of a barrier is over when as many threads have arrived as it counts and when all bytes
// have landed that they said to expect; the next one begins. `await(parity)` waits for the end of a
// phase of that parity, the first one's being 0:
//
//   if (threadIdx.x == 0) full.init(1), st::fence_init();
//   st::sync();
//   if (threadIdx.x == 0) full.expect(sizeof tile), st::copy_box(tile, map, x, y, full);
//   full.await(0);
//
// A block does not end before its boxes have landed: somebody awaits each phase that has some.
// Barriers need compute capability 8.0, boxes 9.0. A kernel compiled for less traps;
// stencil::copies_boxes tells before a launch.
#pragma once

#include "device_map.h"

namespace st {
inline namespace STENCIL_TARGET {

// The fields are the hardware's.
struct Barrier {
  unsigned long long state;

  // One thread does it once, then fence_init(), and then a barrier of the block.
  __device__ void init(unsigned arrivals);
  __device__ void arrive();
  // Arrives when all copies have landed that the thread has asked for by copy_async().
  __device__ void arrive_landed();
  // Arrives, and the phase ends no earlier than so many bytes have landed.
  __device__ void expect(unsigned bytes);
  // Returns at once if the phase that goes on has the other parity. What was written before the
  // arrivals and copied for the phase can be read when this returns.
  __device__ void await(unsigned parity);
};

// Shows barriers that this thread has just initialised to the other threads and the copy engine.
__device__ void fence_init();

// Ordinary writes of this thread into shared memory come before later copies of boxes to the same
// place.
__device__ void fence_copies();

// Fetches the map itself, which the first copy then does not wait for.
__device__ void prefetch(const Map& map);

// One thread copies one box, that begins at element (x, y, z) of the map, to an address that is a
// multiple of 128. x elements are a multiple of 16 bytes, also below 0. Elements beyond the grid
// arrive as zeros; they count as bytes, too.
__device__ void copy_box(void* shared, const Map& map, int x, Barrier& barrier);
__device__ void copy_box(void* shared, const Map& map, int x, int y, Barrier& barrier);
__device__ void copy_box(void* shared, const Map& map, int x, int y, int z, Barrier& barrier);

#if defined(__STENCIL_EXECUTOR__)  // functions of compiler/check

__device__ inline void Barrier::init(unsigned arrivals) { __stencil_make_barrier(this, arrivals); }
__device__ inline void Barrier::arrive() { __stencil_arrive(this, 0); }
__device__ inline void Barrier::arrive_landed() { __stencil_arrive_landed(this); }
__device__ inline void Barrier::expect(unsigned bytes) { __stencil_arrive(this, bytes); }
__device__ inline void Barrier::await(unsigned parity) { __stencil_await(this, parity); }
__device__ inline void fence_init() { __stencil_fence_init(); }
__device__ inline void fence_copies() { __threadfence_block(); }
__device__ inline void prefetch(const Map&) {}
__device__ inline void copy_box(void* shared, const Map& map, int x, Barrier& barrier) {
  __stencil_copy_box(shared, &map, 1, x, 0, 0, &barrier);
}
__device__ inline void copy_box(void* shared, const Map& map, int x, int y, Barrier& barrier) {
  __stencil_copy_box(shared, &map, 2, x, y, 0, &barrier);
}
__device__ inline void copy_box(void* shared, const Map& map, int x, int y, int z,
                                Barrier& barrier) {
  __stencil_copy_box(shared, &map, 3, x, y, z, &barrier);
}

#else

namespace detail {
__device__ inline unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
}  // namespace detail

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800

__device__ inline void Barrier::init(unsigned) { __trap(); }
__device__ inline void Barrier::arrive() { __trap(); }
__device__ inline void Barrier::arrive_landed() { __trap(); }

#else

__device__ inline void Barrier::init(unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(detail::shared_address(this)),
               "r"(arrivals)
               : "memory");
}
__device__ inline void Barrier::arrive() {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(detail::shared_address(this))
               : "memory");
}
__device__ inline void Barrier::arrive_landed() {
  asm volatile(
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(detail::shared_address(this))
      : "memory");
}

#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

__device__ inline void Barrier::await(unsigned parity) {
#if __CUDA_ARCH__ < 800
  __trap();
#else
  unsigned done = 0;
  do {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done;\n"
        "}"
        : "=r"(done)
        : "r"(detail::shared_address(this)), "r"(parity)
        : "memory");
  } while (done == 0);
#endif
}
__device__ inline void fence_init() {}  // the barrier of the block after it is enough
__device__ inline void Barrier::expect(unsigned) { __trap(); }
__device__ inline void fence_copies() { __trap(); }
__device__ inline void prefetch(const Map&) { __trap(); }
__device__ inline void copy_box(void*, const Map&, int, Barrier&) { __trap(); }
__device__ inline void copy_box(void*, const Map&, int, int, Barrier&) { __trap(); }
__device__ inline void copy_box(void*, const Map&, int, int, int, Barrier&) { __trap(); }

#else

__device__ inline void Barrier::expect(unsigned bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(detail::shared_address(this)),
      "r"(bytes)
      : "memory");
}
// The hardware suspends the thread for at most as many nanoseconds as it is told.
__device__ inline void Barrier::await(unsigned parity) {
  constexpr unsigned suspend = 10'000'000;
  unsigned done = 0;
  do {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2, %3;\n"
        "selp.u32 %0, 1, 0, done;\n"
        "}"
        : "=r"(done)
        : "r"(detail::shared_address(this)), "r"(parity), "r"(suspend)
        : "memory");
  } while (done == 0);
}
__device__ inline void fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void fence_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void prefetch(const Map& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
__device__ inline void copy_box(void* shared, const Map& map, int x, Barrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2}], [%3];" ::"r"(detail::shared_address(shared)),
      "l"(&map), "r"(x), "r"(detail::shared_address(&barrier))
      : "memory");
}
__device__ inline void copy_box(void* shared, const Map& map, int x, int y, Barrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(detail::shared_address(shared)),
      "l"(&map), "r"(x), "r"(y), "r"(detail::shared_address(&barrier))
      : "memory");
}
__device__ inline void copy_box(void* shared, const Map& map, int x, int y, int z,
                                Barrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(detail::shared_address(shared)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(detail::shared_address(&barrier))
      : "memory");
}

#endif

#endif

}  // namespace STENCIL_TARGET
}  // namespace st
