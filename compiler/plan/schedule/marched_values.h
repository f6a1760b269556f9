// The values that the threads of a block compute once for each plane while the block goes through
// the planes of a grid of three axes (`tile` with `coarsen` along z).
//
// Streaming along one axis with planes in shared memory and queues in registers, as in
// Micikevicius, "3D finite difference computation on GPUs using CUDA" (GPGPU 2009), here of values
// that are computed.
#pragma once

#include <array>
#include <vector>

#include "plan/schedule/staged_values.h"

namespace stencilc::plan {

// Of one value; planes are counted from the one whose cells a pass updates.
struct MarchedValue {
  // A pass computes the value of the own column in the plane `lead`. The thread keeps those of the
  // planes from `low` on.
  int low = 0, lead = 0;
  // Do other threads read it? The block keeps those planes in shared memory. A pass adds `to`: what
  // each thread has, and the cells around the block.
  bool shared = false;
  int from = 0, to = 0;
  ir::Reach around;                // along x and y
  bool cross = true;               // cells around the block lie beside it along one axis alone
  int first = 0, first_plane = 0;  // the passes from which on these are needed
  int slots = 0;                   // planes in shared memory
};

// A field that cells and values read beside themselves: planes of it are copied into shared memory,
// each a pass before it is read.
struct MarchedField {
  int field = 0, level = 0;
  int from = 0, to = 0;  // the planes that are read
  ir::Reach around;      // along x and y
  int slots() const { return to - from + 2; }
};

struct MarchedValues {
  StagedValues values;
  std::vector<MarchedValue> of;      // by value
  std::vector<MarchedField> fields;  // with `shared=async`
  // Along each axis: do passes read beyond the grid only what is copied, or in the own column, from
  // fields that are periodic there? Then blocks at these ends compute what all others do.
  std::array<bool, 3> wraps = {};

  bool empty() const { return values.values.empty(); }
  // Passes before the first cell is updated.
  int early() const;
  // Does a level have planes, for which the threads wait for each other?
  bool meets(int level) const;
  // Bytes of shared memory of a block with so many cells along x and y.
  int bytes(const ir::Stencil& stencil, const std::array<int, 3>& tile) const;
};

// Is the schedule for blocks that go through planes with their values?
bool marches(const ir::Stencil& stencil, const Schedule& schedule);

// What a launch keeps so of the schedule's values; nothing, where it cannot: if it has t+1 in tiles
// or recomputes it at other cells.
MarchedValues marched_values(const ir::Stencil& stencil, const Launch& launch,
                             const Schedule& schedule);

}  // namespace stencilc::plan
