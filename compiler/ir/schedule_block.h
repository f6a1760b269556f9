// Holds the words of a `schedule` block and their positions. Only the planner interprets them.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.h"

namespace stencilc::ir {

// schedule for sm_90, sm_100 { coarsened, threads = 32x8 }
struct ScheduleBlock {
  struct Word {
    std::string text;
    diag::Range at;
  };
  std::vector<Word> targets;  // after `for`; empty: there is none
  std::vector<Word> parts;    // "coarsened", "threads=32x8"
  diag::Range at;
  int line = 0;  // where it starts, starting with 1; 0: unknown
};

std::string head(const ScheduleBlock& block);  // schedule for sm_90, sm_100

}  // namespace stencilc::ir
