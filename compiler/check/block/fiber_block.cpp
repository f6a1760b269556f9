#include "check/block/fiber_block.h"

#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "check/block/device_copies.h"

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __asan_unpoison_memory_region(const volatile void* address, size_t bytes);
#endif

namespace stencilc::check {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

constexpr uint32_t max_threads = 1024;
constexpr uint32_t most_arrivals = (1 << 20) - 1;
constexpr uint32_t most_bytes = (1 << 20) - 1;

// The value in shared memory that marks a barrier.
uint64_t mark_of(const char* at) { return reinterpret_cast<uintptr_t>(at) ^ 0x4241'5252'4945'5221; }

// The block whose threads run on this CPU thread.
thread_local FiberBlock* running_block = nullptr;

// The next bit of `set` after bit `after` in the order, wrapping around. `set` is not empty.
uint32_t next_bit(uint32_t set, uint32_t after, ThreadOrder order) {
  if (order == ThreadOrder::ascending) {
    const uint32_t later = set & ~((uint32_t{2} << after) - 1);
    return static_cast<uint32_t>(std::countr_zero(later != 0 ? later : set));
  }
  const uint32_t later = set & ((uint32_t{1} << after) - 1);
  return 31 - static_cast<uint32_t>(std::countl_zero(later != 0 ? later : set));
}

// The first bit of `set` in the order.
uint32_t first_bit(uint32_t set, ThreadOrder order) {
  return next_bit(set, order == ThreadOrder::ascending ? 31 : 0, order);
}

}  // namespace

Stacks::Stacks() {
  void* mapped = mmap(nullptr, distance * max_threads, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<char*>(mapped);
  for (size_t i = 0; i < max_threads; ++i)
    if (mprotect(base_ + i * distance, page, PROT_NONE) != 0) throw std::bad_alloc();
}
Stacks::~Stacks() { munmap(base_, distance * max_threads); }

char* Stacks::overflowed(const void* address) const {
  const auto at = reinterpret_cast<uintptr_t>(address), base = reinterpret_cast<uintptr_t>(base_);
  if (at < base || at >= base + distance * max_threads) return nullptr;
  return (at - base) % distance < page ? top(static_cast<uint32_t>((at - base) / distance))
                                       : nullptr;
}

void Stacks::forget_frames([[maybe_unused]] uint32_t index) const {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(base_ + index * distance + page, distance - page);
#endif
}

FiberBlock::FiberBlock() : threads_(max_threads) {}

void FiberBlock::place(Thread& thread, uint32_t index) {
  const uint32_t(&size)[3] = launch_->block;
  thread.index = index;
  thread.thread[0] = index % size[0];
  thread.thread[1] = index / size[0] % size[1];
  thread.thread[2] = index / size[0] / size[1];
  thread.groups = 0;
  thread.copies.clear();
}

void FiberBlock::prepare(const Launch& launch, const uint32_t (&block)[3], char* shared) {
  launch_ = &launch;
  count_ = launch.block[0] * launch.block[1] * launch.block[2];
  alive_ = count_;
  waiting_ = 0;
  shared_ = shared;
  phase_barriers_.clear();
  boxes_.clear();
  landings_.clear();
  awaited_ = nullptr;
  fault_.clear();
  // If no thread ever waits, one context serves all threads.
  const uint32_t contexts = launch.kernel->waits ? count_ : 1;
  for (uint32_t i = 0; i < contexts; ++i) {
    Thread& thread = threads_[i];
    for (int axis = 0; axis < 3; ++axis) {
      thread.block[axis] = block[axis];
      thread.block_size[axis] = launch.block[axis];
      thread.grid_size[axis] = launch.grid[axis];
    }
    thread.shared = shared;
    thread.owner = this;
    stacks_.forget_frames(i);
    thread.at = make_fcontext(stacks_.top(i), Stacks::size,
                              launch.kernel->waits ? thread_main : sequence_main);
    place(thread, i);
  }
  ready_warps_ = 0;
  for (uint32_t w = 0; w * 32 < count_; ++w) {
    const uint32_t left = count_ - w * 32;
    Warp& warp = warps_[w];
    warp.lanes = left >= 32 ? ~uint32_t{0} : (uint32_t{1} << left) - 1;
    warp.ready = warp.alive = warp.lanes;
    warp.arrived = 0;
    ready_warps_ |= uint32_t{1} << w;
  }
}

std::string FiberBlock::run(const Launch& launch, const uint32_t (&block)[3], char* shared) {
  prepare(launch, block, shared);
  Thread& start = launch.kernel->waits ? first() : threads_[0];
  current_ = &start;
  return enter();
}

std::string FiberBlock::enter() {
  running_block = this;
  {
    const TrapScope traps(*this);
    const transfer_t from = jump_fcontext(current_->at, &outside_);
    if (awaited_) current_->at = from.fctx;
  }
  running_block = nullptr;
  return fault_;
}

std::string FiberBlock::go_on() { return enter(); }

bool FiberBlock::await(const std::function<bool()>& reached) {
  if (reached()) return true;
  awaited_ = reached;
  const transfer_t from = jump_fcontext(outside_.at, current_);
  static_cast<Context*>(from.data)->at = from.fctx;
  awaited_ = nullptr;
  return reached();
}

void FiberBlock::thread_main(transfer_t from) {
  static_cast<Context*>(from.data)->at = from.fctx;
  FiberBlock& block = *running_block;
  Thread& self = *block.current_;
  block.launch_->kernel->entry(block.launch_->arguments, &self);
  block.leave(self);
}

void FiberBlock::sequence_main(transfer_t from) {
  static_cast<Context*>(from.data)->at = from.fctx;
  FiberBlock& block = *running_block;
  Thread& self = *block.current_;
  const bool ascending = block.mode().order == ThreadOrder::ascending;
  for (uint32_t i = 0; i < block.count_; ++i) {
    block.place(self, ascending ? i : block.count_ - 1 - i);
    block.launch_->kernel->entry(block.launch_->arguments, &self);
  }
  jump_fcontext(block.outside_.at, &self);
}

void FiberBlock::switch_from(Context& self, Thread& next) {
  current_ = &next;
  const transfer_t from = jump_fcontext(next.at, &self);
  static_cast<Context*>(from.data)->at = from.fctx;
}

void FiberBlock::stop_running(Thread& self) {
  Warp& warp = warps_[self.index / 32];
  warp.ready &= ~(uint32_t{1} << self.index % 32);
  if (warp.ready == 0) ready_warps_ &= ~(uint32_t{1} << self.index / 32);
}

Thread* FiberBlock::next_ready(const Thread& self) {
  uint32_t warp = self.index / 32;
  if (warps_[warp].ready != 0)
    return &threads_[warp * 32 + next_bit(warps_[warp].ready, self.index % 32, mode().order)];
  if (ready_warps_ == 0) return nullptr;
  warp = next_bit(ready_warps_, warp, mode().order);
  return &threads_[warp * 32 + first_bit(warps_[warp].ready, mode().order)];
}

Thread& FiberBlock::first() {
  const uint32_t warp = first_bit(ready_warps_, mode().order);
  return threads_[warp * 32 + first_bit(warps_[warp].ready, mode().order)];
}

void FiberBlock::make_ready(const Thread& thread) {
  warps_[thread.index / 32].ready |= uint32_t{1} << thread.index % 32;
  ready_warps_ |= uint32_t{1} << thread.index / 32;
}

// A thread that waits for a phase can be ready again when this is called, or become ready here.
void FiberBlock::wait(Thread& self) {
  Thread* next = next_ready(self);
  while (next == nullptr && (land_awaited_box() || land_awaited_copies())) next = next_ready(self);
  if (next == nullptr) fail(deadlock());
  if (next != &self) switch_from(self, *next);
}

std::string FiberBlock::deadlock() const {
  std::string phases;
  for (const auto& [at, barrier] : phase_barriers_) {
    if (barrier.waiting.empty()) continue;
    phases += (phases.empty() ? ": " : ", ") + std::to_string(barrier.waiting.size()) +
              " for a phase that misses " + what_is_missing(barrier);
  }
  if (!phases.empty()) return "all threads wait" + phases;
  return "all threads wait, some at a barrier and some at a warp operation";
}

void FiberBlock::leave(Thread& self) {
  Warp& warp = warps_[self.index / 32];
  warp.alive &= ~(uint32_t{1} << self.index % 32);
  --alive_;
  stop_running(self);
  if (waiting_ != 0) fail("divergent barrier: this thread has ended while others wait");
  if (warp.arrived != 0)
    fail("divergent warp operation: this thread has ended while others of its warp wait");
  if (alive_ == 0) {
    if (boxes_under_way())
      fail("the block ends while it copies boxes that no thread has waited for");
    if (!landings_.empty())
      fail("the block ends before copies that no thread has waited for are finished");
    jump_fcontext(outside_.at, &self);
  }
  wait(self);
}

void FiberBlock::barrier(Thread& self, uint32_t site) {
  if (waiting_ == 0) barrier_site_ = site;
  if (site != barrier_site_)
    fail("divergent barrier: this thread waits at another barrier than the others");
  if (alive_ != count_) fail("divergent barrier: this thread waits while others have ended");
  stop_running(self);
  if (++waiting_ != count_) return wait(self);
  waiting_ = 0;
  for (uint32_t w = 0; w * 32 < count_; ++w) {
    warps_[w].ready = warps_[w].lanes;
    ready_warps_ |= uint32_t{1} << w;
  }
  if (Thread& next = first(); &next != &self) switch_from(self, next);
}

const uint64_t* FiberBlock::exchange(Thread& self, uint32_t site, uint32_t mask, uint64_t value) {
  Warp& warp = warps_[self.index / 32];
  const uint32_t bit = uint32_t{1} << self.index % 32;
  mask &= warp.lanes;
  if ((mask & bit) == 0) fail("a warp operation whose mask leaves out the calling lane");
  if ((mask & ~warp.alive) != 0)
    fail("divergent warp operation: this thread waits for lanes that have ended");
  if (warp.arrived == 0) {
    warp.mask = mask;
    warp.site = site;
  }
  if (warp.mask != mask || warp.site != site) {
    fail("divergent warp operation: this thread waits at another one than the other lanes");
  }
  const uint64_t* values = warp.slots[warp.round % 2];
  warp.slots[warp.round % 2][self.index % 32] = value;
  warp.arrived |= bit;
  if (warp.arrived != mask) {
    stop_running(self);
    wait(self);
    return values;
  }
  warp.arrived = 0;
  ++warp.round;
  warp.ready |= mask;
  return values;
}

// Barriers with phases, and copies of boxes.

bool FiberBlock::in_shared(const void* address, size_t bytes) const {
  const char* at = static_cast<const char*>(address);
  const char* end = shared_ + launch_->kernel->dynamic_offset + launch_->dynamic_shared;
  return at >= shared_ && at <= end && bytes <= static_cast<size_t>(end - at);
}

void FiberBlock::make_barrier(Thread& self, char* at, uint32_t count) {
  if (!in_shared(at, sizeof(uint64_t))) fail("a barrier that does not lie in shared memory");
  if (reinterpret_cast<uintptr_t>(at) % 8 != 0) fail("a misaligned barrier");
  if (count < 1 || count > most_arrivals) fail("a barrier with no arrivals, or with too many");
  PhaseBarrier& barrier = phase_barriers_[at];
  if (!barrier.waiting.empty() || barrier.boxes + barrier.unseen != 0)
    fail("a barrier that is in use is initialised again");
  barrier = {};
  barrier.count = barrier.missing = count;
  barrier.maker = &self;
  const uint64_t mark = mark_of(at);
  std::memcpy(at, &mark, sizeof mark);
}

void FiberBlock::fence_barriers(const Thread& self) {
  for (auto& [at, barrier] : phase_barriers_) {
    if (barrier.maker == &self) barrier.maker = nullptr;
  }
}

PhaseBarrier& FiberBlock::barrier_at(const char* at) {
  const auto found = phase_barriers_.find(at);
  if (found == phase_barriers_.end()) fail("a barrier that is not initialised");
  uint64_t mark = 0;
  std::memcpy(&mark, at, sizeof mark);
  if (mark != mark_of(at)) fail("a barrier that was overwritten");
  PhaseBarrier& barrier = found->second;
  if (barrier.maker != nullptr) fail("a barrier whose initialisation is not fenced");
  return barrier;
}

void FiberBlock::arrive(Thread& self, const char* at, uint32_t bytes) {
  PhaseBarrier& barrier = barrier_at(at);
  if (barrier.missing == 0) fail("an arrival at a phase that is already complete");
  barrier.bytes += bytes;
  if (bytes > most_bytes || barrier.bytes > most_bytes)
    fail("a phase that expects more than 1048575 bytes");
  --barrier.missing;
  // A thread that waited continues at once, before the other threads that this thread should have
  // waited for.
  if (Thread* woken = end_phase_if_complete(barrier)) switch_from(self, *woken);
}

Thread* FiberBlock::end_phase_if_complete(PhaseBarrier& barrier) {
  if (barrier.missing != 0 || barrier.bytes != 0) return nullptr;
  ++barrier.phase;
  barrier.missing = barrier.count;
  barrier.unseen += std::exchange(barrier.boxes, 0);
  Thread* woken = barrier.waiting.empty() ? nullptr : barrier.waiting.front();
  for (const Thread* thread : barrier.waiting) make_ready(*thread);
  barrier.waiting.clear();
  return woken;
}

// A thread that continues only after the next phase is also over keeps waiting, because the
// hardware distinguishes parities, not phases.
void FiberBlock::await(Thread& self, const char* at, uint32_t parity) {
  if (parity > 1) fail("a parity that is neither 0 nor 1");
  PhaseBarrier& barrier = barrier_at(at);
  while (!barrier.is_over(parity)) {
    barrier.waiting.push_back(&self);
    stop_running(self);
    wait(self);
  }
  barrier.unseen = 0;
}

void FiberBlock::copy_box(const TensorMap& map, const int32_t (&first)[3], char* to,
                          const char* at) {
  if (reinterpret_cast<uintptr_t>(to) % 128 != 0)
    fail("a box whose destination is not a multiple of 128");
  if (int64_t{first[0]} * map.element_size % 16 != 0)
    fail("a box whose rows begin at cell " + std::to_string(first[0]) +
         ", which is not a multiple of 16 bytes");
  if (!in_shared(to, map.box_bytes())) fail("a box that does not fit into shared memory");
  PhaseBarrier& barrier = barrier_at(at);
  boxes_.push_back({map, {first[0], first[1], first[2]}, to, &barrier});
  ++barrier.boxes;
  if (!can_land(boxes_.back())) fail("a box of a grid that is not memory of the device");
  if (mode().copies == CopyMode::eager) {
    land_box(boxes_.size() - 1);
  } else {
    std::memset(to, 0xFF, map.box_bytes());
  }
}

void FiberBlock::land_box(size_t number) {
  const PendingBox box = boxes_[number];
  boxes_.erase(boxes_.begin() + static_cast<ptrdiff_t>(number));
  land(box);
  box.barrier->bytes -= box.map.box_bytes();
  end_phase_if_complete(*box.barrier);
}

// Copies can overtake each other: in one of the two orders the youngest comes first.
bool FiberBlock::land_awaited_box() {
  const bool oldest = mode().order == ThreadOrder::ascending;
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const size_t number = oldest ? i : boxes_.size() - 1 - i;
    if (boxes_[number].barrier->waiting.empty()) continue;
    land_box(number);
    return true;
  }
  return false;
}

void FiberBlock::arrive_landed(Thread& self, const char* at) {
  PhaseBarrier& barrier = barrier_at(at);
  landings_.push_back({std::exchange(self.copies, {}), &barrier});
  if (mode().copies == CopyMode::late && !landings_.back().copies.empty()) return;
  for (const PendingCopy& copy : landings_.back().copies) land(copy);
  landings_.pop_back();
  arrive(self, at, 0);
}

bool FiberBlock::land_awaited_copies() {
  const bool oldest = mode().order == ThreadOrder::ascending;
  for (size_t i = 0; i < landings_.size(); ++i) {
    const size_t number = oldest ? i : landings_.size() - 1 - i;
    if (landings_[number].barrier->waiting.empty()) continue;
    const Landing landing = std::move(landings_[number]);
    landings_.erase(landings_.begin() + static_cast<ptrdiff_t>(number));
    for (const PendingCopy& copy : landing.copies) land(copy);
    if (landing.barrier->missing == 0) fail("an arrival at a phase that is already complete");
    --landing.barrier->missing;
    end_phase_if_complete(*landing.barrier);
    return true;
  }
  return false;
}

bool FiberBlock::boxes_under_way() const {
  uint32_t count = 0;
  for (const auto& [at, barrier] : phase_barriers_) count += barrier.boxes + barrier.unseen;
  return count != 0 || !boxes_.empty();
}

void FiberBlock::fail(std::string text) {
  auto point = [](const uint32_t(&p)[3]) {
    return "(" + std::to_string(p[0]) + "," + std::to_string(p[1]) + "," + std::to_string(p[2]) +
           ")";
  };
  const ThreadView& at = *current_;
  fault_ = "block " + point(at.block) + " thread " + point(at.thread) + ": " + text;
  std::string().swap(text);
  jump_fcontext(outside_.at, current_);
  __builtin_unreachable();
}

}  // namespace stencilc::check
