// Describes resident tiles: the threads of a block keep a tile of all fields of a step in registers
// (some rows of a vector, in 3-D of some planes) and take all steps of the launch before they store
// it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

struct Stepping;  // survey.h

// Splits a step into passes. No update of a pass reads neighbours that the same pass computes; the
// warps of a block synchronise between passes.
std::vector<Launch> passes_of(const ir::Stencil& stencil);

// What a pass reads of one time level of a field in neighbouring cells.
struct PassRead {
  int field = 0, level = 0;
  int below = 0, above = 0;  // rows
  int low = 0, high = 0;     // planes
  bool corners = false;      // in both directions at once
  // The rows and planes, first to last, in which neighbours along x are read, and how far along x.
  int first = 0, last = -1, first_plane = 0, last_plane = 0;
  int left = 0, right = 0;
};
// A pass does not read t+1 of the fields that it stores.
std::vector<PassRead> reads_of_pass(const ir::Stencil& stencil, const Launch& pass);

// A pass and its reads.
struct Pass {
  Launch launch;
  std::vector<PassRead> reads;
};
// All of them, in launches that nothing is computed again in; and why blocks cannot hold what they
// make, if that is so.
std::pair<std::vector<Pass>, std::string> passes_or_problem(const ir::Stencil& stencil,
                                                            const Stages& split);

Temporal temporal_of_resident_tile(const Stepping& stepping, const Schedule& schedule);
// Buffers for the halo exchange: one in 3-D, where planes need much room, otherwise two.
constexpr int halo_buffers(int rank) { return rank == 3 ? 1 : 2; }
// Bytes of the halo rows that the warps of a block exchange.
int halo_bytes(const ir::Stencil& stencil, const std::vector<Pass>& passes,
               const Schedule& schedule, const Temporal& temporal);

}  // namespace stencilc::plan
