// What a schedule makes a thread load and hold, and a block fetch, in a launch.
#pragma once

#include "plan/analysis/reads.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// A pass computes the cells of one plane where the thread marches, and all of its cells where the
// loop over them is unrolled or there is none. Registers hold four bytes.
struct Footprint {
  int cells = 1;     // of a thread in a pass
  int passes = 1;    // of a thread
  double extra = 0;  // passes that a thread makes before its first cells are complete
  int accesses = 0;  // loads and stores of a pass
  int loaded = 0;    // bytes that a thread loads in a pass
  int held = 0;      // registers of what later cells read again, or of sums under way
  int fresh = 0;     // registers of what a pass alone reads
  int shuffled = 0;  // registers that other lanes lend in a pass
  int moved = 0;     // registers that are copied from one pass to the next
  double fetched =
      0;              // bytes that a block fetches for a cell, what it reads around itself included
  double around = 0;  // of these, what neighbours in its plane fetch, too
  double along = 0;   // what neighbours along the marched axis fetch, too
  double compulsory = 0;  // bytes that a cell reads once
  int stored = 0;         // bytes that a cell stores
  int arrivals = 0;       // rows that a thread waits for, where taps are loops
  double weights = 0;     // loads of a thread, for a cell, of weights that no instruction holds
  int arrays = 0;         // that it reads and stores
  int plane_bytes = 0;    // of a stage in shared memory; 0: none
  int stages = 0;         // in shared memory
};

// Is the loop over a thread's cells unrolled?
bool unrolls(const Reads& reads, const Schedule& schedule);

Footprint footprint_of(const Reads& reads, const Schedule& schedule, int rank);

}  // namespace stencilc::plan
