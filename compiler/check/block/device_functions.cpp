// Implements the functions that compiled device code calls, under the names of shim/cuda_device.h.
#include <cmath>

#include "check/block/device_copies.h"
#include "check/block/fiber_block.h"
#include "check/block/textures.h"

namespace stencilc::check {
namespace {

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

void counted(const ThreadView*, uint32_t) {
  if (when_counted()) when_counted()();
}

// Of so many numbers in cyclic order, a word is `value` or greater, or at least `released`.
void await_word(const ThreadView* view, uint32_t, const uint32_t* word, uint32_t value,
                uint32_t numbers, uint32_t released) {
  const auto reached = [=] { return *word >= released || (*word - value) % numbers < numbers / 2; };
  FiberBlock& block = *thread_of(view).owner;
  if (!block.await(reached)) block.fail("it waits for a word of memory that nothing writes");
}

using Float1 = float (*)(float);
using Float2 = float (*)(float, float);
using Double1 = double (*)(double);
using Double2 = double (*)(double, double);

}  // namespace

std::function<void()>& when_counted() {
  thread_local std::function<void()> the_call;
  return the_call;
}

std::vector<DeviceFunction> device_functions() {
#define STENCILC_THREADS(name) {"__stencil_" #name, reinterpret_cast<void*>(&name)}
#define STENCILC_LIBRARY(name, count)                                                      \
  {"__host_" #name "f", reinterpret_cast<void*>(static_cast<Float##count>(&::name##f))}, { \
    "__host_" #name, reinterpret_cast<void*>(static_cast<Double##count>(&::name))          \
  }
  std::vector<DeviceFunction> all = {
      STENCILC_THREADS(barrier), STENCILC_THREADS(sync_warp), STENCILC_THREADS(shuffle),
      STENCILC_THREADS(ballot),  STENCILC_THREADS(counted),   STENCILC_THREADS(await_word),
      STENCILC_LIBRARY(exp, 1),  STENCILC_LIBRARY(exp2, 1),   STENCILC_LIBRARY(log, 1),
      STENCILC_LIBRARY(log2, 1), STENCILC_LIBRARY(log10, 1),  STENCILC_LIBRARY(sin, 1),
      STENCILC_LIBRARY(cos, 1),  STENCILC_LIBRARY(tan, 1),    STENCILC_LIBRARY(asin, 1),
      STENCILC_LIBRARY(acos, 1), STENCILC_LIBRARY(atan, 1),   STENCILC_LIBRARY(sinh, 1),
      STENCILC_LIBRARY(cosh, 1), STENCILC_LIBRARY(tanh, 1),   STENCILC_LIBRARY(cbrt, 1),
      STENCILC_LIBRARY(pow, 2),  STENCILC_LIBRARY(atan2, 2),  STENCILC_LIBRARY(hypot, 2),
      STENCILC_LIBRARY(fmod, 2),
  };
#undef STENCILC_THREADS
#undef STENCILC_LIBRARY
  for (const auto& more : {copy_functions(), texture_fetches()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace stencilc::check
