// Schedules the threads of the running block. Internal to the .cpp files of this room that run
// device code.
#pragma once

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/block/block.h"
#include "check/block/phase_barrier.h"

namespace stencilc::check {

class FiberBlock;

struct Context {
  boost::context::detail::fcontext_t at = nullptr;  // where it continues
};

struct PendingCopy {
  void* to;
  const void* from;
  uint32_t bytes;
  uint32_t valid;
  uint32_t group;
};

struct Thread : ThreadView, Context {
  FiberBlock* owner = nullptr;
  uint32_t index = 0;   // x fastest; determines warp and lane
  uint32_t groups = 0;  // asynchronous copy groups committed
  std::vector<PendingCopy> copies;
};

inline Thread& thread_of(const ThreadView* view) {
  return *static_cast<Thread*>(const_cast<ThreadView*>(view));
}

struct Warp {
  uint32_t ready = 0;    // lanes that can run
  uint32_t alive = 0;    // lanes that have not left the kernel
  uint32_t lanes = 0;    // lanes that exist
  uint32_t arrived = 0;  // lanes that wait at the warp operation `site`
  uint32_t mask = 0;
  uint32_t site = 0;
  uint32_t round = 0;  // warp operations so far: the parity selects the slots, so that a fast lane
                       // does not overwrite them
  uint64_t slots[2][32];
};

// Stacks for all threads of the largest block, mapped once and touched when needed. Before each
// there is a guard page.
class Stacks {
 public:
  static constexpr size_t size = 512 * 1024;
  Stacks();
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  // Tells AddressSanitizer that a stack has no frames, because threads that end are not unwound.
  void forget_frames(uint32_t index) const;
  // At different offsets in a page; otherwise all would share a few cache sets.
  char* top(uint32_t index) const { return base_ + (index + 1) * distance - index % 12 * 320; }
  // The top of the stack that overflowed at this address, or null.
  char* overflowed(const void* address) const;

 private:
  static constexpr size_t page = 4096;
  static constexpr size_t distance = page + size + page;
  char* base_;
};

class FiberBlock {
 public:
  FiberBlock();

  // Runs one block. Returns the fault, or "".
  std::string run(const Launch& launch, const uint32_t (&block)[3], char* shared);
  // It returns as well when a thread waits for what only others can bring about; this goes on then.
  std::string go_on();
  const std::function<bool()>& awaited() const { return awaited_; }  // or there is nothing
  // Waits for that. False: it did not come.
  bool await(const std::function<bool()>& reached);

  // Waits until all threads of the block have arrived.
  void barrier(Thread& self, uint32_t site);

  // Provides `value` and waits until all lanes of `mask` have done so. Returns the values by lane;
  // they are valid until the second next operation of the calling lane.
  const uint64_t* exchange(Thread& self, uint32_t site, uint32_t mask, uint64_t value);

  // Barriers with phases, at their addresses in shared memory. `arrive` adds to the bytes that the
  // phase expects.
  void make_barrier(Thread& self, char* at, uint32_t count);
  void fence_barriers(const Thread& self);
  void arrive(Thread& self, const char* at, uint32_t bytes);
  // Arrives when the copies that the thread has started are finished.
  void arrive_landed(Thread& self, const char* at);
  void await(Thread& self, const char* at, uint32_t parity);
  void copy_box(const TensorMap& map, const int32_t (&first)[3], char* to, const char* barrier);

  // Whether the range is between the first shared variable and the end of the last one.
  bool in_shared(const void* address, size_t bytes) const;

  // Ends the launch and never returns. Objects on the stack of the calling thread are not
  // destroyed.
  [[noreturn]] void fail(std::string text);

  RunMode mode() const { return launch_->mode; }
  const Stacks& stacks() const { return stacks_; }
  uint32_t lanes_of_warp(const Thread& thread) const { return warps_[thread.index / 32].lanes; }

 private:
  std::string enter();
  static void thread_main(boost::context::detail::transfer_t from);
  static void sequence_main(boost::context::detail::transfer_t from);
  void prepare(const Launch& launch, const uint32_t (&block)[3], char* shared);
  void place(Thread& thread, uint32_t index);
  void leave(Thread& self);
  void wait(Thread& self);
  void switch_from(Context& self, Thread& next);
  void stop_running(Thread& self);
  Thread* next_ready(const Thread& self);
  Thread& first();
  void make_ready(const Thread& thread);
  std::string deadlock() const;

  PhaseBarrier& barrier_at(const char* at);
  // A thread that waited for the phase and is now ready, if there is one.
  Thread* end_phase_if_complete(PhaseBarrier& barrier);
  void land_box(size_t number);
  // Copies one of the boxes that a thread waits for; false if there is none. The other function
  // does the same for the copies of one thread.
  bool land_awaited_box();
  bool land_awaited_copies();
  bool boxes_under_way() const;

  const Launch* launch_ = nullptr;
  uint32_t count_ = 0;    // threads of the block
  uint32_t alive_ = 0;    // threads that have not left the kernel
  uint32_t waiting_ = 0;  // threads at the barrier `barrier_site_`
  uint32_t barrier_site_ = 0;
  uint32_t ready_warps_ = 0;
  std::array<Warp, 32> warps_;
  std::vector<Thread> threads_;
  char* shared_ = nullptr;
  std::map<const char*, PhaseBarrier> phase_barriers_;
  std::vector<PendingBox> boxes_;  // that are not yet copied, oldest first
  struct Landing {
    std::vector<PendingCopy> copies;
    PhaseBarrier* barrier;
  };
  std::vector<Landing> landings_;  // after which a thread arrives, oldest first
  Thread* current_ = nullptr;
  Stacks stacks_;
  Context outside_;
  std::function<bool()> awaited_;
  std::string fault_;
};

// Catches memory faults and traps of device code: during its lifetime, a signal on this CPU thread
// ends the launch through `block.fail`.
class TrapScope {
 public:
  explicit TrapScope(FiberBlock& block);
  ~TrapScope();
};

}  // namespace stencilc::check
