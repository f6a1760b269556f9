#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "check/block/fiber_block.h"
#include "check/block/times.h"
#include "check/memory/device_memory.h"
#include "check/memory/red_zone.h"

namespace stencilc::check {
namespace {

constexpr size_t shared_zone =
    256;  // after the shared memory of a block, before the guard of its allocation
constexpr unsigned char poison = 0xFF;

std::string name(const uint32_t (&block)[3]) {
  return "block (" + std::to_string(block[0]) + "," + std::to_string(block[1]) + "," +
         std::to_string(block[2]) + ")";
}

// Those that no grid has.
std::vector<std::unique_ptr<FiberBlock>>& free_runners() {
  thread_local std::vector<std::unique_ptr<FiberBlock>> all;
  return all;
}

}  // namespace

// The shared memory of one block: poisoned before the block runs; afterwards the gaps between
// variables still have to be poison.
class GridRun::Shared {
 public:
  explicit Shared(const Launch& launch) : kernel_(*launch.kernel) {
    end_ = kernel_.dynamic_offset + launch.dynamic_shared;
    bytes_ = static_cast<char*>(device_memory::allocate(end_ + shared_zone));
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  ~Shared() { device_memory::release(bytes_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

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

GridRun::GridRun(const Launch& launch)
    : launch_(launch), shared_(std::make_unique<Shared>(launch_)) {
  if (free_runners().empty()) free_runners().push_back(std::make_unique<FiberBlock>());
  runner_ = std::move(free_runners().back());
  free_runners().pop_back();
}
GridRun::~GridRun() { free_runners().push_back(std::move(runner_)); }

std::function<bool()> GridRun::awaited() const { return runner_->awaited(); }

bool GridRun::go() {
  const Timed timed(Phase::run);
  const uint64_t count = uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
  for (; next_ < count; ++next_) {
    const uint64_t at = launch_.mode.order == ThreadOrder::ascending ? next_ : count - 1 - next_;
    const uint32_t block[3] = {static_cast<uint32_t>(at % launch_.grid[0]),
                               static_cast<uint32_t>(at / launch_.grid[0] % launch_.grid[1]),
                               static_cast<uint32_t>(at / launch_.grid[0] / launch_.grid[1])};
    if (!waits_) shared_->clear();
    fault_ = waits_ ? runner_->go_on() : runner_->run(launch_, block, shared_->bytes());
    waits_ = runner_->awaited() != nullptr;
    if (waits_) return false;
    if (fault_.empty() && shared_->damaged())
      fault_ = name(block) + ": a write landed outside of the shared variables";
    if (!fault_.empty()) {
      fault_ = launch_.kernel->name + ": " + fault_;
      return true;
    }
  }
  for (const std::string& damage : device_memory::damages()) {
    fault_ = launch_.kernel->name + ": " + damage;
    break;
  }
  return true;
}

}  // namespace stencilc::check
