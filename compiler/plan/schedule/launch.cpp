#include "plan/schedule/launch.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

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

// The fields of the launch whose t+1 is also computed at other cells, because it is read there,
// directly or through another field.
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

std::vector<ExprPtr> roots_of(const ir::Update& update) {
  std::vector<ExprPtr> roots;
  for (const ir::Case& one : update.cases) {
    roots.push_back(one.value);
    roots.push_back(one.domain.mask);
  }
  return roots;
}

Made made_by(const ir::Stencil& stencil, const Launch& launch) {
  Made made{std::vector<ExprPtr>(stencil.fields.size()), {}};
  ir::MovedValues moved;
  for (const Stored& stored : launch.stores) {
    const ir::Update& update = stencil.updates[stored.update];
    Whole one = whole(
        stencil, update, [&](int f) { return made.next[f]; }, moved);
    if (one.value) {
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

ir::Reach margin_of(const ir::Stencil& stencil, const Launch& launch) {
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
