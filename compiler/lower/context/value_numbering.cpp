#include "lower/context/value_numbering.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace stencilc::lower {
namespace {

// Adds what a node is, apart from its children.
void add_label(const ir::Expr& expr, std::vector<int64_t>& to) {
  struct Visit {
    std::vector<int64_t>& to;
    void add(std::initializer_list<int64_t> words) { to.insert(to.end(), words); }
    void operator()(const ir::Constant& n) {
      add({n.value.integer, static_cast<int64_t>(std::bit_cast<uint64_t>(n.value.real))});
    }
    void operator()(const ir::ParamRef& n) { add({n.param}); }
    void operator()(const ir::Coordinate& n) { add({n.axis, n.offset}); }
    void operator()(const ir::Extent& n) { add({n.axis}); }
    void operator()(const ir::Time&) {}
    void operator()(const ir::WeightRef& n) { add({n.array, n.element}); }
    void operator()(const ir::SeriesRef& n) { add({n.series}); }
    void operator()(const ir::ReductionRef& n) { add({n.reduction}); }
    void operator()(const ir::Read& n) {
      add({n.field, n.level, n.offset[0], n.offset[1], n.offset[2]});
    }
    void operator()(const ir::GhostRef& n) { add({n.field}); }
    void operator()(const ir::Apply& n) { add({static_cast<int64_t>(n.op)}); }
    void operator()(const ir::Cast& n) { add({n.saturate}); }
    void operator()(const ir::Named& n) { add({n.let, n.offset[0], n.offset[1], n.offset[2]}); }
    void operator()(const ir::Sum& n) { add({n.bias != nullptr}); }
  };
  to.push_back(static_cast<int64_t>(expr.node.index()));
  to.push_back(static_cast<int64_t>(expr.type));
  std::visit(Visit{to}, expr.node);
}

}  // namespace

size_t Numbering::Hash::operator()(const std::vector<int64_t>& words) const {
  uint64_t hash = 0;
  for (const int64_t word : words) {
    hash = (hash ^ static_cast<uint64_t>(word)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

Numbering::Numbering(const std::vector<ir::ExprPtr>& roots) {
  for (const ir::ExprPtr& root : roots) ++uses_[id(root)];
}

int Numbering::id(const ir::ExprPtr& expr) {
  if (const int* found = known_.find(expr.get())) return *found;
  std::vector<int64_t> key;
  key.reserve(12);
  add_label(*expr, key);
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
