// Defines the schedule: how a step is mapped to the machine. It is a plain value; presets are
// values of this type, and lowering depends on its fields only.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "plan/machine/device.h"
#include "plan/schedule/fusion.h"

namespace stencilc::plan {

enum class Target { cuda, cpu };

// How cells get into registers. none: each thread loads its own. Otherwise the block has them in
// shared memory, filled by loads of its threads, by asynchronous copies, or by bulk copies of
// boxes.
enum class Shared { none, loads, async, boxes };

// How the taps of a sum over a box are computed: as terms of an expression, or in loops over the
// rows that arrive and the taps of a row. In loops the weights are indexed, and a thread adds each
// row to the sums of all its rows that read it. nvcc unrolls the loop over rows, or it stays a
// loop.
enum class Taps { terms, unrolled, rolled };

// Which threads fill shared memory. together: all threads load a part of everything. split: whole
// warps load the cells beside the block along x, those along y, or the block's own. producers:
// additional warps, which compute nothing.
enum class Filling { together, split, producers };

// How a thread reads a grid: by plain loads, or through a texture.
enum class Loads { plain, texture };

struct Schedule {
  std::string preset = "naive";  // the preset it came from: naive, coarsened, or loops (CPU)
  std::array<int, 3> threads = {1, 1, 1};  // threads per block along x, y, z
  int vector = 1;  // adjacent cells along x that a thread loads and stores together
  bool scatter =
      false;  // a plane is added to the sums that read it when it arrives, and is not kept
  bool peeled = false;  // the first and last cells of the streamed axis are peeled from the loop
  int resident = 0;     // blocks per multiprocessor that registers have to allow; 0: any
  int registers = 0;    // kernels that are estimated to need few more are limited to these; 0: none
  int rows = 1;         // rows along y per thread, if it streams along z or does not stream
  int planes = 1;       // planes per thread, if it does not stream
  bool whole = false;   // a warp of a resident tile holds whole rows of the grid
  bool full = false;    // with several steps: chunks are as long as needed to fill the GPU
  int swizzle =
      0;  // rows of a band: all planes of these rows run before the next band; 0: all rows
  bool edge_cells =
      false;  // threads of their own compute the cells near the boundary, one each, not blocks
  bool by_neighbours = false;  // what stands at one neighbour goes into all sums that take it,
                               // before the next neighbour; else sums follow each other
  bool early = false;  // blocks may start before the launch before has ended
  bool lanes = false;  // neighbours along x come from other lanes of the warp
  Taps taps = Taps::terms;
  Loads loads = Loads::plain;
  Shared shared = Shared::none;
  int ahead = 2;  // planes that are prefetched into shared memory
  Filling fill = Filling::together;
  int steps = 1;    // time steps per launch, if the stencil allows several
  int coarsen = 1;  // cells of a thread, or rows of such cells, along coarsen_axis
  int coarsen_axis =
      0;  // adjacent cells, but a block apart along x, so that a warp stays coalesced
  Fusion fusion = Fusion::best;
  // The values that a launch before the first step computes, for all steps (setup_values.h).
  std::vector<std::string> setup;
  // The values that launches of their own compute and keep in memory (value_placement.h).
  std::vector<std::string> global;
  // The fields and values whose statements begin a launch that they could share (fission.h).
  std::vector<std::string> fission;
  // The values that the threads of a block compute once and keep in shared memory
  // (staged_values.h).
  std::vector<std::string> tile_values;
  // The values that threads keep in registers while they stream (streamed_values.h).
  std::vector<std::string> stream_values;
  // Launches with a shape of their own: each is the shape of the launch that stores `of`, a field or
  // a value in memory. What concerns the whole step (stages, values set up or in memory, early
  // launches) counts in the schedule that holds them.
  std::vector<Schedule> others;
  std::string of;  // of one of `others`
  std::string reason;  // for the header comment and --explain
  int line = 0;        // of the `schedule` block that sets it; 0: none
  bool tuned = false;  // found by measuring

  // Do the threads of a block compute values for each other, in shared memory?
  bool has_tiles() const { return !tile_values.empty() || fusion == Fusion::tile; }

  // Cells per block along each axis.
  std::array<int, 3> tile() const {
    std::array<int, 3> cells = threads;
    cells[0] *= vector;
    cells[1] *= rows;
    cells[coarsen_axis] *= coarsen;
    return cells;
  }
  // Rows of threads along y, after those of `threads`, that form whole warps and fill shared memory
  // for the others; 0: none.
  int producers() const;
  int block_threads() const { return threads[0] * (threads[1] + producers()) * threads[2]; }
  // Do warps hold 32 cells of a row, so that launches which store can reduce, too?
  bool has_whole_warps() const { return preset == "loops" || threads[0] % 32 == 0; }
  // The schedule where its stencil turns out to take one step per launch.
  Schedule one_step() const;
  // The schedule of one launch: of its own shape, if it has one.
  Schedule of_launch(const ir::Stencil& stencil, const Launch& launch) const;
  // The same for one of `others`.
  Schedule of_launch(const Schedule& other) const;
};

// What is chosen for grids of all sizes and all runs: a schedule, and where that takes several
// steps per launch those for smaller grids, if there are any; the number of cells from which on it
// is faster; and the one for steps that are taken one by one, if that is known already.
struct Schedules {
  Schedules() = default;
  Schedules(Schedule one) : schedule(std::move(one)) {}

  Schedule schedule;
  std::vector<Schedule> smaller;
  int64_t least_cells = 1;
  std::optional<Schedule> single = std::nullopt;
};

}  // namespace stencilc::plan
