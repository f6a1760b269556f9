// Reductions on the GPU: the upper levels of the tree, and the memory they take. For cuda.h.
#pragma once

#include "cuda_status.h"
#include "device_fold.h"
#include "shape.h"

namespace stencil {
inline namespace cuda {

namespace detail {

// Each block folds 32 * 32 values into one: two levels of the tree.
template <typename Fold, typename T>
__global__ void __launch_bounds__(1024) fold_values(const T* values, int64_t count, T* results) {
  __shared__ T warps[st::kFolded];
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 1024 + threadIdx.x;
  const T own = st::fold_warp<Fold>(i < count ? values[i] : Fold::template identity<T>());
  if (threadIdx.x % st::kFolded == 0) warps[threadIdx.x / st::kFolded] = own;
  __syncthreads();
  if (threadIdx.x >= st::kFolded) return;
  const T all = st::fold_warp<Fold>(warps[threadIdx.x]);
  if (threadIdx.x == 0) results[blockIdx.x] = all;
}

template <typename T>
__global__ void take_root(T* value) {
  if constexpr (sizeof(T) == 4)
    *value = __fsqrt_rn(*value);
  else
    *value = __dsqrt_rn(*value);
}

}  // namespace detail

// The memory of a reduction over all cells of a grid.
template <typename T>
class Reduction {
 public:
  Reduction() = default;
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;
  ~Reduction() { (void)cudaFree(memory_); }

  // `what` is how messages begin: "`laplace2d`".
  Status make(const char* what, const Shape& shape) {
    count_ = blocks(shape.nx, st::kFolded) * shape.ny * shape.nz;
    const int64_t next = blocks(count_, 1024);
    const int64_t bytes = (count_ + next + 1) * static_cast<int64_t>(sizeof(T));
    const cudaError_t error =
        cudaMalloc(reinterpret_cast<void**>(&memory_), static_cast<size_t>(bytes));
    if (error != cudaErrorMemoryAllocation) return cuda_status(error, what);
    (void)cudaGetLastError();
    return failure(Code::out_of_memory, "%s: a reduction needs %lld bytes of device memory", what,
                   static_cast<long long>(bytes));
  }

  T* partials() { return memory_; }  // of the rows' groups of 32 cells, row by row
  const T* result() const { return memory_ + count_ + blocks(count_, 1024); }

  // Folds the partials; `Root` takes the square root in the end.
  template <typename Fold, bool Root = false>
  void fold(cudaStream_t stream) {
    T* from = memory_;
    T* to = memory_ + count_;
    T* const last = memory_ + count_ + blocks(count_, 1024);
    for (int64_t count = count_;;) {
      const int64_t results = blocks(count, 1024);
      T* const target = results == 1 ? last : to;
      detail::fold_values<Fold>
          <<<static_cast<unsigned>(results), 1024, 0, stream>>>(from, count, target);
      if (results == 1) break;
      to = from;  // what was folded is free
      from = target;
      count = results;
    }
    if constexpr (Root) detail::take_root<<<1, 1, 0, stream>>>(last);
  }

  // Waits for the stream.
  Status read(T* value, cudaStream_t stream) const {
    const cudaError_t error =
        cudaMemcpyAsync(value, result(), sizeof(T), cudaMemcpyDeviceToHost, stream);
    if (error != cudaSuccess) return cuda_status(error, "reading a reduction");
    return cuda_status(cudaStreamSynchronize(stream), "reading a reduction");
  }

 private:
  T* memory_ = nullptr;
  int64_t count_ = 0;
};

}  // namespace cuda
}  // namespace stencil
