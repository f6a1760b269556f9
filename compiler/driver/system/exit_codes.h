// How the program ends: docs/cli.md says what each code means.
#pragma once

namespace stencilc::driver {

inline constexpr int kOk = 0;
inline constexpr int kDiagnostics = 1;  // the input or the output is wrong, and was told so
inline constexpr int kUsage = 2;        // the command line is wrong
inline constexpr int kInputOutput = 3;  // a file cannot be read or written
inline constexpr int kLimit = 4;        // a resource limit
inline constexpr int kInternal = 70;    // a bug of the compiler

}  // namespace stencilc::driver
