// Measures in a separate process, so that a kernel that crashes or hangs ends only that process.
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

// Calls measure(0) to measure(count - 1), in this order, while go_on() is true; the rest is left
// out. A measurement that takes more than `limit` seconds, or ends its process, has a problem, and
// the next one runs in a new process.
std::vector<Measured> measure_apart(size_t count, const std::function<Measured(size_t)>& measure,
                                    double limit, const std::function<bool()>& go_on);

}  // namespace stencilc::driver
