// The schedule: how a step is laid out on the machine. A value; presets are values of this type,
// and what lowering does is a function of its fields.
#pragma once

#include <array>
#include <string>

#include "ir/ir.h"
#include "plan/stages.h"

namespace stencilc::plan {

enum class Target { cuda, cpu };

struct Schedule {
  std::string preset = "naive";  // where the value came from: naive, coarsened, loops (the CPU's)
  std::array<int, 3> threads = {1, 1, 1};  // threads of a block along x, y, z
  int coarsen = 1;                         // cells of a thread, along coarsen_axis
  int coarsen_axis =
      0;  // consecutive cells, but a block apart along x, so that a warp stays coalesced
  Fusion fusion = Fusion::best;
  Stages stages;       // the launches of a step
  std::string reason;  // why, for the header block and --emit=schedule

  // Cells of a block along each axis.
  std::array<int, 3> tile() const {
    std::array<int, 3> cells = threads;
    cells[coarsen_axis] *= coarsen;
    return cells;
  }
};

// A schedule, or why there is none.
struct Choice {
  Schedule schedule;
  std::string problem;  // empty: the schedule is legal
};

// What is best without being told.
Schedule choose(const ir::Stencil& stencil, Target target, int optimisation);

// --schedule=naive or --schedule=coarsened,threads=32x8,coarsen=y4: a preset and changes to it.
Choice parse(const std::string& text, const ir::Stencil& stencil, Target target);

std::string print(const Schedule& schedule, const ir::Stencil& stencil);  // as --schedule takes it

}  // namespace stencilc::plan
