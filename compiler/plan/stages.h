// Which launches a step is made of: updates that build on each other's new values are fused into
// one launch where recomputing what they read beside the cell is cheap, and split where it is not.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"

namespace stencilc::plan {

// How an update that reads u[t+1] beside the cell gets it. recompute: the launch computes u[t+1]
// there once more; split: from memory, in a launch of its own; best: whichever costs less.
enum class Fusion { best, recompute, split };

// What a launch stores of one update. In `value` every t+1 that the launch itself makes is spelt
// out, moved to where it is read; it holds for cells away from the rim, where each limit of `on` is
// decided.
struct Stored {
  int update = 0;
  ir::ExprPtr value;
  ir::ExprPtr when;      // of an output with a mask: where it is written; null: everywhere
  bool skipped = false;  // of an output: nowhere away from the rim
};

// What a launch adds to a reduction; spelt out like Stored.
struct Combined {
  int reduction = 0;
  ir::ExprPtr value, mask;  // mask null: all cells
  bool skipped = false;     // no cell away from the rim
};

struct Launch {
  std::vector<Stored> stores;
  // Away from the rim means: at least so far from it. Covers the reads and the limits of `on`.
  ir::Reach margin;
  std::vector<Combined> combines;  // only when the step is asked for its reductions, unless:
  bool every_step = false;         // an update of the step reads the reductions
  bool stores_field(const ir::Stencil& stencil, int field) const;
};

struct Stages {
  std::vector<Launch> launches;      // of one step, in their order
  std::vector<int> buffers;          // by field: its levels, and one for t+1 unless it overwrites
  std::vector<std::string> reasons;  // sentences for --explain and the header block
};

// `fuses_reductions`: the launches have warps of 32 cells in a row.
Stages stages(const ir::Stencil& stencil, Fusion fusion, bool fuses_reductions);

}  // namespace stencilc::plan
