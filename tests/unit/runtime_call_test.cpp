// Calls in the form of emitted code, on owned and wrapped grids, against plain loops over dense
// arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/cpu_kernels.h"

namespace {

template <typename T>
std::vector<T> noise(size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<T>((seed >> 24) / (std::is_integral_v<T> ? 1.0 : 37.0));
  }
  return values;
}

// Memory of somebody else: poisoned, with gaps after the rows and the planes.
template <typename T>
struct Foreign {
  int64_t nx, ny, nz, pitch, plane;
  std::vector<T> cells;

  Foreign(int64_t nx, int64_t ny, int64_t nz, T poison)
      : nx(nx), ny(ny), nz(nz), pitch(nx + 3), plane((nx + 3) * (ny + 2)) {
    cells.assign(static_cast<size_t>(plane * nz), poison);
  }
  int64_t padding_changed(T poison) const {
    int64_t changed = 0;
    for (int64_t i = 0; i < plane * nz; ++i)
      if (i % plane / pitch >= ny || i % pitch >= nx)
        changed += cells[static_cast<size_t>(i)] != poison;
    return changed;
  }
};

std::vector<float> laplace_reference(std::vector<float> u, int nx, int ny, int steps) {
  for (int s = 0; s < steps; ++s) {
    std::vector<float> next(u.size());
    const auto at = [&](int x, int y) {
      return u[static_cast<size_t>(std::clamp(y, 0, ny - 1) * nx + std::clamp(x, 0, nx - 1))];
    };
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        next[static_cast<size_t>(y * nx + x)] =
            0.25f * ((at(x - 1, y) + at(x + 1, y)) + (at(x, y - 1) + at(x, y + 1)));
    u = next;
  }
  return u;
}

TEST(RuntimeCall, AdvancesAnOwnedGridByOddAndEvenSteps) {
  for (const int nx : {1, 2, 63, 64, 65})
    for (const int steps : {0, 1, 2, 7}) {
      const int ny = 5;
      const auto start = noise<float>(static_cast<size_t>(nx * ny), 1);
      stencil::Grid<float, 2> u({nx, ny});
      ASSERT_TRUE(u.copy_from(start.data()).ok());
      const stencil::Status status = laplace2d::run({u}, stencil::Steps{steps});
      ASSERT_TRUE(status.ok()) << status.message();
      std::vector<float> result(start.size(), -1.0f);
      ASSERT_TRUE(u.copy_to(result.data()).ok());
      EXPECT_EQ(result, laplace_reference(start, nx, ny, steps)) << nx << " wide, " << steps;
    }
}

TEST(RuntimeCall, ContinuesWhereTheLastCallEnded) {
  const auto start = noise<float>(33 * 4, 5);
  stencil::Grid<float, 2> u({33, 4});
  ASSERT_TRUE(u.copy_from(start.data()).ok());
  for (const int steps : {3, 2}) ASSERT_TRUE(laplace2d::run({u}, stencil::Steps{steps}).ok());
  ASSERT_TRUE(laplace2d::run({u}, {}).ok());  // one step
  std::vector<float> result(start.size());
  ASSERT_TRUE(u.copy_to(result.data()).ok());
  EXPECT_EQ(result, laplace_reference(start, 33, 4, 6));
}

TEST(RuntimeCall, KeepsAWrappedGridInItsOwnMemory) {
  for (const int steps : {0, 1, 2, 7}) {
    const int nx = 9, ny = 4;
    const auto start = noise<float>(nx * ny, 2);
    Foreign<float> memory(nx, ny, 1, -9.0f);
    auto u = stencil::Grid<float, 2>::wrap(memory.cells.data(), {nx, ny}, memory.pitch);
    ASSERT_TRUE(u.copy_from(start.data()).ok());
    ASSERT_TRUE(laplace2d::run({u}, stencil::Steps{steps}).ok());
    EXPECT_EQ(u.data(), memory.cells.data());
    std::vector<float> result(start.size());
    ASSERT_TRUE(u.copy_to(result.data()).ok());
    EXPECT_EQ(result, laplace_reference(start, nx, ny, steps));
    EXPECT_EQ(memory.padding_changed(-9.0f), 0);
  }
}

struct Wave {
  std::vector<double> u, u_prev;
};
Wave wave_reference(Wave wave, const std::vector<double>& c, size_t plane, int steps) {
  const size_t planes = c.size() / plane;
  for (int s = 0; s < steps; ++s) {
    std::vector<double> next(c.size());
    for (size_t i = 0; i < c.size(); ++i) {
      const size_t z = i / plane, cell = i % plane;
      const double below = wave.u[(z + planes - 1) % planes * plane + cell];
      const double above = wave.u[(z + 1) % planes * plane + cell];
      next[i] = (2.0 * wave.u[i] - wave.u_prev[i]) + c[i] * ((below + above) - 2.0 * wave.u[i]);
    }
    wave = {next, wave.u};
  }
  return wave;
}

using WaveGrid = stencil::Grid<double, 3>;

// Every mixture of owned and wrapped grids must end with each level in the grid of its name.
void expect_wave(WaveGrid& u, WaveGrid& u_prev, WaveGrid& c, int steps) {
  const size_t plane = static_cast<size_t>(u.shape().nx * u.shape().ny);
  const size_t count = plane * static_cast<size_t>(u.shape().nz);
  const Wave start{noise<double>(count, 3), noise<double>(count, 4)};
  const auto speed = noise<double>(count, 5);
  ASSERT_TRUE(u.copy_from(start.u.data()).ok());
  ASSERT_TRUE(u_prev.copy_from(start.u_prev.data()).ok());
  ASSERT_TRUE(c.copy_from(speed.data()).ok());
  const stencil::Status status = wave3d::run({u, u_prev, c}, stencil::Steps{steps});
  ASSERT_TRUE(status.ok()) << status.message();
  Wave result{std::vector<double>(count), std::vector<double>(count)};
  ASSERT_TRUE(u.copy_to(result.u.data()).ok());
  ASSERT_TRUE(u_prev.copy_to(result.u_prev.data()).ok());
  const Wave want = wave_reference(start, speed, plane, steps);
  EXPECT_EQ(result.u, want.u) << steps;
  EXPECT_EQ(result.u_prev, want.u_prev) << steps;
}

TEST(RuntimeCall, TwoTimeLevelsOfOwnedGrids) {
  for (const int steps : {0, 1, 2, 5}) {
    WaveGrid u({7, 3, 4}), u_prev({7, 3, 4}), c({7, 3, 4});
    expect_wave(u, u_prev, c, steps);
  }
}

TEST(RuntimeCall, TwoTimeLevelsOfWrappedGrids) {
  for (const int steps : {0, 1, 2, 5}) {
    Foreign<double> a(7, 3, 4, -9.0), b(7, 3, 4, -9.0), k(7, 3, 4, -9.0);
    auto u = WaveGrid::wrap(a.cells.data(), {7, 3, 4}, a.pitch, a.plane);
    auto u_prev = WaveGrid::wrap(b.cells.data(), {7, 3, 4}, b.pitch, b.plane);
    auto c = WaveGrid::wrap(k.cells.data(), {7, 3, 4}, k.pitch, k.plane);
    expect_wave(u, u_prev, c, steps);
    EXPECT_EQ(u.data(), a.cells.data());
    EXPECT_EQ(u_prev.data(), b.cells.data());
    EXPECT_EQ(a.padding_changed(-9.0) + b.padding_changed(-9.0) + k.padding_changed(-9.0), 0);
  }
}

TEST(RuntimeCall, AnOwnedLevelBesideAWrappedOne) {
  for (const int steps : {1, 2}) {
    std::vector<double> memory(64 * 3 * 4);
    WaveGrid u({7, 3, 4}), c({7, 3, 4});
    auto u_prev = WaveGrid::wrap(memory.data(), {7, 3, 4}, 64);
    expect_wave(u, u_prev, c, steps);
    EXPECT_EQ(u_prev.data(), memory.data());
  }
}

TEST(RuntimeCall, ThreeLevelsWithOneSpareComeHome) {
  for (int turns = 0; turns <= 6; ++turns)
    for (const bool wrapped : {false, true}) {
      std::vector<int32_t> a(64, 1), b(64, 2);
      using Line = stencil::Grid<int32_t, 1>;
      Line u = wrapped ? Line::wrap(a.data(), {64}, 64) : Line({64});
      Line u_prev = wrapped ? Line::wrap(b.data(), {64}, 64) : Line({64});
      stencil::Call<1> call("three", {});
      auto levels = call.levels<3>("u", u, u_prev);
      ASSERT_TRUE(call.ok());
      levels.at[0][0] = 10;
      levels.at[1][0] = 11;
      levels.at[2][0] = 12;
      for (int t = 0; t < turns; ++t) stencil::rotate(levels.at);
      ASSERT_TRUE(call.finish(0, levels).ok());
      EXPECT_EQ(u.data()[0], 10 + (3 - turns % 3) % 3) << turns;
      EXPECT_EQ(u_prev.data()[0], 10 + (4 - turns % 3) % 3) << turns;
    }
}

TEST(RuntimeCall, FiltersAnImage) {
  for (const int nx : {1, 2, 3, 4, 200}) {
    const int ny = 3;
    const auto start = noise<uint8_t>(static_cast<size_t>(nx * ny), 6);
    stencil::Grid<uint8_t, 2> img({nx, ny}), dst({nx, ny});
    ASSERT_TRUE(img.copy_from(start.data()).ok());
    ASSERT_TRUE(blur::run({img, dst}).ok());
    std::vector<uint8_t> result(start.size()), want(start.size());
    ASSERT_TRUE(dst.copy_to(result.data()).ok());
    for (int i = 0; i < nx * ny; ++i) {
      const auto folded = [&](int x) {  // c b | a b c d | c b by walking
        int at = i % nx, step = x < 0 ? -1 : 1;
        for (int k = 0; k != x && nx > 1; k += x < 0 ? -1 : 1) {
          if (at + step < 0 || at + step >= nx) step = -step;
          at += step;
        }
        return start[static_cast<size_t>(i / nx * nx + at)];
      };
      want[static_cast<size_t>(i)] =
          static_cast<uint8_t>(std::lrint(0.5 * (folded(-2) + folded(2))));
    }
    EXPECT_EQ(result, want) << nx;
  }
}

TEST(RuntimeGrid, MovesAndKeepsItsSpares) {
  stencil::Grid<float, 2> u({5, 2});
  float* spare = nullptr;
  float* again = nullptr;
  ASSERT_TRUE(u.spare(0, &spare).ok());
  ASSERT_TRUE(u.spare(0, &again).ok());
  EXPECT_EQ(spare, again);
  float* const data = u.data();
  stencil::Grid<float, 2> v(std::move(u));
  EXPECT_EQ(v.data(), data);
  EXPECT_EQ(u.data(), nullptr);  // NOLINT: the state after a move is part of the contract
  ASSERT_TRUE(v.spare(0, &again).ok());
  EXPECT_EQ(spare, again);
  u = std::move(v);
  EXPECT_EQ(u.data(), data);
  ASSERT_TRUE(u.spare(0, &again).ok());
  EXPECT_EQ(spare, again);
}

TEST(RuntimeGrid, IndicesOf32BitsReachTwiceItsElements) {
  EXPECT_TRUE(stencil::fits_32_bits(INT32_MAX / 2));
  EXPECT_FALSE(stencil::fits_32_bits(INT32_MAX / 2 + 1));
}

TEST(RuntimeGrid, GivesEveryElementTypeTheSamePitch) {
  for (const int64_t nx : {1, 63, 64, 65, 1000}) {
    const int64_t pitch = stencil::Grid<uint8_t, 3>({nx, 2, 2}).pitch();
    EXPECT_EQ(pitch, (stencil::Grid<double, 3>({nx, 2, 2}).pitch()));
    EXPECT_EQ(pitch, (stencil::Grid<int16_t, 1>({nx}).pitch()));
    EXPECT_EQ(pitch % 64, 0);
    EXPECT_GE(pitch, nx);
    EXPECT_LT(pitch, nx + 64);
    EXPECT_EQ((stencil::Grid<float, 3>({nx, 2, 2}).plane()), 2 * pitch);
  }
}

}  // namespace
