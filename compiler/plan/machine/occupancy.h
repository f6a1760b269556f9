// How many blocks of a kernel a multiprocessor holds at once.
#pragma once

#include "plan/machine/device.h"

namespace stencilc::plan {

// Blocks of so many threads, registers of a thread and bytes of shared memory that fit together;
// registers 0: not known, and no limit. 0: the kernel does not run at all. Reckoned as by CUDA's
// occupancy calculator, where shared memory gets all that it can get of what it shares with the L1.
int occupancy(const Device& device, int threads, int registers, int shared);

// Warps of a block, the last of which may have idle lanes.
int warps_of(int threads);

}  // namespace stencilc::plan
