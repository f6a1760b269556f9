// Implements asynchronous copies of threads and boxes under the names of shim/cuda_device.h. In
// late mode the destination of a copy is poisoned until the copy happens, since nobody may read it.
#include "check/block/device_copies.h"

#include <cstring>
#include <utility>

#include "check/block/fiber_block.h"

namespace stencilc::check {

void land(const PendingCopy& copy) {
  std::memcpy(copy.to, copy.from, copy.valid);
  std::memset(static_cast<char*>(copy.to) + copy.valid, 0, copy.bytes - copy.valid);
}

namespace {

// Ends the launch unless `bytes` may be copied from `from` to `to`.
void check_copy(Thread& self, const void* to, const void* from, uint32_t bytes, uint32_t valid) {
  FiberBlock& block = *self.owner;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    block.fail("an asynchronous copy of neither 4, 8 nor 16 bytes");
  if (valid > bytes) block.fail("an asynchronous copy that reads more than it writes");
  if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % bytes != 0)
    block.fail("a misaligned asynchronous copy of " + std::to_string(bytes) + " bytes");
  if (!block.in_shared(to, bytes) || block.in_shared(from, 1))
    block.fail("an asynchronous copy that does not go from global to shared memory");
}

void copy_async(const ThreadView* view, uint32_t, void* to, const void* from, uint32_t bytes,
                uint32_t valid) {
  Thread& self = thread_of(view);
  check_copy(self, to, from, bytes, valid);
  const PendingCopy copy = {to, from, bytes, valid, self.groups};
  if (self.owner->mode().copies == CopyMode::eager) {
    land(copy);
  } else {
    std::memset(to, 0xFF, bytes);
    self.copies.push_back(copy);
  }
}

void commit(const ThreadView* view, uint32_t) { ++thread_of(view).groups; }

// Returns when all groups except the youngest `in_flight` have been copied.
void wait(const ThreadView* view, uint32_t, uint32_t in_flight) {
  Thread& self = thread_of(view);
  size_t landed = 0;
  for (; landed < self.copies.size() && self.copies[landed].group + in_flight < self.groups;
       ++landed) {
    land(self.copies[landed]);
  }
  self.copies.erase(self.copies.begin(), self.copies.begin() + static_cast<ptrdiff_t>(landed));
}

void make_barrier(const ThreadView* view, uint32_t, char* at, uint32_t count) {
  Thread& self = thread_of(view);
  self.owner->make_barrier(self, at, count);
}

void fence_init(const ThreadView* view, uint32_t) {
  const Thread& self = thread_of(view);
  self.owner->fence_barriers(self);
}

void arrive(const ThreadView* view, uint32_t, const char* at, uint32_t bytes) {
  Thread& self = thread_of(view);
  self.owner->arrive(self, at, bytes);
}

void arrive_landed(const ThreadView* view, uint32_t, const char* at) {
  Thread& self = thread_of(view);
  self.owner->arrive_landed(self, at);
}

void await(const ThreadView* view, uint32_t, const char* at, uint32_t parity) {
  Thread& self = thread_of(view);
  self.owner->await(self, at, parity);
}

void copy_box(const ThreadView* view, uint32_t, char* to, const TensorMap* map, uint32_t rank,
              int32_t x, int32_t y, int32_t z, const char* barrier) {
  FiberBlock& block = *thread_of(view).owner;
  if (map->mark != TensorMap::genuine) block.fail("a copy of a box by something that is not a map");
  if (map->rank != rank)
    block.fail("a box at " + std::to_string(rank) + " coordinates of a grid with " +
               std::to_string(map->rank) + " axes");
  block.copy_box(*map, {x, y, z}, to, barrier);
}

}  // namespace

std::vector<DeviceFunction> copy_functions() {
#define STENCILC_THREADS(name) \
  { "__stencil_" #name, reinterpret_cast<void*>(&name) }
  return {
      STENCILC_THREADS(copy_async),   STENCILC_THREADS(commit),     STENCILC_THREADS(wait),
      STENCILC_THREADS(make_barrier), STENCILC_THREADS(fence_init), STENCILC_THREADS(arrive),
      STENCILC_THREADS(await),        STENCILC_THREADS(copy_box),   STENCILC_THREADS(arrive_landed),
  };
#undef STENCILC_THREADS
}

}  // namespace stencilc::check
