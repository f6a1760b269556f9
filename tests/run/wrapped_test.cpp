// Arrays of the caller, wherever their rows, planes and first cells lie: schedules that move
// vectors of cells make the same bits of them, in the executor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driver/verify/compare.h"
#include "emit/host_call.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// Where the cells of an array lie, in elements.
struct Layout {
  const char* what;
  int pitch = 0;     // so much more than a multiple of 32, from row to row
  int plane = 0;     // so much more than the rows of it, from plane to plane
  int first = 0;     // of the first cell, after a multiple of 256 bytes
  bool one = false;  // and that of the first array alone
};
constexpr Layout kLayouts[] = {{"rows, planes and arrays begin at multiples"},
                               {"rows do not", 1},
                               {"rows begin at multiples of two cells", 2},
                               {"planes do not", 0, 3},
                               {"arrays do not", 0, 0, 1},
                               {"arrays begin at multiples of two cells", 0, 0, 2},
                               {"one array does not", 0, 0, 3, true},
                               {"nothing does", 3, 1, 5}};

// A grid around memory that ends after its last cell.
std::string wrapped(const emit::Slot& slot, size_t rank, const Layout& layout, bool first_slot) {
  constexpr const char* kText = R"(
  const int64_t pitch_{name} = ({nx} + 31) / 32 * 32 + {more_pitch};
  const int64_t plane_{name} = pitch_{name} * {ny} + {more_plane};
  stencil::Array<{element}> memory_{name}(
      {first} + ({nz} - 1) * plane_{name} + ({ny} - 1) * pitch_{name} + {nx});
  stencil::Grid{type} grid_{name} = stencil::Grid{type}::wrap(
      memory_{name}.data() + {first}, {{{extents}}}, pitch_{name}{plane});
)";
  using fmt::arg;
  return fmt::format(kText, arg("name", slot.name), arg("type", slot.type),
                     arg("element", slot.element), arg("extents", slot.extents),
                     arg("nx", "call->extents[0]"), arg("ny", rank > 1 ? "call->extents[1]" : "1"),
                     arg("nz", rank > 2 ? "call->extents[2]" : "1"),
                     arg("more_pitch", layout.pitch), arg("more_plane", layout.plane),
                     arg("first", layout.one && !first_slot ? 0 : layout.first),
                     arg("plane", rank > 2 ? ", plane_" + slot.name : ""));
}

// The program, called on arrays of such a layout where the adapter makes grids of its own.
driver::Compiled on_arrays(driver::Compiled program, const Layout& layout) {
  const std::vector<emit::Slot> slots = emit::slots(program.module);
  for (size_t n = 0; n < slots.size(); ++n) {
    const emit::Slot& slot = slots[n];
    const std::string owned = "stencil::Grid" + slot.type + " grid_" + slot.name + "({" +
                              slot.extents + "}" + slot.halo + ");";
    const size_t at = program.host_call.find(owned);
    if (at == std::string::npos) throw std::runtime_error("no `" + owned + "` in the adapter");
    program.host_call.replace(at, owned.size(),
                              wrapped(slot, program.module.extents.size(), layout, n == 0));
  }
  return program;
}

driver::Compiled compiled(const std::string& text, const std::string& schedule) {
  std::string problem;
  auto result = compile({"wrapped", "", text}, plan::Target::cuda, schedule, "", problem);
  if (!result) throw std::runtime_error(problem);
  return std::move(*result);
}

void expect_agreement(const std::string& text, const std::string& schedule,
                      const std::vector<data::Extents>& sizes) {
  const driver::Compiled program = compiled(text, schedule);
  ASSERT_FALSE(program.module.aligned.empty()) << schedule << " moves no vectors";
  for (const Layout& layout : kLayouts) {
    std::vector<driver::Case> cases;
    for (const data::Extents& size : sizes)
      cases.push_back({size, program.module.steps ? 3 : 1, "random", 5});
    run_test::expect_agreement(on_arrays(program, layout), cases, schedule + ", " + layout.what);
  }
}

TEST(Wrapped, LinesAgree) {
  const std::string text =
      "stencil s { axes x; field f32 u boundary clamp; u[t+1] = 0.3*u[x-2] + 0.5*u + 0.1*u[x+3]; }";
  for (const char* schedule : {"coarsened", "coarsened,vector=2,coarsen=x3"})
    expect_agreement(text, schedule, {{1}, {7}, {256}, {3100}});
}

TEST(Wrapped, PlanesAgree) {
  const std::string text =
      "stencil s { axes x, y; field f32 u boundary clamp; field f32 c in boundary periodic; u[t+1] "
      "= 2*u - u[t-1] + c[x+1]*(0.1*u[x-1] + 0.2*u[x+1] + 0.3*u[y-1] + 0.4*u[y+2]); }";
  for (const char* schedule : {"coarsened", "coarsened,vector=2,threads=32x2,coarsen=y3"})
    expect_agreement(text, schedule, {{1, 1}, {5, 3}, {64, 8}, {67, 13}, {600, 29}});
}

TEST(Wrapped, PlanesOfDoublesAgree) {
  expect_agreement(
      "stencil s { axes x, y; field f64 u boundary zero; u[t+1] = sum(i in -2..2, j in -1..1 : "
      "(0.1*i + 0.03*j + 0.2) * u[x+i, y+j]); }",
      "coarsened", {{2, 9}, {64, 8}, {260, 34}});
}

TEST(Wrapped, PicturesAgree) {
  const std::string text =
      "stencil s { axes x, y; field u8 img in boundary mirror; field u8 dst out; const f32 "
      "w[-1..1, "
      "-1..1] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 } / 45; dst = sat_u8(sum(i in -1..1, j in -1..1 : w[i, "
      "j] * img[x+i, y+j])); }";
  for (const char* schedule : {"coarsened", "coarsened,vector=16,coarsen=y1"})
    expect_agreement(text, schedule, {{1, 5}, {64, 8}, {77, 11}, {1040, 66}});
}

TEST(Wrapped, VolumesAgree) {
  const std::string star =
      "stencil s { axes x, y, z; field f32 u boundary fixed; u[t+1] = 0.2*u + 0.11*u[x-1] + "
      "0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[y+1] + 0.15*u[z-1] + 0.16*u[z+1]; }";
  const std::vector<data::Extents> sizes = {{1, 2, 3}, {8, 5, 4}, {64, 8, 5}, {135, 20, 11}};
  for (const char* schedule : {"coarsened", "coarsened,vector=4,threads=32x4,rows=2,coarsen=z4",
                               "coarsened,vector=2,threads=32x2,rows=3,coarsen=z4,sums=scatter"})
    expect_agreement(star, schedule, sizes);
}

TEST(Wrapped, WhatLanesExchangeAgrees) {
  expect_agreement(
      "stencil s { axes x, y; field f32 u boundary reflect; u[t+1] = 0.3*u[x-2] + 0.2*u[x-1] + "
      "0.4*u[x+3] + 0.1*u[y-1]; }",
      "coarsened,vector=4,threads=32x2,coarsen=y2,sides=lanes", {{5, 3}, {131, 7}, {400, 14}});
}

TEST(Wrapped, VolumesOfHalvesAgree) {
  expect_agreement(
      "stencil s { axes x, y, z; field f16 u boundary reflect; u[t+1] = sum(i in -1..1, j in "
      "-1..1, "
      "k in -1..1 : (0.01*i + 0.02*j + 0.03*k + 0.05) * u[x+i, y+j, z+k]); }",
      "coarsened,vector=8,threads=32x2,coarsen=z3", {{3, 3, 3}, {64, 4, 4}, {530, 10, 8}});
}

// A kernel that takes such arrays for aligned does not get through.
TEST(Wrapped, MisalignedVectorsAreFound) {
  driver::Compiled program = compiled(
      "stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = 0.3*u[x-1] + 0.5*u[y+1]; }",
      "coarsened");
  const std::string choice = "const bool aligned = ";
  const size_t at = program.source.find(choice);
  ASSERT_NE(at, std::string::npos) << program.source;
  program.source.replace(at, program.source.find(';', at) - at, choice + "true");
  const driver::Case test{{300, 21}, 1, "random", 5};
  for (const Layout& layout : kLayouts) {
    const bool wants_nothing = layout.pitch == 0 && layout.first == 0;
    const driver::Machine machine = driver::execute(on_arrays(program, layout), true, true);
    ASSERT_TRUE(machine.call) << machine.problem;
    EXPECT_EQ(driver::compare(program, machine, test, 0).empty(), wants_nothing) << layout.what;
  }
}

}  // namespace
}  // namespace stencilc::run_test
