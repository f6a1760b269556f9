#include "interp/cell.h"

#include <array>
#include <span>

namespace stencilc::interp {

using ir::Expr;
using ir::ExprPtr;
using ir::Scalar;

Extents extents_of(const ir::Field& field, const Extents& extents) {
  Extents own = extents;
  for (int a = 0; a < ir::kMaxRank; ++a)
    if (!field.along[a]) own[a] = 1;
  return own;
}

int64_t cells(const ir::Field& field, const Extents& extents, const ir::Offset& halo) {
  const Extents own = extents_of(field, extents);
  int64_t count = 1;
  for (int a = 0; a < ir::kMaxRank; ++a) count *= own[a] + 2 * halo[a];
  return count;
}

int64_t place(const ir::Stencil& stencil, const State& state, int field, const Extents& cell) {
  const std::array<bool, ir::kMaxRank>& along = stencil.fields[field].along;
  const ir::Offset& halo = state.halos[field];
  int64_t index = 0;
  for (int a = ir::kMaxRank; a-- > 0;) {
    const int64_t own = along[a] ? state.extents[a] : 1;
    index = index * (own + 2 * halo[a]) + (along[a] ? cell[a] + halo[a] : 0);
  }
  return index;
}

Scalar Cell::value(const ExprPtr& expr) {
  return std::visit([&](const auto& node) { return one(node, *expr); }, expr->node);
}

bool Cell::applies(const ir::Domain& domain) {
  const Extents& extents = view_.state.extents;
  for (int a = 0; a < ir::kMaxRank; ++a)
    if (at_[a] < domain.low[a] || at_[a] >= extents[a] - domain.high[a]) return false;
  for (const ir::Limit& limit : domain.limits) {
    const int64_t bound = limit.offset + (limit.from_end ? extents[limit.axis] : 0);
    if ((at_[limit.axis] < bound) != limit.upper) return false;
  }
  return !domain.mask || value(domain.mask).integer != 0;
}

Scalar Cell::one(const ir::ParamRef& node, const Expr&) { return view_.state.params[node.param]; }
Scalar Cell::one(const ir::Coordinate& node, const Expr&) {
  return ir::make_integer(ir::Type::i64, at_[node.axis] + node.offset);
}
Scalar Cell::one(const ir::Extent& node, const Expr&) {
  return ir::make_integer(ir::Type::i64, view_.state.extents[node.axis]);
}
Scalar Cell::one(const ir::Time&, const Expr&) {
  return ir::make_integer(ir::Type::i64, view_.state.time);
}
Scalar Cell::one(const ir::WeightRef& node, const Expr&) {
  return view_.state.weights[node.array][node.element];
}
Scalar Cell::one(const ir::SeriesRef& node, const Expr&) {
  const size_t count = view_.state.points[view_.stencil.series[node.series].points].size();
  return view_.state.series[node.series][view_.state.time * static_cast<int64_t>(count) + point_];
}
Scalar Cell::one(const ir::ReductionRef& node, const Expr&) {
  return view_.state.reductions[node.reduction];
}
Scalar Cell::one(const ir::Read& node, const Expr&) {
  Extents at = at_;
  for (int a = 0; a < ir::kMaxRank; ++a) at[a] += node.offset[a];
  return read(view_, node, at);
}
Scalar Cell::one(const ir::Apply& node, const Expr& expr) {
  constexpr size_t kFew = 4;  // operations have at most this many operands, except min and max
  const size_t count = node.args.size();
  std::array<Scalar, kFew> few;
  std::vector<Scalar> many(count > kFew ? count : 0);
  const std::span<Scalar> args = count > kFew ? std::span(many) : std::span(few).first(count);
  for (size_t i = 0; i < count; ++i) args[i] = value(node.args[i]);
  return ir::apply(node.op, expr.type, args);
}
Scalar Cell::one(const ir::Cast& node, const Expr& expr) {
  const Scalar inner = value(node.value);
  return node.saturate ? ir::saturate(inner, expr.type) : ir::convert(inner, expr.type);
}
// A `let` that is read twice is one value; without this cache, nested lets would cost 2^n.
Scalar Cell::one(const ir::Named& node, const Expr& expr) {
  const auto found = named_.find(&expr);
  if (found != named_.end() && found->second.visit == visit_) return found->second.value;
  const Scalar result = value(node.value);
  named_[&expr] = {visit_, result};
  return result;
}
Scalar Cell::one(const ir::Sum& node, const Expr& expr) {
  bool started = node.bias != nullptr;
  Scalar sum = started ? value(node.bias) : Scalar{};
  for (const ir::Sum::Term& term : node.terms) {
    const Scalar weight = value(term.weight), tap = value(term.tap);
    sum = started ? ir::apply(ir::Op::fma, expr.type, std::array{weight, tap, sum})
                  : ir::apply(ir::Op::mul, expr.type, std::array{weight, tap});
    started = true;
  }
  return sum;
}

}  // namespace stencilc::interp
