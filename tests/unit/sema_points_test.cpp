// Sources and receivers: points, series, inject, sample.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

const std::string kWave =
    "stencil s {\n"
    "  axes x; field f32 u boundary zero; field f32 c readonly; field i32 k readonly;\n"
    "  points src, rec linear; series f32 amp(src), trace(rec);\n"
    "  u[t+1] = 2*c*u*k;\n  ";

TEST(SemaPoints, InjectionsComeAfterTheUpdatesAndSamplesBeforeThem) {
  EXPECT_EQ(
      statements_of(kWave + "sample trace[t] = u at rec; inject u[t+1] += amp[t]*c at src; }"),
      "sample trace[t] = u at rec\n"
      "u[t+1] = mul(mul(mul(2, c), u), f32(k))\n"
      "inject u[t+1] += mul(amp[t], c) at src\n");
  EXPECT_EQ(statements_of(kWave + "inject u[t+1] += x at src; inject u[t+1] += amp[t] at src; "
                                  "sample trace[t] = u[t+1] - u at rec; }"),
            "u[t+1] = mul(mul(mul(2, c), u), f32(k))\n"
            "inject u[t+1] += f32(x) at src\n"
            "inject u[t+1] += amp[t] at src\n"
            "sample trace[t] = sub(u[t+1], u) at rec\n");
}

TEST(SemaPoints, Values) {
  Interpreted run(
      "stencil s { axes x, y; field f32 u; param f32 a; points src, rec; points between linear;\n"
      "series f32 amp(src), before(rec), after(between); u[t+1] = u + 1;\n"
      "let source = a*amp[t]; inject u[t+1] += source*u at src;\n"
      "sample before[t] = u at rec; sample after[t] = u[t+1] + t at between; }",
      {2, 2, 1});
  run.field("u", {1, 2, 3, 4}).param("a", 10);
  run.points("src", {{1, 0, 0}, {1, 0, 0}}).points("rec", {{0, 1, 0}, {9, 0, 0}});
  run.points("between", {{0.5, 0.25, 0}});
  run.series("amp", {1, 2, 0, 1}).series("before", {0, 0, 0, 0}).series("after", {0, 0}).run(2);
  // After the first step 2, 3 + 10*2 + 20*2, 4, 5; after the second 3, 64 + 10*63, 5, 6.
  EXPECT_EQ(run.field("u"), (Numbers{3, 694, 5, 6}));
  EXPECT_EQ(run.series("before"), (Numbers{3, 0, 4, 0}));  // outside of the grid there is nothing
  EXPECT_EQ(run.series("after"),
            (Numbers{0.75 * (2 + 63) / 2 + 0.25 * 4.5, 0.75 * (4 + 695) / 2 + 0.25 * 6.5}));
}

TEST(SemaPoints, AnOutputIsSampledAfterTheUpdates) {
  EXPECT_EQ(
      statements_of("stencil s { axes x; field f32 u boundary zero; field f32 d out; points p; "
                    "series f32 v(p); sample v[t] = d at p; d = laplacian(u); u[t+1] = u; }"),
      "d = add(add(mul(-2, u), u[x-1]), u[x+1])\n"
      "u[t+1] = u\n"
      "sample v[t] = d[t+1] at p\n");
}

TEST(SemaPoints, ValuesStandAtThePoint) {
  EXPECT_EQ(
      complaints(kWave + "inject u[t+1] += amp[t]*u[x-1] at src; sample trace[t] = "
                         "laplacian(u) at rec; }"),
      "in.stn:5:27: error: an injection reads `u[x-1]`, beside the cell of its point "
      "[STN0217]\n"
      "   5 |   inject u[t+1] += amp[t]*u[x-1] at src; sample trace[t] = laplacian(u) at rec; }\n"
      "     |                           ^~~~~~\n"
      "  help: compute the value in a field of its own, and name that\n"
      "in.stn:5:70: error: a sample reads `u[x-1]`, beside the cell of its point [STN0217]\n"
      "   5 |   inject u[t+1] += amp[t]*u[x-1] at src; sample trace[t] = laplacian(u) at rec; }\n"
      "     |                                                                      ^\n"
      "  help: compute the value in a field of its own, and name that\n");
}

TEST(SemaPoints, AnInjectionKnowsLevelT) {
  EXPECT_EQ(complaints(kWave + "inject u[t+1] += u[t+1] at src; }"),
            "in.stn:5:20: error: an injection reads `u[t+1]`, which this step makes [STN0217]\n"
            "   5 |   inject u[t+1] += u[t+1] at src; }\n"
            "     |                    ^~~~~~\n"
            "  help: read level t, or an input; the value is added to what the updates made\n");
}

TEST(SemaPoints, ItGoesIntoTheNewLevelOfASteppedField) {
  EXPECT_EQ(
      complaints(kWave + "inject c[t+1] += 1 at src; inject u += 1 at src; }"),
      "in.stn:5:10: error: `c` is not stepped: there is no `c[t+1]` to inject into "
      "[STN0217]\n"
      "   5 |   inject c[t+1] += 1 at src; inject u += 1 at src; }\n"
      "     |          ^~~~~~\n"
      "in.stn:2:48: note: it is declared here\n"
      "   2 |   axes x; field f32 u boundary zero; field f32 c readonly; field i32 k readonly;\n"
      "     |                                                ^\n"
      "  help: step it: `c[t+1] = c;`\n"
      "in.stn:5:37: error: an injection adds to t+1 at the point's cell [STN0217]\n"
      "   5 |   inject c[t+1] += 1 at src; inject u += 1 at src; }\n"
      "     |                                     ^\n"
      "  help: write `u[t+1] += ...`: `u[t+1]`\n");
}

TEST(SemaPoints, ASeriesBelongsToItsPoints) {
  EXPECT_EQ(
      complaints(kWave + "inject u[t+1] += amp[t] at rec; sample trace[t] = u at src; }"),
      "in.stn:5:20: error: `amp` holds a value for each of the points `src`, and an "
      "injection is at `rec` [STN0217]\n"
      "   5 |   inject u[t+1] += amp[t] at rec; sample trace[t] = u at src; }\n"
      "     |                    ^~~~~~\n"
      "  help: inject at `src`, or declare `amp(rec)`\n"
      "in.stn:5:58: error: `trace` holds a value for each of the points `rec`, and the sample "
      "is at `src` [STN0217]\n"
      "   5 |   inject u[t+1] += amp[t] at rec; sample trace[t] = u at src; }\n"
      "     |                                                          ^~~\n"
      "  help: write `at rec`: `rec`\n");
}

TEST(SemaPoints, ASeriesIsGivenOrFilled) {
  EXPECT_EQ(complaints(kWave + "inject u[t+1] += amp[t] at src; sample amp[t] = u at src; }"),
            "in.stn:5:20: error: `amp` is filled by a sample and injected from [STN0217]\n"
            "   5 |   inject u[t+1] += amp[t] at src; sample amp[t] = u at src; }\n"
            "     |                    ^~~~~~\n"
            "  help: declare a series for each: one is given to the run, the other comes out of "
            "it\n");
  EXPECT_EQ(complaints(kWave + "sample trace[t] = u at rec;\n  sample trace[t] = c at rec; }"),
            "in.stn:6:10: error: a second sample into `trace` [STN0208]\n"
            "   6 |   sample trace[t] = c at rec; }\n"
            "     |          ^~~~~~~~\n"
            "  help: declare a series for each sample\n");
}

TEST(SemaPoints, ASeriesIsReadInInjections) {
  EXPECT_EQ(complaints(kWave + "u[t+1] += amp[t]; }"),
            "in.stn:5:13: error: `amp[t]` has a value at each of its points, and this is no "
            "injection [STN0217]\n"
            "   5 |   u[t+1] += amp[t]; }\n"
            "     |             ^~~~~~\n"
            "  help: add it where the points are: `inject u[t+1] += ... at ...;`\n");
  EXPECT_EQ(complaints(kWave + "inject u[t+1] += amp[t-1] at src; inject u[t+1] += amp at src; }"),
            "in.stn:5:20: error: `amp` at another place than the step's own `t` [STN0217]\n"
            "   5 |   inject u[t+1] += amp[t-1] at src; inject u[t+1] += amp at src; }\n"
            "     |                    ^~~~~~~~\n"
            "  help: write `amp[t]`; a series given to the run may begin with another step\n"
            "in.stn:5:54: error: the series `amp` stands without its time [STN0217]\n"
            "   5 |   inject u[t+1] += amp[t-1] at src; inject u[t+1] += amp at src; }\n"
            "     |                                                      ^~~\n"
            "in.stn:3:38: note: it is declared here\n"
            "   3 |   points src, rec linear; series f32 amp(src), trace(rec);\n"
            "     |                                      ^~~\n"
            "  help: write `amp[t]`\n");
}

TEST(SemaPoints, InterpolationNeedsFloats) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field i32 u; points p linear;\n"
                       "  u[t+1] = u;\n"
                       "  inject u[t+1] += 1 at p;\n"
                       "}\n"),
            "in.stn:4:10: error: `i32` values at `p`, whose points lie between the cells "
            "[STN0217]\n"
            "   4 |   inject u[t+1] += 1 at p;\n"
            "     |          ^~~~~~\n"
            "  help: interpolation needs floats: use an `f32` field or series, or declare `points "
            "p;` without `linear`\n");
}

TEST(SemaPoints, NamesThatAreNotWhatTheyShouldBe) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u; points src; series f32 a(scr), b(u);\n"
                       "  u[t+1] = u;\n"
                       "  inject u[t+1] += 1 at u;\n"
                       "  sample u[t] = 1 at src;\n"
                       "}\n"),
            "in.stn:2:49: error: `scr` is not declared [STN0201]\n"
            "   2 |   axes x; field f32 u; points src; series f32 a(scr), b(u);\n"
            "     |                                                 ^~~\n"
            "  help: did you mean `src`?\n"
            "in.stn:2:57: error: `u` is not a list of points [STN0301]\n"
            "   2 |   axes x; field f32 u; points src; series f32 a(scr), b(u);\n"
            "     |                                                         ^\n"
            "in.stn:2:21: note: it is declared here\n"
            "   2 |   axes x; field f32 u; points src; series f32 a(scr), b(u);\n"
            "     |                     ^\n"
            "in.stn:4:25: error: `u` is not a list of points [STN0301]\n"
            "   4 |   inject u[t+1] += 1 at u;\n"
            "     |                         ^\n"
            "in.stn:2:21: note: it is declared here\n"
            "   2 |   axes x; field f32 u; points src; series f32 a(scr), b(u);\n"
            "     |                     ^\n"
            "in.stn:5:10: error: `u` is not a series [STN0301]\n"
            "   5 |   sample u[t] = 1 at src;\n"
            "     |          ^\n"
            "in.stn:2:21: note: it is declared here\n"
            "   2 |   axes x; field f32 u; points src; series f32 a(scr), b(u);\n"
            "     |                     ^\n");
}

}  // namespace
}  // namespace stencilc
