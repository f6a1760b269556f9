// Decides how long and how often to run something in order to measure its speed.
#pragma once

#include <vector>

#include "runtime/include/stencil/bench_call.h"

namespace stencilc::driver {

struct Timing {
  int64_t steps = 0;       // per run; 0: as many as fit a burst
  int64_t most_steps = 0;  // per run, if there is a limit; 0: none
  int64_t launch = 1;      // steps per launch; a burst is a multiple of it
  int repeats = 7;         // bursts
  double sustained = 2.5;  // seconds; 0: not measured
  double burst = 0.02;     // seconds of a burst, at least
  double warm_up = 0.2;    // seconds of the runs before the first burst, at least
  double rest =
      0;  // seconds before each burst, so that the heat of the last one does not slow it down
  double give_up = 0;  // seconds per step: above this, one burst is measured and no more; 0: never
};

// For a GPU, which lowers its clock after tens of milliseconds at full power.
inline Timing rested(Timing timing) {
  timing.warm_up = 0.05;
  timing.rest = 0.1;
  return timing;
}

struct Times {
  int64_t steps = 0;           // per burst
  std::vector<double> bursts;  // seconds, in order
  // Seconds of a burst in the second half of the sustained time; 0: not measured.
  double sustained = 0;

  double median() const;
  double best() const;
  double worst() const;
};

// The rounds of a measurement, in order: longer and longer ones until one is a burst, the rest of
// the warm-up, the bursts, and the sustained runs without a pause. Each burst starts with the same
// values.
class Rounds {
 public:
  explicit Rounds(const Timing& timing) : timing_(timing) {}

  // Sets the next round, given the seconds of the last one. Returns false at the end.
  bool next(double seconds, stencil_round& round);
  const Times& times() const { return times_; }

 private:
  // loading: the first round, which may include the loading of code and does not count.
  enum Phase { before, loading, growing, warming, bursting, sustaining, over };

  void take(double seconds);
  bool is_too_slow(double seconds) const;
  stencil_round round_of(int64_t units, bool refill) const;

  Timing timing_;
  Times times_;
  Phase phase_ = before;
  int64_t units_ = 1;  // per burst: runs if their steps are given, otherwise steps
  double warm_ = 0;    // seconds before the first burst
  int64_t bursts_a_round_ = 1;
  double sustained_ = 0;     // seconds since the last burst
  double late_seconds_ = 0;  // of these, the seconds in the second half, and its bursts
  int64_t late_bursts_ = 0;
};

}  // namespace stencilc::driver
