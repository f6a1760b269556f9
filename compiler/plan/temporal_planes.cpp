// What a block that marches along the third axis cannot hold of several steps.
#include <algorithm>
#include <set>

#include "plan/launch.h"
#include "plan/temporal_problems.h"

namespace stencilc::plan {
namespace {

bool is_stepped(const ir::Stencil& stencil, int field) {
  return stencil.fields[field].role == ir::Role::stepped;
}

std::string quoted(const std::string& name) { return "`" + name + "`"; }

std::vector<ir::ExprPtr> values_of(const ir::Stencil& stencil) {
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::ExprPtr& root : roots_of(update)) values.push_back(root);
  return values;
}

bool varies(const ir::ExprPtr& value) {
  if (!value) return false;
  const std::vector<ir::ExprPtr> nodes = ir::nodes_of({value});
  return std::any_of(nodes.begin(), nodes.end(), [](const ir::ExprPtr& node) {
    return ir::as<ir::Read>(node) || ir::as<ir::Coordinate>(node) || ir::as<ir::SeriesRef>(node);
  });
}

// The cells that values of a block read of the fields that are stepped.
struct BlockReads {
  const ir::Stencil& stencil;
  std::set<ir::ExprPtr> seen;
  int sums = 0, low = 0, high = 0;  // of planes; and which ones these add
  std::string problem;

  // Is it a sum that planes are added to as they arrive?
  bool adds_planes(const ir::ExprPtr& value) {
    const auto* sum = ir::as<ir::Sum>(value);
    if (!sum || varies(sum->bias)) return false;
    std::vector<int> planes;
    for (const ir::Sum::Term& term : sum->terms) {
      const auto* read = ir::as<ir::Read>(term.tap);
      if (const auto* cast = ir::as<ir::Cast>(term.tap)) read = ir::as<ir::Read>(cast->value);
      if (!read || !is_stepped(stencil, read->field) || varies(term.weight)) return false;
      planes.push_back(read->offset[2]);
    }
    if (!std::is_sorted(planes.begin(), planes.end()) || planes.front() == planes.back())
      return false;
    low = std::min(low, planes.front());
    high = std::max(high, planes.back());
    ++sums;
    return true;
  }
  void in(const ir::ExprPtr& value) {
    if (!value || !seen.insert(value).second || adds_planes(value)) return;
    const auto* read = ir::as<ir::Read>(value);
    if (read && is_stepped(stencil, read->field) && read->offset != ir::Offset{})
      problem = "it reads " + quoted(stencil.fields[read->field].name) +
                " beside the cell for more than sums that planes along " + quoted(stencil.axes[2]) +
                " are added to";
    for (const ir::ExprPtr& child : ir::children(*value)) in(child);
  }
};

}  // namespace

// Of a stencil with three axes: what a block cannot hold of it.
std::string problem_of_planes(const ir::Stencil& stencil, const Schedule& schedule,
                              const Temporal& temporal) {
  BlockReads reads{stencil, {}, 0, 0, 0, ""};
  for (const ir::ExprPtr& value : values_of(stencil)) reads.in(value);
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.mask) return "its cells are chosen by a mask";
  if (!schedule.scatter) return "planes are added to sums as they arrive: give `sums=scatter`";
  if (!reads.problem.empty()) return reads.problem;
  if (reads.sums == 0) return "it has no sum that planes are added to";
  if (reads.high != temporal.lag)
    return "the last plane that stands for others beyond the rim comes behind those of the sums";
  if (temporal.first_rows > 1)
    return "what lies before the first plane along " + quoted(stencil.axes[2]) +
           " stands for planes behind that one";
  if (schedule.rows < 2) return "a thread has one row of a block's tile; give `rows=2` or more";
  const int rows = std::max(temporal.below, temporal.above);
  if (schedule.rows < rows)
    return "a step reads " + std::to_string(rows) + " rows beside a cell's; a thread needs as many";
  for (const ir::Field& field : stencil.fields)
    if (field.role == ir::Role::stepped)
      for (const int end : {0, 1})
        if (rows_beyond(field.boundary.sides[1][end], end == 0 ? temporal.below : temporal.above) >
            schedule.rows)
          return "a step reads further beyond a row than a thread has rows";
  if (temporal.stored_rows(schedule) < schedule.rows)
    return std::to_string(schedule.steps) + " steps leave nothing of a tile of " +
           std::to_string(schedule.threads[1] * schedule.rows) + " rows";
  return "";
}

}  // namespace stencilc::plan
