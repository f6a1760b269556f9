#include "driver/pipeline/schedule_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "diag/codes.h"
#include "driver/pipeline/tuned_schedule.h"
#include "driver/pipeline/workspace.h"
#include "kernel/live_registers.h"
#include "kernel/operations.h"
#include "lower/lower.h"
#include "passes/fast_division.h"
#include "passes/neighbour_order.h"
#include "passes/prune_variants.h"
#include "passes/unused_arguments.h"
#include "plan/model/one_step.h"
#include "plan/schedule/setup_values.h"
#include "plan/search/choose_fission.h"
#include "plan/search/choose_launches.h"
#include "plan/search/choose_setup.h"
#include "plan/syntax/parse_schedule.h"
#include "plan/syntax/schedule_block.h"
#include "plan/words/decision_words.h"

namespace stencilc::driver {
namespace {

// One output has one schedule.
void refuse_several(const plan::Device& first, const ir::ScheduleBlock* firsts,
                    const plan::Device& other, const ir::ScheduleBlock* others,
                    diag::Engine& engine) {
  const bool of_first = others == nullptr;
  const ir::ScheduleBlock& block = of_first ? *firsts : *others;
  const std::string without = plan::name(of_first ? other : first);
  diag::Diagnostic& report = engine.report(
      diag::bad_schedule, block.at,
      fmt::format("this schedule does not apply to {}, but one output has one schedule", without));
  if (firsts && others) report.note(fmt::format("this one applies to {}", without), firsts->at);
  report.help(
      fmt::format("write `schedule for {}, {} {{ ... }}`, compile for each with `--arch`, or "
                  "choose one for both with `--schedule`",
                  plan::name(first), plan::name(other)));
}

plan::KernelCode code_of(const kernel::Kernel& kernel) {
  const kernel::OperationCounts of = kernel::operations_of(kernel.body);
  return {of.f32,           of.f64,         of.integer,       of.choices,
          of.conversions,   of.divisions,   of.divisions_f64, of.functions,
          of.functions_f64, of.loads,       of.stores,        of.moves,
          of.cells,         of.edge_places, of.branching,     of.turns};
}

plan::KernelSize size_of(const kernel::Kernel& kernel) {
  const kernel::RegisterUse use = kernel::register_use(kernel.body);
  return {use.live_words, kernel::unrolled_operations(kernel.body),
          use.kept_words, use.inside_words,
          use.addresses,  code_of(kernel)};
}

bool is_counted(const kernel::Launch& launch) {
  return launch.stage >= 0 && launch.when != kernel::Launch::with_reductions;
}

}  // namespace

std::vector<plan::KernelSize> kernel_sizes(const kernel::Module& module) {
  std::vector<plan::KernelSize> sizes;
  for (const kernel::Launch& launch : module.launches)
    if (is_counted(launch)) sizes.push_back(size_of(launch.kernel));
  return sizes;
}

std::vector<plan::KernelSize> kernel_sizes(const ir::Stencil& stencil,
                                           const plan::Schedule& schedule, plan::Target target,
                                           const plan::Device& device, KnownSizes& known) {
  kernel::Module module = lower::lower(stencil, plan::make_plan(stencil, schedule, target, device));
  std::erase_if(module.launches, [](const kernel::Launch& one) { return !is_counted(one); });
  passes::prune_variants(module);
  passes::drop_unused_arguments(module);
  std::vector<plan::KernelSize> sizes;
  for (kernel::Launch& launch : module.launches) {
    kernel::Kernel& kernel = launch.kernel;
    passes::order_by_neighbours(launch);
    kernel.name.clear();  // it has the number of the launch
    const auto [place, fresh] = known.try_emplace(kernel::print(kernel));
    if (fresh) {
      passes::divide_fast(launch);
      place->second = size_of(kernel);
    }
    sizes.push_back(place->second);
  }
  return sizes;
}

void limit_registers(kernel::Module& module) {
  constexpr int kOfMultiprocessor = 65536;  // on all GPUs that are supported
  for (kernel::Launch& launch : module.launches) {
    kernel::Kernel& kernel = launch.kernel;
    if (kernel.registers == 0 ||
        !plan::gains_by_limit(size_of(kernel), kernel.registers, kernel.block_threads()))
      continue;
    kernel.resident = kOfMultiprocessor / kernel.registers / kernel.block_threads();
  }
}

bool limits_in_vain(const Compiled& compiled) {
  const plan::Schedule& schedule = compiled.plan.schedule;
  const auto has_limit = [](const plan::Schedule& one) { return one.registers > 0; };
  return (has_limit(schedule) || std::ranges::any_of(schedule.others, has_limit)) &&
         std::ranges::none_of(compiled.module.launches, [](const kernel::Launch& launch) {
           return launch.kernel.resident > 0;
         });
}

std::optional<Requested> requested_schedule(const ir::Stencil& stencil,
                                            const CompileOptions& options, diag::Engine& engine) {
  if (!options.schedule.empty()) return Requested{options.schedule};
  if (options.own_choice) return Requested{};
  const plan::Device& first = options.devices.front();
  const ir::ScheduleBlock* block = plan::block_for(stencil, options.target, first);
  for (const plan::Device& other : options.devices) {
    const ir::ScheduleBlock* own = plan::block_for(stencil, options.target, other);
    if (own == block || (own && block && plan::text_of(*own) == plan::text_of(*block))) continue;
    refuse_several(first, block, other, own, engine);
    return {};
  }
  return block ? Requested{plan::text_of(*block), block} : Requested{};
}

bool in_parts(const CompileOptions& options) {
  return options.boxes || options.pieces || options.distributed;
}

std::array<int64_t, 3> extents_of(const ir::Stencil& stencil, const CompileOptions& options) {
  std::array<int64_t, 3> extents = plan::usual_extents(stencil.rank());
  if (static_cast<int>(options.size.size()) == stencil.rank())
    std::copy(options.size.begin(), options.size.end(), extents.begin());
  return extents;
}

std::string devices_of(const CompileOptions& options) {
  std::vector<std::string> names;
  for (const plan::Device& device : options.devices) names.push_back(plan::name(device));
  return fmt::format("the output is for {}; choose other GPUs with `--arch`",
                     fmt::join(names, ", "));
}

// Launches of boxes keep no values in memory.
plan::Schedules chosen_schedules(const ir::Stencil& stencil, const CompileOptions& options,
                                 const plan::Device& device) {
  const std::array<int64_t, 3> extents = extents_of(stencil, options);
  KnownSizes known;
  const auto sizes = [&](const ir::Stencil& placed, const plan::Schedule& schedule) {
    return kernel_sizes(placed, schedule, options.target, device, known);
  };
  if (options.boxes || options.pieces)
    return plan::choose_all(
        stencil, options.target, options.optimisation, device, extents,
        [&](const plan::Schedule& schedule) { return sizes(stencil, schedule); });
  const auto may_keep = [&](const ir::Stencil& placed) {
    return !options.max_workspace || workspace_bytes(placed, extents) <= *options.max_workspace;
  };
  const auto choose = in_parts(options) ? plan::choose_with_values : plan::choose_with_setup;
  plan::Schedules own =
      choose(stencil, options.target, options.optimisation, device, extents, sizes, may_keep);
  if (options.target == plan::Target::cuda && options.optimisation > 0) {
    own.schedule = plan::with_own_shapes(stencil, std::move(own.schedule), device, extents, sizes);
    if (!in_parts(options))
      own.schedule =
          plan::with_split_launches(stencil, std::move(own.schedule), device, extents, sizes);
  }
  return own;
}

std::string workspace_problem(const ir::Stencil& stencil, const plan::Schedule& schedule,
                              const CompileOptions& options) {
  if (!options.max_workspace || (schedule.global.empty() && schedule.setup.empty())) return "";
  const std::array<int64_t, 3> extents = extents_of(stencil, options);
  const uint64_t bytes =
      workspace_bytes(plan::with_kept(stencil, schedule.setup, schedule.global), extents);
  if (bytes <= *options.max_workspace) return "";
  std::string words;
  if (!schedule.setup.empty()) words = fmt::format("`setup={}`", fmt::join(schedule.setup, "+"));
  if (!schedule.global.empty())
    words += fmt::format("{}`global={}`", words.empty() ? "" : " with ",
                         fmt::join(schedule.global, "+"));
  return fmt::format(
      "{} keeps {} bytes of values in memory at {}, and `--max-workspace` allows {}", words, bytes,
      fmt::join(extents.begin(), extents.begin() + stencil.rank(), "x"), *options.max_workspace);
}

std::optional<plan::Schedules> schedule_for(const ir::Stencil& stencil, const Requested& requested,
                                            const CompileOptions& options,
                                            const plan::Device& device, diag::Engine& engine) {
  const bool cut = options.distributed && options.target == plan::Target::cuda;
  const auto in_pieces = [&](const plan::Schedule& schedule) {
    return cut ? plan::no_pieces(schedule, stencil.rank()) : std::string();
  };
  if (requested.text.empty()) {
    if (!options.own_choice)
      if (auto tuned = tuned_schedule(stencil, options, device, engine))
        if (in_pieces(*tuned).empty()) return tuned;
    plan::Schedules own = chosen_schedules(stencil, options, device);
    if (!in_pieces(own.schedule).empty()) {
      own = plan::parse("naive", stencil, options.target, device).schedule;
      own.schedule.reason = "a piece of a grid of one axis begins at any cell";
    }
    if (options.any_grid) own.least_cells = 1;
    return own;
  }
  const auto [choice, at] =
      requested.block
          ? plan::parse(*requested.block, stencil, options.target, device)
          : plan::BlockChoice{plan::parse(requested.text, stencil, options.target, device),
                              diag::nowhere};
  if (choice.problem.empty()) {
    if (const std::string whole = in_pieces(choice.schedule); !whole.empty()) {
      engine.report(diag::bad_schedule, at, whole);
      return {};
    }
    if (!choice.schedule.setup.empty() && in_parts(options)) {
      engine.report(diag::bad_schedule, at, "`setup` is for runs of a whole grid on one device")
          .help("leave `setup` out, or compile without `--distributed`");
      return {};
    }
    const std::string problem = workspace_problem(stencil, choice.schedule, options);
    if (problem.empty()) return choice.schedule;
    engine.report(diag::bad_schedule, at, problem)
        .help("keep fewer values, allow more bytes, or say with `--size` which grids are meant");
    return {};
  }
  diag::Diagnostic& report = engine.report(diag::bad_schedule, at, choice.problem);
  if (choice.of_device) report.help(devices_of(options));
  return {};
}

std::vector<std::string> unused_blocks(const Compiled& compiled, const CompileOptions& options) {
  const ir::ScheduleBlock* counts = nullptr;
  if (options.schedule.empty())
    counts = plan::block_for(compiled.stencil, options.target, options.devices.front());
  std::vector<std::string> lines;
  for (const ir::ScheduleBlock& block : compiled.stencil.schedules) {
    if (&block == counts) continue;
    const std::string why = !options.schedule.empty() ? "`--schedule` overrides it"
                            : !block.targets.empty()  ? "it is for other targets"
                            : options.target == plan::Target::cpu
                                ? "it is for GPUs"
                                : "a schedule for the architecture overrides it";
    lines.push_back(
        fmt::format("`{}` in line {} is not used: {}", ir::head(block), block.line, why));
  }
  return lines;
}

}  // namespace stencilc::driver
