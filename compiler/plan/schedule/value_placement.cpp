// before   let g = a*u[x+1] - a*u[x-1];  v[t+1] = g[x+1] - g[x-1]
// after    g = a*u[x+1] - a*u[x-1]       a temporary, with the ghost cells x = -1 and x = nx
//          v[t+1] = g[x+1, t+1] - g[x-1, t+1]
#include "plan/schedule/value_placement.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ir/node_map.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

// What keeps a value of these fields from being computed before all of its readers.
std::string problem_of(const ir::Stencil& stencil, const Value& value,
                       const std::set<int>& assigned) {
  if (stencil.colors.count() != 0) return "each colour changes what it reads";
  if (value.expr->type == ir::Type::boolean) return "it is a condition";
  for (const ExprPtr& node : ir::nodes_of({value.expr})) {
    const auto* read = ir::as<ir::Read>(node);
    if (read && read->level == 1 && assigned.count(read->field))
      return "it reads `" + stencil.fields[read->field].name + "[t+1]`, which its readers assign";
  }
  return "";
}

// Replaces global values by reads of their temporaries.
class Replacer {
 public:
  explicit Replacer(const std::map<int, int>& field_of) : field_of_(field_of) {}

  ExprPtr replaced(const ExprPtr& expr) {
    if (!expr) return nullptr;
    if (const ExprPtr* known = done_.find(expr.get())) return *known;
    const ExprPtr result = one(expr);
    return done_[expr.get()] = result;
  }
  // The value itself, in which others are replaced.
  ExprPtr inside(const ExprPtr& expr) {
    return ir::with_operands(expr, [&](const ExprPtr& operand) { return replaced(operand); });
  }

 private:
  ExprPtr one(const ExprPtr& expr) {
    if (const auto* named = ir::as<ir::Named>(expr))
      if (const auto found = field_of_.find(named->let); found != field_of_.end())
        return ir::make(expr->type, ir::Read{found->second, 1, named->offset});
    return inside(expr);
  }

  const std::map<int, int>& field_of_;  // by let
  ir::NodeMap<ExprPtr> done_;
};

// The fields whose t+1 an update of a temporary reads.
std::set<int> next_read_by(const ir::Update& update) {
  std::set<int> fields;
  for (const ExprPtr& node : ir::nodes_of({update.cases[0].value}))
    if (const auto* read = ir::as<ir::Read>(node); read && read->level == 1)
      fields.insert(read->field);
  return fields;
}

// The updates with those of temporaries as early as possible: after all whose results they read.
std::vector<ir::Update> in_order(std::vector<ir::Update> updates,
                                 std::vector<ir::Update> temporaries) {
  std::set<int> pending;  // fields that are not assigned yet
  for (const ir::Update& one : updates) pending.insert(one.field);
  for (const ir::Update& one : temporaries) pending.insert(one.field);
  struct Waiting {
    ir::Update update;
    std::set<int> read;
  };
  std::vector<Waiting> waiting;
  for (ir::Update& one : temporaries) {
    std::set<int> read = next_read_by(one);
    waiting.push_back({std::move(one), std::move(read)});
  }
  std::vector<ir::Update> result;
  const auto add = [&](ir::Update update) {
    pending.erase(update.field);
    result.push_back(std::move(update));
  };
  const auto is_ready = [&](const Waiting& one) {
    return std::ranges::none_of(one.read, [&](int field) { return pending.contains(field); });
  };
  const auto add_ready = [&] {
    for (auto next = waiting.begin(); next != waiting.end();)
      if (is_ready(*next)) {
        add(std::move(next->update));
        waiting.erase(next);
        next = waiting.begin();
      } else {
        ++next;
      }
  };
  add_ready();
  for (ir::Update& update : updates) {
    add(std::move(update));
    add_ready();
  }
  return result;
}

// The side of a value beyond one end of an axis, where its cells there are other cells of it: all
// that it reads is at its own place along the axis, and is extended in the same way. Around a
// periodic axis it may be anywhere.
std::optional<ir::Edge> same_as_read(const ir::Stencil& stencil, const ExprPtr& expr, int axis,
                                     int end) {
  std::optional<ir::Edge> edge;
  for (const ExprPtr& node : ir::nodes_of({expr})) {
    if (const auto* at = ir::as<ir::Coordinate>(node); at && at->axis == axis) return {};
    const auto* read = ir::as<ir::Read>(node);
    if (!read || !stencil.fields[read->field].along[axis]) continue;
    const ir::Edge own = stencil.fields[read->field].boundary.sides[axis][end].edge;
    const bool moves = own == ir::Edge::clamp || own == ir::Edge::reflect ||
                       own == ir::Edge::mirror || own == ir::Edge::periodic;
    if (!moves || (read->offset[axis] != 0 && own != ir::Edge::periodic)) return {};
    if (edge && *edge != own) return {};
    edge = own;
  }
  return edge.value_or(ir::Edge::clamp);
}

// The edges of a temporary before and after each axis, where its cells there are other cells of it.
using Moved = std::array<std::optional<std::array<ir::Edge, 2>>, ir::kMaxRank>;

Moved moved_sides(const ir::Stencil& stencil, const ExprPtr& value) {
  Moved moved;
  for (int a = 0; a < stencil.rank(); ++a) {
    const std::optional<ir::Edge> before = same_as_read(stencil, value, a, 0),
                                  after = same_as_read(stencil, value, a, 1);
    if (before && after) moved[a] = {*before, *after};
  }
  return moved;
}

void put_sides(const Moved& moved, int axis, ir::Field& field) {
  for (int end = 0; end < 2; ++end)
    field.boundary.sides[axis][end] = {true, (*moved[axis])[end], nullptr};
}

// Sets the sides of a temporary that is read so far outside of the grid.
void set_sides(int number, const ir::Reach& read, const Moved& moved, int rank, ir::Field& field) {
  field.ghosts = {};
  for (int a = 0; a < rank; ++a) {
    auto& [low, high] = field.boundary.sides[a];
    if (moved[a] && (field.setup || read.low[a] > 0 || read.high[a] > 0)) {
      put_sides(moved, a, field);
      continue;
    }
    field.ghosts[a] = std::max({0, read.low[a], read.high[a]});
    for (int end = 0; end < 2; ++end)
      if ((end == 0 ? read.low : read.high)[a] > 0)
        field.boundary.sides[a][end] = {true, ir::Edge::expr,
                                        ir::make(field.type, ir::GhostRef{number})};
      else
        field.boundary.sides[a][end] = {true, ir::Edge::fixed, nullptr};
    if (low.value && high.value) high.value = low.value;
  }
}

}  // namespace

void set_ghosts(ir::Stencil& stencil) {
  // By field: how far outside of the grid it is read, at either end; below 0: that far inside.
  std::map<int, ir::Reach> outside;
  std::map<int, Moved> moved;  // by field; inner ones first
  for (const std::vector<ir::Update>* updates : {&stencil.setups, &stencil.updates})
    for (const ir::Update& update : *updates) {
      ir::Field& field = stencil.fields[update.field];
      if (!field.temporary && !field.setup) continue;
      const Moved& own = moved[update.field] = moved_sides(stencil, update.cases[0].value);
      for (int a = 0; a < stencil.rank(); ++a)
        if (own[a]) put_sides(own, a, field);
    }
  for (auto update = stencil.updates.rbegin(); update != stencil.updates.rend(); ++update) {
    ir::Field& field = stencil.fields[update->field];
    if (field.temporary)
      set_sides(update->field, outside[update->field], moved[update->field], stencil.rank(), field);
    for (const ir::Case& one : update->cases)
      for (const ExprPtr& node : ir::nodes_of({one.value, one.domain.mask})) {
        const auto* read = ir::as<ir::Read>(node);
        if (!read || !stencil.fields[read->field].temporary || read->field == update->field)
          continue;
        const auto [place, fresh] = outside.try_emplace(read->field);
        for (int a = 0; a < stencil.rank(); ++a) {
          int low = -one.domain.low[a], high = -one.domain.high[a];
          if (field.temporary && outside[update->field].low[a] > 0) low = field.ghosts[a];
          if (field.temporary && outside[update->field].high[a] > 0) high = field.ghosts[a];
          low -= read->offset[a];
          high += read->offset[a];
          ir::Reach& reach = place->second;
          reach.low[a] = fresh ? low : std::max(reach.low[a], low);
          reach.high[a] = fresh ? high : std::max(reach.high[a], high);
        }
      }
  }
  for (const ir::Update& setup : stencil.setups)
    set_sides(setup.field, outside[setup.field], moved[setup.field], stencil.rank(),
              stencil.fields[setup.field]);
}

std::vector<Value> values_in(const ir::Stencil& stencil) {
  std::map<int, size_t> place;
  std::vector<Value> values;
  std::map<int, std::set<int>> readers;  // by let: the fields whose updates read it
  for (const ir::Update& update : stencil.updates) {
    std::vector<ExprPtr> roots;
    for (const ir::Case& one : update.cases) {
      roots.push_back(one.value);
      roots.push_back(one.domain.mask);
    }
    for (const ExprPtr& node : ir::nodes_of(roots)) {
      const auto* named = ir::as<ir::Named>(node);
      if (!named) continue;
      const auto [known, fresh] = place.try_emplace(named->let, values.size());
      if (fresh)
        values.push_back({named->name,
                          named->let,
                          ir::displace(named->value, ir::opposite(named->offset)),
                          {},
                          ""});
      values[known->second].offsets.insert(named->offset);
      readers[named->let].insert(update.field);
    }
  }
  for (Value& value : values) value.problem = problem_of(stencil, value, readers[value.let]);
  return values;
}

std::vector<std::string> placeable(const ir::Stencil& stencil) {
  std::vector<std::string> names;
  std::set<std::string> others;
  const std::vector<Value> values = values_in(stencil);
  for (const Value& value : values)
    if (!value.problem.empty()) others.insert(value.name);
  for (const Value& value : values)
    if (!others.contains(value.name) && std::ranges::find(names, value.name) == names.end())
      names.push_back(value.name);
  return names;
}

std::string placement_problem(const ir::Stencil& stencil, const std::vector<std::string>& names,
                              const std::string& placement) {
  const std::vector<Value> values = values_in(stencil);
  const std::string placed = placement == "tile"     ? "in a tile"
                             : placement == "stream" ? "in registers along a stream"
                                                     : placement;
  for (const std::string& name : names) {
    std::string known;
    bool found = false;
    for (const Value& value : values) {
      if (value.name == name && !value.problem.empty())
        return "`" + name + "` cannot be " + placed + ", because " + value.problem;
      found |= value.name == name;
      if (known.find("`" + value.name + "`") == std::string::npos)
        known += (known.empty() ? "`" : ", `") + value.name + "`";
    }
    if (!found)
      return "there is no value `" + name + "` that could be " + placed + "; " +
             (known.empty()
                  ? "the updates read no `let`, and no argument of a function beside the cell"
                  : "the values are " + known);
  }
  return "";
}

ir::Stencil with_global(const ir::Stencil& stencil, const std::vector<std::string>& names) {
  return names.empty() ? stencil : with_global(stencil, values_in(stencil), names);
}

ir::Stencil with_global(const ir::Stencil& stencil, const std::vector<Value>& values,
                        const std::vector<std::string>& names) {
  if (names.empty()) return stencil;
  ir::Stencil result = stencil;
  const std::vector<ir::Offset> halos = ir::ghost_halos(stencil);
  for (size_t f = 0; f < result.fields.size(); ++f)
    if (result.fields[f].boundary.has(ir::Edge::ghost)) result.fields[f].halo = halos[f];
  std::map<int, int> field_of;  // by let
  std::vector<const Value*> chosen;
  for (const Value& value : values) {
    if (std::find(names.begin(), names.end(), value.name) == names.end()) continue;
    ir::Field field;
    field.name = value.name;
    field.type = field.compute = value.expr->type;
    field.role = ir::Role::output;
    field.temporary = true;
    field_of[value.let] = static_cast<int>(result.fields.size());
    result.fields.push_back(std::move(field));
    chosen.push_back(&value);
  }
  Replacer replacer(field_of);
  std::vector<ir::Update> temporaries;
  for (const Value* value : chosen) {
    ir::Case one;
    one.domain = ir::domain_of(stencil, {value->expr});
    one.value = replacer.inside(value->expr);
    temporaries.push_back({field_of[value->let], {std::move(one)}});
  }
  for (ir::Update& update : result.updates)
    for (ir::Case& one : update.cases) {
      one.value = replacer.replaced(one.value);
      one.domain.mask = replacer.replaced(one.domain.mask);
    }
  result.updates = in_order(std::move(result.updates), std::move(temporaries));
  set_ghosts(result);
  return result;
}

}  // namespace stencilc::plan
