#include "plan/temporal/temporal_blocking.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/bits.h"
#include "ir/boundary.h"
#include "plan/schedule/launch.h"
#include "plan/temporal/legality.h"
#include "plan/temporal/resident_tile.h"
#include "plan/temporal/shared_planes.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

bool is_stepped(const ir::Stencil& stencil, int field) {
  return stencil.fields[field].role == ir::Role::stepped;
}

std::string quoted(const std::string& name) { return "`" + name + "`"; }

// The launch that stores; null if there are several, or if it reduces in each step.
const Launch* only_launch(Survey& survey, const Schedule& schedule) {
  const Launch* only = nullptr;
  for (const Launch& launch : survey.stages(schedule).launches) {
    if (launch.every_step) return nullptr;
    if (launch.stores.empty()) continue;
    if (only) return nullptr;
    only = &launch;
  }
  return only;
}

bool is_read_before_beside(const Stepping& stepping, int field) {
  return std::any_of(stepping.reads.begin(), stepping.reads.end(), [&](const ir::Read& read) {
    return read.field == field && read.level < 0 && read.offset != ir::Offset{};
  });
}

// Whether ghost values of a side depend on a coordinate along a periodic axis. Cells beyond the
// ends of that axis are computed, too, with other coordinates.
bool counts_where_it_wraps(const ir::Boundary& boundary) {
  for (const auto& sides : boundary.sides)
    for (const ir::Side& side : sides)
      if (side.edge == ir::Edge::expr)
        for (const ir::ExprPtr& node : ir::nodes_of({side.value}))
          if (const auto* place = ir::as<ir::Coordinate>(node))
            if (boundary.sides[place->axis][0].edge == ir::Edge::periodic) return true;
  return false;
}

}  // namespace

std::string problem_of_fields(const Stepping& stepping, bool resident_tile) {
  const ir::Stencil& stencil = stepping.stencil;
  const auto is_made = [&](int f) {
    return is_stepped(stencil, f) || stencil.fields[f].role == ir::Role::output;
  };
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    if (field.role == ir::Role::output && !resident_tile)
      return "`" + field.name + "` is an output field, which only resident tiles support";
    if (!is_made(static_cast<int>(f))) continue;
    if (!ir::has_all_axes(stencil, field))
      return quoted(field.name) + " does not have all axes of the stencil";
    if (field.role == ir::Role::output) continue;
    if (field.levels() > 2)
      return quoted(field.name) + " is read at " + std::to_string(field.levels()) + " time levels";
    if (counts_where_it_wraps(field.boundary))
      return "the boundary of " + quoted(field.name) +
             " depends on a coordinate along a periodic axis";
    if (!resident_tile && has_before(field) && is_read_before_beside(stepping, static_cast<int>(f)))
      return quoted(field.name) + " is read at `t-1` in neighbouring cells";
  }
  for (int a = 0; a < stencil.rank(); ++a) {
    int wraps = -1;
    for (size_t f = 0; f < stencil.fields.size(); ++f) {
      if (!is_made(static_cast<int>(f))) continue;
      const ir::Field& field = stencil.fields[f];
      for (const ir::Side& side : field.boundary.sides[a])
        if (side.edge == ir::Edge::ghost)  // reductions may read it, too
          return "the `ghost` cells of " + quoted(field.name) +
                 " come from the caller and are valid for one step";
      if (stepping.reach[f].low[a] == 0 && stepping.reach[f].high[a] == 0) continue;
      const int own = field.boundary.sides[a][0].edge == ir::Edge::periodic;
      if (wraps >= 0 && wraps != own)
        return "along " + quoted(stencil.axes[a]) + " some fields are periodic and others are not";
      wraps = own;
    }
  }
  return "";
}

std::string problem_of_whole_rows(const ir::Stencil& stencil, const Schedule& schedule) {
  for (const ir::Field& field : stencil.fields)
    if (schedule.whole && field.boundary.sides[0][0].edge == ir::Edge::periodic)
      return "`strips=whole` does not support a periodic first axis";
  return "";
}

namespace {

bool ghosts_depend_on_time(const ir::Stencil& stencil) {
  for (const ir::Field& field : stencil.fields)
    for (const auto& sides : field.boundary.sides)
      for (const ir::Side& side : sides)
        if (side.value && side.value->counts) return true;
  return false;
}

}  // namespace

std::string problem_of_steps(const ir::Stencil& stencil) {
  if (!stencil.steps()) return "the stencil has no time steps";
  if (stencil.colors.count() != 0) return "a step updates its colours one after the other";
  for (const ir::Field& field : stencil.fields)
    if (field.temporary && !field.setup)
      return "the value `" + field.name + "` is kept in memory, by a launch in each step";
  for (const ir::Field& field : stencil.fields)
    if (field.setup && field.boundary.has(ir::Edge::expr))
      return "the value `" + field.name +
             "` that is set up has ghost cells of its own, which are no other cells of it";
  if (std::ranges::any_of(stencil.updates, &ir::Update::apart))
    return "the launches of a step are split";
  if (ghosts_depend_on_time(stencil)) return "a boundary value depends on the step number";
  return "";
}

namespace {

// Whether an update reads t+1 of neighbouring cells that the launch computes.
bool reads_next_beside(const Stepping& stepping, const Launch& launch) {
  std::vector<bool> stores(stepping.stencil.fields.size());
  for (const Stored& stored : launch.stores)
    stores[stepping.stencil.updates[stored.update].field] = true;
  for (const std::vector<int>& fields : stepping.next_beside)
    for (const int field : fields)
      if (stores[field]) return true;
  return false;
}

std::string problem_of(Survey& survey, const Schedule& schedule) {
  const Stepping& stepping = survey.stepping();
  const ir::Stencil& stencil = stepping.stencil;
  if (!stepping.problem.empty()) return stepping.problem;
  if (std::string problem = problem_of_whole_rows(stencil, schedule); !problem.empty())
    return problem;
  if (has_points(stencil)) return "only resident tiles support sources and receivers";
  const Launch* launch = only_launch(survey, schedule);
  if (!launch) return "a step needs several launches";
  if (reads_next_beside(stepping, *launch)) return "a step reads `t+1` in neighbouring cells";
  return stepping.of_streams;
}

}  // namespace

bool has_points(const ir::Stencil& stencil) {
  return !stencil.injections.empty() || !stencil.samples.empty();
}

bool has_before(const ir::Field& field) {
  return field.role == ir::Role::stepped && field.levels() == 2;
}

namespace {

// Whether ghost cells beyond the side take their values from cells of the row, column or stream.
bool has_source(const ir::Side& side) {
  const ir::EdgeKind& kind = ir::kind_of(side);
  return kind.source == ir::EdgeKind::last || kind.mirrors();
}

}  // namespace

bool ghosts_are_copies(const ir::Boundary& boundary, int axis) {
  const auto& sides = boundary.sides[axis];
  return has_source(sides[0]) || has_source(sides[1]);
}

int mapped_rows(const ir::Side& side, int reach) {
  if (reach == 0 || !has_source(side)) return 0;
  return ir::kind_of(side).inward(reach) + 1;
}

namespace {

// Whether ghost cells at corners are right. At a corner with a constant side the value is that
// constant. Values that are computed along one axis and then along an earlier one agree with this
// only if the latter just copies cells.
bool corners_agree(const ir::Boundary& boundary, int first, int then) {
  const auto any = [&](int axis, bool (*is)(const ir::EdgeKind&)) {
    return std::ranges::any_of(boundary.sides[axis],
                               [&](const ir::Side& side) { return is(ir::kind_of(side)); });
  };
  return !any(first, [](const ir::EdgeKind& kind) { return kind.edge == ir::Edge::constant; }) ||
         !any(then, [](const ir::EdgeKind& kind) { return kind.computes(); });
}

void hold_rows(const Stepping& stepping, int stream_axis, Temporal& temporal) {
  const ir::Stencil& stencil = stepping.stencil;
  PlaneStream* planes = std::get_if<PlaneStream>(&temporal.form);
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    if (!is_stepped(stencil, static_cast<int>(f))) continue;
    const ir::Reach& reach = stepping.reach[f];
    const auto& sides = stencil.fields[f].boundary.sides;
    if ((ir::kind_of(sides[stream_axis][0]).open() && reach.low[stream_axis] > 0) ||
        (ir::kind_of(sides[stream_axis][1]).open() && reach.high[stream_axis] > 0))
      temporal.held = std::max(temporal.held, 1);
    if (planes && ghosts_are_copies(stencil.fields[f].boundary, stream_axis)) {
      planes->held_bytes += ir::bytes(stencil.fields[f].type);
      planes->held_is_before &= has_before(stencil.fields[f]);
    }
    const int first = mapped_rows(sides[stream_axis][0], reach.low[stream_axis]);
    const int last = mapped_rows(sides[stream_axis][1], reach.high[stream_axis]);
    temporal.first_rows = std::max(temporal.first_rows, first);
    temporal.held = std::max({temporal.held, first, last});
    // They have to be there also where a cell reads outside the grid.
    temporal.lag = std::max(temporal.lag, first - 1);
    temporal.planes_before = std::max(temporal.planes_before, last - 1);
  }
}

}  // namespace

// The cells that fill ghost cells at the end of a row have to be in the last vector, or next to it.
std::string problem_of_columns(const ir::Stencil& stencil, const Schedule& schedule,
                               const Temporal& temporal) {
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    if (stencil.fields[f].role == ir::Role::input) continue;
    const ir::Boundary& boundary = stencil.fields[f].boundary;
    for (int first = 1; first < stencil.rank(); ++first)
      for (int then = 0; then < first; ++then)
        if (!corners_agree(boundary, first, then))
          return "at the corners of " + quoted(stencil.fields[f].name) +
                 " a constant boundary would have to override the boundary along " +
                 quoted(stencil.axes[then]);
    const auto cells = [&](int end, int reach) {
      return mapped_rows(boundary.sides[0][end], reach);
    };
    if (cells(0, temporal.left) > schedule.vector)
      return "a step needs more cells for the ghost cells at the start of a row than `vector` has";
    if (cells(1, temporal.right) > temporal.left + 1)
      return "a step needs more cells for the ghost cells at the end of a row than it reads on the "
             "left of a cell";
  }
  return "";
}

bool unassigned_at_boundary(const ir::Stencil& stencil) {
  bool any = false;
  for (const ir::Update& update : stencil.updates) {
    const ir::Domain& domain = update.cases[0].domain;
    if (update.cases.size() > 1 || !domain.limits.empty() || domain.mask) return false;
    any = any || !domain.everywhere();
  }
  return any;
}

namespace {

constexpr int kSharedBytes = 48 * 1024;  // per block, without opting in to more
constexpr int kLanes = 32;

// For a known number of steps. Vectors of fewer bytes are not prefetched.
void keep_inputs(const Stepping& stepping, const Schedule& schedule, Temporal& temporal) {
  constexpr int kLeastBytes = 4;
  const ir::Stencil& stencil = stepping.stencil;
  Temporal with = temporal;
  RowStream& rows = std::get<RowStream>(with.form);
  for (const ir::Read& read : stepping.reads) {
    if (std::count(rows.inputs.begin(), rows.inputs.end(), read.field) != 0) continue;
    const ir::Field& field = stencil.fields[read.field];
    const int bytes = ir::bytes(field.type);
    if (field.role != ir::Role::input || read.offset != ir::Offset{} || read.level != 0 ||
        !ir::has_all_axes(stencil, field) || bytes * schedule.vector < kLeastBytes)
      continue;
    rows.inputs.push_back(read.field);
    rows.input_bytes += bytes;
  }
  if (shared_bytes_of_rows(schedule, with) <= kSharedBytes) temporal = with;
}

}  // namespace

int shared_bytes_of_rows(const Schedule& schedule, const Temporal& temporal) {
  const int ahead = schedule.ahead + 1 + temporal.rows_held_back();
  const int bytes = (ahead + schedule.steps * temporal.held) * temporal.cell_bytes +
                    ahead * (temporal.before_bytes + temporal.input_bytes());
  return schedule.threads[1] * kLanes * schedule.vector * bytes;
}

void lose_ends(const Schedule& schedule, int left, int right, int part, Temporal& temporal) {
  temporal.part = part;
  if (schedule.whole) return;
  const auto up = [](int cells, int of) { return (cells + of - 1) / of; };
  temporal.lost_left = up(schedule.steps * left, part) * part;
  temporal.lost_right = up(schedule.steps * right, part) * part;
  temporal.left_lanes = up(temporal.lost_left, schedule.vector);
  temporal.right_lanes = up(temporal.lost_right, schedule.vector);
}

Temporal temporal(const ir::Stencil& stencil, const Schedule& schedule) {
  Survey survey(stencil);
  return temporal(survey, schedule);
}

Temporal temporal(Survey& survey, const Schedule& schedule) {
  Temporal result;
  if (schedule.steps == 1) return result;
  const Stepping& stepping = survey.stepping();
  const ir::Stencil& stencil = stepping.stencil;
  if (is_resident_tile(schedule)) {
    if (schedule.vector != kCellsOfBits) return temporal_of_resident_tile(stepping, schedule);
    result.why_one =
        "`vector=32` packs cells into bits, which needs warps that stream: add "
        "`coarsen`";
    return result;
  }
  result.why_one = problem_of(survey, schedule);
  if (!result.why_one.empty()) return result;
  const int stream_axis = stencil.rank() - 1;
  const bool blocks = stencil.rank() == 3;
  if (blocks) result.form = PlaneStream();
  RowStream* rows = std::get_if<RowStream>(&result.form);
  PlaneStream* planes = std::get_if<PlaneStream>(&result.form);
  for (const ir::Field& field : stencil.fields)
    if (field.role == ir::Role::stepped) {
      result.cell_bytes += ir::bytes(field.type);
      if (has_before(field)) result.before_bytes += ir::bytes(field.type);
    }
  std::set<int> newest;  // planes in which neighbours in the plane are read
  for (const ir::Read& read : stepping.reads) {
    if (!is_stepped(stencil, read.field)) continue;
    if (blocks) {
      result.below = std::max(result.below, -read.offset[1]);
      result.above = std::max(result.above, read.offset[1]);
      if (read.offset[0] != 0 || read.offset[1] != 0) newest.insert(read.offset[stream_axis]);
    }
    result.left = std::max(result.left, -read.offset[0]);
    result.right = std::max(result.right, read.offset[0]);
    result.planes_before = std::max(result.planes_before, -read.offset[stream_axis]);
    result.lag = std::max(result.lag, read.offset[stream_axis]);
  }
  hold_rows(stepping, stream_axis, result);
  if (schedule.vector == kCellsOfBits) {
    const ir::Bits& bits = survey.bits_stepped();
    result.why_one = bits.why_not;
    if (!result.why_one.empty()) return result;
    rows->bits = true;
    rows->after_a_step = bits.after_a_step;
    result.held = 0;  // ghost cells are one number
  }
  // If the newest plane is the cell's own, t-1 stays in registers until the next plane.
  result.later =
      newest.count(result.lag) != 0 || (blocks && result.lag == 0 && result.before_bytes > 0);
  const PlaneReads& reads = stepping.planes;
  if (planes) planes->before_at_end = reads.before_at_end;
  // 16 bytes are stored at once.
  int widest = 1;
  for (const ir::Field& field : stencil.fields)
    if (field.role == ir::Role::stepped) widest = std::max(widest, ir::bytes(field.type));
  const int at_once = 16 / widest;
  if (rows) rows->ends_with_rows = !rows->bits && schedule.vector > 1;
  const bool parts = rows && !rows->bits && schedule.vector % at_once == 0;
  lose_ends(schedule, result.left, result.right, parts ? at_once : schedule.vector, result);
  if (planes && !goes_round(stencil, 0)) planes->more_cells = result.lost_left + result.lost_right;
  if (planes && !goes_round(stencil, 1))
    planes->more_rows = (schedule.steps - 1) * (result.below + result.above);
  // Rows that are kept also hold the carried cells.
  if (!blocks && schedule.scatter && result.before_bytes == 0 && unassigned_at_boundary(stencil)) {
    result.unassigned_rows = schedule.steps * result.lag;
    // Sums of narrower types have another type.
    const ir::Type type = stencil.fields[0].type;
    result.passes = stencil.fields.size() == 1 && (type == ir::Type::f32 || type == ir::Type::f64);
  }
  const int requested = std::exchange(result.steps, schedule.steps);  // what it would need
  if (rows && !rows->bits) keep_inputs(stepping, schedule, result);
  if (blocks) result.unassigned_rows = unassigned_planes(stencil, reads, schedule, result);
  const int bytes = blocks ? result.shared_bytes(schedule) : shared_bytes_of_rows(schedule, result);
  const int most = blocks ? kMostBytes : kSharedBytes;
  if (std::string problem = problem_of_columns(stencil, schedule, result); !problem.empty())
    result.why_one = problem;
  else if (problem = blocks ? problem_of_planes(stencil, reads, schedule, result) : "";
           !problem.empty())
    result.why_one = problem;
  else if (result.stored_cells(schedule.vector) < 4 * schedule.vector)
    result.why_one = "with " + std::to_string(schedule.steps) +
                     " steps the halo covers a whole tile of 32 vectors";
  else if (bytes > most)
    result.why_one = "the prefetched rows need " + std::to_string(bytes) +
                     " bytes of shared memory, and a block has " + std::to_string(most) +
                     "; use fewer warps per block";
  if (!result.why_one.empty()) result.steps = requested;
  return result;
}

}  // namespace stencilc::plan
