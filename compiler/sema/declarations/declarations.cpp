#include "sema/declarations/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "diag/codes.h"
#include "sema/declarations/constants.h"
#include "sema/declarations/fields.h"
#include "sema/symbols/names.h"

namespace stencilc::sema {
namespace {

bool declare_axes(const ast::Stencil& source, Scope& scope, diag::Engine& engine) {
  const ast::Axes* axes = nullptr;
  for (const ast::Item& item : source.items) {
    const auto* found = std::get_if<ast::Axes>(&item.node);
    if (found && axes) {
      engine.report(diag::bad_axes, item.at, "the axes are declared twice");
      return false;
    }
    if (found) axes = found;
  }
  if (!axes) {
    if (scope.partial) return false;
    engine
        .report(diag::bad_axes, source.name.at,
                fmt::format("the stencil `{}` has no axes", source.name.name))
        .help("begin it with `axes x;`, `axes x, y;` or `axes x, y, z;`");
    return false;
  }
  if (axes->names.size() > ir::kMaxRank) {
    engine.report(
        diag::bad_axes, axes->names[ir::kMaxRank].at,
        fmt::format("{} axes are declared; the limit is {}", axes->names.size(), ir::kMaxRank));
    return false;
  }
  bool good = true;
  for (size_t a = 0; a < axes->names.size(); ++a) {
    good &= enter(axes->names[a], Symbol::axis, a, scope, engine);
    scope.stencil.axes.push_back(axes->names[a].name);
  }
  for (size_t a = 0; a < axes->names.size() && good; ++a)
    scope.symbols.try_emplace("n" + axes->names[a].name,
                              Symbol{Symbol::extent, static_cast<int>(a), axes->names[a].at});
  return good;
}

// The number of -D name=, as a literal.
std::optional<Literal> define_value(const std::string& text) {
  Literal literal;
  const char *begin = text.data(), *end = begin + text.size();
  if (const auto r = std::from_chars(begin, end, literal.integer);
      r.ec == std::errc() && r.ptr == end) {
    literal.integral = true;
    literal.exact = ir::whole(literal.integer);
    literal.real = static_cast<double>(literal.integer);
    return literal;
  }
  if (const auto r = std::from_chars(begin, end, literal.real);
      r.ec == std::errc() && r.ptr == end) {
    literal.exact = ir::as_decimal(literal.real);
    return literal;
  }
  if (text == "true" || text == "false") return literal_integer(text == "true").number;
  return {};
}

void declare_params(const ast::Params& params, const Defines& defines, Scope& scope,
                    Expressions& expressions, diag::Engine& engine) {
  const auto type = resolve_type(params.type, engine);
  for (const ast::ParamDecl& decl : params.decls) {
    const auto define = std::find_if(defines.begin(), defines.end(),
                                     [&](const auto& d) { return d.first == decl.name.name; });
    if (define != defines.end()) {  // -D makes it a constant
      if (!enter(decl.name, Symbol::constant, scope.constants.size(), scope, engine)) continue;
      scope.defined.insert(decl.name.name);
      const auto literal = define_value(define->second);
      if (!literal)
        engine.report(
            diag::bad_define, decl.name.at,
            fmt::format("`-D {}={}` does not give a number", decl.name.name, define->second));
      const auto value =
          literal && type ? expressions.adopt(*literal, *type, decl.name.at) : std::nullopt;
      scope.constants.push_back(value.value_or(ir::Constant{{type.value_or(ir::Type::f32)}, {}}));
      continue;
    }
    const size_t count = scope.stencil.params.size();
    if (is_full(count, "params", decl.name, scope, engine, kMostParams) ||
        !enter(decl.name, Symbol::param, count, scope, engine))
      continue;
    scope.stencil.params.push_back({decl.name.name, type.value_or(ir::Type::f32)});
  }
}

// Default values, when all names are known.
void initialise_params(const ast::Params& params, Scope& scope, Expressions& expressions) {
  for (const ast::ParamDecl& decl : params.decls) {
    const auto symbol = scope.symbols.find(decl.name.name);
    if (!decl.init || symbol == scope.symbols.end() || symbol->second.kind != Symbol::param)
      continue;
    expressions.start_statement();
    const auto number = expressions.constant_number(decl.init, {}, "the default of a param");
    if (!number) continue;
    ir::Param& param = scope.stencil.params[symbol->second.index];
    const auto value = expressions.adopt(*number, param.type, decl.init->at);
    if (!value) continue;
    param.has_default = true;
    param.value = value->value;
  }
}

void declare_function(const ast::Function& function, Scope& scope, diag::Engine& engine) {
  if (!enter(function.name, Symbol::function, scope.functions.size(), scope, engine)) return;
  scope.functions.push_back(&function);
  if (function.params.size() > kMostOfAKind)
    engine.report(diag::size_limit, function.params[kMostOfAKind].at,
                  fmt::format("a function has more than {} parameters", kMostOfAKind));
  std::map<std::string, diag::Range> known;
  for (const ast::Ident& param : function.params)
    if (const auto [first, fresh] = known.try_emplace(param.name, param.at); !fresh)
      engine
          .report(diag::duplicate_name, param.at, fmt::format("`{}` is declared twice", param.name))
          .note("it is first declared here", first->second);
}

// points src, rec linear;
void declare_points(const ast::Points& points, Scope& scope, diag::Engine& engine) {
  for (const ast::Points::Decl& decl : points.decls)
    if (!is_full(scope.stencil.points.size(), "lists of points", decl.name, scope, engine) &&
        enter(decl.name, Symbol::points, scope.stencil.points.size(), scope, engine))
      scope.stencil.points.push_back({decl.name.name, decl.linear});
}

// series f32 amp(src); its points may be declared later.
void declare_series(const ast::Series& series, Scope& scope, diag::Engine& engine) {
  const auto type = resolve_type(series.type, engine);
  for (const ast::Series::Decl& decl : series.decls)
    if (!is_full(scope.stencil.series.size(), "series", decl.name, scope, engine) &&
        enter(decl.name, Symbol::series, scope.stencil.series.size(), scope, engine))
      scope.stencil.series.push_back({decl.name.name, type.value_or(ir::Type::f32)});
}

void place_series(const ast::Series& series, Scope& scope, diag::Engine& engine) {
  for (const ast::Series::Decl& decl : series.decls) {
    const Symbol* points =
        find_declared(decl.points, Symbol::points, "a list of points", scope, engine);
    const auto own = scope.symbols.find(decl.name.name);
    if (!points)
      scope.rejected.insert(decl.name.name);
    else if (own != scope.symbols.end() && own->second.kind == Symbol::series)
      scope.stencil.series[own->second.index].points = points->index;
  }
}

void declare_reduction(const ast::Reduce& reduce, Scope& scope, diag::Engine& engine) {
  if (is_full(scope.stencil.reductions.size(), "reductions", reduce.name, scope, engine) ||
      !enter(reduce.name, Symbol::reduction, scope.stencil.reductions.size(), scope, engine))
    return;
  ir::Reduction reduction;
  reduction.name = reduce.name.name;
  scope.stencil.reductions.push_back(std::move(reduction));
}

// Declares what is outside of stencils, for all of them.
void declare_file(const ast::Program& program, Scope& scope, Expressions& expressions,
                  diag::Engine& engine) {
  const int errors = engine.errors();
  for (const ast::Function& function : program.functions) declare_function(function, scope, engine);
  for (const ast::Const& decl : program.constants) declare_const(decl, scope, expressions, engine);
  scope.file_failed = engine.errors() != errors;
  for (auto& [name, symbol] : scope.symbols)
    symbol.of_file = symbol.kind == Symbol::function || symbol.kind == Symbol::constant ||
                     symbol.kind == Symbol::weights;
}

void declare_item(const ast::Item& item, const ast::Stencil& source, const Defines& defines,
                  Scope& scope, Expressions& expressions, diag::Engine& engine) {
  if (const auto* params = std::get_if<ast::Params>(&item.node))
    declare_params(*params, defines, scope, expressions, engine);
  if (const auto* decl = std::get_if<ast::Const>(&item.node))
    declare_const(*decl, scope, expressions, engine);
  if (const auto* weights = std::get_if<ast::Weights>(&item.node))
    declare_weights(*weights, scope, expressions, engine);
  if (const auto* function = std::get_if<ast::Function>(&item.node))
    declare_function(*function, scope, engine);
  if (const auto* let = std::get_if<ast::Let>(&item.node))
    if (enter(let->name, Symbol::let, scope.lets.size(), scope, engine))
      scope.lets.push_back({let->name, let->value});
  if (const auto* fields = std::get_if<ast::Fields>(&item.node))
    declare_fields(*fields, source, scope, engine);
  if (const auto* points = std::get_if<ast::Points>(&item.node))
    declare_points(*points, scope, engine);
  if (const auto* series = std::get_if<ast::Series>(&item.node))
    declare_series(*series, scope, engine);
  if (const auto* reduce = std::get_if<ast::Reduce>(&item.node))
    declare_reduction(*reduce, scope, engine);
  if (const auto* color = std::get_if<ast::Color>(&item.node))
    for (const ast::Ident& name : color->names) enter(name, Symbol::color, 0, scope, engine);
}

// The names that an item declares.
std::vector<ast::Ident> names_of(const ast::Item& item) {
  std::vector<ast::Ident> names;
  const auto add = [&](const auto& decls) {
    for (const auto& decl : decls) names.push_back(decl.name);
  };
  if (const auto* params = std::get_if<ast::Params>(&item.node)) add(params->decls);
  if (const auto* decl = std::get_if<ast::Const>(&item.node)) names = {decl->name};
  if (const auto* weights = std::get_if<ast::Weights>(&item.node)) add(weights->decls);
  if (const auto* function = std::get_if<ast::Function>(&item.node)) names = {function->name};
  if (const auto* let = std::get_if<ast::Let>(&item.node)) names = {let->name};
  if (const auto* fields = std::get_if<ast::Fields>(&item.node)) add(fields->decls);
  if (const auto* points = std::get_if<ast::Points>(&item.node)) add(points->decls);
  if (const auto* series = std::get_if<ast::Series>(&item.node)) add(series->decls);
  if (const auto* reduce = std::get_if<ast::Reduce>(&item.node)) names = {reduce->name};
  if (const auto* color = std::get_if<ast::Color>(&item.node)) names = color->names;
  return names;
}

}  // namespace

bool declare(const ast::Program& program, const ast::Stencil& source, const Defines& defines,
             Scope& scope, Expressions& expressions, diag::Engine& engine) {
  scope.stencil.name = source.name.name;
  if (!declare_axes(source, scope, engine)) return false;
  for (const ast::Const& decl : program.constants)
    scope.declarations.try_emplace(decl.name.name, decl.name.at);
  declare_file(program, scope, expressions, engine);
  for (const ast::Item& item : source.items)
    for (const ast::Ident& name : names_of(item))
      scope.declarations.try_emplace(name.name, name.at);
  // Names in the order of their declaration first. Defaults and boundaries, which may use any
  // constant, follow when all names are known.
  for (const ast::Item& item : source.items)
    declare_item(item, source, defines, scope, expressions, engine);
  for (const ast::Item& item : source.items) {
    if (const auto* params = std::get_if<ast::Params>(&item.node))
      initialise_params(*params, scope, expressions);
    if (const auto* series = std::get_if<ast::Series>(&item.node))
      place_series(*series, scope, engine);
  }
  finish_weights(source, scope, engine);
  bound_fields(source, scope, expressions, engine);
  return true;
}

}  // namespace stencilc::sema
