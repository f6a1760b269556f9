// A hash for names and digests that is the same on every machine and in every version.
#pragma once

#include <cstdint>
#include <string>

namespace stencilc::diag {

// FNV-1a with 64 bits.
inline uint64_t fnv1a(const std::string& text) {
  uint64_t value = 0xcbf29ce484222325u;
  for (const unsigned char c : text) value = (value ^ c) * 0x100000001b3u;
  return value;
}

}  // namespace stencilc::diag
