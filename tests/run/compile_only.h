// Programs that go through the whole compiler, and are not run.
#pragma once

#include <vector>

#include "run/trials.h"

namespace stencilc::run_test {

struct CompileOnly {
  int jobs = 1;      // processes
  int seconds = 60;  // of the CPU that a program may take
  bool verbose = false;
  bool keep_going = false;
};

// Compiles each program for a target, an architecture, a size of its grids and a level of
// optimisation, which follow from its name. Each in a process of its own: one that crashes, or
// takes too long, is a failure among others.
Outcome compile_only(const std::vector<Program>& programs, const CompileOnly& how);

}  // namespace stencilc::run_test
