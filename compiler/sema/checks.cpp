#include "sema/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diag/codes.h"

namespace stencilc::sema {

void check_outputs(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const bool assigned =
        std::any_of(stencil.updates.begin(), stencil.updates.end(),
                    [&](const ir::Update& u) { return u.field == static_cast<int>(f); });
    if (field.role == ir::Role::output && !assigned)
      engine.report(diag::bad_role, scope.field_sites[f],
                    fmt::format("`{}` is `out`, but nothing assigns it", field.name));
    const bool updated = field.role == ir::Role::stepped || field.role == ir::Role::in_place;
    if (updated && !assigned)
      engine.report(diag::bad_role, scope.field_sites[f],
                    fmt::format("`{}` is `inout`, but nothing assigns `{}{}`", field.name,
                                field.name, field.role == ir::Role::stepped ? "[t+1]" : ""));
    if (!updated && field.boundary.has(ir::Edge::fixed))
      engine
          .report(diag::boundary_unusable, scope.field_sites[f],
                  fmt::format("`fixed` does not apply to `{}`, which is never updated", field.name))
          .help(
              "`fixed` keeps the boundary cells of an updated field; `none` keeps all reads inside "
              "the grid");
  }
}

namespace {

// Fields share a boundary if they share a declaration or a `boundary` item. It has an effect if one
// of them is read outside the grid; otherwise it is reported once.
void warn_unmet_boundaries(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  std::vector<bool> met(stencil.fields.size());  // read in neighbouring cells
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* read = ir::as<ir::Read>(node); read && read->offset != ir::Offset{})
      met[read->field] = true;
  std::map<size_t, std::vector<int>> sharing;  // by the item that states it
  for (const auto& [field, item] : scope.bounded_by)
    if (stencil.fields[field].boundary.given()) sharing[item].push_back(field);
  for (const auto& [item, fields] : sharing) {
    const auto has_effect = [&](int field) {
      return met[field] || stencil.fields[field].boundary.has(ir::Edge::none);
    };
    if (std::any_of(fields.begin(), fields.end(), has_effect)) continue;
    std::vector<std::string> names;
    for (const int field : fields) names.push_back(stencil.fields[field].name);
    engine.report(diag::boundary_unused, scope.field_sites[fields[0]],
                  fmt::format("no read of {} leaves the grid, so {} boundary has no effect",
                              diag::listed(names, "or"), names.size() == 1 ? "its" : "their"));
  }
}

}  // namespace

void warn_unused(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  for (const auto& [name, symbol] : scope.symbols) {
    if (symbol.uses != 0 || symbol.of_file || symbol.kind == Symbol::axis ||
        symbol.kind == Symbol::extent || symbol.kind == Symbol::color ||
        symbol.kind == Symbol::reduction)
      continue;
    if (symbol.kind == Symbol::field && stencil.fields[symbol.index].role != ir::Role::input)
      continue;
    engine.report(diag::unused_name, symbol.declared, fmt::format("`{}` is never used", name));
  }
  warn_unmet_boundaries(scope, engine);
}

}  // namespace stencilc::sema
