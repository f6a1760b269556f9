// Builds a compiled stencil with nvcc or the host compiler, or loads it into the executor, and
// gives a function to call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/front_end/source.h"
#include "check/plugin/plugin.h"
#include "driver/pipeline/compile.h"
#include "runtime/include/stencil/host_call.h"

namespace stencilc::driver {

// A place where a stencil runs. `call` is stencilc_host_call of
// runtime/include/stencil/host_call.h.
struct Machine {
  std::function<int(stencil_host_call*)> call;
  // Faults during a run that the status of the call does not contain; only the executor has any.
  std::function<std::vector<std::string>()> faults = [] { return std::vector<std::string>(); };
  // Sets how the executor runs from now on; see execute(). Other machines ignore it.
  std::function<void(bool late, bool descending)> set_mode = [](bool, bool) {};
  // Sets what the executor has for calls of this CPU thread from now on: so many devices, on which
  // operations on streams run later, in an order that the seed draws, or for the seed 0 at once;
  // for 0 devices one, on which they run at once.
  std::function<void(int count, uint64_t seed)> set_devices = [](int, uint64_t) {};
  bool shares_memory = false;  // can the host read memory of the device? The executor's, it can.
  std::string problem;         // why `call` is empty
  bool tool_missing = false;   // because a compiler is not installed
  std::string description;     // "GPU", "CPU, 2 cores"
};

// How a compiler is called.
struct Compiler {
  std::vector<std::string> command;  // without sources, include folders and output
  std::string extension;             // of the sources
  std::string missing;               // what to do if the compiler is missing
};

// The shared library of a stencil and its adapter.
struct Library {
  std::string path;
  std::string log;      // the output of its compiler; for nvcc with the registers of each kernel
  std::string problem;  // why there is no library
  bool tool_missing = false;  // because a compiler is not installed
};
// Libraries are cached by their whole content: source, runtime, compiler and flags. Several threads
// may build at the same time.
Library build_library(const Compiled& compiled, const std::string& adapter, plan::Target target,
                      const std::vector<std::string>& archs);
// The library of a source of this project's own, which includes runtime headers.
Library build_plugin(const std::string& name, const std::string& source, const Compiler& compiler);
// The same for the files of several stencils, and an adapter of any content.
struct Sources {
  std::string name;  // of the folder in the cache
  std::string file;  // stem of the source
  std::string source;
  std::string header_name, header;
  std::string adapter_file, adapter;  // a translation unit of its own, its stem and its text
};
Library build_library(const Sources& sources, plan::Target target,
                      const std::vector<std::string>& archs);
// A function of a library, which stays loaded; or null, with the reason in `problem`.
void* find_function(const Library& library, const char* name, std::string& problem);
std::string description_of(plan::Target target);

// Loads a library that holds the adapter of `stencilc run`.
Machine load(const Library& library, plan::Target target);

// Builds the library of `stencilc run` and loads it.
Machine build(const Compiled& compiled, plan::Target target, const std::vector<std::string>& archs);

// What to do where the room `check` is missing, which needs Clang.
inline constexpr const char* kHowToAddClang =
    "to check CUDA code, or to run it without a GPU, run `./scripts/bootstrap && ./scripts/build` "
    "in "
    "the repository of stencilc, which installs LLVM/Clang 22";

// Runs the emitted .cu on the CPU. `late`: asynchronous copies happen as late as possible;
// `descending`: threads run in descending order.
Machine execute(const Compiled& compiled, bool late, bool descending);

// The machine for a program that the executor has loaded, and the name of its entry.
Machine machine_of(const std::shared_ptr<check::Executor>& executor, const check::CheckApi& api,
                   const std::string& entry);
// The headers that every emitted .cu reads with its adapter; those of programs for pieces of a grid
// are twice as many.
inline const char* executor_prelude(bool pieces) {
  return pieces ? "#include <stencil/mesh_cuda.h>\n#include <stencil/cuda_snapshot.h>\n"
                  "#include <stencil/host_call.h>\n"
                : "#include <stencil/cuda.h>\n#include <stencil/cuda_snapshot.h>\n"
                  "#include <stencil/host_call.h>\n";
}

// The compiler for the libraries of a target, for a source of this many lines. Without
// architectures, it builds for the GPUs of this machine.
Compiler compiler_for(plan::Target target, const std::vector<std::string>& archs,
                      int64_t lines = 0);

// Whether there are a GPU and nvcc.
bool has_gpu();
std::string gpu_missing();  // Why has_gpu() is false.
bool has_nvcc();

// Adds the runtime headers under the names by which emitted code includes them.
void add_runtime_files(std::vector<check::MemoryFile>& files);

}  // namespace stencilc::driver
