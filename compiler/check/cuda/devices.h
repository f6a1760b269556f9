// Sets which devices the programs find that a CPU thread calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stencilc::check {

// `at_once`: an operation on a stream runs before the call that asks for it returns. `later`: it
// runs when somebody waits for it, or by chance while somebody waits for another one, in any order
// that the streams and their events allow; `seed` draws the order.
enum class StreamMode { at_once, later };

struct Devices {
  int count = 1;
  StreamMode streams = StreamMode::at_once;
  uint64_t seed = 0;
  // This device is lost: its operation of this number, from 1, fails, and so do all that follow.
  int lost = -1;
  int64_t lost_at = 0;
  // Or else it never ends, nor does what waits for it; other streams of the device go on.
  bool hangs = false;
};

inline constexpr int most_devices = 64;

// Of programs that this CPU thread calls from now on. What is left to run, runs before.
void set_devices(const Devices& devices);
// Runs what the programs that this CPU thread called have left to run; where a device hangs,
// nothing.
void run_what_is_left();
// What would have waited for ever for a device that hangs, since the last call: a message each.
std::vector<std::string> take_endless_waits();

}  // namespace stencilc::check
