#include "passes/needed_divisions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernel/build.h"
#include "kernel/rewrite.h"
#include "kernel/uses.h"
#include "passes/effects.h"

namespace stencilc::passes {

using namespace kernel;

namespace {

// A side of a choice: the variable that is its condition, and which side.
using Side = std::pair<std::string, bool>;
using Sides = std::set<Side>;

bool divides(const ExprPtr& expr) {
  if (is_division(*expr) || is_root(*expr)) return true;
  bool any = false;
  for_each_child(*expr, [&](const ExprPtr& part) { any = any || divides(part); });
  return any;
}

void add_variables(const ExprPtr& expr, std::set<std::string>& variables) {
  if (const auto* one = as<Var>(expr); one && expr->type != Type::index)
    variables.insert(one->name);
  for_each_child(*expr, [&](const ExprPtr& child) { add_variables(child, variables); });
}

const Let* constant_of(const Stmt& stmt) {
  const auto* let = std::get_if<Let>(&stmt.node);
  return let && !let->mutable_ ? let : nullptr;
}

// The statements of one list.
class List {
 public:
  List(Body& body, Parts& parts) : body_(body), parts_(parts) {}

  void run(Conditions& conditions) {
    Uses uses;
    uses.in(body_);
    taken_ = std::move(uses.names);
    for (size_t n = 0; n < body_.size(); ++n) {
      name_conditions(n);
      if (const Let* let = constant_of(body_[n])) {
        constants_.insert(let->name);
        if (divides(let->value)) quotients_.insert(let->name);
      }
    }
    for (size_t n = body_.size(); n-- > 0;) {
      const Let* let = constant_of(body_[n]);
      see(body_[n], let ? sides_of(let->name) : Sides());
    }
    for (size_t n = 0; n < body_.size(); ++n) {
      const Let* let = constant_of(body_[n]);
      if (!let || !divides(let->value)) continue;
      const std::string name = let->name;
      for (const auto& [condition, chosen] : sides_of(name)) {
        if (!tells_of(parts_of(condition), name) || !move_before(condition, n)) continue;
        const ExprPtr holds = var(condition, Type::boolean);
        conditions[&body_][name] = chosen ? holds : make(Type::boolean, Not{holds});
        break;
      }
    }
  }

 private:
  // The variables that it is made of, and those that these are.
  std::set<std::string> parts_of(const std::string& name) const {
    const auto found = parts_.find(name);
    return found == parts_.end() ? std::set<std::string>() : with_parts(found->second);
  }
  std::set<std::string> with_parts(std::set<std::string> variables) const {
    for (const std::string& one : std::set<std::string>(variables))
      if (const auto found = parts_.find(one); found != parts_.end())
        variables.insert(found->second.begin(), found->second.end());
    return variables;
  }
  // Whether a condition and a quotient have something in common, like those of a limiter.
  bool tells_of(const std::set<std::string>& condition, const std::string& quotient) const {
    const std::set<std::string> parts = parts_of(quotient);
    return std::ranges::any_of(condition,
                               [&](const std::string& part) { return parts.contains(part); });
  }

  // Gives the conditions by which the n-th statement chooses quotients names of their own.
  void name_conditions(size_t& n) {
    Stmt& stmt = body_[n];
    ExprPtr* value = nullptr;
    if (auto* let = std::get_if<Let>(&stmt.node)) value = &let->value;
    if (auto* assign = std::get_if<Assign>(&stmt.node)) value = &assign->value;
    if (auto* store = std::get_if<Store>(&stmt.node)) value = &store->value;
    if (!value || !*value || quotients_.empty()) return;
    Body named;
    *value = with_names(*value, named);
    for (const Stmt& one : named) constants_.insert(std::get<Let>(one.node).name);
    body_.insert(body_.begin() + static_cast<std::ptrdiff_t>(n),
                 std::make_move_iterator(named.begin()), std::make_move_iterator(named.end()));
    n += named.size();
  }
  ExprPtr with_names(const ExprPtr& expr, Body& named) {
    bool changed = false;
    Expr copy = *expr;
    replace_children(copy, [&](ExprPtr& child) {
      const ExprPtr other = with_names(child, named);
      changed = changed || other != child;
      child = other;
    });
    if (auto* choice = std::get_if<Pick>(&copy.node);
        choice && !as<Var>(choice->condition) && is_of_registers(choice->condition)) {
      std::set<std::string> parts;
      add_variables(choice->condition, parts);
      std::string name = quotient_in(choice->yes);
      if (name.empty()) name = quotient_in(choice->no);
      if (!name.empty() && tells_of(with_parts(parts), name)) {
        name += "_needed";
        while (!taken_.insert(name).second) name += "_";
        named.push_back({Let{name, choice->condition}});
        add_parts(named, parts_);
        choice->condition = var(name, Type::boolean);
        changed = true;
      }
    }
    return changed ? std::make_shared<const Expr>(std::move(copy)) : expr;
  }
  // Whether nothing is loaded, so that it may be computed where it is not asked for.
  static bool is_of_registers(const ExprPtr& expr) {
    const auto* call = as<Call>(expr);
    const bool plain = !call || call->function == Fn::min || call->function == Fn::max ||
                       call->function == Fn::abs;
    if (!plain || as<Load>(expr) || as<Beside>(expr) || as<Entry>(expr)) return false;
    bool all = true;
    for_each_child(*expr, [&](const ExprPtr& child) { all = all && is_of_registers(child); });
    return all;
  }
  // A quotient of the list that the expression uses, or "".
  std::string quotient_in(const ExprPtr& expr) const {
    if (const auto* name = as<Var>(expr)) return quotients_.contains(name->name) ? name->name : "";
    std::string found;
    for_each_child(*expr, [&](const ExprPtr& child) {
      if (found.empty()) found = quotient_in(child);
    });
    return found;
  }

  Sides sides_of(const std::string& name) const {
    const auto found = used_.find(name);
    return found == used_.end() ? Sides() : found->second;
  }

  void see(const ExprPtr& expr, const Sides& sides) {
    if (!expr) return;
    if (const auto* name = as<Var>(expr)) {
      if (!constants_.contains(name->name)) return;
      const auto [place, fresh] = used_.try_emplace(name->name, sides);
      if (!fresh)
        std::erase_if(place->second, [&](const Side& one) { return !sides.contains(one); });
      return;
    }
    const auto* choice = as<Pick>(expr);
    const auto* condition = choice ? as<Var>(choice->condition) : nullptr;
    if (!condition) {
      for_each_child(*expr, [&](const ExprPtr& child) { see(child, sides); });
      return;
    }
    see(choice->condition, sides);
    see(choice->yes, with(sides, {condition->name, true}));
    see(choice->no, with(sides, {condition->name, false}));
  }
  static Sides with(Sides sides, Side side) {
    sides.insert(std::move(side));
    return sides;
  }

  void see(const Stmt& stmt, const Sides& sides) {
    if (const auto* let = std::get_if<Let>(&stmt.node)) return see(let->value, sides);
    if (const auto* assign = std::get_if<Assign>(&stmt.node)) return see(assign->value, {});
    if (const auto* store = std::get_if<Store>(&stmt.node)) {
      for (const ExprPtr& expr : {store->row, store->at, store->value}) see(expr, {});
      return;
    }
    // Whatever else a statement uses, it needs.
    Uses uses;
    uses.in(stmt);
    for (const std::string& name : uses.names)
      if (constants_.contains(name)) used_[name].clear();
  }

  // What a statement may change that constants are made of; false: perhaps anything.
  static bool may_change(const Stmt& stmt, std::set<std::string>& changed) {
    if (const auto* assign = std::get_if<Assign>(&stmt.node))
      changed.insert(assign->name);
    else if (const auto* store = std::get_if<Store>(&stmt.node))
      changed.insert(store->buffer.name);
    else
      return std::get_if<Let>(&stmt.node) || std::get_if<Note>(&stmt.node) ||
             std::get_if<Line>(&stmt.node);
    return true;
  }

  // Moves the variable, and what it is made of, before the n-th statement, which then stands behind
  // them. False, and nothing happened: they need that statement, or something that changes.
  bool move_before(const std::string& condition, size_t& n) {
    const auto declared = std::find_if(body_.begin(), body_.end(), [&](const Stmt& stmt) {
      const auto* let = std::get_if<Let>(&stmt.node);
      return let && let->name == condition;
    });
    const auto at = static_cast<size_t>(declared - body_.begin());
    std::set<std::string> changed;
    for (size_t k = n; k < std::min(at, body_.size()); ++k)
      if (!may_change(body_[k], changed)) return false;
    if (at == body_.size()) return !changed.contains(condition);  // declared around the list
    if (!constant_of(*declared)) return false;
    std::set<std::string> names = {condition};
    std::vector<size_t> moved;
    for (size_t m = at + 1; m-- > n;) {
      const auto* let = std::get_if<Let>(&body_[m].node);
      if (!let || !names.contains(let->name)) continue;
      Uses uses;
      uses.in(let->value);
      const bool changes = std::ranges::any_of(
          uses.names, [&](const std::string& used) { return changed.contains(used); });
      if (m == n || let->mutable_ || changes) return false;
      names.insert(uses.names.begin(), uses.names.end());
      moved.push_back(m);
    }
    Body before;
    for (const size_t m : moved) {  // from the last to the first
      before.insert(before.begin(), std::move(body_[m]));
      body_.erase(body_.begin() + static_cast<std::ptrdiff_t>(m));
    }
    body_.insert(body_.begin() + static_cast<std::ptrdiff_t>(n),
                 std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));
    n += before.size();
    return true;
  }

  Body& body_;
  Parts& parts_;
  std::unordered_set<std::string> taken_;
  std::set<std::string> constants_, quotients_;
  std::map<std::string, Sides> used_;  // on which sides of choices alone
};

void run(Body& body, Parts& parts, Conditions& conditions) {
  List(body, parts).run(conditions);
  for (Stmt& stmt : body) {
    if (auto* loop = std::get_if<For>(&stmt.node)) run(loop->body, parts, conditions);
    if (auto* branch = std::get_if<If>(&stmt.node)) {
      run(branch->yes, parts, conditions);
      run(branch->no, parts, conditions);
    }
  }
}

}  // namespace

void add_parts(const Body& body, Parts& parts) {
  for (const Stmt& stmt : body) {
    if (const auto* let = std::get_if<Let>(&stmt.node)) add_variables(let->value, parts[let->name]);
    if (const auto* assign = std::get_if<Assign>(&stmt.node))
      add_variables(assign->value, parts[assign->name]);
    if (const auto* loop = std::get_if<For>(&stmt.node)) add_parts(loop->body, parts);
    if (const auto* branch = std::get_if<If>(&stmt.node)) {
      add_parts(branch->yes, parts);
      add_parts(branch->no, parts);
    }
  }
}

Conditions conditions_of_divisions(Body& body, Parts& parts) {
  Conditions conditions;
  run(body, parts, conditions);
  return conditions;
}

}  // namespace stencilc::passes
