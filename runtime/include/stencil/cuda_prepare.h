// What a first run does beside its stream, done before: then a run may be captured into a graph.
#pragma once

#include "cuda_map.h"
#include "cuda_probe.h"
#include "cuda_temporary.h"

namespace stencil {
inline namespace cuda {

// Tests the flags of this file, and loads the kernels that the host may launch. Not inline: it
// speaks for the flags that this file is compiled with.
template <typename... Kernels>
[[maybe_unused]] static Status prepare(const char* stencil, Kernels*... kernels) {
  char who[80];
  std::snprintf(who, sizeof who, "`%s`", stencil);
  Status status = probe::check_rounding(who);
  const void* const all[] = {reinterpret_cast<const void*>(kernels)...};
  for (const void* kernel : all) {
    cudaFuncAttributes attributes{};
    if (!status.ok()) break;
    status = cuda_status(cudaFuncGetAttributes(&attributes, kernel), who);
    if (!status.ok()) (void)cudaGetLastError();
  }
  return status;
}

// For kernels that copy boxes. Where the driver has no maps, runs do without them.
inline void prepare_maps() {
  maps::EncodeMap known = nullptr;
  (void)maps::find_encode_map("", &known);
  (void)cudaGetLastError();
}

// For values that are kept in memory of a pool.
inline void prepare_pool() { (void)detail::temporary_pool(); }

}  // namespace cuda
}  // namespace stencil
