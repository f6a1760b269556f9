#include "sema/declarations/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "diag/codes.h"
#include "sema/declarations/boundary.h"
#include "sema/symbols/names.h"

namespace stencilc::sema {
namespace {

constexpr size_t kMaxFields = 256;

bool is_assigned(const std::string& name, const ast::Stencil& source) {
  return std::any_of(source.items.begin(), source.items.end(), [&](const ast::Item& item) {
    const auto* update = std::get_if<ast::Update>(&item.node);
    return update && update->target.name == name;
  });
}

bool is_colored(const ast::Stencil& source) {
  return std::any_of(source.items.begin(), source.items.end(), [](const ast::Item& item) {
    return std::holds_alternative<ast::Color>(item.node);
  });
}

ir::Role resolve_role(const ast::FieldDecl& decl, const ast::Stencil& source, Scope& scope,
                      diag::Engine& engine) {
  const std::string role = decl.has_role ? decl.role.name : "";
  const ir::Role updated = is_colored(source) ? ir::Role::in_place : ir::Role::stepped;
  if (role == "in" || role == "readonly") return ir::Role::input;
  if (role == "inout") return updated;
  if (role == "out") {
    if (updated == ir::Role::in_place)
      engine
          .report(diag::bad_colors, decl.role.at,
                  fmt::format("`{}` is `out`, which a stencil with colours does not support",
                              decl.name.name))
          .help(
              "a stencil with colours changes `inout` fields in place; compute outputs in another "
              "stencil");
    return ir::Role::output;
  }
  if (!role.empty()) {
    const std::string& name = decl.name.name;
    const bool turned = name == "out" || name == "inout" || name == "readonly";
    if (turned) scope.rejected.insert(role);
    engine.report(diag::bad_role, decl.role.at, fmt::format("there is no role `{}`", role))
        .help(turned ? fmt::format("the role comes after the name: `{} {}`", role, name)
                     : "the roles are in, out, inout and readonly");
  }
  return is_assigned(decl.name.name, source) ? updated : ir::Role::input;
}

// The type to which reads are converted.
ir::Type resolve_compute(const ast::Fields& fields, ir::Type type, diag::Engine& engine) {
  const ir::Type usual = ir::is_half(type) ? ir::Type::f32 : type;
  if (!fields.has_compute) return usual;
  const auto compute = resolve_type(fields.compute, engine);
  if (!compute) return usual;
  if (!ir::is_float(type)) {
    engine
        .report(diag::type_clash, fields.compute.at,
                fmt::format("`compute {}` does not apply to fields of `{}`", ir::name(*compute),
                            ir::name(type)))
        .help(fmt::format("integers are computed in `i32`, or in the type of their operands; write "
                          "`{}(...)` around a read for another type",
                          ir::is_float(*compute) ? ir::name(*compute) : "i64"));
    return usual;
  }
  if (*compute == ir::Type::f32 || *compute == ir::Type::f64) {
    if (*compute >= type) return *compute;
    engine
        .report(diag::narrowing, fields.compute.at,
                fmt::format("`compute {}` is narrower than the fields, which are `{}`",
                            ir::name(*compute), ir::name(type)))
        .help(fmt::format("write `{}`, or leave out the clause", ir::name(usual)),
              fields.compute.at, std::string(ir::name(usual)));
    return usual;
  }
  engine
      .report(diag::type_clash, fields.compute.at,
              fmt::format(
                  "no arithmetic is done in `{}`{}", ir::name(*compute),
                  ir::is_half(*compute) ? ", which is a storage type" : " for a field of floats"))
      .help("write `compute f32` or `compute f64`");
  return usual;
}

// sx(x): an ordered subset of the axes.
bool resolve_axes(const ast::FieldDecl& decl, ir::Field& field, Scope& scope,
                  diag::Engine& engine) {
  if (!decl.has_axes) return true;
  field.along = {};
  int before = -1;
  for (const ast::Ident& axis : decl.axes) {
    const Symbol* symbol = find_declared(axis, Symbol::axis, "an axis", scope, engine);
    if (!symbol) return false;
    if (symbol->index <= before) {
      engine
          .report(diag::bad_axes, axis.at,
                  fmt::format(
                      "the axes of `{}` have to be in the order of the stencil, each at most once",
                      field.name))
          .note(
              fmt::format("the stencil has the axes `{}`", fmt::join(scope.stencil.axes, "`, `")));
      return false;
    }
    before = symbol->index;
    field.along[symbol->index] = true;
  }
  const bool whole = static_cast<int>(decl.axes.size()) == scope.stencil.rank();
  if (whole || field.role == ir::Role::input) {
    for (int a = scope.stencil.rank(); a < ir::kMaxRank; ++a) field.along[a] = true;
    return true;
  }
  engine
      .report(diag::bad_role, decl.name.at,
              fmt::format("`{}` is updated, but it does not have all axes", field.name))
      .help(fmt::format("an update computes a value for each cell of the grid: declare `{}` on all "
                        "axes, or use `reduce`",
                        field.name));
  return false;
}

// Sets the boundary of one field that has none yet. False after an error.
bool bound(const ast::Boundary& boundary, int index, const diag::Range& at, Scope& scope,
           Expressions& expressions, diag::Engine& engine) {
  ir::Field& field = scope.stencil.fields[index];
  if (scope.bounded.count(index)) {
    engine
        .report(diag::boundary_unusable, at, fmt::format("`{}` has a second boundary", field.name))
        .note("the first is here", scope.bounded.at(index))
        .help(
            "write all sides in one boundary: `boundary { x: periodic; y.lo: zero; y.hi: clamp; "
            "}`");
    return false;
  }
  scope.bounded.emplace(index, at);
  const int errors = engine.errors();
  expressions.start_statement();
  field.boundary = resolve_boundary(boundary, field, scope, expressions, engine);
  return engine.errors() == errors;
}

}  // namespace

void declare_fields(const ast::Fields& fields, const ast::Stencil& source, Scope& scope,
                    diag::Engine& engine) {
  const auto known = resolve_type(fields.type, engine);
  const ir::Type type = known.value_or(ir::Type::f32);
  const ir::Type compute = resolve_compute(fields, type, engine);
  if (known && compute == ir::Type::f64) scope.real = ir::Type::f64;
  for (const ast::FieldDecl& decl : fields.decls) {
    if (scope.stencil.fields.size() >= kMaxFields) {
      scope.rejected.insert(decl.name.name);
      if (std::exchange(scope.too_many_fields, true)) continue;
      engine.report(diag::size_limit, decl.name.at, fmt::format("more than {} fields", kMaxFields));
      continue;
    }
    if (!enter(decl.name, Symbol::field, scope.stencil.fields.size(), scope, engine)) continue;
    ir::Field field;
    field.name = decl.name.name;
    field.type = type;
    field.compute = compute;
    field.role = resolve_role(decl, source, scope, engine);
    if (!resolve_axes(decl, field, scope, engine)) {
      field.along = {true, true, true};
      scope.rejected.insert(field.name);
    }
    scope.stencil.fields.push_back(std::move(field));
    scope.field_sites.push_back(decl.name.at);
  }
}

void bound_fields(const ast::Stencil& source, Scope& scope, Expressions& expressions,
                  diag::Engine& engine) {
  std::vector<ir::Field>& known = scope.stencil.fields;
  for (size_t number = 0; number < source.items.size(); ++number) {
    const ast::Item& item = source.items[number];
    const ir::Boundary* broken = nullptr;  // reported once, not once per field
    const auto bind = [&](const ast::Boundary& boundary, int index, const diag::Range& at) {
      scope.bounded_by.emplace(index, number);
      if (broken)
        known[index].boundary = *broken;
      else if (!bound(boundary, index, at, scope, expressions, engine))
        broken = &known[index].boundary;
    };
    if (const auto* fields = std::get_if<ast::Fields>(&item.node); fields && fields->has_boundary)
      for (const ast::FieldDecl& decl : fields->decls) {
        const auto& sites = scope.field_sites;
        const auto site = std::find(sites.begin(), sites.end(), decl.name.at);
        if (site == sites.end()) continue;
        bind(fields->boundary, static_cast<int>(site - sites.begin()), fields->boundary.at);
      }
    if (const auto* boundaries = std::get_if<ast::Boundaries>(&item.node))
      for (const ast::Ident& name : boundaries->fields) {
        Symbol* symbol = find_declared(name, Symbol::field, "a field", scope, engine);
        if (!symbol) continue;
        --symbol->uses;  // a boundary does not count as a use of a field
        bind(boundaries->boundary, symbol->index, name.at);
      }
  }
  scope.boundaries_known = true;
}

}  // namespace stencilc::sema
