// How long and how often something is run to learn its speed.
#pragma once

#include <vector>

#include "runtime/include/stencil/bench_call.h"

namespace stencilc::driver {

struct Timing {
  int64_t steps = 0;       // of each run; 0: as many as a burst takes
  int64_t most_steps = 0;  // of each run, where there is a limit; 0: none
  int64_t launch = 1;      // steps of a launch: a burst has no launches of fewer steps
  int repeats = 7;         // bursts
  double sustained = 2.5;  // seconds; 0: not measured
  double burst = 0.02;     // a burst takes at least so many seconds
  double warm_up = 0.2;    // what runs before the first burst takes at least so many
  double rest = 0;         // before each burst, so that the last one's heat does not slow it
  double give_up = 0;      // of a step: what takes longer is one burst and no more; 0: never
};

// On a GPU, which takes as much power in tens of milliseconds as makes it lower its clock.
inline Timing rested(Timing timing) {
  timing.warm_up = 0.05;
  timing.rest = 0.1;
  return timing;
}

struct Times {
  int64_t steps = 0;           // of a burst
  std::vector<double> bursts;  // seconds, in the order they were measured
  // Seconds of such a burst in the second half of the sustained time; 0: not measured.
  double sustained = 0;

  double median() const;
  double best() const;
  double worst() const;
};

// The rounds of a measurement, one after the other: longer and longer ones until one is a burst,
// the rest of the warm-up, the bursts, and without a pause what is sustained. Each burst begins
// with the same values.
class Rounds {
 public:
  explicit Rounds(const Timing& timing) : timing_(timing) {}

  // The next round, given the seconds that the one before took; false: that was all.
  bool next(double seconds, stencil_round& round);
  const Times& times() const { return times_; }

 private:
  // loading: the first round, which may hold the loading of code and says nothing.
  enum Phase { before, loading, growing, warming, bursting, sustaining, over };

  void take(double seconds);
  bool is_too_slow(double seconds) const;
  stencil_round round_of(int64_t units, bool refill) const;

  Timing timing_;
  Times times_;
  Phase phase_ = before;
  int64_t units_ = 1;  // a burst: runs where the steps of each are given, else steps
  double warm_ = 0;    // seconds before the first burst
  int64_t bursts_a_round_ = 1;
  double sustained_ = 0;     // seconds since the last burst
  double late_seconds_ = 0;  // of them in the second half, and its bursts
  int64_t late_bursts_ = 0;
};

}  // namespace stencilc::driver
