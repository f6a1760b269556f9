// Packs the arguments of a run that are not grids, in the form that the adapters of built libraries
// read.
#pragma once

#include <cstddef>
#include <vector>

#include "driver/execute/call.h"

namespace stencilc::driver {

// Typed values one after the other, and where each list of them begins.
struct Packed {
  std::vector<std::vector<std::byte>> bytes;
  std::vector<void*> at;

  void add(const std::vector<ir::Scalar>& values);
  void add(std::vector<std::byte> packed);
};

struct Arguments {
  Packed params, weights, reductions, points, series;
  std::vector<int64_t> point_counts;
};
Arguments packed(const HostData& host);

// A call without buffers, steps and repetitions. It points into both arguments.
stencil_host_call call_of(const HostData& host, const Arguments& arguments);

// Reads a value of the type from `from`, and writes one as the bytes of its type to `to`.
ir::Scalar take(ir::Type type, const std::byte* from);
void put(const ir::Scalar& scalar, std::byte* to);

}  // namespace stencilc::driver
