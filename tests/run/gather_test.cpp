// Sums gathered in space, whose blocks at the ends of rows have a text of their own: the bits of
// the interpreter, for every boundary by which rows stand for rows, on grids with such blocks.
#include <gtest/gtest.h>

#include <algorithm>

#include "driver/verify/compare.h"
#include "run/agreement.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

constexpr const char* kStar =
    "0.2*u + 0.1*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.05*u[y+1] + 0.07*u[z-1] + 0.11*u[z+1]";

// Is there a grid in which blocks of so many cells read outside the grid along x alone?
bool has_ends_of_rows(const std::vector<driver::Case>& tests, const data::Extents& block) {
  return std::any_of(tests.begin(), tests.end(), [&](const driver::Case& test) {
    return test.extents[0] >= block[0] && test.extents[1] > 2 * block[1] &&
           test.extents[2] > 2 * block[2];
  });
}

void expect_ends(const std::string& text, const std::string& schedule, const data::Extents& block) {
  std::string problem;
  const auto program = compile({"gather", "", text}, plan::Target::cuda, schedule, "", problem);
  ASSERT_TRUE(program) << problem;
  EXPECT_NE(kernel::print(program->module.launches[0].kernel).find("edge_x"), std::string::npos)
      << text << "\n"
      << schedule;
  const std::vector<driver::Case> tests = driver::awkward_cases(*program, 1);
  EXPECT_TRUE(has_ends_of_rows(tests, block)) << schedule;
  expect_agreement(*program, tests, text + "\n" + schedule);
}

void expect_ends(const std::string& text) {
  expect_ends(text, "coarsened,threads=4x2,vector=2,rows=1,coarsen=z3,sums=gather,shared=none",
              {8, 2, 3});
}

std::string in_space(const std::string& fields, const std::string& updates) {
  return "stencil s { axes x, y, z; field " + fields + "; " + updates + " }";
}

TEST(Gather, EveryBoundaryOfRowsAgreesAtTheirEnds) {
  for (const std::string& boundary :
       some({"clamp", "reflect", "mirror", "periodic", "zero", "constant 2", "fixed", "none",
             "{ x: periodic; y: clamp; z: reflect; }"}))
    for (const std::string type : {"f32", "f64"})
      expect_ends(
          in_space(type + " u boundary " + boundary, "u[t+1] = " + std::string(kStar) + ";"));
}

// Vectors beside the own one that lie partly beyond the ends of rows, of fields and of values in
// memory; and blocks that are filled in part, by whole vectors and not.
TEST(Gather, RowsOfSeveralVectorsAgreeAtTheirEnds) {
  const std::string schedule =
      "coarsened,threads=4x2,vector=2,rows=1,coarsen=z3,sums=gather,shared=none";
  const auto expect = [&](const std::string& text, const std::string& values) {
    std::string problem;
    const auto program =
        compile({"gather", "", text}, plan::Target::cuda, schedule + values, "", problem);
    ASSERT_TRUE(program) << problem;
    for (const kernel::Launch& launch : program->module.launches) {
      const bool has_ends = kernel::print(launch.kernel).find("edge_x") != std::string::npos;
      EXPECT_EQ(has_ends, launch.ghosts_of.empty()) << launch.kernel.name << " of " << text;
    }
    std::vector<driver::Case> tests;
    for (const data::Extents& extents :
         {data::Extents{20, 15, 16}, data::Extents{21, 15, 16}, data::Extents{12, 13, 17}})
      tests.push_back({extents, 2, "random", 1});
    expect_agreement(*program, tests, text + "\n" + schedule + values);
  };
  for (const std::string& boundary :
       some({"clamp", "mirror", "periodic", "zero", "{ x: periodic; y: zero; z: clamp; }"})) {
    expect(in_space("f32 u boundary " + boundary,
                    "u[t+1] = 0.2*u + 0.1*u[x-4] + 0.3*u[x-1] + 0.2*u[x+3] + 0.1*u[y-3] + "
                    "0.05*u[y+4] + 0.07*u[z-4] + 0.11*u[z+2];"),
           "");
    expect(in_space("f32 u boundary " + boundary,
                    "let g = 0.3*u[x+1]*u[y-1] + 0.1*u; u[t+1] = 0.2*g[x-3] + 0.1*g[x+2] + "
                    "0.3*g[y+1] + 0.1*g[z-2] + 0.2*u[x-4];"),
           ",global=g");
  }
}

// What does not read its own cell has no register with the old value, and chooses it from memory.
TEST(Gather, UnassignedCellsThatAreNotReadAgreeAtTheEndsOfRows) {
  for (const std::string& boundary : some({"fixed", "{ x: fixed; y: clamp; z: zero; }"}))
    expect_ends(in_space("f32 u boundary " + boundary, "u[t+1] = 0.3*u[x-2] + 0.2*u[y+1];"));
}

TEST(Gather, SystemsAndInputsAgreeAtTheEndsOfRows) {
  expect_ends(in_space("f32 u boundary periodic; field f32 k readonly boundary clamp",
                       "u[t+1] = k*u + k[x+1]*u[x-1] + k[z+1]*u[y+1] + 0.1*u[z+1];"));
  for (const std::string& boundary : some({"fixed", "zero"}))
    expect_ends(in_space("f32 u, v boundary " + boundary,
                         "u[t+1] = 0.1*v[x-1] + 0.3*v[z+1] + 0.2*v; "
                         "v[t+1] = 0.2*u[y+1] + 0.1*u[x+1] + 0.3*u[z+1] + 0.2*u;"));
}

TEST(Gather, WideVectorsAndRowsAgreeAtTheEndsOfRows) {
  const std::string text =
      in_space("f32 u boundary periodic", "u[t+1] = " + std::string(kStar) + ";");
  expect_ends(text, "coarsened,threads=2x2,vector=4,rows=2,coarsen=z2,sums=gather,shared=none",
              {8, 4, 2});
}

// Two of three rows of a plane pass to the plane behind it.
TEST(Gather, PlanesMayKeepFewerRowsThanAThreadComputes) {
  expect_agreement(
      "stencil s { axes x, y, z; field f32 u boundary clamp; "
      "u[t+1] = 0.1*u[y+2, z-4] + 0.1*laplacian(u); }",
      "coarsened,threads=32x4,vector=2,rows=3,coarsen=z8,shared=none,sums=gather");
}

}  // namespace
}  // namespace stencilc::run_test
