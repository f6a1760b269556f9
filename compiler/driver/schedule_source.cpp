#include "driver/schedule_source.h"

#include <fmt/format.h>

#include "diag/codes.h"

namespace stencilc::driver {
namespace {

// The schedule of the tune file; nothing where it has none that serves, perhaps after a warning.
std::optional<plan::Schedule> tuned_schedule(const ir::Stencil& stencil,
                                             const CompileOptions& options,
                                             const plan::Device& device, diag::Engine& engine) {
  const bool wanted = options.tuning && options.optimisation > 0;
  const TunedStencil* const tuned = wanted ? find_tuned(*options.tuning, stencil.name) : nullptr;
  if (!tuned) return {};
  const std::string& file = options.tuning->file;
  if (tuned->digest != digest_of(stencil)) {
    engine
        .report(diag::unused_tuning, diag::nowhere,
                fmt::format("`{}` was made for another `{}`, and is not used", file, stencil.name))
        .help("`stencilc tune` makes it again; `--no-tune` compiles without it");
    return {};
  }
  std::vector<std::string> archs;
  if (options.target == plan::Target::cpu)
    archs = {"cpu"};
  else if (options.devices_named)
    for (const plan::Device& one : options.devices) archs.push_back(plan::name(one));
  else
    for (const plan::Device& one : plan::devices()) archs.push_back(plan::name(one));
  const TunedEntry* const entry = find_entry(*tuned, archs, options.size);
  if (!entry) return {};
  plan::Choice choice = plan::parse(entry->schedule, stencil, options.target, device);
  if (!choice.problem.empty()) {
    diag::Diagnostic& report =
        engine.report(diag::unused_tuning, diag::nowhere,
                      fmt::format("the schedule for `{}` in `{}` is not used: {}", stencil.name,
                                  file, choice.problem));
    if (choice.of_device) report.help(devices_of(options));
    return {};
  }
  choice.schedule.tuned = true;
  choice.schedule.reason = reason_of(*entry, file);
  return choice.schedule;
}

}  // namespace

std::string devices_of(const CompileOptions& options) {
  std::vector<std::string> names;
  for (const plan::Device& device : options.devices) names.push_back(plan::name(device));
  return fmt::format("the output is for {}; `--arch` names other GPUs", fmt::join(names, ", "));
}

std::optional<plan::Schedule> schedule_for(const ir::Stencil& stencil,
                                           const CompileOptions& options,
                                           const plan::Device& device, diag::Engine& engine) {
  if (!options.schedule.empty()) {
    const plan::Choice choice = plan::parse(options.schedule, stencil, options.target, device);
    if (choice.problem.empty()) return choice.schedule;
    diag::Diagnostic& report = engine.report(diag::bad_schedule, diag::nowhere, choice.problem);
    if (choice.of_device) report.help(devices_of(options));
    return {};
  }
  if (auto tuned = tuned_schedule(stencil, options, device, engine)) return tuned;
  return plan::choose(stencil, options.target, options.optimisation, device);
}

}  // namespace stencilc::driver
