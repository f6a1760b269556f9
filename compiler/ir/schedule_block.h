// What a `schedule` block of the text says: words and their places. What they mean only the planner
// knows.
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
  std::vector<Word> targets;  // behind `for`; empty: there is none
  std::vector<Word> parts;    // "coarsened", "threads=32x8"
  diag::Range at;
  int line = 0;  // where it begins, from 1; 0: unknown
};

std::string head(const ScheduleBlock& block);  // schedule for sm_90, sm_100

}  // namespace stencilc::ir
