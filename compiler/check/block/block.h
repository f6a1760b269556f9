// Runs a block of threads as fibers on one CPU thread.
//
// A thread runs until it waits (at a block barrier, at a warp operation, or for a phase of a
// barrier) or ends. Then the next thread that can run continues, in the chosen order. An action
// that is not allowed is a fault, which ends the launch with a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace stencilc::check {

// Asynchronous copies happen at once, or as late as possible: those of a thread at the wait that
// requires them, boxes when no thread can go on without them. Until then their destination holds
// poison.
enum class CopyMode { eager, late };
enum class ThreadOrder { ascending, descending };  // of threads, and of blocks
struct RunMode {
  CopyMode copies = CopyMode::eager;
  ThreadOrder order = ThreadOrder::ascending;
};

// What compiled device code reads; device_module.cpp knows the offsets. It is constant while a
// kernel runs.
struct ThreadView {
  uint32_t thread[3];
  uint32_t block[3];
  uint32_t block_size[3];
  uint32_t grid_size[3];
  char* shared;
};
static_assert(offsetof(ThreadView, shared) == 48);

// A compiled kernel.
struct Kernel {
  struct Variable {  // a __shared__ variable of fixed size
    size_t offset;
    size_t bytes;
  };
  using Entry = void (*)(void** arguments, const ThreadView* self);
  std::string name;       // for messages
  Entry entry = nullptr;  // null before compile() was called
  // Compiles it to machine code. Returns why that failed, or "".
  std::function<std::string()> compile;
  std::vector<size_t> argument_bytes;
  bool waits = false;                // calls a barrier or a warp operation
  std::vector<Variable> shared;      // in ascending order
  size_t static_bytes = 0;           // of all of them, without the gaps
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

class FiberBlock;

// Runs all blocks of a launch, one after another.
class GridRun {
 public:
  explicit GridRun(const Launch& launch);
  ~GridRun();
  GridRun(const GridRun&) = delete;
  GridRun& operator=(const GridRun&) = delete;

  // False: a block waits for a word of memory that others have to write. If this is called again
  // and the word is not there, that is a fault.
  bool go();
  // Whether the word is there.
  std::function<bool()> awaited() const;
  // The first one, or "".
  const std::string& fault() const { return fault_; }

 private:
  class Shared;
  const Launch launch_;
  std::unique_ptr<FiberBlock> runner_;
  std::unique_ptr<Shared> shared_;
  uint64_t next_ = 0;  // block
  bool waits_ = false;
  std::string fault_;
};

// What this CPU thread does when a kernel has changed a word that streams may wait for. It runs no
// kernel.
std::function<void()>& when_counted();

// A function that device code calls, by name: functions of the executor (`__stencil_*`, whose first
// parameters are `self` and `site`) and of the C library (`__host_*`).
struct DeviceFunction {
  const char* name;
  void* address;
};
std::vector<DeviceFunction> device_functions();

}  // namespace stencilc::check
