// What the fixtures need of a prelude: asynchronous copies into shared memory.
#pragma once

namespace st {

#if defined(__STENCIL_EXECUTOR__)

// Copies T from global to shared memory, or zeros where `inside` is false.
template <class T>
__device__ inline void copy_async(T* shared, const T* global, bool inside) {
  __stencil_copy_async(shared, global, sizeof(T), inside ? sizeof(T) : 0);
}
__device__ inline void commit() { __stencil_commit(); }
template <int in_flight>
__device__ inline void wait() {
  __stencil_wait(in_flight);
}

#else

template <class T>
__device__ inline void copy_async(T* shared, const T* global, bool inside) {
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global),
               "n"(sizeof(T)), "r"(inside ? static_cast<int>(sizeof(T)) : 0)
               : "memory");
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int in_flight>
__device__ inline void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(in_flight) : "memory");
}

#endif

}  // namespace st
