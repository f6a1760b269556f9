// A block of threads, run as fibers on one CPU thread.
//
// A thread runs until it waits: at a block barrier, at a warp operation, for a phase of a barrier,
// or at its end. Then the next thread that can run does, in the order asked for. What the threads
// of a block must not do is a fault: it ends the launch with a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stencilc::check {

// Asynchronous copies land at once, or as late as may be: those of a thread at the wait that
// demands them, boxes when nobody can go on without them. Until then their place holds poison.
enum class CopyMode { eager, late };
enum class ThreadOrder { ascending, descending };  // of threads, and of blocks
struct RunMode {
  CopyMode copies = CopyMode::eager;
  ThreadOrder order = ThreadOrder::ascending;
};

// What compiled device code reads; device_module.cpp knows the offsets. It does not change while a
// kernel runs.
struct ThreadView {
  uint32_t thread[3];
  uint32_t block[3];
  uint32_t block_size[3];
  uint32_t grid_size[3];
  char* shared;
};
static_assert(offsetof(ThreadView, shared) == 48);

// A kernel as compiled.
struct Kernel {
  struct Variable {  // a __shared__ variable of fixed size
    size_t offset;
    size_t bytes;
  };
  using Entry = void (*)(void** arguments, const ThreadView* self);
  std::string name;       // for messages
  Entry entry = nullptr;  // null until compile() was called
  // Makes machine code of it; returns why there is none, or "".
  std::function<std::string()> compile;
  bool waits = false;                // calls a barrier or a warp operation
  std::vector<Variable> shared;      // ascending
  size_t static_bytes = 0;           // of them all, without the gaps between them
  size_t dynamic_offset = 0;         // where dynamic shared memory starts
  size_t max_threads = 1024;         // __launch_bounds__
  size_t dynamic_limit = 48 * 1024;  // raised by cudaFuncSetAttribute
};

struct Launch {
  const Kernel* kernel;
  uint32_t grid[3];
  uint32_t block[3];
  void** arguments;
  size_t dynamic_shared;
  RunMode mode;
};

// Runs all blocks, one after another. Returns the first fault, or "".
std::string run_grid(const Launch& launch);

// The functions that device code calls, by name: those of the threads (`__stencil_*`, of which
// `self` and `site` are the first parameters) and those of the C library (`__host_*`).
struct DeviceFunction {
  const char* name;
  void* address;
};
std::vector<DeviceFunction> device_functions();

}  // namespace stencilc::check
