// Runs the unchanged text of an emitted `.cu` file in this process, without a GPU.
//
// Clang and ORC compile both sides of the file: the device side for nvptx64 and then for this
// machine, the host side with a CUDA runtime whose device is the executor. A launch runs its blocks
// one after another, and the threads of a block as fibers; see block.h. Inline PTX cannot run:
// device code that needs it calls a small function of the prelude, which calls a function of
// shim/cuda_device.h if __STENCIL_EXECUTOR__ is defined.
//
// A fault is what a kernel must not do: a barrier that not all threads reach, a phase that never
// ends, unfinished copies at the end of a block, an access outside of allocations, a write into the
// red zone around an allocation or a shared variable, a misaligned access or asynchronous copy, an
// integer division by zero. The launch ends, the runtime reports cudaErrorLaunchFailure, and
// take_faults() tells what happened. Device and shared memory hold 0xFF bytes until they are
// written. Errors in host code are not caught.
//
// There is one device, and each operation on a stream ends before the call that asks for it, unless
// set_devices() says otherwise (devices.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/block/block.h"
#include "check/cuda/devices.h"
#include "check/front_end/source.h"

namespace stencilc::check {

struct Program {
  Source source;
  std::string
      adapter;  // C++ code appended to the text, in the same translation unit, for the caller
};

// A loaded program. One CPU thread can use it at a time; several programs can run at the same time.
class Executor;

struct Loaded {
  std::shared_ptr<Executor> executor;    // null if there are diagnostics
  std::vector<std::string> diagnostics;  // "file:line:col: text"
};
Loaded load(const Program& program);

// The address of an extern "C" function of the host side, or null. It is valid while the executor
// exists.
void* symbol(Executor& executor, const std::string& name);

// Sets how later launches run.
void set_mode(Executor& executor, RunMode mode);

// The faults since the last call, also of what is left to run, one message each:
// "laplace2d<int>: block (1,0,0) thread (3,2,0): ...".
std::vector<std::string> take_faults(Executor& executor);

}  // namespace stencilc::check
