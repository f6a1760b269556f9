// From kernels to text: the only room that knows how CUDA and C++ are spelt. What it returns is
// formatted as clang-format with style() would format it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel/module.h"

namespace stencilc::emit {

// STENCIL_RUNTIME of the headers that emitted code is for: docs/versions.md.
inline constexpr int kRuntimeVersion = 1;

enum class Dialect { cuda, cpu };

struct Options {
  Dialect dialect = Dialect::cuda;
  bool line_directives = false;
  std::string version;  // of the compiler, for the header block
  // --standalone: the text of the runtime, to stand in the header in place of its #include; empty:
  // the #include.
  std::string runtime_text;
  std::string c_text;  // and that of the headers for callers in C
};

// The .cu, or the .cpp of the CPU target, with all stencils of a .stn, and the .h beside it.
std::string source(const std::vector<kernel::Module>& modules, const Options& options);
std::string header(const std::vector<kernel::Module>& modules, const Options& options);
// A macro that the .h defines, named after all that it declares. The .cu compiles with no other
// header, as one that a run left which was interrupted.
std::string header_mark(const std::vector<kernel::Module>& modules, const Options& options);
// The headers of the runtime that the .h includes, for C++ and for C.
std::vector<std::string> includes(const std::vector<kernel::Module>& modules,
                                  const Options& options);
std::vector<std::string> c_includes(const std::vector<kernel::Module>& modules);

// The adapter of runtime/include/stencil/host_call.h around the module's run call: a translation
// unit of its own that includes the header, or text that may follow source().
std::string host_call(const kernel::Module& module, const Options& options);
// The same around a program for pieces of a grid, which has no such call: it runs all of them.
std::string pieces_call(const kernel::Module& module, const Options& options);
// The same for runtime/include/stencil/bench_call.h, around either.
std::string bench_call(const kernel::Module& module, const Options& options);

// Of a shared library: its function stencil_manifest() returns the manifest, NAME_until() tells
// whether the condition of `iterate` holds, for callers that take the steps in pieces, and
// NAME_run_packed() takes the arguments of NAME_run() in words (stencil/callers.h). It does not
// compile where a C entry has other arguments than the manifest says.
std::string manifest_unit(const std::vector<kernel::Module>& modules, const std::string& manifest,
                          const Options& options);

}  // namespace stencilc::emit
