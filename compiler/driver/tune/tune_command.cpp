// stencilc tune: searches for the fastest schedule of a stencil and saves it for later compiles.
#include "driver/tune/tune_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "diag/codes.h"
#include "driver/cli/archs.h"
#include "driver/cli/read_input.h"
#include "driver/cli/report.h"
#include "driver/cli/tuning_file.h"
#include "driver/measure/machine.h"
#include "driver/measure/table.h"
#include "driver/pipeline/imports.h"
#include "driver/pipeline/tuning_text.h"
#include "driver/system/files.h"
#include "driver/tune/trials.h"
#include "plan/syntax/print_schedule.h"
#include "plan/tuning/candidates.h"

namespace stencilc::driver {
namespace {

// Checks that there are a machine, one architecture, and several schedules. Reports an error
// otherwise.
bool can_tune(const Options& options, const ir::Stencil& stencil, diag::Engine& engine) {
  const plan::Target target = options.compilation.target;
  const plan::Device device = plan::common(options.compilation.devices);
  const std::vector<std::string> all = plan::candidates(stencil, target, device);
  if (all.size() < 2) {
    engine
        .report(diag::bad_schedule, diag::nowhere,
                fmt::format("there is nothing to tune: `{}` has only one schedule, `{}`",
                            stencil.name, fmt::join(all, "")))
        .help("CPU schedules differ only in how updates that read `t+1` are split");
    return false;
  }
  if (!has_machine(options, "tunes", engine)) return false;
  if (target == plan::Target::cpu || options.archs.size() == 1) return true;
  engine
      .report(diag::bad_arch, diag::nowhere,
              options.archs.empty()
                  ? "the architecture of the GPU is not known to this stencilc"
                  : fmt::format("a schedule is tuned for one architecture, and `--arch` names {}",
                                fmt::join(options.archs, ", ")))
      .help("give `--arch` the architecture of the GPU of this machine");
  return false;
}

// The result of the search: an entry of the file, and numbers for the table.
struct Found {
  double copy = 0;  // bytes per second
  TunedEntry entry;
  double chosen_of_copy = 0;
};

// Measures the fastest schedule and the compiler's choice again, together with a copy; nothing
// after an error.
std::optional<Found> settle(const std::vector<plan::Trial>& tried, Trials& trials,
                            const ir::Stencil& stencil, const data::Extents& extents, int devices,
                            diag::Engine& engine) {
  const plan::Trial &chosen = tried.front(), &best = *plan::fastest(tried);
  const bool unchanged = best.schedule == chosen.schedule;
  // A copy takes as long on all devices as on one.
  const std::vector<Measured> again = trials.again(
      unchanged ? std::vector{chosen.schedule} : std::vector{chosen.schedule, best.schedule});
  for (const Measured& one : again) {
    if (one.problem.empty()) continue;
    engine.report(diag::run_failed, diag::nowhere, one.problem);
    return {};
  }
  const bool gains = !unchanged && again[2].seconds < again[1].seconds;
  const double cells = cells_of(extents), bytes = ir::compulsory_traffic(stencil).bytes();
  const double chosen_rate = cells / again[1].seconds,
               rate = gains ? cells / again[2].seconds : chosen_rate;
  Found found;
  found.copy = devices / again[0].seconds;
  found.entry.devices = devices;
  found.chosen_of_copy = chosen_rate * bytes / found.copy;
  found.entry.size = extents;
  found.entry.schedule = gains ? best.schedule : chosen.schedule;
  found.entry.gcells = rate * kGiga;
  found.entry.fraction_of_copy = rate * bytes / found.copy;
  found.entry.chosen_schedule = chosen.schedule;
  found.entry.chosen_gcells = chosen_rate * kGiga;
  found.entry.tried = static_cast<int>(tried.size());
  return found;
}

std::string table_of(const Found& found, const ir::Stencil& stencil, const Place& place,
                     const Trials& trials) {
  const TunedEntry& entry = found.entry;
  Report report;
  report.place = place;
  report.extents = entry.size;
  report.traffic = ir::compulsory_traffic(stencil);
  const auto row = [&](const char* what, const std::string& schedule, double gcells, double part) {
    return std::vector<std::string>{what, schedule, fmt::format("{:.4g}", gcells),
                                    report.fits_cache() ? "-" : fmt::format("{:.3f}", part)};
  };
  const std::string on = entry.devices == 1
                             ? entry.device
                             : fmt::format("{} devices: {}", entry.devices, entry.device);
  return fmt::format("{}: {} on {}\ncopy: {:.0f} GB/s (bytes read plus bytes written)\n{}\n",
                     stencil.name, data::to_string(entry.size), on, found.copy * kGiga,
                     report.cache_note()) +
         aligned({{"", "schedule", "GCells/s", "of copy"},
                  row("compiler's choice", entry.chosen_schedule, entry.chosen_gcells,
                      found.chosen_of_copy),
                  row("tuned", entry.schedule, entry.gcells, entry.fraction_of_copy)}) +
         fmt::format(
             "\ntried {} schedules in {:.0f} s; {} of them did not run: they did not build, "
             "spilled much, were too large, or were no other code\n",
             entry.tried, trials.seconds(), trials.not_run());
}

// Reads the entries that the file already has; false after an error.
bool read_entries(const std::string& file, Tuning& tuning, diag::Sources& sources,
                  diag::Engine& engine) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return true;
  const Text text = read_text(file, kMaxSource);
  if (!text.problem.empty()) {
    engine.report(diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", file, text.problem));
    return false;
  }
  const auto place = static_cast<uint16_t>(sources.size());
  sources.push_back({file, text.text});
  return read_tuning(sources, place, tuning, engine);
}

void tune(const Options& options, diag::Sources& sources, diag::Engine& engine) {
  const CompileOptions& compilation = options.compilation;
  const std::string file = options.output.empty() ? tune_file_of(options.input) : options.output;
  Tuning tuning;
  const ast::Program program = load(sources, compilation.folders, engine);
  const std::optional<ir::Stencil> stencil =
      one_of(front_end(sources, program, compilation, engine), engine);
  if (!stencil || !can_tune(options, *stencil, engine) ||
      !read_entries(file, tuning, sources, engine))
    return;
  const int devices = options.tune.devices;
  CompileOptions own = compilation;
  own.own_choice = true;
  const std::optional<Compiled> compiled = back_end(*stencil, sources, own, engine);
  BenchData data;
  if (!compiled || !make_bench_data(options, *compiled, data, engine)) return;
  for (int device = 0; device < devices && devices > 1; ++device)
    data.host.devices.push_back(device);

  Trials trials(options, *stencil, sources, data);
  const std::vector<plan::Trial> tried =
      plan::tune(*stencil, compilation.target, plan::common(compilation.devices),
                 plan::print(compiled->plan.schedule, *stencil), std::ref(trials));
  if (tried.empty() || !tried.front().outcome.problem.empty()) {
    engine.report(diag::run_failed, diag::nowhere,
                  tried.empty() ? "the search ended before it measured a schedule"
                                : "the compiler's own choice: " + tried.front().outcome.problem);
    return;
  }
  std::optional<Found> found = settle(tried, trials, *stencil, data.host.extents, devices, engine);
  if (!found) return;
  const Place place = place_of(compilation.target, options.bench.words);
  found->entry.arch = compilation.target == plan::Target::cpu ? "cpu" : options.archs.front();
  found->entry.device = place.device;
  found->entry.date = place.date;
  put_entry(tuning, stencil->name, digest_of(*stencil), found->entry);
  if (const std::string why = write_text(file, json_of(tuning)); !why.empty()) {
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", file, why));
    return;
  }
  if (file != "-") std::cout << table_of(*found, *stencil, place, trials);
}

}  // namespace

int tune_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  Options named = options;
  named.compilation.file = "stencil";
  named.compilation.command = "stencilc " + options.input;
  named.compilation.distributed = options.tune.devices > 1;
  named.compilation.gpus = options.tune.devices;
  if (!read_input(named, sources, engine)) return finish(engine, sources, options);
  tune(named, sources, engine);
  return finish(engine, sources, options);
}

}  // namespace stencilc::driver
