// What the fixtures compute, as plain loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace stencilc::check {

struct Size {
  int nx, ny, nz;
  size_t cells() const { return static_cast<size_t>(nx) * ny * nz; }
};

inline std::vector<float> random_cells(Size size) {
  std::mt19937 random(static_cast<unsigned>(size.nx * 31 + size.ny * 7 + size.nz));
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::vector<float> cells(size.cells());
  for (float& cell : cells) cell = value(random);
  return cells;
}

inline std::vector<float> reference_guarded(const std::vector<float>& u, Size s) {
  std::vector<float> v(u.size());
  auto at = [&](int x, int y) {
    return x < 0 || x >= s.nx || y < 0 || y >= s.ny ? 0.0f : u[static_cast<size_t>(y) * s.nx + x];
  };
  for (int y = 0; y < s.ny; ++y) {
    for (int x = 0; x < s.nx; ++x) {
      float sum = 0.5f * at(x, y);
      sum = std::fma(0.1f, at(x - 1, y), sum);
      sum = std::fma(0.2f, at(x + 1, y), sum);
      sum = std::fma(0.3f, at(x, y - 1), sum);
      sum = std::fma(0.4f, at(x, y + 1), sum);
      v[static_cast<size_t>(y) * s.nx + x] = sum;
    }
  }
  return v;
}

inline std::vector<float> reference_tiled(const std::vector<float>& u, Size s) {
  const float weights[9] = {0.01f, 0.02f, 0.03f, 0.04f, 0.05f, 0.06f, 0.07f, 0.08f, 0.09f};
  std::vector<float> v(u.size());
  for (int y = 0; y < s.ny; ++y) {
    for (int x = 0; x < s.nx; ++x) {
      float sum = 0.0f;
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
          const int from_x = std::clamp(x + i - 1, 0, s.nx - 1),
                    from_y = std::clamp(y + j - 1, 0, s.ny - 1);
          sum = std::fma(weights[j * 3 + i], u[static_cast<size_t>(from_y) * s.nx + from_x], sum);
        }
      }
      v[static_cast<size_t>(y) * s.nx + x] = sum;
    }
  }
  return v;
}

inline std::vector<float> reference_streaming(const std::vector<float>& u, Size s) {
  std::vector<float> v(u.size());
  auto index = [&](int x, int y, int z) { return (static_cast<size_t>(z) * s.ny + y) * s.nx + x; };
  auto at = [&](int x, int y, int z) {
    const bool inside = x >= 0 && x < s.nx && y >= 0 && y < s.ny && z >= 0 && z < s.nz;
    return inside ? u[index(x, y, z)] : 0.0f;
  };
  for (int z = 0; z < s.nz; ++z) {
    for (int y = 0; y < s.ny; ++y) {
      for (int x = 0; x < s.nx; ++x) {
        float sum = 0.1f * at(x, y, z - 1);
        sum = std::fma(0.2f, at(x - 1, y, z), sum);
        sum = std::fma(0.3f, at(x, y, z), sum);
        sum = std::fma(0.4f, at(x + 1, y, z), sum);
        sum = std::fma(0.5f, at(x, y - 1, z), sum);
        sum = std::fma(0.6f, at(x, y + 1, z), sum);
        sum = std::fma(0.7f, at(x, y, z + 1), sum);
        v[index(x, y, z)] = sum;
      }
    }
  }
  return v;
}

inline std::vector<float> reference_shuffled(const std::vector<float>& u, Size s) {
  std::vector<float> v(u.size());
  auto at = [&](int x) {
    return static_cast<double>(u[static_cast<size_t>(std::clamp(x, 0, s.nx - 1))]);
  };
  for (int x = 0; x < s.nx; ++x) {
    double sum = 0.1 * at(x - 1);
    sum = std::fma(0.2, at(x), sum);
    sum = std::fma(0.3, at(x + 1), sum);
    v[static_cast<size_t>(x)] = static_cast<float>(sum);
  }
  return v;
}

inline std::vector<float> reference_lanes(const std::vector<float>& u, Size s) {
  std::vector<float> v(u.size());
  auto whole = [&](int x) {
    return static_cast<int>(u[static_cast<size_t>(std::min(x, s.nx - 1))] * 100.0f) + 100;
  };
  for (int x = 0; x < s.nx; ++x) {
    auto left = [&](int n) { return whole(x % 32 < n ? x : x - n); };
    auto right = [&](int n) { return whole(x % 32 + n > 31 ? x : x + n); };
    const int sum = left(1) + 2 * right(1) + 3 * left(2) + 4 * right(3) + 5 * left(31) +
                    6 * right(16) + 7 * left(5) + 8 * right(7) + (left(4) % 2 != 0 ? 9 : 0);
    v[static_cast<size_t>(x)] = static_cast<float>(sum);
  }
  return v;
}

}  // namespace stencilc::check
