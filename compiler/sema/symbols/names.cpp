#include "sema/symbols/names.h"

#include <fmt/format.h>

#include "diag/codes.h"
#include "sema/symbols/builtins.h"
#include "sema/symbols/types.h"

namespace stencilc::sema {

bool is_full(size_t count, const std::string& kind, const ast::Ident& next, Scope& scope,
             diag::Engine& engine, size_t most) {
  if (count < most) return false;
  if (kind != "injections") scope.rejected.insert(next.name);  // injections declare no name
  if (scope.too_many.insert(kind).second)
    engine.report(diag::size_limit, next.at, fmt::format("there are more than {} {}", most, kind));
  return true;
}

bool enter(const ast::Ident& ident, Symbol::Kind kind, size_t index, Scope& scope,
           diag::Engine& engine) {
  const std::string& name = ident.name;
  if (name == "t" || is_keyword(name) || is_builtin_function(name) || is_later_type(name)) {
    engine.report(diag::reserved_name, ident.at,
                  name == "t" ? "`t` is the time index"
                              : fmt::format("`{}` already has a meaning in the language", name));
    scope.rejected.insert(name);
    return false;
  }
  const auto [place, fresh] =
      scope.symbols.try_emplace(name, Symbol{kind, static_cast<int>(index), ident.at});
  if (fresh) return true;
  scope.rejected.insert(name);
  if (place->second.kind == Symbol::extent)
    engine.report(diag::reserved_name, ident.at,
                  fmt::format("`{}` is the extent along the axis `{}`", name, name.substr(1)));
  else
    engine.report(diag::duplicate_name, ident.at, fmt::format("`{}` is declared twice", name))
        .note("it is first declared here", place->second.declared);
  return false;
}

std::optional<ir::Type> resolve_type(const ast::Ident& type, diag::Engine& engine) {
  if (const auto known = find_type(type.name)) return known;
  if (is_later_type(type.name)) {
    engine
        .report(diag::not_in_this_version, type.at,
                fmt::format("the type `{}` is not supported yet", type.name))
        .help("use `f64`", type.at, "f64");
    return {};
  }
  diag::Diagnostic& d =
      engine.report(diag::unknown_type, type.at, fmt::format("there is no type `{}`", type.name));
  static const std::pair<const char*, const char*> kElsewhere[] = {
      {"float", "f32"},     {"double", "f64"}, {"half", "f16"}, {"float16", "f16"},
      {"bfloat16", "bf16"}, {"int", "i32"},    {"long", "i64"}, {"short", "i16"},
      {"char", "i8"},       {"uchar", "u8"},   {"real", "f32"}, {"uint8", "u8"}};
  for (const auto& [theirs, ours] : kElsewhere)
    if (type.name == theirs) {
      d.help(fmt::format("write `{}`", ours), type.at, ours);
      return {};
    }
  const std::string close = diag::nearest(
      type.name, {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "u16", "i8", "u8", "bool"});
  if (!close.empty())
    d.help(fmt::format("did you mean `{}`?", close), type.at, close);
  else
    d.help("the types are f64, f32, f16, bf16, i64, i32, i16, u16, i8, u8 and bool");
  return {};
}

bool report_below(const ast::Ident& ident, const Scope& scope, diag::Engine& engine) {
  const auto found = scope.declarations.find(ident.name);
  if (found == scope.declarations.end()) return false;
  engine
      .report(diag::unknown_name, ident.at,
              fmt::format("`{}` is declared below its use", ident.name))
      .note("it is declared here", found->second)
      .help(
          "a const and the range of an array use only consts and functions that are declared "
          "above them");
  return true;
}

Symbol* find_declared(const ast::Ident& ident, Symbol::Kind kind, const std::string& what,
                      Scope& scope, diag::Engine& engine) {
  if (scope.rejected.count(ident.name)) return nullptr;
  const auto found = scope.symbols.find(ident.name);
  if (found != scope.symbols.end() && found->second.kind == kind) {
    ++found->second.uses;
    return &found->second;
  }
  if (found != scope.symbols.end()) {
    engine.report(diag::type_clash, ident.at, fmt::format("`{}` is not {}", ident.name, what))
        .note("it is declared here", found->second.declared);
    return nullptr;
  }
  if (scope.partial) return nullptr;
  diag::Diagnostic& d =
      engine.report(diag::unknown_name, ident.at, fmt::format("`{}` is not declared", ident.name));
  std::vector<std::string> candidates;
  if (engine.errors() <= kAdvised)
    for (const auto& [name, symbol] : scope.symbols)
      if (symbol.kind == kind) candidates.push_back(name);
  const std::string close = diag::nearest(ident.name, candidates);
  if (!close.empty()) d.help(fmt::format("did you mean `{}`?", close), ident.at, close);
  return nullptr;
}

}  // namespace stencilc::sema
