// before   let g = a*u[x+1] + ...;  v[t+1] = g;  w[t+1] = w + g*g      one launch
// after    v[t+1] = g                                                  a launch
//          w[t+1] = w + v[t+1]*v[t+1]                                  and another one
#include "plan/schedule/fission.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/node_map.h"
#include "ir/work.h"
#include "plan/schedule/setup_values.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

// The least instructions that reading a stored value saves: cheaper ones are computed again.
constexpr int64_t kWorthReadingStored = 10;

bool is_named(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The fields whose t+1 an expression reads.
std::set<int> next_in(const ExprPtr& expr) {
  std::set<int> fields;
  for (const ExprPtr& node : ir::nodes_of({expr}))
    if (const auto* read = ir::as<ir::Read>(node); read && read->level == 1)
      fields.insert(read->field);
  return fields;
}

// The `let` that the update assigns, as it is, to each cell that later statements may ask for.
const ir::Named* stored_let(const ir::Stencil& stencil, const ir::Update& update) {
  if (update.cases.size() != 1) return nullptr;
  const ir::Case& one = update.cases[0];
  const auto* named = ir::as<ir::Named>(one.value);
  const ir::Field& field = stencil.fields[update.field];
  if (!named || named->offset != ir::Offset{} || field.type != one.value->type ||
      field.compute != field.type || !one.domain.limits.empty() || one.domain.mask)
    return nullptr;
  return named;
}

// Is each cell of a statement one that the other statement assigns?
bool covers(const ir::Domain& stores, const ir::Domain& reads) {
  for (int a = 0; a < ir::kMaxRank; ++a)
    if (stores.low[a] > reads.low[a] || stores.high[a] > reads.high[a]) return false;
  return true;
}

// Lets that are read beside the cell: what stands inside them is another cell's.
std::set<int> read_beside_cell(const ir::Stencil& stencil) {
  std::set<int> lets;
  std::vector<ExprPtr> roots;
  for (const ir::Update& update : stencil.updates)
    for (const ExprPtr& root : roots_of(update)) roots.push_back(root);
  for (const ExprPtr& node : ir::nodes_of(roots))
    if (const auto* named = ir::as<ir::Named>(node); named && named->offset != ir::Offset{})
      lets.insert(named->let);
  return lets;
}

// Replaces lets at the cell by reads of the fields that hold them.
class StoredReader {
 public:
  StoredReader(const std::map<int, int>& field_of, const std::set<int>& beside)
      : field_of_(field_of), beside_(beside) {}

  ExprPtr replaced(const ExprPtr& expr) {
    if (!expr) return nullptr;
    if (const ExprPtr* known = done_.find(expr.get())) return *known;
    const ExprPtr result = one(expr);
    return done_[expr.get()] = result;
  }

 private:
  ExprPtr one(const ExprPtr& expr) {
    if (const auto* named = ir::as<ir::Named>(expr)) {
      const auto found = field_of_.find(named->let);
      if (found != field_of_.end() && named->offset == ir::Offset{})
        return ir::make(expr->type, ir::Read{found->second, 1, {}});
      if (beside_.contains(named->let)) return expr;
    }
    return ir::with_operands(expr, [&](const ExprPtr& operand) { return replaced(operand); });
  }

  const std::map<int, int>& field_of_;  // by let
  const std::set<int>& beside_;
  ir::NodeMap<ExprPtr> done_;
};

// Lets the statements read what those of earlier launches have stored.
void read_stored(ir::Stencil& stencil) {
  const std::set<int> beside = read_beside_cell(stencil);
  struct Held {
    int field = 0;
    const ir::Domain* domain = nullptr;
  };
  std::map<int, Held> held, fresh;  // by let: of earlier launches, and of the one that is open
  std::vector<ir::Update> updates;
  std::set<int> assigned;  // fields, whose t+1 no later statement changes
  for (const ir::Update& update : stencil.updates) {
    if (update.apart) held.merge(fresh);
    ir::Update own = update;
    for (ir::Case& one : own.cases) {
      std::map<int, int> field_of;
      for (const auto& [let, by] : held)
        if (by.field != update.field && covers(*by.domain, one.domain)) field_of[let] = by.field;
      if (field_of.empty()) continue;
      StoredReader reader(field_of, beside);
      one.value = reader.replaced(one.value);
    }
    updates.push_back(std::move(own));
    const ir::Named* named = stored_let(stencil, update);
    if (named && ir::instructions_of({named->value}).weighted() >= kWorthReadingStored &&
        std::ranges::includes(assigned, next_in(named->value)))
      fresh[named->let] = {update.field, &update.cases[0].domain};
    assigned.insert(update.field);
  }
  stencil.updates = std::move(updates);
}

}  // namespace

std::vector<std::string> separable(const ir::Stencil& stencil) {
  std::vector<std::string> names;
  if (stencil.colors.count() != 0) return names;
  for (size_t u = 1; u < stencil.updates.size(); ++u)
    names.push_back(stencil.fields[stencil.updates[u].field].name);
  return names;
}

std::string fission_problem(const ir::Stencil& stencil, const std::vector<std::string>& names) {
  if (stencil.colors.count() != 0) return "the colours are updated one after the other";
  const std::vector<std::string> all = separable(stencil);
  std::string known;
  for (const std::string& name : all) known += (known.empty() ? "`" : ", `") + name + "`";
  for (const std::string& name : names) {
    if (is_named(all, name)) continue;
    if (!stencil.updates.empty() && stencil.fields[stencil.updates[0].field].name == name)
      return "the first launch begins with `" + name + "` in any case" +
             (known.empty() ? "" : "; others can begin with " + known);
    return "no statement of a step assigns `" + name + "`" +
           (known.empty() ? ", and there is no second one" : "; launches can begin with " + known);
  }
  return "";
}

ir::Stencil with_fission(const ir::Stencil& stencil, const std::vector<std::string>& names) {
  if (names.empty()) return stencil;
  ir::Stencil result = stencil;
  for (ir::Update& update : result.updates)
    update.apart |= is_named(names, result.fields[update.field].name);
  read_stored(result);
  return result;
}

ir::Stencil prepared(const ir::Stencil& stencil, const Schedule& schedule) {
  return with_fission(with_kept(stencil, schedule.setup, schedule.global), schedule.fission);
}

}  // namespace stencilc::plan
