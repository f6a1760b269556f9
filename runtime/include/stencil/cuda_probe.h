// The self test of a file's floating-point flags. `-use_fast_math` and `-ftz=true` change the
// results of every kernel of a file and no macro reveals them, so that one thread computes what
// they would change. For files that nvcc compiles.
#pragma once

#include <cuda_runtime.h>

#include "cuda_status.h"

namespace stencil {
inline namespace cuda {
namespace probe {

// Nothing here is inline: every file has its own copy, compiled with its own flags.

// Sets bit 0 if denormals are flushed, bit 1 if division and bit 2 if the square root is
// approximate. The operands are arguments so that they are computed with on the device.
[[maybe_unused]] static __global__ void rounding(unsigned* faults, float denormal, float first) {
  unsigned found = 0;
  if (!(__fmul_rn(denormal, 1.0f) > 0.0f)) found |= 1u;
  float a = first;
  for (int i = 0; i < 32; ++i) {
    const float b = __fadd_rn(__fmul_rn(a, 0.7548777f), 0.31f);
    if (a / b != __fdiv_rn(a, b)) found |= 2u;
    if (sqrtf(a) != __fsqrt_rn(a)) found |= 4u;
    a = __fadd_rn(__fmul_rn(a, 1.3247179f), 0.01f);
  }
  *faults = found;
}

[[maybe_unused]] static Status run(const char* who, unsigned* faults) {
  unsigned* on_device = nullptr;
  cudaError_t error = cudaMalloc(&on_device, sizeof *on_device);
  if (error != cudaSuccess) return cuda_status(error, who);
  rounding<<<1, 1>>>(on_device, 1e-40f, 1.0f);
  error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaMemcpy(faults, on_device, sizeof *faults, cudaMemcpyDeviceToHost);
  (void)cudaFree(on_device);
  return cuda_status(error, who);
}

// Runs the test once for this file and process; only its outcome is kept, not a failure to run it.
[[maybe_unused]] static Status check_rounding(const char* who) {
  constexpr unsigned unknown = ~0u;
  static unsigned known = unknown;
  unsigned faults = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (faults == unknown) {
    const Status status = run(who, &faults);
    if (!status.ok()) return status;
    __atomic_store_n(&known, faults, __ATOMIC_RELAXED);
  }
  if (faults == 0) return {};
  return failure(Code::fp_environment,
                 "%s: the kernels were compiled with %s; compile them without `-use_fast_math`, "
                 "`-ftz=true`, `-prec-div=false` and `-prec-sqrt=false`",
                 who,
                 (faults & 1u) != 0   ? "denormals flushed to zero"
                 : (faults & 2u) != 0 ? "approximate division"
                                      : "approximate square roots");
}

}  // namespace probe
}  // namespace cuda
}  // namespace stencil
