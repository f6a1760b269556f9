#include "lint/separable.h"

#include <fmt/format.h>

#include <numeric>

#include "diag/codes.h"
#include "ir/boundary.h"
#include "lint/rules.h"
#include "lint/tree.h"

namespace stencilc::lint {
namespace {

constexpr int64_t kMaxWhole =
    1'000'000;  // for weights that are easier to read as whole numbers than as decimals

std::string axes_of(const ir::Factor& factor, const ir::Stencil& stencil,
                    const std::string& between) {
  std::string text;
  for (const int axis : factor.axes) text += (text.empty() ? "" : between) + stencil.axes[axis];
  return text;
}

// The divisor that makes all weights whole numbers; 0 if they would be too large to read.
int64_t divisor_of(const std::vector<ir::Fraction>& weights) {
  int64_t divisor = 1;
  for (const ir::Fraction& weight : weights) {
    if (weight.below > kMaxWhole || std::abs(weight.above) > kMaxWhole) return 0;
    divisor *= weight.below / std::gcd(divisor, weight.below);
    if (divisor > kMaxWhole) return 0;
  }
  return divisor;
}

// Whether the ghost cells of the side are multiples of cells inside. Then a sum along another axis
// can be computed before or after filling them, and the intermediate field has the same boundary.
bool carries_over(const ir::Side& side) {
  if (const ir::Constant* value = ir::number_of(side))
    return value->value.real == 0 && value->value.integer == 0;
  const ir::EdgeKind& kind = ir::kind_of(side);
  return (kind.source == ir::EdgeKind::last || kind.sends_back()) &&
         kind.change != ir::EdgeKind::sloped;
}

// The kind of boundary that prevents this; "" if there is none.
std::string_view splitting(const ir::Boundary& boundary, const ir::Separable& sum) {
  for (const ir::Factor& factor : sum.factors)
    for (const int axis : factor.axes)
      for (const ir::Side& side : boundary.sides[axis])
        if (side.given && !carries_over(side)) return ir::name(side.edge);
  return "";
}

std::string decimal(const ir::Fraction& weight, ir::Type type) {
  const double value = static_cast<double>(weight.above) / static_cast<double>(weight.below);
  return ir::print(ir::make_real(type, value));
}

}  // namespace

std::string factors_of(const ir::Separable& sum, const ir::Stencil& stencil) {
  std::string text = fmt::format("the {} weights of `{}{}` are the product of ", sum.weights,
                                 stencil.fields[sum.field].name,
                                 sum.level == 0 ? "" : fmt::format("[t{:+}]", sum.level));
  for (size_t i = 0; i < sum.factors.size(); ++i) {
    if (i != 0) text += i + 1 == sum.factors.size() ? " and " : ", ";
    text += fmt::format("{} along {}", sum.factors[i].count(),
                        axes_of(sum.factors[i], stencil, " and "));
  }
  return text;
}

std::string gain_of(const ir::Separable& sum, const ir::Stencil& stencil) {
  int products = 0;
  for (const ir::Factor& factor : sum.factors) products += factor.count();
  const std::string_view splits = splitting(stencil.fields[sum.field].boundary, sum);
  const bool two = sum.factors.size() == 2;
  return fmt::format(
      "{}, with {} between them, would take {} multiplications per cell instead of {}{}; {}",
      two ? "two updates" : "three updates", two ? "a field" : "fields", products, sum.weights,
      splits.empty() ? "" : fmt::format(", except near the `{}` boundary", splits),
      ir::is_float(sum.type)
          ? "the result rounds differently, so the compiler does not do it by itself"
          : "it takes more memory, so the compiler does not do it by itself");
}

std::string declaration_of(const ir::Factor& factor, const ir::Separable& sum,
                           const ir::Stencil& stencil) {
  std::string ranges, values;
  for (const auto& [first, last] : factor.ranges)
    ranges += fmt::format("{}{}..{}", ranges.empty() ? "" : ", ", first, last);
  const int64_t divisor = divisor_of(factor.weights);
  for (const ir::Fraction& weight : factor.weights)
    values += (values.empty() ? "" : ", ") +
              (divisor == 0 && ir::is_float(sum.type)
                   ? decimal(weight, sum.type)
                   : std::to_string(weight.above * ((divisor == 0 ? 1 : divisor) / weight.below)));
  return fmt::format("const {} along_{}[{}] = {{ {} }}{};", ir::name(sum.type),
                     axes_of(factor, stencil, ""), ranges, values,
                     divisor > 1 ? fmt::format(" / {}", divisor) : "");
}

void report_separable(const Subject& subject, diag::Engine& engine) {
  for (const ir::Separable& sum : subject.stencil.separable) {
    diag::Diagnostic& d =
        engine.report(diag::separable_weights, target_at(subject.text, sum.source),
                      factors_of(sum, subject.stencil));
    d.note(gain_of(sum, subject.stencil));
    for (const ir::Factor& factor : sum.factors)
      d.help(fmt::format("`{}`", declaration_of(factor, sum, subject.stencil)));
  }
}

}  // namespace stencilc::lint
