// stencilc run: reads data, runs a program, and writes data and pictures.
#include "driver/run/run_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "diag/codes.h"
#include "diag/excerpt.h"
#include "driver/cli/archs.h"
#include "driver/cli/read_input.h"
#include "driver/cli/report.h"
#include "driver/execute/launched.h"
#include "driver/inputs/params.h"
#include "driver/inputs/points.h"
#include "driver/measure/bench_inputs.h"
#include "driver/run/dry_run.h"
#include "driver/run/fields.h"
#include "driver/run/finite.h"
#include "driver/run/long_run.h"
#include "driver/run/long_run_options.h"
#include "driver/run/memory.h"
#include "driver/run/output_names.h"
#include "driver/run/outputs.h"
#include "driver/run/plot_options.h"
#include "driver/run/run_build.h"
#include "driver/run/together.h"
#include "driver/system/input_errors.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

bool has_pieces(const Options& options) { return options.devices.size() > 1; }

// Whether all processes can go on; if not, this one says what another one lacks.
bool all_are(bool ready, const Launched& launched, diag::Engine& engine) {
  if (launched.processes() == nullptr) return ready;
  const char* const why =
      engine.all().empty() ? "the run cannot begin" : engine.all().back().text.c_str();
  const stencil::Status mine =
      ready ? stencil::Status() : stencil::Status(stencil::Code::lost_process, why);
  const stencil::Status all = launched.processes()->agree(mine, "a run");
  if (ready && !all.ok()) engine.report(diag::run_failed, diag::nowhere, all.message());
  return all.ok();
}

class Run {
 public:
  Run(const Options& options, Compiled compiled, const diag::Sources& sources,
      const Launched& launched, diag::Engine& engine)
      : options_(options),
        stencil_(compiled.stencil),
        compiled_(std::move(compiled)),
        sources_(sources),
        launched_(launched),
        engine_(engine) {}

  void go() {
    if (options_.dry_run) return dry_run();
    const bool ready = set_inputs(host_, facts_, engine_) && is_one_run() && resumes() &&
                       has_machine(options_, "runs", engine_);
    if (!all_are(ready, launched_, engine_)) return;
    Machine machine;
    launched_.first_of_machine_first([&] { machine = build_machine(); });
    if (!all_are(machine.call != nullptr, launched_, engine_)) return;
    if (const std::string made_up = what_is_made_up(facts_);
        !made_up.empty() && !options_.long_run.quiet)
      std::cerr << fmt::format("stencilc: note: {}\n", made_up);
    if (launched_.rank() == 0) note_no_snapshots();
    const std::vector<std::string> notes = host_.notes;
    for (int channel = 0; channel < facts_.channels; ++channel) {
      if (channel > 0 && !set_channel(channel)) return;
      if (!run_once(machine)) return;
      runs_.push_back(std::move(host_));
    }
    print_notes(notes);
    say_written();
    if (launched_.processes() == nullptr)
      write_outputs(last_outputs(options_, stencil_), stencil_, runs_, facts_, engine_);
    else
      write_together();
  }

  // The exit code of a run that a signal has stopped, or 0.
  int stopped() const { return stopped_; }

 private:
  // Says before a run that it ends before its first snapshot.
  void note_no_snapshots() const {
    const int64_t every = options_.long_run.every;
    if (every == 0 || by_itself() || options_.steps / every > begin_.step / every) return;
    std::cerr << fmt::format(
        "stencilc: warning: `--every {}`: no snapshot is written, because the run ends at step "
        "{}\n",
        every, options_.steps);
  }

  bool run_once(const Machine& machine) {
    const bool iterates = by_itself();
    const int64_t steps = !compiled_.module.steps ? 1 : iterates ? -1 : options_.steps;
    // A stencil without steps runs three times, so that the last time does not include loading of
    // code.
    std::vector<double> seconds(3);
    const int before = engine_.errors();
    int64_t taken = steps;
    std::string failed;
    const bool in_parts = is_in_parts();
    if (in_parts) {
      Watched watched =
          run_watched({options_, compiled_, machine, facts_, engine_}, host_, begin_, steps);
      taken = watched.step;
      failed = watched.failed;
      seconds = {watched.seconds};
      written_ = std::move(watched.written);
      if (failed.empty() && engine_.errors() == before && watched.signal != 0) {
        stopped_ = 128 + watched.signal;
        say_stopped(taken);
        return false;
      }
    } else {
      failed = call_once(machine, steps, seconds);
    }
    if (engine_.errors() > before) return false;
    if (!failed.empty()) {
      engine_.report(diag::run_failed, diag::nowhere, failed);
      return false;
    }
    if (iterates && !in_parts) taken = host_.steps_taken;
    host_.steps_taken = taken;
    report(machine, taken - begin_.step, seconds.back());
    Ended ended{compiled_, machine, host_, taken, seconds.back(), [&](HostData& again) {
                  diag::Engine unsaid;
                  InputFacts facts;
                  facts.channel = facts_.channel;
                  return set_inputs(again, facts, unsaid);
                }};
    ended.first = options_.first;
    ended.channel = channel();
    if (begin_.step > 0) {
      ended.inputs = {};
      ended.unsearched = "in a run that was resumed";
    }
    if (launched_.processes() != nullptr) {
      ended.together = [&](int64_t cells) { return summed(cells); };
      ended.shows = launched_.rank() == 0;
    }
    check_finite(ended, engine_);  // before an output overwrites an input
    return true;
  }

  void say_stopped(int64_t step) {
    say_written();
    const std::string& checkpoint = options_.long_run.checkpoint;
    std::cerr << fmt::format("stencilc: stopped at step {}", step)
              << (checkpoint.empty()
                      ? std::string("\n")
                      : fmt::format("; `--resume {}` goes on\n", diag::printable(checkpoint)));
  }
  void say_written() {
    for (const std::string& file : written_)
      report_stream() << "wrote " << diag::printable(file) << "\n";
  }

  // What all processes have together.
  int64_t summed(int64_t cells) const {
    stencil::Communicator& all = *launched_.processes();
    std::vector<int64_t> each(static_cast<size_t>(all.size()), 0);
    int64_t sum = 0;
    if (all.gather(&cells, each.data(), std::vector<int64_t>(each.size(), int64_t{sizeof cells}))
            .ok())
      sum = std::accumulate(each.begin(), each.end(), int64_t{0});
    (void)all.broadcast(&sum, int64_t{sizeof sum}).ok();
    return sum;
  }

  // Each process writes its planes of plain arrays. What else is written, the first one writes.
  void write_together() {
    Options left = last_outputs(options_, stencil_);
    std::erase_if(left.outputs, [&](const NameValue& output) {
      if (!is_written_together(stencil_, output, runs_.size())) return false;
      const std::string path = file_name(output.second).path;
      const std::string why =
          write_npy_together(stencil_, field_index(stencil_, output.first), runs_[0], path);
      if (why.empty())
        std::cout << fmt::format("wrote {}\n", diag::printable(path));
      else
        engine_.report(diag::cannot_write, diag::nowhere,
                       fmt::format("cannot write `{}`: {}", path, why));
      return true;
    });
    const std::vector<int> gathered = gathered_fields(options_, stencil_, runs_.size());
    for (HostData& run : runs_)
      if (const std::string why = gather(stencil_, gathered, run); !why.empty()) {
        engine_.report(diag::run_failed, diag::nowhere, why);
        return;
      }
    if (launched_.rank() == 0) write_outputs(left, stencil_, runs_, facts_, engine_);
  }

  // Sets the inputs of the run on another colour.
  bool set_channel(int channel) {
    InputFacts next;
    next.channel = channel;
    const data::Extents extents = runs_.front().extents;
    facts_ = std::move(next);
    host_ = {};
    if (!set_inputs(host_, facts_, engine_)) return false;
    if (facts_.by_channel() && host_.extents == extents) return true;
    return bad_input(engine_, "the picture of `--in` has changed during the run");
  }

  bool by_itself() const { return !options_.steps_given && stencil_.iterate.given; }

  // Reads the files of the fields, and settles the extents.
  bool read_inputs(LevelSources& levels, HostData& host, InputFacts& facts, diag::Engine& engine) {
    if (has_pieces(options_)) host.devices = options_.devices;
    host.communicator = launched_.processes();
    host.first = options_.first;
    if (options_.first > 0 && !compiled_.module.steps)
      return bad_input(engine, fmt::format("`--first` has no effect, because `{}` takes no steps",
                                           stencil_.name));
    if (options_.steps > INT64_MAX - options_.first)
      return bad_input(engine, "`--first` and `--steps` are more steps than can be counted");
    return read_levels(options_, stencil_, levels, host, facts, engine);
  }

  bool set_lists(HostData& host, InputFacts& facts, diag::Engine& engine) {
    const int64_t steps = by_itself() ? stencil_.iterate.limit : options_.steps;
    return set_points(options_, stencil_, steps, host, facts, engine);
  }

  bool set_values(HostData& host, const InputFacts& facts, diag::Engine& engine) {
    const bool set = set_params(options_.params, stencil_, Missing::refused, host, engine);
    if (set) compare_spacing(options_, stencil_, facts, host);
    return set;
  }

  Needs needs_of(const HostData& host, const InputFacts& facts) const {
    return {options_,
            compiled_,
            host,
            facts.channels - facts.channel,
            launched_.here(),
            launched_.first_is_here()};
  }
  // Whether there is memory for the run.
  bool fits(const HostData& host, const InputFacts& facts, diag::Engine& engine) const {
    const Needs needs = needs_of(host, facts);
    const std::string why = too_large(needs, memory_left(memory_of(needs)));
    if (!why.empty()) engine.report(diag::memory_limit, diag::nowhere, why);
    return why.empty();
  }

  bool set_inputs(HostData& host, InputFacts& facts, diag::Engine& engine) {
    LevelSources levels;
    return read_inputs(levels, host, facts, engine) && set_lists(host, facts, engine) &&
           fits(host, facts, engine) &&
           fill_levels(options_, stencil_, std::move(levels), host, engine) &&
           set_values(host, facts, engine);
  }

  void dry_run() {
    LevelSources levels;
    const bool ready = read_inputs(levels, host_, facts_, engine_) &&
                       set_lists(host_, facts_, engine_) && set_values(host_, facts_, engine_);
    if (!all_are(ready, launched_, engine_)) return;
    const int64_t steps = !compiled_.module.steps ? 1 : options_.steps;
    print_dry_run(
        {options_, compiled_, levels, host_, facts_, needs_of(host_, facts_), by_itself(), steps},
        std::cout);
    (void)fits(host_, facts_, engine_);
  }

  // Takes another schedule if that of the compiler spills.
  Machine build_machine() {
    RunBuild built = build_for_run(options_, compiled_, sources_, host_.extents);
    if (!built.note.empty())
      std::cerr << fmt::format("stencilc: note: {}\n", diag::printable(built.note));
    compiled_ = std::move(built.compiled);
    Machine machine = load(built.library, options_.compilation.target);
    if (!machine.call)
      engine_.report(machine.tool_missing ? diag::tool_missing : diag::build_failed, diag::nowhere,
                     machine.problem);
    return machine;
  }

  std::string call_once(const Machine& machine, int64_t steps, std::vector<double>& seconds) {
    // Repetitions begin with what the last one left.
    if (compiled_.module.steps) seconds.resize(1);
    return call(machine, host_, steps, seconds);
  }

  // Of several processes the first one decides: it shows the progress.
  bool is_in_parts() const {
    int32_t watched = compiled_.module.steps && is_watched(options_) ? 1 : 0;
    if (launched_.processes() != nullptr)
      (void)launched_.processes()->broadcast(&watched, int64_t{sizeof watched}).ok();
    return watched != 0;
  }

  // Snapshots and checkpoints are those of one run.
  bool is_one_run() {
    return !takes_parts(options_.long_run) || !facts_.by_channel() ||
           bad_input(engine_,
                     "snapshots and checkpoints are those of one run, and the program runs on each "
                     "colour of the input; give it a gray picture, or one colour as `.npy`");
  }

  bool resumes() {
    if (options_.long_run.resume.empty()) return true;
    facts_.made_up.clear();
    if (!restore_checkpoint(options_, compiled_, host_, begin_, engine_) ||
        !goes_on_in_series(options_, begin_.step, engine_))
      return false;
    report_stream() << fmt::format("goes on from step {} of {}\n", begin_.step,
                                   diag::printable(options_.long_run.resume));
    return true;
  }

  void report(const Machine& machine, int64_t steps, double seconds) {
    double cells = 1;
    for (const int64_t extent : host_.extents) cells *= static_cast<double>(extent);
    std::ostream& out = report_stream();
    if (facts_.channel == 0)
      out << fmt::format("{}: {} on {}, schedule {}\n", stencil_.name,
                         data::to_string(host_.extents), place(machine),
                         plan::print(compiled_.plan.schedule, stencil_));
    if (facts_.by_channel()) out << channel() << ": ";
    out << fmt::format("{} step{}, {:.4g} s, {:.3f} GCells/s\n", steps, steps == 1 ? "" : "s",
                       seconds,
                       seconds > 0 ? cells * static_cast<double>(steps) / seconds * 1e-9 : 0.0);
    for (size_t r = 0; r < stencil_.reductions.size(); ++r)
      out << fmt::format("{} = {}\n", stencil_.reductions[r].name, ir::print(host_.reductions[r]));
  }

  std::string channel() const {
    return std::string(facts_.by_channel() ? data::name_of(InputFacts::colour(facts_.channel))
                                           : "");
  }

  void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes)
      report_stream() << "note: " << diag::printable(note) << "\n";
  }

  std::ostream& report_stream() const {
    static std::ostream nobody(nullptr);
    if (options_.long_run.quiet) return nobody;
    return results_go_to_standard_output() ? std::cerr : std::cout;
  }

  // "GPU", or "GPUs 0, 2, in 2 pieces with legs of 11 steps".
  std::string place(const Machine& machine) const {
    if (launched_.processes() != nullptr)
      return fmt::format("{} of {} process{} by {}", machine.description, launched_.size(),
                         launched_.size() == 1 ? "" : "es", launched_.processes()->name()) +
             legs();
    if (!has_pieces(options_)) return machine.description;
    const bool cpu = options_.compilation.target == plan::Target::cpu;
    std::string text =
        cpu ? machine.description : fmt::format("GPUs {}", fmt::join(options_.devices, ", "));
    return text + fmt::format(", in {} pieces", options_.devices.size()) + legs();
  }
  std::string legs() const {
    return compiled_.module.steps ? fmt::format(" with legs of {} step{}", host_.leg_steps,
                                                host_.leg_steps == 1 ? "" : "s")
                                  : "";
  }

  // Then nothing else is printed there.
  bool results_go_to_standard_output() const {
    return std::ranges::any_of(options_.outputs,
                               [](const NameValue& one) { return one.second == "-"; }) ||
           std::ranges::any_of(options_.plots,
                               [](const std::string& plot) { return plot_path(plot) == "-"; });
  }

  const Options& options_;
  const ir::Stencil stencil_;
  Compiled compiled_;
  const diag::Sources& sources_;
  const Launched& launched_;
  diag::Engine& engine_;
  HostData host_;
  InputFacts facts_;
  RunState begin_;                    // of a run that is resumed
  int stopped_ = 0;                   // the exit code after a signal
  std::vector<std::string> written_;  // between the steps
  std::vector<HostData> runs_;        // what has run: one for each channel of a picture
};

int run(const Options& options, const Launched& launched) {
  diag::Engine engine;
  diag::Sources sources;
  Options named = options;
  named.compilation.file = "stencil";
  named.compilation.command = "stencilc " + options.input;  // the code does not depend on the data
  named.compilation.distributed = has_pieces(options) || launched.processes() != nullptr;
  if (named.compilation.distributed)
    named.compilation.gpus = launched.processes() != nullptr
                                 ? launched.size()
                                 : static_cast<int>(options.devices.size());
  // Without --target, the GPU is used if there is one.
  if (options.target_name.empty() && !has_gpu()) {
    named.compilation.target = plan::Target::cpu;
    if (has_pieces(options))
      std::cerr
          << "stencilc: note: there is no GPU, or no `nvcc`; the pieces are in memory, and are "
             "computed one after the other\n";
  }
  std::optional<Compiled> compiled;
  if (read_input(named, sources, engine)) compiled = compile(sources, named.compilation, engine);
  if (!all_are(compiled.has_value(), launched, engine)) return finish(engine, sources, options);
  finish(engine, sources, options);  // print warnings before a run that may take long
  diag::Engine running;
  set_warnings(options.warnings, running);
  if (!named.long_run.resume.empty()) {
    std::string note;
    const bool opened = open_checkpoint(named, *compiled, note, running);
    if (!all_are(opened, launched, running)) return finish(running, sources, options);
    if (!note.empty()) std::cerr << fmt::format("stencilc: note: {}\n", diag::printable(note));
  }
  Run whole(named, std::move(*compiled), sources, launched, running);
  whole.go();
  const int code = finish(running, sources, options);
  return whole.stopped() != 0 ? whole.stopped() : code;
}

// Prints nothing while it lives: of several processes the first one speaks for all.
class Silence {
 public:
  explicit Silence(bool silent) : silent_(silent) {
    if (!silent_) return;
    out_ = std::cout.rdbuf(nullptr);
    errors_ = std::cerr.rdbuf(said_.rdbuf());
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    if (!silent_) return;
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(errors_);
    // The first one may be the one that is lost.
    if (const std::string said = said_.str(); said.find("process 0 of ") != said.npos)
      std::cerr << said;
  }

 private:
  bool silent_;
  std::ostringstream said_;
  std::streambuf* out_ = nullptr;
  std::streambuf* errors_ = nullptr;
};

}  // namespace

int run_command(const Options& options) {
  Launched launched(options.launcher);
  if (!launched.problem().empty()) {
    diag::Engine engine;
    engine.report(launched.tool_missing() ? diag::tool_missing : diag::run_failed, diag::nowhere,
                  launched.problem());
    return finish(engine, {}, options);
  }
  int32_t code = 0;
  {
    const Silence silence(launched.rank() != 0);
    code = run(options, launched);
  }
  // All end with the code of the first one.
  if (launched.processes() != nullptr)
    (void)launched.processes()->broadcast(&code, int64_t{sizeof code}).ok();
  launched.leave(code);
  return code;
}

}  // namespace stencilc::driver
