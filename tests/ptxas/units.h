// The programs whose kernels are looked at, as translation units for nvcc.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace stencilc::ptxas {

struct Program {
  std::string name;      // of the files that are emitted, one for each name in a unit
  std::string text;      // of the .stn
  std::string schedule;  // as --schedule takes it; empty: the compiler chooses
};

// What scripts/gpu-bench times: bench/one-step in f32, f64, f16 and u8, and two of the examples.
// Each stencil is called as its program, as one namespace holds one of them.
std::vector<Program> benchmark_programs(const std::vector<std::string>& types = {"f32", "f64"});

// All others of examples/.
std::vector<Program> other_examples();

// A program, emitted.
struct Emitted {
  std::string name, source, header;
  std::map<std::string, int> threads;  // of a block of each kernel, "laplace::step"
  bool has_f64 = false;                // does the program, or what it uses, speak of f64?
  // How its kernels go through the grid, without numbers, and with which type of cells: "2-D
  // coarsened,vector,coarsen=y f32".
  std::set<std::string> kinds;
};

// Throws where the program has errors.
Emitted emitted(const Program& program, const std::string& arch);

// What is compiled of programs: all that they are; their kernels alone; or of these only those with
// indices of 32 bits. (Those of 64 bits, for grids of 2^31 cells, have the same text.)
enum class Extent { all, kernels, narrow_kernels };

// Several programs for one architecture, compiled at once: starting nvcc takes longer than a
// kernel.
struct Unit {
  std::string name;
  std::string arch;
  std::vector<Emitted> programs;
  Extent extent = Extent::kernels;
};

// `programs`, dealt into `count` units.
std::vector<Unit> units_of(const std::string& name, const std::string& arch,
                           const std::vector<Program>& programs, size_t count, Extent extent);

}  // namespace stencilc::ptxas
