// before   q[t+1] = g[x-1] + g[x+1] + g[y-1] + g[y+1]     g: a `let`, computed four times a cell
// after    while y goes on: g of (x, y + 1), once; g[x-1] and g[x+1] from the lanes beside; g of
//          the rows y - 1 and y are in registers
#include "plan/schedule/streamed_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace stencilc::plan {
namespace {

constexpr int kColumn = 4;    // cells of a thread, in launches that stream no values
constexpr int kMostLost = 8;  // lanes of a warp that update no cell

class Streamer {
 public:
  Streamer(StagedValues values, int axis, int width) : axis_(axis), needs_(values.values.size()) {
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
    if (!result_.values.values[read.value].expr->varies) return;
    ir::Offset offset = read.offset;
    const int row = ahead + (axis_ < 0 ? 0 : std::exchange(offset[axis_], 0));
    for (int a = 1; a < ir::kMaxRank; ++a) offset[a] += beside[a];
    for (int cell = 0; cell < result_.width; ++cell) {
      ir::Offset column = offset;
      column[0] += cell;
      const auto [place, fresh] =
          needs_[read.value].columns.try_emplace(column, Need{row, row, first + row});
      Need& one = place->second;
      one.low = std::min(one.low, row);
      one.high = std::max(one.high, row);
      one.first = std::min(one.first, first + row);
    }
    std::array<int, 2>& of_value = needs_[read.value].lanes;
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

  const int axis_;
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
                               const std::vector<std::string>& names, int width) {
  if (names.empty() || folds || launch.every_step || !launch.staged.empty() ||
      stencil.colors.count() != 0 || !recomputed_beside(stencil, launch).empty())
    return {};
  StagedValues values = staged_values(stencil, launch, names);
  if (values.values.empty()) return {};
  StreamedValues result = Streamer(std::move(values), streamed_axis(stencil), width).run();
  return result.left + result.right > kMostLost ? StreamedValues() : result;
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
