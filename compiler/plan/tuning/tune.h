// Searches for the fastest schedule by measuring.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// The result of trying a schedule: seconds per step, or why there are none.
struct Outcome {
  double seconds = 0;
  std::string problem;
};
struct Trial {
  std::string schedule;
  Outcome outcome;
};

// Tries schedules, in order; fewer outcomes than schedules end the search.
using Measure = std::function<std::vector<Outcome>(const std::vector<std::string>& schedules)>;

// All schedules that were tried, in order, each once: the compiler's choice (`chosen`, in the form
// that --schedule takes), the candidates with promising predictions, then the neighbours of the
// fastest, until they gain less than 0.5 %. The same outcomes give the same search.
std::vector<Trial> tune(const ir::Stencil& stencil, Target target, const Device& device,
                        const std::string& chosen, const Measure& measure);

// The fastest of them; of those that are hardly slower, the first. Null: none has run.
const Trial* fastest(const std::vector<Trial>& trials);

}  // namespace stencilc::plan
