// Computes how many blocks of a kernel a multiprocessor holds at the same time.
#pragma once

#include "plan/machine/device.h"

namespace stencilc::plan {

// Blocks per multiprocessor for this many threads per block, registers per thread (0: unknown, no
// limit) and bytes of shared memory per block. 0: the kernel cannot run. Computed like CUDA's
// occupancy calculator, with as much shared memory as the L1 leaves.
int occupancy(const Device& device, int threads, int registers, int shared);

// Warps of a block; the last one may have idle lanes.
int warps_of(int threads);

}  // namespace stencilc::plan
