// The schedule: how a step is laid out on the machine. A value; presets are values of this type,
// and what lowering does is a function of its fields.
#pragma once

#include <array>
#include <string>

#include "ir/ir.h"
#include "plan/machine/device.h"
#include "plan/schedule/fusion.h"

namespace stencilc::plan {

enum class Target { cuda, cpu };

// How cells reach the registers of a thread: each thread loads its own, or the block has them in
// shared memory: loaded by its threads, copied while they go on, or put there as boxes by the copy
// engine.
enum class Shared { none, loads, async, boxes };

// How the taps of a sum over a box stand in the text: each as a term of its own, or in loops over
// the rows that arrive and the taps of a row. Then the weights are indexed, and a thread adds each
// row to the sums of all its rows that read it. Loops over rows are unrolled by nvcc, or stay.
enum class Taps { terms, unrolled, rolled };

// Which threads of a block load what it shares: all of them all of it; or, by whole warps, some the
// cells beside the block's own along x, some those along y, and all others the block's own; or
// threads of their own, which compute nothing.
enum class Filling { together, split, producers };

// How a thread loads what it reads of a grid: from its memory, or through a texture over it.
enum class Loads { plain, texture };

struct Schedule {
  std::string preset = "naive";  // where the value came from: naive, coarsened, loops (the CPU's)
  std::array<int, 3> threads = {1, 1, 1};  // threads of a block along x, y, z
  int vector = 1;        // neighbouring cells along x of a thread, loaded and stored together
  bool scatter = false;  // a plane that arrives is added to the sums that read it, and not kept
  bool peeled = false;   // is what meets the ends of the marched axis peeled from the march?
  int resident = 0;      // blocks of a multiprocessor that registers have to suffice for; 0: any
  int rows = 1;    // rows along y of a thread that marches along z, or in 2-D that marches nowhere
  int planes = 1;  // and planes of rows along z of one that marches nowhere
  bool whole = false;  // does a warp that does so hold whole rows of the grid?
  bool full = false;  // with several steps: are chunks of a march as long as lets them fill a card?
  bool early = false;  // may the blocks of a launch come before the launch before it ends?
  bool lanes = false;  // cells beside a thread's own, along x, come from other lanes of its warp
  Taps taps = Taps::terms;
  Loads loads = Loads::plain;
  Shared shared = Shared::none;
  int ahead = 2;  // planes that are on their way into shared memory
  Filling fill = Filling::together;
  int steps = 1;    // time steps of a launch, where the stencil allows several (temporal.h)
  int coarsen = 1;  // cells of a thread, or rows of so many cells, along coarsen_axis
  int coarsen_axis =
      0;  // consecutive cells, but a block apart along x, so that a warp stays coalesced
  Fusion fusion = Fusion::best;
  Stages stages;       // the launches of a step
  std::string reason;  // why, for the header block and --explain
  int line = 0;        // of the block of the text that asks for it; 0: none does
  bool tuned = false;  // was it found by measuring?
  // With several steps: the schedule of steps that are taken one by one, and how many cells a grid
  // has at least; of fewer it would take longer. `smaller`: of launches of several steps for fewer
  // cells, and for fewer steps, if there is one.
  std::vector<Schedule> single, smaller;
  int64_t least_cells = 1;

  // Cells of a block along each axis.
  std::array<int, 3> tile() const {
    std::array<int, 3> cells = threads;
    cells[0] *= vector;
    cells[1] *= rows;
    cells[coarsen_axis] *= coarsen;
    return cells;
  }
  // Rows of threads along y, behind those of `threads`, that make whole warps and fill what the
  // others share; 0: these fill it themselves.
  int producers() const;
  int block_threads() const { return threads[0] * (threads[1] + producers()) * threads[2]; }
};

}  // namespace stencilc::plan
