#include "sema/statements/points.h"

#include <fmt/format.h>

#include <set>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/dependences/stages.h"
#include "sema/statements/updates.h"
#include "sema/symbols/names.h"

namespace stencilc::sema {
namespace {

using ir::ExprPtr;

// The field that u[t+1] on the left side of an injection names, or -1 after an error.
int injected_field(const ast::Update& update, Scope& scope, Expressions& expressions,
                   diag::Engine& engine) {
  const Symbol* symbol = find_declared(update.target, Symbol::field, "a field", scope, engine);
  if (!symbol) return -1;
  const ir::Field& field = scope.stencil.fields[symbol->index];
  const std::string& name = field.name;
  if (field.role != ir::Role::stepped) {
    diag::Diagnostic& d = engine.report(
        diag::bad_points, update.target_at,
        fmt::format("`{}` is not stepped: there is no `{}[t+1]` to inject into", name, name));
    d.note("it is declared here", scope.field_sites[symbol->index]);
    if (field.role == ir::Role::in_place)
      d.help(fmt::format(
          "in a stencil with colours, add the source as a field: `field {} source readonly;`",
          ir::name(field.type)));
    else
      d.help(fmt::format("step it: `{0}[t+1] = {0};`", name));
    return -1;
  }
  const auto site = expressions.site(update.has_args ? update.args : std::vector<ast::ExprPtr>{},
                                     update.target_at, {}, &field);
  if (!site) return -1;
  if (site->time != 1 || site->offset != ir::Offset{}) {
    engine
        .report(diag::bad_points, update.target_at,
                "an injection adds to t+1 in the cell of the point")
        .help(fmt::format("write `{}[t+1] += ...`", name), update.target_at, name + "[t+1]");
    return -1;
  }
  if (field.type != ir::Type::boolean) return symbol->index;
  engine.report(diag::type_clash, update.target_at,
                fmt::format("`{}` is `bool`, and cannot be added to", name));
  return -1;
}

// Checks a value at a point: it may read fields in the cell of the point, and series of the same
// points.
bool check_point_value(const ExprPtr& value, int points, const char* what, const ast::Range& at,
                       const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  for (const ExprPtr& node : ir::nodes_of({value})) {
    const ast::Range place = site_of(node, at, scope);
    if (const auto* read = ir::as<ir::Read>(node); read && read->offset != ir::Offset{}) {
      engine
          .report(diag::bad_points, place,
                  fmt::format("{} reads `{}`, which is not in the cell of its point", what,
                              ir::print(node, stencil)))
          .help("compute the value into a field of its own, and read that");
      return false;
    }
    const auto* series = ir::as<ir::SeriesRef>(node);
    if (!series || stencil.series[series->series].points == points) continue;
    const ir::Series& given = stencil.series[series->series];
    engine
        .report(diag::bad_points, place,
                fmt::format("`{}` holds a value for each of the points `{}`, and {} is at `{}`",
                            given.name, stencil.points[given.points].name, what,
                            stencil.points[points].name))
        .help(fmt::format("inject at `{0}`, or declare `{1}({2})`",
                          stencil.points[given.points].name, given.name,
                          stencil.points[points].name));
    return false;
  }
  return true;
}

bool check_linear(int points, ir::Type type, const ast::Range& at, const Scope& scope,
                  diag::Engine& engine) {
  const ir::Points& list = scope.stencil.points[points];
  if (!list.linear || ir::is_float(type)) return true;
  engine
      .report(
          diag::bad_points, at,
          fmt::format("`{}` values cannot be interpolated at `{}`, whose points lie between cells",
                      ir::name(type), list.name))
      .help(fmt::format("use an `f32` field or series, or declare "
                        "`points {};` without `linear`",
                        list.name));
  return false;
}

// What is added: of `-=` the value with its sign changed, in the type of the field.
ast::ExprPtr added_value(const ast::Update& update, ir::Type type) {
  if (update.op != ast::Update::sub) return update.value;
  const ast::Range at = update.value->at;
  const ast::ExprPtr value = ast::make(at, ast::Unary{ast::Unary::neg, update.value});
  if (!ir::is_integer(type) || ir::arithmetic(type) == type) return value;
  return ast::make(at, ast::Call{{std::string(ir::name(type)), at}, {value}, {}});
}

}  // namespace

void analyse_injection(const ast::Inject& inject, Scope& scope, Expressions& expressions,
                       diag::Engine& engine) {
  const ast::Update& update = inject.update;
  if (is_full(scope.stencil.injections.size(), "injections", update.target, scope, engine)) return;
  expressions.start_statement();
  const int index = injected_field(update, scope, expressions, engine);
  const Symbol* points =
      find_declared(inject.points, Symbol::points, "a list of points", scope, engine);
  if (index < 0 || !points) return;
  const ir::Field& field = scope.stencil.fields[index];
  const Operand operand =
      expressions.evaluate(added_value(update, field.compute), {}, field.compute);
  const ExprPtr value = expressions.assign(operand, field.compute, update.value->at,
                                           fmt::format("the field `{}`", field.name));
  if (!value || !check_linear(points->index, field.type, update.target_at, scope, engine) ||
      !check_point_value(value, points->index, "an injection", update.value->at, scope, engine))
    return;
  for (const ExprPtr& node : ir::nodes_of({value})) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || read->level != 1) continue;
    engine
        .report(diag::bad_points, site_of(node, update.value->at, scope),
                fmt::format("an injection cannot read `{}`, which this step computes",
                            ir::print(node, scope.stencil)))
        .help("read level t or an input; the value is added to the result of the updates");
    return;
  }
  scope.stencil.injections.push_back({index, value, points->index, update.target_at.begin});
}

void analyse_sample(const ast::Sample& sample, Scope& scope, Expressions& expressions,
                    diag::Engine& engine) {
  const ast::Update& update = sample.update;
  expressions.start_statement();
  const Symbol* symbol = find_declared(update.target, Symbol::series, "a series", scope, engine);
  const Symbol* points =
      find_declared(sample.points, Symbol::points, "a list of points", scope, engine);
  if (!symbol || !points) return;
  ir::Series& series = scope.stencil.series[symbol->index];
  const auto site = expressions.site(update.has_args ? update.args : std::vector<ast::ExprPtr>{},
                                     update.target_at, {});
  if (!site) return;
  const bool named = update.has_args && update.args.size() == 1;
  if (!named || site->time != 0 || site->offset != ir::Offset{}) {
    engine.report(diag::bad_points, update.target_at, "a sample writes the value of step `t`")
        .help(fmt::format("write `{}[t] = ...`", series.name), update.target_at,
              series.name + "[t]");
    return;
  }
  if (series.points != points->index) {
    const std::string& own = scope.stencil.points[series.points].name;
    engine
        .report(diag::bad_points, sample.points.at,
                fmt::format("`{}` holds a value for each of the points `{}`, and the sample is at "
                            "`{}`",
                            series.name, own, sample.points.name))
        .help(fmt::format("write `at {}`", own), sample.points.at, own);
    return;
  }
  if (series.output) {
    engine
        .report(diag::double_assignment, update.target_at,
                fmt::format("there is a second sample into `{}`", series.name))
        .help("declare a series for each sample");
    return;
  }
  series.output = true;
  const ir::Type type = ir::is_half(series.type) ? ir::Type::f32 : series.type;
  const Operand operand = expressions.evaluate(update.value, {}, type);
  const ExprPtr value = expressions.assign(operand, type, update.value->at,
                                           fmt::format("the series `{}`", series.name));
  if (!value || !check_linear(points->index, series.type, update.target_at, scope, engine) ||
      !check_point_value(value, points->index, "a sample", update.value->at, scope, engine))
    return;
  ir::Sample result;
  result.series = symbol->index;
  result.value = ir::cast(series.type, value);
  result.points = points->index;
  result.source = update.target_at.begin;
  for (const ExprPtr& node : ir::nodes_of({value})) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || read->level != 1) continue;
    result.after = true;
    const ir::Field& field = scope.stencil.fields[read->field];
    if (field.role != ir::Role::in_place) continue;
    engine
        .report(diag::bad_points, site_of(node, update.value->at, scope),
                fmt::format("a stencil with colours has no `{}[t+1]` to sample", field.name))
        .help(fmt::format("write `{}`: the sample is taken before the sweeps of the step",
                          field.name));
    return;
  }
  scope.stencil.samples.push_back(std::move(result));
}

void check_series(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  const auto report = [&](const ExprPtr& node, const std::string& text, const std::string& help) {
    engine.report(diag::bad_points, site_of(node, {}, scope), text).help(help);
  };
  std::vector<ExprPtr> injected;
  for (const ir::Injection& one : stencil.injections) injected.push_back(one.value);
  for (const ExprPtr& node : ir::nodes_of(injected)) {
    const auto* series = ir::as<ir::SeriesRef>(node);
    if (!series || !stencil.series[series->series].output) continue;
    return report(node,
                  fmt::format("`{}` is both filled by a sample and injected",
                              stencil.series[series->series].name),
                  "declare two series: one is an input of the run, the other a result");
  }
  std::set<const ExprPtr*> injections;
  for (const ir::Injection& one : stencil.injections) injections.insert(&one.value);
  for (const ExprPtr* root : ir::roots(stencil)) {
    if (injections.count(root)) continue;
    for (const ExprPtr& node : ir::nodes_of({*root})) {
      const auto* series = ir::as<ir::SeriesRef>(node);
      if (!series) continue;
      return report(
          node,
          fmt::format("`{}[t]` has values at points only, and can be used only in an injection",
                      stencil.series[series->series].name),
          "add it at the points: `inject u[t+1] += ... at ...;`");
    }
  }
}

}  // namespace stencilc::sema
