// The language of later versions: each statement is refused once, as a whole, and reading goes on
// behind it.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::diagnostics;
using testing::parsed;

TEST(ParseLater, EachFormIsRefusedOnce) {
  for (std::string form : {
           "reduce res = max(abs(u[t+1] - u));",
           "iterate until res < tol, check every 50, limit 20000;",
           "iterate 10 times;",
           "color red, black by (x+y+z) % 2;",
           "schedule for sm_90 { tile x 128, y 4; stream z; stage u in smem; async tma; }",
           "schedule { tile x 128; { nested; } } ;",
           "inject source at (3, 4);",
           "sample u at (3, 4);",
           "use \"file; with } all.stn\";",
           "weights f32 w[-2..2, -2..2];",
           "boundary u { x: periodic; y.lo: constant 1; y.hi: clamp; }",
           "boundary u clamp;",
           "field f32 u boundary { x: periodic; y: clamp; };",
           "field f32 u boundary { x: periodic; y: clamp; }",
           "field f16 u compute f32 boundary clamp;",
           "u[t+1] = 2 on x >= 1, y < ny - 1;",
           "u[t+1] = 2 where mask > 0;",
           "u[t+1] += 2;",
           "u -= 2;",
       }) {
    auto result = parsed("stencil s { let a = 1; " + form + " let b = 2; }");
    ASSERT_EQ(result.engine.all().size(), 1u) << form << "\n" << testing::rendered(result);
    const diag::Diagnostic& diagnostic = result.engine.all()[0];
    EXPECT_EQ(diagnostic.code, diag::not_in_this_version) << form;
    EXPECT_FALSE(diagnostic.helps.empty()) << form;
    EXPECT_EQ(ast::print(result.program), "stencil s {\n  let a = 1;\n  let b = 2;\n}\n") << form;
  }
}

TEST(ParseLater, TheWholeStatementIsMarked) {
  EXPECT_EQ(diagnostics("stencil s {\n  reduce r = max(u) ;\n}\n"),
            R"(in.stn:2:3: error: `reduce` is not in this version of the language [STN0501]
   2 |   reduce r = max(u) ;
     |   ^~~~~~~~~~~~~~~~~
  help: leave it out and reduce the result of the run
)");
  EXPECT_EQ(diagnostics("stencil s {\n  schedule for sm_90 {\n    tile x 128;\n  }\n}\n"),
            R"(in.stn:2:3: error: `schedule` is not in this version of the language [STN0501]
   2 |   schedule for sm_90 {
     |   ^~~~~~~~~~~~~~~~~~~~
  help: leave it out and choose a schedule on the command line: `--schedule=NAME`
)");
}

TEST(ParseLater, TheClauseOfAnUpdateIsMarked) {
  EXPECT_EQ(diagnostics("stencil s {\n  u[t+1] = 2  on x >= 1, y < 3;\n  u += 1;\n}\n"),
            R"(in.stn:2:15: error: `on` is not in this version of the language [STN0501]
   2 |   u[t+1] = 2  on x >= 1, y < 3;
     |               ^~~~~~~~~~~~~~~~
  help: choose the value by a condition: `u[t+1] = x >= 1 ? ... : u;`
in.stn:3:5: error: `+=` is not in this version of the language [STN0501]
   3 |   u += 1;
     |     ^~
  help: write the operation out: `u[t+1] = u + ...;`
)");
}

TEST(ParseLater, AtFileScope) {
  auto result =
      parsed("use \"more.stn\";\nstencil s { }\nschedule for cpu { tile x 2; }\nfn f(a) = a;\n");
  EXPECT_EQ(result.engine.errors(), 2) << testing::rendered(result);
  EXPECT_EQ(ast::print(result.program), "fn f(a) = a;\nstencil s {\n}\n");
}

}  // namespace
}  // namespace stencilc
