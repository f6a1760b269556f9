// Bytes that nobody may write, filled with a word that reveals a write.
//
// The word is a signalling NaN in f32 and a huge number in f64: whatever a kernel computes from a
// red zone differs from the word, so that even a kernel that reads and writes out of bounds is
// noticed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stencilc::check {

// A different word for each `number`, so that a copy from one red zone into another is noticed,
// too.
inline constexpr uint32_t zone_word(uint32_t number) {
  return 0xFF80'0000u | (number * 2654435761u % 0x3F'FFFFu + 1);
}

inline char zone_byte(const char* at, uint32_t word) {
  return static_cast<char>(word >> reinterpret_cast<uintptr_t>(at) % 4 * 8);
}

inline void fill_zone(char* from, char* to, uint32_t word) {
  for (; from != to; ++from) *from = zone_byte(from, word);
}

// The first byte that was overwritten, or null.
inline const char* damage_in_zone(const char* from, const char* to, uint32_t word) {
  for (; from != to; ++from) {
    if (*from != zone_byte(from, word)) return from;
  }
  return nullptr;
}

}  // namespace stencilc::check
