#include "driver/run/dry_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <ostream>

#include "data/files/npy.h"
#include "diag/excerpt.h"
#include "driver/inputs/file_names.h"
#include "driver/inputs/levels.h"
#include "driver/inputs/points.h"
#include "driver/run/memory.h"
#include "driver/run/output_names.h"
#include "driver/run/plot_options.h"
#include "driver/system/memory.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

constexpr size_t kWide = 8;  // of the first words of lines

class DryRunText {
 public:
  DryRunText(const DryRun& run, std::ostream& out)
      : run_(run), stencil_(run.compiled.stencil), out_(out) {}

  void print() {
    head();
    for (size_t p = 0; p < stencil_.params.size(); ++p)
      line("param",
           fmt::format("{} = {}", stencil_.params[p].name, ir::print(run_.host.params[p])));
    inputs();
    outputs();
    long_run();
    memory();
  }

 private:
  void line(const std::string& word, const std::string& text) {
    out_ << fmt::format("{:{}} {}\n", word, kWide, diag::printable(text));
  }

  std::string place() const {
    if (run_.host.communicator != nullptr) return "on several processes";
    const bool gpu = run_.options.compilation.target == plan::Target::cuda;
    if (run_.host.devices.size() < 2) return gpu ? "on a GPU" : "on the CPU";
    return gpu ? fmt::format("on GPUs {}", fmt::join(run_.host.devices, ", "))
               : fmt::format("on the CPU in {} pieces", run_.host.devices.size());
  }

  void head() {
    std::string steps = "one pass";
    if (run_.iterates)
      steps = fmt::format("at most {} steps", stencil_.iterate.limit);
    else if (run_.compiled.module.steps)
      steps = fmt::format("{} step{}", run_.steps, run_.steps == 1 ? "" : "s");
    if (run_.options.first > 0) steps += fmt::format(" from step {}", run_.options.first);
    out_ << fmt::format("{}: {}, {} {}, schedule {}\n", stencil_.name,
                        data::to_string(run_.host.extents), steps, place(),
                        plan::print(run_.compiled.plan.schedule, stencil_));
    if (run_.facts.by_channel()) line("runs", "once on each colour of the picture");
  }

  // Levels that have the same source, in one line each.
  void inputs() {
    std::map<std::string, std::vector<std::vector<bool>>> read, made, made_up;
    for (size_t f = 0; f < run_.levels.size(); ++f)
      for (size_t level = 0; level < run_.levels[f].size(); ++level) {
        const LevelSource& from = run_.levels[f][level];
        if (stencil_.fields[f].role == ir::Role::output && from.file.empty()) continue;
        auto& lines = !from.file.empty() ? read : from.made_up ? made_up : made;
        auto& listed = lines[from.file.empty() ? from.generator : from.file];
        listed.resize(run_.levels.size());
        listed[f].resize(run_.levels[f].size());
        listed[f][level] = true;
      }
    for (const auto& [file, levels] : read)
      line("reads", fmt::format("{} into {}", file, names(levels)));
    for (const auto& [generator, levels] : made)
      line("makes", fmt::format("{} by `{}`", names(levels), generator));
    for (const auto& [generator, levels] : made_up)
      line("makes up",
           fmt::format("{} by `{}`, because there is no `--in`", names(levels), generator));
    for (const ir::Series& series : stencil_.series) series_input(series);
    for (size_t p = 0; p < stencil_.points.size(); ++p) {
      const size_t count = run_.host.points[p].size();
      line("points",
           fmt::format("{}: {} place{}", stencil_.points[p].name, count, count == 1 ? "" : "s"));
    }
    for (const std::string& list : run_.facts.made_up_points)
      line("makes up",
           fmt::format("{}: one point in the middle, because there is no `--points`", list));
  }

  // Fields of which nothing is listed have no levels here.
  std::string names(std::vector<std::vector<bool>> levels) const {
    for (size_t f = 0; f < levels.size(); ++f)
      if (levels[f].empty()) levels[f].assign(run_.levels[f].size(), false);
    return fmt::format("{}", fmt::join(names_of_levels(stencil_, levels), ", "));
  }

  void series_input(const ir::Series& series) {
    for (const auto& [name, what] : run_.options.inputs)
      if (name == series.name)
        return line(file_name(what).kind == FileKind::none ? "makes" : "reads",
                    fmt::format("{} into {}", what, name));
    if (!series.output)
      line("makes up", fmt::format("{} by `gauss`, because there is no `--in`", series.name));
  }

  void outputs() {
    for (const auto& [names, text] : run_.options.outputs) {
      const FileName file = file_name(text);
      line("writes", fmt::format("{} from {}{}{}", file.path == "-" ? "standard output" : file.path,
                                 names, size_of_file(names, file),
                                 is_one_file(file, run_.options.long_run.every)
                                     ? ", all snapshots in one file"
                                     : ""));
    }
    for (const std::string& text : run_.options.plots) {
      const PlotOptions plot = *plot_options(text, stencil_);
      line("writes",
           fmt::format("{}, a picture of {}", plot.path == "-" ? "standard output" : plot.path,
                       fmt::join(plot.fields, ", ")));
    }
  }

  void long_run() {
    const LongRunOptions& own = run_.options.long_run;
    for (const std::string& film : own.films) {
      const PlotOptions figure = *plot_options(film, stencil_);
      line("writes",
           fmt::format("{}, a film of {}", plot_path(film), fmt::join(figure.fields, ", ")));
    }
    if (!own.log.empty()) line("writes", fmt::format("{}, a log of the snapshots", own.log));
    if (own.every != 0) line("writes", fmt::format("snapshots every {} steps", own.every));
    if (!own.checkpoint.empty()) line("writes", own.checkpoint + ", a checkpoint");
  }

  // Of plain arrays, whose size does not depend on the values.
  std::string size_of_file(const std::string& name, const FileName& file) const {
    const int field = field_index(stencil_, name);
    if (file.kind != FileKind::npy || field < 0) return "";
    const auto f = static_cast<size_t>(field);
    const data::Extents extents = array_extents(stencil_, f, run_.host.extents);
    data::Element element = element_of(stencil_.fields[f].type);
    if (element == data::Element::bf16) element = data::Element::f32;  // NumPy has no bf16
    double bytes = static_cast<double>(data::size_of(element)) * run_.facts.channels;
    for (const int64_t extent : extents) bytes *= static_cast<double>(extent);
    return fmt::format(", {}", print_bytes(bytes));
  }

  void memory() {
    const Memory needed = memory_of(run_.needs);
    const MemoryLeft left = memory_left(needed);
    const auto shown = [&](double bytes, const std::string& where, std::optional<double> free) {
      line("memory",
           fmt::format("{} {}{}", print_bytes(bytes), where,
                       free ? fmt::format(", of {} that are left", print_bytes(*free)) : ""));
    };
    if (run_.needs.here > 1)
      shown(needed.machine, fmt::format("of the host for {} processes", run_.needs.here),
            left.machine);
    else
      shown(needed.process, "of the host", host_memory_left());
    if (needed.device > 0)
      shown(needed.device, run_.host.devices.size() > 1 ? "of each GPU" : "of the GPU",
            left.device);
    if (needed.copies > 0)
      line("memory", fmt::format("{} of the GPU for copies of {}, if they are left",
                                 print_bytes(needed.copies), what_is_copied()));
  }

  std::string what_is_copied() const {
    const LongRunOptions& own = run_.options.long_run;
    if (own.checkpoint.empty()) return "snapshots";
    return own.every == 0 ? "checkpoints" : "snapshots and checkpoints";
  }

  const DryRun& run_;
  const ir::Stencil& stencil_;
  std::ostream& out_;
};

}  // namespace

void print_dry_run(const DryRun& run, std::ostream& out) { DryRunText(run, out).print(); }

}  // namespace stencilc::driver
