// before   q[t+1] = g[x-1] + g[x+1] + g[y-1] + g[y+1]     g: a `let`, computed four times a cell
// after    while y goes on: g of (x, y + 1), once; g[x-1] and g[x+1] from the lanes beside; g of
//          the rows y - 1 and y are in registers
#include "plan/schedule/streamed_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "plan/schedule/value_placement.h"

namespace stencilc::plan {
namespace {

constexpr int kColumn = 4;    // cells of a thread, in launches that stream no values
constexpr int kMostLost = 8;  // lanes of a warp that update no cell

class Streamer {
 public:
  Streamer(const ir::Stencil& stencil, StagedValues values, int width, Blocks blocks)
      : stencil_(stencil),
        axis_(streamed_axis(stencil)),
        blocks_(blocks),
        needs_(values.values.size()) {
    result_.values = std::move(values);
    result_.width = width;
  }

  StreamedValues run() {
    for (const StagedRead& read : result_.values.reads) need(read, {}, 0, 0, {});
    for (size_t v = needs_.size(); v-- > 0;) add_instances(static_cast<int>(v));
    std::ranges::reverse(result_.instances);
    for (int* lanes : {&result_.left, &result_.right})  // so far in cells
      *lanes = (*lanes + result_.width - 1) / result_.width;
    return std::move(result_);
  }

 private:
  struct Need {
    int low = 0, high = 0;
    int first = 0;  // the first pass, plus the row that it reads
  };

  // A read by a thread that computes something `ahead` along the streamed axis and `beside` along
  // others, from the pass `first` on. `lanes`: to how many cells on either side of those that the
  // warp updates it has to be right.
  void need(const StagedRead& read, const ir::Offset& beside, int ahead, int first,
            const std::array<int, 2>& lanes) {
    const StagedValue& value = result_.values.values[read.value];
    if (!value.is_field() || blocks_ == Blocks::inside) {
      if (value.is_field() || value.expr->varies)
        need(read.value, read.offset, beside, ahead, first, lanes);
      return;
    }
    for (const ir::Offset& cell : every_cell_read(stencil_, {value.field, 1, read.offset}))
      need(read.value, cell, beside, ahead, first, lanes);
  }

  void need(int v, ir::Offset offset, const ir::Offset& beside, int ahead, int first,
            const std::array<int, 2>& lanes) {
    const int row = ahead + (axis_ < 0 ? 0 : std::exchange(offset[axis_], 0));
    for (int a = 1; a < ir::kMaxRank; ++a) offset[a] += beside[a];
    for (int cell = 0; cell < result_.width; ++cell) {
      ir::Offset column = offset;
      column[0] += cell;
      const auto [place, fresh] =
          needs_[v].columns.try_emplace(column, Need{row, row, first + row});
      Need& one = place->second;
      one.low = std::min(one.low, row);
      one.high = std::max(one.high, row);
      one.first = std::min(one.first, first + row);
    }
    std::array<int, 2>& of_value = needs_[v].lanes;
    of_value[0] = std::max(of_value[0], lanes[0] - offset[0]);
    of_value[1] = std::max(of_value[1], lanes[1] + offset[0]);
  }

  // Those of a value whose readers are known.
  void add_instances(int v) {
    std::map<ir::Offset, Need> instances;
    for (const auto& [offset, need] : needs_[v].columns) {
      result_.columns.push_back({v, offset, need.low, need.high});
      ir::Offset beside = offset;
      beside[0] = 0;
      const auto [place, fresh] = instances.try_emplace(beside, need);
      place->second.low = std::min(place->second.low, need.low);
      place->second.high = std::max(place->second.high, need.high);
      place->second.first = std::min(place->second.first, need.first);
    }
    result_.left = std::max(result_.left, needs_[v].lanes[0]);
    result_.right = std::max(result_.right, needs_[v].lanes[1]);
    for (const auto& [beside, need] : instances) {
      const int first = need.first - need.high;
      result_.instances.push_back({v, beside, need.high, first});
      for (int cell = 0; cell < result_.width; ++cell) add_own_column(v, cell, beside, need);
      for (const StagedRead& read : result_.values.values[v].reads)
        this->need(read, beside, need.high, first, needs_[v].lanes);
    }
  }

  // A thread's own column has what lanes beside it read.
  void add_own_column(int v, int cell, ir::Offset beside, const Need& need) {
    beside[0] = cell;
    int low = need.high;
    StreamedValues::Column* known = nullptr;
    for (StreamedValues::Column& column : result_.columns) {
      const ir::Offset own = result_.own(column.offset);
      if (column.value != v || own != beside) continue;
      low = std::min(low, column.high);
      if (column.offset == own) known = &column;
    }
    if (known) {
      known->low = std::min(known->low, low);
      known->high = need.high;
    } else {
      result_.columns.push_back({v, beside, low, need.high});
    }
  }

  struct OfValue {
    std::map<ir::Offset, Need> columns;
    std::array<int, 2> lanes = {};
  };

  const ir::Stencil& stencil_;
  const int axis_;
  const Blocks blocks_;
  StreamedValues result_;
  std::vector<OfValue> needs_;
};

}  // namespace

int StreamedValues::early() const {
  int passes = 0;
  for (const Instance& one : instances) passes = std::max(passes, -one.first);
  return passes;
}

int StreamedValues::warp_lanes() const { return kWarp - left - right; }

int StreamedValues::lane(const ir::Offset& offset) const {
  return (offset[0] - own(offset)[0]) / width;
}

ir::Offset StreamedValues::own(ir::Offset offset) const {
  offset[0] = (offset[0] % width + width) % width;
  return offset;
}

int streamed_axis(const ir::Stencil& stencil) {
  return stencil.rank() > 1 ? stencil.rank() - 1 : -1;
}

StreamedValues streamed_values(const ir::Stencil& stencil, const Launch& launch, bool folds,
                               const std::vector<std::string>& names, int width, Blocks blocks) {
  if (names.empty() || folds || launch.every_step || stencil.colors.count() != 0 ||
      (launch.along_stream ? launch.staged : std::set<int>()) != recomputed_beside(stencil, launch))
    return {};
  const auto of_blocks = [&](Blocks some) {
    StagedValues values =
        staged_values(stencil, launch, names, launch.along_stream && some == Blocks::inside);
    return Streamer(stencil, std::move(values), width, some).run();
  };
  StreamedValues result = of_blocks(blocks);
  if (launch.along_stream) {  // the lanes of all blocks are the same
    const StreamedValues other =
        of_blocks(blocks == Blocks::inside ? Blocks::at_edge : Blocks::inside);
    result.left = std::max(result.left, other.left);
    result.right = std::max(result.right, other.right);
  }
  if (result.values.values.empty()) return {};
  return result.left + result.right > kMostLost ? StreamedValues() : result;
}

namespace {

// By field: along which axes other updates read its t+1 in neighbouring cells.
std::map<int, std::array<bool, ir::kMaxRank>> read_beside(const ir::Stencil& stencil) {
  std::map<int, std::array<bool, ir::kMaxRank>> fields;
  for (const ir::Update& update : stencil.updates)
    for (const ir::ExprPtr& node : ir::nodes_of(roots_of(update))) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read || read->level != 1 || read->field == update.field || read->offset == ir::Offset{})
        continue;
      for (int a = 0; a < ir::kMaxRank; ++a) fields[read->field][a] |= read->offset[a] != 0;
    }
  return fields;
}

int field_of(const ir::Stencil& stencil, const std::string& name) {
  const auto found = std::ranges::find(stencil.fields, name, &ir::Field::name);
  return found == stencil.fields.end() || found->temporary
             ? -1
             : static_cast<int>(found - stencil.fields.begin());
}

// Of a field that is read in neighbouring cells along these axes.
std::string problem_of(const ir::Stencil& stencil, int field,
                       const std::array<bool, ir::kMaxRank>& beside) {
  const ir::Field& one = stencil.fields[field];
  if (stencil.colors.count() != 0) return "each colour changes what it reads";
  if (one.role == ir::Role::in_place) return "it is updated in place";
  for (int a = 0; a < stencil.rank(); ++a)
    if (beside[a] && one.boundary.sides[a][0].edge == ir::Edge::periodic)
      return "it is periodic along " + stencil.axes[a];
  return "";
}

}  // namespace

std::string field_problem(const ir::Stencil& stencil, int field) {
  const auto readers = read_beside(stencil);
  const auto found = readers.find(field);
  return found == readers.end() ? "no other statement reads its `t+1` in neighbouring cells"
                                : problem_of(stencil, field, found->second);
}

std::vector<std::string> streamable_fields(const ir::Stencil& stencil) {
  std::vector<std::string> names;
  for (const auto& [field, axes] : read_beside(stencil))
    if (!stencil.fields[field].temporary && field_problem(stencil, field).empty())
      names.push_back(stencil.fields[field].name);
  return names;
}

std::string streams_problem(const ir::Stencil& stencil, const std::vector<std::string>& names) {
  std::vector<std::string> values;
  for (const std::string& name : names) {
    const int field = field_of(stencil, name);
    if (field < 0) {
      values.push_back(name);
      continue;
    }
    const std::string problem = field_problem(stencil, field);
    if (!problem.empty())
      return "`" + name + "` cannot be in registers along a stream, because " + problem;
  }
  std::string problem = placement_problem(stencil, values, "stream");
  if (problem.starts_with("there is no"))
    for (const std::string& name : streamable_fields(stencil)) problem += ", field `" + name + "`";
  return problem;
}

std::string streaming_problem(const ir::Stencil& stencil, const Launch& launch,
                              const Streaming& streaming) {
  for (const int field : launch.staged) {
    const std::string name = "`" + stencil.fields[field].name + "`";
    if (std::ranges::find(streaming.names, stencil.fields[field].name) == streaming.names.end())
      return "`stream` does not name " + name + ", which others of the launch read as well";
  }
  auto beside = read_beside(stencil);
  for (const int field : launch.staged)
    if (const std::string problem = problem_of(stencil, field, beside[field]); !problem.empty())
      return "of `" + stencil.fields[field].name + "`, " + problem;
  if (streamed_values(stencil, launch, false, streaming.names, streaming.width).empty())
    return "its launch would read so far along x that few lanes of a warp would update cells";
  return "";
}

std::vector<std::string> streamed_names(const ir::Stencil& stencil,
                                        const std::vector<Launch>& launches,
                                        const std::vector<std::string>& names, int width) {
  std::set<std::string> streamed;
  for (const Launch& launch : launches) {
    const StreamedValues values = streamed_values(stencil, launch, false, names, width);
    for (const StreamedValues::Instance& one : values.instances)
      streamed.insert(values.values.values[one.value].name);
  }
  std::vector<std::string> taken = names;
  std::erase_if(taken, [&](const std::string& name) { return !streamed.contains(name); });
  return taken;
}

Schedule schedule_of(const Schedule& schedule, const StreamedValues& values, int axis) {
  Schedule own = schedule;
  if (values.empty()) {
    own.stream_values.clear();
    own.rows = 1;
    own.coarsen = axis == 1 ? std::min(schedule.coarsen, kColumn) : 1;
    if (axis == 1) own.threads = {kWarp, schedule.block_threads() / kWarp, 1};
    return own;
  }
  own.threads[0] = schedule.threads[0] / kWarp * values.warp_lanes();
  own.coarsen_axis = std::max(axis, 0);
  return own;
}

}  // namespace stencilc::plan
