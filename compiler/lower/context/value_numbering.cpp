#include "lower/context/value_numbering.h"

#include <algorithm>
#include <cstdint>

namespace stencilc::lower {

Numbering::Numbering(const std::vector<ir::ExprPtr>& roots) {
  for (const ir::ExprPtr& root : roots) ++uses_[id(root)];
}

int Numbering::id(const ir::ExprPtr& expr) {
  if (const int* found = known_.find(expr.get())) return *found;
  std::vector<int64_t> key;
  key.reserve(12);
  ir::add_label(*expr, key);
  std::vector<int> args;
  ir::for_each_child(*expr, [&](const ir::ExprPtr& child) {
    args.push_back(id(child));
    key.push_back(args.back());
  });
  const auto [place, fresh] = numbers_.try_emplace(std::move(key), static_cast<int>(uses_.size()));
  keep_.push_back(expr);
  known_[expr.get()] = place->second;
  if (fresh) {
    uses_.push_back(0);
    invariant_.push_back(
        !ir::as<ir::Read>(expr) && !ir::as<ir::Coordinate>(expr) && !ir::as<ir::SeriesRef>(expr) &&
        !ir::as<ir::GhostRef>(expr) &&
        std::all_of(args.begin(), args.end(), [&](int arg) { return invariant_[arg]; }));
    bool wraps = false;
    intervals_.push_back(interval(*expr, args, wraps));
    may_wrap_.push_back(wraps);
    for (const int arg : args) ++uses_[arg];
  }
  return place->second;
}

// Bounds of an integer value, as doubles that err outwards.
Numbering::Interval Numbering::interval(const ir::Expr& expr, const std::vector<int>& args,
                                        bool& wraps) const {
  if (ir::is_float(expr.type)) return {};
  const Interval all = {static_cast<double>(ir::lowest(expr.type)),
                        static_cast<double>(ir::highest(expr.type))};
  const auto arg = [&](size_t i) { return intervals_[args[i]]; };
  Interval result = all;
  if (const auto* constant = std::get_if<ir::Constant>(&expr.node))
    return {static_cast<double>(constant->value.integer),
            static_cast<double>(constant->value.integer)};
  if (std::get_if<ir::Coordinate>(&expr.node) || std::get_if<ir::Extent>(&expr.node))
    return {-200, 1e15};
  if (std::get_if<ir::Named>(&expr.node)) return arg(0);
  if (const auto* cast = std::get_if<ir::Cast>(&expr.node)) {
    if (ir::is_float(cast->value->type)) return all;
    return arg(0).low >= all.low && arg(0).high <= all.high ? arg(0) : all;
  }
  const auto* apply = std::get_if<ir::Apply>(&expr.node);
  if (!apply) return all;
  switch (apply->op) {
    case ir::Op::add:
      result = {arg(0).low + arg(1).low, arg(0).high + arg(1).high};
      break;
    case ir::Op::sub:
      result = {arg(0).low - arg(1).high, arg(0).high - arg(1).low};
      break;
    case ir::Op::neg:
      result = {-arg(0).high, -arg(0).low};
      break;
    case ir::Op::abs:
      return {0, std::min(all.high, std::max(std::abs(arg(0).low), std::abs(arg(0).high)))};
    case ir::Op::mul: {
      const double p[] = {arg(0).low * arg(1).low, arg(0).low * arg(1).high,
                          arg(0).high * arg(1).low, arg(0).high * arg(1).high};
      result = {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
      break;
    }
    case ir::Op::min:
    case ir::Op::max:
      return {std::min(arg(0).low, arg(1).low), std::max(arg(0).high, arg(1).high)};
    case ir::Op::popcount:
      return {0, 64};
    case ir::Op::bit_and:  // not above either operand, if that is not negative
      if (arg(0).low < 0 && arg(1).low < 0) return all;
      return {0, std::min(arg(0).low < 0 ? all.high : arg(0).high,
                          arg(1).low < 0 ? all.high : arg(1).high)};
    case ir::Op::mod: {
      const Interval divisor = arg(1);
      return divisor.low > 0 ? Interval{0, divisor.high - 1} : all;
    }
    case ir::Op::select:
      return {std::min(arg(1).low, arg(2).low), std::max(arg(1).high, arg(2).high)};
    default:
      return all;
  }
  // A margin for the rounding of large doubles; 64-bit values are only sure far inside.
  const double margin = expr.type == ir::Type::i64 ? 4e15 : 0;
  wraps = result.low < all.low + margin || result.high > all.high - margin;
  return wraps ? all : result;
}

}  // namespace stencilc::lower
