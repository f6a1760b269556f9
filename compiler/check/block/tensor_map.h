// The contents of a st::Map in the executor: its CUDA driver writes it, and copies of boxes read
// it.
#pragma once

#include <cstdint>

namespace stencilc::check {

struct TensorMap {
  static constexpr uint64_t genuine = 0x5354'454e'4349'4c4d;

  uint64_t mark;  // `genuine`
  const char* data;
  uint32_t rank;          // 1 to 3
  uint32_t element_size;  // in bytes
  uint64_t extents[3];    // 1 for axes that it does not have; the same for `box`
  uint64_t strides[3];    // in bytes
  uint32_t box[3];

  uint32_t box_bytes() const { return box[0] * box[1] * box[2] * element_size; }
};
static_assert(sizeof(TensorMap) <= 128);

}  // namespace stencilc::check
