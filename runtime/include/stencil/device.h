// The prelude of kernels: index maps at boundaries, and arithmetic with one meaning on every
// target.
#pragma once

#include "columns.h"
#include "device_fold.h"
#include "device_index.h"
#include "device_number.h"
#include "device_points.h"
#include "partition.h"
#if defined(__CUDACC__) || defined(__CUDA__)
#include "device_barrier.h"
#include "device_bits.h"
#include "device_copy.h"
#include "device_edges.h"
#include "device_fast_division.h"
#include "device_ring.h"
#include "device_shuffle.h"
#include "device_sides.h"
#include "device_texture.h"
#include "device_vector.h"
#endif
