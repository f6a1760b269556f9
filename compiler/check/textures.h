// The textures of the device that the executor plays: linear memory, fetched bit by bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/block.h"

namespace stencilc::check {

// Copies `bytes` bytes of a texture, from a byte of it on, to `value`. They lie in one texel of
// `texel` bytes. Why that cannot be done; empty: it is done.
std::string fetch(void* value, uint64_t texture, int64_t at, uint32_t bytes, uint32_t texel);

std::vector<DeviceFunction> texture_fetches();

}  // namespace stencilc::check
