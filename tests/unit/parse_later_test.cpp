// The block of later versions, `schedule`: refused once, as a whole, and reading goes on behind it.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::diagnostics;
using testing::parsed;

TEST(ParseLater, EachFormIsRefusedOnce) {
  for (std::string form : {
           "schedule for sm_90 { tile x 128, y 4; stream z; stage u in smem; async tma; }",
           "schedule { tile x 128; { nested; } } ;",
           "schedule { }",
           "schedule tiled;",
       }) {
    auto result = parsed("stencil s { let a = 1; " + form + " let b = 2; }");
    ASSERT_EQ(result.engine.all().size(), 1u) << form << "\n" << testing::rendered(result);
    const diag::Diagnostic& diagnostic = result.engine.all()[0];
    EXPECT_EQ(diagnostic.code, diag::not_in_this_version) << form;
    EXPECT_EQ(ast::print(result.program), "stencil s {\n  let a = 1;\n  let b = 2;\n}\n") << form;
  }
}

TEST(ParseLater, TheWholeBlockIsMarked) {
  EXPECT_EQ(diagnostics("stencil s {\n  schedule for sm_90 { tile x 128; } ;\n}\n"),
            R"(in.stn:2:3: error: `schedule` is not in this version of the language [STN0501]
   2 |   schedule for sm_90 { tile x 128; } ;
     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: leave it out and choose a schedule on the command line: `--schedule=NAME`
)");
  EXPECT_EQ(diagnostics("stencil s {\n  schedule for sm_90 {\n    tile x 128;\n  }\n}\n"),
            R"(in.stn:2:3: error: `schedule` is not in this version of the language [STN0501]
   2 |   schedule for sm_90 {
     |   ^~~~~~~~~~~~~~~~~~~~
  help: leave it out and choose a schedule on the command line: `--schedule=NAME`
)");
}

TEST(ParseLater, AtFileScope) {
  auto result = parsed("stencil s { }\nschedule for cpu { tile x 2; }\nfn f(a) = a;\n");
  EXPECT_EQ(result.engine.errors(), 1) << testing::rendered(result);
  EXPECT_EQ(ast::print(result.program), "fn f(a) = a;\nstencil s {\n}\n");
}

}  // namespace
}  // namespace stencilc
