// Implements the textures of the executor: linear memory, fetched byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/block/block.h"

namespace stencilc::check {

// Copies `bytes` bytes of a texture, starting at a byte offset, to `value`. They are inside one
// texel of `texel` bytes. Returns why that is not possible, or an empty string.
std::string fetch(void* value, uint64_t texture, int64_t at, uint32_t bytes, uint32_t texel);

std::vector<DeviceFunction> texture_fetches();

}  // namespace stencilc::check
