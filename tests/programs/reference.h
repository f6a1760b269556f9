// What references written by hand are made of: plain arrays, random numbers, a comparison.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace stencilc::programs {

using Extents = std::array<int64_t, 3>;  // 1 beyond the rank

// A grid of numbers, x fastest. An index beyond it throws.
struct Array {
  Extents extents = {1, 1, 1};
  std::vector<double> cells;

  Array() = default;
  explicit Array(const Extents& size, double value = 0)
      : extents(size), cells(static_cast<size_t>(size[0] * size[1] * size[2]), value) {}

  double& operator()(int64_t x, int64_t y = 0, int64_t z = 0) { return cells[place(x, y, z)]; }
  double operator()(int64_t x, int64_t y = 0, int64_t z = 0) const { return cells[place(x, y, z)]; }

 private:
  size_t place(int64_t x, int64_t y, int64_t z) const {
    const bool inside =
        x >= 0 && x < extents[0] && y >= 0 && y < extents[1] && z >= 0 && z < extents[2];
    if (!inside) throw std::out_of_range(fmt::format("cell ({}, {}, {})", x, y, z));
    return static_cast<size_t>((z * extents[1] + y) * extents[0] + x);
  }
};

// Visits the cells from `low` on and below `high`: visit(x, y, z).
template <class Visit>
void each(const Extents& low, const Extents& high, Visit visit) {
  for (int64_t z = low[2]; z < high[2]; ++z)
    for (int64_t y = low[1]; y < high[1]; ++y)
      for (int64_t x = low[0]; x < high[0]; ++x) visit(x, y, z);
}
template <class Visit>
void each(const Extents& extents, Visit visit) {
  each({0, 0, 0}, extents, visit);
}

// An index on a line of `count` cells that is closed to a ring.
inline int64_t wrapped(int64_t index, int64_t count) { return (index % count + count) % count; }

// Numbers in a row, to be compared.
inline Array row(const std::vector<double>& numbers) {
  Array result({static_cast<int64_t>(numbers.size()), 1, 1});
  result.cells = numbers;
  return result;
}

// Random numbers from `low` to `high` that an f32 holds; whole ones where `low` and `high` are, and
// `whole` asks for it. The same for the same seed.
inline Array random(const Extents& extents, uint64_t seed, double low = 0, double high = 1,
                    bool whole = false) {
  std::mt19937_64 engine(seed);
  Array result(extents);
  for (double& cell : result.cells) {
    const double unit = static_cast<double>(engine() >> 40) / (1 << 24);  // below 1
    cell = whole ? low + std::floor(unit * (high - low + 1))
                 : static_cast<double>(static_cast<float>(low + unit * (high - low)));
  }
  return result;
}

// The first cell that differs by more than tolerance * the largest number wanted, or that is NaN in
// one of them only; "" where there is none. 0 asks for equal numbers.
inline std::string difference(const std::string& name, const Array& got, const Array& wanted,
                              double tolerance) {
  if (got.extents != wanted.extents) return name + " has another shape";
  double scale = 0;
  for (double value : wanted.cells)
    scale = std::isfinite(value) ? std::max(scale, std::abs(value)) : scale;
  std::string result;
  each(wanted.extents, [&](int64_t x, int64_t y, int64_t z) {
    const double a = got(x, y, z), b = wanted(x, y, z);
    if (a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * scale) return;
    if (result.empty()) result = fmt::format("{}({}, {}, {}) is {}, not {}", name, x, y, z, a, b);
  });
  return result;
}
inline std::string difference(const std::string& name, double got, double wanted,
                              double tolerance) {
  return difference(name, Array({1, 1, 1}, got), Array({1, 1, 1}, wanted), tolerance);
}

}  // namespace stencilc::programs
