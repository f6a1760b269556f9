#include "driver/tune/trials.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <iostream>

#include "diag/excerpt.h"
#include "driver/measure/build_libraries.h"
#include "driver/measure/measure.h"
#include "driver/measure/resources.h"
#include "driver/measure/spills.h"
#include "driver/pipeline/schedule_choice.h"
#include "driver/system/progress.h"

namespace stencilc::driver {
namespace {

constexpr double kLongest = 60;  // seconds per measurement, at most
constexpr double kTooSlow = 3;   // times as slow as the first schedule: the measurement is stopped

volatile sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

// The first Ctrl-C ends the search, the second one the program.
void take_interrupts() {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
}

// "`nvcc` failed:" and the first line of its output.
std::string first_lines(std::string text) {
  const size_t first = text.find('\n');
  if (first == std::string::npos) return text;
  text[first] = ' ';
  return text.substr(0, text.find('\n'));
}

void tell(const std::string& schedule, const std::string& problem) {
  if (interrupted == 0)
    std::cerr << fmt::format("stencilc: {}: {}\n", schedule, diag::printable(problem));
}

}  // namespace

Trials::Trials(const Options& options, const ir::Stencil& stencil, const diag::Sources& sources,
               const BenchData& data)
    : options_(options), stencil_(stencil), sources_(sources), data_(data) {
  take_interrupts();
}

double Trials::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

bool Trials::goes_on() const { return interrupted == 0 && seconds() < options_.tune.budget; }

std::vector<plan::Outcome> Trials::operator()(const std::vector<std::string>& schedules) {
  std::vector<plan::Outcome> outcomes;
  while (outcomes.size() < schedules.size()) {
    // Trials that would not finish in time are not started.
    if (!goes_on() || (tried_ > 0 && seconds() + longest_ > options_.tune.budget)) break;
    size_t count = static_cast<size_t>(jobs_of(options_.tune.jobs));
    if (options_.tune.trials > 0)
      count = std::min(count, static_cast<size_t>(options_.tune.trials - tried_));
    count = std::min(count, schedules.size() - outcomes.size());
    if (count == 0) break;
    const double begin = seconds();
    const auto from = schedules.begin() + static_cast<std::ptrdiff_t>(outcomes.size());
    const std::vector<Candidate> candidates =
        build({from, from + static_cast<std::ptrdiff_t>(count)});
    Progress progress("timing");
    int64_t done = 0;
    const auto measure = [&](size_t n) {
      const Candidate& one = candidates[n];
      return one.problem.empty() ? time(one, options_.bench.repeats) : Measured{0, 0, one.problem};
    };
    const auto go_on = [&] {
      progress.at(done++, static_cast<int64_t>(count));
      return goes_on() || (tried_ == 0 && interrupted == 0);
    };
    std::vector<Measured> measured = measure_apart(count, measure, kLongest, go_on);
    for (size_t n = 0; n < measured.size(); ++n) {
      if (interrupted != 0 && !measured[n].problem.empty())
        return outcomes;  // its compiler was interrupted, too
      judge(candidates[n], measured[n]);
      outcomes.push_back({measured[n].seconds, measured[n].problem});
      if (!first_.problem.empty()) return outcomes;
    }
    longest_ = std::max(longest_, seconds() - begin);
    if (measured.size() < count) break;
  }
  return outcomes;
}

std::vector<Measured> Trials::again(const std::vector<std::string>& schedules) {
  const std::vector<Candidate> candidates = build(schedules);
  const auto measure = [&](size_t n) {
    if (n > 0) return time(candidates[n - 1], 3 * options_.bench.repeats);
    Timing timing = data_.timing;
    timing.steps = 0;
    Times times;
    int64_t bytes = 0;
    const std::string problem = measure_copy(candidates[0].built, timing, times, bytes);
    const auto copied = static_cast<double>(bytes * std::max<int64_t>(1, times.steps));
    return Measured{problem.empty() ? times.median() / copied : 0, 0, problem};
  };
  return measure_apart(1 + candidates.size(), measure, kLongest, [] { return true; });
}

// If it does not compile, the candidate gets a problem.
std::optional<Compiled> Trials::compile(Candidate& candidate) const {
  CompileOptions own = options_.compilation;
  own.schedule = candidate.schedule;
  diag::Engine engine;
  try {
    std::optional<Compiled> compiled = back_end(stencil_, sources_, own, engine);
    if (!compiled) candidate.problem = engine.all().empty() ? "" : engine.all().front().text;
    if (!compiled || tried_ == 0 || !limits_in_vain(*compiled)) return compiled;
    candidate.problem = "no kernel gains by its limit of registers";
    return {};
  } catch (const std::exception& error) {
    candidate.problem = error.what();
    tell(candidate.schedule, candidate.problem);
    return {};
  }
}

// Leaves out what no multiprocessor holds, and what spills much where something else does not. The
// first schedule is timed in any case. `built`: indices in the list of candidates.
void Trials::judge_code(const std::vector<Compiled>& list, const std::vector<size_t>& built,
                        std::vector<Candidate>& candidates) {
  const plan::Device device = plan::common(options_.compilation.devices);
  const Candidate* const first = tried_ == 0 ? &candidates[0] : nullptr;
  std::vector<std::optional<Resources>> resources;
  std::vector<Candidate*> judged;
  for (size_t n = 0; n < list.size(); ++n) {
    Candidate& candidate = candidates[built[n]];
    if (!candidate.problem.empty()) continue;
    const auto needs =
        resources_of(candidate.built.log, list[n].module, data_.host.extents, &device);
    if (needs && !needs->unheld.empty() && &candidate != first) {
      candidate.problem = fmt::format("a multiprocessor holds no block of `{}`", needs->unheld);
      continue;
    }
    resources.push_back(needs);
    judged.push_back(&candidate);
  }
  const std::vector<bool> left = left_out(resources, spills_little_);
  for (size_t n = 0; n < judged.size(); ++n)
    if (left[n] && judged[n] != first)
      judged[n]->problem = fmt::format("it spills {}", spilled_text(*resources[n]));
}

std::vector<Trials::Candidate> Trials::build(const std::vector<std::string>& schedules) {
  std::vector<Candidate> candidates;
  std::vector<Compiled> list;
  std::vector<size_t> places;  // index of each in the list of candidates
  for (const std::string& schedule : schedules) {
    candidates.push_back({schedule, "", {}});
    if (auto compiled = compile(candidates.back())) {
      list.push_back(std::move(*compiled));
      places.push_back(candidates.size() - 1);
    }
  }
  std::vector<Library> libraries =
      build_all(list, options_.compilation.target, options_.archs, options_.tune.jobs);
  for (size_t n = 0; n < list.size(); ++n) {
    Candidate& candidate = candidates[places[n]];
    candidate.built = std::move(libraries[n]);
    candidate.problem = candidate.built.problem;
    const bool first = tried_ == 0 && places[n] == 0;
    if (!candidate.problem.empty() && !first)
      tell(candidate.schedule, first_lines(candidate.problem));
  }
  if (options_.compilation.target == plan::Target::cuda) judge_code(list, places, candidates);
  return candidates;
}

// Runs in the process that measures. What it stores stays there.
Measured Trials::time(const Candidate& candidate, int repeats) {
  Timing timing = data_.timing;
  timing.repeats = repeats;
  timing.give_up = kTooSlow * first_.seconds;
  Times times;
  Measured measured;
  measured.problem = measure_checked(candidate.built, data_.host, timing, times, measured.checksum);
  if (!measured.problem.empty()) return measured;
  measured.seconds = times.median() / static_cast<double>(std::max<int64_t>(1, times.steps));
  if (!(measured.seconds > 0)) measured.problem = "no time was measured";
  if (first_.seconds == 0) first_.seconds = measured.seconds;
  return measured;
}

// Evaluates a schedule that ran, or did not.
void Trials::judge(const Candidate& candidate, Measured& measured) {
  const bool ran = candidate.problem.empty();
  if (++tried_ == 1) {
    first_ = measured;
    return;
  }
  not_run_ += !ran;
  if (measured.problem.empty() && measured.checksum != first_.checksum)
    measured.problem = "its results differ from those of the compiler's own choice";
  if (ran && !measured.problem.empty()) tell(candidate.schedule, measured.problem);
}

}  // namespace stencilc::driver
