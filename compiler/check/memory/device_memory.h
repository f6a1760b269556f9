// Allocates the device memory of the executor: mapped pages with a guard on both sides.
//
// An allocation starts at a multiple of 256 bytes and is filled with 0xFF, which is NaN in every
// float type. The bytes around it, up to the ends of the pages, are red zones, followed by a
// megabyte that cannot be accessed. All functions can be called by several threads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stencilc::check::device_memory {

inline constexpr size_t capacity = size_t{8} << 30;

void* allocate(size_t bytes);  // null if there is not enough memory
bool release(void* pointer);   // false if `pointer` is not the start of an allocation
size_t bytes_in_use();

// Whether [pointer, pointer + bytes) is inside one allocation.
bool contains(const void* pointer, size_t bytes);

// The position of `pointer` for messages: "4 bytes after the end of an allocation of 64 bytes".
// Empty if no allocation is near.
std::string describe(const void* pointer);

// A message for each allocation whose red zones were overwritten. Restores the zones, so that each
// damage is reported once.
std::vector<std::string> damages();

}  // namespace stencilc::check::device_memory
