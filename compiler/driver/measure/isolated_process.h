// Measurements in a process of their own, so that a kernel that crashes or hangs ends that process
// and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stencilc::driver {

struct Measured {
  double seconds = 0;
  uint64_t checksum = 0;
  std::string problem;  // empty: there is a time
};

// measure(0) to measure(count - 1), in that order, as long as go_on() says so; what is missing then
// was not measured. A measurement that takes more than `limit` seconds, or ends its process, is a
// problem of its own, and the next one begins in another process.
std::vector<Measured> measure_apart(size_t count, const std::function<Measured(size_t)>& measure,
                                    double limit, const std::function<bool()>& go_on);

}  // namespace stencilc::driver
