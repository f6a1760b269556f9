#include "driver/run/long_run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "driver/run/recorder.h"
#include "driver/system/progress.h"

namespace stencilc::driver {
namespace {

class Parts {
 public:
  Parts(const LongRun& run, const HostData& host, int64_t steps)
      : options_(run.options.long_run),
        stencil_(run.compiled.stencil),
        iterates_(steps < 0),
        last_(iterates_ ? stencil_.iterate.limit : steps),
        progress_("steps", options_.quiet) {
    if (options_.every != 0) recorder_.emplace(run.options, stencil_, host, run.facts);
  }

  int64_t next(const Look& look) {
    const int64_t step = look.done();
    if (step > 0) {
      grow(step);
      progress_.at(step, last_);
      if (!record(look, step)) return 0;
      if (iterates_ && step % stencil_.iterate.every == 0 && look.content()) return 0;
    }
    before_ = step;
    began_ = Clock::now();
    return stop_after(step) - step;
  }

  std::vector<std::string> finish(diag::Engine& engine) {
    return recorder_ ? recorder_->finish(engine) : std::vector<std::string>();
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool record(const Look& look, int64_t step) {
    if (!recorder_) return true;
    if (recorder_->failed()) return false;
    if (step % options_.every != 0) return true;
    Frame* const frame = recorder_->take();
    if (frame == nullptr) return false;
    frame->step = step;
    const bool fetched = look.fetch(recorder_->shown(*frame));
    if (fetched) recorder_->give(frame);
    return fetched;
  }

  // Parts are long enough to cost nothing, and short enough for a bar that moves.
  void grow(int64_t step) {
    constexpr double kLong = 0.25;  // seconds
    if (std::chrono::duration<double>(Clock::now() - began_).count() < kLong &&
        step - before_ == part_)
      part_ *= 4;
  }

  // The first step behind this one at which there is something to do.
  int64_t stop_after(int64_t step) const {
    int64_t stop = last_;
    const auto at_multiple_of = [&](int64_t number) {
      if (number > 0 && number < stop) stop = std::min(stop, (step / number + 1) * number);
    };
    at_multiple_of(options_.every);
    if (iterates_ && stencil_.iterate.until) at_multiple_of(stencil_.iterate.every);
    if (progress_.shown()) stop = std::min(stop, step + part_);
    return stop;
  }

  const LongRunOptions& options_;
  const ir::Stencil& stencil_;
  const bool iterates_;
  const int64_t last_;
  Progress progress_;
  std::optional<Recorder> recorder_;
  int64_t part_ = 1, before_ = 0;
  Clock::time_point began_;
};

}  // namespace

bool is_watched(const Options& options) {
  const LongRunOptions& own = options.long_run;
  return own.every != 0 || (!own.quiet && isatty(STDERR_FILENO) != 0);
}

Watched run_watched(const LongRun& run, HostData& host, int64_t steps) {
  Watched watched;
  std::vector<double> seconds(1);
  Parts parts(run, host, steps);
  watched.failed =
      call(run.machine, host, steps, seconds, [&](const Look& look) { return parts.next(look); });
  watched.written = parts.finish(run.engine);
  watched.seconds = seconds[0];
  return watched;
}

}  // namespace stencilc::driver
