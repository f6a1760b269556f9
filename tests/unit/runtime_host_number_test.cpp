// Arithmetic of the host with the bits of the device (stencil/host_number.h), whatever the caller
// has set and the file is compiled with.
#include <gtest/gtest.h>
#include <stencil/host_number.h>

#include <cfenv>
#include <cmath>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

// Operands that no compiler folds.
template <typename T>
T opaque(T value) {
  volatile T kept = value;
  return kept;
}

TEST(RuntimeHostNumber, RoundsToNearestAndRestoresTheModeOfTheCaller) {
  const double third = 1.0 / 3;
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    double quotient, sum;
    {
      const stencil::host::DefaultRounding rounding;
      quotient = stencil::host::quotient(1.0, 3.0);
      sum = stencil::host::sum(1.0, 0x1p-53);
    }
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(quotient, third);
    EXPECT_EQ(sum, 1.0);
  }
}

#if defined(__SSE__)
TEST(RuntimeHostNumber, KeepsDenormalsWhereTheCallerFlushesThem) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // FTZ and DAZ, as files linked with -ffast-math set them
  float product, flushed;
  {
    const stencil::host::DefaultRounding rounding;
    product = stencil::host::product(0x1p-126f, 0.5f);
  }
  flushed = opaque(0x1p-126f) * opaque(0.5f);
  const bool was_flushed = opaque(flushed) == 0;
  _mm_setcsr(before);
  EXPECT_TRUE(was_flushed) << "the mode of the caller is set again";
  EXPECT_EQ(product, 0x1p-127f);
}
#endif

TEST(RuntimeHostNumber, RoundsEachOperationByItself) {
  const float a = opaque(1 + 0x1p-12f), b = opaque(1 + 0x1p-11f);
  EXPECT_EQ(stencil::host::difference(stencil::host::product(a, a), b), 0.0f);
  EXPECT_EQ(stencil::host::fused(a, a, -b), 0x1p-24f);
  EXPECT_EQ(stencil::host::root(2.0), std::sqrt(opaque(2.0)));
  EXPECT_EQ(stencil::host::real<float>(16777217), 16777216.0f);
  EXPECT_EQ(stencil::host::real<double>(-3), -3.0);
}

}  // namespace
