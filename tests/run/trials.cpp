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

#include "driver/system/process.h"
#include "driver/verify/compare.h"
#include "plan/schedule/setup_values.h"
#include "run/agreed.h"
#include "run/batch.h"
#include "run/covering.h"
#include "run/large.h"

namespace stencilc::run_test {
namespace {

constexpr size_t kBatch = 8;  // stencils of one library

struct Trial {
  size_t program = 0;
  std::string name;  // which tells whether it is taken
  int steps = 0;     // of a launch; 0: as the program allows
  std::string schedule;
  driver::Compiled compiled = {};
  driver::Machine machine = {};
  BenchCall bench = nullptr;
};

struct Tally {
  std::atomic<int64_t> programs = 0, schedules = 0, runs = 0, repeats = 0, cells = 0, failures = 0,
                       left_out = 0, known = 0;
  std::atomic<bool> broken = false;
};

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
      : programs_(programs), settings_(settings), agreed_(how_it_runs()) {}

  Outcome run() {
    if (compile_all() && leave_out_known() && (settings_.where == Where::executor || build_all()) &&
        !settings_.build_only)
      run_all();
    std::cout << fmt::format(
        "{} programs, {} schedules, {}{}{} runs, {} cells compared, {}{} failures{}\n",
        tally_.programs.load(), tally_.schedules.load(),
        tally_.known > 0 ? fmt::format("{} agreed before, ", tally_.known.load()) : "",
        tally_.left_out > 0 ? fmt::format("{} left out, ", tally_.left_out.load()) : "",
        tally_.runs.load(), tally_.cells.load(),
        tally_.repeats > 0 ? fmt::format("{} repeated runs, ", tally_.repeats.load()) : "",
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
    for (size_t n = 0; n < all.size(); ++n) {
      const bool of_all = n < kOfAll && (!settings_.in_turn || n == p % kOfAll);
      const bool other = n >= kOfAll && (n + p) % static_cast<size_t>(settings_.share) == 0;
      if (of_all || other) list.push_back(all[n]);
    }
    return list;
  }

  // With every other schedule all that no step changes is set up before the first one.
  static std::string with_setups(const std::string& schedule, const Program& program,
                                 const ir::Stencil& stencil, size_t turn) {
    const bool parts = program.boxes || program.pieces || program.distributed;
    if (turn % 2 == 0 || parts || schedule.find("shared=boxes") != std::string::npos ||
        plan::all_setups(stencil).empty())
      return schedule;
    return schedule + ",setup=all";
  }

  // What is tried of the p-th program, without what is compiled.
  std::vector<Trial> trials_for(size_t p, const ir::Stencil& stencil) {
    const Program& program = programs_[p];
    std::vector<Trial> list;
    if (!settings_.schedules.empty() || !settings_.step_range) {
      const std::vector<std::string>& given = settings_.schedules;
      for (std::string schedule :
           given.empty() ? share_of(schedules(target(), stencil), p) : given) {
        if (given.empty()) schedule = with_setups(schedule, program, stencil, p + list.size());
        list.push_back({p, program.name + ", " + schedule, 0, schedule});
      }
      return list;
    }
    const auto name_of = [&](const std::string& form, int steps) {
      return fmt::format("{}, {} {}", program.name, form, steps);
    };
    const auto wanted = [&](const std::string& form, int steps) {
      return is_in_part(name_of(form, steps), settings_.part, settings_.parts);
    };
    for (const FormOfSteps& one : steps_of_forms(stencil, *settings_.step_range, program.name,
                                                 wanted, settings_.most_work)) {
      if (one.work > settings_.most_work)
        ++tally_.left_out;
      else if (!one.schedule.empty())
        list.push_back({p, name_of(one.form, one.steps), one.steps, one.schedule});
    }
    // What large grids are compared with.
    if (!list.empty() && settings_.with_large)
      list.insert(list.begin(), {p, program.name + ", naive", 1, "naive"});
    return list;
  }

  std::vector<Trial> compile_program(size_t p) {
    const Program& program = programs_[p];
    std::string problem;
    const bool many = settings_.step_range.has_value();
    const auto first = compile(program, target(), many ? "naive" : "", "", problem);
    if (!first) {
      broken(fmt::format("{} does not compile:\n{}\n{}", program.name, program.text, problem));
      return {};
    }
    std::vector<Trial> trials;
    std::set<std::string> known;
    for (Trial& trial : trials_for(p, first->stencil)) {
      // Members of a library need names of their own.
      const std::string tag = fmt::format("_{}_{}", p, trials.size());
      std::optional<driver::Compiled> compiled;
      try {
        compiled = compile(program, target(), trial.schedule, tag, problem);
      } catch (const std::logic_error& bug) {
        problem = bug.what();
      }
      if (compiled && trial.steps > 1 && !compiled->module.why_one.empty())
        problem = "it takes one step per launch: " + compiled->module.why_one;
      // Of the schedules for all programs, some have tiles that do not fit into shared memory where
      // a program has many fields.
      if (!compiled && settings_.schedules.empty() &&
          problem.find("bytes in shared memory, but a block on") != problem.npos) {
        ++tally_.left_out;
        problem.clear();
        continue;
      }
      if (!compiled || !problem.empty()) {
        tally_.broken = true;
        say(fmt::format("{} does not compile under the schedule `{}`:\n{}\n{}", program.name,
                        trial.schedule, program.text, problem));
        if (!settings_.keep_going) return {};
        problem.clear();
        continue;
      }
      if (settings_.wide || settings_.step_range) fix_index(compiled->source, settings_.wide);
      if (settings_.schedules.empty() && !known.insert(kernels_of(*compiled)).second) continue;
      trial.compiled = std::move(*compiled);
      trials.push_back(std::move(trial));
    }
    return trials;
  }

  bool compile_all() {
    std::vector<std::vector<Trial>> found(programs_.size());
    in_parallel(settings_.jobs, programs_.size(), [&](size_t p) {
      found[p] = compile_program(p);
      return !tally_.broken || settings_.keep_going;
    });
    for (std::vector<Trial>& trials : found) {
      tally_.programs += !trials.empty();
      std::move(trials.begin(), trials.end(), std::back_inserter(trials_));
    }
    tally_.schedules = static_cast<int64_t>(trials_.size());
    return !tally_.broken || settings_.keep_going;
  }

  // What the outcome depends on besides the program and the grids.
  std::string how_it_runs() const {
    return fmt::format("{} {} {} {}", settings_.where == Where::cpu ? "cpu" : "executor",
                       settings_.some_sizes, settings_.poison, settings_.most_cells) +
           (settings_.where == Where::cpu ? fmt::format("{}", fmt::join(compiler().command, " "))
                                          : "");
  }

  // Takes out what is known to agree; false: nothing is left.
  bool leave_out_known() {
    if (settings_.where == Where::cuda || settings_.build_only || settings_.large) return true;
    const size_t before = trials_.size();
    std::erase_if(
        trials_, [&](const Trial& trial) { return agreed_.has(trial.compiled, cases_for(trial)); });
    tally_.known = static_cast<int64_t>(before - trials_.size());
    return !trials_.empty();
  }

  driver::Compiler compiler() const {
    driver::Compiler compiler = driver::compiler_for(target(), settings_.archs);
    return settings_.unoptimized ? unoptimized(std::move(compiler)) : compiler;
  }

  bool build_all() {
    const driver::Compiler compiler = this->compiler();
    const bool is_name = compiler.command[0].find('/') == std::string::npos;
    if (is_name && driver::find_program(compiler.command[0]).empty())
      return broken(fmt::format("`{}` is not on the PATH", compiler.command[0]));
    // What follows one another takes about as long to compile, or is what every second one is: no
    // library gets all that is slow.
    const size_t batches = (trials_.size() + kBatch - 1) / kBatch | 1;
    in_parallel(settings_.jobs, batches, [&](size_t b) {
      std::vector<const driver::Compiled*> members;
      for (size_t t = b; t < trials_.size(); t += batches) members.push_back(&trials_[t].compiled);
      const std::filesystem::path folder = settings_.work_folder / fmt::format("library_{}", b);
      const Adapters adapters{settings_.poison, settings_.with_large};
      Batch batch = build_batch(members, folder, compiler, adapters, !settings_.build_only);
      if (!batch.problem.empty()) return broken(batch.problem);
      for (size_t m = 0; m < batch.machines.size(); ++m) {
        trials_[b + m * batches].machine = std::move(batch.machines[m]);
        if (settings_.with_large) trials_[b + m * batches].bench = batch.benches[m];
      }
      if (settings_.verbose) say(fmt::format("library {} of {} is ready", b + 1, batches));
      return true;
    });
    return !tally_.broken;
  }

  // The last always: what runs nothing proves nothing, and compute-sanitizer rejects it.
  bool is_taken(const Trial& trial) const {
    return &trial == &trials_.back() || is_in_part(trial.name, 0, settings_.every);
  }

  // Says so and counts it; false: nothing else is to be tried.
  bool failed(const Trial& trial, const std::string& difference) {
    ++tally_.failures;
    const Program& program = programs_[trial.program];
    say(fmt::format("FAILED {} under the schedule `{}` {}\n{}\n{}\nagain: {}", program.name,
                    trial.schedule, print(program.numerics), difference, program.text,
                    again(program, trial.schedule)));
    return settings_.keep_going;
  }

  std::vector<Trial*> trials_of(size_t p, bool taken) {
    std::vector<Trial*> list;
    for (Trial& trial : trials_)
      if (trial.program == p && (!taken || is_taken(trial))) list.push_back(&trial);
    return list;
  }

  // Programs one by one; on the executor a few together, so that a library is full.
  void run_all() {
    std::vector<std::vector<Trial*>> groups(1);
    for (size_t p = 0; p < programs_.size(); ++p) {
      if (settings_.where != Where::executor || groups.back().size() >= kBatch)
        groups.emplace_back();
      for (Trial* trial : trials_of(p, !settings_.large)) groups.back().push_back(trial);
    }
    in_parallel(settings_.run_jobs > 0 ? settings_.run_jobs : settings_.jobs, groups.size(),
                [&](size_t g) { return settings_.large ? run_large(groups[g]) : run(groups[g]); });
  }

  bool run(const std::vector<Trial*>& trials) {
    // Schedules share many cases, and the interpreter is slower than what it is compared with.
    std::map<std::pair<size_t, std::string>, interp::State> expected;
    for (size_t first = 0; first < trials.size(); first += kBatch) {
      const size_t end = std::min(first + kBatch, trials.size());
      if (settings_.where == Where::executor &&
          !load({trials.begin() + first, trials.begin() + end}))
        return false;
      for (size_t t = first; t < end; ++t) {
        Trial& trial = *trials[t];
        const std::string difference = run_trial(trial, expected);
        trial.machine = {};  // the executor's memory
        if (difference.empty()) continue;
        if (tally_.broken) return broken(difference);
        if (!failed(trial, difference)) return false;
      }
    }
    return true;
  }

  bool load(const std::vector<Trial*>& trials) {
    std::vector<const driver::Compiled*> stencils;
    for (const Trial* trial : trials) stencils.push_back(&trial->compiled);
    Batch batch = execute_batch(stencils);
    if (!batch.problem.empty())
      return broken(
          fmt::format("{} and what follows it are not loaded: {}", trials[0]->name, batch.problem));
    for (size_t t = 0; t < trials.size(); ++t) trials[t]->machine = std::move(batch.machines[t]);
    return true;
  }

  // Each trial against the first one of the program, and one of them time and again.
  bool run_large(const std::vector<Trial*>& trials) {
    if (trials.empty()) return true;
    const LargeCase test = large_case(trials[0]->compiled, settings_.large_cells);
    Checksum expected = checksum(trials[0]->bench, trials[0]->compiled, test);
    if (!expected.problem.empty()) return broken(trials[0]->name + ": " + expected.problem);
    int64_t cells = 1;
    for (const int64_t extent : test.extents) cells *= extent;
    for (Trial* trial : trials) {
      if (trial == trials[0] || !is_taken(*trial)) continue;
      const Checksum got = checksum(trial->bench, trial->compiled, test);
      if (!got.problem.empty()) return broken(trial->name + ": " + got.problem);
      ++tally_.runs;
      tally_.cells += cells * test.steps;
      if (got.sum != expected.sum &&
          !failed(*trial, fmt::format("{}: the checksum is {:016x}; that of `{}` is {:016x}",
                                      print(test), got.sum, trials[0]->schedule, expected.sum)))
        return false;
      if (settings_.verbose)
        say(fmt::format("{}, `{}`: {}", trial->name, trial->schedule, print(test)));
    }
    const size_t some = 1 + trials[0]->program % std::max<size_t>(trials.size() - 1, 1);
    return trials.size() == 1 || repeat(*trials[some], *trials[0]);
  }

  bool repeat(Trial& trial, const Trial& first) {
    const LargeCase test = large_case(trial.compiled, settings_.repeated_cells);
    const Checksum expected = checksum(first.bench, first.compiled, test);
    for (int n = 0; n < settings_.repeats; ++n) {
      const Checksum got = checksum(trial.bench, trial.compiled, test);
      if (!got.problem.empty()) return broken(trial.name + ": " + got.problem);
      ++tally_.repeats;
      if (got.sum != expected.sum)
        return failed(trial,
                      fmt::format("{}: the checksum of run {} is {:016x}; that of `{}` is {:016x}",
                                  print(test), n + 1, got.sum, first.schedule, expected.sum));
    }
    return true;
  }

  std::vector<driver::Case> cases_for(const Trial& trial) const {
    std::vector<driver::Case> cases = settings_.some_sizes
                                          ? cases_of(trial.compiled, trial.program)
                                          : driver::awkward_cases(trial.compiled, 1);
    if (settings_.where == Where::cuda)
      for (const driver::Case& test : driver::cases_of_many_steps(trial.compiled, 1))
        cases.push_back(test);
    return cases;
  }

  std::string run_trial(Trial& trial,
                        std::map<std::pair<size_t, std::string>, interp::State>& expected) {
    const bool executor = settings_.where == Where::executor;
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
      for (const driver::Case& test : cases_for(trial)) {
        int64_t cells = 1;
        for (const int64_t extent : test.extents) cells *= extent;
        if (cells > settings_.most_cells) continue;
        const std::pair key(trial.program, driver::print(test));
        auto known = expected.find(key);
        if (known == expected.end())
          known = expected.emplace(key, driver::expected(trial.compiled.stencil, test)).first;
        const std::string difference =
            driver::compare(trial.compiled, trial.machine, test, known->second, inexact ? 1e-3 : 0);
        ++runs;
        for (const auto& levels : known->second.fields)
          tally_.cells += cells * static_cast<int64_t>(levels.size());
        if (difference.empty() && !late && settings_.some_sizes) break;  // covering_run.cpp, too
        if (difference.empty()) continue;
        const char* mode = !executor ? "" : late ? " (copies late)" : " (copies at once)";
        return fmt::format("{}{}: {}", driver::print(test), mode, difference);
      }
    }
    tally_.runs += runs;
    agreed_.add(trial.compiled, cases_for(trial));
    if (settings_.verbose)
      say(fmt::format("{}, `{}` {}: {} runs agree", programs_[trial.program].name, trial.schedule,
                      print(programs_[trial.program].numerics), runs));
    return "";
  }

  const std::vector<Program>& programs_;
  const Settings& settings_;
  const Agreed agreed_;
  std::vector<Trial> trials_;
  Tally tally_;
  std::mutex output_;
};

}  // namespace

Outcome run_trials(const std::vector<Program>& programs, const Settings& settings) {
  return Trials(programs, settings).run();
}

}  // namespace stencilc::run_test
