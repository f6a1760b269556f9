// How many planes launches on a window of the grid compute and read beside it.
#include <gtest/gtest.h>

#include "plan/analysis/window_reach.h"
#include "plan/schedule/fusion.h"
#include "support/planned.h"

namespace stencilc::plan {
namespace {

using testing::on;

std::string text(const Planes& planes) {
  return std::to_string(planes.low) + "|" + std::to_string(planes.high);
}

// "step 1|2; u 1|2, c 0|0; launches 0|0 1|1": low|high of a step, of fields and of launches.
std::string reach_text(const std::string& items, Fusion fusion = Fusion::split) {
  const ir::Stencil stencil = on("x, y", items);
  const Stages all = stages(stencil, fusion, true);
  EXPECT_EQ(all.problem, "");
  const WindowReach reach = window_reach(stencil, all.launches);
  std::string result = "step " + text(reach.step) + ";";
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    result += (f == 0 ? " " : ", ") + stencil.fields[f].name + " " + text(reach.fields[f]);
  result += "; launches";
  for (const WindowReach::Launch& one : reach.launches) result += " " + text(one.beside);
  return result;
}

TEST(WindowReach, IsThatOfTheReadsOnEitherSide) {
  EXPECT_EQ(reach_text("field f32 u boundary clamp; field f32 c in boundary clamp; "
                       "u[t+1] = u[y-1] + c[x+3, y+2] + u[x-5];"),
            "step 1|0; u 1|0, c 0|2; launches 0|0");
  EXPECT_EQ(reach_text("field f32 u boundary periodic; u[t+1] = u[x-1] + u[x+1];"),
            "step 0|0; u 0|0; launches 0|0");
}

TEST(WindowReach, OfOlderLevelsIsThatOfTheField) {
  EXPECT_EQ(reach_text("field f32 u boundary periodic; u[t+1] = u[y+1] - u[t-1, y-3];"),
            "step 3|1; u 3|1; launches 0|0");
}

// Those of t-1 by themselves: often a step reads only the cell itself there.
TEST(WindowReach, OfOlderLevelsByThemselvesIsKnown) {
  const auto before = [](const std::string& update) {
    const ir::Stencil stencil = on("x, y", "field f32 u boundary periodic; u[t+1] = " + update);
    return text(window_reach(stencil, stages(stencil, Fusion::split, true).launches).before[0]);
  };
  EXPECT_EQ(before("u[y+1] - u[t-1, y-3];"), "3|0");
  EXPECT_EQ(before("u[y+1] + u[y-1] - u[t-1];"), "0|0");
  EXPECT_EQ(before("u[y+1] - u[t-1, x-2] + u[t-2, y+4];"), "0|4");
}

// From the cell beside a mirror a read in one direction finds a cell in the other.
TEST(WindowReach, GoesInBothDirectionsWhereSidesMirror) {
  for (const char* const side : {"reflect", "mirror", "antireflect"})
    EXPECT_EQ(reach_text(std::string("field f32 u boundary { x: clamp; y: ") + side +
                         "; } u[t+1] = u[y-2];"),
              "step 2|2; u 2|2; launches 0|0")
        << side;
}

// The first launch computes what the second reads, and reads more for it.
TEST(WindowReach, OfLaunchesAddsUp) {
  const std::string two =
      "field f32 u, v boundary clamp; u[t+1] = u + v[y-1]; v[t+1] = v + u[t+1, y+2] - u[y+1];";
  EXPECT_EQ(reach_text(two), "step 1|2; u 0|2, v 1|1; launches 0|2 0|0");
  EXPECT_EQ(reach_text(two, Fusion::recompute), "step 1|2; u 0|2, v 1|1; launches 0|0");
}

TEST(WindowReach, OfReductionsIsThatOfTheWindow) {
  EXPECT_EQ(reach_text("field f32 u boundary clamp; reduce most = max(abs(u[y+1, t+1] - u[t+1])); "
                       "u[t+1] = 0.5*(u[y-1] + u);"),
            "step 1|1; u 1|1; launches 0|1 0|0");
}

// A colour reads what those before it have made.
TEST(WindowReach, OfColoursAddsUp) {
  const ir::Stencil stencil =
      on("x, y",
         "color red, black by (x + y) % 2; field f32 p boundary clamp; field f32 f in; "
         "p = 0.25*(p[x-1] + p[x+1] + p[y-1] + p[y+1]) - f;");
  const WindowReach reach = window_reach(stencil, stages(stencil, Fusion::split, true).launches);
  EXPECT_EQ(text(reach.launches[0].color), "1|1");
  EXPECT_EQ(text(reach.step), "2|2");
  EXPECT_EQ(text(reach.fields[1]), "1|1");
}

// A sample belongs to the window that has its first cell; the others lie one further.
TEST(WindowReach, OfSamplesBetweenCellsIsOneFurther) {
  const std::string items =
      "field f32 u boundary clamp; series f32 amp(p), out(p); "
      "inject u[t+1] += amp[t] at p; sample out[t] = u[t+1] at p; "
      "u[t+1] = 2*u;";
  EXPECT_EQ(reach_text("points p; " + items), "step 0|0; u 0|0; launches 0|0");
  EXPECT_EQ(reach_text("points p linear; " + items), "step 0|1; u 0|1; launches 0|1");
  const ir::Stencil stencil = on("x, y", "points p linear; " + items);
  EXPECT_EQ(text(window_reach(stencil, stages(stencil, Fusion::split, true).launches).injections),
            "0|1");
}

}  // namespace
}  // namespace stencilc::plan
