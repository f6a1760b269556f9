// What a block that takes several time steps of a stencil with three axes can hold of it.
#pragma once

#include <string>
#include <vector>

#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// What the values read of the fields that are stepped.
struct PlaneReads {
  int sums = 0;         // that planes are added to as they arrive
  int high = 0;         // the last plane that these add, as an offset along the marched axis
  std::string problem;  // of what is read besides; empty: none
  bool before_in_sums = false, before_at_end = false;  // is t-1 read as their term, and besides?
  bool own_besides = false;                            // and a cell of t itself?
};
PlaneReads plane_reads(const ir::Stencil& stencil, const std::vector<ir::ExprPtr>& values);

// Planes of t that stay for the cells that no step assigns, of steps that are known; -1: none do,
// because these cells are elsewhere, or there is no room.
int unassigned_planes(const ir::Stencil& stencil, const PlaneReads& reads, const Schedule& schedule,
                      Temporal temporal);

// Why it does not hold what it would have to; empty: it does.
std::string problem_of_planes(const ir::Stencil& stencil, const PlaneReads& reads,
                              const Schedule& schedule, const Temporal& temporal);

}  // namespace stencilc::plan
