#include "driver/execute/openmp.h"

#include <dlfcn.h>

namespace stencilc::driver {

void end_openmp_threads() {
  // LLVM's OpenMP begins anew in a child by itself.
  void* const library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  constexpr int kPauseHard = 2;  // omp_pause_hard of omp.h
  if (auto* const pause = reinterpret_cast<int (*)(int)>(dlsym(library, "omp_pause_resource_all")))
    (void)pause(kPauseHard);
  (void)dlclose(library);
}

}  // namespace stencilc::driver
