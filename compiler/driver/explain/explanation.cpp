#include "driver/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "driver/pipeline/schedule_choice.h"
#include "driver/pipeline/workspace.h"
#include "plan/machine/occupancy.h"
#include "plan/schedule/value_placement.h"
#include "plan/search/choose_steps.h"
#include "plan/syntax/print_schedule.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::driver {
namespace {

// For each kernel, the index of its launch in the plan; -1: a kernel for a list of points, for
// ghost cells, or for what is set up before the first step.
std::vector<int> launches_of(const Compiled& compiled) {
  const std::vector<plan::Launch>& plan = compiled.plan.launches();
  std::vector<int> result;
  int next = 0;
  bool twice = false;  // a launch can have two kernels, with and without its reductions
  for (const kernel::Launch& launch : compiled.module.launches) {
    if (launch.places >= 0 || !launch.ghosts_of.empty() || launch.before_steps) {
      result.push_back(-1);
      continue;
    }
    result.push_back(next);
    if (launch.kernel.most_steps > 1)
      continue;  // another kernel of the same launch, for single steps
    const plan::Launch& made_of = plan[next];
    twice = !twice && !made_of.combines.empty() && !made_of.every_step && !made_of.stores.empty();
    if (!twice) ++next;
  }
  return result;
}

int points_of(const std::vector<ir::ExprPtr>& values) {
  std::set<std::tuple<int, int, ir::Offset>> points;
  for (const ir::ExprPtr& node : ir::nodes_of(values))
    if (const auto* read = ir::as<ir::Read>(node))
      points.emplace(read->field, read->level, read->offset);
  return static_cast<int>(points.size());
}

KernelUse use_of(const kernel::Launch& launch, const plan::Launch* made_of,
                 const std::vector<plan::Device>& devices) {
  const kernel::Kernel& kernel = launch.kernel;
  KernelUse use;
  use.name = kernel.name;
  use.when = launch.when;
  for (int a = 0; a < 3; ++a) {
    use.threads[a] = kernel.threads[a];
    use.cells[a] = kernel.tile[a];
  }
  use.shared = kernel.shared;
  if (made_of) {
    std::vector<ir::ExprPtr> values =
        plan::values_of(*made_of, launch.when == kernel::Launch::with_reductions);
    use.points = points_of(values);
    use.operations = ir::operations_of(values);
  }
  use.most_steps = kernel.most_steps;
  use.block_threads = kernel.block_threads();
  for (const plan::Device& device : devices)
    use.held.push_back(plan::occupancy(device, use.block_threads, 0, kernel.shared));
  if (!launch.no_planes.empty())
    use.without.push_back("does not use shared memory: " + launch.no_planes);
  if (!launch.no_loops.empty())
    use.without.push_back("does not use loops over taps: " + launch.no_loops);
  if (!launch.loaded.empty())
    use.without.push_back("does not read everything through textures: " + launch.loaded);
  if (!launch.checked.empty())
    use.without.push_back("does not peel the ends of the loop: " + launch.checked);
  return use;
}

// What the prediction leaves out.
std::vector<std::string> notes_on(const DeviceForecast& on, const Explanation& all) {
  constexpr double kMiB = 1 << 20;
  std::vector<std::string> notes;
  if (on.forecast.card->arch != on.device.arch)
    notes.push_back("this combines the limits of " + plan::name(on.device) +
                    " (registers, shared memory, warps) with the bandwidths of this card");
  const std::string schedule = plan::print(all.plan.schedule, all.stencil) + ",";
  for (const std::string& part : plan::not_modelled(on.device, all.stencil))
    if (schedule.find("," + part + ",") != std::string::npos)
      notes.push_back("the model was not fitted to `" + part + "`");
  for (const KernelUse& kernel : all.kernels) {
    if (std::find(on.kernels.begin(), on.kernels.end(), kernel.name) != on.kernels.end()) continue;
    if (kernel.most_steps > 1) {
      notes.push_back("this leaves out `" + kernel.name +
                      "`, which takes several steps per launch on smaller grids");
      continue;
    }
    const bool several = all.plan.schedule.steps > 1;
    notes.push_back(several && kernel.when != kernel::Launch::with_reductions
                        ? "this leaves out `" + kernel.name +
                              "`, which takes the steps that remain at the end of a run"
                    : kernel.when == kernel::Launch::with_reductions
                        ? "this leaves out `" + kernel.name +
                              "`, which takes the steps with reductions"
                        : "this leaves out `" + kernel.name + "`");
  }
  if (const int colors = all.stencil.colors.count())
    notes.push_back("this takes all cells in one launch; each of the " + std::to_string(colors) +
                    " colours is a launch of its own, and reads most of the bytes again");
  const std::optional<int> l2 = on.forecast.card->l2;
  if (l2 && on.forecast.cells() * all.traffic.bytes() < *l2 * kMiB)
    notes.push_back(
        "the grids fit in its L2 cache, where each step finds the result of the one before");
  constexpr double kMuch = 0.1;
  if (on.forecast.rate > 0 && on.forecast.wait > kMuch * on.forecast.seconds())
    notes.push_back(fmt::format("{:.0f} % of the time passes between launches",
                                100 * on.forecast.wait / on.forecast.seconds()));
  return notes;
}

// `written`: the stencil without temporaries, whose bytes limit every schedule. `once`: with all
// values as temporaries, whose operations do.
DeviceForecast forecast_on(const plan::Device& device, const Explanation& all,
                           const ir::Stencil& written, const ir::Stencil& once,
                           const std::vector<int>& launches,
                           const std::vector<plan::KernelSize>& sizes,
                           const CompileOptions& options) {
  DeviceForecast on;
  on.device = device;
  const std::array<int64_t, 3> extents = extents_of(all.stencil, options);
  on.forecast = plan::forecast(all.stencil, all.plan.schedule, device, extents, sizes);
  // The roofline is that of the card of the prediction, which may represent another architecture.
  on.roofline = plan::roofline_of(
      written, on.forecast.launches.empty() ? device : plan::device_of(*on.forecast.card), &once);
  int named = -1;
  for (size_t k = 0; k < all.kernels.size(); ++k) {
    if (launches[k] <= named || all.plan.launches()[launches[k]].stores.empty()) continue;
    on.kernels.push_back(all.kernels[k].name);
    named = launches[k];
    if (all.kernels[k].most_steps > 1 && plan::is_resident_tile(all.plan.schedule))
      break;  // this kernel takes the whole step
  }
  if (on.forecast.launches.empty()) return on;
  on.notes = notes_on(on, all);
  if (on.forecast.rate == 0) return on;
  on.not_modelled = plan::not_modelled(device, all.stencil);
  KnownSizes known;
  const auto sizes_of = [&](const plan::Schedule& schedule) {
    return kernel_sizes(all.stencil, schedule, options.target, device, known);
  };
  on.others = plan::alternatives(all.stencil, all.plan.schedule, device, extents, sizes_of);
  on.advice = advice_for(all.stencil, all.plan.schedule, on, all.why_one.empty());
  return on;
}

}  // namespace

std::optional<double> DeviceForecast::of_roofline() const {
  if (!roofline || roofline->card != forecast.card || forecast.rate == 0) return {};
  return forecast.cells() / forecast.seconds() /
         std::min(roofline->by_memory, roofline->by_arithmetic.value_or(roofline->by_memory));
}

Explanation explain(const Compiled& compiled, const CompileOptions& options) {
  Explanation all;
  all.stencil = compiled.plan.stencil ? *compiled.plan.stencil : compiled.stencil;
  all.plan = compiled.plan;
  all.fields = fields_of(compiled.stencil, compiled.plan);
  all.unused_blocks = unused_blocks(compiled, options);
  all.traffic = ir::compulsory_traffic(compiled.stencil);
  all.operations = ir::operations_of_cell(compiled.stencil);
  all.advice = advice_for(compiled.stencil, options);
  if (!compiled.module.workspace.empty()) {
    const std::array<int64_t, 3> extents = extents_of(compiled.stencil, options);
    all.workspace = {kept_values(all.stencil),
                     workspace_bytes(all.stencil, extents),
                     {extents.begin(), extents.begin() + all.stencil.rank()},
                     workspace_formula(compiled.module)};
  }
  if (options.distributed) all.pieces = pieces_of(compiled, options);
  if (options.target == plan::Target::cpu) return all;
  const std::vector<int> launches = launches_of(compiled);
  for (size_t k = 0; k < launches.size(); ++k)
    all.kernels.push_back(use_of(compiled.module.launches[k],
                                 launches[k] < 0 ? nullptr : &compiled.plan.launches()[launches[k]],
                                 options.devices));
  if (all.plan.schedule.steps == 1 && all.stencil.steps() && all.plan.schedule.preset != "naive")
    all.why_one = plan::choose_steps(all.stencil, all.plan.schedule, plan::common(options.devices),
                                     extents_of(all.stencil, options))
                      .why_one;
  if (!compiled.module.why_one.empty())
    all.kernels.front().without.push_back("a launch takes one step: " + compiled.module.why_one);
  const ir::Stencil once = plan::with_global(compiled.stencil, plan::placeable(compiled.stencil));
  for (const plan::Device& device : options.devices) {
    DeviceForecast& on = all.devices.emplace_back(forecast_on(
        device, all, compiled.stencil, once, launches, kernel_sizes(compiled.module), options));
    if (all.pieces && on.forecast.rate > 0)
      on.mesh = mesh_forecasts(compiled, all.stencil, device, on.forecast, *all.pieces);
  }
  return all;
}

}  // namespace stencilc::driver
