// Builds and measures the schedules of a search.
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

// Builds several schedules at the same time while nothing is timed, and measures one after the
// other, within the limits of options.tune. Drops schedules that do not fit a multiprocessor or
// spill more than kMostSpilled, if not all do, and those whose results differ from the first
// schedule. Without the first schedule there is no search.
class Trials {
 public:
  // All arguments have to outlive the object.
  Trials(const Options& options, const ir::Stencil& stencil, const diag::Sources& sources,
         const BenchData& data);

  // The function that plan::tune needs.
  std::vector<plan::Outcome> operator()(const std::vector<std::string>& schedules);

  // Seconds per step of these schedules, measured again with more bursts and without limits; before
  // them, the seconds per copied byte.
  std::vector<Measured> again(const std::vector<std::string>& schedules);

  int not_run() const { return not_run_; }
  double seconds() const;  // since the start

 private:
  struct Candidate {
    std::string schedule;
    std::string problem;  // empty: there is a library
    Library built;
  };

  bool goes_on() const;
  std::vector<Candidate> build(const std::vector<std::string>& schedules);
  std::optional<Compiled> compile(Candidate& candidate) const;
  void judge_code(const std::vector<Compiled>& list, const std::vector<size_t>& built,
                  std::vector<Candidate>& candidates);
  Measured time(const Candidate& candidate, int repeats);
  void judge(const Candidate& candidate, Measured& measured);

  const Options& options_;
  const ir::Stencil& stencil_;
  const diag::Sources& sources_;
  const BenchData& data_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double longest_ = 0;  // seconds for building and measuring one group
  int tried_ = 0, not_run_ = 0;
  bool spills_little_ = false;  // has there been a schedule that spills at most kMostSpilled?
  Measured first_;              // the first schedule
};

}  // namespace stencilc::driver
