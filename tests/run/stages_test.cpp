// Fields that one launch computes again for the cells beside.
#include <gtest/gtest.h>

#include "run/agreement.h"

namespace stencilc::run_test {
namespace {

// Of the cell beside, other statements apply than of the cell itself: also where what is computed
// again reads no field, so that nothing but the offset tells how far it is from the boundary.
TEST(Stages, ACellThatIsComputedAgainKeepsToItsOwnDomain) {
  for (const std::string schedule : {"naive", "coarsened,threads=32,vector=2"})
    for (const std::string value : {"f32(x) + 0.3", "f32(x)*w + 0.3", "w[x+1] + 0.3"})
      expect_agreement(
          "stencil s { axes x; field f32 w in boundary clamp; field f32 e out boundary clamp; "
          "field f32 s out; e = " +
              value + "; e *= 2 on x > 1; e += 1 on x < nx - 3; s = e[x-1] + 0.5*e[x+2]; }",
          schedule);
}

// Two chains that follow each other in the program run side by side; what the first one reads of
// level t is still there.
TEST(Stages, ChainsOfLaunchesRunSideBySide) {
  const std::string program =
      "stencil s { axes x, y; field f32 u, v boundary clamp; field f32 p out, q out boundary "
      "mirror; "
      "let f = u[y+1]*v; let g = v[x+1]*u; p = (f - f[x-1]) / (2 + v); u[t+1] = p[x+1] + 0.5*u; "
      "q = (g - g[y-1]) / (2 + u); v[t+1] = q[y+1] + 0.25*v[y-2] + 0.1*u[x+1]; }";
  for (const std::string schedule :
       {"naive,stages=split", "coarsened,threads=32x4,vector=1,coarsen=y2,stages=split,global=all"})
    expect_agreement(program, schedule);
}

// What the first launch stores of `g` is that value in every cell, also near the boundary, and
// `u` and `v` of level t are still there for the launches that follow.
TEST(Stages, LaunchesThatAreSplitReadWhatWasStored) {
  for_each_pair(
      {"clamp", "periodic", "mirror", "fixed", "constant 2"},
      std::vector<std::string>{"naive,threads=32x2,fission=all",
                               "coarsened,threads=32x4,vector=2,coarsen=y3,fission=w,launch=u("
                               "naive,threads=8x4)",
                               "naive,threads=32x4,edges=cells,global=k,fission=u+w",
                               "naive,threads=32x4,tile=g,fission=w"},
      [](const std::string& boundary, const std::string& schedule) {
        expect_agreement(
            "stencil s { axes x, y; field f64 u, v, w boundary " + boundary +
                "; field f64 p out; let g = 1 / (2 + u[x-1]*v[y+1]); let k = g*v; let h = g + k*u; "
                "u[t+1] = 0.5*u + 0.1*k[x+1]; v[t+1] = g; w[t+1] = 0.5*w + g*h[y-1] + 0.1*h; p = "
                "g*g - u[t+1]; reduce top = max(p); }",
            schedule);
      });
}

}  // namespace
}  // namespace stencilc::run_test
