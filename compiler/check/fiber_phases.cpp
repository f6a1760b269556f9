// Implements barriers with phases and copies of boxes for the threads of a block.
#include <cstring>
#include <utility>

#include "check/device_copies.h"
#include "check/fiber_block.h"

namespace stencilc::check {
namespace {

constexpr uint32_t most_arrivals = (1 << 20) - 1;
constexpr uint32_t most_bytes = (1 << 20) - 1;

// The value in shared memory that marks a barrier.
uint64_t mark_of(const char* at) { return reinterpret_cast<uintptr_t>(at) ^ 0x4241'5252'4945'5221; }

}  // namespace

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

}  // namespace stencilc::check
