// A compiled stencil as something to call: built by nvcc or the host compiler, or run by the
// executor.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/plugin.h"
#include "check/source.h"
#include "driver/pipeline/compile.h"
#include "runtime/include/stencil/host_call.h"

namespace stencilc::driver {

// Where a stencil runs. `call` is stencilc_host_call of runtime/include/stencil/host_call.h.
struct Machine {
  std::function<int(stencil_host_call*)> call;
  // What went wrong while it ran that the call's own status cannot tell: the executor's faults.
  std::function<std::vector<std::string>()> faults = [] { return std::vector<std::string>(); };
  // How the runs from now on go; the executor alone has a choice. See execute().
  std::function<void(bool late, bool descending)> set_mode = [](bool, bool) {};
  std::string problem;        // why there is none
  bool tool_missing = false;  // because a compiler is not installed
  std::string description;    // "GPU", "CPU, 2 cores"
};

// A shared library of a stencil and an adapter around it.
struct Library {
  std::string path;
  std::string log;            // what its compiler printed: of nvcc, the registers of each kernel
  std::string problem;        // why there is none
  bool tool_missing = false;  // because a compiler is not installed
};
// Libraries are kept in the cache (cache.h) by their whole content: source, runtime, compiler and
// flags. Several threads may build at once.
Library build_library(const Compiled& compiled, const std::string& adapter, plan::Target target,
                      const std::vector<std::string>& archs);
// A function of a library, which stays loaded; or null and the reason.
void* find_function(const Library& library, const char* name, std::string& problem);
std::string description_of(plan::Target target);

// Builds the library of `stencilc run` and loads it.
Machine build(const Compiled& compiled, plan::Target target, const std::vector<std::string>& archs);

// What to do where the room `check` is missing, which needs Clang.
inline constexpr const char* kHowToAddClang =
    "to check CUDA code, or to run it without a GPU, run `./scripts/bootstrap && ./scripts/build` "
    "in "
    "the repository of stencilc, which installs LLVM/Clang 22";

// Runs the emitted .cu on this machine's CPU, whatever it has. The modes: asynchronous copies late
// or at once, threads in either order.
Machine execute(const Compiled& compiled, bool late, bool descending);

// A program that the executor has loaded, by the name of its entry.
Machine machine_of(const std::shared_ptr<check::Executor>& executor, const check::CheckApi& api,
                   const std::string& entry);
// What every emitted .cu and its adapter begin with.
inline constexpr const char* kExecutorPrelude =
    "#include <stencil/cuda.h>\n#include <stencil/host_call.h>\n";

// What builds the libraries of a target, for the GPUs of this machine where no architectures are
// named, of a source of so many lines.
struct Compiler {
  std::vector<std::string> command;  // without sources, include folders and output
  std::string extension;             // of the sources
  std::string missing;               // what to do where there is no such compiler
};
Compiler compiler_for(plan::Target target, const std::vector<std::string>& archs,
                      int64_t lines = 0);

// Is there a GPU, and nvcc to build for it?
bool has_gpu();
std::string gpu_missing();  // why has_gpu() says no
bool has_nvcc();

// The runtime headers under the names emitted code includes them by.
void add_runtime_files(std::vector<check::MemoryFile>& files);

}  // namespace stencilc::driver
