// Writes the manifest: what a calling program has to know about an emitted file, as JSON.
#include <nlohmann/json.hpp>

#include "driver/pipeline/compile.h"
#include "driver/pipeline/workspace.h"
#include "driver/system/json_text.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "generated/version.h"
#include "ir/numerics.h"
#include "kernel/pieces.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {

using nlohmann::ordered_json;

namespace {

constexpr int kManifestSchema = 1;  // version of the manifest: docs/versions.md

// The boundary of each side if they differ, otherwise the common one.
ordered_json boundary_of(const ir::Stencil& stencil, const ir::Boundary& boundary) {
  const auto text = [&](const ir::Side& side) {
    std::string kind(ir::name(side.edge));
    return side.value ? kind + " " + ir::print(side.value, stencil) : kind;
  };
  ordered_json sides = ordered_json::object();
  bool same = true;
  const std::string first = text(boundary.sides[0][0]);
  for (int a = 0; a < stencil.rank(); ++a)
    for (int end = 0; end < 2; ++end) {
      const ir::Side& side = boundary.sides[a][end];
      same &= side.given && text(side) == first;
      if (side.given) sides[stencil.axes[a] + (end ? ".hi" : ".lo")] = text(side);
    }
  return same ? ordered_json(first) : sides;
}

constexpr const char* kKinds[] = {
    "field",      "extent",          "stride",      "pitch",        "param",
    "weights",    "points",          "point_count", "series",       "series_steps",
    "reduction",  "partial",         "first",       "steps",        "steps_taken",
    "workspace",  "workspace_bytes", "stream",      "window_first", "window_end",
    "held_first", "held_planes",     "taken",       "mesh",         "mesh_grid"};

// The arguments of a C function, in order.
ordered_json call_of(const ir::Stencil& stencil, const std::vector<emit::Argument>& arguments) {
  ordered_json call = ordered_json::array();
  for (const emit::Argument& one : arguments) {
    ordered_json entry = {{"name", one.name}, {"kind", kKinds[one.kind]}};
    using Kind = emit::Argument::Kind;
    switch (one.kind) {
      case Kind::field:
      case Kind::mesh_grid:
      case Kind::pitch:
        entry["of"] = stencil.fields[one.of].name;
        break;
      case Kind::extent:
      case Kind::stride:
        entry["axis"] = stencil.axes[one.of];
        break;
      case Kind::param:
        entry["of"] = stencil.params[one.of].name;
        break;
      case Kind::weights:
        entry["of"] = stencil.weights[one.of].name;
        break;
      case Kind::points:
      case Kind::point_count:
        entry["of"] = stencil.points[one.of].name;
        break;
      case Kind::series:
      case Kind::series_steps:
        entry["of"] = stencil.series[one.of].name;
        break;
      case Kind::reduction:
      case Kind::partial:
        entry["of"] = stencil.reductions[one.of].name;
        break;
      default:
        break;
    }
    call.push_back(std::move(entry));
  }
  return call;
}

// Of a program for pieces of a grid: NAME_leg(), and what it reads beside its window.
ordered_json pieces_of(const Compiled& compiled, emit::Dialect dialect) {
  const kernel::Module& module = compiled.module;
  ordered_json reads = ordered_json::array(), folds = ordered_json::array();
  for (size_t g = 0; g < module.grids.size(); ++g) {
    const kernel::Grid& grid = module.grids[g];
    if (!kernel::is_cut(module, grid)) continue;
    const kernel::LegReads one = kernel::leg_reads(module, grid, 1);
    reads.push_back({{"of", compiled.stencil.fields[g].name},
                     {"low", one.low},
                     {"high", one.high},
                     {"exchanged", grid.changes}});
  }
  for (const kernel::Reduction& one : module.reductions)
    folds.push_back(emit::fold_entry_name(module, one));
  return {
      {"axis", compiled.stencil.axes.back()},
      {"wraps", module.window.wraps},
      {"grid", emit::mesh_grid_name(module)},
      {"leg", emit::leg_name(module)},
      {"leg_call", call_of(compiled.stencil, emit::leg_arguments(module, dialect))},
      {"leg_steps", module.window.steps},
      {"reads", reads},
      {"each_further_step", {{"low", module.window.step.low}, {"high", module.window.step.high}}},
      {"folds", folds}};
}

ordered_json one_manifest(const Compiled& compiled, plan::Target target) {
  const ir::Stencil& stencil = compiled.stencil;
  const kernel::Module& module = compiled.module;
  ordered_json fields = ordered_json::array(), params = ordered_json::array();
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    ordered_json entry = {{"name", field.name},
                          {"argument", module.grids[f].name},
                          {"type", ir::name(field.type)},
                          {"role", ir::name(field.role)},
                          {"levels", module.grids[f].level_names},
                          {"buffers", module.grids[f].buffers}};
    if (module.grids[f].axes.size() != module.extents.size()) {
      entry["axes"] = ordered_json::array();
      for (const int axis : module.grids[f].axes) entry["axes"].push_back(stencil.axes[axis]);
    }
    if (!module.grids[f].halo.empty()) entry["halo"] = module.grids[f].halo;
    if (field.boundary.given()) entry["boundary"] = boundary_of(stencil, field.boundary);
    fields.push_back(std::move(entry));
  }
  for (size_t p = 0; p < stencil.params.size(); ++p) {
    const ir::Param& param = stencil.params[p];
    ordered_json entry = {
        {"name", param.name}, {"argument", module.params[p].name}, {"type", ir::name(param.type)}};
    if (param.has_default) entry["default"] = ir::print(param.value);
    params.push_back(std::move(entry));
  }
  const emit::Dialect dialect =
      target == plan::Target::cpu ? emit::Dialect::cpu : emit::Dialect::cuda;
  const bool cut = module.window.given();
  const ir::Reach reach = ir::reach(stencil);
  const auto along = [&](const ir::Offset& offset) {
    return std::vector<int>(offset.begin(), offset.begin() + stencil.rank());
  };
  ordered_json root = {{"schema", kManifestSchema},
                       {"stencilc", kVersion},
                       {"numerics", ir::kNumericsVersion},
                       {"target", target == plan::Target::cpu ? "cpu" : "cuda"},
                       {"stencil", stencil.name},
                       {"namespace", module.name},
                       {"c_entry", cut ? emit::run_on_name(module) : emit::c_name(module)},
                       {"call", call_of(stencil, cut ? emit::run_on_arguments(module)
                                                     : emit::c_arguments(module, dialect))},
                       {"axes", stencil.axes},
                       {"fields", fields},
                       {"params", params},
                       {"steps", module.steps},
                       {"reach", {{"low", along(reach.low)}, {"high", along(reach.high)}}},
                       {"schedule", plan::print(compiled.plan.schedule, stencil)}};
  if (cut) root["pieces"] = pieces_of(compiled, dialect);
  if (!cut && emit::has_workspace(module)) {
    ordered_json values = ordered_json::array();
    for (const kernel::Temporary& one : module.temporaries) values.push_back(one.name);
    root["workspace"] = {{"function", emit::workspace_name(module)},
                         {"arguments", {module.workspace, module.workspace_bytes}},
                         {"values", values},
                         {"bytes", workspace_formula(module)}};
    if (compiled.plan.setup) root["workspace"]["setup"] = setup_values_of(*compiled.plan.stencil);
  }
  if (!module.halo.empty()) root["halo"] = module.halo;
  for (size_t w = 0; w < stencil.weights.size(); ++w)
    root["weights"].push_back({{"name", stencil.weights[w].name},
                               {"argument", module.weights[w].name},
                               {"count", module.weights[w].count},
                               {"type", ir::name(stencil.weights[w].type)},
                               {"ranges", stencil.weights[w].ranges}});
  for (const ir::Points& points : stencil.points)
    root["points"].push_back({{"name", points.name}, {"linear", points.linear}});
  for (const ir::Series& series : stencil.series)
    root["series"].push_back({{"name", series.name},
                              {"type", ir::name(series.type)},
                              {"points", stencil.points[series.points].name},
                              {"output", series.output}});
  for (size_t r = 0; r < stencil.reductions.size(); ++r)
    root["reductions"].push_back({{"name", stencil.reductions[r].name},
                                  {"argument", module.reductions[r].name},
                                  {"type", ir::name(stencil.reductions[r].type)},
                                  {"kind", ir::name(stencil.reductions[r].kind)}});
  if (stencil.iterate.given) root["iterate"]["limit"] = stencil.iterate.limit;
  if (stencil.iterate.until) {
    root["iterate"]["every"] = stencil.iterate.every;
    root["iterate"]["condition"] = emit::until_name(module);
  }
  return root;
}

}  // namespace

std::string manifest(const std::vector<Compiled>& stencils, plan::Target target) {
  if (stencils.size() == 1) return json_text(one_manifest(stencils[0], target));
  ordered_json all = ordered_json::array();
  for (const Compiled& one : stencils) all.push_back(one_manifest(one, target));
  return json_text(all);
}

}  // namespace stencilc::driver
