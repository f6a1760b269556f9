#include "emit/signature.h"

#include <algorithm>

#include "emit/spell.h"
#include "emit/writer.h"

namespace stencilc::emit {

bool rotates(const kernel::Grid& grid) {
  return grid.role == kernel::Grid::stepped && grid.buffers > 1;
}

bool has_halves(const kernel::Module& module) {
  const auto half = [](kernel::Type type) { return kernel::is_half(type); };
  return std::any_of(module.grids.begin(), module.grids.end(),
                     [&](const kernel::Grid& grid) { return half(grid.element); }) ||
         std::any_of(module.series.begin(), module.series.end(),
                     [&](const kernel::Series& series) { return half(series.type); }) ||
         std::any_of(module.params.begin(), module.params.end(),
                     [&](const kernel::ScalarParam& param) { return half(param.type); });
}

namespace {
std::string c_type(kernel::Type type) {
  return type == kernel::Type::f16    ? "stencil_f16"
         : type == kernel::Type::bf16 ? "stencil_bf16"
                                      : spell(type);
}
}  // namespace

std::string c_name(const kernel::Module& module) { return module.name + "_run"; }
std::string leg_name(const kernel::Module& module) { return module.name + "_leg"; }

bool takes_steps(const kernel::Module& module) { return module.steps || folds_first(module); }

std::string fold_entry_name(const kernel::Module& module, const kernel::Reduction& reduction) {
  return module.name + "_fold_" + reduction.name;
}
std::vector<std::string> fold_parameters(const kernel::Module& module,
                                         const kernel::Reduction& reduction, Dialect dialect) {
  const std::string type = spell(reduction.type);
  std::vector<std::string> items = extents_as_parameters(module);
  items.insert(items.begin(), "const " + type + "* parts");
  items.push_back(type + "* value");
  if (dialect == Dialect::cuda) items.push_back("cudaStream_t stream");
  return items;
}

std::string until_name(const kernel::Module& module) { return module.name + "_until"; }
std::vector<std::string> until_parameters(const kernel::Module& module) {
  std::vector<std::string> items;
  for (const kernel::ScalarParam& param : module.params)
    items.push_back(c_type(param.type) + " " + param.name);
  for (const kernel::Reduction& one : module.reductions)
    items.push_back(spell(one.type) + " " + one.value);
  return items;
}

bool has_workspace(const kernel::Module& module) { return !module.workspace.empty(); }

std::string window_reduction_type(const kernel::Reduction& reduction, Dialect dialect) {
  return "stencil::WindowReduction<" + spell(reduction.type) + ", " +
         (dialect == Dialect::cuda ? "st::kFolded" : "1") + ">";
}

bool folds_every_step(const kernel::Module& module, const kernel::Launch& launch) {
  return module.window.given() && !launch.folds.empty() &&
         module.reductions[launch.folds[0]].every_step;
}
bool folds_first(const kernel::Module& module) {
  return std::any_of(
      module.launches.begin(), module.launches.end(),
      [&](const kernel::Launch& launch) { return folds_every_step(module, launch); });
}

std::string workspace_name(const kernel::Module& module) { return module.name + "_workspace"; }

std::vector<std::string> extents_as_parameters(const kernel::Module& module) {
  std::vector<std::string> names;
  for (const std::string& extent : module.extents) names.push_back("int64_t " + extent);
  return names;
}

std::string prepare_name(const kernel::Module& module) { return module.name + "_prepare"; }

std::vector<std::string> shape_names(const kernel::Module& module, const std::string& prefix) {
  std::vector<std::string> names;
  for (const std::string& extent : module.extents) names.push_back(prefix + extent);
  for (const std::string& stride : module.strides) names.push_back(prefix + stride);
  return names;
}

bool has_all_axes(const kernel::Module& module, const kernel::Grid& grid) {
  return grid.axes.size() == module.extents.size();
}

bool reduces_on_request(const kernel::Module& module) {
  return std::any_of(
      module.launches.begin(), module.launches.end(),
      [](const kernel::Launch& launch) { return launch.when != kernel::Launch::always; });
}

std::string halo_text(const std::vector<int>& halo) {
  std::vector<std::string> cells;
  for (const int one : halo) cells.push_back(std::to_string(one));
  return "{" + join(cells, ", ") + "}";
}

std::string fold_name(kernel::Fold fold) {
  constexpr const char* kNames[] = {"st::Sum", "st::Product", "st::Least", "st::Greatest"};
  return kNames[static_cast<int>(fold)];
}

std::string ghost_cells(const kernel::Module& module, const kernel::Temporary& one,
                        const std::string& type) {
  std::vector<std::string> items = module.extents;
  for (const int cells : one.ghosts) items.push_back(std::to_string(cells));
  return "st::ghost_cells<" + type + ">(" + join(items, ", ") + ")";
}

std::string places_type(const kernel::Module& module, const kernel::Places& places) {
  return "stencil::Places<" + spell(places.type) + ", " + std::to_string(module.extents.size()) +
         ">";
}
std::string series_type(const kernel::Series& series) {
  return std::string("stencil::Series<") + (series.output ? "" : "const ") + spell(series.type) +
         ">";
}
std::string points_type(const kernel::Points& points) {
  return points.linear ? "stencil::LinearPoints" : "stencil::Points";
}

namespace {

std::string written(bool is_written) { return is_written ? "" : "const "; }

// Params, weights, points, series.
void add_given_values(const kernel::Module& module, std::vector<Argument>& items) {
  const auto add = [&](Argument::Kind kind, size_t of, const std::string& type,
                       const std::string& name) {
    items.push_back({kind, static_cast<int>(of), name, type + " " + name});
  };
  for (size_t p = 0; p < module.params.size(); ++p)
    add(Argument::param, p, c_type(module.params[p].type), module.params[p].name);
  for (size_t w = 0; w < module.weights.size(); ++w)
    add(Argument::weights, w, "const " + spell(module.weights[w].type) + "*",
        module.weights[w].name);
  for (size_t p = 0; p < module.points.size(); ++p) {
    const kernel::Points& points = module.points[p];
    add(Argument::points, p, points.linear ? "const double*" : "const int32_t*", points.name);
    add(Argument::point_count, p, "int64_t", points.count);
  }
  for (size_t s = 0; s < module.series.size(); ++s) {
    const kernel::Series& series = module.series[s];
    add(Argument::series, s, written(series.output) + c_type(series.type) + "*", series.name);
    add(Argument::series_steps, s, "int64_t", series.steps);
  }
}

Argument stream_argument() { return {Argument::stream, 0, "stream", "cudaStream_t stream"}; }

}  // namespace

std::vector<Argument> c_arguments(const kernel::Module& module, Dialect dialect) {
  std::vector<Argument> items;
  const auto add = [&](Argument::Kind kind, size_t of, const std::string& type,
                       const std::string& name, const std::string& after = "") {
    items.push_back({kind, static_cast<int>(of), name, type + " " + name + after});
  };
  for (size_t g = 0; g < module.grids.size(); ++g) {
    const kernel::Grid& grid = module.grids[g];
    const std::string type = c_type(grid.element) + "*";
    if (rotates(grid))
      add(Argument::field, g, type, grid.name, "[" + std::to_string(grid.buffers) + "]");
    else
      add(Argument::field, g, written(grid.role != kernel::Grid::input) + type, grid.name);
  }
  for (size_t a = 0; a < module.extents.size(); ++a)
    add(Argument::extent, a, "int64_t", module.extents[a]);
  for (size_t a = 0; a < module.strides.size(); ++a)
    add(Argument::stride, a + 1, "int64_t", module.strides[a]);
  for (size_t g = 0; g < module.grids.size(); ++g)
    if (!module.grids[g].pitch.empty()) add(Argument::pitch, g, "int64_t", module.grids[g].pitch);
  add_given_values(module, items);
  const bool window = module.window.given();
  for (size_t r = 0; r < module.reductions.size(); ++r) {
    const kernel::Reduction& reduction = module.reductions[r];
    const std::string type = spell(reduction.type) + "*";
    if (window) add(Argument::partial, r, type, module.window.partials[r]);
    if (!window || reduction.every_step)
      add(Argument::reduction, r, written(!window) + type, reduction.name);
  }
  if (module.time) add(Argument::first, 0, "int64_t", "first");
  if (takes_steps(module)) add(Argument::steps, 0, "int64_t", "steps");
  if (window) return items;
  if (module.iterate.until) add(Argument::steps_taken, 0, "int64_t*", "steps_taken");
  if (has_workspace(module)) {
    add(Argument::workspace, 0, "void*", module.workspace);
    add(Argument::workspace_bytes, 0, "size_t", module.workspace_bytes);
  }
  if (dialect == Dialect::cuda) items.push_back(stream_argument());
  return items;
}

namespace {
std::vector<std::string> declarations(const std::vector<Argument>& arguments) {
  std::vector<std::string> items;
  for (const Argument& one : arguments) items.push_back(one.declaration);
  return items;
}
}  // namespace

std::vector<std::string> given_values(const kernel::Module& module) {
  std::vector<Argument> items;
  add_given_values(module, items);
  return declarations(items);
}

std::vector<std::string> c_parameters(const kernel::Module& module, Dialect dialect) {
  return declarations(c_arguments(module, dialect));
}

std::vector<Argument> leg_arguments(const kernel::Module& module, Dialect dialect) {
  std::vector<Argument> items = c_arguments(module, dialect);
  const kernel::Module::Window& window = module.window;
  const std::pair<Argument::Kind, const std::string&> places[] = {
      {Argument::window_first, window.first},
      {Argument::window_end, window.end},
      {Argument::held_first, module.origin},
      {Argument::held_planes, module.planes},
      {Argument::taken, window.taken}};
  for (const auto& [kind, name] : places) items.push_back({kind, 0, name, "int64_t " + name});
  if (dialect == Dialect::cuda) items.push_back(stream_argument());
  return items;
}

std::vector<std::string> leg_parameters(const kernel::Module& module, Dialect dialect, bool of_c) {
  if (of_c) return declarations(leg_arguments(module, dialect));
  std::vector<std::string> items = c_parameters(module, dialect);
  items.push_back("const stencil::Window& " +
                  (module.window.grid.empty() ? module.window.name : module.window.given_window));
  if (dialect == Dialect::cuda) items.push_back(stream_argument().declaration);
  return items;
}

std::vector<Argument> run_on_arguments(const kernel::Module& module) {
  std::vector<Argument> items;
  const auto add = [&](Argument::Kind kind, size_t of, const std::string& type,
                       const std::string& name) {
    items.push_back({kind, static_cast<int>(of), name, type + " " + name});
  };
  add(Argument::mesh, 0, "stencil_mesh*", module.window.mesh);
  for (size_t g = 0; g < module.grids.size(); ++g)
    add(Argument::mesh_grid, g, "stencil_mesh_grid*", module.grids[g].name);
  add_given_values(module, items);
  for (size_t r = 0; r < module.reductions.size(); ++r)
    add(Argument::reduction, r, spell(module.reductions[r].type) + "*", module.reductions[r].name);
  if (module.time) add(Argument::first, 0, "int64_t", "first");
  if (module.steps) add(Argument::steps, 0, "int64_t", "steps");
  if (module.iterate.until) add(Argument::steps_taken, 0, "int64_t*", "steps_taken");
  return items;
}
std::vector<std::string> run_on_parameters(const kernel::Module& module) {
  return declarations(run_on_arguments(module));
}

std::vector<std::string> run_parameters(const kernel::Module& module) {
  std::vector<std::string> items = {"const Args& args"};
  if (module.steps || module.time) items.push_back("stencil::Steps steps");
  items.push_back("stencil::Stream stream");
  return items;
}

std::vector<std::string> advance_parameters(const kernel::Module& module, Dialect dialect) {
  std::vector<std::string> items;
  for (const kernel::Grid& grid : module.grids) {
    if (!grid.used) continue;
    const std::string type = spell(grid.element);
    items.push_back(rotates(grid) ? type + "** " + grid.name
                                  : (grid.role == kernel::Grid::input ? "const " : "") + type +
                                        "* " + grid.name);
  }
  items.push_back("const stencil::Shape& shape");
  if (module.window.given())
    items.push_back("const stencil::Window& " + module.window.name);
  else if (!module.piece.empty())
    items.push_back("const stencil::Piece& " + module.piece);
  for (const kernel::Grid& grid : module.grids)
    if (grid.used && !grid.pitch.empty()) items.push_back("int64_t " + grid.pitch);
  for (const kernel::ScalarParam& param : module.params)
    if (param.used) items.push_back(spell(param.type) + " " + param.name);
  for (const kernel::Weights& weights : module.weights)
    if (weights.used)
      items.push_back("const stencil::Weights<" + spell(weights.type) + ", " +
                      std::to_string(weights.held()) + ">& " + weights.name);
  for (const kernel::Places& places : module.places)
    items.push_back("const " + places_type(module, places) + "& " + places.name);
  for (const kernel::Series& series : module.series)
    if (series.used) items.push_back("const " + series_type(series) + "& " + series.name);
  for (const kernel::Reduction& reduction : module.reductions)
    items.push_back((module.window.given() ? "const " + window_reduction_type(reduction, dialect)
                                           : "stencil::Reduction<" + spell(reduction.type) + ">") +
                    "& " + reduction.partials);
  for (const kernel::Temporary& one : module.temporaries)
    items.push_back("const stencil::Temporary<" + spell(one.type) + ">& " + one.name);
  if (module.time) items.push_back("int64_t first");
  if (takes_steps(module)) items.push_back("int64_t steps");
  if (!module.sets_up.empty()) items.push_back("bool " + module.sets_up);
  if (reduces_on_request(module)) items.push_back("bool reduces");
  if (dialect == Dialect::cuda) items.push_back("stencil::Stream stream");
  return items;
}

}  // namespace stencilc::emit
