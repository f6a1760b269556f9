// Shows a progress bar on stderr, only on a terminal and only if the work takes more than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace stencilc::driver {

class Progress {
 public:
  explicit Progress(std::string what, bool quiet = false);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool shown() const { return shown_; }  // whether there is a terminal
  // The rate is that since `begin`, where the work began.
  void at(int64_t done, int64_t all, int64_t begin = 0);

 private:
  std::string what_;
  bool shown_ = false;
  bool printed_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

// "steps [=====>    ] 120/300, 40/s, 4 s left" after so many seconds.
std::string progress_line(const std::string& what, int64_t done, int64_t all, int64_t begin,
                          double elapsed);

}  // namespace stencilc::driver
