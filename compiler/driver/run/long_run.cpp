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
#include "driver/run/together.h"
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

// What is done after a part. Of several processes the first one decides it for all.
struct Decision {
  int64_t part = 0;  // the steps of the next one; 0: the run ends
  int32_t snapshot = 0, checkpoint = 0;
  int32_t ended = 0;   // the condition of `iterate until` holds
  int32_t signal = 0;  // that stops the run
};

class Parts {
 public:
  Parts(const LongRun& run, const HostData& host, const RunState& begin, int64_t steps)
      : run_options_(run.options),
        options_(run.options.long_run),
        stencil_(run.compiled.stencil),
        host_(host),
        processes_(host.communicator),
        iterates_(steps < 0),
        begin_(begin.step),
        last_(iterates_ ? stencil_.iterate.limit : steps),
        before_(begin.step),
        progress_("steps", options_.quiet || !leads()),
        interrupts_(takes_parts(options_)) {
    if (options_.every == 0 && options_.checkpoint.empty()) return;
    if (processes_ != nullptr) gather_inputs(run.options);
    if (leads() && problem_.empty())
      recorder_.emplace(run.options, run.compiled, processes_ == nullptr ? host : whole_, run.facts,
                        begin.step);
  }

  int64_t next(const Look& look) {
    if (!problem_.empty()) return 0;
    const int64_t step = begin_ + look.done();
    Decision now;
    if (leads()) now = decide(look, step);
    if (processes_ != nullptr)
      if (const stencil::Status sent = processes_->broadcast(&now, int64_t{sizeof now}); !sent.ok())
        return fails(sent.message());
    if ((now.snapshot != 0 || now.checkpoint != 0) && !record(look, now)) return 0;
    stopped_by_ = now.signal;
    before_ = step;
    began_ = Clock::now();
    return now.part;
  }

  // What was written.
  std::vector<std::string> finish(diag::Engine& engine) {
    return recorder_ ? recorder_->finish(engine) : std::vector<std::string>();
  }
  int stopped_by() const { return stopped_by_; }
  // Between the processes, or "".
  const std::string& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool leads() const { return processes_ == nullptr || processes_->rank() == 0; }
  int64_t fails(const std::string& why) {
    problem_ = why;
    return 0;
  }

  // Takes the frame that is needed. The run ends if something cannot be written.
  Decision decide(const Look& look, int64_t step) {
    Decision now;
    if (look.done() > 0) {
      grow(step);
      progress_.at(step, last_, begin_);
      const int signal = step < last_ ? caught : 0;
      const bool ended = iterates_ && step % stencil_.iterate.every == 0 && look.content();
      if (recorder_ && recorder_->failed()) return {};
      now.ended = ended ? 1 : 0;
      now.signal = ended ? 0 : signal;
      now.snapshot = recorder_ && options_.every != 0 && step % options_.every == 0 ? 1 : 0;
      now.checkpoint = recorder_ && saves(step, ended || step == last_ || signal != 0) ? 1 : 0;
      if ((now.snapshot != 0 || now.checkpoint != 0) && !take_frame(step, now)) return {};
      if (ended || signal != 0) return now;
    }
    now.part = stop_after(step) - step;
    return now;
  }

  bool take_frame(int64_t step, const Decision& now) {
    frame_ = recorder_->take();
    if (frame_ == nullptr) return false;
    frame_->step = step;
    frame_->snapshot = now.snapshot != 0;
    frame_->checkpoint = now.checkpoint != 0;
    frame_->ended = now.ended != 0;
    if (processes_ == nullptr) return true;
    arrays_ = recorder_->needed(*frame_);
    return !arrays_.empty();
  }

  // Returns false if the run has to end.
  bool record(const Look& look, const Decision& now) {
    const bool recorded = processes_ == nullptr
                              ? fetch_results(look, now) && fetch_fields(look)
                              : fetch_together(look, now) && fetch_results(look, now);
    if (recorded && leads()) recorder_->give(frame_);
    return recorded;
  }

  // What of a checkpoint is small beside the fields.
  bool fetch_results(const Look& look, const Decision& now) {
    if (now.checkpoint == 0) return true;
    saved_ = Clock::now();
    if (!look.fetch_series()) return false;
    if (leads()) {
      std::vector<SeriesValues>& kept = frame_->run[0].series;
      kept.resize(host_.series.size());
      for (size_t s = 0; s < kept.size(); ++s)
        if (stencil_.series[s].output)
          kept[s] =
              look.series(s, host_.points[static_cast<size_t>(stencil_.series[s].points)].size() *
                                 static_cast<size_t>(run_options_.first + frame_->step));
      frame_->run[0].reductions = look.reductions();
    }
    return true;
  }

  // The recorder gets them from a device while that goes on.
  bool fetch_fields(const Look& look) {
    if (look.depart(recorder_->slots_of(*frame_))) {
      frame_->late = &look;
      return true;
    }
    arrays_ = recorder_->needed(*frame_);
    return !arrays_.empty() && look.fetch(arrays_);
  }

  // The first process gets the planes of all others.
  bool fetch_together(const Look& look, const Decision& now) {
    const std::vector<bool> shown = shown_slots(run_options_, stencil_),
                            changed = changed_slots(stencil_);
    std::vector<data::Array*> own(changed.size(), nullptr);
    own_.resize(own.size());
    for (size_t slot = 0; slot < own.size(); ++slot)
      if (changed[slot] && (now.checkpoint != 0 || shown[slot])) {
        if (own_[slot].bytes.empty()) own_[slot] = host_.buffers[slot];
        own[slot] = &own_[slot];
      }
    const stencil::Status mine =
        look.fetch(own) ? stencil::Status()
                        : stencil::Status(stencil::Code::lost_process, "a copy of the fields");
    if (const stencil::Status all = processes_->agree(mine, "a snapshot"); !all.ok())
      return fails(all.message()) != 0;
    for (size_t slot = 0; slot < own.size(); ++slot)
      if (own[slot] != nullptr)
        if (const std::string why = gather_level(stencil_, field_of_slot(stencil_, slot), host_,
                                                 *own[slot], leads() ? arrays_[slot] : nullptr);
            !why.empty())
          return fails(why) != 0;
    return true;
  }

  // The first process gets the whole inputs, and the extents of the other fields.
  void gather_inputs(const Options& options) {
    const std::vector<bool> shown = shown_slots(options, stencil_),
                            changed = changed_slots(stencil_);
    if (leads()) whole_ = without_arrays(host_);
    for (size_t slot = 0; slot < changed.size() && problem_.empty(); ++slot) {
      const size_t field = field_of_slot(stencil_, slot);
      const bool needed = !changed[slot] && (shown[slot] || !options_.checkpoint.empty());
      data::Array* const whole = leads() ? &whole_.buffers[slot] : nullptr;
      if (leads()) {
        whole->element = host_.buffers[slot].element;
        whole->extents = array_extents(stencil_, field, host_.extents);
      }
      if (needed) problem_ = gather_level(stencil_, field, host_, host_.buffers[slot], whole);
    }
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
    if (progress_.shown() || takes_parts(options_)) stop = std::min(stop, step + part_);
    return stop;
  }

  const Options& run_options_;
  const LongRunOptions& options_;
  const ir::Stencil& stencil_;
  const HostData& host_;
  stencil::Communicator* const processes_;  // or null
  HostData whole_;                          // of several processes, in the first one
  std::vector<data::Array> own_;            // planes of this one, by slot
  const bool iterates_;
  const int64_t begin_, last_;
  int64_t before_, part_ = 1;
  int stopped_by_ = 0;
  Progress progress_;
  std::optional<Recorder> recorder_;
  Frame* frame_ = nullptr;            // of the decision
  std::vector<data::Array*> arrays_;  // of it
  std::string problem_;
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
  Parts parts(run, host, begin, steps);
  watched.failed =
      call(run.machine, host, steps, seconds, [&](const Look& look) { return parts.next(look); });
  if (!parts.problem().empty()) watched.failed = parts.problem();
  if (host.communicator != nullptr && watched.failed.empty())
    watched.failed = host.communicator->status().message();
  watched.written = parts.finish(run.engine);
  watched.signal = parts.stopped_by();
  watched.seconds = seconds[0];
  watched.step = begin.step + host.steps_taken;
  return watched;
}

}  // namespace stencilc::driver
