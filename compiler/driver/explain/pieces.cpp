#include "driver/explain/pieces.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/pipeline/schedule_choice.h"
#include "kernel/pieces.h"

namespace stencilc::driver {
namespace {

// The launches of a step that is taken by itself.
int launches_of_step(const kernel::Module& module) {
  return static_cast<int>(std::ranges::count_if(module.launches, [](const kernel::Launch& one) {
    return one.kernel.steps.empty() && !one.before_steps &&
           one.when != kernel::Launch::with_reductions;
  }));
}

// Bytes and copies of a leg to the neighbour in front, which reads planes behind its window, and to
// that behind.
struct Messages {
  int copies = 0;
  int64_t before = 0, after = 0;
};
Messages messages_of(const kernel::Module& module, const std::array<int64_t, 3>& extents,
                     int64_t steps) {
  Messages all;
  for (const kernel::Grid& grid : module.grids) {
    if (!grid.changes) continue;
    const int64_t plane = kernel::plane_bytes(module, grid, extents);
    for (size_t level = 0; level < grid.level_names.size(); ++level) {
      const kernel::LegReads reads =
          kernel::leg_reads(module, grid, steps, static_cast<int>(level));
      if (reads.low + reads.high == 0) continue;
      ++all.copies;
      all.before += reads.high * plane;
      all.after += reads.low * plane;
    }
  }
  return all;
}

// By which a piece is computed: a small one may get another launch than the whole grid.
const plan::Schedule& schedule_of(const plan::Plan& plan, const kernel::Legs& legs) {
  const bool several = legs.launch >= 0 && legs.steps >= legs.launch_steps;
  return several ? plan.several.at(static_cast<size_t>(legs.launch)).schedule : plan.single;
}

}  // namespace

Pieces pieces_of(const Compiled& compiled, const CompileOptions& options) {
  constexpr const char* kPlanes[] = {"cells", "rows", "planes"};
  const kernel::Module& module = compiled.module;
  Pieces pieces;
  pieces.devices = options.gpus;
  pieces.axis = compiled.stencil.axes.back();
  pieces.planes = kPlanes[compiled.stencil.rank() - 1];
  pieces.waits = std::ranges::any_of(compiled.plan.launches(), &plan::Launch::every_step);
  pieces.extents = extents_of(compiled.stencil, options);
  const kernel::Legs legs = kernel::legs_of(module, pieces.extents, pieces.devices);
  pieces.steps = legs.steps;
  pieces.thinnest = legs.thinnest;
  const int sides = module.window.wraps && pieces.devices <= 2 ? 2 : 1;
  pieces.least = sides * kernel::planes_beside(module, 1);
  for (const kernel::Grid& grid : module.grids) {
    const kernel::LegReads reads = kernel::leg_reads(module, grid, legs.steps);
    pieces.fields.push_back({grid.name, kernel::is_cut(module, grid),
                             grid.changes && reads.low + reads.high > 0, reads.low, reads.high});
  }
  const Messages messages = messages_of(module, pieces.extents, legs.steps);
  pieces.copies = messages.copies;
  pieces.bytes_before = messages.before;
  pieces.bytes_after = messages.after;
  return pieces;
}

std::vector<MeshForecast> mesh_forecasts(const Compiled& compiled, const ir::Stencil& stencil,
                                         const plan::Device& device, const plan::Forecast& alone,
                                         const Pieces& pieces) {
  const kernel::Module& module = compiled.module;
  const size_t last = module.extents.size() - 1;
  const int devices = pieces.devices;
  std::vector<MeshForecast> forecasts;
  for (const bool shared : {true, false}) {
    std::array<int64_t, 3> whole = alone.extents, piece = alone.extents;
    if (shared)
      piece[last] = (whole[last] + devices - 1) / devices;
    else
      whole[last] *= devices;
    const kernel::Legs legs = kernel::legs_of(module, whole, devices);
    MeshForecast& one = forecasts.emplace_back();
    one.shared = shared;
    if (legs.steps == 0) {
      one.why_not = "the pieces are too thin";
      continue;
    }
    const plan::Forecast of_piece = plan::forecast(stencil, schedule_of(compiled.plan, legs),
                                                   device, piece, kernel_sizes(module));
    if (of_piece.rate == 0) {
      one.why_not = "its kernels do not run there";
      continue;
    }
    const auto steps = static_cast<double>(legs.steps);
    const bool wraps = module.window.wraps;
    const Messages messages = messages_of(module, whole, legs.steps);
    plan::Leg& leg = one.leg;
    leg.devices = std::min(devices, kHostDevices);
    leg.planes = piece[last];
    leg.steps = legs.steps;
    leg.compute = of_piece.seconds() * steps;
    leg.step_more = std::max(module.window.step.low, module.window.step.high);
    leg.border = messages.copies > 0 ? kernel::planes_beside(module, legs.steps) : 0;
    leg.sides = devices > 2 || wraps ? 2 : 1;
    leg.to_hosts = devices <= kHostDevices ? 0 : 1;
    leg.copies = messages.copies;
    leg.bytes = std::max(messages.before, messages.after);
    leg.launches = legs.steps == legs.launch_steps && legs.steps > 1
                       ? 1
                       : static_cast<int>(legs.steps) * std::max(1, launches_of_step(module));
    leg.wraps = wraps;
    const bool splits = legs.steps == 1                   ? kernel::one_step_splits(module)
                        : legs.steps == legs.launch_steps ? kernel::several_steps_split(module)
                                                          : false;
    int64_t cells = 1;
    for (size_t a = 0; a < last; ++a) cells *= whole[a];
    leg.form = plan::chosen_form(leg, cells, splits, legs.counts);
    leg.graph = kernel::legs_repeat(module) && (devices > 2 || leg.form == plan::LegForm::blocks);
    one.time = plan::time_of(leg);
    one.one = alone.seconds() * steps;
    one.efficiency = plan::efficiency(one.one, one.time, devices, shared);
  }
  return forecasts;
}

}  // namespace stencilc::driver
