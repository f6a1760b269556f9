// What a kernel that copies boxes gets of a grid: made on the host by stencil::box_map, passed by
// value as `const __grid_constant__ st::Map`, and read by the copy engine alone.
#pragma once

#include <cstdint>

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// CUtensorMap, which not every compiler of kernels can include.
struct alignas(128) Map {
  uint64_t opaque[16];
};

}  // namespace STENCIL_TARGET
}  // namespace st
