// Launches of several steps, by every form that the compiler has for them: which programs take how
// many steps in which form, and by what schedule that is tried.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/programs.h"

namespace stencilc::run_test {

struct Degrees {
  int first = 1, last = 8;  // steps of a launch
};

// A form of launches of so many steps; one step is a form of its own.
struct Degree {
  int steps = 1;
  std::string form;      // one, tile, gather, scatter, bits, tile, stream
  std::string schedule;  // empty: it is refused
  std::string why;       // then
  // What of it a compiler unrolls: the reads of a cell times the cells of a thread times, where
  // warps stream, the steps.
  int64_t work = 0;
};

// Those of all degrees of all forms that are wanted. Each has several shapes; which one of those
// that the stencil allows is tried follows from `name`.
using Wanted = std::function<bool(const std::string& form, int steps)>;
std::vector<Degree> degrees_of(const ir::Stencil& stencil, Degrees degrees, const std::string& name,
                               const Wanted& wanted, int64_t most_work);

// Each stencil of the folders with its own boundaries, and with every kind of boundary, and sides
// that differ, instead: where it then is a program at all.
std::vector<Program> programs_of_degrees(const std::vector<std::filesystem::path>& folders);

// Does the part-th of so many parts hold the trial of this name? The same on every machine.
bool is_in_part(const std::string& name, int part, int parts);

// What stands in tests/run/degrees.txt: for each stencil and form the degrees that are taken, with
// which boundaries, and why others are not.
std::string list_of_degrees(const std::vector<Program>& programs, Degrees degrees);

}  // namespace stencilc::run_test
