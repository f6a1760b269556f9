#include "sema/statements/affine.h"

#include <unordered_map>

namespace stencilc::sema {
namespace {

constexpr int64_t kLargest =
    int64_t{1} << 30;  // limit for coefficients, so that their products do not overflow
constexpr int kMaxDepth = 1000;

bool fits(int64_t value) { return value >= -kLargest && value <= kLargest; }

// a + factor * b
std::optional<Affine> combine(const Affine& a, int64_t factor, const Affine& b) {
  Affine result = a;
  const auto add = [&](int64_t& to, int64_t value) { return fits(to += factor * value); };
  bool good = add(result.constant, b.constant);
  for (int i = 0; i < ir::kMaxRank; ++i)
    good = add(result.axis[i], b.axis[i]) && add(result.extent[i], b.extent[i]) && good;
  return good ? std::optional(result) : std::nullopt;
}

// Each node is visited once, since `let`s share nodes.
struct Judge {
  std::unordered_map<const ir::Expr*, std::optional<Affine>> known;

  std::optional<Affine> form(const ir::ExprPtr& expr, int depth) {
    if (depth > kMaxDepth) return {};
    const auto found = known.find(expr.get());
    if (found != known.end()) return found->second;
    return known[expr.get()] = new_form(expr, depth);
  }

  std::optional<Affine> new_form(const ir::ExprPtr& expr, int depth) {
    Affine result;
    if (const auto* constant = ir::as<ir::Constant>(expr)) {
      result.constant = constant->value.integer;
      return ir::is_integer(expr->type) && fits(result.constant) ? std::optional(result)
                                                                 : std::nullopt;
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
    if (const auto* named = ir::as<ir::Named>(expr)) return form(named->value, depth + 1);
    const auto* node = ir::as<ir::Apply>(expr);
    return node && ir::is_integer(expr->type) ? applied(*node, depth) : std::nullopt;
  }

  std::optional<Affine> applied(const ir::Apply& node, int depth) {
    const auto a = form(node.args[0], depth + 1);
    const auto b = node.args.size() == 2 ? form(node.args[1], depth + 1) : a;
    if (!a || !b) return {};
    switch (node.op) {
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
};

}  // namespace

std::optional<Affine> affine(const ir::ExprPtr& expr) { return Judge{}.form(expr, 0); }

}  // namespace stencilc::sema
