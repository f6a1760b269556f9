#include "run/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "driver/compare.h"
#include "driver/process.h"
#include "run/batch.h"

namespace stencilc::run_test {
namespace {

constexpr size_t kBatch = 24;  // stencils of one library

struct Trial {
  size_t program = 0;
  std::string schedule;
  driver::Compiled compiled;
  driver::Machine machine;
};

struct Tally {
  std::atomic<int64_t> programs = 0, schedules = 0, runs = 0, cells = 0, failures = 0;
  std::atomic<bool> broken = false;
};

// Makes the run call take the 64-bit instantiation of the kernel, whatever the grid.
void widen(std::string& source) {
  const std::string choice = "const bool narrow = ";
  const size_t begin = source.find(choice);
  if (begin == std::string::npos) throw std::logic_error("the emitted text chooses no index type");
  const size_t end = source.find(';', begin);
  source.replace(begin, end - begin, choice + "false");
}

// All that a step launches. The stages asked for make no difference to many programs.
std::string kernels_of(const driver::Compiled& compiled) {
  std::string text;
  for (const kernel::Launch& launch : compiled.module.launches)
    text += fmt::format("{} {}\n", kernel::print(launch.kernel), static_cast<int>(launch.when));
  return text;
}

// Calls work(0) ... work(count - 1) on so many threads; no more calls begin once one returned
// false.
void in_parallel(int jobs, size_t count, const std::function<bool(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::atomic<bool> go_on = true;
  const auto worker = [&] {
    for (size_t i; go_on && (i = next++) < count;)
      if (!work(i)) go_on = false;
  };
  std::vector<std::thread> threads;
  for (int n = 1; n < jobs; ++n) threads.emplace_back(worker);
  worker();
  for (std::thread& thread : threads) thread.join();
}

class Trials {
 public:
  Trials(const std::vector<Program>& programs, const Settings& settings)
      : programs_(programs), settings_(settings) {}

  Outcome run() {
    if (compile_all() && (settings_.where == Where::executor || build_all()) &&
        !settings_.build_only)
      in_parallel(settings_.jobs, programs_.size(), [&](size_t p) { return run_program(p); });
    std::cout << fmt::format(
        "{} programs, {} schedules, {} runs, {} cells compared, {} failures{}\n",
        tally_.programs.load(), tally_.schedules.load(), tally_.runs.load(), tally_.cells.load(),
        tally_.failures.load(), settings_.build_only ? " (built, not run)" : "");
    if (tally_.broken) return Outcome::broken;
    return tally_.failures == 0 ? Outcome::good : Outcome::difference;
  }

 private:
  plan::Target target() const {
    return settings_.where == Where::cpu ? plan::Target::cpu : plan::Target::cuda;
  }

  void say(const std::string& text) {
    const std::lock_guard lock(output_);
    std::cout << text << std::endl;
  }

  // What cannot be compiled, built or loaded.
  bool broken(const std::string& text) {
    tally_.broken = true;
    say(text);
    return false;
  }

  std::string again(const Program& program, const std::string& schedule) const {
    const char* names[] = {"executor", "cpu", "cuda"};
    return fmt::format("stencilc-run-tests {} --target {} --schedules '{}'", program.again,
                       names[static_cast<int>(settings_.where)], schedule);
  }

  // The p-th program's part of the schedules.
  std::vector<std::string> share_of(const std::vector<std::string>& all, size_t p) const {
    constexpr size_t kOfAll = 3;
    std::vector<std::string> list;
    for (size_t n = 0; n < all.size(); ++n)
      if (n < kOfAll || (n + p) % static_cast<size_t>(settings_.share) == 0) list.push_back(all[n]);
    return list;
  }

  bool compile_all() {
    for (size_t p = 0; p < programs_.size(); ++p) {
      std::string problem;
      const auto first = compile(programs_[p], target(), "", "", problem);
      if (!first)
        return broken(fmt::format("{} does not compile:\n{}\n{}", programs_[p].name,
                                  programs_[p].text, problem));
      std::vector<std::string> list = settings_.schedules;
      if (list.empty()) list = share_of(schedules(target(), first->stencil), p);
      std::set<std::string> known;
      for (const std::string& schedule : list) {
        // Members of a library need names of their own; the executor gets the program's own name.
        const bool alone = settings_.where == Where::executor;
        const std::string tag = alone ? "" : fmt::format("_{}", trials_.size());
        auto compiled = compile(programs_[p], target(), schedule, tag, problem);
        if (compiled && settings_.wide) widen(compiled->source);
        if (!compiled)
          return broken(fmt::format("{} does not compile under the schedule `{}`:\n{}\n{}",
                                    programs_[p].name, schedule, programs_[p].text, problem));
        if (settings_.schedules.empty() && !known.insert(kernels_of(*compiled)).second) continue;
        trials_.push_back({p, schedule, std::move(*compiled), {}});
      }
      ++tally_.programs;
    }
    tally_.schedules = static_cast<int64_t>(trials_.size());
    return true;
  }

  bool build_all() {
    const driver::Compiler compiler = driver::compiler_for(target(), settings_.archs);
    if (driver::find_program(compiler.command[0]).empty())
      return broken(fmt::format("`{}` is not on the PATH", compiler.command[0]));
    const size_t batches = (trials_.size() + kBatch - 1) / kBatch;
    in_parallel(settings_.jobs, batches, [&](size_t b) {
      const size_t begin = b * kBatch, end = std::min(begin + kBatch, trials_.size());
      std::vector<const driver::Compiled*> members;
      for (size_t t = begin; t < end; ++t) members.push_back(&trials_[t].compiled);
      const std::filesystem::path folder = settings_.work_folder / fmt::format("library_{}", b);
      Batch batch = build_batch(members, folder, compiler, settings_.poison, !settings_.build_only);
      if (!batch.problem.empty()) return broken(batch.problem);
      for (size_t m = 0; m < batch.machines.size(); ++m)
        trials_[begin + m].machine = std::move(batch.machines[m]);
      if (settings_.verbose) say(fmt::format("library {} of {} is ready", b + 1, batches));
      return true;
    });
    return !tally_.broken;
  }

  bool run_program(size_t p) {
    // Schedules share many cases, and the interpreter is slower than what it is compared with.
    std::map<std::string, interp::State> expected;
    for (Trial& trial : trials_) {
      if (trial.program != p) continue;
      std::string difference = run_trial(trial, expected);
      trial.machine = {};  // the executor's memory
      if (difference.empty()) continue;
      if (tally_.broken) return broken(difference);
      ++tally_.failures;
      const Program& program = programs_[p];
      say(fmt::format("FAILED {} under the schedule `{}` {}\n{}\n{}\nagain: {}", program.name,
                      trial.schedule, print(program.numerics), difference, program.text,
                      again(program, trial.schedule)));
      if (!settings_.keep_going) return false;
    }
    return true;
  }

  std::string run_trial(Trial& trial, std::map<std::string, interp::State>& expected) {
    const bool executor = settings_.where == Where::executor;
    if (executor) trial.machine = driver::execute(trial.compiled, true, true);
    if (!trial.machine.call) {
      tally_.broken = true;
      return "there is no machine: " + trial.machine.problem;
    }
    const bool inexact =
        settings_.where == Where::cuda && driver::is_transcendental(trial.compiled.stencil);
    int64_t runs = 0;
    for (const bool late : {true, false}) {
      if (!late && !executor) break;
      trial.machine.set_mode(late, late);
      std::vector<driver::Case> cases = driver::awkward_cases(trial.compiled, 1);
      if (settings_.where == Where::cuda)
        for (const driver::Case& test : driver::cases_of_many_steps(trial.compiled, 1))
          cases.push_back(test);
      for (const driver::Case& test : cases) {
        int64_t cells = 1;
        for (const int64_t extent : test.extents) cells *= extent;
        if (cells > settings_.most_cells) continue;
        auto known = expected.find(driver::print(test));
        if (known == expected.end())
          known =
              expected.emplace(driver::print(test), driver::expected(trial.compiled.stencil, test))
                  .first;
        const std::string difference =
            driver::compare(trial.compiled, trial.machine, test, known->second, inexact ? 1e-3 : 0);
        ++runs;
        for (const auto& levels : known->second.fields)
          tally_.cells += cells * static_cast<int64_t>(levels.size());
        if (difference.empty()) continue;
        const char* mode = !executor ? "" : late ? " (copies late)" : " (copies at once)";
        return fmt::format("{}{}: {}", driver::print(test), mode, difference);
      }
    }
    tally_.runs += runs;
    if (settings_.verbose)
      say(fmt::format("{}, `{}` {}: {} runs agree", programs_[trial.program].name, trial.schedule,
                      print(programs_[trial.program].numerics), runs));
    return "";
  }

  const std::vector<Program>& programs_;
  const Settings& settings_;
  std::vector<Trial> trials_;
  Tally tally_;
  std::mutex output_;
};

}  // namespace

Outcome run_trials(const std::vector<Program>& programs, const Settings& settings) {
  return Trials(programs, settings).run();
}

}  // namespace stencilc::run_test
