// Schemes whose limits are in every textbook, from both sides; and what is not to be judged.
#include <gtest/gtest.h>

#include "support/linted.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::expect_rows;

std::string unstable(const std::string& text) { return testing::warnings(text, diag::unstable); }

// A scheme in one field of a type on axes; `values` declares its params.
std::string judged(const std::string& where, const std::string& values, const std::string& update) {
  const std::string type = where.substr(0, 3), axes = where.substr(4);
  return unstable("stencil s {\n  axes " + axes + ";\n  param " + type + " " + values +
                  ";\n  field " + type + " u boundary periodic;\n  u[t+1] = " + update + ";\n}\n");
}

TEST(LintUnstable, FindsTheLimits) {
  expect_rows(judged, R"(
--- diffusion
f32 x | dt = 0.6 | u + dt*laplacian(u)
=> unstable for `dt` > 0.5: each step multiplies the wave number pi of `u` by 1.4
f32 x, y | dt = 0.3 | u + dt*laplacian(u)
=> unstable for `dt` > 0.25: each step multiplies the wave number (pi, pi) of `u` by 1.4
f32 x, y, z | dt = 0.2 | u + dt*laplacian(u)
=> unstable for `dt` > 0.1667: each step multiplies the wave number (pi, pi, pi) of `u` by 1.4
f32 x | dt = 0.5 | u + dt*laplacian(u) =>
f64 x | dt = 0.5 | u + dt*laplacian(u) =>
f32 x, y | dt = 0.25 | u + dt*laplacian(u) =>
f64 x, y | dt = 0.25 | u + dt*laplacian(u) =>
f32 x | dt = 0.501 | u + dt*laplacian(u)
=> unstable for `dt` > 0.5: each step multiplies the wave number pi of `u` by 1.004
f64 x | dt = 0.501 | u + dt*laplacian(u)
=> unstable for `dt` > 0.5: each step multiplies the wave number pi of `u` by 1.004
--- the wave equation
f32 x | c = 1, dt = 1 | 2*u - u[t-1] + (c*dt)^2*laplacian(u) =>
f64 x | c = 1, dt = 1 | 2*u - u[t-1] + (c*dt)^2*laplacian(u) =>
f32 x, y | c = 1, dt = 0.70710678 | 2*u - u[t-1] + (c*dt)^2*laplacian(u) =>
f64 x, y | c = 1, dt = 0.70710678 | 2*u - u[t-1] + (c*dt)^2*laplacian(u) =>
f32 x, y | c = 2, dt = 0.4 | 2*u - u[t-1] + (c*dt)^2*laplacian(u)
=> unstable for `dt` > 0.3536: each step multiplies the wave number (pi, pi) of `u` by 2.757
f64 x, y | c = 2, dt = 0.4 | 2*u - u[t-1] + (c*dt)^2*laplacian(u)
=> unstable for `dt` > 0.3536: each step multiplies the wave number (pi, pi) of `u` by 2.757
f32 x | dt = 2 | 2*u - u[t-1] + dt^2*laplacian(u, order = 8)
=> unstable for `dt` > 0.7844: each step multiplies the wave number pi of `u` by 23.96
--- pure advection passes
f32 x | c = 1 | u - c*(u - u[x-1]) =>
f32 x | c = 0.3 | u - c*(u - u[x-1]) =>
f32 x | c = 1.2 | u - c*(u - u[x-1])
=> unstable for `c` > 1: each step multiplies the wave number pi of `u` by 1.4
f32 x | c = -0.2 | u - c*(u - u[x-1]) => unstable: each step multiplies the wave number pi of `u` by 1.4
f32 x | c = -1 | u - c*dx(u) + 0.5*c^2*dxx(u) =>
f32 x | c = -1.1 | u - c*dx(u) + 0.5*c^2*dxx(u)
=> unstable for `c` < -1: each step multiplies the wave number pi of `u` by 1.42
--- no bound is named where there is none
f32 x | c = 0.5 | u - c*dx(u) => unstable: each step multiplies the wave number pi/2 of `u` by 1.118
--- leapfrog
f32 x | c = 0.5 | u[t-1] - 2*c*dx(u) =>
--- wide stencils
f32 x, y, z | dt = 0.01 | u + dt*sum(i in -2..2, j in -2..2, k in -2..2 : u[x+i, y+j, z+k] - u) =>
f32 x, y, z | dt = 0.9 | u + dt*sum(i in -2..2, j in -2..2, k in -2..2 : u[x+i, y+j, z+k] - u)
~> unstable for `dt` > 0.01333: each step
--- growth passes that the process has
f32 x | dt = 0.1 | u + dt*(laplacian(u) + 2*u) =>
f32 x | dt = 0.1 | u + dt*(-laplacian(u) - laplacian(laplacian(u))) =>
--- a wrong sign
f32 x | dt = 0.1 | u - dt*laplacian(u) => unstable: each step multiplies the wave number pi of `u` by 1.4
)");
}

TEST(LintUnstable, NamesEachParamThatIsTooLarge) {
  const testing::Parsed result = testing::linted(R"(stencil s {
  axes x;
  param f64 a = 0.5, b = 2;
  field f64 u boundary clamp;
  u[t+1] = u + a*b*dxx(u);
}
)");
  ASSERT_EQ(result.engine.all().size(), 1u);
  const diag::Diagnostic& d = result.engine.all()[0];
  EXPECT_EQ(d.text, "unstable: each step multiplies the wave number pi of `u` by 3");
  ASSERT_EQ(d.notes.size(), 3u);
  EXPECT_EQ(d.notes[0].text, "unstable for `a` > 0.25, if the other params stay as they are");
  EXPECT_EQ(d.notes[1].text, "unstable for `b` > 1, if the other params stay as they are");
}

// Yee's scheme in one dimension and the plane, with statements for the boundary.
TEST(LintUnstable, JudgesStaggeredSystems) {
  const auto yee = [](const std::string& c) {
    return unstable("stencil yee {\n  axes x, y;\n  param f32 c = " + c + R"(;
  field f32 ex, ey, hz boundary none;
  ey[t+1] = ey - c*(hz - hz[x-1]) on x >= 1;
  ey[t+1] = 1 on x == 0;
  ex[t+1] = ex + c*(hz - hz[y-1]) on y >= 1;
  hz[t+1] = hz + c*(ex[t+1, y+1] - ex[t+1] - ey[t+1, x+1] + ey[t+1]) on x < nx-1, y < ny-1;
}
)");
  };
  expect_rows(yee, R"(
0.7 =>
0.8
=> unstable for `c` > 0.7071: each step multiplies the wave number (pi, pi) of `ey`, `ex`, `hz` by 2.757
)");
}

TEST(LintUnstable, FollowsStagesThroughOutputs) {
  const auto staged = [](const std::string& dt) {
    return unstable("stencil s {\n  axes x;\n  param f64 dt = " + dt + R"(;
  field f64 u boundary periodic;
  field f64 mu out boundary periodic;
  mu = -laplacian(u);
  u[t+1] = u + dt*laplacian(mu);
}
)");
  };
  expect_rows(staged, R"(
0.125 =>
0.2 => unstable for `dt` > 0.125: each step multiplies the wave number pi of `u` by 2.2
)");
}

TEST(LintUnstable, KnowsParamsByTheirDefaultsOrDefines) {
  const auto defined = [](const sema::Defines& defines) {
    return testing::warnings(R"(stencil s {
  axes x;
  param f32 dt;
  field f32 u boundary clamp;
  u[t+1] = u + dt*laplacian(u);
}
)",
                             diag::unstable, defines);
  };
  EXPECT_EQ(defined({}), "");
  EXPECT_EQ(defined({{"dt", "0.4"}}), "");
  EXPECT_EQ(defined({{"dt", "0.6"}}),
            "unstable: each step multiplies the wave number pi of `u` by 1.4\n");
}

TEST(LintUnstable, DoesNotJudgeWhatIsNotLinearWithConstantCoefficients) {
  const auto with = [](const std::string& update) {
    return unstable("stencil s { axes x; field f32 u boundary periodic; field f32 c in; " + update +
                    " }");
  };
  expect_rows(with, R"(
u[t+1] = u + c*laplacian(u); =>
u[t+1] = c + u + u*laplacian(u); =>
u[t+1] = c + max(u, 3*laplacian(u)); =>
u[t+1] = c + f32(t)*laplacian(u); =>
u[t+1] = u + laplacian(u) where c > 0; =>
u[t+1] = c > 0 ? u + laplacian(u) : u; =>
--- a source alone changes nothing
u[t+1] = c + u + laplacian(u); => unstable: each step multiplies the wave number pi of `u` by 3
u[t+1] = u; u[t+1] += c + laplacian(u); => unstable: each step multiplies the wave number pi of `u` by 3
)");
}

}  // namespace
}  // namespace stencilc
