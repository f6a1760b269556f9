// What is said about reductions, points and the like that do not match, word for word.
#include <gtest/gtest.h>

#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::diagnostics;

// The diagnostics of one statement, which stands on line 2 of a stencil; the next one is read.
std::string of_statement(const std::string& statement) {
  testing::Parsed result = testing::parsed("stencil s {\n" + statement + "\nlet k = 7;\n}\n");
  EXPECT_EQ(ast::print(result.program), "stencil s {\n  let k = 7;\n}\n");
  return testing::rendered(result);
}

TEST(ParseRuns, Reductions) {
  EXPECT_EQ(of_statement("reduce r = max(u) + 1;"),
            R"(in.stn:2:19: error: expected `;`, found `+` [STN0101]
   2 | reduce r = max(u) + 1;
     |                   ^
  help: a reduction is one call: compute with `r` where it is used
)");
  EXPECT_EQ(of_statement("reduce r = max(u, v);"),
            R"(in.stn:2:17: error: expected an operator or `)`, found `,` [STN0101]
   2 | reduce r = max(u, v);
     |                 ^
  help: a reduction is of one expression, as in `reduce r = max(max(u, v));`
)");
  EXPECT_EQ(
      of_statement("reduce r = max(i in 0..1 : u[x+i]);"),
      R"(in.stn:2:18: error: expected an operator or `)`, found the reserved word `in` [STN0101]
   2 | reduce r = max(i in 0..1 : u[x+i]);
     |                  ^~
  help: a window stands within, as in `reduce r = max(max(i in 0..1 : u[x+i]));`
)");
  EXPECT_EQ(of_statement("reduce max(u);"),
            R"(in.stn:2:11: error: expected `=`, found `(` [STN0101]
   2 | reduce max(u);
     |           ^
  help: the result has a name, as in `reduce r = sum(u);`
)");
  EXPECT_EQ(of_statement("reduce r = 3;"),
            R"(in.stn:2:12: error: expected the kind of reduction, found `3` [STN0101]
   2 | reduce r = 3;
     |            ^
  help: the kinds are sum, prod, min, max and norm2, as in `reduce r = sum(u);`
)");
  EXPECT_EQ(of_statement("reduce r = u;"),
            R"(in.stn:2:13: error: expected `(`, found `;` [STN0101]
   2 | reduce r = u;
     |             ^
  help: a reduction is one call, as in `reduce r = sum(u);`
)");
}

TEST(ParseRuns, NumbersOfSteps) {
  EXPECT_EQ(of_statement("iterate 100;"),
            R"(in.stn:2:12: error: expected `times`, found `;` [STN0101]
   2 | iterate 100;
     |            ^
  help: write `iterate 100 times;` or `iterate until r < tol, limit 1000;`
)");
  EXPECT_EQ(of_statement("iterate ;"),
            R"(in.stn:2:9: error: expected a number of steps or `until`, found `;` [STN0101]
   2 | iterate ;
     |         ^
)");
  EXPECT_EQ(of_statement("iterate until c check every 5, limit 10;"),
            R"(in.stn:2:17: error: expected `;`, found `check` [STN0101]
   2 | iterate until c check every 5, limit 10;
     |                 ^~~~~
  help: add `,` in front of `check`
)");
  EXPECT_EQ(of_statement("iterate until c\n  limit 10;"),
            R"(in.stn:3:3: error: expected `;`, found `limit` [STN0101]
   3 |   limit 10;
     |   ^~~~~
  help: add `,` in front of `limit`
)");
  EXPECT_EQ(of_statement("iterate until c, limit 5, check every 3;"),
            R"(in.stn:2:25: error: expected `;`, found `,` [STN0101]
   2 | iterate until c, limit 5, check every 3;
     |                         ^
  help: `check` stands before `limit`
)");
  EXPECT_EQ(of_statement("iterate until c, limit 5 check every 2;"),
            R"(in.stn:2:26: error: expected `;`, found `check` [STN0101]
   2 | iterate until c, limit 5 check every 2;
     |                          ^~~~~
  help: `check` stands before `limit`
)");
  EXPECT_EQ(of_statement("iterate until c, check 5, limit 10;"),
            R"(in.stn:2:24: error: expected `every`, found `5` [STN0101]
   2 | iterate until c, check 5, limit 10;
     |                        ^
  help: as in `check every 10`
)");
  EXPECT_EQ(of_statement("iterate until c, limt 10;"),
            R"(in.stn:2:18: error: expected `check every` or `limit`, found `limt` [STN0101]
   2 | iterate until c, limt 10;
     |                  ^~~~
  help: did you mean `limit`?
)");
  EXPECT_EQ(of_statement("itrate 10 times;"),
            R"(in.stn:2:1: error: expected a statement, found `itrate` [STN0101]
   2 | itrate 10 times;
     | ^~~~~~
  help: did you mean `iterate`?
)");
}

TEST(ParseRuns, Colours) {
  EXPECT_EQ(of_statement("color red, black (x+y) % 2;"),
            R"(in.stn:2:18: error: expected `by`, found `(` [STN0101]
   2 | color red, black (x+y) % 2;
     |                  ^
  help: as in `color red, black by (x+y) % 2;`
)");
}

TEST(ParseRuns, PointsAndSeries) {
  EXPECT_EQ(of_statement("points src linaer;"),
            R"(in.stn:2:12: error: expected `;`, found `linaer` [STN0101]
   2 | points src linaer;
     |            ^~~~~~
  help: did you mean `linear`?
)");
  EXPECT_EQ(of_statement("series amp(src);"),
            R"(in.stn:2:11: error: expected the name of the series, found `(` [STN0101]
   2 | series amp(src);
     |           ^
  help: the type comes first, as in `series f32 amp(src);`
)");
  EXPECT_EQ(of_statement("series f32 amp;"),
            R"(in.stn:2:15: error: expected `(`, found `;` [STN0101]
   2 | series f32 amp;
     |               ^
  help: a series belongs to a list of points, as in `series f32 amp(src);`
)");
  EXPECT_EQ(of_statement("weights f32 w;"),
            R"(in.stn:2:14: error: expected `[`, found `;` [STN0101]
   2 | weights f32 w;
     |              ^
  help: weights have a range for each index, as in `weights w[-1..1];`
)");
  EXPECT_EQ(of_statement("inject u[t+1] = 2 at src;"),
            R"(in.stn:2:15: error: expected `+=`, found `=` [STN0101]
   2 | inject u[t+1] = 2 at src;
     |               ^
  help: a source is added to a field, as in `inject u[t+1] += amp[t] at src;`
)");
  EXPECT_EQ(of_statement("inject u[t+1] += 2;"),
            R"(in.stn:2:19: error: expected `at`, found `;` [STN0101]
   2 | inject u[t+1] += 2;
     |                   ^
  help: say where, as in `inject u[t+1] += amp[t] at src;`
)");
  EXPECT_EQ(of_statement("inject u[t+1] += 2 at (3, 4);"),
            R"(in.stn:2:23: error: expected the name of a list of points, found `(` [STN0101]
   2 | inject u[t+1] += 2 at (3, 4);
     |                       ^
  help: the places are given at run time, to a list such as `points src;`
)");
  EXPECT_EQ(of_statement("sample u at rec;"),
            R"(in.stn:2:10: error: expected `=`, found `at` [STN0101]
   2 | sample u at rec;
     |          ^~
  help: a series takes the values, as in `sample trace[t] = u at rec;`
)");
  EXPECT_EQ(of_statement("sample trace[t] = u;"),
            R"(in.stn:2:20: error: expected `at`, found `;` [STN0101]
   2 | sample trace[t] = u;
     |                    ^
  help: say where, as in `sample trace[t] = u at rec;`
)");
}

TEST(ParseRuns, Use) {
  EXPECT_EQ(diagnostics("use file.stn;\nstencil s { }"),
            R"(in.stn:1:5: error: expected the name of a file in quotes, found `file` [STN0101]
   1 | use file.stn;
     |     ^~~~
  help: as in `use "file.stn";`
)");
  EXPECT_EQ(diagnostics("use \"file.stn;\nstencil s { }"),
            R"(in.stn:1:5: error: this string has no end on its line [STN0101]
   1 | use "file.stn;
     |     ^~~~~~~~~~
  help: as in `use "file.stn";`
)");
  EXPECT_EQ(diagnostics("use \"\";\nstencil s { }"),
            R"(in.stn:1:5: error: this string is empty [STN0101]
   1 | use "";
     |     ^~
  help: as in `use "file.stn";`
)");
  EXPECT_EQ(diagnostics("use \"file.stn\"\nstencil s { }"),
            R"(in.stn:1:15: error: expected `;` at the end of the statement [STN0101]
   1 | use "file.stn"
     |               ^
  help: add `;`
)");
  EXPECT_EQ(of_statement("use \"a.stn\";"),
            R"(in.stn:2:1: error: expected a statement, found the reserved word `use` [STN0101]
   2 | use "a.stn";
     | ^~~
  help: `use` stands at the top of the file, outside of stencils
)");
}

}  // namespace
}  // namespace stencilc
