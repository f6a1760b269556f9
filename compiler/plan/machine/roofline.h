// How fast a step can be at most, whatever the schedule: Williams, Waterman and Patterson,
// "Roofline", CACM 52(4), 2009, with measured copies as the roof of the memory.
#pragma once

#include <optional>

#include "ir/work.h"
#include "plan/machine/device.h"

namespace stencilc::plan {

// Cells a second. Each cell's compulsory bytes go through the card's memory once; its instructions,
// but for divisions and longer functions, begin as fast as the lanes of all multiprocessors take
// them.
struct Roofline {
  const Card* card = nullptr;
  double rate = 0;      // of the memory, GB/s
  bool copied = false;  // the rate was measured; else it is that of the data sheet
  double by_memory = 0;
  std::optional<double> by_arithmetic;  // null: the lanes, or the clock, are not known
};

// Null: no card stands for the device, or its memory is not known; or a cell moves no bytes.
std::optional<Roofline> roofline_of(const ir::Stencil& stencil, const Device& device);

}  // namespace stencilc::plan
