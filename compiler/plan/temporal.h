// Temporal blocking: several time steps in one launch, which reads and stores each cell once.
#pragma once

#include <string>

#include "plan/schedule.h"

namespace stencilc::plan {

// Rows that arrive, and what of the time steps before is kept of them while a warp marches along
// the last axis. A cell is the value of its neighbours one step before, so what a warp loads
// shrinks by the reach of a step, at each step, at both ends of its strip and of its march.
struct Temporal {
  int steps = 1;        // of a launch
  std::string why_one;  // why it takes one, though the schedule asks for more; empty: it does not
  int left = 0, right = 0;  // cells along x that a step reads beside a cell
  int behind = 0;           // rows along the marched axis that it reads before the cell's own
  int lag = 0;              // and behind it: the row that a step completes is so far back
  // Lanes of a warp at both ends of its strip whose cells others store.
  int left_lanes = 0, right_lanes = 0;
  int stored_lanes() const { return 32 - left_lanes - right_lanes; }
  // Of each time step but the first, the last rows that wait in shared memory for what stands for
  // them beyond the rim; 0: nothing does.
  int held = 0;
  // Rows 0 .. first_rows-1 of a time step wait until all are there, because they stand for rows
  // before them; then all go on at once. 0: none wait.
  int first_rows = 0;
};

// Where in a row stands what lies beyond its end: nowhere in it, or at the last cell, at the cells
// from that on (once again), or at those before it.
enum class Beyond { none, last, again, next };
Beyond beyond(const ir::Side& side);
// Is there anything beyond the side that no cell of the grid computes?
bool is_open(const ir::Side& side);

// What the schedule asks for, as far as the stencil can have it.
Temporal temporal(const ir::Stencil& stencil, const Schedule& schedule);

}  // namespace stencilc::plan
