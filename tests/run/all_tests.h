// Whether the long tests run: code of both compiles in either build.
#pragma once

namespace stencilc::run_test {

#ifdef STENCILC_ALL_TESTS
inline constexpr bool kAllTests = true;
#else
inline constexpr bool kAllTests = false;
#endif

}  // namespace stencilc::run_test
