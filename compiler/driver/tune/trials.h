// The schedules of a search, built and measured.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "driver/cli/options.h"
#include "driver/execute/library.h"
#include "driver/measure/bench_inputs.h"
#include "driver/measure/isolated_process.h"
#include "plan/tuning/tune.h"

namespace stencilc::driver {

// Builds schedules side by side while nothing is timed, and measures one after the other, within
// the limits of options.tune. Dropped is what ptxas says spills or fits no multiprocessor, and what
// makes other bits of the cells than the first schedule did, without which there is no search.
class Trials {
 public:
  // All of them live longer.
  Trials(const Options& options, const ir::Stencil& stencil, const diag::Sources& sources,
         const BenchData& data);

  // As plan::tune wants it.
  std::vector<plan::Outcome> operator()(const std::vector<std::string>& schedules);

  // Seconds of a step of each of these once more, with more bursts and whatever the limits are, and
  // first those of a copied byte.
  std::vector<Measured> again(const std::vector<std::string>& schedules);

  int not_run() const { return not_run_; }
  double seconds() const;  // since the beginning

 private:
  struct Candidate {
    std::string schedule;
    std::string problem;  // empty: there is a library
    Library built;
  };

  bool goes_on() const;
  std::vector<Candidate> build(const std::vector<std::string>& schedules);
  std::optional<Compiled> compile(Candidate& candidate) const;
  std::string unfit(const Compiled& compiled, const Library& library) const;
  Measured time(const Candidate& candidate, int repeats);
  void judge(const Candidate& candidate, Measured& measured);

  const Options& options_;
  const ir::Stencil& stencil_;
  const diag::Sources& sources_;
  const BenchData& data_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double longest_ = 0;  // seconds that building and measuring some side by side took
  int tried_ = 0, not_run_ = 0;
  Measured first_;  // the first schedule
};

}  // namespace stencilc::driver
