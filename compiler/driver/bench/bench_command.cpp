// stencilc bench: builds schedules of a stencil and times each, beside a copy and the naive kernel.
#include "driver/bench/bench_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "diag/codes.h"
#include "diag/excerpt.h"
#include "driver/bench/outputs.h"
#include "driver/bench/profile.h"
#include "driver/bench/scaling.h"
#include "driver/cli/archs.h"
#include "driver/cli/read_input.h"
#include "driver/cli/report.h"
#include "driver/measure/bench_inputs.h"
#include "driver/measure/build_libraries.h"
#include "driver/measure/machine.h"
#include "driver/measure/measure.h"
#include "driver/measure/resources.h"
#include "driver/measure/spills.h"
#include "driver/pipeline/imports.h"
#include "driver/pipeline/schedule_choice.h"
#include "driver/system/progress.h"
#include "plan/syntax/print_schedule.h"
#include "plan/tuning/candidates.h"

namespace stencilc::driver {
namespace {

void fail(diag::Engine& engine, diag::Code code, const std::string& text) {
  engine.report(code, diag::nowhere, text);
}

// The stencil to time; nothing after an error.
std::optional<ir::Stencil> stencil_of(diag::Sources& sources, const CompileOptions& options,
                                      diag::Engine& engine) {
  const ast::Program program = load(sources, options.folders, engine);
  std::vector<ir::Stencil> all = front_end(sources, program, options, engine);
  return one_of(std::move(all), engine);
}

// The schedules to time, as --schedule takes them, each once, with `naive` for comparison. An empty
// one stands for a `schedule` block of the file, or else for the compiler's choice.
std::vector<std::string> schedules_of(const Options& options, const ir::Stencil& stencil) {
  const plan::Target target = options.compilation.target;
  std::vector<std::string> texts = options.bench.schedules;
  if (options.bench.once && !texts.empty()) return {texts.back()};
  if (options.bench.all) {
    const std::vector<std::string> more =
        plan::candidates(stencil, target, plan::common(options.compilation.devices));
    texts.insert(texts.end(), more.begin(), more.end());
    texts.push_back("");
  }
  if (texts.empty()) texts.push_back("");
  if (target == plan::Target::cuda) texts.insert(texts.begin(), "naive");
  return texts;
}

// If the file or a tune file gives a schedule, the compiler's own choice is timed as well.
std::vector<CompileOptions> settings_of(const Options& options, const ir::Stencil& stencil) {
  std::vector<CompileOptions> settings;
  for (const std::string& text : schedules_of(options, stencil)) {
    CompileOptions& own = settings.emplace_back(options.compilation);
    own.schedule = text;
    if (!text.empty() || (stencil.schedules.empty() && !own.tuning)) continue;
    own.own_choice = true;
    settings.push_back(options.compilation);
  }
  return settings;
}

std::vector<Compiled> compile_schedules(const Options& options, const ir::Stencil& stencil,
                                        const diag::Sources& sources, diag::Engine& engine) {
  std::vector<Compiled> list;
  std::vector<std::string> taken;
  for (const CompileOptions& own : settings_of(options, stencil)) {
    std::optional<Compiled> compiled = back_end(stencil, sources, own, engine);
    if (!compiled) return {};
    if (options.bench.all && limits_in_vain(*compiled)) continue;
    const std::string printed = plan::print(compiled->plan.schedule, stencil);
    if (std::find(taken.begin(), taken.end(), printed) != taken.end()) continue;
    taken.push_back(printed);
    list.push_back(std::move(*compiled));
  }
  return list;
}

// What each library needs, by its machine code.
std::vector<std::optional<Resources>> resources_of_all(const Options& options,
                                                       const std::vector<Compiled>& list,
                                                       const std::vector<Library>& libraries,
                                                       const data::Extents& extents) {
  const plan::Device device = plan::common(options.compilation.devices);
  std::vector<std::optional<Resources>> all;
  for (size_t n = 0; n < list.size(); ++n)
    all.push_back(resources_of(libraries[n].log, list[n].module, extents,
                               options.compilation.devices_named ? &device : nullptr));
  return all;
}

// Says before anything is timed which schedules cannot run, and which spill much; of those for
// comparison the table says it.
void judge_code(const Options& options, const std::vector<Compiled>& list,
                const std::vector<std::optional<Resources>>& resources, diag::Engine& engine) {
  for (size_t n = 0; n < list.size(); ++n) {
    if (!resources[n]) continue;
    const std::string schedule = plan::print(list[n].plan.schedule, list[n].stencil);
    const bool asked_for = list.size() == 1 || (n > 0 && !options.bench.all);
    if (!resources[n]->unheld.empty())
      fail(engine, diag::run_failed,
           fmt::format("{}: a multiprocessor holds no block of `{}`: its threads take {} registers",
                       schedule, resources[n]->unheld, resources[n]->registers));
    else if (asked_for && spills_too_much(resources[n]))
      std::cerr << fmt::format("stencilc: warning: `{}` spills {}\n", schedule,
                               spilled_text(*resources[n]));
  }
}

// Times the copy and every schedule. A schedule that cannot run is reported and left out.
Report measure_all(const Options& options, const std::vector<Compiled>& list,
                   const std::vector<Library>& libraries, const BenchData& data,
                   diag::Engine& engine) {
  const ir::Stencil& stencil = list[0].stencil;
  const std::vector<std::optional<Resources>> resources =
      resources_of_all(options, list, libraries, data.host.extents);
  judge_code(options, list, resources, engine);
  Report report;
  report.place = place_of(options.compilation.target, options.bench.words);
  report.stencil = stencil.name;
  report.extents = data.host.extents;
  report.traffic = ir::compulsory_traffic(stencil);
  report.arithmetic = ir::arithmetic_of_cell(stencil);
  Timing copying;
  copying.repeats = options.bench.repeats;
  copying.sustained = 0;
  if (options.compilation.target == plan::Target::cuda) copying = rested(copying);
  bool counts = counts_instructions(options);
  Progress progress("timing");
  const auto all = static_cast<int64_t>(list.size()) + 1;
  if (const std::string failed =
          measure_copy(libraries[0], copying, report.copy, report.copy_bytes);
      !failed.empty()) {
    fail(engine, diag::run_failed, failed);
    return report;
  }
  for (size_t n = 0; n < list.size(); ++n) {
    progress.at(static_cast<int64_t>(n) + 1, all);
    if (resources[n] && !resources[n]->unheld.empty()) continue;
    Result result;
    result.schedule = plan::print(list[n].plan.schedule, stencil);
    Timing timing = data.timing;
    for (const kernel::Launch& launch : list[n].module.launches)
      timing.launch = std::max<int64_t>(timing.launch, launch.kernel.most_steps);
    const std::string failed = measure(libraries[n], data.host, timing, result.times);
    if (!failed.empty()) {
      fail(engine, diag::run_failed, fmt::format("{}: {}", result.schedule, failed));
      continue;
    }
    result.resources = resources[n];
    if (counts) {
      std::string problem;
      result.instructions =
          instructions_per_cell(options, result.schedule, stencil, report.cells(), problem);
      if (!result.instructions) std::cerr << "stencilc: ncu: " << diag::printable(problem) << "\n";
      counts = result.instructions.has_value();
    }
    report.results.push_back(std::move(result));
  }
  if (options.bench.all)
    std::stable_sort(report.results.begin(), report.results.end(),
                     [&](const Result& a, const Result& b) {
                       return report.byte_rate(a) < report.byte_rate(b);
                     });
  return report;
}

void bench(const Options& options, diag::Sources& sources, diag::Engine& engine) {
  const std::optional<ir::Stencil> stencil = stencil_of(sources, options.compilation, engine);
  const bool runs = !options.bench.build_only;
  if (!stencil || (runs && !has_machine(options, "times", engine))) return;
  if (!options.bench.devices.empty()) {
    bench_devices(options, *stencil, sources, engine);
    return;
  }
  const std::vector<Compiled> list = compile_schedules(options, *stencil, sources, engine);
  BenchData data;
  if (list.empty() || !make_bench_data(options, list[0], data, engine)) return;
  const std::vector<Library> libraries = build_all(list, options.compilation.target, options.archs);
  if (!all_built(libraries, engine) || !runs) return;
  if (options.bench.once) {
    const std::string failed = run_once(libraries[0], data.host, profiled_steps(*stencil));
    if (!failed.empty()) fail(engine, diag::run_failed, failed);
    return;
  }
  const Report report = measure_all(options, list, libraries, data, engine);
  if (!report.results.empty()) write_report(options, report, engine);
}

}  // namespace

int bench_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  Options named = options;
  named.compilation.file = "stencil";
  named.compilation.command = "stencilc " + options.input;
  // Without --target, the GPU is used if there is one.
  if (options.target_name.empty() && !has_gpu()) named.compilation.target = plan::Target::cpu;
  if (!read_input(named, sources, engine)) return finish(engine, sources, options);
  bench(named, sources, engine);
  return finish(engine, sources, options);
}

}  // namespace stencilc::driver
