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
    if (!ir::has_all_axes(stencil, field)) return quoted(field.name) + " does not have all axes";
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
    if (!read_beside(stencil, update, *launch).empty()) return "a step reads `t+1` beside the cell";
  return problem_of_fields(stencil);
}

}  // namespace

Beyond beyond(const ir::Side& side) {
  switch (side.edge) {
    case ir::Edge::clamp:
    case ir::Edge::neumann:
      return Beyond::last;
    case ir::Edge::reflect:
    case ir::Edge::antireflect:
      return Beyond::again;
    case ir::Edge::mirror:
      return Beyond::next;
    default:
      return Beyond::none;
  }
}

bool is_open(const ir::Side& side) {
  return side.edge != ir::Edge::none && side.edge != ir::Edge::fixed &&
         side.edge != ir::Edge::periodic;
}

namespace {

// Rows, counted from the rim, that stand for the `reach` rows beyond it; 0: none do.
int rows_beyond(const ir::Side& side, int reach) {
  if (reach == 0) return 0;
  const Beyond kind = beyond(side);
  return kind == Beyond::none ? 0 : kind == Beyond::last ? 1 : reach + (kind == Beyond::next);
}

// A value beyond a corner is that of a constant, if one side has one, whatever the other one is;
// what is made of rows and then of columns is that only where the columns only move values.
bool corners_agree(const ir::Boundary& boundary, int march) {
  const auto any = [&](int axis, std::initializer_list<ir::Edge> edges) {
    for (const ir::Side& side : boundary.sides[axis])
      if (std::find(edges.begin(), edges.end(), side.edge) != edges.end()) return true;
    return false;
  };
  return !any(march, {ir::Edge::constant}) ||
         !any(0, {ir::Edge::antireflect, ir::Edge::neumann, ir::Edge::expr});
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
    if ((is_open(sides[march][0]) && reach.low[march] > 0) ||
        (is_open(sides[march][1]) && reach.high[march] > 0))
      temporal.held = std::max(temporal.held, 1);
    const int first = rows_beyond(sides[march][0], reach.low[march]);
    const int last = rows_beyond(sides[march][1], reach.high[march]);
    temporal.first_rows = std::max(temporal.first_rows, first);
    temporal.held = std::max({temporal.held, first, last});
    // They have to be there, too, where a cell reads beyond the rim.
    temporal.lag = std::max(temporal.lag, first - 1);
    temporal.behind = std::max(temporal.behind, last - 1);
  }
}

// What stands for cells beyond the end of a row is in the vector at that end, or beside it.
std::string problem_of_columns(const ir::Stencil& stencil, const Schedule& schedule,
                               const Temporal& temporal) {
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    if (!is_stepped(stencil, static_cast<int>(f))) continue;
    const ir::Boundary& boundary = stencil.fields[f].boundary;
    if (!corners_agree(boundary, stencil.rank() - 1))
      return "beyond the corners of " + quoted(stencil.fields[f].name) +
             " a constant comes before what holds along " + quoted(stencil.axes[0]);
    const auto cells = [&](int end, int reach) {
      return rows_beyond(boundary.sides[0][end], reach);
    };
    if (cells(0, temporal.left) > schedule.vector)
      return "a step reads further beyond the first cell of a row than a vector has cells";
    if (cells(1, temporal.right) > temporal.left + 1)
      return "a step reads further beyond the last cell of a row than before a cell";
  }
  return "";
}

constexpr int kSharedBytes = 48 * 1024;  // of a block that does not ask for more

// The rows that are on their way, and those that are held.
int shared_bytes(const ir::Stencil& stencil, const Schedule& schedule, const Temporal& temporal) {
  int cell = 0;
  for (const ir::Field& field : stencil.fields)
    if (field.role == ir::Role::stepped) cell += ir::bytes(field.type);
  const int rows = schedule.ahead + 1 + schedule.steps * temporal.held;
  return schedule.threads[1] * rows * 32 * schedule.vector * cell;
}

}  // namespace

Temporal temporal(const ir::Stencil& whole, const Schedule& schedule) {
  Temporal result;
  if (schedule.steps == 1) return result;
  ir::Stencil stencil = whole;
  ir::drop_unmet_sides(stencil);
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
  if (std::string problem = problem_of_columns(stencil, schedule, result); !problem.empty())
    result.why_one = problem;
  else if (result.stored_lanes() < 4)
    result.why_one =
        std::to_string(schedule.steps) + " steps leave nothing of a strip of 32 vectors";
  else if (const int bytes = shared_bytes(stencil, schedule, result); bytes > kSharedBytes)
    result.why_one = "the rows that wait take " + std::to_string(bytes) +
                     " bytes of shared memory, of " + std::to_string(kSharedBytes) +
                     "; fewer warps a block take less";
  else
    result.steps = schedule.steps;
  return result;
}

}  // namespace stencilc::plan
