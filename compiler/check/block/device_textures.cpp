// Implements texture fetches under the names of shim/cuda_device.h.
#include "check/block/fiber_block.h"
#include "check/block/textures.h"

namespace stencilc::check {
namespace {

void fetch_bytes(const ThreadView* view, uint32_t, void* value, uint64_t texture, int64_t at,
                 uint32_t bytes, uint32_t texel) {
  const std::string problem = fetch(value, texture, at, bytes, texel);
  if (!problem.empty()) thread_of(view).owner->fail(problem);
}

}  // namespace

std::vector<DeviceFunction> texture_fetches() {
  return {{"__stencil_fetch", reinterpret_cast<void*>(&fetch_bytes)}};
}

}  // namespace stencilc::check
