// Checks what a block that streams along the third axis can hold in shared memory.
#pragma once

#include <string>
#include <vector>

#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// What the values read of the fields that a step updates.
struct PlaneReads {
  int sums = 0;         // that can be built plane by plane
  int high = 0;         // the last plane of these sums, as an offset along the streamed axis
  std::string problem;  // reads outside of these sums that are not possible; empty: none
  bool before_in_sums = false,
       before_at_end = false;  // is t-1 read inside of such sums, and outside?
  bool own_besides = false;    // is the cell itself read at t, outside of such sums?
};
PlaneReads plane_reads(const ir::Stencil& stencil, const std::vector<ir::ExprPtr>& values);

// Planes of t that stay in shared memory for the cells that no step assigns. -1: none, because
// those cells are carried elsewhere, or there is no room.
int unassigned_planes(const ir::Stencil& stencil, const PlaneReads& reads, const Schedule& schedule,
                      Temporal temporal);

// Why a block cannot stream the stencil; or empty.
std::string problem_of_planes(const ir::Stencil& stencil, const PlaneReads& reads,
                              const Schedule& schedule, const Temporal& temporal);

}  // namespace stencilc::plan
