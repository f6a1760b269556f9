// Launches of several steps, by every form that the compiler has for them: which programs take how
// many steps in which form, and by what schedule that is tried.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/programs.h"

namespace stencilc::run_test {

struct StepRange {
  int first = 1, last = 8;  // steps of a launch
};

// A form of launches of so many steps; one step is a form of its own.
struct FormOfSteps {
  int steps = 1;
  std::string form;      // one, warp_tile, gather, scatter, bits, resident, stream
  std::string schedule;  // empty: it is refused
  std::string why;       // then
  // What of it a compiler unrolls: the reads of a cell times the cells of a thread times, where
  // warps stream, the steps.
  int64_t work = 0;
};

// All numbers of steps of all forms that are wanted. Each has several shapes; which one of those
// that the stencil allows is tried follows from `name`.
using Wanted = std::function<bool(const std::string& form, int steps)>;
std::vector<FormOfSteps> steps_of_forms(const ir::Stencil& stencil, StepRange step_range,
                                        const std::string& name, const Wanted& wanted,
                                        int64_t most_work);

// Each stencil of the folders with its own boundaries, and with every kind of boundary, and sides
// that differ, instead: where it then is a program at all.
std::vector<Program> programs_of_launch_steps(const std::vector<std::filesystem::path>& folders);

// Does the part-th of so many parts hold the trial of this name? The same on every machine.
bool is_in_part(const std::string& name, int part, int parts);

// What stands in tests/run/launch_steps.txt: for each stencil and form the numbers of steps that
// are taken, with which boundaries, and why others are not.
std::string list_of_launch_steps(const std::vector<Program>& programs, StepRange step_range);

}  // namespace stencilc::run_test
