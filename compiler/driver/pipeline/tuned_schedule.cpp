#include "driver/pipeline/tuned_schedule.h"

#include <fmt/format.h>

#include "diag/codes.h"
#include "driver/pipeline/schedule_choice.h"
#include "plan/syntax/parse_schedule.h"

namespace stencilc::driver {
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
                fmt::format("`{}` is not used: `{}` has changed since it was tuned", file,
                            stencil.name))
        .help("tune again with `stencilc tune`, or compile with `--no-tune`");
    return {};
  }
  std::vector<std::string> archs;
  if (options.target == plan::Target::cpu)
    archs = {"cpu"};
  else if (options.devices_named)
    for (const plan::Device& one : options.devices) archs.push_back(plan::name(one));
  else
    for (const plan::Device& one : plan::devices()) archs.push_back(plan::name(one));
  const TunedEntry* const entry =
      find_entry(*tuned, archs, options.size, options.distributed ? options.gpus : 1);
  if (!entry) return {};
  plan::Choice choice = plan::parse(entry->schedule, stencil, options.target, device);
  if (choice.problem.empty()) choice.problem = workspace_problem(stencil, choice.schedule, options);
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

}  // namespace stencilc::driver
