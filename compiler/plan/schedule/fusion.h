// Which launches a step is made of: updates that build on each other's new values are fused into
// one launch where recomputing what they read beside the cell is cheap, and split where it is not.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/launch.h"

namespace stencilc::plan {

// How an update that reads u[t+1] beside the cell gets it. recompute: the launch computes u[t+1]
// there once more; split: from memory, in a launch of its own; best: whichever costs less.
enum class Fusion { best, recompute, split };

struct Stages {
  std::vector<Launch> launches;      // of one step, in their order
  std::vector<int> buffers;          // by field: its levels, and one for t+1 unless it overwrites
  std::vector<std::string> reasons;  // sentences for --explain and the header block
  std::string problem;               // why what was asked for is not done; "" where it is
};

// `fuses_reductions`: the launches have warps of 32 cells in a row.
Stages stages(const ir::Stencil& stencil, Fusion fusion, bool fuses_reductions);

}  // namespace stencilc::plan
