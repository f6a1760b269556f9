#include "data/values/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

namespace stencilc::data {
namespace {

// Float to integer, and between integers. The bounds are compared in the range of To, so that
// nothing overflows.
template <typename To, typename From>
To clamped(From value) {
  using Limits = std::numeric_limits<To>;
  if constexpr (is_half<From>) {
    return clamped<To>(static_cast<double>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (is_half<To>) {
    return To(static_cast<double>(value));
  } else if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else if constexpr (std::is_floating_point_v<From>) {
    const From whole = std::nearbyint(value);
    const From above = std::ldexp(From{1}, Limits::digits);  // one more than the largest
    if (std::isnan(whole)) return 0;
    if (whole < static_cast<From>(Limits::min())) return Limits::min();
    return whole >= above ? Limits::max() : static_cast<To>(whole);
  } else {
    const int64_t wide = value;
    if (wide < int64_t{Limits::min()}) return Limits::min();
    return wide > int64_t{Limits::max()} ? Limits::max() : static_cast<To>(wide);
  }
}

}  // namespace

std::string_view name_of(Element element) {
  switch (element) {
    case Element::f64:
      return "f64";
    case Element::f32:
      return "f32";
    case Element::bf16:
      return "bf16";
    case Element::f16:
      return "f16";
    case Element::i64:
      return "i64";
    case Element::i32:
      return "i32";
    case Element::i16:
      return "i16";
    case Element::u16:
      return "u16";
    case Element::i8:
      return "i8";
    case Element::u8:
      return "u8";
    case Element::boolean:
      break;
  }
  return "bool";
}

int64_t size_of(Element element) {
  return visit(element, [](auto type) { return static_cast<int64_t>(sizeof type); });
}

bool is_real(Element element) {
  return visit(element, [](auto type) { return is_real_type<decltype(type)>; });
}

Element common_element(Element element) {
  if (element == Element::f16 || element == Element::bf16) return Element::f32;
  return element == Element::boolean ? Element::u8 : element;
}

Result<int64_t> byte_count(Element element, const Extents& extents) {
  if (extents.empty() || extents.size() > 3)
    return Error{fmt::format("the array has {} axes where 1 to 3 are expected", extents.size())};
  int64_t bytes = size_of(element);
  for (const int64_t extent : extents) {
    if (extent < 1)
      return Error{
          fmt::format("the array is {}; every extent must be at least 1", to_string(extents))};
    if (bytes > std::numeric_limits<int64_t>::max() / extent)
      return Error{fmt::format("an array of {} {} elements is larger than any memory",
                               to_string(extents), name_of(element))};
    bytes *= extent;
  }
  return bytes;
}

Result<Array> make_array(Element element, const Extents& extents) {
  const Result<int64_t> bytes = byte_count(element, extents);
  if (!bytes.ok()) return Error{bytes.error()};
  Array array{element, extents, {}};
  try {
    array.bytes.resize(static_cast<size_t>(*bytes));
  } catch (const std::exception&) {  // bad_alloc or length_error
    return Error{fmt::format("no memory for an array of {} {} elements, {} bytes",
                             to_string(extents), name_of(element), *bytes)};
  }
  return array;
}

Result<Array> part_of(const Array& array, const Planes& planes) {
  Extents extents = array.extents;
  extents.back() = planes.count;
  Result<Array> part = make_array(array.element, extents);
  if (!part.ok()) return part;
  const size_t plane = array.bytes.size() / static_cast<size_t>(array.extents.back());
  const auto from = array.bytes.begin() + static_cast<std::ptrdiff_t>(plane) * planes.first;
  std::copy_n(from, part->bytes.size(), part->bytes.begin());
  return part;
}

Result<Array> converted(const Array& array, Element to) {
  Result<Array> result = make_array(to, array.extents);
  if (!result.ok()) return result;
  visit(array.element, [&](auto from_type) {
    visit(to, [&](auto to_type) {
      using From = decltype(from_type);
      using To = decltype(to_type);
      const From* from = array.as<From>();
      To* cells = result->template as<To>();
      for (int64_t i = 0; i < array.count(); ++i) cells[i] = clamped<To>(from[i]);
    });
  });
  return result;
}

double value_at(const Array& array, int64_t index) {
  return visit(array.element,
               [&](auto type) { return static_cast<double>(array.as<decltype(type)>()[index]); });
}

std::string to_string(const Extents& extents) {
  return fmt::format("{}", fmt::join(extents, " x "));
}

}  // namespace stencilc::data
