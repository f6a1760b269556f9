#include "sema/sema.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "diag/codes.h"
#include "ir/separable.h"
#include "sema/checks.h"
#include "sema/declarations/declarations.h"
#include "sema/declarations/schedules.h"
#include "sema/dependences/stages.h"
#include "sema/expressions/expressions.h"
#include "sema/statements/colors.h"
#include "sema/statements/points.h"
#include "sema/statements/reductions.h"
#include "sema/statements/updates.h"
#include "sema/symbols/names.h"

namespace stencilc::sema {
namespace {

// What the stencils of one file share.
struct File {
  std::set<const ast::Function*> broken;  // functions with a reported error
  std::set<std::string> defined;          // params fixed by -D
  std::set<std::string> used;             // functions and constants outside of stencils
  bool failed = false;                    // an error outside of stencils
};

// Reductions first, because updates may read those that are known before them.
void analyse_statements(const ast::Stencil& source, Scope& scope, Expressions& expressions,
                        diag::Engine& engine) {
  for (const ast::Item& item : source.items) {
    if (const auto* reduce = std::get_if<ast::Reduce>(&item.node))
      analyse_reduction(*reduce, scope, expressions, engine);
    if (std::holds_alternative<ast::Color>(item.node))
      analyse_colors(item, scope, expressions, engine);
  }
  scope.reductions_known = true;
  for (const ast::Item& item : source.items) {
    if (const auto* update = std::get_if<ast::Update>(&item.node))
      analyse_update(*update, scope, expressions, engine);
    if (const auto* inject = std::get_if<ast::Inject>(&item.node))
      analyse_injection(*inject, scope, expressions, engine);
    if (const auto* sample = std::get_if<ast::Sample>(&item.node))
      analyse_sample(*sample, scope, expressions, engine);
    if (std::holds_alternative<ast::Iterate>(item.node))
      analyse_iterate(item, scope, expressions, engine);
  }
  for (size_t i = 0; i < scope.lets.size(); ++i)  // a let is checked even if nothing uses it
    if (scope.lets[i].instances.empty()) {
      expressions.start_statement();
      expressions.evaluate(scope.lets[i].value, {});
    }
}

void check(const ast::Stencil& source, Scope& scope, diag::Engine& engine) {
  check_outputs(scope, engine);
  check_reductions_read(scope, engine);
  check_series(scope, engine);
  check_colors(scope, engine);
  const ir::Stencil& stencil = scope.stencil;
  if (stencil.updates.empty() && stencil.reductions.empty() && stencil.samples.empty())
    engine
        .report(diag::no_update, source.name.at,
                fmt::format("the stencil `{}` assigns nothing", source.name.name))
        .help("add an update such as `u[t+1] = ...;`");
  if (stencil.iterate.given && !stencil.steps())
    engine
        .report(diag::bad_iterate, source.name.at,
                fmt::format("the stencil `{}` has `iterate`, but takes no time steps",
                            source.name.name))
        .help("step a field: `u[t+1] = ...;`");
}

// One stencil; nothing after an error.
std::optional<ir::Stencil> analyse_one(const ast::Program& program, const ast::Stencil& source,
                                       const Defines& defines, bool partial, File& file,
                                       diag::Engine& engine) {
  const int errors = engine.errors();
  const auto failed = [&] { return partial || engine.errors() != errors; };
  Scope scope;
  scope.partial = partial;
  Expressions expressions(scope, file.broken, engine);
  const bool known = declare(program, source, defines, scope, expressions, engine);
  file.failed |= scope.file_failed;
  file.defined.insert(scope.defined.begin(), scope.defined.end());
  if (!known) return {};

  // From here on every name is declared and every field has its role.
  analyse_statements(source, scope, expressions, engine);
  for (const auto& [name, symbol] : scope.symbols)
    if (symbol.of_file && symbol.uses != 0) file.used.insert(name);
  order_updates(scope, engine);
  if (!failed()) check(source, scope, engine);
  if (failed()) return {};
  warn_unused(scope, engine);
  if (failed()) return {};  // -Werror
  ir::infer_domains(scope.stencil);
  ir::infer_levels(scope.stencil);
  scope.stencil.separable = ir::find_separable(scope.stencil);
  take_schedules(source, scope);
  return std::move(scope.stencil);
}

void check_names(const ast::Program& program, diag::Engine& engine) {
  std::map<std::string, ast::Range> known;
  for (const ast::Stencil& stencil : program.stencils) {
    const ast::Ident& name = stencil.name;
    const auto [first, fresh] = known.try_emplace(name.name, name.at);
    if (!fresh)
      engine
          .report(diag::duplicate_name, name.at,
                  fmt::format("there is a second stencil `{}`", name.name))
          .note("the first is here", first->second);
  }
}

void check_defines(const ast::Program& program, const Defines& defines, const File& file,
                   diag::Engine& engine) {
  std::vector<std::string> params;
  for (const ast::Stencil& stencil : program.stencils)
    for (const ast::Item& item : stencil.items)
      if (const auto* decls = std::get_if<ast::Params>(&item.node))
        for (const ast::ParamDecl& decl : decls->decls) params.push_back(decl.name.name);
  for (const auto& [name, value] : defines) {
    if (file.defined.count(name)) continue;
    const ast::Ident& first = program.stencils[0].name;
    diag::Diagnostic& d = engine.report(
        diag::bad_define, first.at,
        fmt::format("`-D {}=...`: there is no such param in {}", name,
                    program.stencils.size() == 1 ? "`" + first.name + "`" : "any stencil"));
    if (const std::string help = diag::suggestion(name, params); !help.empty()) d.help(help);
  }
}

// Only for this file: functions and constants of other files need not be used.
void warn_unused_of_file(const ast::Program& program, const File& file, diag::Engine& engine) {
  const auto judge = [&](const ast::Ident& name) {
    if (name.at.file == program.stencils[0].name.at.file && !file.used.count(name.name))
      engine.report(diag::unused_name, name.at, fmt::format("`{}` is never used", name.name));
  };
  for (const ast::Function& function : program.functions) judge(function.name);
  for (const ast::Const& constant : program.constants) judge(constant.name);
}

}  // namespace

std::vector<ir::Stencil> analyse(const ast::Program& program, const Defines& defines,
                                 diag::Engine& engine) {
  if (program.stencils.empty()) return {};
  const bool partial = engine.has_errors();
  File file;
  std::vector<ir::Stencil> stencils;
  check_names(program, engine);
  if (program.stencils.size() > kMostOfAKind) {
    engine.report(diag::size_limit, program.stencils[kMostOfAKind].name.at,
                  fmt::format("more than {} stencils in a file", kMostOfAKind));
    return {};
  }
  for (const ast::Stencil& source : program.stencils) {
    if (auto stencil = analyse_one(program, source, defines, partial, file, engine))
      stencils.push_back(std::move(*stencil));
    if (file.failed) return {};  // reported once, not once per stencil
  }
  check_defines(program, defines, file, engine);
  if (!engine.has_errors()) warn_unused_of_file(program, file, engine);
  if (engine.has_errors()) stencils.clear();
  return stencils;
}

}  // namespace stencilc::sema
