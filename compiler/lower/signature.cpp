#include "lower/signature.h"

#include <algorithm>

#include "lower/cell/interior_cell.h"
#include "lower/cell/weights.h"
#include "lower/spatial/edge_cells.h"
#include "plan/schedule/setup_values.h"
#include "plan/schedule/value_placement.h"

namespace stencilc::lower {
namespace {

kernel::Grid::Role role_of(ir::Role role) {
  constexpr kernel::Grid::Role kRoles[] = {kernel::Grid::stepped, kernel::Grid::input,
                                           kernel::Grid::output, kernel::Grid::in_place};
  return kRoles[static_cast<int>(role)];
}

// Is that so of the shape of a launch of one step?
template <class Test>
bool any_shape(const ir::Stencil& stencil, const plan::Plan& plan, const Test& test) {
  return std::ranges::any_of(plan.launches(), [&](const plan::Launch& launch) {
    return test(plan.shape_of(stencil, launch));
  });
}

std::string level_name(const std::string& field, int level) {
  return level == 0    ? field
         : level == -1 ? field + "_prev"
                       : field + "_prev" + std::to_string(-level);
}

void claim_halo(const ir::Offset& halo, kernel::Grid& grid, kernel::Module& module) {
  if (halo == ir::Offset{}) return;
  for (const int axis : grid.axes) grid.halo.push_back(halo[axis]);
  if (grid.axes.size() != module.extents.size()) return;
  module.halo.resize(grid.halo.size());
  for (size_t a = 0; a < grid.halo.size(); ++a)
    module.halo[a] = std::max(module.halo[a], grid.halo[a]);
}

// Temporaries come after all grids.
void claim_temporary(const ir::Stencil& stencil, const ir::Field& field, Signature& signature,
                     kernel::Module& module) {
  kernel::Temporary one{signature.claimed.claim(field.name), type_of(field.type), {}};
  if (field.ghosts != ir::Offset{})
    one.ghosts.assign(field.ghosts.begin(), field.ghosts.begin() + stencil.rank());
  module.temporaries.push_back(std::move(one));
}

void claim_grids(const ir::Stencil& stencil, const plan::Plan& plan, Signature& signature,
                 kernel::Module& module) {
  const std::vector<ir::Offset> halos = ir::ghost_halos(stencil);
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    if (field.temporary) {
      claim_temporary(stencil, field, signature, module);
      continue;
    }
    kernel::Grid grid;
    grid.element = type_of(field.type);
    grid.role = role_of(field.role);
    grid.levels = field.role == ir::Role::stepped ? field.levels() : 1;
    grid.buffers = plan.buffers[f];
    grid.spare = std::max(0, grid.buffers - grid.levels - 1);
    for (int level = 0; level < grid.levels; ++level)
      grid.level_names.push_back(signature.claimed.claim(level_name(field.name, -level)));
    grid.name = grid.level_names[0];
    grid.used = false;
    for (int a = 0; a < stencil.rank(); ++a)
      if (field.along[a]) grid.axes.push_back(a);
    if (any_shape(stencil, plan, [](const auto& one) { return one.loads == plan::Loads::texture; }))
      grid.textures = signature.claimed.claim(grid.name + "_textures");
    claim_halo(halos[f], grid, module);
    module.grids.push_back(std::move(grid));
  }
}

void claim_scalars(const ir::Stencil& stencil, const plan::Plan& plan, Signature& signature,
                   kernel::Module& module) {
  for (const ir::Param& param : stencil.params) {
    signature.params.push_back(signature.claimed.claim(param.name));
    module.params.push_back({signature.params.back(), type_of(param.type), param.has_default,
                             param.value.real, param.value.integer, false});
  }
  signature.weight_rows = weight_rows_of(stencil, plan);
  for (const ir::Weights& weights : stencil.weights) {
    const std::string name = signature.claimed.claim(weights.name);
    const WeightRows& rows = signature.weight_rows[module.weights.size()];
    module.weights.push_back(
        {name, type_of(weights.type), weights.count(), false, rows.columns, rows.row, rows.pitch});
    signature.weights.push_back({name, type_of(weights.type), false, module.weights.back().held()});
  }
}

void claim_reductions(const ir::Stencil& stencil, const plan::Plan& plan, Signature& signature,
                      kernel::Module& module) {
  for (size_t r = 0; r < stencil.reductions.size(); ++r) {
    const ir::Reduction& reduction = stencil.reductions[r];
    kernel::Reduction one;
    one.name = signature.claimed.claim(reduction.name);
    one.partials = signature.claimed.claim(reduction.name + "_partials");
    one.value = signature.claimed.claim(reduction.name + "_now");
    one.type = type_of(reduction.type);
    one.fold = fold_of(reduction.kind);
    one.root = reduction.kind == ir::Reduction::norm2;
    for (const plan::Launch& launch : plan.launches())
      for (const plan::Combined& combined : launch.combines)
        if (combined.reduction == static_cast<int>(r)) one.every_step = launch.every_step;
    if (plan.windows)
      module.window.partials.push_back(signature.claimed.claim(reduction.name + "_part"));
    signature.partials.push_back({one.partials, one.type, true});
    signature.results.push_back({one.name, one.type, false});
    module.reductions.push_back(std::move(one));
  }
}

void claim_points(const ir::Stencil& stencil, Signature& signature, kernel::Module& module) {
  for (const ir::Points& points : stencil.points) {
    module.points.push_back({signature.claimed.claim(points.name), points.linear, ""});
    signature.places.push_back(signature.claimed.claim(points.name + "_places"));
    signature.point_counts.push_back(signature.claimed.claim(points.name + "_points"));
    module.points.back().count = signature.point_counts.back();
  }
  for (const ir::Series& series : stencil.series) {
    const std::string name = signature.claimed.claim(series.name);
    signature.series.push_back({name, type_of(series.type), series.output});
    module.series.push_back({name, signature.claimed.claim(series.name + "_steps"),
                             type_of(series.type), series.points, series.output});
  }
  for (const ir::Sample& sample : stencil.samples)
    signature.sampled.push_back(
        signature.claimed.claim(stencil.series[sample.series].name + "_cells"));
}

// Whether some schedule keeps values in memory. A value that this one keeps is a temporary by now.
bool has_values(const ir::Stencil& stencil) {
  const std::vector<plan::Value> values = plan::values_in(stencil);
  return std::any_of(stencil.fields.begin(), stencil.fields.end(),
                     [](const ir::Field& field) { return field.temporary; }) ||
         std::any_of(values.begin(), values.end(),
                     [](const plan::Value& value) { return value.problem.empty(); }) ||
         !plan::setup_values(stencil).empty();
}

void claim_edge_rows(const ir::Stencil& stencil, const plan::Plan& plan, Signature& signature) {
  for (const plan::Launch& launch : plan.launches()) {
    const plan::Schedule shape = plan.shape_of(stencil, launch);
    const std::array<int, 2> widths = edge_widths(stencil, launch, shape);
    if (launch.stores.empty() || !shape.edge_cells || widths == std::array{0, 0}) continue;
    if (std::string& name = signature.edge_rows[widths]; name.empty())
      name = signature.claimed.claim("edge_rows");
  }
}

void claim_workspace(bool sets_up, Signature& signature, kernel::Module& module) {
  module.workspace = signature.claimed.claim("workspace");
  module.workspace_bytes = signature.claimed.claim("workspace_bytes");
  if (sets_up) module.sets_up = signature.claimed.claim("sets_up");
  if (!module.temporaries.empty())
    module.workspace_left = signature.claimed.claim("workspace_left");
}

// Where t+1 goes and where the levels are read. The buffer of t+1 is the last of its grid, but for
// those that are spare.
void claim_buffers(const ir::Stencil& stencil, Signature& signature, kernel::Module& module) {
  signature.targets.resize(stencil.fields.size());
  signature.levels.resize(stencil.fields.size());
  signature.earlier.resize(stencil.fields.size());
  signature.ghosts.resize(stencil.fields.size());
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    if (field.temporary) {
      const kernel::Temporary& one = module.temporaries[f - module.grids.size()];
      signature.targets[f] = {one.name, one.type, true};
      if (field.setup) signature.levels[f].push_back({one.name, one.type, false});
      if (!one.ghosts.empty())
        signature.ghosts[f] = {signature.claimed.claim(one.name + "_ghosts"), one.type, false};
      signature.overwrites.push_back(false);
      continue;
    }
    const kernel::Grid& grid = module.grids[f];
    const bool in_place = field.role == ir::Role::in_place;
    signature.overwrites.push_back(
        in_place || (field.role == ir::Role::stepped && grid.buffers == grid.levels));
    if (field.role == ir::Role::input) continue;
    std::string name = grid.name;
    if (field.role == ir::Role::stepped && grid.buffers > 1)
      name = signature.claimed.claim(field.name + "_new");
    signature.targets[f] = {name, grid.element, true};
    if (grid.spare > 0)
      signature.earlier[f] = {signature.claimed.claim(name + "_prev"), grid.element, true};
  }
  for (size_t f = 0; f < module.grids.size(); ++f) {
    const kernel::Grid& grid = module.grids[f];
    if (stencil.fields[f].role == ir::Role::output) continue;
    for (const std::string& level : grid.level_names)
      signature.levels[f].push_back({level, grid.element, false});
  }
  signature.pitches.resize(stencil.fields.size());
  for (size_t f = 0; f < module.grids.size(); ++f) {
    kernel::Grid& grid = module.grids[f];
    if (stencil.rank() != 3 || grid.axes.size() != 2) continue;
    grid.pitch = signature.pitches[f] = signature.claimed.claim(stencil.fields[f].name + "_pitch");
  }
}

}  // namespace

Signature claim_signature(const ir::Stencil& stencil, const plan::Plan& plan,
                          kernel::Module& module) {
  Signature signature;
  module.name = Names().claim_global(stencil.name);
  // The C entry, which is called where fields are in scope.
  signature.claimed.claim(module.name + "_run");
  // Arguments of the C entry beside those that the program names.
  if (stencil.uses_time()) signature.claimed.claim("first");
  if (stencil.iterate.until) signature.claimed.claim("steps_taken");
  const bool values = has_values(stencil);
  if (values) signature.claimed.claim(module.name + "_workspace");
  for (const std::string& axis : stencil.axes)
    signature.axes.push_back(signature.claimed.claim(axis));
  for (const std::string& axis : stencil.axes)
    signature.extents.push_back(signature.claimed.claim("n" + axis));
  module.extents = signature.extents;
  if (plan.boxes) {
    for (const std::string& axis : stencil.axes) {
      signature.first.push_back(signature.claimed.claim("first_" + axis));
      signature.end.push_back(signature.claimed.claim("end_" + axis));
    }
    module.boxes = signature.claimed.claim("boxes");
    module.box = signature.claimed.claim("box");
  }
  if (plan.pieces || plan.windows) {
    module.origin = signature.claimed.claim("origin_" + stencil.axes.back());
    module.planes = signature.claimed.claim("held_" + stencil.axes.back());
  }
  if (plan.pieces) {
    signature.origin = module.origin;
    signature.planes = module.planes;
    for (const ir::Field& field : stencil.fields)
      signature.wraps =
          signature.wraps || field.boundary.sides[stencil.rank() - 1][0].edge == ir::Edge::periodic;
    module.piece = signature.claimed.claim("piece");
    module.held = signature.claimed.claim("held");
  }
  signature.windows = plan.windows;
  if (plan.windows) {
    module.window.name = signature.claimed.claim("window");
    module.window.first = signature.claimed.claim("window_first");
    module.window.end = signature.claimed.claim("window_end");
    module.window.taken = signature.claimed.claim("taken");
    if (!plan.pieces) {
      module.window.given_window = signature.claimed.claim("given");
      module.window.grid = signature.claimed.claim("grid");
    }
    module.window.leg = signature.claimed.claim("leg");
    module.window.mesh = signature.claimed.claim("mesh");
    module.window.part = signature.claimed.claim("part");
  }
  claim_grids(stencil, plan, signature, module);
  claim_scalars(stencil, plan, signature, module);
  claim_reductions(stencil, plan, signature, module);
  claim_points(stencil, signature, module);
  signature.pitch = signature.claimed.claim("pitch");
  signature.plane = signature.claimed.claim("plane");
  if (stencil.rank() > 1) module.strides.push_back(signature.pitch);
  if (stencil.rank() > 2) module.strides.push_back(signature.plane);
  if (stencil.uses_time()) signature.time = signature.claimed.claim("t");
  if (stencil.colors.count() != 0) signature.color = signature.claimed.claim("color");
  if (const int vector = plan.widest_vector(); vector > 1) {
    module.vector = vector;
    module.aligned = signature.aligned = signature.claimed.claim("aligned");
  }
  if (any_shape(stencil, plan, [](const auto& one) { return one.shared == plan::Shared::boxes; }))
    signature.mapped = signature.claimed.claim("mapped");
  claim_edge_rows(stencil, plan, signature);
  claim_buffers(stencil, signature, module);
  claim_tables(stencil, plan, signature, module);
  if (values) claim_workspace(plan.setup && stencil.iterate.until, signature, module);
  return signature;
}

void lower_iterate(const ir::Stencil& stencil, const Signature& signature, kernel::Module& module) {
  const ir::Iterate& iterate = stencil.iterate;
  module.iterate = {iterate.given, iterate.limit, iterate.every, {}, nullptr};
  if (!iterate.until) return;
  const plan::Launch nothing;
  Signature values = signature;
  for (size_t r = 0; r < module.reductions.size(); ++r)
    values.results[r].name = module.reductions[r].value;
  Builder builder(signature);
  ContextOptions options;
  options.host = true;
  const Context context(values, stencil, nothing, plan::Target::cpu, builder, options);
  Names names = context.names;
  Cell host(context, {}, nullptr, names, module.iterate.before);
  module.iterate.until = host.value(iterate.until);
}

}  // namespace stencilc::lower
