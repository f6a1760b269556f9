#include "sema/declarations/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/symbols/names.h"

namespace stencilc::sema {
namespace {

constexpr int64_t kMaxRange = 1000;         // cells in one range
constexpr int64_t kMaxValues = 1'000'000;   // values of an array that are read after an error
constexpr int64_t kMaxWeightBytes = 16384;  // of all run-time weights

using Ranges = std::vector<std::pair<int, int>>;

int64_t count(const Ranges& ranges) {
  int64_t product = 1;
  for (const auto& [first, last] : ranges)
    product = std::min(product * (last - first + 1), kMaxRange * kMaxValues);
  return product;
}

std::optional<Ranges> resolve_ranges(const std::vector<ast::Const::Extent>& extents,
                                     Expressions& expressions, diag::Engine& engine) {
  Ranges ranges;
  for (const ast::Const::Extent& extent : extents) {
    const auto first = expressions.constant_integer(extent.first, {}, "the bound of a range");
    const auto last = expressions.constant_integer(extent.last, {}, "the bound of a range");
    if (!first || !last) return {};
    const bool empty = *last < *first;
    if (empty || *first < -kMaxRange || *last > kMaxRange) {
      engine.report(
          diag::weight_count, extent.first->at,
          fmt::format("the range {}..{} is {}", *first, *last, empty ? "empty" : "too long"));
      return {};
    }
    ranges.emplace_back(*first, *last);
  }
  return ranges;
}

}  // namespace

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
    if (!divisor || divisor->real == 0) divisor = literal_integer(1).number;
  }
  const auto value_of = [&](const ast::ExprPtr& expr) {
    const auto number = expressions.constant_number(expr, {}, "the value of a const");
    if (!number) return ir::Constant{{*type}, {}};
    Literal literal = *number;
    if (divisor)
      literal = {false, 0, literal.real / divisor->real,
                 ir::exactly(ir::Op::div, std::array{literal.exact, divisor->exact})};
    return expressions.adopt(literal, *type, expr->at).value_or(ir::Constant{{*type}, {}});
  };
  if (decl.extents.empty()) {
    const ir::Constant value =
        decl.values.empty() ? ir::Constant{{*type}, {}} : value_of(decl.values[0]);
    if (enter(decl.name, Symbol::constant, scope.constants.size(), scope, engine))
      scope.constants.push_back(value);
    return;
  }
  const auto ranges = resolve_ranges(decl.extents, expressions, engine);
  if (!ranges) {
    scope.rejected.insert(decl.name.name);
    return;
  }
  Weights weights{decl.name, *ranges, {}, -1};
  const int64_t wanted = count(*ranges);
  if (static_cast<int64_t>(decl.values.size()) != wanted) {
    engine.report(diag::weight_count, decl.name.at,
                  fmt::format("{} values for the ranges of `{}`, which hold {}", decl.values.size(),
                              decl.name.name, wanted));
    weights.values.assign(static_cast<size_t>(std::min(wanted, kMaxValues)),
                          ir::Constant{{*type}, {}});
  } else {
    for (const ast::ExprPtr& value : decl.values) weights.values.push_back(value_of(value));
  }
  if (enter(decl.name, Symbol::weights, scope.weights.size(), scope, engine))
    scope.weights.push_back(std::move(weights));
}

void declare_weights(const ast::Weights& weights, Scope& scope, Expressions& expressions,
                     diag::Engine& engine) {
  const auto type = weights.has_type ? resolve_type(weights.type, engine) : std::nullopt;
  for (const ast::WeightsDecl& decl : weights.decls) {
    expressions.start_statement();
    const auto ranges = resolve_ranges(decl.extents, expressions, engine);
    if (!ranges) {
      scope.rejected.insert(decl.name.name);
      continue;
    }
    if (!enter(decl.name, Symbol::weights, scope.weights.size(), scope, engine)) continue;
    const int run_time = static_cast<int>(scope.stencil.weights.size());
    scope.weights.push_back({decl.name, *ranges, {}, run_time});
    scope.stencil.weights.push_back({decl.name.name, type.value_or(ir::Type::f32), *ranges});
  }
}

void finish_weights(const ast::Stencil& source, Scope& scope, diag::Engine& engine) {
  int64_t bytes = 0;
  for (const ast::Item& item : source.items) {
    const auto* weights = std::get_if<ast::Weights>(&item.node);
    if (!weights) continue;
    for (const ast::WeightsDecl& decl : weights->decls) {
      const auto symbol = scope.symbols.find(decl.name.name);
      if (symbol == scope.symbols.end() || !(symbol->second.declared == decl.name.at)) continue;
      const Weights& array = scope.weights[symbol->second.index];
      ir::Weights& given = scope.stencil.weights[array.run_time];
      if (!weights->has_type) given.type = scope.real;
      const int64_t before = bytes;
      bytes += count(given.ranges) * ir::bytes(given.type);
      if (bytes <= kMaxWeightBytes || before > kMaxWeightBytes) continue;
      engine
          .report(diag::size_limit, decl.name.at,
                  fmt::format("the weights have {} bytes; the limit is {}", bytes, kMaxWeightBytes))
          .help("use a field for such a table");
    }
  }
}

}  // namespace stencilc::sema
