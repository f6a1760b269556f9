#include "driver/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "data/values/array.h"
#include "diag/codes.h"
#include "driver/pipeline/header_comment.h"
#include "driver/pipeline/param_values.h"
#include "driver/pipeline/runtime_text.h"
#include "driver/system/input_errors.h"
#include "generated/version.h"
#include "lint/lint.h"
#include "lower/lower.h"
#include "passes/bit_counts.h"
#include "passes/canonicalise.h"
#include "passes/dead_code.h"
#include "passes/early_launch.h"
#include "passes/fast_division.h"
#include "passes/launch_values.h"
#include "passes/neighbour_order.h"
#include "passes/prune_variants.h"
#include "passes/stored_values.h"
#include "passes/texture_loads.h"
#include "passes/unused_arguments.h"
#include "plan/syntax/print_schedule.h"
#include "plan/syntax/schedule_block.h"

namespace stencilc::driver {
namespace {

constexpr int kMaxTaps = 10'000;

// ---- what the stages do
// --------------------------------------------------------------------------

// Keeps only the stencil of this name.
bool choose(std::vector<ir::Stencil>& stencils, const std::string& name, diag::Engine& engine) {
  if (name.empty()) return true;
  std::vector<std::string> names;
  for (const ir::Stencil& stencil : stencils) names.push_back(stencil.name);
  std::erase_if(stencils, [&](const ir::Stencil& stencil) { return stencil.name != name; });
  if (!stencils.empty()) return true;
  diag::Diagnostic& d =
      engine.report(diag::bad_choice, diag::nowhere, fmt::format("there is no stencil `{}`", name));
  if (const std::string help = diag::suggestion(name, names); !help.empty()) d.help(help);
  return false;
}

// Sets the line of each statement.
void set_lines(const diag::Source& source, ir::Stencil& stencil) {
  const auto line = [&](uint32_t at) { return static_cast<int>(diag::position(source, at).line); };
  for (ir::Update& update : stencil.updates)
    for (ir::Case& one : update.cases) one.line = line(one.source);
  for (ir::Reduction& one : stencil.reductions) one.line = line(one.source);
  for (ir::Injection& one : stencil.injections) one.line = line(one.source);
  for (ir::Sample& one : stencil.samples) one.line = line(one.source);
  for (ir::ScheduleBlock& one : stencil.schedules) one.line = line(one.at.begin);
}

// Does --size have as many extents as one of the stencils has axes? The others are planned for
// usual sizes.
bool fits_size(const std::vector<ir::Stencil>& stencils, const data::Extents& size,
               diag::Engine& engine) {
  const auto fits = [&](const ir::Stencil& one) {
    return one.rank() == static_cast<int>(size.size());
  };
  return size.empty() || std::ranges::any_of(stencils, fits) ||
         has_axes(engine, size, stencils.front().rank());
}

void analyse(Work& work) {
  std::vector<ir::Stencil> stencils =
      sema::analyse(*work.program, work.options.defines, work.engine);
  if (stencils.empty() || !choose(stencils, work.options.stencil, work.engine) ||
      !fits_size(stencils, work.options.size, work.engine))
    return;
  for (ir::Stencil& stencil : stencils) {
    set_lines(work.sources[0], stencil);
    work.items.emplace_back().stencil = std::move(stencil);
  }
}

void lint(Work& work) {
  std::vector<ir::Stencil> stencils;
  for (const Item& item : work.items) stencils.push_back(item.stencil);
  // With --param, the user has chosen one stencil.
  lint::lint(*work.program, stencils, work.engine,
             stencils.size() == 1 ? given_values(work.options.params, stencils[0]) : lint::Given{});
}

void canonicalise(Work& work) {
  for (Item& item : work.items) passes::canonicalise(item.stencil, work.options.numerics);
}

void count_bits(Work& work) {
  for (Item& item : work.items) passes::count_bits(item.stencil);
}

void reduce_stored_values(Work& work) {
  for (Item& item : work.items) passes::reduce_stored_values(item.stencil);
}

void infer_levels(Work& work) {
  for (Item& item : work.items) ir::infer_levels(item.stencil);  // a tap may have been dropped
}

bool within_limits(const ir::Stencil& stencil, diag::Engine& engine) {
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      int taps = 0;
      for (const ir::ExprPtr& node : ir::nodes_of({one.value, one.domain.mask}))
        taps += ir::as<ir::Read>(node) != nullptr;
      if (taps <= kMaxTaps) continue;
      engine.report(diag::size_limit, {one.source, one.source + 1, 0},
                    fmt::format("the update reads {} points; the limit is {}", taps, kMaxTaps));
      return false;
    }
  return true;
}

// Around a periodic axis pieces have the planes of the other end where a `ghost` side has planes of
// the caller.
bool report_mixed_ends(const ir::Stencil& stencil, diag::Engine& engine) {
  const auto axis = static_cast<size_t>(stencil.rank() - 1);
  const ir::Field *around = nullptr, *ghost = nullptr;
  for (const ir::Field& field : stencil.fields)
    for (const ir::Side& side : field.boundary.sides[axis]) {
      if (side.edge == ir::Edge::periodic) around = &field;
      if (side.edge == ir::Edge::ghost) ghost = &field;
    }
  if (around == nullptr || ghost == nullptr) return true;
  engine
      .report(diag::one_piece, diag::nowhere,
              "along `" + stencil.axes[axis] + "`, where grids are cut, `" + around->name +
                  "` is periodic and `" + ghost->name + "` has `ghost` cells of the caller")
      .help("compile it without `--distributed`, or name the axes in another order");
  return false;
}

void check_limits(Work& work) {
  for (Item& item : work.items) {
    if (!within_limits(item.stencil, work.engine)) return;
    plan::check_blocks(item.stencil, work.engine);
    if (work.options.distributed && item.stencil.rank() == 1 && !item.stencil.reductions.empty()) {
      work.engine
          .report(diag::one_piece, diag::nowhere,
                  "a grid of `" + item.stencil.name + "` has the axis `" + item.stencil.axes[0] +
                      "` alone, and reductions, which add whole rows")
          .help("compile it without `--distributed`, or give it a second axis");
      return;
    }
    if (work.options.distributed && !report_mixed_ends(item.stencil, work.engine)) return;
  }
}

bool plan_item(Item& item, const CompileOptions& options, diag::Engine& engine) {
  auto schedule = schedule_for(item.stencil, item.requested, options, item.device, engine);
  if (schedule)
    item.plan = plan::make_plan(item.stencil, *schedule, options.target, item.device,
                                {options.boxes, options.pieces, options.distributed});
  return schedule.has_value();
}

void plan_schedules(Work& work) {
  for (Item& item : work.items) {
    item.device = plan::common(work.options.devices);
    const std::optional<Requested> requested =
        requested_schedule(item.stencil, work.options, work.engine);
    if (!requested) return;
    item.requested = *requested;
    if (!plan_item(item, work.options, work.engine)) return;
  }
}

// Why a launch does not fit the device; or empty.
std::string too_large(const kernel::Module& module, const plan::Device& device) {
  constexpr int kBox = 256;    // elements of a bulk copy along each axis
  constexpr int kElement = 8;  // bytes of an element, at most; it can hold several cells
  for (const kernel::Launch& launch : module.launches) {
    for (const kernel::Kernel::Map& map : launch.kernel.maps) {
      const int row = kBox * kElement / kernel::bytes_of(map.element);
      if (map.box[0] > row || map.box[1] > kBox)
        return "the planes of a block of `" + launch.kernel.name + "` are " +
               std::to_string(map.box[0]) + " x " + std::to_string(map.box[1]) +
               " cells; a bulk copy moves at most " + std::to_string(row) + " x " +
               std::to_string(kBox);
    }
    if (launch.kernel.shared > device.block_shared)
      return "a block of `" + launch.kernel.name + "` keeps " +
             std::to_string(launch.kernel.shared) + " bytes in shared memory, but a block on " +
             plan::name(device) + " has at most " + std::to_string(device.block_shared) +
             "; use fewer threads or rows, or a smaller `ahead`";
  }
  return "";
}

void lower(Work& work) {
  for (Item& item : work.items) {
    item.module = lower::lower(item.stencil, item.plan);
    if (!too_large(item.module, item.device).empty() &&
        item.requested.text.find("shared=") == std::string::npos) {
      item.device.box_copies = false;  // nobody requested bulk copies, and without them it fits
      CompileOptions untuned = work.options;
      untuned.tuning.reset();
      if (!plan_item(item, untuned, work.engine)) return;
      item.module = lower::lower(item.stencil, item.plan);
    }
    const std::string problem = too_large(item.module, item.device);
    if (problem.empty()) continue;
    work.engine.report(diag::bad_schedule, item.requested.at(), problem)
        .help(devices_of(work.options));
    return;
  }
}

template <void (*pass)(kernel::Module&)>
void on_kernels(Work& work) {
  for (Item& item : work.items) pass(item.module);
}

template <void (*pass)(kernel::Module&)>
void on_kernels_of_gpus(Work& work) {
  if (work.options.target == plan::Target::cuda) on_kernels<pass>(work);
}

void verify(const kernel::Module& module, const char* after) {
  for (const kernel::Launch& launch : module.launches)
    if (const std::vector<std::string> problems = kernel::verify(launch.kernel); !problems.empty())
      throw std::logic_error("the kernel `" + launch.kernel.name + "` of `" + module.name +
                             "` after `" + after + "`: " + problems.front());
}

// The emitted text has a limit of its own.
void emit_texts(Work& work) {
  for (Item& item : work.items) {
    kernel::Module& module = item.module;
    module.file = work.options.file;
    module.header = work.options.header.empty() ? work.options.file + ".h" : work.options.header;
    module.source = work.sources[0].name;
    module.story = story(item.stencil, item.plan, work.options, work.sources[0].name);
    const emit::Options emit = emit_options({module}, work.options);
    item.source = emit::source({module}, emit);
    item.header = emit::header({module}, emit);
    item.host_call =
        module.window.given() ? emit::pieces_call(module, emit) : emit::host_call(module, emit);
    if (!fits(item.source, item.header, work.engine)) return;
  }
}

// ---- how a program looks between them
// ------------------------------------------------------------

std::string tree_text(const Work& work) { return ast::print(*work.program); }

std::string stencil_text(const Work& work) {
  std::string text;
  for (const Item& item : work.items) text += ir::print(item.stencil);
  return text;
}

std::string schedule_texts(const Work& work) {
  std::string text;
  for (const Item& item : work.items) text += schedule_text(item);
  return text;
}

std::string kernel_text(const Work& work) {
  std::string text;
  for (const Item& item : work.items)
    for (const kernel::Launch& launch : item.module.launches) text += kernel::print(launch.kernel);
  return text;
}

std::string source_text(const Work& work) {
  std::string text;
  for (const Item& item : work.items) text += item.source;
  return text;
}

// ---- the pipeline
// --------------------------------------------------------------------------------

constexpr Stage kPipeline[] = {
    // Text, syntax tree, stencil IR. After `analyse` every name is resolved.
    {"parse", "reads the text, and the files that it uses, into a syntax tree", nullptr, tree_text},
    {"analyse", "resolves names and types: syntax tree to stencil IR", analyse, stencil_text},
    {"lint", "warns of programs that are correct but probably not meant", lint, stencil_text},
    // Stencil IR to stencil IR. After `canonicalise` the order of roundings is fixed.
    {"canonicalise", "fixes the order of every sum", canonicalise, stencil_text},
    {"count-bits", "makes sums of single bits of integers counts of bits", count_bits,
     stencil_text},
    {"reduce-stored-values", "lets reductions read what the step stores", reduce_stored_values,
     stencil_text},
    {"infer-levels", "finds the time levels that are read", infer_levels, stencil_text},
    {"check-limits", "refuses programs above the limits, and wrong `schedule` blocks", check_limits,
     stencil_text},
    // How it runs.
    {"plan", "chooses the schedule: stencil IR to plan", plan_schedules, schedule_texts},
    {"lower", "builds the kernels: stencil IR and plan to kernel IR", lower, kernel_text},
    // Kernel IR to kernel IR, which does not know about stencils.
    {"prune-variants", "drops variants of interior and edge blocks that do not differ",
     on_kernels<passes::prune_variants>, kernel_text},
    {"drop-dead-code", "drops variables that nothing reads", on_kernels<passes::drop_dead_code>,
     kernel_text},
    {"fetch-through-textures", "reads through textures, where the schedule asks for it",
     on_kernels_of_gpus<passes::fetch_through_textures>, kernel_text},
    {"hoist-launch-values", "takes what is the same in every cell of a run from the host",
     on_kernels_of_gpus<passes::hoist_launch_values>, kernel_text},
    {"order-by-neighbours", "orders the statements of a cell so that few values are live at once",
     on_kernels_of_gpus<passes::order_by_neighbours>, kernel_text},
    {"divide-fast", "computes divisions and roots side by side, without a branch for each",
     on_kernels_of_gpus<passes::divide_fast>, kernel_text},
    {"prepare-divisors", "divides by the same number in every cell with a reciprocal at hand",
     on_kernels_of_gpus<passes::prepare_divisors>, kernel_text},
    {"limit-registers", "limits the registers of kernels that need few more than the schedule says",
     on_kernels_of_gpus<limit_registers>, kernel_text},
    {"wait-for-previous-launch", "lets kernels that start early wait for the previous launch",
     on_kernels<passes::wait_for_previous_launch>, kernel_text},
    {"drop-unused-arguments", "drops arguments that a kernel does not use",
     on_kernels<passes::drop_unused_arguments>, kernel_text},
    {"emit", "writes the text: kernel IR to CUDA or C++", emit_texts, source_text},
};

const Stage* find_stage(std::string_view name) {
  return std::ranges::find_if(kPipeline, [&](const Stage& one) { return name == one.name; });
}

// Kernels are verified after each stage that makes or changes them where that is requested, and
// always before they are emitted.
bool has_kernels(const Stage& stage) { return stage.dump == kernel_text; }
void verify(const Work& work, const char* after) {
  for (const Item& item : work.items) verify(item.module, after);
}

}  // namespace

std::span<const Stage> pipeline() { return kPipeline; }

bool run_stages(Work& work, std::string_view from, std::string_view to) {
  for (const Stage* stage = find_stage(from);; ++stage) {
    const int errors = work.engine.errors();
    if (stage->run != nullptr) stage->run(work);
    if (work.engine.errors() > errors) return false;
    if (has_kernels(*stage) && (work.options.verify_passes || !has_kernels(*std::next(stage))))
      verify(work, stage->name);
    if (work.options.dump_after == stage->name) {
      work.dumped = stage->dump(work);
      return false;
    }
    if (to == stage->name) return true;
  }
}

void run_kernel_passes(kernel::Module& module, plan::Target target) {
  CompileOptions options;
  options.target = target;
  options.verify_passes = true;
  diag::Engine engine;
  Work work{options, {}, engine};
  work.items.emplace_back().module = std::move(module);
  verify(work, "lower");
  run_stages(work, "prune-variants", "drop-unused-arguments");
  module = std::move(work.items[0].module);
}

}  // namespace stencilc::driver
