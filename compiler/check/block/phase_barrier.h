// Describes barriers with phases in shared memory, and the copies of boxes that complete on them.
// Internal to FiberBlock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/block/tensor_map.h"

namespace stencilc::check {

struct Thread;

struct PhaseBarrier {
  uint32_t count = 0;    // arrivals that end a phase
  uint32_t missing = 0;  // arrivals missing in the current phase
  int64_t bytes = 0;     // expected minus copied; negative if more was copied than expected
  uint32_t phase = 0;
  uint32_t boxes = 0;             // copied in the current phase
  uint32_t unseen = 0;            // copied in earlier phases for which nobody has waited
  const Thread* maker = nullptr;  // until it has executed a fence
  std::vector<Thread*> waiting;

  bool is_over(uint32_t parity) const { return phase % 2 != parity; }
};

struct PendingBox {
  TensorMap map;
  int32_t first[3];  // cell
  char* to;
  PhaseBarrier* barrier;
};

// Whether the cells of the box inside the grid are device memory.
bool can_land(const PendingBox& box);
void land(const PendingBox& box);

// "1 arrival and 128 bytes", for messages.
std::string what_is_missing(const PhaseBarrier& barrier);

}  // namespace stencilc::check
