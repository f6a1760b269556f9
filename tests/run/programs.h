// The programs that the run tests compile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/pipeline/compile.h"

namespace stencilc::run_test {

struct Program {
  std::string name;   // "laplace", "seed 17"
  std::string again;  // the options of the run tests that choose it alone
  std::string text;
  sema::Defines defines = {};
  ir::Numerics numerics = {};
  std::string file = {};      // where the text is from, for what it uses
  std::string stencil = {};   // the one of the text that is meant; empty: the only one
  std::string boundary = {};  // of all its fields, where another one than theirs is meant
  bool boxes = false;         // do launches compute boxes that the host lists?
  bool pieces = false;        // and is a piece of the grid in memory?
  bool distributed = false;   // and does a call take some steps of it?
};

std::string print(const ir::Numerics& numerics);  // as options of stencilc; "" for the default

// Every stencil of every .stn of the folder, in the order of the files' names, in canonical and in
// source order.
std::vector<Program> example_programs(const std::filesystem::path& folder);

// The generated program of a seed. Some seeds ask for source order or forbid fused operations.
Program seeded_program(uint64_t seed, bool transcendental);

// The program of a seed that is shaped like an application.
Program real_seeded_program(uint64_t seed, bool transcendental);

// Compiles the program; `tag` becomes part of the stencil's name and of the file's. Nothing, and
// the first error in `problem`, where that fails.
std::optional<driver::Compiled> compile(const Program& program, plan::Target target,
                                        const std::string& schedule, const std::string& tag,
                                        std::string& problem);

// Makes the run call take one instantiation of the kernels, whatever the grid. There is no other
// one then, which takes half the time to compile.
void fix_index(std::string& source, bool wide);

// coarsen=y3 for a stencil whose second axis is called j: coarsen=j3
std::string with_axes_of(const ir::Stencil& stencil, std::string schedule);

// The schedules to try for a stencil; in them x, y and z stand for its axes.
std::vector<std::string> schedules(plan::Target target, const ir::Stencil& stencil);

}  // namespace stencilc::run_test
