// Shows a progress line on stderr, only on a terminal and only if the work takes more than a
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

  bool shown() const { return shown_; }  // whether there is a terminal
  void at(int64_t done, int64_t all);

 private:
  std::string what_;
  bool shown_ = false;
  bool printed_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace stencilc::driver
