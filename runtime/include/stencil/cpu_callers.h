// The functions of callers.h, for arrays of the host.
#pragma once

#include "callers.h"

extern "C" __attribute__((used)) inline int stencil_bring_home(const stencil_level* levels,
                                                               int64_t count, void*) {
  using namespace stencil;
  for (int64_t n = 0; n < count; ++n) {
    if (levels[n].buffers[0] == levels[n].home) continue;
    (void)callers::copy_rows<HostMemory>(callers::joined(callers::copy_of(levels[n])), {});
    callers::put_home_first(levels[n]);
  }
  return STENCIL_OK;
}
