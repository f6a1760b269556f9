#include "driver/system/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace stencilc::driver {
namespace {

std::string time_left(double seconds) {
  const auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole < 120) return fmt::format("{} s left", whole);
  if (whole < 7200) return fmt::format("{} min {:02} s left", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min left", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progress_line(const std::string& what, int64_t done, int64_t all, int64_t begin,
                          double elapsed) {
  constexpr int64_t kWidth = 24;
  const double part = all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 0;
  const auto filled = std::clamp<int64_t>(static_cast<int64_t>(part * kWidth), 0, kWidth);
  std::string bar(static_cast<size_t>(filled), '=');
  if (filled < kWidth) bar += '>';
  bar.resize(kWidth, ' ');
  const double rate = elapsed > 0 ? static_cast<double>(done - begin) / elapsed : 0;
  std::string line = fmt::format("{} [{}] {}/{}", what, bar, done, all);
  if (rate > 0)
    line += fmt::format(", {:.3g}/s, {}", rate, time_left(static_cast<double>(all - done) / rate));
  return line;
}

Progress::Progress(std::string what, bool quiet)
    : what_(std::move(what)),
      shown_(!quiet && isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (printed_) std::fputs("\r\033[K", stderr);
}

void Progress::at(int64_t done, int64_t all, int64_t begin) {
  using Seconds = std::chrono::duration<double>;
  const auto now = std::chrono::steady_clock::now();
  const double elapsed = Seconds(now - start_).count();
  if (!shown_ || elapsed < 1 || Seconds(now - last_).count() < 0.1) return;
  last_ = now;
  printed_ = true;
  std::fprintf(stderr, "\r\033[K%s", progress_line(what_, done, all, begin, elapsed).c_str());
  std::fflush(stderr);
}

}  // namespace stencilc::driver
