// Runs the unchanged text of an emitted `.cu` file in this process, without a GPU.
//
// Both sides of the file are compiled by Clang and by ORC: the device side for nvptx64 and then for
// this machine, the host side with a CUDA runtime whose device is played by the executor. A launch
// runs its blocks one after another, the threads of a block as fibers; see block.h. Inline PTX
// cannot run: device code that needs it calls a small function of the prelude, which, where
// __STENCIL_EXECUTOR__ is defined, calls one of the functions that shim/cuda_device.h declares.
//
// What a kernel must not do is a fault: a barrier that not all threads reach, a phase that never
// ends, copies that are under way when the block ends, an access outside of an allocation, a write
// into the red zone around one or around a shared variable, a misaligned access or asynchronous
// copy, an integer division by zero. The launch ends, the runtime reports cudaErrorLaunchFailure,
// and take_faults() tells what happened. Device and shared memory hold 0xFF
// bytes until they are written. Host code that goes wrong is not caught.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/block.h"
#include "check/source.h"

namespace stencilc::check {

struct Program {
  Source source;
  std::string adapter;  // C++ appended to the text, in the same translation unit: what the caller
                        // wants to call
};

// A loaded program. It is used by one CPU thread at a time; several may live and run side by side.
class Executor;

struct Loaded {
  std::shared_ptr<Executor> executor;    // null when there are diagnostics
  std::vector<std::string> diagnostics;  // "file:line:col: text"
};
Loaded load(const Program& program);

// The address of an extern "C" function of the host side, or null. It is valid as long as the
// executor lives.
void* symbol(Executor& executor, const std::string& name);

// How the launches from now on run.
void set_mode(Executor& executor, RunMode mode);

// The faults since the last call, one text each: "laplace2d<int>: block (1,0,0) thread (3,2,0):
// ...".
std::vector<std::string> take_faults(Executor& executor);

}  // namespace stencilc::check
