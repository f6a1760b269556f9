#include "driver/run/run_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "driver/measure/resources.h"
#include "driver/measure/spills.h"
#include "driver/pipeline/schedule_choice.h"
#include "plan/search/alternatives.h"
#include "plan/search/choose.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

constexpr size_t kMostBuilds = 3;  // beside the compiler's choice

bool chosen_by_compiler(const Compiled& compiled, const CompileOptions& options) {
  const plan::Schedule& schedule = compiled.plan.schedule;
  return options.schedule.empty() && options.optimisation > 0 && schedule.line == 0 &&
         !schedule.tuned;
}

std::string printed(const Compiled& compiled) {
  return plan::print(compiled.plan.schedule, compiled.stencil);
}

std::string what_it_spills(const std::optional<Resources>& resources) {
  return !resources || resources->spilled == 0 ? "nothing" : spilled_text(*resources);
}

// What is said of the schedule that was taken for that of the compiler.
std::string note_on(const Compiled& chosen, const std::optional<Resources>& its_own,
                    const Compiled& taken, const std::optional<Resources>& resources) {
  const std::string of_chosen = what_it_spills(its_own), of_taken = what_it_spills(resources);
  plan::Schedule unlimited = chosen.plan.schedule;
  unlimited.registers = 0;
  for (plan::Schedule& other : unlimited.others) other.registers = 0;
  if (chosen.plan.schedule.registers > 0 &&
      plan::print(unlimited, chosen.stencil) == printed(taken))
    return fmt::format(
        "with `registers={}` the kernels would spill {}; they run without it, and spill {}",
        chosen.plan.schedule.registers, of_chosen, of_taken);
  return fmt::format("`{}` would spill {}; `{}` runs instead, and spills {}", printed(chosen),
                     of_chosen, printed(taken), of_taken);
}

// Compiles and builds a schedule. Nothing if that fails: a stencil may not have it.
std::optional<RunBuild> build_other(const std::string& schedule, const Options& options,
                                    const ir::Stencil& stencil, const diag::Sources& sources) {
  CompileOptions own = options.compilation;
  own.schedule = schedule;
  diag::Engine unsaid;
  std::optional<Compiled> compiled = back_end(stencil, sources, own, unsaid);
  if (!compiled) return {};
  Library library = build_library(*compiled, compiled->host_call, own.target, options.archs);
  if (!library.problem.empty()) return {};
  return RunBuild{std::move(*compiled), std::move(library), ""};
}

}  // namespace

std::vector<std::string> schedules_instead(const Compiled& taken, const CompileOptions& options) {
  const ir::Stencil& placed = taken.plan.stencil ? *taken.plan.stencil : taken.stencil;
  const plan::Schedule& schedule = taken.plan.schedule;
  const plan::Device device = plan::common(options.devices);
  std::vector<std::string> list = {plan::print(schedule, taken.stencil)};
  const auto add = [&](const plan::Schedule& one) {
    const std::string text = plan::print(one, taken.stencil);
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  };
  if (schedule.steps == 1) {
    plan::Schedule unlimited = schedule;
    unlimited.registers = unlimited.resident = 0;
    for (plan::Schedule& other : unlimited.others) other.registers = other.resident = 0;
    add(unlimited);
    plan::Schedule of_one_shape = schedule;
    of_one_shape.others.clear();
    add(of_one_shape);
  }
  KnownSizes known;
  const auto sizes = [&](const plan::Schedule& one) {
    return kernel_sizes(placed, one, options.target, device, known);
  };
  for (plan::Alternative& other :
       plan::alternatives(placed, schedule, device, extents_of(taken.stencil, options), sizes)) {
    if (list.size() == kMostBuilds) break;
    if (other.forecast.rate == 0 || other.forecast.spills) continue;
    other.schedule.setup = schedule.setup;
    if (other.schedule.steps == 1) other.schedule.global = schedule.global;
    add(other.schedule);
  }
  add(plan::naive(taken.stencil.rank()));
  list.erase(list.begin());
  return list;
}

RunBuild build_for_run(const Options& options, const Compiled& compiled,
                       const diag::Sources& sources, const data::Extents& extents) {
  const auto resources_for = [&](const RunBuild& build) {
    return resources_of(build.library.log, build.compiled.module, extents, nullptr);
  };
  std::vector<RunBuild> builds;
  builds.push_back(
      {compiled,
       build_library(compiled, compiled.host_call, options.compilation.target, options.archs), ""});
  std::vector<std::optional<Resources>> resources = {resources_for(builds[0])};
  if (!builds[0].library.problem.empty() || !spills_too_much(resources[0]))
    return std::move(builds[0]);
  const std::string first = printed(compiled), spilled = what_it_spills(resources[0]);
  if (!chosen_by_compiler(compiled, options.compilation)) {
    builds[0].note = fmt::format("`{}` spills {}", first, spilled);
    return std::move(builds[0]);
  }
  for (const std::string& other : schedules_instead(compiled, options.compilation)) {
    std::optional<RunBuild> built = build_other(other, options, compiled.stencil, sources);
    if (!built) continue;
    resources.push_back(resources_for(*built));
    builds.push_back(std::move(*built));
    if (!spills_too_much(resources.back())) break;
  }
  const size_t best = least_spilling(resources);
  RunBuild& taken = builds[best];
  taken.note = best == 0 ? fmt::format(
                               "`{}` spills {}, and the other schedules that were built "
                               "spill no less",
                               first, spilled)
                         : note_on(compiled, resources[0], taken.compiled, resources[best]);
  return std::move(taken);
}

}  // namespace stencilc::driver
