#include "driver/measure/rounds.h"

#include <algorithm>
#include <cmath>

namespace stencilc::driver {
namespace {

constexpr int64_t kMostUnits = int64_t{1} << 24;
// Seconds of a sustained round: long enough that the time between two rounds does not matter.
constexpr double kSustainedRound = 0.1;

int64_t at_least_one(double count) {
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(count)));
}

}  // namespace

double Times::median() const {
  if (bursts.empty()) return 0;
  std::vector<double> sorted = bursts;
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
double Times::best() const {
  return bursts.empty() ? 0 : *std::min_element(bursts.begin(), bursts.end());
}
double Times::worst() const {
  return bursts.empty() ? 0 : *std::max_element(bursts.begin(), bursts.end());
}

stencil_round Rounds::round_of(int64_t units, bool refill) const {
  const double rest = phase_ == bursting ? timing_.rest : 0;
  if (timing_.steps > 0) return {units, timing_.steps, refill, rest};
  units = (units + timing_.launch - 1) / timing_.launch * timing_.launch;
  if (timing_.most_steps == 0 || units <= timing_.most_steps) return {1, units, refill, rest};
  return {(units - 1) / timing_.most_steps + 1, timing_.most_steps, refill, rest};
}

bool Rounds::is_too_slow(double seconds) const {
  // With fewer steps a launch of several steps may not be full.
  constexpr int64_t kJudged = 32;
  const stencil_round burst = round_of(units_, false);
  return timing_.give_up > 0 &&
         (burst.steps >= kJudged || timing_.steps > 0 || seconds >= timing_.burst) &&
         seconds > timing_.give_up * static_cast<double>(burst.runs * burst.steps);
}

// Evaluates the last round and chooses the next phase.
void Rounds::take(double seconds) {
  switch (phase_) {
    case before:
      phase_ = loading;
      break;
    case loading:
      phase_ = growing;
      break;
    case growing:
      warm_ += seconds;
      if (is_too_slow(seconds)) {
        times_.bursts = {seconds};
        phase_ = over;
      } else if (seconds < timing_.burst && units_ < kMostUnits) {
        const double wanted = seconds > 0 ? 1.2 * timing_.burst / seconds : 16;
        units_ = at_least_one(static_cast<double>(units_) * std::clamp(wanted, 1.2, 16.0));
      } else {
        phase_ = warm_ < timing_.warm_up ? warming : bursting;
      }
      break;
    case warming:
      warm_ += seconds;
      if (warm_ >= timing_.warm_up) phase_ = bursting;
      break;
    case bursting:
      times_.bursts.push_back(seconds);
      if (static_cast<int>(times_.bursts.size()) < timing_.repeats) break;
      bursts_a_round_ = at_least_one(kSustainedRound / std::max(times_.median(), 1e-6));
      phase_ = timing_.sustained > 0 ? sustaining : over;
      break;
    case sustaining:
      sustained_ += seconds;
      if (sustained_ > timing_.sustained / 2) {
        late_seconds_ += seconds;
        late_bursts_ += bursts_a_round_;
        times_.sustained = late_seconds_ / static_cast<double>(late_bursts_);
      }
      if (sustained_ >= timing_.sustained) phase_ = over;
      break;
    case over:
      break;
  }
}

bool Rounds::next(double seconds, stencil_round& round) {
  take(seconds);
  const stencil_round burst = round_of(units_, false);
  times_.steps = burst.runs * burst.steps;
  const bool same_start = phase_ == bursting || phase_ == sustaining;
  round = round_of(phase_ == sustaining ? units_ * bursts_a_round_ : units_, same_start);
  return phase_ != over;
}

}  // namespace stencilc::driver
