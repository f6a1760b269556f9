// The self test of a file's floating-point flags and of the calling thread's rounding mode.
#pragma once

#include <cstdint>

#include "status.h"

namespace stencil {
inline namespace cpu {
namespace probe {

// Nothing here is inline: every file has its own copy, compiled with its own flags. The operands
// are volatile so that they are computed with at run time.

// What is wrong, or a null pointer.
[[maybe_unused]] static const char* rounding_fault() {
#if defined(__FAST_MATH__)
  return "the kernels were compiled with `-ffast-math`; compile them without it";
#else
  volatile float one = 1.0f, half = 0.5f, smallest_normal = 0x1p-126f;
  volatile float small = 0x1p-25f;
  if (!(smallest_normal * half > 0.0f))  // a product that is flushed, or an operand of `>`
    return "denormals are flushed to zero; compile and link without `-ffast-math` and leave the "
           "modes FTZ and DAZ off";
  if (one + small != 1.0f || -one - small != -1.0f || one + 6 * small != 1.0f + 0x1p-22f)
    return "results are not rounded to nearest; call with the rounding mode `FE_TONEAREST`";
  volatile float factor = 1.0f + 0x1p-12f, rounded_square = 1.0f + 0x1p-11f;
  const float product_and_sum = factor * factor - rounded_square;
  if (product_and_sum != 0.0f)
    return "products and sums are contracted; compile the kernels with `-ffp-contract=off`";
  return nullptr;
#endif
}

[[maybe_unused]] static Status check_rounding(const char* who) {
  const char* const fault = rounding_fault();
  return fault == nullptr ? Status() : failure(Code::fp_environment, "%s: %s", who, fault);
}

}  // namespace probe
}  // namespace cpu
}  // namespace stencil
