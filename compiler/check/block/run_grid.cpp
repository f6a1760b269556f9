#include <cstring>
#include <new>

#include "check/block/fiber_block.h"
#include "check/block/times.h"
#include "check/memory/device_memory.h"
#include "check/memory/red_zone.h"

namespace stencilc::check {
namespace {

constexpr size_t shared_zone =
    256;  // after the shared memory of a block, before the guard of its allocation
constexpr unsigned char poison = 0xFF;

// The shared memory of one block: poisoned before the block runs; afterwards the gaps between
// variables still have to be poison.
class SharedMemory {
 public:
  explicit SharedMemory(const Launch& launch) : kernel_(*launch.kernel) {
    end_ = kernel_.dynamic_offset + launch.dynamic_shared;
    bytes_ = static_cast<char*>(device_memory::allocate(end_ + shared_zone));
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  ~SharedMemory() { device_memory::release(bytes_); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  char* bytes() const { return bytes_; }

  void clear() {
    std::memset(bytes_, poison, end_);
    for_each_zone([](char* from, char* to) {
      fill_zone(from, to, word);
      return true;
    });
  }
  bool damaged() const {
    return !for_each_zone(
        [](const char* from, const char* to) { return damage_in_zone(from, to, word) == nullptr; });
  }

 private:
  // Stops and returns false when `visit` does.
  template <class Visit>
  bool for_each_zone(Visit visit) const {
    size_t from = 0;
    for (const auto& variable : kernel_.shared) {
      if (!visit(bytes_ + from, bytes_ + variable.offset)) return false;
      from = variable.offset + variable.bytes;
    }
    return visit(bytes_ + from, bytes_ + kernel_.dynamic_offset) &&
           visit(bytes_ + end_, bytes_ + end_ + shared_zone);
  }

  static constexpr uint32_t word = zone_word(0);
  const Kernel& kernel_;
  size_t end_;
  char* bytes_;
};

std::string name(const uint32_t (&block)[3]) {
  return "block (" + std::to_string(block[0]) + "," + std::to_string(block[1]) + "," +
         std::to_string(block[2]) + ")";
}

}  // namespace

std::string run_grid(const Launch& launch) {
  const Timed timed(Phase::run);
  thread_local FiberBlock runner;
  SharedMemory shared(launch);
  const uint64_t count = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = launch.mode.order == ThreadOrder::ascending ? i : count - 1 - i;
    const uint32_t block[3] = {static_cast<uint32_t>(at % launch.grid[0]),
                               static_cast<uint32_t>(at / launch.grid[0] % launch.grid[1]),
                               static_cast<uint32_t>(at / launch.grid[0] / launch.grid[1])};
    shared.clear();
    std::string fault = runner.run(launch, block, shared.bytes());
    if (fault.empty() && shared.damaged())
      fault = name(block) + ": a write landed outside of the shared variables";
    if (!fault.empty()) return launch.kernel->name + ": " + fault;
  }
  for (const std::string& damage : device_memory::damages())
    return launch.kernel->name + ": " + damage;
  return "";
}

}  // namespace stencilc::check
