// Computes an upper bound for the speed of a step, whatever the schedule: Williams, Waterman and
// Patterson, "Roofline", CACM 52(4), 2009, with measured copies for the bandwidth.
#pragma once

#include <optional>

#include "ir/work.h"
#include "plan/machine/device.h"

namespace stencilc::plan {

// Cells per second. By memory: each cell moves its compulsory bytes once. By arithmetic: all lanes
// issue an instruction in every clock; divisions and transcendental functions are not counted.
struct Roofline {
  const Card* card = nullptr;
  double rate = 0;      // bandwidth in GB/s
  bool copied = false;  // the bandwidth was measured; otherwise it is that of the data sheet
  double by_memory = 0;
  std::optional<double> by_arithmetic;  // nothing if the lanes or the clock are not known
};

// Nothing if no card or no bandwidth is known for the device, or if a cell moves no bytes.
// `computed`: the stencil whose operations count, if it is not the one that moves the bytes: one
// that computes each value once.
std::optional<Roofline> roofline_of(const ir::Stencil& stencil, const Device& device,
                                    const ir::Stencil* computed = nullptr);

}  // namespace stencilc::plan
