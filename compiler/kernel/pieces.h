// What follows from a program for pieces of a grid for its legs: the steps that a piece takes by
// itself. The mesh that runs them finds the same (runtime/include/stencil/mesh.h).
#pragma once

#include <array>
#include <cstdint>

#include "kernel/module.h"

namespace stencilc::kernel {

// The planes in front of a window and behind it that a leg of so many steps reads of a grid: the
// most of any of its levels, and those of one level, of which 0 is the newest.
struct LegReads {
  int64_t low = 0, high = 0;
};
LegReads leg_reads(const Module& module, const Grid& grid, int64_t steps);
LegReads leg_reads(const Module& module, const Grid& grid, int64_t steps, int level);
// The most of them, of any grid and on any side.
int64_t planes_beside(const Module& module, int64_t steps);
// Is a grid cut: does it have the last axis?
bool is_cut(const Module& module, const Grid& grid);

// A plane of a grid in memory, halo included, for a grid of cells of these extents.
int64_t plane_bytes(const Module& module, const Grid& grid, const std::array<int64_t, 3>& extents);

// Is a leg of one step, or of as many as a launch has, made of launches that write nothing but its
// window, or memory of their own? Then parts of a window can be computed side by side.
bool one_step_splits(const Module& module);
bool several_steps_split(const Module& module);
// Does the launch of a leg of one step count the planes at the borders?
bool one_step_counts(const Module& module);
// Do legs differ in nothing but their buffers?
bool legs_repeat(const Module& module);

// How a grid of these extents is taken in so many pieces of the same size.
struct Legs {
  int64_t thinnest = 0;      // planes of a piece, the fewest
  int launch = -1;           // of the launches of several steps, the one that it gets; -1: none
  int64_t launch_steps = 1;  // of a launch on such a piece
  bool counts = false;       // can it count the planes at the borders?
  int64_t steps = 0;         // of a leg, the most; 0: pieces are too thin for one
};
Legs legs_of(const Module& module, const std::array<int64_t, 3>& extents, int pieces);

}  // namespace stencilc::kernel
