// Warns of statements without effect and of fields that nothing reads.
#include <fmt/format.h>

#include <algorithm>

#include "diag/codes.h"
#include "lint/rules.h"
#include "lint/tree.h"

namespace stencilc::lint {
namespace {

bool is_injected(const ir::Stencil& stencil, int field) {
  return std::ranges::any_of(stencil.injections,
                             [&](const ir::Injection& one) { return one.field == field; });
}

// Whether the user wrote the role.
bool has_role(const ast::Stencil& stencil, const std::string& field) {
  for (const ast::Item& item : stencil.items)
    if (const auto* fields = std::get_if<ast::Fields>(&item.node))
      for (const ast::FieldDecl& decl : fields->decls)
        if (decl.name.name == field) return decl.has_role;
  return false;
}

// Whether the value is the field at the cell, perhaps converted.
bool is_itself(ir::ExprPtr value, int field) {
  while (true) {
    if (const auto* cast = ir::as<ir::Cast>(value))
      value = cast->value;
    else if (const auto* named = ir::as<ir::Named>(value))
      value = named->value;
    else
      break;
  }
  const auto* read = ir::as<ir::Read>(value);
  return read && read->field == field && read->level == 0 && read->offset == ir::Offset{};
}

}  // namespace

void find_write_only(const Subject& subject, diag::Engine& engine) {
  const ir::Stencil& stencil = subject.stencil;
  std::vector<bool> read(stencil.fields.size());
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* one = ir::as<ir::Read>(node)) read[one->field] = true;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const int update = stencil.update_of(static_cast<int>(f));
    if (field.role != ir::Role::stepped || read[f] || update < 0) continue;
    if (is_injected(stencil, static_cast<int>(f)) || has_role(subject.text, field.name)) continue;
    engine
        .report(diag::write_only, target_at(subject.text, stencil.updates[update].cases[0].source),
                fmt::format("`{}` is updated, but nothing reads it", field.name))
        .note("it is declared here", declaration_of(subject.text, field.name))
        .help(fmt::format(
            "a result needs one level in memory only: declare it `out` and write `{} = ...`",
            field.name));
  }
}

void find_self_assignments(const Subject& subject, diag::Engine& engine) {
  for (const ir::Update& update : subject.stencil.updates) {
    const ir::Case& first = update.cases[0];  // a later statement may undo others
    if (is_injected(subject.stencil, update.field) || !is_itself(first.value, update.field))
      continue;
    const std::string& name = subject.stencil.fields[update.field].name;
    engine
        .report(diag::self_assignment, target_at(subject.text, first.source),
                fmt::format("`{}` is assigned its own value", name))
        .help(fmt::format("leave out the statement: a cell that nothing assigns keeps its value"));
  }
}

}  // namespace stencilc::lint
