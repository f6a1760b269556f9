// before   q[t+1] = g[x-1] + g[x+1] + g[z-1] + g[z+1]     g: a `let`, computed four times a cell
// after    while z goes on: g of (x, y, z + 1), once, into a queue; g of the plane z and of the
//          cells around the block into shared memory; q of the plane z
#include "plan/schedule/marched_values.h"

#include <algorithm>
#include <set>
#include <utility>

namespace stencilc::plan {
namespace {

constexpr int kAxis = 2;

class Marcher {
 public:
  Marcher(const ir::Stencil& stencil, const Launch& launch, StagedValues values)
      : stencil_(stencil), launch_(launch), needs_(values.values.size()) {
    result_.of.resize(values.values.size());
    result_.values = std::move(values);
  }

  MarchedValues run(bool with_fields) {
    const StagedValues& values = result_.values;
    for (const StagedRead& read : values.reads) need(read, {}, 0, 0, values.levels());
    for (size_t v = values.values.size(); v-- > 0;) finish(v);
    if (with_fields) add_fields();
    int last = -1;  // the last level for whose planes the threads wait
    for (int level = 0; level < values.levels(); ++level)
      if (result_.meets(level)) last = level;
    for (size_t v = 0; v < values.values.size(); ++v) {
      MarchedValue& one = result_.of[v];
      // What is read after the last wait of a pass may not be replaced by the next one, unless that
      // begins by a wait, for what is copied.
      const bool waits = !result_.fields.empty() || needs_[v].read_at <= last;
      one.slots = one.shared ? one.to - one.from + (waits ? 1 : 2) : 0;
    }
    return std::move(result_);
  }

 private:
  void add_fields() {
    const StagedValues& values = result_.values;
    for (const ir::ExprPtr& read : values.others) add_read_of_field(read, {}, 0);
    for (size_t v = 0; v < values.values.size(); ++v)
      for (const ir::ExprPtr& read : values.values[v].others) {
        add_read_of_field(read, {}, result_.of[v].lead);
        for (const ir::Offset& at : needs_[v].cells)
          if (at != ir::Offset{}) add_read_of_field(read, at, result_.of[v].to);
      }
    for (int a = 0; a < ir::kMaxRank; ++a) result_.wraps[a] = wraps(a);
  }

  bool wraps(int axis) const {
    for (const Stored& stored : launch_.stores)
      for (const ir::Case& one : stencil_.updates[stored.update].cases)
        if (stencil_.updates[stored.update].cases.size() > 1 || !one.domain.limits.empty() ||
            one.domain.low[axis] != 0 || one.domain.high[axis] != 0)
          return false;
    if (!launch_.combines.empty()) return false;
    const auto may_read = [&](const ir::ExprPtr& expr, bool of_value) {
      const auto& read = *ir::as<ir::Read>(expr);
      const ir::Field& field = stencil_.fields[read.field];
      if (!field.along[axis] || (!of_value && read.offset[axis] == 0)) return true;
      const bool stored = read.level == 1 && launch_.stores_field(stencil_, read.field);
      const bool alone = !ir::has_all_axes(stencil_, field) && read.offset[axis] != 0;
      return !stored && !alone && field.boundary.sides[axis][0].edge == ir::Edge::periodic;
    };
    for (const ir::ExprPtr& read : result_.values.others)
      if (!may_read(read, false)) return false;
    for (const StagedValue& value : result_.values.values) {
      for (const ir::ExprPtr& read : value.others)
        if (!may_read(read, true)) return false;
      for (const ir::ExprPtr& node : ir::nodes_of({value.expr}))
        if (const auto* at = ir::as<ir::Coordinate>(node); at && at->axis == axis) return false;
    }
    return true;
  }

  // By what is computed `beside` the own column, or (0) in it.
  void add_read_of_field(const ir::ExprPtr& expr, const ir::Offset& beside, int ahead) {
    const auto& read = *ir::as<ir::Read>(expr);
    if (!ir::has_all_axes(stencil_, stencil_.fields[read.field]) ||
        (read.level == 1 && launch_.stores_field(stencil_, read.field)))
      return;
    ir::Offset at = read.offset;
    const int plane = ahead + std::exchange(at[kAxis], 0);
    if (at == ir::Offset{} && beside == ir::Offset{}) return;
    auto found = std::ranges::find_if(result_.fields, [&](const MarchedField& one) {
      return one.field == read.field && one.level == read.level;
    });
    if (found == result_.fields.end())
      found = result_.fields.insert(found, {read.field, read.level, plane, plane, {}});
    found->from = std::min(found->from, plane);
    found->to = std::max(found->to, plane);
    for (int a = 0; a < kAxis; ++a) {
      found->around.low[a] = std::max(found->around.low[a], -at[a] - beside[a]);
      found->around.high[a] = std::max(found->around.high[a], at[a] + beside[a]);
    }
  }

  struct Span {
    bool any = false;
    int low = 0, high = 0;
    int first = 0;  // the first plane of all that is needed
    void add(int plane, int pass) {
      low = any ? std::min(low, plane) : plane;
      high = any ? std::max(high, plane) : plane;
      first = any ? std::min(first, pass + plane) : pass + plane;
      any = true;
    }
  };
  struct Need {
    Span own, beside;
    std::set<ir::Offset> cells;  // beside the own column
    int read_at = 0;             // the highest level that reads it
  };

  // A read by what is computed `ahead` planes of the pass and `beside` the thread's column, from
  // the pass `first` on.
  void need(const StagedRead& read, const ir::Offset& beside, int ahead, int first, int level) {
    Need& one = needs_[read.value];
    ir::Offset at = read.offset;
    const int plane = ahead + std::exchange(at[kAxis], 0);
    for (int a = 0; a < kAxis; ++a) at[a] += beside[a];
    const bool in_column = at == ir::Offset{} && beside == ir::Offset{};
    (in_column ? one.own : one.beside).add(plane, first);
    if (in_column) return;
    one.read_at = std::max(one.read_at, level);
    one.cells.insert(at);
  }

  // One whose readers are known.
  void finish(size_t v) {
    const Need& need = needs_[v];
    MarchedValue& one = result_.of[v];
    const auto& [own, beside] = std::pair(need.own, need.beside);
    one.shared = beside.any;
    one.from = beside.low;
    one.to = beside.high;
    Span column = own;
    if (beside.any) {
      column.add(beside.high, 0);
      column.first = own.any ? std::min(own.first, beside.first) : beside.first;
      one.first_plane = beside.first - beside.high;
    }
    one.low = column.low;
    one.lead = column.high;
    one.first = column.first - one.lead;
    for (const ir::Offset& at : need.cells) {
      for (int a = 0; a < kAxis; ++a) {
        one.around.low[a] = std::max(one.around.low[a], -at[a]);
        one.around.high[a] = std::max(one.around.high[a], at[a]);
      }
      if (at[0] != 0 && at[1] != 0) one.cross = false;
    }
    const StagedValue& value = result_.values.values[v];
    for (const StagedRead& read : value.reads) {
      this->need(read, {}, one.lead, one.first, value.level);
      for (const ir::Offset& at : need.cells)
        if (at != ir::Offset{}) this->need(read, at, one.to, one.first_plane, value.level);
    }
  }

  const ir::Stencil& stencil_;
  const Launch& launch_;
  MarchedValues result_;
  std::vector<Need> needs_;
};

}  // namespace

int MarchedValues::early() const {
  int passes = 0;
  for (const MarchedValue& one : of) passes = std::max({passes, -one.first, -one.first_plane});
  return passes;
}

bool MarchedValues::meets(int level) const {
  for (size_t v = 0; v < of.size(); ++v)
    if (values.values[v].level == level && of[v].shared) return true;
  return false;
}

int MarchedValues::bytes(const ir::Stencil& stencil, const std::array<int, 3>& tile) const {
  int bytes = 0;
  const auto add = [&](int planes, const ir::Reach& around, ir::Type type) {
    constexpr int kAligned = 16;
    int cells = planes;
    for (int a = 0; a < kAxis; ++a) cells *= tile[a] + around.low[a] + around.high[a];
    bytes += (cells * ir::bytes(type) + kAligned - 1) / kAligned * kAligned;
  };
  for (size_t v = 0; v < of.size(); ++v)
    add(of[v].slots, of[v].around, values.values[v].expr->type);
  for (const MarchedField& one : fields)
    add(one.slots(), one.around, stencil.fields[one.field].type);
  return bytes;
}

bool marches(const ir::Stencil& stencil, const Schedule& schedule) {
  return stencil.rank() == 3 && !schedule.tile_values.empty() && schedule.coarsen > 1 &&
         schedule.coarsen_axis == kAxis && schedule.threads[kAxis] == 1;
}

MarchedValues marched_values(const ir::Stencil& stencil, const Launch& launch,
                             const Schedule& schedule) {
  if (!marches(stencil, schedule) || stencil.colors.count() != 0 || !launch.staged.empty() ||
      !recomputed_beside(stencil, launch).empty())
    return {};
  StagedValues values = staged_values(stencil, launch, schedule.tile_values);
  if (values.values.empty()) return {};
  return Marcher(stencil, launch, std::move(values)).run(schedule.shared == Shared::async);
}

}  // namespace stencilc::plan
