// stencilc run: reads data, runs a program, and writes data and pictures.
#include "driver/run/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "diag/codes.h"
#include "diag/excerpt.h"
#include "driver/cli/archs.h"
#include "driver/cli/read_input.h"
#include "driver/cli/report.h"
#include "driver/inputs/params.h"
#include "driver/inputs/points.h"
#include "driver/measure/bench_inputs.h"
#include "driver/run/fields.h"
#include "driver/run/finite.h"
#include "driver/run/outputs.h"
#include "driver/run/plot_options.h"
#include "driver/run/run_build.h"
#include "driver/system/input_errors.h"
#include "driver/system/progress.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

class Run {
 public:
  Run(const Options& options, Compiled compiled, const diag::Sources& sources, diag::Engine& engine)
      : options_(options),
        stencil_(compiled.stencil),
        compiled_(std::move(compiled)),
        sources_(sources),
        engine_(engine) {}

  void go() {
    if (!set_inputs(host_, facts_, engine_)) return;
    if (!has_machine(options_, "runs", engine_)) return;
    const Machine machine = build_machine();
    if (!machine.call) return;
    const std::vector<std::string> notes = host_.notes;
    for (int channel = 0; channel < facts_.channels; ++channel) {
      if (channel > 0 && !set_channel(channel)) return;
      if (!run_once(machine)) return;
      runs_.push_back(std::move(host_));
    }
    print_notes(notes);
    write_outputs(options_, stencil_, runs_, facts_, engine_);
  }

 private:
  bool run_once(const Machine& machine) {
    const bool iterates = !options_.steps_given && stencil_.iterate.given;
    const int64_t steps = !compiled_.module.steps ? 1 : iterates ? -1 : options_.steps;
    // A stencil without steps runs three times, so that the last time does not include loading of
    // code.
    std::vector<double> seconds(3);
    const std::string failed = compiled_.module.steps && !iterates
                                   ? call_in_pieces(machine, steps, seconds)
                                   : call_once(machine, steps, seconds);
    if (!failed.empty()) {
      engine_.report(diag::run_failed, diag::nowhere, failed);
      return false;
    }
    const int64_t taken = iterates ? host_.steps_taken : steps;
    host_.steps_taken = taken;
    report(machine, taken, seconds.back());
    Ended ended{compiled_, machine, host_, taken, seconds.back(), [&](HostData& again) {
                  diag::Engine unsaid;
                  InputFacts facts;
                  facts.channel = facts_.channel;
                  return set_inputs(again, facts, unsaid);
                }};
    ended.channel = channel();
    check_finite(ended, engine_);  // before an output overwrites an input
    return true;
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

  bool set_inputs(HostData& host, InputFacts& facts, diag::Engine& engine) {
    const bool by_itself = !options_.steps_given && stencil_.iterate.given;
    const bool set = set_fields(options_, stencil_, host, facts, engine) &&
                     set_params(options_.params, stencil_, Missing::refused, host, engine) &&
                     set_points(options_, stencil_,
                                by_itself ? stencil_.iterate.limit : options_.steps, host, engine);
    if (set) compare_spacing(stencil_, facts, host);
    return set;
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
    if (steps < 0) seconds.resize(1);  // each repetition would start where the last one ended
    return call(machine, host_, steps, seconds);
  }

  // On a terminal a long run is split into pieces to show its progress. The results do not depend
  // on it.
  std::string call_in_pieces(const Machine& machine, int64_t steps, std::vector<double>& total) {
    total.assign(1, 0.0);
    Progress progress("steps");
    const bool cut = progress.shown() && steps > 1;
    int64_t piece = cut ? 1 : steps;
    for (int64_t done = 0; done < steps || steps == 0;) {
      std::vector<double> seconds(1);
      const std::string failed = call(machine, host_, piece, seconds);
      if (!failed.empty() || steps == 0) return failed;
      total[0] += seconds[0];
      done += piece;
      host_.first += piece;
      progress.at(done, steps);
      piece = std::min(steps - done, seconds[0] < 0.5 ? piece * 4 : piece);
    }
    return "";
  }

  void report(const Machine& machine, int64_t steps, double seconds) {
    double cells = 1;
    for (const int64_t extent : host_.extents) cells *= static_cast<double>(extent);
    std::ostream& out = report_stream();
    if (facts_.channel == 0)
      out << fmt::format("{}: {} on {}, schedule {}\n", stencil_.name,
                         data::to_string(host_.extents), machine.description,
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
    return results_go_to_standard_output() ? std::cerr : std::cout;
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
  diag::Engine& engine_;
  HostData host_;
  InputFacts facts_;
  std::vector<HostData> runs_;  // what has run: one for each channel of a picture
};

}  // namespace

int run_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  Options named = options;
  named.compilation.file = "stencil";
  named.compilation.command = "stencilc " + options.input;  // the code does not depend on the data
  // Without --target, the GPU is used if there is one.
  if (options.target_name.empty() && !has_gpu()) named.compilation.target = plan::Target::cpu;
  if (!read_input(named, sources, engine)) return finish(engine, sources, options);
  auto compiled = compile(sources, named.compilation, engine);
  if (!compiled) return finish(engine, sources, options);
  finish(engine, sources, options);  // print warnings before a run that may take long
  diag::Engine running;
  set_warnings(options.warnings, running);
  Run(named, std::move(*compiled), sources, running).go();
  return finish(running, sources, options);
}

}  // namespace stencilc::driver
