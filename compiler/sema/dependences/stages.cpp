#include "sema/dependences/stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "diag/codes.h"
#include "sema/dependences/coloring.h"

namespace stencilc::sema {
namespace {

using ir::ExprPtr;

// A read of t+1 of another update.
struct Edge {
  size_t from = 0, to = 0;  // indices of updates
  ast::Range at;
};

std::vector<ExprPtr> parts(const ir::Case& one) {
  std::vector<ExprPtr> result = {one.value};
  if (one.domain.mask) result.push_back(one.domain.mask);
  return result;
}

std::vector<Edge> edges(const Scope& scope) {
  const ir::Stencil& stencil = scope.stencil;
  std::vector<Edge> result;
  for (size_t u = 0; u < stencil.updates.size(); ++u)
    for (const ir::Case& one : stencil.updates[u].cases)
      for (const ExprPtr& node : ir::nodes_of(parts(one))) {
        const auto* read = ir::as<ir::Read>(node);
        if (!read || read->level != 1 || read->field == stencil.updates[u].field) continue;
        const int made = stencil.update_of(read->field);
        if (made >= 0) result.push_back({u, static_cast<size_t>(made), site_of(node, {}, scope)});
      }
  return result;
}

// A path of edges that ends where it starts, if there is one.
std::vector<Edge> find_cycle(size_t count, const std::vector<Edge>& all) {
  std::vector<int> state(count, 0);  // 0 new, 1 on the path, 2 done
  std::vector<Edge> path;
  const std::function<bool(size_t)> visit = [&](size_t update) {
    state[update] = 1;
    for (const Edge& edge : all) {
      if (edge.from != update || state[edge.to] == 2) continue;
      path.push_back(edge);
      if (state[edge.to] == 1) {
        const auto begin = std::find_if(path.begin(), path.end(),
                                        [&](const Edge& e) { return e.from == edge.to; });
        path.erase(path.begin(), begin);
        return true;
      }
      if (visit(edge.to)) return true;
      path.pop_back();
    }
    state[update] = 2;
    return false;
  };
  for (size_t u = 0; u < count; ++u)
    if (state[u] == 0 && visit(u)) return path;
  return {};
}

std::string new_value(const ir::Field& field) {
  return field.role == ir::Role::output ? field.name : field.name + "[t+1]";
}

void report_cycle(const std::vector<Edge>& cycle, const Scope& scope, diag::Engine& engine) {
  const auto value = [&](size_t update) {
    return "`" + new_value(scope.stencil.fields[scope.stencil.updates[update].field]) + "`";
  };
  std::string text = value(cycle.front().from);
  for (const Edge& edge : cycle) text += " -> " + value(edge.to);
  engine.report(diag::cycle, cycle.back().at, "the updates depend on each other in a cycle")
      .note("the cycle is " + text)
      .help("read one of the fields at level t");
}

// The colours that would allow the statement to update its field in place; "" if there are none.
std::string colors_for(const ir::Case& one, int field, const ir::Stencil& stencil) {
  std::vector<ir::Read> reads;
  for (const ExprPtr& node : ir::nodes_of(parts(one)))
    if (const auto* read = ir::as<ir::Read>(node); read && read->field == field)
      reads.push_back(*read);
  const auto colors = fewest_colors(reads, stencil).rule;
  return colors ? print(*colors, stencil) : "";
}

// u[t+1] = ... u[t+1, x-1] ...: a sweep over the cells in some order.
void report_sweep(const ir::Read& read, const ir::Case& one, const ir::Field& field,
                  const ast::Range& at, const Scope& scope, diag::Engine& engine) {
  const bool stepped = field.role == ir::Role::stepped;
  const std::string own = new_value(field);
  ir::Read as_written = read;
  if (!stepped) as_written.level = 0;
  const std::string neighbour = ir::print(ir::make(field.type, as_written), scope.stencil);
  const std::string jacobi =
      stepped ? fmt::format("read `{}` at level t", field.name)
              : fmt::format("step the field, `{0}[t+1] = ...`, and read `{0}`", field.name);
  const std::string colors = colors_for(one, read.field, scope.stencil);
  engine
      .report(diag::cycle, at,
              fmt::format("`{}` is computed from itself in a neighbouring cell", own))
      .note(fmt::format("the cycle is `{}` -> `{}`: the cells of a step have no order", own,
                        neighbour))
      .help(jacobi + " for a Jacobi step" +
            (colors.empty() ? "" : fmt::format(", or update in place with colours: `{}`", colors)))
      .help(
          "a recurrence along an axis, such as a tridiagonal solve, is not a stencil: call a "
          "solver library, or write cyclic reduction as stages");
}

void report_first(const ir::Field& field, const ast::Range& at, diag::Engine& engine) {
  const std::string own = new_value(field);
  const bool stepped = field.role == ir::Role::stepped;
  diag::Diagnostic& d =
      engine.report(diag::cycle, at, fmt::format("`{}` is computed from itself", own));
  d.note(fmt::format("no statement before this one assigns `{}`", own));
  if (!stepped)
    d.help(fmt::format("assign it first: `{} = ...;`", own));
  else
    d.help(fmt::format("read `{}` at level t", field.name));
}

// An output can be read only if its first statement writes every cell.
void check_outputs_whole(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  std::vector<bool> told(stencil.fields.size(), false);
  for (const ExprPtr& node : ir::nodes_of(stencil)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || stencil.fields[read->field].role != ir::Role::output) continue;
    const int made = stencil.update_of(read->field);
    if (made < 0 || stencil.updates[made].cases.empty() || told[read->field]) continue;
    const ir::Case& first = stencil.updates[made].cases.front();
    if (first.domain.limits.empty() && !first.domain.mask) continue;
    told[read->field] = true;
    const std::string& name = stencil.fields[read->field].name;
    const ast::Range& declared = scope.field_sites[read->field];
    engine
        .report(diag::bad_role, site_of(node, declared, scope),
                fmt::format("`{}` is read, but some of its cells have no value", name))
        .note("its first statement does not cover all cells",
              {first.source, first.source + static_cast<uint32_t>(name.size()), declared.file})
        .help(fmt::format("assign it everywhere first: `{} = 0;`", name));
  }
}

}  // namespace

ast::Range site_of(const ExprPtr& node, const ast::Range& otherwise, const Scope& scope) {
  const auto found = scope.sites.find(node.get());
  return found == scope.sites.end() ? otherwise : found->second;
}

bool check_own_reads(const ir::Case& one, const ir::Update& before, const ast::Update& update,
                     const Scope& scope, diag::Engine& engine) {
  const ir::Field& field = scope.stencil.fields[before.field];
  for (const ExprPtr& node : ir::nodes_of(parts(one))) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || read->level != 1) continue;
    const ast::Range at = site_of(node, update.target_at, scope);
    const bool own = read->field == before.field && read->offset == ir::Offset{};
    const bool in_place = scope.stencil.fields[read->field].role == ir::Role::in_place;
    if (in_place && own && !before.cases.empty()) continue;
    if (in_place) {
      const std::string& name = scope.stencil.fields[read->field].name;
      engine
          .report(diag::time_index, at,
                  fmt::format("`{}[t+1]` does not exist in a stencil with colours", name))
          .help(fmt::format("write `{}`: each colour reads the results of the colours before it",
                            name));
      return false;
    }
    if (read->field != before.field) continue;
    if (read->offset != ir::Offset{}) {
      report_sweep(*read, one, field, at, scope, engine);
      return false;
    }
    if (before.cases.empty()) {
      report_first(field, at, engine);
      return false;
    }
  }
  return true;
}

void order_updates(Scope& scope, diag::Engine& engine) {
  std::vector<ir::Update>& updates = scope.stencil.updates;
  const std::vector<Edge> all = edges(scope);
  const std::vector<Edge> cycle = find_cycle(updates.size(), all);
  if (!cycle.empty()) return report_cycle(cycle, scope, engine);
  check_outputs_whole(scope, engine);
  std::vector<std::set<size_t>> needed(updates.size());
  for (const Edge& edge : all) needed[edge.from].insert(edge.to);
  std::vector<ir::Update> ordered;
  std::vector<bool> done(updates.size(), false);
  while (ordered.size() < updates.size()) {
    const auto ready = [&](size_t u) {
      return !done[u] && std::all_of(needed[u].begin(), needed[u].end(),
                                     [&](size_t other) { return done[other]; });
    };
    size_t next = 0;
    while (!ready(next)) ++next;
    done[next] = true;
    ordered.push_back(updates[next]);
  }
  updates = std::move(ordered);
}

}  // namespace stencilc::sema
