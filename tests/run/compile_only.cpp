#include "run/compile_only.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <map>

#include "diag/fnv.h"
#include "diag/render.h"
#include "driver/pipeline/imports.h"
#include "run/random.h"

namespace stencilc::run_test {
namespace {

// What a program is compiled for.
struct Purpose {
  bool cpu = false;
  const plan::Device* device = nullptr;  // null: none is named
  int size = 0;                          // one of kSizes
  int optimisation = 2;
};

// Cells along an axis in one, two and three dimensions; the first are not known.
constexpr int64_t kSizes[][3] = {
    {0, 0, 0}, {1 << 14, 200, 40}, {1 << 22, 2048, 192}, {1 << 30, 32000, 1000}};

Purpose purpose_of(const Program& program) {
  Random random(diag::fnv1a(program.name));
  const auto below = [&](size_t count) {
    return static_cast<size_t>(random.below(static_cast<int>(count)));
  };
  Purpose purpose;
  purpose.cpu = below(8) == 0;
  const std::span<const plan::Device> devices = plan::devices();
  const size_t device = below(devices.size() + 1);
  if (device < devices.size()) purpose.device = &devices[device];
  purpose.size = static_cast<int>(below(std::size(kSizes)));
  const size_t level = below(16);
  if (level < 3) purpose.optimisation = level == 2 ? 3 : static_cast<int>(level);
  return purpose;
}

// As options of stencilc.
std::string as_options(const Purpose& purpose) {
  std::string text = purpose.cpu ? "--target cpu" : "";
  if (!purpose.cpu && purpose.device) text = "--arch " + plan::name(*purpose.device);
  text += fmt::format("{}-O{}", text.empty() ? "" : " ", purpose.optimisation);
  if (purpose.size > 0) {
    const int64_t* cells = kSizes[purpose.size];
    text += fmt::format(" --size {}|{},{}|{},{},{}", cells[0], cells[1], cells[1], cells[2],
                        cells[2], cells[2]);
  }
  return text;
}

// What is wrong; empty: nothing is.
std::string problem_of(const Program& program, const Purpose& purpose) {
  driver::CompileOptions options;
  options.verify_passes = true;
  options.target = purpose.cpu ? plan::Target::cpu : plan::Target::cuda;
  if (purpose.device) options.devices = {*purpose.device};
  options.devices_named = purpose.device != nullptr;
  options.optimisation = purpose.optimisation;
  options.defines = program.defines;
  options.numerics = program.numerics;
  options.stencil = program.stencil;
  options.file = "program";
  diag::Sources sources = {
      {program.file.empty() ? program.name + ".stn" : program.file, program.text}};
  diag::Engine engine;
  try {
    const ast::Program tree = driver::load(sources, options.folders, engine);
    for (ir::Stencil& stencil : driver::front_end(sources, tree, options, engine)) {
      if (purpose.size > 0)
        options.size.assign(stencil.axes.size(), kSizes[purpose.size][stencil.rank() - 1]);
      driver::back_end(std::move(stencil), sources, options, engine);
    }
  } catch (const std::exception& bug) {
    return bug.what();
  }
  for (const diag::Diagnostic& diagnostic : engine.all())
    if (diagnostic.severity == diag::Severity::error)
      return diag::render_gnu(diagnostic, sources, false);
  return "";
}

// Too much time or memory ends the process.
void limit(int seconds) {
  const auto most = static_cast<rlim_t>(seconds);
  const rlimit cpu = {most, most}, core = {0, 0};
  setrlimit(RLIMIT_CPU, &cpu);
  setrlimit(RLIMIT_CORE, &core);
#ifndef __SANITIZE_ADDRESS__  // which reserves more than any machine has
  constexpr rlim_t kMemory = rlim_t{8} << 30;
  const rlimit memory = {kMemory, kMemory};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

std::string how_it_ended(int status, int seconds) {
  if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? "" : "does not compile";
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU || signal == SIGKILL) return fmt::format("takes more than {} s", seconds);
  return fmt::format("ends the compiler by signal {}", signal);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// The processes that are at work.
class Compilations {
 public:
  Compilations(const std::vector<Program>& programs, const CompileOnly& how)
      : programs_(programs), how_(how) {}

  Outcome run() {
    std::cout.flush();
    for (size_t next = 0; next < programs_.size() && (failures_ == 0 || how_.keep_going); ++next) {
      if (working_.size() == static_cast<size_t>(how_.jobs)) wait_for_one();
      begin(next);
    }
    while (!working_.empty()) wait_for_one();
    std::cout << fmt::format(
        "{} programs compiled, {} failures; the slowest is {}, {:.1f} s of {:.1f}\n", done_,
        failures_, slowest_, most_, all_);
    return failures_ == 0 ? Outcome::good : Outcome::broken;
  }

 private:
  void begin(size_t p) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("there is no process to be had");
    if (child > 0) {
      working_[child] = p;
      return;
    }
    limit(how_.seconds);
    const std::string problem = problem_of(programs_[p], purpose_of(programs_[p]));
    if (!problem.empty()) std::cout << problem << std::endl;
    _exit(problem.empty() ? 0 : 1);
  }

  void wait_for_one() {
    int status = 0;
    rusage usage = {};
    const pid_t child = wait4(-1, &status, 0, &usage);
    const auto found = working_.find(child);
    if (found == working_.end()) return;
    const Program& program = programs_[found->second];
    working_.erase(found);
    ++done_;
    const double seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    all_ += seconds;
    if (seconds > most_) most_ = seconds, slowest_ = program.name;
    const std::string what = fmt::format("{} {} {}", program.name, print(program.numerics),
                                         as_options(purpose_of(program)));
    const std::string ended = how_it_ended(status, how_.seconds);
    if (!ended.empty()) {
      ++failures_;
      std::cout << fmt::format("FAILED {}: it {}\n{}again: stencilc-run-tests {} --compile-only\n",
                               what, ended, program.text, program.again);
    } else if (how_.verbose) {
      std::cout << fmt::format("{}: {:.2f} s\n", what, seconds);
    }
    std::cout.flush();
  }

  const std::vector<Program>& programs_;
  const CompileOnly& how_;
  std::map<pid_t, size_t> working_;
  int done_ = 0, failures_ = 0;
  double all_ = 0, most_ = 0;
  std::string slowest_;
};

}  // namespace

Outcome compile_only(const std::vector<Program>& programs, const CompileOnly& how) {
  return Compilations(programs, how).run();
}

}  // namespace stencilc::run_test
