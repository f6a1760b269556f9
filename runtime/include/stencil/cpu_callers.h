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

namespace stencil {
namespace callers {

// NAME_run_packed(), for NAME_run().
template <typename... Values>
int run_packed(int (*run)(Values...), const stencil_packed& call) {
  const int code = run_with(run, call.arguments);
  (void)stencil_bring_home(call.levels, call.count, nullptr);  // which does not fail
  return code;
}

}  // namespace callers
}  // namespace stencil
