// Warns of products that are rounded to f32 before they become f64.
#include <fmt/format.h>

#include <cmath>

#include "diag/codes.h"
#include "lint/rules.h"
#include "lint/tree.h"

namespace stencilc::lint {
namespace {

const ir::ExprPtr& without_name(const ir::ExprPtr& value) {
  const auto* named = ir::as<ir::Named>(value);
  return named ? without_name(named->value) : value;
}

// A product with a power of two is exact.
bool is_power_of_two(const ir::ExprPtr& value) {
  const auto* constant = ir::as<ir::Constant>(value);
  int exponent = 0;
  return constant && std::fabs(std::frexp(constant->value.real, &exponent)) == 0.5;
}

bool is_rounded_product(const ir::ExprPtr& value) {
  const auto* apply = ir::as<ir::Apply>(value);
  return apply && value->type == ir::Type::f32 &&
         (apply->op == ir::Op::mul || apply->op == ir::Op::pow) &&
         !is_power_of_two(apply->args[0]) && !is_power_of_two(apply->args[1]);
}

// The first such product in a value, children before parents.
ir::ExprPtr widened_product(const ir::ExprPtr& value) {
  for (const ir::ExprPtr& node : ir::nodes_of(std::vector{value})) {
    const auto* cast = ir::as<ir::Cast>(node);
    if (!cast || node->type != ir::Type::f64) continue;
    if (const ir::ExprPtr& from = without_name(cast->value); is_rounded_product(from))
      return cast->value;
  }
  return nullptr;
}

}  // namespace

void find_late_widening(const Subject& subject, diag::Engine& engine) {
  constexpr size_t kMostPrinted = 60;
  for (const ir::Update& update : subject.stencil.updates)
    for (const ir::Case& one : update.cases) {
      const ir::ExprPtr product = one.value ? widened_product(one.value) : nullptr;
      if (!product) continue;
      const std::string text = ir::print(product, subject.stencil);
      engine
          .report(diag::late_widening, target_at(subject.text, one.source),
                  fmt::format("a product is rounded to `f32`, and then becomes `f64`{}",
                              text.size() > kMostPrinted ? "" : fmt::format(": `{}`", text)))
          .help("widen a factor, as in `f64(a) * b`; f64 holds the product of two f32 exactly");
    }
}

}  // namespace stencilc::lint
