#include "driver/system/progress.h"

#include <unistd.h>

#include <cstdio>

namespace stencilc::driver {

Progress::Progress(std::string what)
    : what_(std::move(what)),
      shown_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (printed_) std::fputs("\r\033[K", stderr);
}

void Progress::at(int64_t done, int64_t all) {
  using Seconds = std::chrono::duration<double>;
  const auto now = std::chrono::steady_clock::now();
  const double elapsed = Seconds(now - start_).count();
  if (!shown_ || elapsed < 1 || Seconds(now - last_).count() < 0.1) return;
  last_ = now;
  printed_ = true;
  const double left =
      done > 0 ? elapsed * static_cast<double>(all - done) / static_cast<double>(done) : 0;
  std::fprintf(stderr, "\r\033[K%s %lld/%lld, %.0f s left", what_.c_str(),
               static_cast<long long>(done), static_cast<long long>(all), left);
  std::fflush(stderr);
}

}  // namespace stencilc::driver
