#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diag/codes.h"
#include "lint/rules.h"
#include "lint/tree.h"

namespace stencilc::lint {
namespace {

constexpr double kClose = 1e-2;     // to 0 or 1, which was probably meant
constexpr double kRounding = 1e-6;  // of the weights in f32
constexpr size_t kMaxTerms = 200;

// The number that the sum of the weights nearly is: 0, 1 or nothing. `written`: by how much
// rounding to the written digits may have changed the sum.
std::optional<double> missed(const std::vector<double>& weights, double written) {
  double sum = 0, size = 0;
  for (const double weight : weights) {
    sum += weight;
    size += std::abs(weight);
  }
  const auto misses = [&](double error) {
    return error < kClose && error > std::max(kRounding, 1.0001 * written / size);
  };
  if (misses(std::abs(sum) / size)) return 0;
  if (misses(std::abs(sum - 1) / size) && std::abs(sum - 1) < kClose) return 1;
  return {};
}

double sum_of(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

// Half a unit of the last digit of a decimal fraction; 0 for other numbers.
double half_unit(const ast::ExprPtr& expr) {
  if (const auto* unary = as<ast::Unary>(expr)) return half_unit(unary->operand);
  const auto* literal = as<ast::Number>(expr);
  if (!literal) return 0;
  const std::string text = fmt::format("{:f}", literal->value);
  const size_t last = text.find_last_not_of('0');
  const double decimals = static_cast<double>(last - text.find('.'));
  return decimals == 0 ? 0 : 0.5 * std::pow(10.0, -decimals);
}

// Whether each range has indices on both sides of 0.
bool is_centred(const ast::Const& array) {
  return std::ranges::all_of(array.extents, [](const ast::Const::Extent& extent) {
    const auto first = number(extent.first), last = number(extent.last);
    return first && last && *first < 0 && *last > 0;
  });
}

// A term of a sum: weight * field at some offset.
struct Term {
  std::string field;
  double weight = 0;
};

std::optional<Term> term(const ast::ExprPtr& expr) {
  if (const auto* name = as<ast::Name>(expr)) return Term{name->name, 1};
  if (const auto* access = as<ast::Access>(expr)) return Term{access->base.name, 1};
  const auto* product = as<ast::Binary>(expr);
  if (!product || product->op != ast::Binary::mul) return {};
  auto weight = number(product->left);
  ast::ExprPtr tap = product->right;
  if (!weight) {
    weight = number(product->right);
    tap = product->left;
  }
  if (!weight || as<ast::Binary>(tap)) return {};
  auto result = term(tap);
  if (result) result->weight *= *weight;
  return result;
}

// The weights of a sum of terms of one field; empty for any other expression.
std::vector<double> weights_of_sum(ast::ExprPtr expr, const std::string& field) {
  std::vector<double> weights;
  while (weights.size() < kMaxTerms) {
    const auto* sum = as<ast::Binary>(expr);
    const bool more = sum && (sum->op == ast::Binary::add || sum->op == ast::Binary::sub);
    const auto found = term(more ? sum->right : expr);
    if (!found || found->field != field) return {};
    weights.push_back(more && sum->op == ast::Binary::sub ? -found->weight : found->weight);
    if (!more) return weights;
    expr = sum->left;
  }
  return {};
}

// The weights of such a sum, or of one with whole weights and a common factor or divisor.
std::vector<double> weights_of(const ast::ExprPtr& expr, const std::string& field) {
  const auto* binary = as<ast::Binary>(expr);
  const bool scaled = binary && (binary->op == ast::Binary::mul || binary->op == ast::Binary::div);
  if (!scaled || term(expr)) return weights_of_sum(expr, field);
  auto factor = number(binary->right);
  ast::ExprPtr sum = binary->left;
  if (binary->op == ast::Binary::div) {
    if (!factor) return {};
    factor = 1 / *factor;
  } else if (!factor) {
    factor = number(binary->left);
    sum = binary->right;
  }
  if (!factor) return {};
  std::vector<double> weights = weights_of_sum(sum, field);
  for (double& weight : weights) {
    if (weight != std::floor(weight)) return {};
    weight *= *factor;
  }
  return weights;
}

}  // namespace

void judge_weight_array(const ast::Const& array, bool stepped, diag::Engine& engine) {
  if (array.extents.empty() || array.values.size() < 3 || !is_centred(array)) return;
  double divisor = 1;
  if (array.divisor) {
    const auto value = number(array.divisor);
    if (!value) return;
    divisor = *value;
  }
  std::vector<double> weights;
  double written = 0;
  for (const ast::ExprPtr& value : array.values) {
    const auto weight = number(value);
    if (!weight) return;
    weights.push_back(*weight / divisor);
    if (!stepped) written += half_unit(value) / std::abs(divisor);  // in steps, errors add up
  }
  const auto wanted = missed(weights, written);
  if (!wanted) return;
  diag::Diagnostic& d =
      engine.report(diag::weight_sum, array.name.at,
                    fmt::format("the weights of `{}` sum to {:.6g}, which is close to {:g}",
                                array.name.name, sum_of(weights), *wanted));
  if (*wanted == 1)
    d.help(fmt::format("divide them by their sum: `/ {:.9g}`", sum_of(weights) * divisor));
}

void find_weight_sums(const Subject& subject, diag::Engine& engine) {
  for (const ast::Item& item : subject.text.items) {
    if (const auto* array = std::get_if<ast::Const>(&item.node))
      judge_weight_array(*array, subject.stencil.steps(), engine);
    const auto* update = std::get_if<ast::Update>(&item.node);
    if (!update || !update->has_args || update->op != ast::Update::assign) continue;
    const std::vector<double> weights = weights_of(update->value, update->target.name);
    if (weights.size() < 3) continue;
    const auto wanted = missed(weights, 0);
    if (!wanted || *wanted != 1) continue;
    engine.report(diag::weight_sum, update->value->at,
                  fmt::format("the weights of the step of `{}` sum to {:.6g}, which is close to 1",
                              update->target.name, sum_of(weights)));
  }
}

}  // namespace stencilc::lint
