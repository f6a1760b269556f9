#include "sema/statements/reductions.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/dependences/stages.h"
#include "sema/statements/domains.h"

namespace stencilc::sema {
namespace {

using ir::ExprPtr;
using ir::Reduction;

constexpr Reduction::Kind kKinds[] = {Reduction::sum, Reduction::prod, Reduction::min,
                                      Reduction::max, Reduction::norm2};

std::optional<Reduction::Kind> resolve_kind(const ast::Ident& kind, diag::Engine& engine) {
  for (const Reduction::Kind known : kKinds)
    if (ir::name(known) == kind.name) return known;
  diag::Diagnostic& d = engine.report(diag::bad_reduction, kind.at,
                                      fmt::format("there is no reduction `{}`", kind.name));
  const std::string close = diag::nearest(kind.name, {"sum", "prod", "min", "max", "norm2"});
  if (close.empty())
    d.help(
        "the reductions are sum, prod, min, max and norm2; for a mean, divide the sum in the "
        "calling program");
  else
    d.help(fmt::format("did you mean `{}`?", close), kind.at, close);
  return {};
}

// The first node that satisfies `found`, in the order of evaluation.
template <class Found>
ExprPtr find_node(const std::vector<ExprPtr>& roots, Found found) {
  const std::vector<ExprPtr> nodes = ir::nodes_of(roots);
  const auto node = std::find_if(nodes.begin(), nodes.end(), found);
  return node == nodes.end() ? nullptr : *node;
}

std::vector<ExprPtr> parts(const Reduction& reduction) {
  std::vector<ExprPtr> result = {reduction.value};
  if (reduction.domain.mask) result.push_back(reduction.domain.mask);
  return result;
}

ExprPtr read_of_new(const Reduction& reduction) {
  if (!reduction.value) return nullptr;
  return find_node(parts(reduction), [](const ExprPtr& node) {
    const auto* read = ir::as<ir::Read>(node);
    return read && read->level == 1;
  });
}

// There is only one level, so after the sweep the old values are gone.
bool check_in_place(const Reduction& reduction, const ast::Reduce& reduce, const Scope& scope,
                    diag::Engine& engine) {
  const auto& fields = scope.stencil.fields;
  const auto reads = [&](int level) {
    return find_node(parts(reduction), [&](const ExprPtr& node) {
      const auto* read = ir::as<ir::Read>(node);
      return read && read->level == level && fields[read->field].role == ir::Role::in_place;
    });
  };
  const ExprPtr old = reads(0);
  if (!old || !reads(1)) return true;
  const std::string& name = fields[ir::as<ir::Read>(old)->field].name;
  engine
      .report(diag::bad_reduction, site_of(old, reduce.value->at, scope),
              fmt::format("one reduction reads `{}` before and after the sweep", name))
      .note("a stencil with colours updates in place, and the old values are overwritten")
      .help("reduce the residual of the equation instead; it needs the new values only");
  return false;
}

bool fill(Reduction& reduction, const ast::Reduce& reduce, Scope& scope, Expressions& expressions,
          diag::Engine& engine) {
  const auto kind = resolve_kind(reduce.kind, engine);
  if (!kind) return false;
  reduction.kind = *kind;
  const Operand operand = expressions.evaluate(reduce.value, {});
  const auto domain = resolve_domain(reduce.where, scope, expressions, engine);
  if (operand.kind == Operand::failed || !domain) return false;
  reduction.domain = *domain;
  if (operand.kind == Operand::typed)
    reduction.type = ir::arithmetic(operand.expr->type);
  else
    reduction.type = operand.number.integral ? ir::Type::i32 : scope.real;
  if (*kind == Reduction::norm2 && !ir::is_float(reduction.type)) {
    engine
        .report(diag::bad_reduction, reduce.value->at,
                fmt::format("`norm2` does not take `{}` values", ir::name(reduction.type)))
        .help(fmt::format("write `norm2({}(...))`", ir::name(scope.real)));
    return false;
  }
  ExprPtr value = expressions.assign(operand, reduction.type, reduce.value->at,
                                     fmt::format("the reduction `{}`", reduction.name));
  if (!value) return false;
  if (*kind == Reduction::norm2) {  // a named value, computed once
    const auto number = scope.lets.size() + scope.symbols.at(reduction.name).index;
    if (!ir::as<ir::Named>(value))
      value =
          ir::make(reduction.type, ir::Named{reduction.name, static_cast<int>(number), {}, value});
    value = ir::apply(ir::Op::mul, reduction.type, {value, value});
  }
  reduction.value = value;
  return check_in_place(reduction, reduce, scope, engine);
}

// A count that is known at compile time, at least 1.
std::optional<int64_t> count(const ast::ExprPtr& expr, const std::string& what,
                             Expressions& expressions, diag::Engine& engine) {
  const auto value = expressions.constant_integer(expr, {}, what);
  if (!value) return {};
  if (*value >= 1) return value;
  engine.report(diag::bad_iterate, expr->at, fmt::format("{} is {}", what, *value))
      .help("a run takes at least one step; only the calling program can take none");
  return {};
}

// The condition is one for the whole grid, so nothing in it may depend on the cell.
bool check_condition(const ExprPtr& until, const ast::Range& at, const Scope& scope,
                     diag::Engine& engine) {
  const ExprPtr foreign = find_node({until}, [](const ExprPtr& node) {
    return !ir::as<ir::Constant>(node) && !ir::as<ir::ParamRef>(node) &&
           !ir::as<ir::ReductionRef>(node) && !ir::as<ir::Apply>(node) && !ir::as<ir::Cast>(node) &&
           !ir::as<ir::Named>(node);
  });
  if (foreign) {
    engine
        .report(diag::bad_iterate, site_of(foreign, at, scope),
                "the condition of `iterate` can use only reductions, params and constants")
        .help("it applies to the whole grid: define a reduction with `reduce`, and compare that");
    return false;
  }
  if (find_node({until}, [](const ExprPtr& node) { return ir::as<ir::ReductionRef>(node); }))
    return true;
  engine.report(diag::bad_iterate, at, "the condition of `iterate` uses no reduction")
      .help("add one: `reduce change = max(abs(u[t+1] - u));`, or write `iterate 100 times;`");
  return false;
}

}  // namespace

void analyse_reduction(const ast::Reduce& reduce, Scope& scope, Expressions& expressions,
                       diag::Engine& engine) {
  const auto symbol = scope.symbols.find(reduce.name.name);
  if (symbol == scope.symbols.end() || !(symbol->second.declared == reduce.name.at)) return;
  expressions.start_statement();
  Reduction& reduction = scope.stencil.reductions[symbol->second.index];
  reduction.source = reduce.name.at.begin;
  if (fill(reduction, reduce, scope, expressions, engine)) return;
  reduction.value = ir::constant(ir::convert(ir::Scalar{}, reduction.type));
  reduction.domain = {};
  scope.rejected.insert(reduction.name);
}

void analyse_iterate(const ast::Item& item, Scope& scope, Expressions& expressions,
                     diag::Engine& engine) {
  const auto& iterate = std::get<ast::Iterate>(item.node);
  ir::Iterate& result = scope.stencil.iterate;
  if (result.given) {
    engine.report(diag::bad_iterate, item.at, "there is a second `iterate`")
        .help("join the conditions with `||`");
    return;
  }
  result.given = true;
  expressions.start_statement();
  if (iterate.times) {
    result.limit = count(iterate.times, "the number of steps", expressions, engine).value_or(1);
    return;
  }
  const ExprPtr until = expressions.condition(iterate.until);
  if (until && check_condition(until, iterate.until->at, scope, engine)) result.until = until;
  if (iterate.every)
    result.every =
        count(iterate.every, "the number of steps between checks", expressions, engine).value_or(1);
  if (iterate.limit)
    result.limit = count(iterate.limit, "the limit of steps", expressions, engine).value_or(1);
  else
    engine.report(diag::bad_iterate, item.at, "`iterate until` has no limit")
        .help(
            "add one, in steps, for runs that do not converge: `iterate until ..., limit 10000;`");
}

void check_reductions_read(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  const auto reference_in = [&](const std::vector<ExprPtr>& roots, auto found) {
    return find_node(roots, [&](const ExprPtr& node) {
      const auto* reference = ir::as<ir::ReductionRef>(node);
      return reference && found(stencil.reductions[reference->reduction]);
    });
  };
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      std::vector<ExprPtr> roots = {one.value};
      if (one.domain.mask) roots.push_back(one.domain.mask);
      const ExprPtr late = reference_in(roots, [](const Reduction& r) { return read_of_new(r); });
      if (!late) continue;
      const ast::Range& declared = scope.field_sites[update.field];
      const Reduction& reduction = stencil.reductions[ir::as<ir::ReductionRef>(late)->reduction];
      engine
          .report(
              diag::bad_reduction, site_of(late, declared, scope),
              fmt::format("`{}` is computed from the updates of a step, and cannot be read by them",
                          reduction.name))
          .note("it reads t+1 here", site_of(read_of_new(reduction), declared, scope))
          .help("let the reduction read level t only: then it is known before the updates");
      return;
    }
  std::vector<ExprPtr> elsewhere;
  for (const ir::Injection& one : stencil.injections) elsewhere.push_back(one.value);
  for (const ir::Sample& one : stencil.samples) elsewhere.push_back(one.value);
  if (const ExprPtr read = reference_in(elsewhere, [](const Reduction&) { return true; }))
    engine
        .report(diag::bad_reduction, site_of(read, {}, scope),
                fmt::format("the reduction `{}` has no value here",
                            stencil.reductions[ir::as<ir::ReductionRef>(read)->reduction].name))
        .note("a reduction can be read in updates and in the condition of `iterate until`");
}

}  // namespace stencilc::sema
