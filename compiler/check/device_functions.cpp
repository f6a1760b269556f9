// What compiled device code calls. The names are those of shim/cuda_device.h.
#include <cmath>
#include <cstring>

#include "check/fiber_block.h"

namespace stencilc::check {
namespace {

// Ends the launch unless a copy of `bytes` may land at `to` from `from`.
void check_copy(Thread& self, const void* to, const void* from, uint32_t bytes, uint32_t valid) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    self.owner->fail("an asynchronous copy of neither 4, 8 nor 16 bytes");
  if (valid > bytes) self.owner->fail("an asynchronous copy that reads more than it writes");
  if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % bytes != 0) {
    self.owner->fail("a misaligned asynchronous copy of " + std::to_string(bytes) + " bytes");
  }
}

void land(const PendingCopy& copy) {
  std::memcpy(copy.to, copy.from, copy.valid);
  std::memset(static_cast<char*>(copy.to) + copy.valid, 0, copy.bytes - copy.valid);
}

void barrier(const ThreadView* view, uint32_t site) {
  Thread& self = thread_of(view);
  self.owner->barrier(self, site);
}

void sync_warp(const ThreadView* view, uint32_t site, uint32_t mask) {
  Thread& self = thread_of(view);
  self.owner->exchange(self, site, mask, 0);
}

// `kind`: 0 from a lane, 1 up, 2 down, 3 xor. A lane without a source keeps its own value.
uint64_t shuffle(const ThreadView* view, uint32_t site, uint32_t mask, uint64_t value,
                 int32_t argument, int32_t width, int32_t kind) {
  Thread& self = thread_of(view);
  const uint64_t* values = self.owner->exchange(self, site, mask, value);
  const int32_t lane = static_cast<int32_t>(self.index % 32);
  const int32_t first = lane & ~(width - 1);
  int32_t source = lane;
  if (kind == 0) source = first + (argument & (width - 1));
  if (kind == 1 && lane - argument >= first) source = lane - argument;
  if (kind == 2 && lane + argument < first + width) source = lane + argument;
  if (kind == 3 && (lane ^ argument) < first + width) source = lane ^ argument;
  if ((mask & self.owner->lanes_of_warp(self) & (uint32_t{1} << source)) == 0) {
    return 0xFFFF'FFFF'FFFF'FFFF;  // what a lane that takes no part holds is undefined
  }
  return values[source];
}

uint32_t ballot(const ThreadView* view, uint32_t site, uint32_t mask, int32_t predicate) {
  Thread& self = thread_of(view);
  const uint64_t* values = self.owner->exchange(self, site, mask, predicate != 0);
  mask &= self.owner->lanes_of_warp(self);
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0 && values[lane] != 0) bits |= uint32_t{1} << lane;
  }
  return bits;
}

void copy_async(const ThreadView* view, uint32_t, void* to, const void* from, uint32_t bytes,
                uint32_t valid) {
  Thread& self = thread_of(view);
  check_copy(self, to, from, bytes, valid);
  const PendingCopy copy = {to, from, bytes, valid, self.groups};
  if (self.owner->mode().copies == CopyMode::eager) {
    land(copy);
  } else {
    self.copies.push_back(copy);
  }
}

void commit(const ThreadView* view, uint32_t) { ++thread_of(view).groups; }

// All groups but the youngest `in_flight` have landed when this returns.
void wait(const ThreadView* view, uint32_t, uint32_t in_flight) {
  Thread& self = thread_of(view);
  size_t landed = 0;
  for (; landed < self.copies.size() && self.copies[landed].group + in_flight < self.groups;
       ++landed) {
    land(self.copies[landed]);
  }
  self.copies.erase(self.copies.begin(), self.copies.begin() + static_cast<ptrdiff_t>(landed));
}

using Float1 = float (*)(float);
using Float2 = float (*)(float, float);
using Double1 = double (*)(double);
using Double2 = double (*)(double, double);

}  // namespace

std::vector<DeviceFunction> device_functions() {
#define STENCILC_THREADS(name) \
  { "__stencil_" #name, reinterpret_cast<void*>(&name) }
#define STENCILC_LIBRARY(name, count)                                                      \
  {"__host_" #name "f", reinterpret_cast<void*>(static_cast<Float##count>(&::name##f))}, { \
    "__host_" #name, reinterpret_cast<void*>(static_cast<Double##count>(&::name))          \
  }
  return {
      STENCILC_THREADS(barrier),  STENCILC_THREADS(sync_warp),  STENCILC_THREADS(shuffle),
      STENCILC_THREADS(ballot),   STENCILC_THREADS(copy_async), STENCILC_THREADS(commit),
      STENCILC_THREADS(wait),     STENCILC_LIBRARY(exp, 1),     STENCILC_LIBRARY(exp2, 1),
      STENCILC_LIBRARY(log, 1),   STENCILC_LIBRARY(log2, 1),    STENCILC_LIBRARY(log10, 1),
      STENCILC_LIBRARY(sin, 1),   STENCILC_LIBRARY(cos, 1),     STENCILC_LIBRARY(tan, 1),
      STENCILC_LIBRARY(asin, 1),  STENCILC_LIBRARY(acos, 1),    STENCILC_LIBRARY(atan, 1),
      STENCILC_LIBRARY(sinh, 1),  STENCILC_LIBRARY(cosh, 1),    STENCILC_LIBRARY(tanh, 1),
      STENCILC_LIBRARY(cbrt, 1),  STENCILC_LIBRARY(pow, 2),     STENCILC_LIBRARY(atan2, 2),
      STENCILC_LIBRARY(hypot, 2), STENCILC_LIBRARY(fmod, 2),
  };
#undef STENCILC_THREADS
#undef STENCILC_LIBRARY
}

}  // namespace stencilc::check
