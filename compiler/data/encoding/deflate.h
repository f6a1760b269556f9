// Packs and unpacks bytes by the deflate method. Only deflate.cpp uses zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/values/result.h"

namespace stencilc::data {

enum class Wrapping { none, zlib };  // `none` in ZIP files, `zlib` in those of VTK

std::string deflated(std::string_view bytes, Wrapping wrapping);

// The packed bytes are exactly one stream that unpacks to `size` bytes; otherwise says what is
// wrong. Memory is allocated only for a size that so many bytes can hold.
Result<std::string> inflated(std::string_view packed, uint64_t size, Wrapping wrapping);

uint32_t checksum(std::string_view bytes);  // CRC-32

}  // namespace stencilc::data
