// Launches of several steps: what each step keeps.
#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "lower/lower.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

// The kernel of several steps, as text.
std::string leap_of(const std::string& statements) {
  const ir::Stencil stencil = testing::canonical("stencil s { axes x, y; " + statements + " }");
  const plan::Choice choice =
      plan::parse("coarsened,threads=32x1,vector=4,coarsen=y64,sums=scatter,steps=4", stencil,
                  plan::Target::cuda);
  EXPECT_EQ(choice.problem, "");
  const kernel::Module module = lower(stencil, choice.schedule, plan::Target::cuda);
  EXPECT_EQ(module.launches.at(0).kernel.most_steps, 4) << module.why_one;
  EXPECT_EQ(kernel::verify(module.launches.at(0).kernel), std::vector<std::string>{});
  return kernel::print(module.launches.at(0).kernel);
}

TEST(LowerLeap, RowsAreAddedToSumsOfWhatStepsMakeAlone) {
  const std::string own = "field f32 u boundary clamp; field f32 p readonly; ";
  EXPECT_NE(leap_of(own + "u[t+1] = max(0.2*u[y-1] + 0.3*u[y+1], p);").find("sum0"),
            std::string::npos)
      << "beside a sum";
  // A row of `p` does not arrive.
  EXPECT_EQ(leap_of(own + "u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.5*p;").find("sum0"),
            std::string::npos);
}

TEST(LowerLeap, TheRowOfTheStepBeforeIsAmongThoseThatAreKept) {
  const std::string wave = leap_of(
      "field f32 u boundary clamp; u[t+1] = 2*u - u[t-1] + 0.2*(u[y-2] + u[y+2] + u[x-1] - 3*u);");
  EXPECT_NE(wave.find("u_prev_ahead"), std::string::npos);
  EXPECT_NE(wave.find("u_new_prev"), std::string::npos);
  EXPECT_EQ(wave.find("u_prev_held"), std::string::npos) << "nothing beyond the rim is read of it";
  EXPECT_EQ(wave.find("u_ym3"), std::string::npos) << "those that the step reads are enough";
  // What a step reads before the cell's row reaches less far than what it reads behind it.
  const std::string behind =
      leap_of("field f32 u boundary clamp; u[t+1] = 0.5*u[t-1] + 0.2*(u[y+2] - u[x-1]);");
  EXPECT_NE(behind.find("u_ym2"), std::string::npos);
}

// Columns beyond the rim are selected, and what makes them stands beside what steps compute.
TEST(LowerLeap, WhatMakesColumnsBeyondTheRimHasNamesOfItsOwn) {
  const std::string two =
      "u[t+1] = u + 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) - u*v*v + 0.3*(1 - u); "
      "v[t+1] = v + 0.2*(v[x-1] + v[x+1] + v[y-1] + v[y+1] - 4*v) + u*v*v - 0.4*v;";
  for (const char* side : {"expr 0.5*x + y", "zero", "neumann 0.5", "antireflect", "fixed"})
    EXPECT_NE(leap_of("field f32 u, v boundary " + std::string(side) + "; " + two).find("leap"),
              std::string::npos);
}

// Where vectors do not fill rows, the last strip begins so that they end with one. No vector of it
// lies across the end: cells are copied one by one, and none is found by its place.
TEST(LowerLeap, TheLastStripEndsWithTheRow) {
  const std::string star = "u[t+1] = 0.2*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.2*u[y+1];";
  for (const char* side : {"clamp", "zero", "fixed", "periodic"}) {
    const std::string text = leap_of("field f32 u boundary " + std::string(side) + "; " + star);
    EXPECT_NE(text.find("set_back"), std::string::npos) << side;
    EXPECT_NE(text.find(", one by one where "), std::string::npos) << side;
  }
  // Those of bits lie in words.
  const ir::Stencil life = testing::canonical(
      "stencil s { axes x, y; field u8 u boundary zero; let n = sum(i in -1..1, j in -1..1 : "
      "u[x+i, y+j]) - u; u[t+1] = (n == 3 || (n == 2 && u == 1)) ? 1 : 0; }");
  const plan::Choice choice =
      plan::parse("coarsened,threads=32x1,vector=32,coarsen=y64,steps=4", life, plan::Target::cuda);
  ASSERT_EQ(choice.problem, "");
  const kernel::Module module = lower(life, choice.schedule, plan::Target::cuda);
  EXPECT_EQ(kernel::print(module.launches.at(0).kernel).find("set_back"), std::string::npos);
}

// Where steps keep sums alone, cells that `fixed` keeps pass through them, and none wait in shared
// memory for them; a sum of another type cannot carry them.
TEST(LowerLeap, CellsThatStayPassThroughTheSums) {
  const auto count = [](const std::string& text, const std::string& word) {
    int times = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
      ++times;
    return times;
  };
  const std::string own =
      leap_of("field f32 u boundary fixed; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1] + 0.4*u;");
  EXPECT_GE(count(own, "pass through the sums"), 1);
  EXPECT_EQ(count(own, "u_stays[0] <- "), 0);
  EXPECT_GE(count(own, "stays_y"), 4) << "rows near the ends of the march";
  const std::string half =
      leap_of("field f16 u boundary fixed; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1] + 0.4*u;");
  EXPECT_GE(count(half, "u_stays[0] <- "), 1);
  // Without sums there is nothing to pass through.
  EXPECT_EQ(leap_of("field f32 u boundary fixed; u[t+1] = 0.5*u[y-1]*u[y+1] + 0.1*u[x-1]*u[x+1];")
                .find("pass through the sums"),
            std::string::npos);
  EXPECT_EQ(leap_of("field f32 u boundary clamp; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1];")
                .find("stays"),
            std::string::npos);
}

// The same in space.
std::string climb_of(const std::string& sum, const std::string& boundary = "clamp",
                     const std::string& type = "f32") {
  const bool reads_c = sum.find("c*") != std::string::npos;
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y, z; field " + type + " u boundary " + boundary + "; " +
      (reads_c ? "field " + type + " c; " : "") + "u[t+1] = " + sum + "; }");
  const plan::Choice choice = plan::parse(
      "coarsened,threads=32x8,vector=4,rows=3,shared=none,coarsen=z64,sums=scatter,steps=3",
      stencil, plan::Target::cuda, *plan::find_device("sm_90"));
  EXPECT_EQ(choice.problem, "");
  const kernel::Module module = lower(stencil, choice.schedule, plan::Target::cuda);
  EXPECT_EQ(module.launches.at(0).kernel.most_steps, 3) << module.why_one;
  EXPECT_EQ(kernel::verify(module.launches.at(0).kernel), std::vector<std::string>{});
  return kernel::print(module.launches.at(0).kernel);
}

TEST(LowerLeap, InSpaceThePlaneOfTheStepBeforeWaitsInSharedMemory) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string wave = climb_of("2*u - u[t-1] + 0.2*laplacian(u)");
  EXPECT_TRUE(has(wave, "u_prev_ahead"));
  EXPECT_TRUE(has(wave, "u_past"));
  EXPECT_TRUE(has(wave, "u_new_prev"));
  EXPECT_TRUE(has(wave, "prior"));
  EXPECT_FALSE(has(wave, "past = ")) << "one place is enough";
  EXPECT_FALSE(has(wave, "u_held[")) << "what waits is what stands for planes beyond the rim";
  EXPECT_FALSE(has(wave, "u_0_far")) << "no plane is kept in registers";
  EXPECT_TRUE(has(climb_of("2*u - u[t-1] + c*laplacian(u)"), "past = "));
  EXPECT_FALSE(has(climb_of("2*u + 0.2*laplacian(u)"), "u_past"));
}

// Cells that `fixed` keeps are read again among those of t, or pass through sums, only where
// nothing else reads the cell itself.
TEST(LowerLeap, InSpaceCellsThatStayAreThoseThatValuesReadBesides) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string pass = "pass as they are", again = "are read again among those of t";
  const std::string singles = climb_of("0.2*laplacian(u)", "fixed");
  EXPECT_TRUE(has(singles, again));
  EXPECT_FALSE(has(singles, pass));
  // A step is a plane behind the one before, so that three of those that came are needed, and one
  // more that is in work; 2 are on their way.
  EXPECT_TRUE(has(singles, "in the last 3 that came: a ring of 6."));
  EXPECT_TRUE(has(singles, "let side")) << "one cell at either end";
  const std::string doubles = climb_of("0.2*laplacian(u)", "fixed", "f64");
  EXPECT_TRUE(has(doubles, pass));
  EXPECT_FALSE(has(doubles, again));
  EXPECT_TRUE(has(doubles, "a ring of 4."));
  const std::string wide = climb_of("0.1*(u[x-2] + u[x+2] + u[z-1] + u[z+1])", "fixed");
  EXPECT_TRUE(has(wide, again));
  EXPECT_FALSE(has(wide, "let side"));
  const std::string besides = climb_of("0.5*u + c*laplacian(u)", "fixed");
  EXPECT_FALSE(has(besides, pass));
  EXPECT_FALSE(has(besides, again));
}

// Tiles of blocks that march end with the grid, so that no vector lies across the end of a row:
// cells are copied as they follow each other, and none is found by its place. Where the grid goes
// round the last strip is set back instead.
TEST(LowerLeap, TilesOfColumnsEndWithTheGrid) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  for (const std::string boundary : {"clamp", "zero", "fixed", "reflect", "periodic"}) {
    const std::string text = climb_of("0.2*laplacian(u)", boundary);
    EXPECT_EQ(has(text, "let last_strip"), boundary != "periodic") << boundary;
    EXPECT_EQ(has(text, "let set_back"), boundary == "periodic") << boundary;
    EXPECT_TRUE(has(text, "as a vector where")) << boundary;
    EXPECT_FALSE(has(text, "_place(")) << boundary;
  }
  // A plane beyond the ends of the march may have to be made of others.
  EXPECT_TRUE(has(climb_of("0.2*laplacian(u)", "antireflect"), ", one by one where "));
}

// Rows beside a tile are copied by one text for the first warp and the last one, unless they read
// other numbers of them.
TEST(LowerLeap, RowsBesideATileAreCopiedByOneText) {
  EXPECT_NE(climb_of("0.2*laplacian(u)").find("let beside_row"), std::string::npos);
  EXPECT_EQ(climb_of("0.2*u[x-1] + 0.3*u[y-1] + 0.1*u[z-1] + 0.2*u[z+1]").find("let beside_row"),
            std::string::npos);
}

// Where all rows beyond the ends are a constant, those beside a tile that are not in the grid lie
// there from the start on: a plane asks for those in the grid, and no row stands for another one.
TEST(LowerLeap, RowsBeyondTheGridBesideATileAreLaidOnce) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string wide = "0.1*(u[y-2] + u[y-1] + u[y+1] + u[y+2] + u[z-1] + u[z+1])";
  const std::string note = "Rows beside a tile that lie beyond the grid are a constant.";
  for (const std::string& update : {std::string("0.2*laplacian(u)"), wide}) {
    for (const std::string boundary : {"zero", "constant 2"}) {
      const std::string text = climb_of(update, boundary);
      EXPECT_TRUE(has(text, note)) << boundary;
      EXPECT_FALSE(has(text, "clamp((tile + ")) << boundary << text;
    }
    for (const std::string boundary : {"clamp", "fixed", "reflect", "periodic"})
      EXPECT_FALSE(has(climb_of(update, boundary), note)) << boundary;
  }
  EXPECT_TRUE(has(climb_of("0.2*laplacian(u)", "clamp"), "clamp((tile + "));
}

// Where the grid goes round, the rows that a warp copies are found once: no plane asks where they
// lie.
TEST(LowerLeap, RowsThatWrapAroundAreFoundOnceForAllPlanes) {
  const std::string uneven = "0.2*u[x-1] + 0.3*u[y-1] + 0.1*u[z-1] + 0.2*u[z+1]";
  for (const std::string& update : {std::string("0.2*laplacian(u)"), uneven}) {
    const std::string text = climb_of(update, "periodic");
    const size_t asks = text.find("ask(");
    ASSERT_NE(asks, std::string::npos);
    const size_t begin = text.find("array starts:"), found = text.rfind("let at_y");
    EXPECT_LT(begin, found) << text;
    EXPECT_LT(found, asks) << text;
    EXPECT_NE(text.find("starts_beside[0]", asks), std::string::npos) << text;
    EXPECT_EQ(climb_of(update).find("starts"), std::string::npos);
  }
}

}  // namespace
}  // namespace stencilc::lower
