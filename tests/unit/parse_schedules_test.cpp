// The block of a schedule: any words, in the order written; what is said where it is written
// otherwise.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::diagnostics;
using testing::parsed;
using testing::Parsed;
using testing::rendered;

// The tree of a stencil with the item between two lets.
std::string tree(const std::string& item) {
  const Parsed result = parsed("stencil s { let a = 1; " + item + " let b = 2; }");
  return result.engine.all().empty() ? ast::print(result.program) : rendered(result);
}

std::string around(const std::string& item) {
  return "stencil s {\n  let a = 1;\n" + item + "  let b = 2;\n}\n";
}

TEST(ParseSchedules, TheFormsAreKept) {
  EXPECT_EQ(tree("schedule { coarsened }"), around("  schedule { coarsened };\n"));
  EXPECT_EQ(tree("schedule{coarsened,threads=32x8,};"),
            around("  schedule { coarsened, threads = 32x8 };\n"));
  EXPECT_EQ(tree("schedule for sm_90 , cpu { loops /* c */ , a=z48 , b = 4 } ;"),
            around("  schedule for sm_90, cpu { loops, a = z48, b = 4 };\n"));
}

TEST(ParseSchedules, WordsOfTheLanguageAreWordsLikeOthers) {
  EXPECT_EQ(tree("schedule { field, weights = const, for = 1 }"),
            around("  schedule { field, weights = const, for = 1 };\n"));
  EXPECT_EQ(diagnostics("stencil s { let for = 1; }"), "");
}

TEST(ParseSchedules, EveryWordHasItsPlace) {
  const Parsed result = parsed("stencil s { schedule for sm_90 { coarsened, threads = 32x8 } ; }");
  const ast::Item& item = result.program.stencils.at(0).items.at(0);
  const auto& schedule = std::get<ast::Schedule>(item.node);
  const auto text = [&](diag::Range at) {
    return result.sources[0].text.substr(at.begin, at.end - at.begin);
  };
  EXPECT_EQ(text(item.at), "schedule for sm_90 { coarsened, threads = 32x8 } ;");
  EXPECT_EQ(text(schedule.targets.at(0).at), "sm_90");
  EXPECT_EQ(text(schedule.parts.at(0).name.at), "coarsened");
  EXPECT_FALSE(schedule.parts.at(0).has_value);
  EXPECT_EQ(text(schedule.parts.at(1).name.at), "threads");
  EXPECT_EQ(text(schedule.parts.at(1).value.at), "32x8");
}

// What is reported for a schedule on a line of its own; the lines around it are read.
std::string refusal(const std::string& item) {
  const Parsed result = parsed("stencil s {\n  let a = 1;\n  " + item + "\n  let b = 2;\n}\n");
  EXPECT_EQ(ast::print(result.program), around("")) << item;
  EXPECT_EQ(result.engine.all().size(), 1u) << rendered(result);
  return rendered(result);
}

void expect_refusal(const std::string& item, const std::string& text, const std::string& help) {
  const std::string found = refusal(item);
  EXPECT_NE(found.find("error: " + text + " [STN0101]"), found.npos) << found;
  EXPECT_NE(found.find("help: " + help + "\n"), found.npos) << found;
}

TEST(ParseSchedules, WhatIsWrongIsSaidOnceAndReadingGoesOnBehindTheBlock) {
  const std::string form = "as in `schedule { coarsened, threads = 32x8 }`";
  expect_refusal("schedule tiled;", "expected `{`, found `tiled`",
                 form + " or `schedule for sm_90 { ... }`");
  expect_refusal("schedule { };", "expected a part of a schedule, found `}`", form);
  expect_refusal("schedule { coarsened, = 3 }", "expected a part of a schedule, found `=`", form);
  expect_refusal("schedule { coarsened; threads = 32x8; }", "expected `,` or `}`, found `;`",
                 "the parts of a schedule are separated by `,`");
  expect_refusal("schedule {\n    coarsened\n    threads = 32x8\n  }",
                 "expected `,` or `}`, found `threads`", "add `,`");
  expect_refusal("schedule { threads: 32x8, a = { b; } }", "expected `,` or `}`, found `:`",
                 "a value stands behind `=`, as in `threads = 32x8`");
  expect_refusal("schedule { threads 32x8 };", "expected `,` or `}`, found `32x8`",
                 "a value stands behind `=`, as in `threads = 32x8`");
  expect_refusal("schedule { threads = 32 x 8 }", "expected `,` or `}`, found `x`",
                 "a value is written without blanks, as in `threads = 32x8`");
  expect_refusal("schedule { threads = }", "expected a word or a number, found `}`",
                 "as in `threads = 32x8` or `coarsen = y4`");
  expect_refusal("schedul { coarsened }", "expected a statement, found `schedul`",
                 "did you mean `schedule`?");
}

TEST(ParseSchedules, AnArchitectureIsWanted) {
  EXPECT_NE(refusal("schedule for { coarsened }")
                .find("expected an architecture such as `sm_90`, or `cpu`, found `{`"),
            std::string::npos);
}

TEST(ParseSchedules, ABlockThatIsNotClosed) {
  for (const char* next : {"let b = 2; let c = 3;", "u[t+1] = 2; let c = 3;"}) {
    const Parsed result =
        parsed(std::string("stencil s {\n  schedule { coarsened\n  ") + next + "\n}\n");
    ASSERT_EQ(result.engine.all().size(), 1u) << rendered(result);
    EXPECT_EQ(result.engine.all()[0].code, diag::unbalanced);
    EXPECT_EQ(result.engine.all()[0].notes.at(0).text, "this `{` is not closed");
    EXPECT_EQ(ast::print(result.program), "stencil s {\n  let c = 3;\n}\n");
  }
}

TEST(ParseSchedules, NoneStandsBesideTheStencils) {
  const Parsed result = parsed("stencil s { }\nschedule for cpu { loops }\nfn f(a) = a;\n");
  EXPECT_EQ(result.engine.errors(), 1) << rendered(result);
  EXPECT_NE(rendered(result).find("statements stand inside the braces of a `stencil"),
            std::string::npos);
  EXPECT_EQ(ast::print(result.program), "fn f(a) = a;\nstencil s {\n}\n");
}

}  // namespace
}  // namespace stencilc
