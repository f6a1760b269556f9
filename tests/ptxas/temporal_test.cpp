// Launches of several steps: their registers are for what time steps keep, and spill nothing.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "ptxas/nvcc.h"
#include "support/process.h"

namespace stencilc::ptxas {
namespace {

struct Shape {
  const char* type;
  int bytes, vector, steps;
  std::vector<std::string> boundaries;
};
#ifdef STENCILC_ALL_TESTS
constexpr Extent extent = Extent::kernels;
const std::vector<Shape> shapes = {{"f32", 4, 8, 10, {"clamp", "fixed"}},
                                   {"f32", 4, 4, 12, {"zero", "periodic"}},
                                   {"f64", 8, 4, 8, {"clamp", "fixed"}}};
#else
constexpr Extent extent = Extent::narrow_kernels;
const std::vector<Shape> shapes = {{"f32", 4, 8, 10, {"fixed"}},
                                   {"f32", 4, 4, 12, {"zero", "periodic"}},
                                   {"f64", 8, 4, 8, {"clamp"}}};
#endif

std::string name_of(const Shape& shape, const std::string& boundary) {
  return std::string("star_") + shape.type + "_" + std::to_string(shape.vector) + "_" + boundary;
}

// A stencil of bench/one-step by another name, type and boundary.
std::string text_of(const char* file, const std::string& name, const std::string& type,
                    const std::string& boundary) {
  const std::filesystem::path source = STENCILC_SOURCE_DIR;
  std::string text = test::read(source / "bench/one-step" / file);
  text = std::regex_replace(text, std::regex("stencil \\w+"), "stencil " + name);
  text = std::regex_replace(text, std::regex("\\bf32\\b"), type);
  return std::regex_replace(text, std::regex("boundary \\w+"), "boundary " + boundary);
}

// 5 points, streaming with several steps in registers.
Program program(const Shape& shape, const std::string& boundary) {
  const std::string name = name_of(shape, boundary);
  return {name, text_of("star2d1.stn", name, shape.type, boundary),
          "coarsened,threads=32x1,vector=" + std::to_string(shape.vector) +
              ",coarsen=y270,sums=scatter,steps=" + std::to_string(shape.steps)};
}

TEST(of_program, spill_nothing_and_have_memory_for_rows_near_the_ends_alone) {
#ifndef STENCILC_NVCC
  GTEST_SKIP() << "no nvcc on this machine, which would compile the kernels";
#endif
  std::vector<Program> programs;
  for (const Shape& shape : shapes)
    for (const std::string& boundary : shape.boundaries)
      programs.push_back(program(shape, boundary));
  std::map<std::string, Resources> all;
  int inside = 0, near = 0;
  for (const CompiledUnit& compiled : compile(units_of("temporal", "sm_90", programs, 1, extent)))
    for (const Resources& resources : compiled.resources) {
      all[resources.kernel] = resources;
      if (!is_called(resources.kernel)) continue;
      const bool at_boundary = resources.kernel.find("true") != std::string::npos;
      ++(at_boundary ? near : inside);
      const int spilt = resources.spill_stores + resources.spill_loads;
      EXPECT_LE(spilt, at_boundary ? 400 : 0) << resources.kernel << ": " << memory_of(resources);
    }
  EXPECT_GE(inside, extent == Extent::narrow_kernels ? 5 : 20) << "degrees, indices and boundaries";
  EXPECT_GE(near, 2 * inside);
  for (const Shape& shape : shapes)
    for (const std::string& boundary : shape.boundaries) {
      const std::string name = name_of(shape, boundary);
      const auto found =
          all.find(name + "::advance_steps<int, " + std::to_string(shape.steps) + ">");
      ASSERT_NE(found, all.end()) << name;
      const Resources& resources = found->second;
      // A kernel that calls its variants as functions may have to save something in front of the
      // call.
      EXPECT_LE(resources.spill_stores, boundary == "periodic" ? 0 : 64)
          << name << ": " << memory_of(resources);
      EXPECT_EQ(resources.spill_loads, 0) << name << ": " << memory_of(resources);
      // Two sums a cell and step wait there while rows near the ends of the stream are in work.
      const int sums = 2 * shape.steps * shape.vector * shape.bytes;
      if (boundary == "periodic")
        EXPECT_EQ(resources.stack, 0) << name;
      else
        EXPECT_NEAR(resources.stack, sums + 64, 64) << name;
    }
}

// 7 points, and the wave equation, as the compiler chooses: blocks that stream with several steps.
// Where cells outside the grid are made, planes near the ends of the stream are, too, in the same
// text.
TEST(of_program, in_space_hardly_spill_inside) {
#ifndef STENCILC_NVCC
  GTEST_SKIP() << "no nvcc on this machine, which would compile the kernels";
#endif
  std::vector<Program> programs;
  const auto add = [&](const std::string& stencil, const std::string& type,
                       const std::string& boundary) {
    const std::string name = stencil + "_" + type + "_" + boundary;
    const std::string wave = "stencil " + name + " { axes x, y, z; field " + type + " u boundary " +
                             boundary + "; u[t+1] = 2*u - u[t-1] + 0.1*laplacian(u); }";
    programs.push_back(
        {name, stencil == "wave" ? wave : text_of("star3d1.stn", name, type, boundary), ""});
  };
#ifdef STENCILC_ALL_TESTS
  for (const char* stencil : {"star", "wave"})
    for (const char* type : {"f32", "f64"})
      for (const char* boundary : {"clamp", "fixed", "zero", "periodic"})
        add(stencil, type, boundary);
#else  // diffusion3d of kernels_test.cpp is such a star of f32, fixed
  add("star", "f64", "fixed");
  add("wave", "f32", "clamp");
#endif
  std::map<std::string, int> of_program;
  for (const CompiledUnit& compiled : compile(units_of("temporal3", "sm_90", programs, 1, extent)))
    for (const Resources& resources : compiled.resources) {
      if (resources.kernel.find("<int, ") == std::string::npos) continue;
      const int spilt = resources.spill_stores + resources.spill_loads;
      if (is_called(resources.kernel)) {
        const bool at_boundary = resources.kernel.find("true") != std::string::npos;
        const bool moved = resources.kernel.find("_clamp") != std::string::npos ||
                           resources.kernel.find("_periodic") != std::string::npos;
        EXPECT_LE(spilt, at_boundary ? 400
                         : moved     ? 16
                                     : 64)
            << resources.kernel << ": " << memory_of(resources);
        continue;
      }
      ++of_program[resources.kernel.substr(0, resources.kernel.find("::"))];
      EXPECT_LE(resources.spill_stores, 64) << resources.kernel << ": " << memory_of(resources);
      EXPECT_LE(resources.spill_loads, 4) << resources.kernel << ": " << memory_of(resources);
    }
  for (const Program& program : programs) EXPECT_GT(of_program[program.name], 1) << program.name;
}

}  // namespace
}  // namespace stencilc::ptxas
