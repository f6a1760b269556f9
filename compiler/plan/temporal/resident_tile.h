// Several time steps of tiles that blocks hold: a thread has some rows of a vector of all that a
// step makes in registers, with three axes of some planes, and takes all steps of a launch before
// it stores them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

struct Stepping;  // survey.h

// What of a step needs nothing beside the cell that the same part makes: between two of them the
// warps of a block wait for each other.
std::vector<Launch> passes_of(const ir::Stencil& stencil);

// What a pass reads of a field that steps make, at a time level, beside the cell.
struct PassRead {
  int field = 0, level = 0;
  int below = 0, above = 0;  // rows
  int low = 0, high = 0;     // planes
  bool corners = false;      // both at once
  // In which rows and planes cells along x are read, first .. last, and how far.
  int first = 0, last = -1, first_plane = 0, last_plane = 0;
  int left = 0, right = 0;
};
// A pass stores fields of its own: what it reads of them at t+1 it has.
std::vector<PassRead> reads_of_pass(const ir::Stencil& stencil, const Launch& pass);

// A pass, and what it reads.
struct Pass {
  Launch launch;
  std::vector<PassRead> reads;
};
// All of them, in launches that nothing is computed again in; and why blocks cannot hold what they
// make, if that is so.
std::pair<std::vector<Pass>, std::string> passes_or_problem(const ir::Stencil& stencil,
                                                            const Stages& split);

Temporal temporal_of_resident_tile(const Stepping& stepping, const Schedule& schedule);
// So many places there are for what warps lend: in space one, as planes of it take much room.
constexpr int halo_buffers(int rank) { return rank == 3 ? 1 : 2; }
// Bytes of the rows that warps of a block lend.
int halo_bytes(const ir::Stencil& stencil, const std::vector<Pass>& passes,
               const Schedule& schedule, const Temporal& temporal);

}  // namespace stencilc::plan
