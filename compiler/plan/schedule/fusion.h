// Decides which launches a step has. An update that reads t+1 of another in neighbouring cells
// shares its launch where recomputing those values is cheap, or where blocks keep them in shared
// memory, and gets a launch of its own where it does not.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/launch.h"

namespace stencilc::plan {

// How an update gets u[t+1] of neighbouring cells. recompute: the launch computes it again there;
// split: it is read from memory, in a launch of its own; best: the cheaper of the two. tile: the
// blocks of the launch compute it once for the cells that they need, in shared memory. Whichever:
// threads that stream may keep it in registers (Streaming).
enum class Fusion { best, recompute, split, tile };

struct Stages {
  std::vector<Launch> launches;  // of one step, in order
  std::vector<int>
      buffers;  // by field: its levels, plus one for t+1 unless that overwrites a level
  std::vector<std::string> reasons;  // sentences for --explain and the header comment
  std::string problem;               // why the requested fusion is impossible; or empty
};

// What threads keep in registers while they stream, so many columns each: values, and t+1 of fields
// that updates of the same launch then read there.
struct Streaming {
  std::vector<std::string> names;
  int width = 1;
  auto operator<=>(const Streaming&) const = default;
};

// `fuses_reductions`: warps of the launches hold 32 cells of a row.
Stages stages(const ir::Stencil& stencil, Fusion fusion, bool fuses_reductions,
              const Streaming& streaming = {});

}  // namespace stencilc::plan
