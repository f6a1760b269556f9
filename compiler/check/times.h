// Where the time of the executor goes: `scripts/test --times` asks for it.
#pragma once

#include <chrono>
#include <cstdint>

namespace stencilc::check {

enum class Phase {
  front_end,     // Clang, both sides of a program
  machine_code,  // retargeting, optimization, machine code of both sides
  run,           // the blocks of launches
};

// Adds the time from its construction to its end to a phase of this process. Where the environment
// has STENCILC_EXECUTOR_TIMES, the name of a file, the process appends a line to it when it ends:
// programs loaded, then the milliseconds of each phase in their order.
class Timed {
 public:
  explicit Timed(Phase phase) : phase_(phase) {}
  ~Timed();
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  Phase phase_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace stencilc::check
