#include "plan/temporal.h"

#include <algorithm>

#include "plan/launch.h"

namespace stencilc::plan {
namespace {

bool is_stepped(const ir::Stencil& stencil, int field) {
  return stencil.fields[field].role == ir::Role::stepped;
}

std::string quoted(const std::string& name) { return "`" + name + "`"; }

// The launch that stores; null: there are several, or it folds at each step.
const Launch* only_launch(const Schedule& schedule) {
  const Launch* only = nullptr;
  for (const Launch& launch : schedule.stages.launches) {
    if (launch.every_step) return nullptr;
    if (launch.stores.empty()) continue;
    if (only) return nullptr;
    only = &launch;
  }
  return only;
}

std::vector<ir::ExprPtr> values_of(const ir::Stencil& stencil) {
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::ExprPtr& root : roots_of(update)) values.push_back(root);
  return values;
}

// Which sides of the field do reads of it meet?
bool meets(const ir::Stencil& stencil, int field, int axis) {
  for (const ir::ExprPtr& node : ir::nodes_of(values_of(stencil)))
    if (const auto* read = ir::as<ir::Read>(node))
      if (read->field == field && read->offset[axis] != 0) return true;
  return false;
}

// What of the fields cannot be had for several steps.
std::string problem_of_fields(const ir::Stencil& stencil) {
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    if (field.role == ir::Role::output)
      return "`" + field.name + "` is an output, which each step makes anew";
    if (field.role != ir::Role::stepped) continue;
    if (!ir::has_all_axes(stencil, field))
      return quoted(field.name) + " does not have all axes";
    if (field.levels() > 1)
      return quoted(field.name) + " is read at " + std::to_string(field.levels()) + " time levels";
  }
  for (int a = 0; a < stencil.rank(); ++a) {
    int wraps = -1;
    for (size_t f = 0; f < stencil.fields.size(); ++f) {
      if (!is_stepped(stencil, static_cast<int>(f)) || !meets(stencil, static_cast<int>(f), a))
        continue;
      const ir::Field& field = stencil.fields[f];
      for (const ir::Side& side : field.boundary.sides[a])
        if (side.edge == ir::Edge::ghost)
          return "what lies beyond the `ghost` side of " + quoted(field.name) +
                 " holds for one step";
      const int own = field.boundary.sides[a][0].edge == ir::Edge::periodic;
      if (wraps >= 0 && wraps != own)
        return "along " + quoted(stencil.axes[a]) + " some fields are periodic and others are not";
      wraps = own;
    }
  }
  return "";
}

std::string problem_of(const ir::Stencil& stencil, const Schedule& schedule) {
  if (!stencil.steps()) return "the stencil makes one pass";
  if (stencil.colors.count() != 0) return "the colours of a step are swept one after the other";
  if (!stencil.injections.empty() || !stencil.samples.empty())
    return "sources and receivers come between the steps";
  if (stencil.uses_time()) return "values depend on the number of the step";
  const Launch* launch = only_launch(schedule);
  if (!launch) return "a step takes several launches";
  for (const ir::Update& update : stencil.updates)
    if (!read_beside(stencil, update, *launch).empty())
      return "a step reads `t+1` beside the cell";
  return problem_of_fields(stencil);
}

// Rows, counted from the rim, that stand for the `reach` rows beyond it; 0: none do.
int rows_beyond(const ir::Side& side, int reach) {
  if (reach == 0) return 0;
  switch (side.edge) {
    case ir::Edge::clamp:
    case ir::Edge::neumann:
      return 1;
    case ir::Edge::reflect:
    case ir::Edge::antireflect:
      return reach;
    case ir::Edge::mirror:
      return reach + 1;
    default:
      return 0;
  }
}

// Does anything but the caller's own values lie beyond the side?
bool is_open(const ir::Side& side, int reach) {
  return reach > 0 && side.edge != ir::Edge::none && side.edge != ir::Edge::fixed &&
         side.edge != ir::Edge::periodic;
}

void hold_rows(const ir::Stencil& stencil, int march, Temporal& temporal) {
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    if (!is_stepped(stencil, static_cast<int>(f))) continue;
    ir::Reach reach;
    for (const ir::ExprPtr& node : ir::nodes_of(values_of(stencil)))
      if (const auto* read = ir::as<ir::Read>(node); read && read->field == static_cast<int>(f))
        for (int a = 0; a < stencil.rank(); ++a) {
          reach.low[a] = std::max(reach.low[a], -read->offset[a]);
          reach.high[a] = std::max(reach.high[a], read->offset[a]);
        }
    const auto& sides = stencil.fields[f].boundary.sides;
    for (int a = 0; a < stencil.rank(); ++a)
      if (is_open(sides[a][0], reach.low[a]) || is_open(sides[a][1], reach.high[a]))
        temporal.held = std::max(temporal.held, 1);
    const int first = rows_beyond(sides[march][0], reach.low[march]);
    temporal.first_rows = std::max(temporal.first_rows, first);
    temporal.held =
        std::max({temporal.held, first, rows_beyond(sides[march][1], reach.high[march])});
  }
}

}  // namespace

Temporal temporal(const ir::Stencil& stencil, const Schedule& schedule) {
  Temporal result;
  if (schedule.steps == 1) return result;
  result.why_one = problem_of(stencil, schedule);
  if (!result.why_one.empty()) return result;
  const int march = stencil.rank() - 1;
  for (const ir::ExprPtr& node : ir::nodes_of(values_of(stencil))) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || !is_stepped(stencil, read->field)) continue;
    result.left = std::max(result.left, -read->offset[0]);
    result.right = std::max(result.right, read->offset[0]);
    result.behind = std::max(result.behind, -read->offset[march]);
    result.lag = std::max(result.lag, read->offset[march]);
  }
  hold_rows(stencil, march, result);
  const auto lanes = [&](int reach) {
    return (schedule.steps * reach + schedule.vector - 1) / schedule.vector;
  };
  result.left_lanes = lanes(result.left);
  result.right_lanes = lanes(result.right);
  if (result.stored_lanes() < 4)
    result.why_one = std::to_string(schedule.steps) + " steps leave nothing of a strip of 32 vectors";
  else
    result.steps = schedule.steps;
  return result;
}

}  // namespace stencilc::plan
