// Values that the launches of one step keep in memory, on the CPU, with the names of
// cuda_temporary.h. For cpu.h, which declares Stream before.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "device_ghosts.h"
#include "shape.h"

namespace stencil {
inline namespace cpu {

// A value of each cell of a grid, with the strides of the grids, and of its ghost cells.
template <typename T>
class Temporary {
 public:
  explicit Temporary(Stream) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { std::free(memory_); }

  // `what` is how messages begin: "`laplace2d`".
  Status make(const char* what, const char* name, const Shape& shape, int64_t ghosts = 0) {
    cells_ = shape.span();
    const size_t bytes = static_cast<size_t>(cells_ + ghosts) * sizeof(T);
    memory_ = static_cast<T*>(std::malloc(bytes));
    if (memory_ != nullptr) return {};
    return failure(Code::out_of_memory, "%s: the value `%s` needs %lld bytes of memory", what, name,
                   static_cast<long long>(bytes));
  }

  T* cells() const { return memory_; }
  T* ghosts() const { return memory_ + cells_; }

 private:
  T* memory_ = nullptr;
  int64_t cells_ = 0;
};

}  // namespace cpu
}  // namespace stencil
