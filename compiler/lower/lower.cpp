#include "lower/lower.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "kernel/pieces.h"
#include "lower/cell/interior_cell.h"
#include "lower/context/kernel_arguments.h"
#include "lower/points/sources_receivers.h"
#include "lower/signature.h"
#include "lower/spatial/ghost_cells.h"
#include "lower/spatial/streamed_values.h"
#include "lower/spatial/traversals.h"
#include "lower/temporal/resident/resident_tile.h"
#include "lower/temporal/stream_2d/stream_2d.h"
#include "lower/temporal/stream_3d/stream_3d.h"
#include "plan/analysis/window_reach.h"
#include "plan/schedule/marched_values.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::lower {
namespace {

// What a kernel is called after the fields it stores: update_ex_ey; step, where it stores all.
std::string kernel_name(const ir::Stencil& stencil, const plan::Launch& launch, bool folds) {
  if (launch.stores.empty()) return "reduce";
  const ir::Field& first = stencil.fields[stencil.updates[launch.stores[0].update].field];
  const std::string head = first.setup ? "set_up" : first.temporary ? "compute" : "update";
  std::string name = head;
  for (const plan::Stored& stored : launch.stores)
    name += "_" + stencil.fields[stencil.updates[stored.update].field].name;
  if (launch.stores.size() == stencil.updates.size() && !first.setup) name = "step";
  if (launch.stores.size() > 3 && name != "step")
    name = head + "_" + first.name + "_and_" + std::to_string(launch.stores.size() - 1) + "_more";
  return name + (folds ? "_and_reduce" : "");
}

// Values of a texel: those that a thread moves at once. Cells on their way into shared memory are
// fetched one by one.
int texel_of(const plan::Schedule& schedule) {
  if (schedule.loads != plan::Loads::texture) return 0;
  return schedule.shared == plan::Shared::loads ? 1 : schedule.vector;
}

// One array of maps on the host for each grid and size of boxes.
void name_maps(const Signature& signature, kernel::Module& module, kernel::Launch& launch) {
  if (!launch.map_args.empty()) module.mapped = signature.mapped;
  for (size_t m = 0; m < launch.map_args.size(); ++m) {
    kernel::Launch::MapArg& arg = launch.map_args[m];
    const auto& box = launch.kernel.maps[m].box;
    arg.maps = module.grids[arg.grid].name + "_maps_" + std::to_string(box[0]) + "x" +
               std::to_string(box[1]);
  }
}

// The box that a launch computes. Along x vectors and what is copied by boxes begin at multiples of
// some cells, and folds are of 32 cells of a row: there the box is as wide as the grid.
Box box_of(const Signature& signature, plan::Target target, const plan::Schedule& schedule,
           bool folds) {
  const bool together = schedule.vector > 1 || schedule.taps != plan::Taps::terms ||
                        schedule.shared == plan::Shared::boxes;
  const bool whole_x = folds || (target == plan::Target::cuda && together);
  Box box = box_from(whole_x ? 1 : 0, signature);
  // In a plane threads may have rows beyond the box, and read what these need.
  if (signature.axes.size() == 3) box.ask_for_held_ones();
  return box;
}

// Launches of several steps are cut along the last axis, where they stream or have whole tiles:
// along the others, and in a grid of one axis, tiles begin at multiples of some cells. The launch
// reads as many planes beside the box as all its steps reach, and computes those that later steps
// read.
Box box_of_steps(const Signature& signature) {
  const int rank = static_cast<int>(signature.axes.size());
  return rank > 1 ? box_from(rank - 1, signature) : Box(signature.extents);
}

// Does the grid of blocks go along the last of three axes, in blocks that all threads stay in?
bool in_layers(const plan::Schedule& schedule, const kernel::Kernel& kernel) {
  return kernel.rank == 3 && schedule.coarsen_axis == 2 && schedule.swizzle == 0 &&
         kernel.threads[2] == 1 && kernel.producers == 0;
}

// Does the launch go through planes with values, and with those of fields that these read?
bool marches(const Context& context, const plan::Schedule& schedule) {
  return !plan::marched_values(context.stencil, context.launch, schedule).empty();
}

kernel::Launch lower_launch(const ir::Stencil& stencil, const plan::Plan& plan,
                            const plan::Launch& launch, bool folds, const Signature& signature,
                            Names& kernels, kernel::Module& module) {
  const plan::Target target = plan.target;
  kernel::Launch result;
  kernel::Kernel& kernel = result.kernel;
  kernel.name = kernel_name(stencil, launch, folds);
  if (!kernel.name.starts_with("step")) kernel.name = kernels.claim(kernel.name);
  kernel.rank = stencil.rank();
  plan::Schedule own = plan.shape_of(stencil, launch, folds);
  kernel.resident = folds ? 0 : own.resident;
  kernel.registers = folds ? 0 : own.registers;
  kernel.by_neighbours = own.by_neighbours;
  kernel.texel = texel_of(own);
  Builder builder(signature);
  ContextOptions options;
  options.folds = folds;
  if (plan.boxes) options.box = box_of(signature, target, own, folds);
  const Context bare(signature, stencil, launch, target, builder, options);
  add_arguments(bare, module, result);
  // Without a value for a stream of vectors it computes plain ones.
  if (own.vector > 1 && !own.stream_values.empty())
    if (const StreamedValues values(bare, own); values.empty()) own = values.schedule();
  // Threads that compute one cell at a time have several rows of these in planes alone.
  if (own.vector == 1 && !marches(bare, own)) own.rows = 1;
  for (int a = 0; a < 3; ++a) {
    kernel.threads[a] = own.threads[a];
    kernel.tile[a] = own.tile()[a];
  }
  const Context context = bare.with(invariants_of(bare));
  if (target == plan::Target::cuda && own.taps != plan::Taps::terms)
    kernel.body = lower_convolution(context, own, result);
  kernel.through_planes = kernel.body.empty() && target == plan::Target::cuda &&
                          own.stream_values.empty() && own.vector == 1 && marches(context, own);
  if (kernel.body.empty())
    kernel.body = target == plan::Target::cpu  ? lower_loops(context)
                  : !own.stream_values.empty() ? lower_blocks(context, own, result)
                  : own.vector > 1             ? lower_patches(context, own, result)
                  : own.shared != plan::Shared::none && !kernel.through_planes
                      ? lower_tiles(context, own, result)
                      : lower_blocks(context, own, result);
  for (const Builder::Named& one : context.builder.constants)
    kernel.constants.emplace_back(one.name, one.value);
  kernel.early = own.early && target == plan::Target::cuda && !result.is_cut();
  if (plan.windows && target == plan::Target::cuda && !folds && in_layers(own, kernel))
    kernel.partition.borders = context.names.claim("borders");
  name_maps(signature, module, result);
  if (folds)
    for (const plan::Combined& one : launch.combines) result.folds.push_back(one.reduction);
  return result;
}

// The ghost cells of what the launch keeps in memory.
void add_ghosts(const ir::Stencil& stencil, plan::Target target, const plan::Launch& launch,
                const Signature& signature, Names& kernels, kernel::Module& module) {
  const std::vector<ir::ExprPtr> values = plan::ghost_values(stencil, launch);
  std::vector<std::vector<plan::Stored>> groups;
  for (const auto& [width, numbers] : plan::ghosts_by_width(stencil, launch)) {
    std::vector<plan::Stored>& group = groups.emplace_back();
    for (const int s : numbers) {
      group.push_back(launch.stores[s]);
      group.back().value = values[s];
    }
  }
  if (groups.empty()) return;
  kernel::Launch ghosts = lower_ghost_cells(stencil, groups, target, signature, module);
  ghosts.kernel.name = kernels.claim(ghosts.kernel.name);
  module.launches.push_back(std::move(ghosts));
}

// The launches before the first step.
void lower_setup(ir::Stencil stencil, const plan::Plan& plan, const Signature& signature,
                 Names& kernels, kernel::Module& module) {
  ir::drop_unmet_sides(stencil);
  plan::Plan own;
  own.target = plan.target;
  own.single = plan.setup_schedule;
  Signature of_cells = signature;  // of no colour
  of_cells.color.clear();
  of_cells.aligned.clear();
  of_cells.mapped.clear();
  of_cells.edge_rows.clear();
  for (const plan::Launch& launch : plan.setup_launches) {
    module.launches.push_back(lower_launch(stencil, own, launch, false, of_cells, kernels, module));
    add_ghosts(stencil, plan.target, launch, of_cells, kernels, module);
  }
  for (kernel::Launch& launch : module.launches) {
    launch.before_steps = true;
    launch.kernel.early = false;  // those of the run before may still read what it stores
  }
}

// All that a step stores.
plan::Launch whole_step(const plan::Plan& plan) {
  plan::Launch all;
  for (const plan::Launch& launch : plan.launches()) {
    if (launch.stores.empty()) continue;
    all.stores.insert(all.stores.end(), launch.stores.begin(), launch.stores.end());
    for (int a = 0; a < ir::kMaxRank; ++a) {
      all.margin.low[a] = std::max(all.margin.low[a], launch.margin.low[a]);
      all.margin.high[a] = std::max(all.margin.high[a], launch.margin.high[a]);
    }
  }
  return all;
}

// Several steps of the stencil; `launch` stores all that one does.
kernel::Launch lower_steps(const ir::Stencil& stencil, const plan::Plan& plan,
                           const plan::Several& several, const plan::Launch& launch,
                           const Signature& signature, kernel::Module& module) {
  const plan::Schedule& schedule = several.schedule;
  const plan::Temporal& temporal = several.temporal;
  kernel::Launch result;
  kernel::Kernel& kernel = result.kernel;
  kernel.name = temporal.resident_tile() ? "resident_tile_steps" : "advance_steps";
  kernel.rank = stencil.rank();
  for (int a = 0; a < 3; ++a) {
    kernel.threads[a] = schedule.threads[a];
    kernel.tile[a] = schedule.tile()[a];
  }
  kernel.resident = schedule.resident;
  kernel.wide_too = true;
  Builder builder(signature);
  ContextOptions options;
  if (plan.boxes) options.box = box_of_steps(signature);
  const Context bare(signature, stencil, launch, plan::Target::cuda, builder, options);
  add_arguments(bare, module, result);
  const Context context = bare.with(invariants_of(bare, true));
  struct Form {
    kernel::Body operator()(const plan::RowStream& rows) const {
      result.after_a_step = rows.after_a_step;
      return lower_stream_2d(context, several.schedule, several.temporal, result);
    }
    kernel::Body operator()(const plan::PlaneStream&) const {
      return lower_stream_3d(context, several.schedule, several.temporal, result);
    }
    kernel::Body operator()(const plan::ResidentTile&) const {
      return lower_resident_tile(context, several.schedule, several.temporal, module, result);
    }
    const Context& context;
    const plan::Several& several;
    kernel::Module& module;
    kernel::Launch& result;
  };
  kernel.body = std::visit(Form{context, several, module, result}, temporal.form);
  kernel.early = kernel.early && !result.is_cut();
  result.least_cells = several.least_cells;
  return result;
}

// A tile that wraps around computes cells of all fields outside the grid, and so loads them there,
// too, where no read of a field leaves the grid.
ir::Stencil wrapped(ir::Stencil stencil) {
  plan::drop_sides_of_reductions(stencil);
  for (int a = 0; a < stencil.rank(); ++a)
    for (const ir::Field& one : stencil.fields) {
      const auto sides = one.boundary.sides[a];
      if (one.role != ir::Role::stepped || sides[0].edge != ir::Edge::periodic) continue;
      for (ir::Field& field : stencil.fields)
        if (field.role == ir::Role::stepped) field.boundary.sides[a] = sides;
      break;
    }
  return stencil;
}

// Does the launch hold reductions of t+1?
bool follows(const ir::Stencil& stencil, const plan::Launch& launch) {
  return std::any_of(launch.combines.begin(), launch.combines.end(),
                     [&](const auto& one) { return stencil.reductions[one.reduction].after; });
}

// A multiple that extents have to be of, so that cells of one colour do not meet across a periodic
// boundary.
std::vector<int> multiples(const ir::Stencil& stencil) {
  std::vector<int> result(stencil.rank(), 1);
  for (const ir::Field& field : stencil.fields)
    for (int a = 0; a < stencil.rank() && field.role == ir::Role::in_place; ++a) {
      if (field.boundary.sides[a][0].edge != ir::Edge::periodic) continue;
      while (stencil.colors.factor[a] * result[a] % stencil.colors.count() != 0) ++result[a];
    }
  return result;
}

kernel::Planes planes_of(const plan::Planes& planes) { return {planes.low, planes.high}; }

// What launches on a window of the grid compute and read beside it.
void add_windows(const ir::Stencil& stencil, const plan::WindowReach& reach,
                 kernel::Module& module) {
  module.window.step = planes_of(reach.step);
  const auto cut = static_cast<size_t>(stencil.rank() - 1);
  for (size_t g = 0; g < module.grids.size(); ++g) {
    const ir::Field& field = stencil.fields[g];
    module.grids[g].beside = planes_of(reach.fields[g]);
    module.grids[g].before = planes_of(reach.before[g]);
    module.grids[g].changes = field.role == ir::Role::stepped || field.role == ir::Role::in_place;
  }
  // Those of values in memory, too: it may be that nothing else is read beyond the axis.
  for (const ir::Field& field : stencil.fields)
    if (field.boundary.sides[cut][0].edge == ir::Edge::periodic) module.window.wraps = true;
  for (kernel::Launch& launch : module.launches) {
    if (launch.places >= 0 && launch.injects) launch.beside_window = planes_of(reach.injections);
    if (module.window.steps == 1 && !launch.kernel.steps.empty())
      module.window.steps = launch.kernel.most_steps;  // others are for small grids
  }
}

// The first layer of blocks counts the low end of a window where it has all that the neighbour
// reads, and a step is that launch alone. Around a periodic axis the high end would have to come
// first.
void count_first_layer(kernel::Module& module) {
  const bool alone = module.launches.size() == 1 && kernel::one_step_splits(module);
  for (kernel::Launch& launch : module.launches) {
    kernel::Kernel& kernel = launch.kernel;
    const bool thick = kernel.tile[2] >= kernel::planes_beside(module, 1);
    if (kernel.partition.name.empty() && !(alone && thick && !module.window.wraps))
      kernel.partition.borders.clear();
  }
}

}  // namespace

kernel::Module lower(const ir::Stencil& whole, const plan::Plan& plan) {
  kernel::Module module;
  ir::Stencil stencil = plan.stencil ? *plan.stencil : whole;
  ir::drop_unmet_sides(stencil);
  module.why_one = plan.why_one;
  const ir::Stencil stepped = plan.several.empty() ? ir::Stencil() : wrapped(stencil);
  const Signature signature = claim_signature(stencil, plan, module);
  Names kernels;
  module.steps = stencil.steps();
  module.time = stencil.uses_time();
  module.colors = stencil.colors.count();
  if (module.colors != 0) module.multiples = multiples(whole);
  if (plan.setup) lower_setup(*plan.setup, plan, signature, kernels, module);
  lower_samples(stencil, signature, false, kernels, plan.target, module);
  bool injected = false, has_temporal = false;
  int stages = 0;
  const plan::WindowReach reach =
      plan.windows ? plan::window_reach(stencil, plan.launches()) : plan::WindowReach();
  for (const plan::Launch& launch : plan.launches()) {
    // Sources add to what the updates made; reductions of t+1 come after them.
    if (launch.stores.empty() && !module.launches.empty() && follows(stencil, launch) &&
        !std::exchange(injected, true))
      lower_injections(stencil, signature, kernels, plan.target, module);
    const auto add = [&](bool folds, kernel::Launch::When when) {
      module.launches.push_back(
          lower_launch(stencil, plan, launch, folds, signature, kernels, module));
      module.launches.back().when = when;
      if (plan.windows) {
        const auto& [beside, color] = reach.launches[&launch - plan.launches().data()];
        module.launches.back().beside_window = planes_of(beside);
        module.launches.back().for_color = planes_of(color);
      }
      if (!launch.stores.empty()) module.launches.back().stage = stages;
    };
    if (!plan.several.empty() && !launch.stores.empty() && !std::exchange(has_temporal, true)) {
      for (const plan::Several& several : plan.several)
        module.launches.push_back(
            lower_steps(stepped, plan, several, whole_step(plan), signature, module));
      const std::string steps = module.launches.back().kernel.steps;
      gather_samples(stencil, signature, steps, kernels, module);
    }
    if (launch.combines.empty()) {
      add(false, kernel::Launch::always);
    } else if (launch.every_step) {
      add(true, kernel::Launch::always);
    } else {
      if (!launch.stores.empty()) add(false, kernel::Launch::without_reductions);
      add(true, kernel::Launch::with_reductions);
    }
    const size_t before = module.launches.size();
    add_ghosts(stencil, plan.target, launch, signature, kernels, module);
    for (size_t n = before; n < module.launches.size(); ++n)
      module.launches[n].beside_window = module.launches[before - 1].beside_window;
    stages += launch.stores.empty() ? 0 : 1;
  }
  if (!injected) lower_injections(stencil, signature, kernels, plan.target, module);
  lower_samples(stencil, signature, true, kernels, plan.target, module);
  lower_iterate(stencil, signature, module);
  if (plan.windows) add_windows(stencil, reach, module);
  if (plan.windows) count_first_layer(module);
  return module;
}

}  // namespace stencilc::lower
