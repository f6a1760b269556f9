#include "plan/schedule/launch.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ir/boundary.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

// The most that an update may cost if its launch recomputes values. Above this, caches and
// arithmetic cost what the memory saves: on an H200 (bench/notes/one-step.md) 8 points with 2
// values and 13 with 4 gain 1.4 times, and 49 with 6 gain nothing.
constexpr int kMaxPoints = 20;
constexpr int kMaxRecomputed = 4;

// Longer code is unreadable, and compilers take minutes for it.
constexpr int64_t kMostNodes = 5000;

// A value that is used more than once is one named value.
ExprPtr as_next(const ir::Stencil& stencil, int field, const ExprPtr& value) {
  return ir::make(value->type,
                  ir::Named{stencil.fields[field].name + "_next", -1 - field, {}, value});
}

// The fields whose t+1 the launch computes.
std::vector<bool> stored_by(const ir::Stencil& stencil, const Launch& launch) {
  std::vector<bool> stored(stencil.fields.size());
  for (const Stored& one : launch.stores) stored[stencil.updates[one.update].field] = true;
  return stored;
}

// Whether the statements leave out cells, which keep level t, or start from level t where several
// apply.
bool starts_from_t(const ir::Update& update) {
  return update.cases.size() != 1 || !update.cases[0].domain.everywhere();
}

// Widens the margin until the domain is decided, also for cells at a distance of `beside`.
void widen(ir::Reach& margin, const ir::Domain& domain, const ir::Reach& beside) {
  const auto at_least = [](int& side, int depth, int more) {
    if (depth > 0) side = std::max(side, depth + more);
  };
  for (int a = 0; a < ir::kMaxRank; ++a) {
    at_least(margin.low[a], domain.low[a], beside.low[a]);
    at_least(margin.high[a], domain.high[a], beside.high[a]);
  }
  for (const ir::Limit& limit : domain.limits) {
    const int a = limit.axis;
    if (limit.from_end)
      at_least(margin.high[a], -limit.offset, beside.high[a]);
    else
      at_least(margin.low[a], limit.offset, beside.low[a]);
  }
}

// How far reads go across sides with a boundary. `ghost` sides do not count, because there is
// memory.
ir::Reach reach_of_sides(const ir::Stencil& stencil, const std::vector<ExprPtr>& roots) {
  ir::Reach result;
  for (const ExprPtr& node : ir::nodes_of(roots)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read) continue;
    const auto& sides = stencil.fields[read->field].boundary.sides;
    for (int a = 0; a < ir::kMaxRank; ++a) {
      const int offset = read->offset[a];
      if (sides[a][offset < 0 ? 0 : 1].edge == ir::Edge::ghost) continue;
      result.low[a] = std::max(result.low[a], -offset);
      result.high[a] = std::max(result.high[a], offset);
    }
  }
  return result;
}

// By field: whether the new values can go into the buffer of the oldest level. They cannot if the
// launch that computes them, or a later one, reads that level at other cells.
std::vector<bool> overwritten(const ir::Stencil& stencil, const std::vector<Launch>& launches) {
  std::vector<bool> result(stencil.fields.size(), true), before(stencil.fields.size());
  const auto read = [&](const std::vector<ExprPtr>& roots, const auto& is_late) {
    for (const ExprPtr& node : ir::nodes_of(roots))
      if (const auto* one = ir::as<ir::Read>(node);
          one && one->level == -stencil.fields[one->field].oldest_level && is_late(*one))
        result[one->field] = false;
  };
  for (const Launch& launch : launches) {
    const std::vector<bool> now = stored_by(stencil, launch);
    const std::set<int> recomputed = recomputed_beside(stencil, launch);
    for (const Stored& one : launch.stores) {
      const ir::Update& update = stencil.updates[one.update];
      const bool elsewhere = recomputed.count(update.field);  // other cells compute it, too
      if (elsewhere && stencil.fields[update.field].oldest_level == 0 && starts_from_t(update))
        result[update.field] = false;
      read(roots_of(update), [&](const ir::Read& at) {
        return before[at.field] || (now[at.field] && (elsewhere || at.offset != ir::Offset{}));
      });
    }
    for (const Combined& one : launch.combines)
      read({one.value, one.mask}, [&](const ir::Read& at) {
        return before[at.field] || (now[at.field] && at.offset != ir::Offset{});
      });
    for (size_t f = 0; f < now.size(); ++f)
      if (now[f]) before[f] = true;
    if (launch.ghosts.empty()) continue;
    // Ghost cells are computed when the launch has ended, from cells anywhere.
    read(ghost_values(stencil, launch), [&](const ir::Read& at) { return before[at.field]; });
  }
  std::vector<ExprPtr> last;
  for (const ir::Injection& one : stencil.injections) last.push_back(one.value);
  for (const ir::Sample& one : stencil.samples)
    if (one.after) last.push_back(one.value);
  read(last, [](const ir::Read&) { return true; });
  return result;
}

}  // namespace

bool Launch::stores_field(const ir::Stencil& stencil, int field) const {
  return std::any_of(stores.begin(), stores.end(), [&](const Stored& stored) {
    return stencil.updates[stored.update].field == field;
  });
}

bool Launch::stores_field(const ir::Stencil& stencil, const std::string& name) const {
  return std::any_of(stores.begin(), stores.end(), [&](const Stored& stored) {
    return stencil.fields[stencil.updates[stored.update].field].name == name;
  });
}

std::vector<ExprPtr> roots_of(const ir::Update& update) {
  std::vector<ExprPtr> roots;
  for (const ir::Case& one : update.cases) {
    roots.push_back(one.value);
    roots.push_back(one.domain.mask);
  }
  return roots;
}

std::set<int> recomputed_beside(const ir::Stencil& stencil, const Launch& launch) {
  std::set<int> result;
  if (launch.stores.size() < 2)
    return result;  // one update reads no t+1 of its own beside the cell
  const std::vector<bool> makes = stored_by(stencil, launch);
  for (auto stored = launch.stores.rbegin(); stored != launch.stores.rend(); ++stored) {
    const ir::Update& update = stencil.updates[stored->update];
    for (const ExprPtr& node : ir::nodes_of(roots_of(update))) {
      const auto* read = ir::as<ir::Read>(node);
      if (read && read->level == 1 && read->field != update.field && makes[read->field] &&
          (read->offset != ir::Offset{} || result.count(update.field)))
        result.insert(read->field);
    }
  }
  return result;
}

void add_read(ir::Reach& reach, const ir::Reach& readers, const ir::Offset& offset) {
  for (int a = 0; a < ir::kMaxRank; ++a) {
    reach.low[a] = std::max(reach.low[a], readers.low[a] - offset[a]);
    reach.high[a] = std::max(reach.high[a], readers.high[a] + offset[a]);
  }
}

std::vector<ir::Offset> cells_read(const ir::Stencil& stencil, const ir::Read& read) {
  std::vector<ir::Offset> cells = {read.offset};
  const ir::Boundary& boundary = stencil.fields[read.field].boundary;
  for (int a = 0; a < stencil.rank(); ++a) {
    const int offset = read.offset[a];
    if (offset == 0) continue;
    const bool mirrors = std::ranges::any_of(
        boundary.sides[a], [](const ir::Side& side) { return ir::kind_of(side).mirrors(); });
    // A ghost cell further out than the offset stands for a cell further inside.
    const size_t known = cells.size();
    for (size_t n = 0; mirrors && n < known; ++n) {
      cells.push_back(cells[n]);
      cells.back()[a] = -offset;
    }
  }
  return cells;
}

std::map<int, ir::Reach> needed_around(const ir::Stencil& stencil, const Launch& launch) {
  std::map<int, ir::Reach> around;
  for (const int field : launch.staged) around[field] = {};
  for (auto stored = launch.stores.rbegin(); stored != launch.stores.rend(); ++stored) {
    const ir::Update& update = stencil.updates[stored->update];
    const ir::Reach readers =
        launch.staged.contains(update.field) ? around[update.field] : ir::Reach();
    for (const ExprPtr& node : ir::nodes_of(roots_of(update))) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read || read->level != 1 || read->field == update.field ||
          !launch.staged.contains(read->field))
        continue;
      for (const ir::Offset& at : cells_read(stencil, *read))
        add_read(around[read->field], readers, at);
    }
  }
  return around;
}

std::array<bool, ir::kMaxRank> periodic_axes(const ir::Stencil& stencil, const Launch& launch) {
  std::array<bool, ir::kMaxRank> axes = {};
  for (const int field : launch.staged)
    for (int a = 0; a < stencil.rank(); ++a)
      axes[a] |= stencil.fields[field].boundary.sides[a][0].edge == ir::Edge::periodic;
  return axes;
}

Made made_by(const ir::Stencil& stencil, const Launch& launch) {
  Made made{std::vector<ExprPtr>(stencil.fields.size()), {}};
  ir::MovedValues moved;
  for (const Stored& stored : launch.stores) {
    const ir::Update& update = stencil.updates[stored.update];
    Whole one = whole(
        stencil, update, [&](int f) { return made.next[f]; }, moved);
    if (one.value && !launch.staged.contains(update.field)) {
      made.next[update.field] = as_next(stencil, update.field, one.value);
      moved[{-1 - update.field, ir::Offset{}}] = made.next[update.field];
    }
    made.wholes.push_back(std::move(one));
  }
  return made;
}

std::set<int> read_beside(const ir::Stencil& stencil, const ir::Update& update,
                          const Launch& launch) {
  std::set<int> fields;
  if (launch.stores.empty()) return fields;
  for (const ExprPtr& node : ir::nodes_of(roots_of(update))) {
    const auto* read = ir::as<ir::Read>(node);
    if (read && read->level == 1 && read->field != update.field && read->offset != ir::Offset{} &&
        launch.stores_field(stencil, read->field))
      fields.insert(read->field);
  }
  return fields;
}

bool Cost::is_long() const { return nodes > kMostNodes; }

bool Cost::is_low() const {
  return points <= kMaxPoints && recomputed <= kMaxRecomputed && !divides_again;
}

bool is_long(const ExprPtr& expr) {
  const auto* apply = ir::as<ir::Apply>(expr);
  if (!apply || !ir::is_float(expr->type)) return false;
  return expr->reads && (apply->op == ir::Op::div || apply->op == ir::Op::sqrt ||
                         ir::is_transcendental(apply->op));
}

namespace {

// What one update reads, as written in the program.
struct Own {
  std::set<std::tuple<int, int, ir::Offset>> points;  // field, level and offset
  std::set<std::pair<int, ir::Offset>> next;          // t+1 that the launch computes
  bool slow = false;
  int64_t nodes = 0;
};

Own own_of(const ir::Stencil& stencil, const Launch& launch, const ir::Update& update) {
  Own own;
  ir::MovedValues none;
  const Whole all = whole(
      stencil, update, [](int) { return nullptr; }, none);
  for (const ExprPtr& node : ir::nodes_of({all.value})) {
    ++own.nodes;
    own.slow |= is_long(node);
    const auto* read = ir::as<ir::Read>(node);
    if (!read) continue;
    if (read->level == 1 && read->field != update.field &&
        launch.stores_field(stencil, read->field))
      own.next.emplace(read->field, read->offset);
    else
      own.points.emplace(read->field, read->level, read->offset);
  }
  return own;
}

ir::Offset sum(const ir::Offset& a, const ir::Offset& b) {
  ir::Offset result;
  for (int i = 0; i < ir::kMaxRank; ++i) result[i] = a[i] + b[i];
  return result;
}

}  // namespace

Cost cost_of_last(const ir::Stencil& stencil, const Launch& launch) {
  std::map<int, Own> own;  // by field
  for (const Stored& stored : launch.stores) {
    const ir::Update& update = stencil.updates[stored.update];
    Own& one = own[update.field] = own_of(stencil, launch, update);
    for (const auto& [field, offset] : one.next)
      if (const auto made = own.find(field); made != own.end()) one.slow |= made->second.slow;
  }
  Cost cost;
  std::set<std::tuple<int, int, ir::Offset>> points;
  std::set<std::pair<int, ir::Offset>> met;
  std::vector<std::pair<int, ir::Offset>> open = {
      {stencil.updates[launch.stores.back().update].field, ir::Offset{}}};
  while (!open.empty() && !cost.is_long()) {
    const auto [field, at] = open.back();
    open.pop_back();
    if (!met.insert({field, at}).second) continue;
    const Own& one = own[field];
    cost.nodes += one.nodes;
    if (at != ir::Offset{}) {
      ++cost.recomputed;
      cost.divides_again |= one.slow;
    }
    for (const auto& [read, level, offset] : one.points)
      points.emplace(read, level, sum(at, offset));
    for (const auto& [next, offset] : one.next) open.push_back({next, sum(at, offset)});
  }
  cost.points = static_cast<int>(points.size());
  return cost;
}

namespace {

// The same of a launch with staged fields, whose cells around a block are cells of the block to it.
ir::Reach margin_of_staged(const ir::Stencil& stencil, const Launch& launch) {
  const std::map<int, ir::Reach> around = needed_around(stencil, launch);
  ir::Reach result;
  for (const Stored& stored : launch.stores) {
    const ir::Update& update = stencil.updates[stored.update];
    const auto staged = around.find(update.field);
    const ir::Reach beside = staged == around.end() ? ir::Reach() : staged->second;
    const ir::Reach own = margin_of_update(stencil, launch, stored);
    for (int a = 0; a < ir::kMaxRank; ++a) {
      // Cells around the block lie inside the grid, whatever they read.
      result.low[a] = std::max(result.low[a], beside.low[a] + own.low[a]);
      result.high[a] = std::max(result.high[a], beside.high[a] + own.high[a]);
    }
  }
  std::vector<ExprPtr> roots;
  for (const Combined& one : launch.combines)
    for (const ExprPtr& root : {one.value, one.mask}) roots.push_back(root);
  const ir::Reach reads = reach_of_sides(stencil, roots);
  for (int a = 0; a < ir::kMaxRank; ++a) {
    result.low[a] = std::max(result.low[a], reads.low[a]);
    result.high[a] = std::max(result.high[a], reads.high[a]);
  }
  for (const Combined& one : launch.combines)
    widen(result, stencil.reductions[one.reduction].domain, {});
  return result;
}

}  // namespace

ir::Reach margin_of_update(const ir::Stencil& stencil, const Launch& launch, const Stored& stored) {
  const std::vector<ExprPtr> roots = {stored.value, stored.when};
  ir::Reach result = reach_of_sides(stencil, roots);
  for (const ExprPtr& node : ir::nodes_of(roots)) {
    const auto* read = ir::as<ir::Read>(node);
    // Of a halo that the caller fills a block holds nothing.
    if (read && read->level == 1 && launch.staged.contains(read->field))
      add_read(result, {}, read->offset);
    // A t+1 of the launch that is not staged, and is read at the cell.
    const auto* made = ir::as<ir::Named>(node);
    if (made && made->let < 0)
      for (const ir::Case& one : stencil.updates[stencil.update_of(-1 - made->let)].cases)
        widen(result, one.domain, {});
  }
  for (const ir::Case& one : stencil.updates[stored.update].cases) widen(result, one.domain, {});
  return result;
}

ir::Reach margin_of(const ir::Stencil& stencil, const Launch& launch) {
  if (!launch.staged.empty()) return margin_of_staged(stencil, launch);
  std::vector<ExprPtr> roots;
  for (const Stored& stored : launch.stores) {
    roots.push_back(stored.value);
    roots.push_back(stored.when);
  }
  for (const Combined& one : launch.combines) {
    roots.push_back(one.value);
    roots.push_back(one.mask);
  }
  const std::set<int> recomputed = recomputed_beside(stencil, launch);
  const ir::Reach reads = recomputed.empty() ? ir::Reach() : ir::reach(roots);
  // Recomputed values have no halo in memory.
  ir::Reach result = recomputed.empty() ? reach_of_sides(stencil, roots) : reads;
  // A cell whose t+1 is recomputed has to be inside the grid, whatever its value reads.
  for (const ExprPtr& node : ir::nodes_of(roots))
    if (const auto* made = ir::as<ir::Named>(node); made && made->let < 0)
      for (int a = 0; a < stencil.rank(); ++a) {
        result.low[a] = std::max(result.low[a], -made->offset[a]);
        result.high[a] = std::max(result.high[a], made->offset[a]);
      }
  // The domain of a value that is recomputed at neighbours has to be decided there as well, though
  // it may read no field.
  const ir::Reach around = result;
  for (const Stored& stored : launch.stores) {
    const ir::Update& update = stencil.updates[stored.update];
    const ir::Reach beside = recomputed.count(update.field) ? around : ir::Reach();
    for (const ir::Case& one : update.cases) widen(result, one.domain, beside);
  }
  for (const Combined& one : launch.combines)
    widen(result, stencil.reductions[one.reduction].domain, {});
  return result;
}

std::vector<int> buffers_of(const ir::Stencil& stencil, const std::vector<Launch>& launches) {
  std::vector<int> buffers;
  const std::vector<bool> same = overwritten(stencil, launches);
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    buffers.push_back(field.role != ir::Role::stepped ? 1
                      : same[f]                       ? field.levels()
                                                      : field.levels() + 1);
  }
  return buffers;
}

std::map<ir::Offset, std::vector<int>> ghosts_by_width(const ir::Stencil& stencil,
                                                       const Launch& launch) {
  std::map<ir::Offset, std::vector<int>> result;
  for (const int s : launch.ghosts)
    result[stencil.fields[stencil.updates[launch.stores[s].update].field].ghosts].push_back(s);
  return result;
}

std::vector<ExprPtr> ghost_values(const ir::Stencil& stencil, const Launch& launch) {
  std::map<int, ExprPtr> made;  // by field
  ir::MovedValues moved;
  std::vector<ExprPtr> values;
  for (const Stored& one : launch.stores) {
    const ir::Update& update = stencil.updates[one.update];
    const ir::Field& field = stencil.fields[update.field];
    values.push_back(nullptr);
    if (!field.temporary) continue;
    values.back() = expand(
        update.cases[0].value,
        [&](int other) {
          const auto found = made.find(other);
          return found == made.end() ? nullptr : found->second;
        },
        moved);
    made[update.field] =
        ir::make(field.type, ir::Named{field.name + "_next", -1 - update.field, {}, values.back()});
  }
  return values;
}

}  // namespace stencilc::plan
