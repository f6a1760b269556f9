// The exit codes of the program: docs/cli.md explains them.
#pragma once

namespace stencilc::driver {

inline constexpr int kOk = 0;
inline constexpr int kDiagnostics = 1;  // errors in the input or in a run, which were reported
inline constexpr int kUsage = 2;        // the command line is wrong
inline constexpr int kInputOutput = 3;  // a file cannot be read or written
inline constexpr int kLimit = 4;        // a resource limit
inline constexpr int kInternal = 70;    // a bug in the compiler

}  // namespace stencilc::driver
