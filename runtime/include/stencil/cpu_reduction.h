// Reductions on the CPU, with the names of cuda_reduction.h. For cpu.h,
// which declares Stream before.
#pragma once

#include <cmath>
#include <cstdlib>

#include "device_fold.h"
#include "shape.h"

namespace stencil {
inline namespace cpu {

// The memory of a reduction over all cells of a grid. `partials` are the values of the cells
// themselves, dense.
template <typename T>
class Reduction {
 public:
  Reduction() = default;
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;
  ~Reduction() { std::free(memory_); }

  // `what` is how messages begin: "`laplace2d`".
  Status make(const char* what, const Shape& shape) {
    row_ = shape.nx;
    rows_ = shape.ny * shape.nz;
    const size_t bytes = static_cast<size_t>(row_ * rows_ + 1) * sizeof(T);
    memory_ = static_cast<T*>(std::malloc(bytes));
    if (memory_ != nullptr) return {};
    return failure(Code::out_of_memory, "%s: a reduction needs %lld bytes of memory", what,
                   static_cast<long long>(bytes));
  }

  T* partials() { return memory_; }
  const T* result() const { return memory_ + row_ * rows_; }

  template <typename Fold, bool Root = false>
  void fold(Stream) {
    int64_t count = 0;
    for (int64_t y = 0; y < rows_; ++y) count += fold_run<Fold>(memory_ + y * row_, row_, count);
    while (count > 1) count = fold_run<Fold>(memory_, count, 0);
    memory_[row_ * rows_] = memory_[0];
    if constexpr (Root) memory_[row_ * rows_] = std::sqrt(memory_[0]);
  }

  Status read(T* value, Stream) const {
    *value = *result();
    return {};
  }

 private:
  // Groups of 32 of the run become values after the first `at`, which lie before the run.
  template <typename Fold>
  int64_t fold_run(const T* run, int64_t length, int64_t at) {
    const int64_t groups = blocks(length, st::kFolded);
    for (int64_t g = 0; g < groups; ++g) {
      T values[st::kFolded];
      for (int64_t i = 0; i < st::kFolded; ++i) {
        const int64_t from = g * st::kFolded + i;
        values[i] = from < length ? run[from] : Fold::template identity<T>();
      }
      for (int apart = st::kFolded / 2; apart > 0; apart /= 2)
        for (int i = 0; i < apart; ++i) values[i] = Fold::join(values[i], values[i + apart]);
      memory_[at + g] = values[0];
    }
    return groups;
  }

  T* memory_ = nullptr;
  int64_t row_ = 0, rows_ = 0;
};

}  // namespace cpu
}  // namespace stencil
