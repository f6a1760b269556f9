// How fast a schedule runs a launch, predicted before anything is emitted: what a cell takes of
// each part of a multiprocessor, and how far these hide each other.
//
// The form follows Hong and Kim, "An analytical model for a GPU architecture with memory-level and
// thread-level parallelism awareness", ISCA 2009, and the roofline with caches of Ilic, Pratas and
// Sousa, IEEE CAL 13(1), 2014; its rates are fitted to measured schedules (bench/notes/model.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "plan/analysis/footprint.h"

namespace stencilc::plan {

// Asked by launch bounds, does ptxas make do with fewer registers for f64 sums in space than it
// takes unasked, and spill nothing?
bool makes_do(const Device& device);

class Survey;  // survey.h

enum class Limit { memory, l2, l1, issue, latency };
std::string_view name(Limit limit);

struct Prediction {
  int registers = 0;  // of a thread
  int shared = 0;     // bytes of a block
  int resident = 0;   // blocks of a multiprocessor at once; 0: the kernel does not run
  int warps = 0;      // in these
  bool spills = false;
  // Clocks of a multiprocessor for a cell, were it the only limit; in the order of Limit.
  std::array<double, 5> clocks = {};
  double together = 0;  // with all of them, and the blocks that come last
  Limit limit = Limit::memory;
  int steps = 1;        // of a launch; the clocks and bytes are those of one
  double computed = 1;  // cells for each that is stored
  // Bytes of a cell on their way: what threads load, what blocks fetch from the L2, what that takes
  // from the memory; and what is stored.
  struct Moved {
    double loaded = 0, fetched = 0, read = 0, stored = 0;
  } moved;
  double edge_blocks = 0;  // part of the blocks with cells that read beyond the grid
  double waves = 0;        // of blocks; the last one may not fill the card
  // Of the time, what is lost because it does not.
  double tail() const;
};

// Of a grid of so many cells along each axis.
Prediction predict(const Reads& reads, const Footprint& footprint, const Schedule& schedule,
                   const Device& device, const Card& card, const std::array<int64_t, 3>& extents);

// What a step takes: all launches of the schedule that store cells.
struct Forecast {
  std::vector<Prediction> launches;
  const Card* card = nullptr;
  std::array<int64_t, 3> extents = {};
  double rate = 0;      // cells a second, without what passes between launches; 0: one does not run
  double wait = 0;      // seconds of a step that pass between launches
  bool spills = false;  // registers of some launch
  double cells() const;
  double seconds() const;  // of a step
};
Forecast forecast(Survey& survey, const Schedule& schedule, const Device& device,
                  const std::array<int64_t, 3>& extents);
Forecast forecast(const ir::Stencil& stencil, const Schedule& schedule, const Device& device,
                  const std::array<int64_t, 3>& extents);

// The launch that takes the longest; there is one.
const Prediction& longest(const Forecast& forecast);

// The grid for which schedules are chosen where nobody says how large it is.
std::array<int64_t, 3> usual_extents(int rank);

}  // namespace stencilc::plan
