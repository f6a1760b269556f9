// Schemes whose limits are in every textbook, from both sides; and what is not to be judged.
#include <gtest/gtest.h>

#include "support/linted.h"

namespace stencilc {
namespace {

std::string unstable(std::string_view text, const sema::Defines& defines = {}) {
  return testing::warnings(text, diag::unstable, defines);
}

// A scheme in one field; `values` declares its params.
std::string judged(const std::string& axes, const std::string& values, const std::string& update,
                   const std::string& type = "f32") {
  return unstable("stencil s {\n  axes " + axes + ";\n  param " + type + " " + values +
                  ";\n  field " + type + " u boundary periodic;\n  u[t+1] = " + update + ";\n}\n");
}

bool starts(const std::string& text, const std::string& with) { return text.starts_with(with); }

TEST(LintUnstable, FindsTheLimitOfDiffusion) {
  const std::string step = "u + dt*laplacian(u)";
  EXPECT_EQ(judged("x", "dt = 0.6", step),
            "unstable for `dt` > 0.5: each step multiplies the wave number pi of `u` by 1.4\n");
  EXPECT_EQ(judged("x, y", "dt = 0.3", step),
            "unstable for `dt` > 0.25: each step multiplies the wave number (pi, pi) of `u` by "
            "1.4\n");
  EXPECT_TRUE(starts(judged("x, y, z", "dt = 0.2", step), "unstable for `dt` > 0.1667:"));
  for (const std::string type : {"f32", "f64"}) {
    EXPECT_EQ(judged("x", "dt = 0.5", step, type), "");
    EXPECT_EQ(judged("x, y", "dt = 0.25", step, type), "");
    EXPECT_TRUE(starts(judged("x", "dt = 0.501", step, type), "unstable for `dt` > 0.5:"));
  }
}

TEST(LintUnstable, FindsTheLimitOfTheWaveEquation) {
  const std::string step = "2*u - u[t-1] + (c*dt)^2*laplacian(u)";
  for (const std::string type : {"f32", "f64"}) {
    EXPECT_EQ(judged("x", "c = 1, dt = 1", step, type), "");
    EXPECT_EQ(judged("x, y", "c = 1, dt = 0.70710678", step, type), "");
    EXPECT_TRUE(
        starts(judged("x, y", "c = 2, dt = 0.4", step, type), "unstable for `dt` > 0.3536:"));
  }
  EXPECT_TRUE(starts(judged("x", "dt = 2", "2*u - u[t-1] + dt^2*laplacian(u, order = 8)"),
                     "unstable for `dt` > 0.7844:"));
}

TEST(LintUnstable, LetsPureAdvectionPass) {
  const std::string upwind = "u - c*(u - u[x-1])";
  EXPECT_EQ(judged("x", "c = 1", upwind), "");
  EXPECT_EQ(judged("x", "c = 0.3", upwind), "");
  EXPECT_TRUE(starts(judged("x", "c = 1.2", upwind), "unstable for `c` > 1:"));
  EXPECT_TRUE(starts(judged("x", "c = -0.2", upwind), "unstable: each step"));
  const std::string lax_wendroff = "u - c*dx(u) + 0.5*c^2*dxx(u)";
  EXPECT_EQ(judged("x", "c = -1", lax_wendroff), "");
  EXPECT_TRUE(starts(judged("x", "c = -1.1", lax_wendroff), "unstable for `c` < -1:"));
}

TEST(LintUnstable, NamesNoBoundWhereThereIsNone) {
  EXPECT_EQ(judged("x", "c = 0.5", "u - c*dx(u)"),
            "unstable: each step multiplies the wave number pi/2 of `u` by 1.118\n");
  EXPECT_EQ(judged("x", "c = 0.5", "u[t-1] - 2*c*dx(u)"), "");  // leapfrog
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
  EXPECT_EQ(d.notes[0].text, "unstable for `a` > 0.25, the other params as they are");
  EXPECT_EQ(d.notes[1].text, "unstable for `b` > 1, the other params as they are");
}

TEST(LintUnstable, JudgesWideStencils) {
  const std::string box = "u + dt*sum(i in -2..2, j in -2..2, k in -2..2 : u[x+i, y+j, z+k] - u)";
  EXPECT_EQ(judged("x, y, z", "dt = 0.01", box), "");
  EXPECT_TRUE(starts(judged("x, y, z", "dt = 0.9", box), "unstable for `dt` > 0.01"));
}

// Yee's scheme in one dimension and the plane, with statements for the rim.
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
  EXPECT_EQ(yee("0.7"), "");
  EXPECT_TRUE(starts(yee("0.8"),
                     "unstable for `c` > 0.7071: each step multiplies the wave number "
                     "(pi, pi) of `ey`, `ex`, `hz` by "));
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
  EXPECT_EQ(staged("0.125"), "");
  EXPECT_TRUE(starts(staged("0.2"), "unstable for `dt` > 0.125:"));
}

TEST(LintUnstable, LetsGrowthPassThatTheProcessHas) {
  EXPECT_EQ(judged("x", "dt = 0.1", "u + dt*(laplacian(u) + 2*u)"), "");
  EXPECT_EQ(judged("x", "dt = 0.1", "u + dt*(-laplacian(u) - laplacian(laplacian(u)))"), "");
  EXPECT_TRUE(
      starts(judged("x", "dt = 0.1", "u - dt*laplacian(u)"), "unstable: "));  // a wrong sign
}

TEST(LintUnstable, KnowsParamsByTheirDefaultsOrDefines) {
  const std::string text = R"(stencil s {
  axes x;
  param f32 dt;
  field f32 u boundary clamp;
  u[t+1] = u + dt*laplacian(u);
}
)";
  EXPECT_EQ(unstable(text), "");
  EXPECT_EQ(unstable(text, {{"dt", "0.4"}}), "");
  EXPECT_EQ(unstable(text, {{"dt", "0.6"}}),
            "unstable: each step multiplies the wave number pi of `u` by 1.4\n");
}

TEST(LintUnstable, DoesNotJudgeWhatIsNotLinearWithConstantCoefficients) {
  const auto with = [](const std::string& update) {
    return unstable(R"(stencil s {
  axes x;
  field f32 u boundary periodic;
  field f32 c in;
  )" + update + "\n}\n");
  };
  EXPECT_EQ(with("u[t+1] = u + c*laplacian(u);"), "");
  EXPECT_EQ(with("u[t+1] = c + u + u*laplacian(u);"), "");
  EXPECT_EQ(with("u[t+1] = c + max(u, 3*laplacian(u));"), "");
  EXPECT_EQ(with("u[t+1] = c + f32(t)*laplacian(u);"), "");
  EXPECT_EQ(with("u[t+1] = u + laplacian(u) where c > 0;"), "");
  EXPECT_EQ(with("u[t+1] = c > 0 ? u + laplacian(u) : u;"), "");
  EXPECT_NE(with("u[t+1] = c + u + laplacian(u);"), "");  // a source alone changes nothing
  EXPECT_NE(with("u[t+1] = u; u[t+1] += c + laplacian(u);"), "");
}

}  // namespace
}  // namespace stencilc
