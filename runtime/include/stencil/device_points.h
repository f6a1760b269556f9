// The cells that points belong to, the same on every target.
#pragma once

#include <cstdint>

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// Of an entry of a list of points: the cell along one axis, and the share of it. Whole coordinates
// are the cell; between two cells `upper` says which, and the share is that of linear
// interpolation.
template <typename T>
struct Share {
  int64_t cell;
  T weight;
};
template <typename T>
STENCIL_FUNCTION Share<T> share(int32_t place, bool) {
  return {place, T(1)};
}
template <typename T>
STENCIL_FUNCTION Share<T> share(double place, bool upper) {
  if (!(place >= -1.0 && place < 9.0e15)) return {-1, T(0)};    // NaN, too
  const int64_t whole = static_cast<int64_t>(place + 1.0) - 1;  // the floor, from -1 on
  // place + 1.0 may round up to the next whole number
  const int64_t base = static_cast<double>(whole) > place ? whole - 1 : whole;
  const double fraction = place - static_cast<double>(base);
  return {base + (upper ? 1 : 0), static_cast<T>(upper ? fraction : 1.0 - fraction)};
}

// Entries of a list of points in the ascending order of the cells they belong to: their keys, and
// their numbers in the list, ascending where keys are the same.
struct Entries {
  const int64_t* keys;
  const int64_t* numbers;
  int64_t count;

  // The first entry with the key, or -1.
  template <typename Index>
  STENCIL_FUNCTION Index first(Index key) const {
    const int64_t entry = not_less(key);
    return entry < count && keys[entry] == key ? static_cast<Index>(entry) : -1;
  }
  // The one after an entry, if it has the same key; or -1.
  template <typename Index>
  STENCIL_FUNCTION Index next(Index entry) const {
    return entry + 1 < count && keys[entry + 1] == keys[entry] ? entry + 1 : -1;
  }
  template <typename Index>
  STENCIL_FUNCTION Index number(Index entry) const {
    return static_cast<Index>(numbers[entry]);
  }
  // Has any a key from `low` on that is less than `end`?
  template <typename Index>
  STENCIL_FUNCTION bool any(Index low, Index end) const {
    const int64_t entry = not_less(low);
    return entry < count && keys[entry] < end;
  }

  // The first entry whose key is not less, or `count`.
  STENCIL_FUNCTION int64_t not_less(int64_t key) const {
    int64_t first = 0;
    for (int64_t rest = count; rest > 0;) {
      const int64_t half = rest / 2;
      const bool less = keys[first + half] < key;
      first += less ? half + 1 : 0;
      rest = less ? rest - half - 1 : half;
    }
    return first;
  }
};

// Sets of numbers below 64: with one more, where the condition holds; and the next number after
// one, or -1.
template <typename Index>
STENCIL_FUNCTION int64_t with(int64_t set, Index number, bool condition) {
  const uint64_t one = uint64_t{condition} << number;
  return static_cast<int64_t>(static_cast<uint64_t>(set) | one);
}
template <typename Index>
STENCIL_FUNCTION Index next_in(int64_t set, Index number) {
  Index next = number + 1;
  uint64_t rest = next < 64 ? static_cast<uint64_t>(set) >> next : 0;
  if (rest == 0) return -1;
  for (int bits = 32; bits > 0; bits /= 2) {
    if (rest << (64 - bits) != 0) continue;
    rest >>= bits;
    next += bits;
  }
  return next;
}

}  // namespace STENCIL_TARGET
}  // namespace st
