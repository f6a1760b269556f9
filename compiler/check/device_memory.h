// The memory of the device that the executor plays: mapped pages with a guard on both sides.
//
// An allocation starts at a multiple of 256 bytes and is filled with 0xFF, which is NaN in every
// element type that has one. The bytes around it, up to the pages' ends, are red zones, followed by
// a megabyte that faults when it is touched. All functions may be called from several threads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stencilc::check::device_memory {

inline constexpr size_t capacity = size_t{8} << 30;

void* allocate(size_t bytes);  // null when there is no room
bool release(void* pointer);   // false when `pointer` is not the start of an allocation
size_t bytes_in_use();

// Whether [pointer, pointer + bytes) lies in one allocation.
bool contains(const void* pointer, size_t bytes);

// Where `pointer` lies, for messages: "4 bytes behind the end of an allocation of 64 bytes". Empty
// when no allocation is near.
std::string describe(const void* pointer);

// One text for each allocation whose red zones were overwritten. The zones are mended: each damage
// is told once.
std::vector<std::string> damages();

}  // namespace stencilc::check::device_memory
