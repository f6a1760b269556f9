// What is said about clauses and boundaries that do not match, word for word.
#include <gtest/gtest.h>

#include "support/parsed.h"

namespace stencilc {
namespace {

// The diagnostics of one statement, which stands on line 2 of a stencil; the next one is read.
std::string of_statement(const std::string& statement) {
  testing::Parsed result = testing::parsed("stencil s {\n" + statement + "\nlet k = 7;\n}\n");
  EXPECT_EQ(ast::print(result.program), "stencil s {\n  let k = 7;\n}\n");
  return testing::rendered(result);
}

TEST(ParseClauses, ClausesOfUpdates) {
  EXPECT_EQ(of_statement("u[t+1] = 2 where m on x >= 1;"),
            R"(in.stn:2:20: error: expected `;`, found the reserved word `on` [STN0101]
   2 | u[t+1] = 2 where m on x >= 1;
     |                    ^~
  help: `on` stands before `where`
)");
  EXPECT_EQ(of_statement("u[t+1] = 2 where m\n   on x >= 1;"),
            R"(in.stn:3:4: error: expected `;`, found the reserved word `on` [STN0101]
   3 |    on x >= 1;
     |    ^~
  help: `on` stands before `where`
)");
  EXPECT_EQ(of_statement("u[t+1] = 2 on x >= 1 on y >= 1;"),
            R"(in.stn:2:22: error: expected `;`, found the reserved word `on` [STN0101]
   2 | u[t+1] = 2 on x >= 1 on y >= 1;
     |                      ^~
  help: the conditions of one `on` are separated by commas: `on x >= 1, y < 3`
)");
  EXPECT_EQ(of_statement("u[t+1] = 2 where a, b;"),
            R"(in.stn:2:19: error: expected `;`, found `,` [STN0101]
   2 | u[t+1] = 2 where a, b;
     |                   ^
  help: one `where` holds all conditions, joined by `&&`
)");
  EXPECT_EQ(of_statement("u[t+1] = 2 on ;"),
            R"(in.stn:2:15: error: expected a condition such as `x >= 1`, found `;` [STN0101]
   2 | u[t+1] = 2 on ;
     |               ^
)");
  EXPECT_EQ(of_statement("let a = 2 on x > 1;"),
            R"(in.stn:2:11: error: expected `;`, found the reserved word `on` [STN0101]
   2 | let a = 2 on x > 1;
     |           ^~
  help: only an update or a reduction has `on`
)");
  EXPECT_EQ(of_statement("on x > 1;"),
            R"(in.stn:2:1: error: expected a statement, found the reserved word `on` [STN0101]
   2 | on x > 1;
     | ^~
  help: `on` ends an update or a reduction, before its `;`
)");
  EXPECT_EQ(of_statement("u[t+1] = 2 were m;"),
            R"(in.stn:2:12: error: expected `;`, found `were` [STN0101]
   2 | u[t+1] = 2 were m;
     |            ^~~~
  help: did you mean `where`?
)");
  EXPECT_EQ(of_statement("u[t+1] += amp[t] at src;"),
            R"(in.stn:2:18: error: expected `;`, found `at` [STN0101]
   2 | u[t+1] += amp[t] at src;
     |                  ^~
  help: values at points are added by `inject`, as in `inject u[t+1] += amp[t] at src;`
)");
}

TEST(ParseClauses, ClausesOfFields) {
  EXPECT_EQ(of_statement("field f32 u boundary clamp compute f64;"),
            R"(in.stn:2:28: error: expected `;`, found the reserved word `compute` [STN0101]
   2 | field f32 u boundary clamp compute f64;
     |                            ^~~~~~~
  help: `compute` stands before `boundary`
)");
  EXPECT_EQ(of_statement("let a = 1 compute f32;"),
            R"(in.stn:2:11: error: expected `;`, found the reserved word `compute` [STN0101]
   2 | let a = 1 compute f32;
     |           ^~~~~~~
  help: only a field has `compute`
)");
  EXPECT_EQ(of_statement("field f16 u in compte f32;"),
            R"(in.stn:2:16: error: expected `;`, found `compte` [STN0101]
   2 | field f16 u in compte f32;
     |                ^~~~~~
  help: did you mean `compute`?
)");
  EXPECT_EQ(of_statement("field f16 u compute boundary clamp;"),
            R"(in.stn:2:21: error: expected a type, found the reserved word `boundary` [STN0101]
   2 | field f16 u compute boundary clamp;
     |                     ^~~~~~~~
)");
  EXPECT_EQ(of_statement("field f32 u\nboundary u clamp;"),
            R"(in.stn:3:12: error: expected `;`, found `clamp` [STN0101]
   3 | boundary u clamp;
     |            ^~~~~
  help: `;` is missing in front of `boundary`
)");
}

TEST(ParseClauses, Boundaries) {
  EXPECT_EQ(of_statement("boundary u { x periodic }"),
            R"(in.stn:2:16: error: expected `:`, found `periodic` [STN0101]
   2 | boundary u { x periodic }
     |                ^~~~~~~~
  help: a side is written `x: periodic;` or `x.lo: clamp;`
)");
  EXPECT_EQ(of_statement("field f32 u boundary { x: periodic, y: clamp };"),
            R"(in.stn:2:35: error: expected `;` or `}`, found `,` [STN0101]
   2 | field f32 u boundary { x: periodic, y: clamp };
     |                                   ^
  help: sides are separated by `;`
)");
  EXPECT_EQ(of_statement("boundary u { x.: periodic }"),
            R"(in.stn:2:16: error: expected `lo` or `hi`, found `:` [STN0101]
   2 | boundary u { x.: periodic }
     |                ^
)");
  EXPECT_EQ(of_statement("boundary u { }"),
            R"(in.stn:2:14: error: expected the name of an axis, found `}` [STN0101]
   2 | boundary u { }
     |              ^
  help: a side is written `x: periodic;` or `x.lo: clamp;`
)");
  EXPECT_EQ(of_statement("boundary clamp;"),
            R"(in.stn:2:15: error: expected the kind of boundary, found `;` [STN0101]
   2 | boundary clamp;
     |               ^
  help: the field comes first, as in `boundary u clamp;`
)");
  EXPECT_EQ(of_statement("boundary { x: clamp; }"),
            R"(in.stn:2:10: error: expected the name of a field, found `{` [STN0101]
   2 | boundary { x: clamp; }
     |          ^
  help: the field comes first, as in `boundary u clamp;`
)");
  EXPECT_EQ(of_statement("boundary u {\n  x: periodic\n  y: clamp\n}"),
            R"(in.stn:4:3: error: expected `;` or `}`, found `y` [STN0101]
   4 |   y: clamp
     |   ^
  help: sides are separated by `;`
)");
  EXPECT_EQ(of_statement("boundary u { x: periodic\nu[t+1] = 2;"),
            R"(in.stn:3:1: error: expected `;` or `}`, found `u` [STN0106]
   3 | u[t+1] = 2;
     | ^
in.stn:2:12: note: this `{` is not closed
   2 | boundary u { x: periodic
     |            ^
)");
  EXPECT_EQ(of_statement("boundary u { x: periodic;\nu[t+1] = 2;"),
            R"(in.stn:3:2: error: expected `:`, found `[` [STN0106]
   3 | u[t+1] = 2;
     |  ^
in.stn:2:12: note: this `{` is not closed
   2 | boundary u { x: periodic;
     |            ^
)");
}

}  // namespace
}  // namespace stencilc
