// The interpreter, which judges all emitted code, against loops written by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>

#include "interp/interpreter.h"
#include "support/interpreted.h"

namespace stencilc::interp {
namespace {

using testing::canonical;

ir::Stencil example(const std::string& name) {
  std::ifstream file(std::string(STENCILC_SOURCE_DIR) + "/examples/" + name + ".stn");
  return canonical({std::istreambuf_iterator<char>(file), {}});
}

// A field of floats between -1 and 1 and of its plain copy.
std::vector<float> randomise(Grid& grid, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<float> copy;
  for (ir::Scalar& cell : grid) {
    copy.push_back(value(random));
    cell = ir::make_real(ir::Type::f32, copy.back());
  }
  return copy;
}

void expect_same(const Grid& grid, const std::vector<float>& expected) {
  ASSERT_EQ(grid.size(), expected.size());
  for (size_t i = 0; i < grid.size(); ++i) {
    ASSERT_TRUE(ir::same_bits(grid[i], ir::make_real(ir::Type::f32, expected[i])))
        << "cell " << i << ": " << ir::print(grid[i]) << ", expected " << expected[i];
  }
}

TEST(Interpreter, LaplaceLeavesItsBoundaryUnchanged) {
  const ir::Stencil stencil = example("laplace");
  for (const auto& [nx, ny] : {std::pair{7, 5}, {2, 9}, {1, 1}, {3, 3}}) {
    State state = make_state(stencil, {nx, ny, 1});
    std::vector<float> u = randomise(state.fields[0][0], 7), next = u;
    run(stencil, state, 3);
    for (int step = 0; step < 3; ++step) {
      for (int y = 1; y < ny - 1; ++y) {
        for (int x = 1; x < nx - 1; ++x) {
          const float* c = &u[y * nx + x];
          const float south = 0.25f * c[-nx];
          next[y * nx + x] =
              std::fma(0.25f, c[nx], std::fma(0.25f, c[1], std::fma(0.25f, c[-1], south)));
        }
      }
      u.swap(next);
    }
    expect_same(state.fields[0][0], u);
  }
}

TEST(Interpreter, AWaveNeedsTwoLevels) {
  const ir::Stencil stencil = canonical(
      "stencil wave { axes x; param f32 c = 0.3; field f32 u boundary zero; u[t+1] = 2*u - u[t-1] "
      "+ c*laplacian(u); }");
  const int nx = 11;
  State state = make_state(stencil, {nx, 1, 1});
  std::vector<float> u = randomise(state.fields[0][0], 1), old = randomise(state.fields[0][1], 2),
                     next(nx);
  run(stencil, state, 4);
  const float c = 0.3f, centre = 2.0f + c * -2.0f;
  for (int step = 0; step < 4; ++step) {
    for (int x = 0; x < nx; ++x) {
      const float left = x > 0 ? u[x - 1] : 0.0f, right = x < nx - 1 ? u[x + 1] : 0.0f;
      next[x] = std::fma(c, right, std::fma(centre, u[x], std::fma(-1.0f, old[x], c * left)));
    }
    old.swap(u);
    u.swap(next);
  }
  expect_same(state.fields[0][0], u);
  expect_same(state.fields[0][1], old);
}

TEST(Interpreter, TwoFieldsMoveTogether) {
  const ir::Stencil stencil = example("gray_scott");
  const int nx = 5, ny = 4;
  State state = make_state(stencil, {nx, ny, 1});
  std::vector<float> u = randomise(state.fields[0][0], 5), v = randomise(state.fields[1][0], 6);
  run(stencil, state, 3);
  const float Du = 0.16f, Dv = 0.08f, F = 0.035f, k = 0.065f, dt = 1;
  for (int step = 0; step < 3; ++step) {
    std::vector<float> next_u(u.size()), next_v(v.size());
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const int west = y * nx + (x + nx - 1) % nx, east = y * nx + (x + 1) % nx, at = y * nx + x;
        const int south = (y + ny - 1) % ny * nx + x, north = (y + 1) % ny * nx + x;
        const float uvv = u[at] * v[at] * v[at];
        const auto diffused = [&](float D, const std::vector<float>& f) {
          const float row = std::fma(D * -4.0f, f[at], std::fma(D, f[west], D * f[south]));
          return std::fma(D, f[north], std::fma(D, f[east], row));
        };
        const float fed = (diffused(Du, u) - uvv) + std::fma(-F, u[at], F);
        const float killed = std::fma(-(F + k), v[at], diffused(Dv, v) + uvv);
        next_u[at] = std::fma(dt, fed, u[at]);
        next_v[at] = std::fma(dt, killed, v[at]);
      }
    }
    u = next_u;
    v = next_v;
  }
  expect_same(state.fields[0][0], u);
  expect_same(state.fields[1][0], v);
}

TEST(Interpreter, AStateStartsAtZeroWithTheDefaults) {
  const ir::Stencil stencil = canonical(
      "stencil s { axes x, y; param f32 a = 0.5; param i32 b; field f32 u boundary clamp; field u8 "
      "m in; "
      "u[t+1] = a*u[x+1, t-1] + u*m + b; }");
  const State state = make_state(stencil, {3, 2, 1});
  ASSERT_EQ(state.fields.size(), 2u);
  ASSERT_EQ(state.fields[0].size(), 2u);  // t and t-1; t+1 comes with the step
  ASSERT_EQ(state.fields[1].size(), 1u);
  EXPECT_EQ(state.fields[0][1].size(), 6u);
  EXPECT_TRUE(ir::same_bits(state.fields[0][1][5], ir::make_real(ir::Type::f32, 0)));
  EXPECT_TRUE(ir::same_bits(state.fields[1][0][5], ir::make_integer(ir::Type::u8, 0)));
  EXPECT_TRUE(ir::same_bits(state.params[0], ir::make_real(ir::Type::f32, 0.5)));
  EXPECT_TRUE(ir::same_bits(state.params[1], ir::make_integer(ir::Type::i32, 0)));
}

// Two passes with the factors of a table compute what one pass with the table does, to the
// boundary, beside the boundaries of which the advice says so. On whole numbers nothing is rounded.
using Numbers = testing::Interpreted::Numbers;

Numbers summed(const std::string& items, const std::string& boundary, int width, int height) {
  Numbers numbers;
  for (int i = 0; i < width * height; ++i) numbers.push_back((i * i * 7 + i * 13) % 101 - 40);
  return testing::Interpreted("stencil s { axes x, y; field f64 u in boundary " + boundary +
                                  "; field f64 d out; " + items + " }",
                              {width, height, 1})
      .field("u", numbers)
      .run(1)
      .field("d");
}

Numbers in_one_pass(const std::string& boundary, int width, int height) {
  return summed(
      "const f64 w[-2..2, -1..1] = { 3, 0, 6,  -1, 0, -2,  4, 0, 8,  1, 0, 2,  5, 0, 10 }; "
      "d = sum(i in -2..2, j in -1..1 : w[i,j] * u[x+i, y+j]);",
      boundary, width, height);
}
Numbers in_two(const std::string& boundary, int width, int height) {
  return summed("field f64 between out boundary " + boundary +
                    "; const f64 along_x[-2..2] = { 3, -1, 4, 1, 5 }; "
                    "const f64 along_y[-1..1] = { 1, 0, 2 }; "
                    "between = sum(i in -2..2 : along_x[i] * u[x+i]); "
                    "d = sum(j in -1..1 : along_y[j] * between[y+j]);",
                boundary, width, height);
}

TEST(InterpSeparable, PassesAgreeToTheBoundary) {
  for (const std::string boundary : {"clamp", "reflect", "mirror", "antireflect", "periodic",
                                     "zero", "{ x: periodic; y.lo: antireflect; y.hi: zero; }",
                                     "{ x.lo: zero; x.hi: mirror; y: clamp; }"})
    for (const auto& [width, height] : {std::pair(9, 7), {4, 3}, {1, 5}, {2, 1}, {1, 1}})
      EXPECT_EQ(in_one_pass(boundary, width, height), in_two(boundary, width, height))
          << boundary << " " << width << " " << height;
}

TEST(InterpSeparable, PassesDifferBesideConstants) {
  for (const std::string boundary : {"constant 1", "neumann 1"}) {
    const Numbers one = in_one_pass(boundary, 9, 7), two = in_two(boundary, 9, 7);
    EXPECT_NE(one, two) << boundary;
    for (int y = 1; y < 6; ++y)
      for (int x = 2; x < 7; ++x) EXPECT_EQ(one[9 * y + x], two[9 * y + x]) << boundary;
  }
}

}  // namespace
}  // namespace stencilc::interp
