#include "driver/run/long_run.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <utility>

#include "driver/run/long_run_options.h"
#include "driver/run/recorder.h"
#include "driver/system/progress.h"
#include "runtime/include/stencil/communicator.h"

namespace stencilc::driver {
namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void note_signal(int signal) { caught = signal; }

// Notes SIGINT and SIGTERM while it lives; the second one ends the process as without it.
class Interrupts {
 public:
  explicit Interrupts(bool noted) : noted_(noted) {
    if (!noted_) return;
    caught = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    for (const auto& [signal, before] :
         {std::pair{SIGINT, &interrupt_}, std::pair{SIGTERM, &terminate_}}) {
      ::sigaction(signal, &action, before);
      // As shells do it for what runs behind them, and nohup.
      if (before->sa_handler == SIG_IGN) ::sigaction(signal, before, nullptr);
    }
  }
  Interrupts(const Interrupts&) = delete;
  ~Interrupts() {
    if (!noted_) return;
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  bool noted_;
  struct sigaction interrupt_ = {}, terminate_ = {};
};

class Parts {
 public:
  Parts(const LongRun& run, const HostData& host, const RunState& begin, int64_t steps)
      : options_(run.options.long_run),
        stencil_(run.compiled.stencil),
        iterates_(steps < 0),
        begin_(begin.step),
        last_(iterates_ ? stencil_.iterate.limit : steps),
        before_(begin.step),
        progress_("steps", options_.quiet),
        interrupts_(!options_.checkpoint.empty()) {
    if (options_.every != 0 || !options_.checkpoint.empty())
      recorder_.emplace(run.options, run.compiled, host, run.facts, begin.step);
  }

  int64_t next(const Look& look) {
    const int64_t step = begin_ + look.done();
    if (look.done() > 0) {
      grow(step);
      progress_.at(step, last_, begin_);
      const int signal = caught;
      const bool ended = iterates_ && step % stencil_.iterate.every == 0 && look.content();
      if (!record(look, step, ended, signal)) return 0;
      if (ended || (signal != 0 && step < last_)) {
        stopped_by_ = ended ? 0 : signal;
        return 0;
      }
    }
    before_ = step;
    began_ = Clock::now();
    return stop_after(step) - step;
  }

  // What was written.
  std::vector<std::string> finish(diag::Engine& engine) {
    return recorder_ ? recorder_->finish(engine) : std::vector<std::string>();
  }
  int stopped_by() const { return stopped_by_; }

 private:
  using Clock = std::chrono::steady_clock;

  // Returns false if the run has to end because something cannot be written.
  bool record(const Look& look, int64_t step, bool ended, int signal) {
    if (!recorder_) return true;
    if (recorder_->failed()) return false;
    const bool snapshot = options_.every != 0 && step % options_.every == 0;
    const bool checkpoint = saves(step, ended || step == last_ || signal != 0);
    if (!snapshot && !checkpoint) return true;
    Frame* const frame = recorder_->take();
    if (frame == nullptr) return false;
    frame->step = step;
    frame->snapshot = snapshot;
    frame->checkpoint = checkpoint;
    frame->ended = ended;
    bool fetched = look.fetch(recorder_->needed(*frame));
    if (fetched && checkpoint) {
      fetched = look.fetch_series();
      frame->run[0].series = look.series();
      frame->run[0].reductions = look.reductions();
      saved_ = Clock::now();
    }
    if (fetched) recorder_->give(frame);
    return fetched;
  }

  bool saves(int64_t step, bool last) const {
    if (options_.checkpoint.empty()) return false;
    const double since = std::chrono::duration<double>(Clock::now() - saved_).count();
    return last || (options_.checkpoint_steps > 0 && step % options_.checkpoint_steps == 0) ||
           (options_.checkpoint_seconds > 0 && since >= options_.checkpoint_seconds);
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
    at_multiple_of(options_.checkpoint_steps);
    if (progress_.shown() || !options_.checkpoint.empty()) stop = std::min(stop, step + part_);
    return stop;
  }

  const LongRunOptions& options_;
  const ir::Stencil& stencil_;
  const bool iterates_;
  const int64_t begin_, last_;
  int64_t before_, part_ = 1;
  int stopped_by_ = 0;
  Progress progress_;
  std::optional<Recorder> recorder_;
  Interrupts interrupts_;
  Clock::time_point began_, saved_ = Clock::now();
};

}  // namespace

bool is_watched(const Options& options) {
  const LongRunOptions& own = options.long_run;
  return takes_parts(own) || (!own.quiet && isatty(STDERR_FILENO) != 0);
}

Watched run_watched(const LongRun& run, HostData& host, const RunState& begin, int64_t steps) {
  Watched watched;
  const int64_t all = steps < 0 ? run.compiled.stencil.iterate.limit : steps;
  watched.step = begin.step;
  if (begin.ended || (begin.step > 0 && begin.step == all)) return watched;
  std::vector<double> seconds(1);
  stencil::Communicator* const processes = host.communicator;
  std::optional<Parts> parts;
  if (processes == nullptr || processes->rank() == 0) parts.emplace(run, host, begin, steps);
  watched.failed = call(run.machine, host, steps, seconds, [&](const Look& look) {
    int64_t part = parts ? parts->next(look) : 0;
    const bool told =
        processes == nullptr || processes->broadcast(&part, int64_t{sizeof part}).ok();
    return told ? part : 0;
  });
  if (processes != nullptr && watched.failed.empty())
    watched.failed = processes->status().message();
  if (parts) {
    watched.written = parts->finish(run.engine);
    watched.signal = parts->stopped_by();
  }
  watched.seconds = seconds[0];
  watched.step = begin.step + host.steps_taken;
  return watched;
}

}  // namespace stencilc::driver
