#include "sema/sema.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/declarations.h"
#include "sema/expressions.h"

namespace stencilc::sema {
namespace {

// Every path of updates that read each other's [t+1], followed until a field comes back.
std::vector<std::string> find_cycle(const Scope& scope) {
  const auto& fields = scope.stencil.fields;
  const auto index = [&](const std::string& name) {
    return std::find_if(fields.begin(), fields.end(),
                        [&](const ir::Field& f) { return f.name == name; }) -
           fields.begin();
  };
  std::vector<int> state(fields.size(), 0);  // 0 new, 1 on the path, 2 done
  std::vector<std::string> path;
  std::function<bool(size_t)> visit = [&](size_t f) {
    state[f] = 1;
    path.push_back(fields[f].name);
    for (const std::string& next : scope.future_reads[f]) {
      const size_t n = index(next);
      if (state[n] == 1) {
        path.erase(path.begin(), std::find(path.begin(), path.end(), next));
        path.push_back(next);
        return true;
      }
      if (state[n] == 0 && visit(n)) return true;
    }
    state[f] = 2;
    path.pop_back();
    return false;
  };
  for (size_t f = 0; f < fields.size(); ++f)
    if (state[f] == 0 && visit(f)) return path;
  return {};
}

// Updates that read another's [t+1] form stages; those that lead back to themselves cannot be
// ordered at all.
void judge_future_reads(const Scope& scope, diag::Engine& engine) {
  if (scope.future_sites.empty()) return;
  const std::vector<std::string> cycle = find_cycle(scope);
  if (cycle.empty()) {
    const auto& [name, at] = scope.future_sites.front();
    engine
        .report(diag::not_in_this_version, at,
                fmt::format("`{}[t+1]` read by another update", name))
        .note("updates that build on each other's new values run in stages")
        .help(fmt::format("read `{0}` at level t, or write the value of `{0}[t+1]` out in a `let` "
                          "and use that in both updates",
                          name));
    return;
  }
  std::string text;
  for (const std::string& name : cycle) text += (text.empty() ? "`" : " -> `") + name + "[t+1]`";
  const auto site = std::find_if(scope.future_sites.begin(), scope.future_sites.end(),
                                 [&](const auto& s) { return s.first == cycle.back(); });
  diag::Diagnostic& d =
      engine.report(diag::cycle, site->second,
                    cycle.size() == 2 ? fmt::format("`{}[t+1]` is computed from itself", cycle[0])
                                      : "the updates depend on each other in a cycle");
  d.note("the cycle is " + text);
  d.help(cycle.size() == 2
             ? fmt::format("read `{0}` at level t for a Jacobi sweep; a sweep in place needs an "
                           "order of the cells, which a stencil does not have",
                           cycle[0])
             : std::string("read one of them at level t"));
}

// u[t+1] = e; or dst = e;
void analyse_update(const ast::Update& update, Scope& scope, Expressions& expressions,
                    diag::Engine& engine) {
  const std::string& name = update.target.name;
  if (scope.rejected.count(name)) return;
  const auto found = scope.symbols.find(name);
  if (found == scope.symbols.end()) {
    if (scope.partial) return;
    diag::Diagnostic& d = engine.report(diag::unknown_name, update.target.at,
                                        fmt::format("`{}` is not declared", name));
    std::vector<std::string> fields;
    for (const ir::Field& field : scope.stencil.fields) fields.push_back(field.name);
    const std::string close = diag::nearest(name, fields);
    if (!close.empty())
      d.help(fmt::format("did you mean `{}`?", close), update.target.at, close);
    else
      d.help(fmt::format(
          "declare it: `field f32 {};`, or `let {} = ...;` for an intermediate value", name, name));
    return;
  }
  if (found->second.kind != Symbol::field) {
    engine
        .report(diag::not_assignable, update.target.at,
                fmt::format("`{}` is assigned, and it is no field", name))
        .note("it is declared here", found->second.declared);
    return;
  }
  const int index = found->second.index;
  const ir::Field& field = scope.stencil.fields[index];
  const ast::Range& declared = scope.field_sites[index];
  expressions.start_statement();
  Expressions::Site site;
  if (update.has_args) {
    const auto given = expressions.site(update.args, update.target_at, {});
    if (!given) return;
    site = *given;
  }
  if (site.offset != ir::Offset{}) {
    engine
        .report(diag::not_assignable, update.target_at,
                "an update of a neighbour; an update assigns the cell itself")
        .help(fmt::format("write `{}[t+1] = ...` with every offset moved the other way", name));
    return;
  }
  if (field.role == ir::Role::input) {
    engine
        .report(diag::not_assignable, update.target.at,
                fmt::format("`{}` is read only and assigned", name))
        .note("it is declared here", declared);
    return;
  }
  if (field.role == ir::Role::stepped && site.time != 1) {
    engine
        .report(diag::time_index, update.target_at,
                site.time == 0 ? fmt::format("`{}` is assigned without `[t+1]`", name)
                               : fmt::format("`{}` is assigned at t{:+}; a step computes t+1", name,
                                             site.time))
        .help(fmt::format("write `{0}[t+1] = ...`, or declare `{0}` as `out` if it is never read",
                          name),
              update.target_at, name + "[t+1]");
    return;
  }
  if (field.role == ir::Role::output && site.time != 0) {
    engine
        .report(diag::time_index, update.target_at,
                fmt::format("`{}` is `out`, which has no time levels", name))
        .note("it is declared here", declared)
        .help(fmt::format("write `{} = ...`", name), update.target_at, name);
    return;
  }
  scope.current_update = index;
  const Operand value = expressions.evaluate(update.value, {}, field.type);
  scope.current_update = -1;
  for (const ir::Update& other : scope.stencil.updates)
    if (other.field == index) {
      engine
          .report(diag::double_assignment, update.target.at,
                  fmt::format("`{}` is assigned twice", name))
          .note("it is declared here", declared);
      return;
    }
  const ir::ExprPtr typed_value =
      expressions.assign(value, field.type, update.value->at, fmt::format("the field `{}`", name));
  // A failed one is kept as a zero, so that nothing is reported because of it again.
  ir::Case one;
  one.value = typed_value ? typed_value : ir::constant(ir::Scalar{field.type});
  one.source = update.target_at.begin;
  scope.stencil.updates.push_back({index, {std::move(one)}});
}

void check_outputs(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const bool assigned =
        std::any_of(stencil.updates.begin(), stencil.updates.end(),
                    [&](const ir::Update& u) { return u.field == static_cast<int>(f); });
    if (field.role == ir::Role::output && !assigned)
      engine.report(diag::bad_role, scope.field_sites[f],
                    fmt::format("`{}` is `out` and nothing assigns it", field.name));
    if (field.role == ir::Role::stepped && !assigned)
      engine.report(
          diag::bad_role, scope.field_sites[f],
          fmt::format("`{}` is `inout` and nothing assigns `{}[t+1]`", field.name, field.name));
    if (field.role != ir::Role::stepped && field.boundary.has(ir::Edge::fixed))
      engine
          .report(
              diag::boundary_unusable, scope.field_sites[f],
              fmt::format("`fixed` on `{}`, whose cells this stencil never updates", field.name))
          .help("`fixed` keeps the rim of an updated field; `none` keeps the reads inside");
  }
}

void warn_unused(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  for (const auto& [name, symbol] : scope.symbols) {
    if (symbol.uses != 0 || symbol.kind == Symbol::axis || symbol.kind == Symbol::extent) continue;
    if (symbol.kind == Symbol::field && stencil.fields[symbol.index].role != ir::Role::input)
      continue;
    engine.report(diag::unused_name, symbol.declared, fmt::format("`{}` is never used", name));
  }
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    if (!stencil.fields[f].boundary.given()) continue;
    bool met = false;
    for (const ir::ExprPtr& node : ir::nodes_of(stencil))
      if (const auto* read = ir::as<ir::Read>(node); read && read->field == static_cast<int>(f))
        met |= read->offset != ir::Offset{};
    if (!met && !stencil.fields[f].boundary.has(ir::Edge::none))
      engine.report(
          diag::boundary_unused, scope.field_sites[f],
          fmt::format("no read of `{}` goes beyond its rim, so its boundary has no effect",
                      stencil.fields[f].name));
  }
}

}  // namespace

std::vector<std::string> Scope::names() const {
  std::vector<std::string> result;
  for (const auto& [name, symbol] : symbols) result.push_back(name);
  return result;
}

namespace {

// The stencil of one part of the program; nothing after an error.
std::optional<ir::Stencil> analyse_one(const ast::Program& program, const ast::Stencil& source,
                                       const Defines& defines, bool partial,
                                       std::set<std::string>& defined, diag::Engine& engine) {
  Scope scope;
  scope.partial = partial;
  Expressions expressions(scope, engine);
  if (!declare(program, source, defines, scope, expressions, engine)) return {};
  defined.insert(scope.defined.begin(), scope.defined.end());

  // Beyond this point every name is declared and every field has its role.
  for (const ast::Item& item : source.items)
    if (const auto* update = std::get_if<ast::Update>(&item.node))
      analyse_update(*update, scope, expressions, engine);
  for (size_t i = 0; i < scope.lets.size(); ++i)  // a let nobody uses is checked all the same
    if (scope.lets[i].instances.empty()) {
      expressions.start_statement();
      expressions.evaluate(scope.lets[i].value, {});
    }
  judge_future_reads(scope, engine);
  if (!engine.has_errors()) check_outputs(scope, engine);
  if (!engine.has_errors() && scope.stencil.updates.empty())
    engine
        .report(diag::no_update, source.name.at,
                fmt::format("the stencil `{}` assigns nothing", source.name.name))
        .help("add an update such as `u[t+1] = ...;`");
  if (engine.has_errors()) return {};
  warn_unused(scope, engine);
  if (engine.has_errors()) return {};  // -Werror
  ir::infer(scope.stencil);
  return std::move(scope.stencil);
}

}  // namespace

std::vector<ir::Stencil> analyse(const ast::Program& program, const Defines& defines,
                                 diag::Engine& engine) {
  const bool partial = engine.has_errors();
  std::vector<ir::Stencil> stencils;
  std::set<std::string> defined;
  for (const ast::Stencil& source : program.stencils)
    if (auto stencil = analyse_one(program, source, defines, partial, defined, engine))
      stencils.push_back(std::move(*stencil));
  if (engine.has_errors()) stencils.clear();
  return stencils;
}

}  // namespace stencilc::sema
