// Values that the launches of one step keep in memory, on the CPU, with the names of
// cuda_temporary.h. For cpu.h, which declares Stream before.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "device_ghosts.h"
#include "workspace.h"

namespace stencil {
inline namespace cpu {

// A value of each cell of a grid, with the strides of the grids, and of its ghost cells.
template <typename T>
class Temporary {
 public:
  explicit Temporary(Stream) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (is_own_) std::free(memory_);
  }

  // In the next part of a workspace; without one, in memory of its own. `what` is how messages
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
    memory_ = bytes < 0 ? nullptr : static_cast<T*>(std::malloc(static_cast<size_t>(bytes)));
    is_own_ = memory_ != nullptr;
    if (is_own_) return {};
    return failure(Code::out_of_memory, "%s: the value `%s` needs %lld bytes of memory", what, name,
                   static_cast<long long>(bytes));
  }

  T* cells() const { return memory_; }
  T* ghosts() const { return memory_ + ghosts_; }

 private:
  T* memory_ = nullptr;
  bool is_own_ = false;
  int64_t ghosts_ = 0;
};

}  // namespace cpu
}  // namespace stencil
