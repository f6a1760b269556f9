// Allocates the device memory of the executor: mapped pages with a guard on both sides.
//
// An allocation starts at a multiple of 256 bytes and is filled with 0xFF, which is NaN in every
// float type. The bytes around it, up to the ends of the pages, are red zones, followed by a
// megabyte that cannot be accessed. All functions can be called by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stencilc::check::device_memory {

inline constexpr size_t capacity = size_t{8} << 30;

// Which device an allocation belongs to: the caller numbers them.
using Space = uint64_t;

void* allocate(size_t bytes, Space space = 0);  // null if there is not enough memory
bool release(void* pointer);  // false if `pointer` is not the start of an allocation
size_t bytes_in_use();
Space space_of(const void* pointer);  // 0 if it is in no allocation

// While closed, allocations of the space cannot be accessed.
void close(Space space);
void open(Space space);

// Whether [pointer, pointer + bytes) is inside one allocation.
bool contains(const void* pointer, size_t bytes);

// The position of `pointer` for messages: "4 bytes after the end of an allocation of 64 bytes".
// Empty if no allocation is near.
std::string describe(const void* pointer);

// A message for each allocation whose red zones were overwritten. Restores the zones, so that each
// damage is reported once.
std::vector<std::string> damages();

}  // namespace stencilc::check::device_memory
