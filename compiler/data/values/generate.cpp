#include "data/values/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "diag/diagnostic.h"

namespace stencilc::data {
namespace {

// Steele, Lea and Flood's splitmix64, used as a function of a counter.
uint64_t hash(uint64_t seed, uint64_t index) {
  uint64_t z = (seed + 1) * 0xd1342543de82ef95u + index * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// In [0, 1), with as many bits as the type has; and the type in which cells are computed.
template <typename T>
using Real = std::conditional_t<is_half<T>, double, T>;

template <typename T>
Real<T> fraction(uint64_t bits) {
  constexpr int digits = std::numeric_limits<T>::digits;
  return std::ldexp(static_cast<Real<T>>(bits >> (64 - digits)), -digits);
}

// The value of 1: 255 for integers, or the largest value if that is smaller.
template <typename T>
constexpr double full() {
  if constexpr (is_real_type<T>) return 1;
  return std::min(255.0, static_cast<double>(std::numeric_limits<T>::max()));
}
template <typename T>
T scaled(double part) {
  return static_cast<T>(is_real_type<T> ? part : std::nearbyint(part * full<T>()));
}

struct Cell {
  int64_t x, y, z, index;  // in the whole array
};

// The planes of an array that are filled.
struct Filled {
  Array& planes;
  const Extents& extents;  // of the whole array
  int64_t first;
};

template <typename T, typename F>
void fill(const Filled& filled, F&& value) {
  const Array& planes = filled.planes;
  const int64_t nx = planes.extent(0), ny = planes.extent(1), nz = planes.extent(2);
  std::array<int64_t, 3> first = {0, 0, 0};
  first[planes.extents.size() - 1] = filled.first;
  const int64_t before = filled.first * (planes.count() / planes.extents.back());
  T* cells = filled.planes.as<T>();
  int64_t index = 0;
  for (int64_t z = 0; z < nz; ++z)
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x, ++index)
        cells[index] = value(Cell{first[0] + x, first[1] + y, first[2] + z, before + index});
}

double gauss(const Extents& extents, const Cell& cell) {
  const std::array<int64_t, 3> at = {cell.x, cell.y, cell.z};
  double exponent = 0;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    const double width = std::max(static_cast<double>(extents[axis]) / 8, 0.5);
    const double offset =
        static_cast<double>(at[axis]) - static_cast<double>(extents[axis] - 1) / 2;
    exponent += offset * offset / (2 * width * width);
  }
  return std::exp(-exponent);
}

template <typename T>
T wild(uint64_t bits) {
  using Limits = std::numeric_limits<T>;
  const unsigned kind = bits & 15;
  const bool negative = bits >> 4 & 1;
  if constexpr (std::is_same_v<T, bool>) {
    return negative;
  } else if constexpr (is_real_type<T>) {
    const auto real = [](T limit) { return static_cast<Real<T>>(limit); };
    const Real<T> common = fraction<T>(bits);
    Real<T> value = common;
    if (kind == 0) value = 0;
    if (kind == 1) value = real(Limits::min()) * common;  // a denormal
    if (kind == 2) value = real(Limits::denorm_min());
    if (kind == 3) value = real(Limits::infinity());
    if (kind == 4) value = real(Limits::quiet_NaN());
    if (kind == 5) value = real(Limits::max()) * common;
    if (kind == 6) value = real(Limits::min()) * (1 + common);
    if (kind == 7) value = 1;
    return static_cast<T>(negative ? -value : value);
  } else {
    if (kind == 0) return Limits::min();
    if (kind == 1) return Limits::max();
    if (kind == 2) return 0;
    if (kind == 3) return static_cast<T>(negative ? -1 : 1);
    return static_cast<T>(bits >> 8);
  }
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Whether the element holds the number; a float may round it.
bool holds(Element element, double value) {
  return visit(element, [&](auto type) {
    using T = decltype(type);
    if constexpr (is_real_type<T>) {
      return !std::isfinite(value) || std::isfinite(static_cast<Real<T>>(static_cast<T>(value)));
    } else {
      using Limits = std::numeric_limits<T>;
      return value == std::floor(value) && value >= static_cast<double>(Limits::min()) &&
             value < std::ldexp(1.0, Limits::digits);
    }
  });
}

// The arguments after the colon: none, VALUE or LOW..HIGH.
struct Range {
  double low = 0, high = 0;
};
Result<Range> parse_range(std::string_view name, std::string_view text, Element element) {
  const size_t dots = text.find("..");
  const bool is_range = name == "random";
  const std::optional<double> low = number(text.substr(0, is_range ? dots : text.size()));
  const std::optional<double> high =
      is_range && dots != text.npos ? number(text.substr(dots + 2)) : low;
  if (!low || !high || (is_range && dots == text.npos))
    return Error{fmt::format("`{}:{}` is not valid; write `{}`", name, text,
                             is_range ? "random:LOW..HIGH" : "constant:VALUE")};
  for (const double value : {*low, *high})
    if (!holds(element, value))
      return Error{fmt::format("{} does not fit into {}", value, name_of(element))};
  // Above 2^53 not every whole number is a double.
  for (const double value : {*low, *high})
    if (!is_real(element) && std::fabs(value) >= 0x1p53 && value != -0x1p63)
      return Error{fmt::format("{:.0f} is too large here; use a .npy file for such values", value)};
  if (is_range && !(*low <= *high && std::isfinite(*high - *low)))
    return Error{fmt::format("`{}:{}` is empty or infinite", name, text)};
  return Range{*low, *high};
}

template <typename T>
T next_after(T from, T to) {
  if constexpr (!is_half<T>) {
    return std::nextafter(from, to);
  } else {
    const auto a = static_cast<double>(from), b = static_cast<double>(to);
    if (a == b) return to;
    if (a == 0) return T::of_bits(b > a ? 1 : 0x8001);
    return T::of_bits((a > 0) == (b > a) ? from.bits + 1 : from.bits - 1);
  }
}

template <typename T>
void fill_random(const Filled& array, Range range, uint64_t seed) {
  if constexpr (is_real_type<T>) {
    const T low = static_cast<T>(range.low), high = static_cast<T>(range.high);
    // The product may round up to the upper end, which is excluded.
    const T last = next_after(high, low);
    fill<T>(array, [&](const Cell& cell) {
      const double part = fraction<T>(hash(seed, static_cast<uint64_t>(cell.index)));
      const T value = static_cast<T>(range.low + (range.high - range.low) * part);
      return static_cast<Real<T>>(value) < static_cast<Real<T>>(last) ? value : last;
    });
  } else {
    const auto low = static_cast<uint64_t>(static_cast<int64_t>(range.low));
    const auto count = static_cast<unsigned __int128>(range.high - range.low) + 1;
    fill<T>(array, [&](const Cell& cell) {
      const uint64_t bits = hash(seed, static_cast<uint64_t>(cell.index));
      return static_cast<T>(low + static_cast<uint64_t>(bits * count >> 64));
    });
  }
}

template <typename T>
void fill_by_name(std::string_view name, const Filled& array, Range range, uint64_t seed) {
  int64_t cells = 1;
  for (const int64_t extent : array.extents) cells *= extent;
  const double count = static_cast<double>(std::max<int64_t>(cells - 1, 1));
  if (name == "gauss")
    fill<T>(array, [&](const Cell& cell) { return scaled<T>(gauss(array.extents, cell)); });
  if (name == "random") fill_random<T>(array, range, seed);
  if (name == "checkerboard") {
    const int64_t longest = *std::max_element(array.extents.begin(), array.extents.end());
    const int64_t side = std::max<int64_t>(longest / 8, 1);
    fill<T>(array, [&](const Cell& cell) {
      return scaled<T>(static_cast<double>((cell.x / side + cell.y / side + cell.z / side) % 2));
    });
  }
  if (name == "ramp")
    fill<T>(array, [&](const Cell& cell) {
      if constexpr (is_real_type<T>)
        return static_cast<T>(static_cast<double>(cell.index) / count);
      else if constexpr (std::is_same_v<T, bool>)
        return cell.index % 2 != 0;
      else
        return static_cast<T>(cell.index);
    });
  if (name == "constant") fill<T>(array, [&](const Cell&) { return static_cast<T>(range.low); });
  if (name == "wild")
    fill<T>(array, [&](const Cell& cell) {
      return wild<T>(hash(seed, static_cast<uint64_t>(cell.index)));
    });
}

}  // namespace

Result<Array> generate(std::string_view what, Element element, const Extents& extents,
                       uint64_t seed) {
  return generate(what, element, extents, seed, {0, extents.empty() ? 0 : extents.back()});
}

Result<Array> generate(std::string_view what, Element element, const Extents& extents,
                       uint64_t seed, const Planes& planes) {
  static const std::vector<std::string> names = {"gauss", "random",   "checkerboard", "ramp",
                                                 "zero",  "constant", "wild"};
  const size_t colon = what.find(':');
  const std::string name(what.substr(0, colon));
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string close = diag::nearest(name, names);
    return Error{
        close.empty()
            ? fmt::format("there is no input called `{}`; the inputs are gauss, random, "
                          "checkerboard, ramp, zero, constant:VALUE and wild",
                          name)
            : fmt::format("there is no input called `{}`; did you mean `{}`?", name, close)};
  }
  const bool takes_range = name == "random" || name == "constant";
  if (colon != what.npos && !takes_range)
    return Error{fmt::format("`{}` takes no value after a colon", name)};
  Range range{0, is_real(element) || element == Element::boolean ? 1.0 : 15.0};
  if (colon != what.npos || name == "constant") {
    const auto text = colon == what.npos ? std::string_view{} : what.substr(colon + 1);
    const Result<Range> parsed = parse_range(name, text, element);
    if (!parsed.ok()) return Error{parsed.error()};
    range = *parsed;
  }
  if (const Result<int64_t> whole = byte_count(element, extents); !whole.ok())
    return Error{whole.error()};
  Extents own = extents;
  own.back() = planes.count;
  Result<Array> array = make_array(element, own);
  if (array.ok())
    visit(element, [&](auto type) {
      fill_by_name<decltype(type)>(name, {*array, extents, planes.first}, range, seed);
    });
  return array;
}

}  // namespace stencilc::data
