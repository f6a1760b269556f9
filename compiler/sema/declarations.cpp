#include "sema/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/boundary.h"
#include "sema/types.h"

namespace stencilc::sema {
namespace {

constexpr size_t kMaxFields = 256;

// Enters a name; reports a second declaration and names the language needs itself.
bool enter(const ast::Ident& ident, Symbol::Kind kind, int index, Scope& scope,
           diag::Engine& engine) {
  const std::string& name = ident.name;
  if (name == "t" || is_keyword(name) || is_builtin_function(name) || is_later_type(name)) {
    engine.report(diag::reserved_name, ident.at,
                  name == "t" ? "`t` is the time index"
                              : fmt::format("`{}` has a meaning of its own in the language", name));
    scope.rejected.insert(name);
    return false;
  }
  const auto [place, fresh] = scope.symbols.try_emplace(name, Symbol{kind, index, ident.at});
  if (fresh) return true;
  scope.rejected.insert(name);
  if (place->second.kind == Symbol::extent)
    engine.report(diag::reserved_name, ident.at,
                  fmt::format("`{}` is the extent along the axis `{}`", name, name.substr(1)));
  else
    engine.report(diag::duplicate_name, ident.at, fmt::format("`{}` is declared twice", name))
        .note("it is declared here first", place->second.declared);
  return false;
}

std::optional<ir::Type> resolve_type(const ast::Ident& type, diag::Engine& engine) {
  if (const auto known = find_type(type.name)) return known;
  if (is_later_type(type.name)) {
    engine.report(diag::not_in_this_version, type.at, fmt::format("the type `{}`", type.name))
        .help("use `f32`", type.at, "f32");
    return {};
  }
  diag::Diagnostic& d =
      engine.report(diag::unknown_type, type.at, fmt::format("there is no type `{}`", type.name));
  static const std::pair<const char*, const char*> kElsewhere[] = {
      {"float", "f32"}, {"double", "f64"}, {"int", "i32"},  {"long", "i64"}, {"short", "i16"},
      {"char", "i8"},   {"uchar", "u8"},   {"real", "f32"}, {"uint8", "u8"}};
  for (const auto& [theirs, ours] : kElsewhere)
    if (type.name == theirs) {
      d.help(fmt::format("write `{}`", ours), type.at, ours);
      return {};
    }
  const std::string close =
      diag::nearest(type.name, {"f64", "f32", "i64", "i32", "i16", "u16", "i8", "u8", "bool"});
  if (!close.empty())
    d.help(fmt::format("did you mean `{}`?", close), type.at, close);
  else
    d.help("the types are f64, f32, i64, i32, i16, u16, i8, u8 and bool");
  return {};
}

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
    engine.report(diag::bad_axes, axes->names[ir::kMaxRank].at,
                  fmt::format("{} axes; there are at most {}", axes->names.size(), ir::kMaxRank));
    return false;
  }
  bool good = true;
  for (size_t a = 0; a < axes->names.size(); ++a) {
    good &= enter(axes->names[a], Symbol::axis, static_cast<int>(a), scope, engine);
    scope.stencil.axes.push_back(axes->names[a].name);
  }
  for (size_t a = 0; a < axes->names.size() && good; ++a)
    scope.symbols.try_emplace("n" + axes->names[a].name,
                              Symbol{Symbol::extent, static_cast<int>(a), axes->names[a].at});
  return good;
}

// The number behind -D name=, as a literal.
std::optional<Literal> define_value(const std::string& text) {
  Literal literal;
  const char *begin = text.data(), *end = begin + text.size();
  if (const auto r = std::from_chars(begin, end, literal.integer);
      r.ec == std::errc() && r.ptr == end) {
    literal.integral = true;
    literal.real = static_cast<double>(literal.integer);
    return literal;
  }
  if (const auto r = std::from_chars(begin, end, literal.real); r.ec == std::errc() && r.ptr == end)
    return literal;
  if (text == "true" || text == "false")
    return Literal{true, text == "true", text == "true" ? 1.0 : 0.0};
  return {};
}

void declare_params(const ast::Params& params, const Defines& defines, Scope& scope,
                    Expressions& expressions, diag::Engine& engine) {
  const auto type = resolve_type(params.type, engine);
  for (const ast::ParamDecl& decl : params.decls) {
    const auto define = std::find_if(defines.begin(), defines.end(),
                                     [&](const auto& d) { return d.first == decl.name.name; });
    if (define != defines.end()) {  // fixed by -D: a constant
      if (!enter(decl.name, Symbol::constant, static_cast<int>(scope.constants.size()), scope,
                 engine))
        continue;
      scope.defined.insert(decl.name.name);
      const auto literal = define_value(define->second);
      if (!literal)
        engine.report(diag::bad_define, decl.name.at,
                      fmt::format("`-D {}={}` gives no number", decl.name.name, define->second));
      const auto value =
          literal && type ? expressions.adopt(*literal, *type, decl.name.at) : std::nullopt;
      scope.constants.push_back(value.value_or(ir::Scalar{type.value_or(ir::Type::f32)}));
      continue;
    }
    if (!enter(decl.name, Symbol::param, static_cast<int>(scope.stencil.params.size()), scope,
               engine))
      continue;
    scope.stencil.params.push_back({decl.name.name, type.value_or(ir::Type::f32)});
  }
}

// Initial values, when all names are known.
void initialise_params(const ast::Params& params, Scope& scope, Expressions& expressions) {
  for (const ast::ParamDecl& decl : params.decls) {
    const auto symbol = scope.symbols.find(decl.name.name);
    if (!decl.init || symbol == scope.symbols.end() || symbol->second.kind != Symbol::param)
      continue;
    const auto number = expressions.constant_number(decl.init, {}, "the default of a param");
    if (!number) continue;
    ir::Param& param = scope.stencil.params[symbol->second.index];
    const auto value = expressions.adopt(*number, param.type, decl.init->at);
    if (!value) continue;
    param.has_default = true;
    param.value = *value;
  }
}

void declare_const(const ast::Const& decl, Scope& scope, Expressions& expressions,
                   diag::Engine& engine) {
  const auto type = resolve_type(decl.type, engine);
  if (!type) {
    scope.symbols.try_emplace(
        decl.name.name,
        Symbol{Symbol::constant, static_cast<int>(scope.constants.size()), decl.name.at});
    scope.constants.push_back({});
    return;
  }
  expressions.start_statement();
  std::optional<Literal> divisor;
  if (decl.divisor) {
    divisor = expressions.constant_number(decl.divisor, {}, "the divisor");
    if (divisor && divisor->real == 0)
      engine.report(diag::division_by_zero, decl.divisor->at, "the divisor is the constant 0");
    if (!divisor || divisor->real == 0) divisor = Literal{true, 1, 1};
  }
  const auto value_of = [&](const ast::ExprPtr& expr) {
    const auto number = expressions.constant_number(expr, {}, "the value of a const");
    if (!number) return ir::Scalar{*type};
    Literal literal = *number;
    if (divisor) literal = {false, 0, literal.real / divisor->real};
    return expressions.adopt(literal, *type, expr->at).value_or(ir::Scalar{*type});
  };
  if (decl.extents.empty()) {
    const ir::Scalar value = decl.values.empty() ? ir::Scalar{*type} : value_of(decl.values[0]);
    if (enter(decl.name, Symbol::constant, static_cast<int>(scope.constants.size()), scope, engine))
      scope.constants.push_back(value);
    return;
  }
  Weights weights{decl.name, *type, {}, {}};
  int64_t count = 1;
  for (const ast::Const::Extent& extent : decl.extents) {
    const auto first = expressions.constant_integer(extent.first, {}, "the bound of a range");
    const auto last = expressions.constant_integer(extent.last, {}, "the bound of a range");
    if (!first || !last) return;
    if (*last < *first || *last - *first > 1000) {
      engine.report(diag::weight_count, extent.first->at,
                    fmt::format("the range {}..{} is {}", *first, *last,
                                *last < *first ? "empty" : "too long"));
      return;
    }
    weights.ranges.emplace_back(*first, *last);
    count *= *last - *first + 1;
  }
  if (static_cast<int64_t>(decl.values.size()) != count) {
    engine.report(diag::weight_count, decl.name.at,
                  fmt::format("{} values for the ranges of `{}`, which hold {}", decl.values.size(),
                              decl.name.name, count));
    weights.values.assign(static_cast<size_t>(std::min<int64_t>(count, 1'000'000)),
                          ir::Scalar{*type});
  } else {
    for (const ast::ExprPtr& value : decl.values) weights.values.push_back(value_of(value));
  }
  if (enter(decl.name, Symbol::weights, static_cast<int>(scope.weights.size()), scope, engine))
    scope.weights.push_back(std::move(weights));
}

// What the updates say of a field: assigned at [t+1], assigned plainly, or not at all.
enum class Assigned { no, stepped, plain };
Assigned assigned(const std::string& name, const ast::Stencil& source) {
  for (const ast::Item& item : source.items) {
    const auto* update = std::get_if<ast::Update>(&item.node);
    if (update && update->target.name == name)
      return update->has_args ? Assigned::stepped : Assigned::plain;
  }
  return Assigned::no;
}

ir::Role resolve_role(const ast::FieldDecl& decl, const ast::Stencil& source,
                      diag::Engine& engine) {
  const Assigned how = assigned(decl.name.name, source);
  const std::string role = decl.has_role ? decl.role.name : "";
  if (role == "in" || role == "readonly") return ir::Role::input;
  if (role == "out") return ir::Role::output;
  if (role == "inout") return ir::Role::stepped;
  if (!role.empty()) {
    diag::Diagnostic& d =
        engine.report(diag::bad_role, decl.role.at, fmt::format("there is no role `{}`", role));
    d.help("the roles are in, out, inout and readonly");
  }
  return how == Assigned::no ? ir::Role::input : ir::Role::stepped;
}

void declare_fields(const ast::Fields& fields, const ast::Stencil& source, Scope& scope,
                    diag::Engine& engine) {
  const auto type = resolve_type(fields.type, engine);
  for (const ast::FieldDecl& decl : fields.decls) {
    if (decl.has_axes) {
      const bool whole =
          decl.axes.size() == scope.stencil.axes.size() &&
          std::equal(decl.axes.begin(), decl.axes.end(), scope.stencil.axes.begin(),
                     [](const ast::Ident& a, const std::string& b) { return a.name == b; });
      if (!whole)
        engine
            .report(diag::not_in_this_version, decl.name.at,
                    fmt::format("`{}` with axes of its own", decl.name.name))
            .help("declare it on all axes, and fill it along the others");
    }
    if (scope.stencil.fields.size() >= kMaxFields) {
      engine.report(diag::size_limit, decl.name.at, fmt::format("more than {} fields", kMaxFields));
      return;
    }
    if (!enter(decl.name, Symbol::field, static_cast<int>(scope.stencil.fields.size()), scope,
               engine))
      continue;
    ir::Field field;
    field.name = decl.name.name;
    field.type = type.value_or(ir::Type::f32);
    field.compute = ir::is_half(field.type) ? ir::Type::f32 : field.type;
    field.role = resolve_role(decl, source, engine);
    scope.stencil.fields.push_back(std::move(field));
    scope.field_sites.push_back(decl.name.at);
    if (type == ir::Type::f64) scope.real = ir::Type::f64;
    scope.future_reads.emplace_back();
  }
}

// The boundary of the fields of one declaration: its value may be any const.
void bound_fields(const ast::Fields& fields, Scope& scope, Expressions& expressions,
                  diag::Engine& engine) {
  if (!fields.has_boundary) return;
  const int errors = engine.errors();
  for (const ast::FieldDecl& decl : fields.decls)
    for (size_t f = 0; f < scope.field_sites.size(); ++f) {
      if (!(scope.field_sites[f] == decl.name.at)) continue;
      ir::Field& field = scope.stencil.fields[f];
      field.boundary = resolve_boundary(fields.boundary, field, scope, expressions, engine);
      if (engine.errors() != errors) return;  // said once, not once a field
    }
}

void declare_function(const ast::Function& function, Scope& scope, diag::Engine& engine) {
  if (!enter(function.name, Symbol::function, static_cast<int>(scope.functions.size()), scope,
             engine))
    return;
  scope.functions.push_back(&function);
  for (size_t i = 0; i < function.params.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (function.params[i].name == function.params[j].name)
        engine
            .report(diag::duplicate_name, function.params[i].at,
                    fmt::format("`{}` is declared twice", function.params[i].name))
            .note("it is declared here first", function.params[j].at);
}

}  // namespace

bool declare(const ast::Program& program, const ast::Stencil& source, const Defines& defines,
             Scope& scope, Expressions& expressions, diag::Engine& engine) {
  scope.stencil.name = source.name.name;
  if (!declare_axes(source, scope, engine)) return false;
  for (const ast::Function& function : program.functions) declare_function(function, scope, engine);
  // Names in the order they are declared in; defaults and boundaries, which may need any const,
  // when all are known.
  for (const ast::Item& item : source.items) {
    if (const auto* params = std::get_if<ast::Params>(&item.node))
      declare_params(*params, defines, scope, expressions, engine);
    if (const auto* decl = std::get_if<ast::Const>(&item.node))
      declare_const(*decl, scope, expressions, engine);
    if (const auto* function = std::get_if<ast::Function>(&item.node))
      declare_function(*function, scope, engine);
    if (const auto* let = std::get_if<ast::Let>(&item.node))
      if (enter(let->name, Symbol::let, static_cast<int>(scope.lets.size()), scope, engine))
        scope.lets.push_back({let->name, let->value});
    if (const auto* fields = std::get_if<ast::Fields>(&item.node))
      declare_fields(*fields, source, scope, engine);
  }
  for (const ast::Item& item : source.items)
    if (const auto* params = std::get_if<ast::Params>(&item.node))
      initialise_params(*params, scope, expressions);
  for (const ast::Item& item : source.items)
    if (const auto* fields = std::get_if<ast::Fields>(&item.node))
      bound_fields(*fields, scope, expressions, engine);
  for (const auto& [name, value] : defines)
    if (!scope.defined.count(name)) {
      diag::Diagnostic& d =
          engine.report(diag::bad_define, source.name.at,
                        fmt::format("`-D {}=...` names no param of `{}`", name, source.name.name));
      const std::string close = diag::nearest(name, scope.names());
      if (!close.empty()) d.help(fmt::format("did you mean `{}`?", close));
    }
  return true;
}

}  // namespace stencilc::sema
