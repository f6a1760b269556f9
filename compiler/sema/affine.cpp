#include "sema/affine.h"

#include <cstdlib>

namespace stencilc::sema {
namespace {

constexpr int64_t kLargest = int64_t{1} << 30;  // of a number: its products fit

// a + factor * b
std::optional<Affine> combine(const Affine& a, int64_t factor, const Affine& b) {
  Affine result = a;
  const auto add = [&](int64_t& to, int64_t value) {
    to += factor * value;
    return std::abs(to) <= kLargest;
  };
  bool fits = add(result.constant, b.constant);
  for (int i = 0; i < ir::kMaxRank; ++i)
    fits = add(result.axis[i], b.axis[i]) && add(result.extent[i], b.extent[i]) && fits;
  return fits ? std::optional(result) : std::nullopt;
}

}  // namespace

std::optional<Affine> affine(const ir::ExprPtr& expr) {
  Affine result;
  if (const auto* constant = ir::as<ir::Constant>(expr)) {
    result.constant = constant->value.integer;
    const bool fits = ir::is_integer(expr->type) && std::abs(result.constant) <= kLargest;
    return fits ? std::optional(result) : std::nullopt;
  }
  if (const auto* coordinate = ir::as<ir::Coordinate>(expr)) {
    result.axis[coordinate->axis] = 1;
    result.constant = coordinate->offset;
    return result;
  }
  if (const auto* extent = ir::as<ir::Extent>(expr)) {
    result.extent[extent->axis] = 1;
    return result;
  }
  if (const auto* named = ir::as<ir::Named>(expr)) return affine(named->value);
  const auto* node = ir::as<ir::Apply>(expr);
  if (!node || !ir::is_integer(expr->type)) return {};
  const auto a = affine(node->args[0]);
  const auto b = node->args.size() == 2 ? affine(node->args[1]) : a;
  if (!a || !b) return {};
  switch (node->op) {
    case ir::Op::neg:
      return combine({}, -1, *a);
    case ir::Op::add:
      return combine(*a, 1, *b);
    case ir::Op::sub:
      return combine(*a, -1, *b);
    case ir::Op::mul:
      if (a->is_constant()) return combine({}, a->constant, *b);
      if (b->is_constant()) return combine({}, b->constant, *a);
      return {};
    default:
      return {};
  }
}

}  // namespace stencilc::sema
