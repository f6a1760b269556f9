// Waves on staggered grids, in loops over the cells: light in a box, sound, and a solid that
// shakes.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

// Fields by name, filled with numbers of their own and given to the example.
struct Fields {
  std::map<std::string, Array> all;
  uint64_t seed = 1;

  void add(Example& run, const Extents& extents, const std::vector<std::string>& names, double low,
           double high) {
    for (const std::string& name : names) {
      all[name] = random(extents, seed++, low, high);
      run.set(name, all[name]);
    }
  }
  Array& operator[](const std::string& name) { return all.at(name); }
  std::string differences(const Example& run, double tolerance) const {
    std::string found;
    for (const auto& [name, wanted] : all)
      found += difference(name, run.get(name), wanted, tolerance);
    return found;
  }
};

// Yee's scheme: E on the edges of the cells, H on their faces, conductors on all six walls.
void yee(Fields& f, double cx, double cy, double cz) {
  Array &ex = f["ex"], &ey = f["ey"], &ez = f["ez"], &hx = f["hx"], &hy = f["hy"], &hz = f["hz"];
  const Array &eps = f["eps"], &mu = f["mu"];
  const auto [nx, ny, nz] = ex.extents;
  each({0, 1, 1}, {nx, ny - 1, nz - 1}, [&](int64_t i, int64_t j, int64_t k) {
    ex(i, j, k) += (cy * (hz(i, j, k) - hz(i, j - 1, k)) - cz * (hy(i, j, k) - hy(i, j, k - 1))) /
                   eps(i, j, k);
  });
  each({1, 0, 1}, {nx - 1, ny, nz - 1}, [&](int64_t i, int64_t j, int64_t k) {
    ey(i, j, k) += (cz * (hx(i, j, k) - hx(i, j, k - 1)) - cx * (hz(i, j, k) - hz(i - 1, j, k))) /
                   eps(i, j, k);
  });
  each({1, 1, 0}, {nx - 1, ny - 1, nz}, [&](int64_t i, int64_t j, int64_t k) {
    ez(i, j, k) += (cx * (hy(i, j, k) - hy(i - 1, j, k)) - cy * (hx(i, j, k) - hx(i, j - 1, k))) /
                   eps(i, j, k);
  });
  each({0, 0, 0}, {nx, ny - 1, nz - 1}, [&](int64_t i, int64_t j, int64_t k) {
    hx(i, j, k) +=
        (cz * (ey(i, j, k + 1) - ey(i, j, k)) - cy * (ez(i, j + 1, k) - ez(i, j, k))) / mu(i, j, k);
  });
  each({0, 0, 0}, {nx - 1, ny, nz - 1}, [&](int64_t i, int64_t j, int64_t k) {
    hy(i, j, k) +=
        (cx * (ez(i + 1, j, k) - ez(i, j, k)) - cz * (ex(i, j, k + 1) - ex(i, j, k))) / mu(i, j, k);
  });
  each({0, 0, 0}, {nx - 1, ny - 1, nz}, [&](int64_t i, int64_t j, int64_t k) {
    hz(i, j, k) +=
        (cy * (ex(i, j + 1, k) - ex(i, j, k)) - cx * (ey(i + 1, j, k) - ey(i, j, k))) / mu(i, j, k);
  });
}

std::string fdtd3d(const std::string& text, const Extents& extents, int steps) {
  Example run(text, extents);
  Fields f;
  f.add(run, extents, {"ex", "ey", "ez", "hx", "hy", "hz"}, -1, 1);
  f.add(run, extents, {"eps", "mu"}, 1, 3);
  run.param("cx", 0.5);
  run.param("cy", 0.25);
  run.param("cz", 0.375);
  run.run(steps);
  for (int n = 0; n < steps; ++n) yee(f, 0.5, 0.25, 0.375);
  return f.differences(run, 1e-5);
}

TEST(StaggeredWaves, LightInABox) {
  const std::string text = example_text("fdtd3d");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 2}, {5, 4, 7}, {33, 5, 3}, {9, 11, 6}})
    for (int steps : {1, 2, 7}) EXPECT_EQ(fdtd3d(text, extents, steps), "");
  EXPECT_NE(fdtd3d(edited(text, "on x < nx-1, z < nz-1", "on x < nx-1"), {5, 4, 7}, 1), "");
}

// The difference of order 8 or 4 half a cell ahead (or behind) of index i on a line.
template <class At>
double half_step(const std::vector<double>& weights, At at, int64_t i, bool ahead) {
  double sum = 0;
  for (int64_t m = 0; m < static_cast<int64_t>(weights.size()); ++m)
    sum += weights[m] * (ahead ? at(i + m + 1) - at(i - m) : at(i + m) - at(i - m - 1));
  return sum;
}

void sound(Fields& f, double cx, double cz) {
  const std::vector<double> weights = {1225.0 / 1024, -245.0 / 3072, 49.0 / 5120, -5.0 / 7168};
  Array &p = f["p"], &vx = f["vx"], &vz = f["vz"];
  const Array &buoyancy = f["buoyancy"], &kappa = f["kappa"];
  const auto [nx, nz, one] = p.extents;
  const auto along_x = [&](const Array& a, int64_t z) {
    return [&a, z, n = nx](int64_t i) { return a((i % n + n) % n, z); };
  };
  const auto along_z = [&](const Array& a, int64_t x) {
    return [&a, x, n = nz](int64_t k) { return k < 0 || k >= n ? 0.0 : a(x, k); };
  };
  each(p.extents, [&](int64_t x, int64_t z, int64_t) {
    vx(x, z) -= cx * buoyancy(x, z) * half_step(weights, along_x(p, z), x, true);
    vz(x, z) -= cz * buoyancy(x, z) * half_step(weights, along_z(p, x), z, true);
  });
  each(p.extents, [&](int64_t x, int64_t z, int64_t) {
    p(x, z) -= kappa(x, z) * (cx * half_step(weights, along_x(vx, z), x, false) +
                              cz * half_step(weights, along_z(vz, x), z, false));
  });
}

std::string acoustic(const std::string& text, const Extents& extents, int steps) {
  Example run(text, extents);
  Fields f;
  f.add(run, extents, {"p", "vx", "vz"}, -1, 1);
  f.add(run, extents, {"buoyancy", "kappa"}, 0.5, 1);
  run.param("cx", 0.5);
  run.param("cz", 0.3125);
  run.run(steps);
  for (int n = 0; n < steps; ++n) sound(f, 0.5, 0.3125);
  return f.differences(run, 1e-5);
}

TEST(StaggeredWaves, Sound) {
  const std::string text = example_text("acoustic");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 5, 1}, {11, 9, 1}, {33, 20, 1}})
    for (int steps : {1, 2, 7}) EXPECT_EQ(acoustic(text, extents, steps), "");
  EXPECT_NE(acoustic(edited(text, "x: periodic", "x: zero"), {11, 9, 1}, 1), "");
}

// Graves's scheme: stresses of the new velocities, everything 0 outside the grid.
void shake(Fields& f, double dt) {
  const std::vector<double> weights = {9.0 / 8, -1.0 / 24};
  const auto d = [&](const char* name, char axis, bool ahead) {
    return [&weights, &a = f[name], axis, ahead](int64_t x, int64_t y, int64_t z) {
      const auto line = [&](int64_t i) {
        const int64_t at[] = {axis == 'x' ? i : x, axis == 'y' ? i : y, axis == 'z' ? i : z};
        for (int n = 0; n < 3; ++n)
          if (at[n] < 0 || at[n] >= a.extents[n]) return 0.0;
        return a(at[0], at[1], at[2]);
      };
      return half_step(weights, line, axis == 'x' ? x : axis == 'y' ? y : z, ahead);
    };
  };
  const Array &buoyancy = f["buoyancy"], &lambda = f["lambda"], &mu = f["mu"];
  const auto move = [&](const char* name, auto a, auto b, auto c) {
    each(f[name].extents, [&](int64_t x, int64_t y, int64_t z) {
      f[name](x, y, z) += dt * buoyancy(x, y, z) * (a(x, y, z) + b(x, y, z) + c(x, y, z));
    });
  };
  const auto shear = [&](const char* name, auto a, auto b) {
    each(f[name].extents, [&](int64_t x, int64_t y, int64_t z) {
      f[name](x, y, z) += dt * mu(x, y, z) * (a(x, y, z) + b(x, y, z));
    });
  };
  move("vx", d("txx", 'x', true), d("txy", 'y', false), d("txz", 'z', false));
  move("vy", d("txy", 'x', false), d("tyy", 'y', true), d("tyz", 'z', false));
  move("vz", d("txz", 'x', false), d("tyz", 'y', false), d("tzz", 'z', true));
  each(f["vx"].extents, [&](int64_t x, int64_t y, int64_t z) {
    const double exx = d("vx", 'x', false)(x, y, z), eyy = d("vy", 'y', false)(x, y, z),
                 ezz = d("vz", 'z', false)(x, y, z);
    const double l = lambda(x, y, z), both = l + 2 * mu(x, y, z);
    f["txx"](x, y, z) += dt * (both * exx + l * eyy + l * ezz);
    f["tyy"](x, y, z) += dt * (l * exx + both * eyy + l * ezz);
    f["tzz"](x, y, z) += dt * (l * exx + l * eyy + both * ezz);
  });
  shear("txy", d("vx", 'y', true), d("vy", 'x', true));
  shear("txz", d("vx", 'z', true), d("vz", 'x', true));
  shear("tyz", d("vy", 'z', true), d("vz", 'y', true));
}

std::string elastic3d(const std::string& text, const Extents& extents, int steps) {
  Example run(text, extents);
  Fields f;
  f.add(run, extents, {"vx", "vy", "vz", "txx", "tyy", "tzz", "txy", "txz", "tyz"}, -1, 1);
  f.add(run, extents, {"buoyancy", "lambda", "mu"}, 0.5, 1.5);
  run.param("dt", 0.1875);
  run.run(steps);
  for (int n = 0; n < steps; ++n) shake(f, 0.1875);
  return f.differences(run, 1e-5);
}

TEST(StaggeredWaves, ASolid) {
  const std::string text = example_text("elastic3d");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 5}, {7, 5, 6}, {33, 3, 4}})
    for (int steps : {1, 2, 4}) EXPECT_EQ(elastic3d(text, extents, steps), "");
  EXPECT_NE(elastic3d(edited(text, "ahead_z(vy[t+1])", "behind_z(vy[t+1])"), {7, 5, 6}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
