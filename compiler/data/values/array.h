// Holds dense typed arrays in host memory, which `stencilc run` reads, computes on and writes.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "data/values/half.h"
#include "data/values/result.h"

namespace stencilc::data {

enum class Element : uint8_t { f64, f32, bf16, f16, i64, i32, i16, u16, i8, u8, boolean };

std::string_view name_of(Element element);  // "f32", "bool"
int64_t size_of(Element element);           // in bytes
bool is_real(Element element);              // not integers and bool

// What files hold that know no floats of 16 bits and no truth values: f32 for f16 and bf16, u8 for
// bool, and the other elements as they are.
Element common_element(Element element);

// Calls f with a value of the C++ type of the element: visit(array.element, [&](auto type) { using
// T = decltype(type); ... }).
template <typename F>
decltype(auto) visit(Element element, F&& f) {
  switch (element) {
    case Element::f64:
      return f(double{});
    case Element::f32:
      return f(float{});
    case Element::bf16:
      return f(BF16{});
    case Element::f16:
      return f(F16{});
    case Element::i64:
      return f(int64_t{});
    case Element::i32:
      return f(int32_t{});
    case Element::i16:
      return f(int16_t{});
    case Element::u16:
      return f(uint16_t{});
    case Element::i8:
      return f(int8_t{});
    case Element::u8:
      return f(uint8_t{});
    case Element::boolean:
      break;
  }
  return f(bool{});
}

template <typename T>
constexpr bool is_real_type = std::is_floating_point_v<T> || is_half<T>;

template <typename T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, double>) return Element::f64;
  if constexpr (std::is_same_v<T, float>) return Element::f32;
  if constexpr (std::is_same_v<T, BF16>) return Element::bf16;
  if constexpr (std::is_same_v<T, F16>) return Element::f16;
  if constexpr (std::is_same_v<T, int64_t>) return Element::i64;
  if constexpr (std::is_same_v<T, int32_t>) return Element::i32;
  if constexpr (std::is_same_v<T, int16_t>) return Element::i16;
  if constexpr (std::is_same_v<T, uint16_t>) return Element::u16;
  if constexpr (std::is_same_v<T, int8_t>) return Element::i8;
  if constexpr (std::is_same_v<T, uint8_t>) return Element::u8;
  if constexpr (std::is_same_v<T, bool>) return Element::boolean;
}

using Extents = std::vector<int64_t>;  // 1 to 3 lengths of at least 1, x first

// Some of the planes of an array: indices of its last axis.
struct Planes {
  int64_t first = 0, count = 0;
};

// Invariant: bytes.size() == count() * size_of(element), and a bool is stored as 0 or 1.
struct Array {
  Element element = Element::f32;
  Extents extents;
  std::vector<std::byte> bytes;

  int64_t count() const { return static_cast<int64_t>(bytes.size()) / size_of(element); }
  int64_t extent(size_t axis) const { return axis < extents.size() ? extents[axis] : 1; }

  template <typename T>
  T* as() {
    assert(element == element_of<T>());
    return reinterpret_cast<T*>(bytes.data());
  }
  template <typename T>
  const T* as() const {
    assert(element == element_of<T>());
    return reinterpret_cast<const T*>(bytes.data());
  }
};

// The bytes of an array with these extents. Fails if they are not 1 to 3 positive numbers or the
// product overflows.
Result<int64_t> byte_count(Element element, const Extents& extents);

// An array of zeros. Fails like byte_count, or if there is not enough memory.
Result<Array> make_array(Element element, const Extents& extents);

// Those planes alone.
Result<Array> part_of(const Array& array, const Planes& planes);

// The cells as another type. Floats are rounded to nearest even, and too large values become
// infinite; integers are rounded and clamped, and NaN becomes 0; every value except zero is true.
Result<Array> converted(const Array& array, Element to);

double value_at(const Array& array, int64_t index);

std::string to_string(const Extents& extents);  // "640 x 480"

}  // namespace stencilc::data
