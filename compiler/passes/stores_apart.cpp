#include "passes/stores_apart.h"

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernel/build.h"
#include "kernel/rewrite.h"
#include "kernel/uses.h"
#include "passes/effects.h"

namespace stencilc::passes {

using namespace kernel;  // its statements are what is looked at

namespace {

// A value that is made narrower only to be stored can be made so later.
bool only_narrows(const Stmt& stmt) {
  const auto* let = std::get_if<Let>(&stmt.node);
  if (!let || let->mutable_ || !as<Convert>(let->value)) return false;
  Effects effects;
  effects.see(let->value);
  return effects.operations == 0 && effects.loads.empty();
}

// Which statements can stand behind all others: the stores, also of reductions, and what makes
// their values narrower.
std::vector<bool> last_ones(const Body& body) {
  std::vector<bool> last(body.size());
  Uses inside;  // the names that other statements use
  for (size_t n = body.size(); n-- > 0;) {
    const auto* let = std::get_if<Let>(&body[n].node);
    last[n] = std::get_if<Store>(&body[n].node) != nullptr ||
              std::get_if<Combine>(&body[n].node) != nullptr ||
              (only_narrows(body[n]) && !inside.names.contains(let->name));
    if (!last[n]) inside.in(body[n]);
  }
  return last;
}

// Is what a store writes read by a statement that comes to stand before it?
bool is_read_later(const Body& body, const std::vector<bool>& last) {
  Effects later;
  std::unordered_set<std::string> loaded;
  for (size_t n = body.size(); n-- > 0;) {
    if (const auto* store = std::get_if<Store>(&body[n].node);
        store && loaded.contains(store->buffer.name))
      return true;
    if (last[n]) continue;
    later.see(body[n]);
    for (const Load* load : std::exchange(later.loads, {})) loaded.insert(load->buffer.name);
  }
  return false;
}

}  // namespace

std::optional<StoresApart> stores_apart(const Body& body) {
  const std::vector<bool> last = last_ones(body);
  if (is_read_later(body, last)) return std::nullopt;
  StoresApart apart;
  for (size_t n = 0; n < body.size(); ++n)
    (last[n] ? apart.stores : apart.inside).push_back(body[n]);
  std::set<std::string> taken = used_names(apart.stores);
  for (const Stmt& stmt : apart.stores)
    if (const auto* let = std::get_if<Let>(&stmt.node)) taken.erase(let->name);
  const std::set<std::string> read = used_names(apart.inside);
  const std::set<std::string> names = used_names(body);
  Effects all;
  all.see(apart.inside);
  Body kept;
  for (Stmt& stmt : apart.inside) {
    const auto* let = std::get_if<Let>(&stmt.node);
    if (!let || taken.erase(let->name) == 0) continue;
    const Type type = let->value->type;
    if (!is_float(type) || is_half(type)) return std::nullopt;
    const bool once = !let->mutable_ && read.count(let->name) == 0;
    // What is read inside, too, goes out by another variable: one from outside that both runs read
    // and write could not begin anew.
    const std::string name = once ? let->name : let->name + "_stored";
    if (!once && names.count(name) != 0) return std::nullopt;
    apart.variables.push_back({Let{name, make(type, Real{0}), true}});
    if (once) {
      stmt = {Assign{name, ExprPtr(let->value)}};
    } else {
      kept.push_back({Assign{name, var(let->name, type)}});
      rename_variables(apart.stores, {{let->name, name}});
    }
  }
  append(apart.inside, std::move(kept));
  // All else that the stores take is from outside.
  for (const std::string& name : taken)
    if (all.declared.count(name) != 0) return std::nullopt;
  Effects inside;
  inside.see(apart.inside);
  if (!inside.may_run_twice()) return std::nullopt;
  return apart;
}

std::optional<StoresApart> values_apart(const Body& body, const std::set<std::string>& used) {
  const std::set<std::string> read = used_names(body);
  StoresApart apart;
  std::map<std::string, std::string> inner;
  Body kept;
  for (const Stmt& stmt : body) {
    apart.inside.push_back(stmt);
    const auto* let = std::get_if<Let>(&stmt.node);
    if (!let || !used.contains(let->name)) continue;
    const Type type = let->value->type;
    if (let->mutable_ || !is_float(type) || is_half(type)) return std::nullopt;
    apart.variables.push_back({Let{let->name, make(type, Real{0}), true}});
    if (!read.contains(let->name)) {
      apart.inside.back() = {Assign{let->name, let->value}};
      continue;
    }
    const std::string name = let->name + "_here";
    if (read.contains(name)) return std::nullopt;
    inner[let->name] = name;
    apart.inside.back() = {Let{name, let->value}};
    kept.push_back({Assign{let->name, var(name, type)}});
  }
  rename_variables(apart.inside, inner);
  append(apart.inside, std::move(kept));
  Effects inside;
  inside.see(apart.inside);
  if (!inside.may_run_twice()) return std::nullopt;
  return apart;
}

}  // namespace stencilc::passes
