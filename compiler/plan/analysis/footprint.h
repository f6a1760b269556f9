// Counts what a thread loads and holds in registers, and what a block loads, under a schedule.
#pragma once

#include "plan/analysis/reads.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// A pass computes the cells of one plane of a streaming loop. Where that loop is unrolled, or there
// is none, a pass computes all cells of the thread. A register holds four bytes.
struct Footprint {
  int cells = 1;       // per thread and pass
  int passes = 1;      // per thread
  double extra = 0;    // passes of a thread before its first cells are complete
  int accesses = 0;    // loads and stores per pass
  int loaded = 0;      // bytes that a thread loads per pass
  int held = 0;        // registers for values that later cells read again, or for unfinished sums
  int fresh = 0;       // registers for values that only this pass reads
  int shuffled = 0;    // registers that come from other lanes per pass
  int moved = 0;       // registers that are copied from one pass to the next
  double fetched = 0;  // bytes that a block loads per cell, halo included
  double around = 0;   // of these, bytes that neighbouring blocks in the plane load as well
  double along = 0;    // bytes that neighbouring blocks along the streamed axis load as well
  double planes = 0;   // the same without what lies around the block in these planes
  double compulsory = 0;  // bytes that a cell reads at least
  int stored = 0;         // bytes that a cell stores
  int arrivals = 0;       // rows that a thread waits for, where the taps are loops
  double weights =
      0;  // loads of weights per thread and cell, where weights are no immediates of instructions
  int arrays = 0;       // that a cell reads and stores
  int plane_bytes = 0;  // of one stage in shared memory; 0: none
  int stages = 0;       // in shared memory
};

// Returns whether the loop over a thread's cells is unrolled.
bool unrolls(const Reads& reads, const Schedule& schedule);

Footprint footprint_of(const Reads& reads, const Schedule& schedule, int rank);

}  // namespace stencilc::plan
