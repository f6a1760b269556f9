// A line on stderr that says how far the work is: only on a terminal, and only when it takes over a
// second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace stencilc::driver {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool shown() const { return shown_; }  // is there a terminal to show it on?
  void at(int64_t done, int64_t all);

 private:
  std::string what_;
  bool shown_ = false;
  bool printed_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace stencilc::driver
