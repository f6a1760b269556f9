// Programs, each under several schedules, run on a target and compared with the interpreter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run/programs.h"

namespace stencilc::run_test {

enum class Where { executor, cpu, cuda };

struct Settings {
  Where where = Where::executor;
  std::vector<std::string> schedules;  // empty: all of schedules()
  // Besides the first three, every program takes each n-th of them, and the next program others.
  int share = 1;
  std::vector<std::string> archs;  // for nvcc; empty: of the GPU that is there
  int jobs = 1;
  bool verbose = false;               // a line for each program and schedule
  bool keep_going = false;            // after a difference
  bool build_only = false;            // without a GPU: nvcc must take everything
  bool poison = true;                 // memory of the GPU holds NaNs when it is allocated
  bool wide = false;                  // 64-bit indices, which small grids would never ask for
  int64_t most_cells = 1 << 20;       // larger cases are left out
  std::filesystem::path work_folder;  // of the libraries; what is there already is used again
};

enum class Outcome { good = 0, difference = 1, broken = 3 };

// Prints differences, what cannot be compiled, and a line that sums up.
Outcome run_trials(const std::vector<Program>& programs, const Settings& settings);

}  // namespace stencilc::run_test
