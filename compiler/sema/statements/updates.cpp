#include "sema/statements/updates.h"

#include <fmt/format.h>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/dependences/stages.h"
#include "sema/statements/domains.h"

namespace stencilc::sema {
namespace {

void report_undeclared(const ast::Ident& target, const Scope& scope, diag::Engine& engine) {
  diag::Diagnostic& d = engine.report(diag::unknown_name, target.at,
                                      fmt::format("`{}` is not declared", target.name));
  std::vector<std::string> fields;
  for (const ir::Field& field : scope.stencil.fields) fields.push_back(field.name);
  const std::string close = diag::nearest(target.name, fields);
  if (!close.empty())
    d.help(fmt::format("did you mean `{}`?", close), target.at, close);
  else
    d.help(
        fmt::format("declare it: `field f32 {0};`, or `let {0} = ...;` for an intermediate value",
                    target.name));
}

// Checks that the left side is the cell itself, at the right time.
bool check_target(const ast::Update& update, const Site& site, const ir::Field& field,
                  const ast::Range& declared, diag::Engine& engine) {
  const std::string& name = field.name;
  if (site.offset != ir::Offset{}) {
    engine
        .report(diag::not_assignable, update.target_at,
                "an update assigns the cell itself, not a neighbour")
        .help(fmt::format("write `{}[t+1] = ...` and shift every offset the other way", name));
    return false;
  }
  switch (field.role) {
    case ir::Role::input:
      engine
          .report(diag::not_assignable, update.target.at,
                  fmt::format("`{}` is read-only and cannot be assigned", name))
          .note("it is declared here", declared);
      return false;
    case ir::Role::stepped: {
      if (site.time == 1) return true;
      diag::Diagnostic& d = engine.report(
          diag::time_index, update.target_at,
          site.time == 0
              ? fmt::format("`{}` is assigned without `[t+1]`", name)
              : fmt::format("`{}` is assigned at t{:+}; a step computes t+1", name, site.time));
      d.help(fmt::format("declare `{}` as `out` if every step computes it anew; otherwise write",
                         name),
             update.target_at, name + "[t+1]");
      if (site.time == 0) d.help("to update in place, add colours: `color NAMES by SUM % COUNT;`");
      return false;
    }
    case ir::Role::output:
      if (site.time == 0) return true;
      engine
          .report(diag::time_index, update.target_at,
                  fmt::format("`{}` is an `out` field, which has no time levels", name))
          .note("it is declared here", declared)
          .help(fmt::format("write `{} = ...`", name), update.target_at, name);
      return false;
    case ir::Role::in_place:
      break;
  }
  if (site.time == 0) return true;
  engine
      .report(diag::time_index, update.target_at,
              fmt::format("`{}` is assigned at t{:+}, but a stencil with colours updates in place",
                          name, site.time))
      .help(fmt::format("write `{} = ...`", name), update.target_at, name);
  return false;
}

// Integers that are computed in i32.
bool is_narrow(ir::Type type) { return ir::is_integer(type) && ir::arithmetic(type) != type; }

// The right side; for `u[t+1] += e` it is `u[t+1] + e`, or `u + e` if nothing has assigned `u[t+1]`
// before. A cast converts it back if the type computes in a wider one.
ast::ExprPtr right_side(const ast::Update& update, const ir::Field& field, bool assigned) {
  ast::Binary::Op op = ast::Binary::add;
  switch (update.op) {
    case ast::Update::assign:
      return update.value;
    case ast::Update::add:
      break;
    case ast::Update::sub:
      op = ast::Binary::sub;
      break;
    case ast::Update::mul:
      op = ast::Binary::mul;
      break;
    case ast::Update::div:
      op = ast::Binary::div;
      break;
  }
  const ast::Range at = {update.target_at.begin, update.value->at.end, update.target_at.file};
  const bool begins = field.role == ir::Role::stepped && !assigned;
  const ast::ExprPtr own =
      update.has_args && !begins
          ? ast::make(update.target_at, ast::Access{update.target, update.args})
          : ast::make(update.target_at, ast::Name{update.target.name});
  const ast::ExprPtr value = ast::make(at, ast::Binary{op, own, update.value});
  if (!is_narrow(field.compute)) return value;
  return ast::make(at, ast::Call{{std::string(ir::name(field.compute)), at}, {value}, {}});
}

// What is added to a field must have its type, like what is assigned to it. The report is about the
// added value only, since a cast can enclose it.
bool check_operand(const ast::Update& update, const ir::Field& field, Expressions& expressions) {
  if (update.op == ast::Update::assign || !is_narrow(field.compute)) return true;
  return expressions.assign(expressions.evaluate(update.value, {}, field.compute), field.compute,
                            update.value->at, fmt::format("the field `{}`", field.name)) != nullptr;
}

ir::Update& update_of(int field, ir::Stencil& stencil) {
  const int known = stencil.update_of(field);
  if (known >= 0) return stencil.updates[known];
  stencil.updates.push_back({field, {}});
  return stencil.updates.back();
}

}  // namespace

ir::ExprPtr assigned_value(const ast::ExprPtr& value, const ir::Field& field,
                           Expressions& expressions) {
  const Operand operand = expressions.evaluate(value, {}, field.compute);
  if (operand.kind == Operand::literal)
    return expressions.assign(operand, field.type, value->at, "");
  const ir::ExprPtr result = expressions.assign(
      operand, field.compute, value->at,
      fmt::format("{}the field `{}`", field.compute == field.type ? "" : "the arithmetic of ",
                  field.name));
  return result ? ir::cast(field.type, result) : nullptr;
}

void analyse_update(const ast::Update& update, Scope& scope, Expressions& expressions,
                    diag::Engine& engine) {
  const std::string& name = update.target.name;
  if (scope.rejected.count(name)) return;
  const auto found = scope.symbols.find(name);
  if (found == scope.symbols.end()) {
    if (!scope.partial) report_undeclared(update.target, scope, engine);
    scope.rejected.insert(name);
    return;
  }
  if (found->second.kind != Symbol::field) {
    engine
        .report(diag::not_assignable, update.target.at,
                fmt::format("`{}` is assigned, but it is not a field", name))
        .note("it is declared here", found->second.declared);
    return;
  }
  const int index = found->second.index;
  const ir::Field& field = scope.stencil.fields[index];
  const bool again = field.role == ir::Role::in_place && scope.stencil.update_of(index) >= 0;
  expressions.start_statement(again ? index : -1);
  Site site;
  if (update.has_args) {
    const auto given = expressions.site(update.args, update.target_at, {}, &field);
    if (!given) return;
    site = *given;
  }
  if (!check_target(update, site, field, scope.field_sites[index], engine)) return;
  const bool assigned = scope.stencil.update_of(index) >= 0;
  const ir::ExprPtr value =
      check_operand(update, field, expressions)
          ? assigned_value(right_side(update, field, assigned), field, expressions)
          : nullptr;
  const auto domain = resolve_domain(update.where, scope, expressions, engine);
  ir::Update& all = update_of(index, scope.stencil);
  ir::Case one;
  one.source = update.target_at.begin;
  if (value && domain) {
    one.value = value;
    one.domain = *domain;
  }
  // After an error the value is a zero, so that nothing else is reported because of it.
  if (!one.value || !check_own_reads(one, all, update, scope, engine)) {
    one.value = ir::constant(ir::convert(ir::Scalar{}, field.type));
    one.domain = {};
  }
  all.cases.push_back(std::move(one));
}

}  // namespace stencilc::sema
