// Measures where the executor spends its time, for `scripts/test --times`.
#pragma once

#include <chrono>
#include <cstdint>

namespace stencilc::check {

enum class Phase {
  front_end,     // Clang, both sides of a program
  machine_code,  // retargeting, optimisation, and machine code of both sides
  run,           // the blocks of launches
};

// Adds the time of its lifetime to a phase of this process. If the environment variable
// STENCILC_EXECUTOR_TIMES names a file, the process appends a line to it at the end: the number of
// loaded programs, then the milliseconds of each phase, in order.
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
