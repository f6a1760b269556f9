// Programs, each under several schedules, run on a target and compared with the interpreter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run/launch_steps.h"

namespace stencilc::run_test {

enum class Where { executor, cpu, cuda };

struct Settings {
  Where where = Where::executor;
  std::vector<std::string> schedules;  // empty: all of schedules()
  // Besides the first three, every program takes each n-th of them, and the next program others.
  int share = 1;
  bool in_turn = false;  // and of the first three one, too
  // Then so many steps per launch, in every form, instead.
  std::optional<StepRange> step_range;
  int part = 0, parts = 1;        // of launch steps one of so many parts
  int64_t most_work = INT64_MAX;  // what takes a compiler longer is left out
  int every = 1;                  // of what is built about each n-th is run
  // On grids of so many cells every schedule against the first one of the program, by the checksum
  // of a few steps. And one schedule of each program so often on grids of fewer.
  bool large = false;
  bool with_large = false;  // libraries have what that takes, which the other way does not need
  int64_t large_cells = 4099 * 3001, repeated_cells = 4099 * 3001 / 12;
  int repeats = 0;
  std::vector<std::string> archs;     // for nvcc; empty: of the GPU that is there
  int jobs = 1, run_jobs = 0;         // threads; 0: as many
  bool verbose = false;               // a line for each program and schedule
  bool keep_going = false;            // after a difference
  bool build_only = false;            // without a GPU: nvcc must take everything
  bool poison = true;                 // memory of the GPU holds NaNs when it is allocated
  bool unoptimized = false;           // libraries of the CPU target, which run for milliseconds
  bool some_sizes = false;            // the grids of cases_of(), not all of the awkward ones
  bool wide = false;                  // 64-bit indices, which small grids would never ask for
  int64_t most_cells = 1 << 20;       // larger cases are left out
  std::filesystem::path work_folder;  // of the libraries; what is there already is used again
};

enum class Outcome { good = 0, difference = 1, broken = 3 };

// Prints differences, what cannot be compiled, and a line that sums up.
Outcome run_trials(const std::vector<Program>& programs, const Settings& settings);

}  // namespace stencilc::run_test
