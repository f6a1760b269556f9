#include "interp/interpreter.h"

#include <cassert>
#include <unordered_map>

namespace stencilc::interp {
namespace {

using ir::Expr;
using ir::ExprPtr;
using ir::Scalar;

int64_t cells(const Extents& extents) { return extents[0] * extents[1] * extents[2]; }

int64_t position(const Extents& extents, const Extents& cell) {
  return (cell[2] * extents[1] + cell[1]) * extents[0] + cell[0];
}

// The value of expressions at one cell.
class Cell {
 public:
  Cell(const ir::Stencil& stencil, const State& state, const Extents& at)
      : stencil_(stencil), state_(state), at_(at) {}

  Scalar value(const ExprPtr& expr) {
    return std::visit([&](const auto& node) { return one(node, *expr); }, expr->node);
  }

 private:
  Scalar one(const ir::Constant& node, const Expr&) { return node.value; }
  Scalar one(const ir::ParamRef& node, const Expr&) { return state_.params[node.param]; }
  Scalar one(const ir::Coordinate& node, const Expr&) {
    return ir::make_integer(ir::Type::i64, at_[node.axis] + node.offset);
  }
  Scalar one(const ir::Extent& node, const Expr&) {
    return ir::make_integer(ir::Type::i64, state_.extents[node.axis]);
  }
  Scalar one(const ir::Read& node, const Expr&) {
    const ir::Field& field = stencil_.fields[node.field];
    Extents source = {0, 0, 0};
    for (int a = 0; a < stencil_.rank(); ++a) {
      source[a] = extend(field.boundary.edge, at_[a] + node.offset[a], state_.extents[a]);
      if (source[a] < 0) return field.boundary.value;
    }
    return state_.fields[node.field][-node.level][position(state_.extents, source)];
  }
  Scalar one(const ir::Apply& node, const Expr& expr) {
    std::vector<Scalar> args;
    for (const ExprPtr& arg : node.args) args.push_back(value(arg));
    return ir::apply(node.op, expr.type, args);
  }
  Scalar one(const ir::Cast& node, const Expr& expr) {
    const Scalar inner = value(node.value);
    return node.saturate ? ir::saturate(inner, expr.type) : ir::convert(inner, expr.type);
  }
  Scalar one(const ir::Named& node, const Expr& expr) {
    const auto found =
        named_.find(&expr);  // a let read twice is one value; without this, nested lets cost 2^n
    if (found != named_.end()) return found->second;
    return named_[&expr] = value(node.value);
  }
  Scalar one(const ir::Sum& node, const Expr& expr) {
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

  const ir::Stencil& stencil_;
  const State& state_;
  const Extents at_;
  std::unordered_map<const Expr*, Scalar> named_;
};

bool updated(const ir::Update& update, const State& state, const Extents& cell) {
  for (int a = 0; a < ir::kMaxRank; ++a)
    if (cell[a] < update.low[a] || cell[a] >= state.extents[a] - update.high[a]) return false;
  return true;
}

void step(const ir::Stencil& stencil, State& state) {
  std::vector<Grid> results;
  for (const ir::Update& update : stencil.updates) results.push_back(state.fields[update.field][0]);
  Extents cell;
  for (cell[2] = 0; cell[2] < state.extents[2]; ++cell[2])
    for (cell[1] = 0; cell[1] < state.extents[1]; ++cell[1])
      for (cell[0] = 0; cell[0] < state.extents[0]; ++cell[0]) {
        Cell here(stencil, state, cell);
        for (size_t u = 0; u < stencil.updates.size(); ++u)
          if (updated(stencil.updates[u], state, cell))
            results[u][position(state.extents, cell)] = here.value(stencil.updates[u].value);
      }
  for (size_t u = 0; u < stencil.updates.size(); ++u) {
    std::vector<Grid>& levels = state.fields[stencil.updates[u].field];
    levels.insert(levels.begin(), std::move(results[u]));
    levels.pop_back();
  }
}

}  // namespace

int64_t extend(ir::Edge edge, int64_t index, int64_t extent) {
  while (index < 0 || index >= extent) {
    switch (edge) {
      case ir::Edge::clamp:
        index = index < 0 ? 0 : extent - 1;
        break;
      case ir::Edge::reflect:
        index = index < 0 ? -1 - index : 2 * extent - 1 - index;
        break;
      case ir::Edge::mirror:
        if (extent == 1) return 0;
        index = index < 0 ? -index : 2 * (extent - 1) - index;
        break;
      case ir::Edge::periodic:
        index += index < 0 ? extent : -extent;
        break;
      case ir::Edge::constant:
        return -1;
      case ir::Edge::fixed:
      case ir::Edge::none:
        assert(false && "read outside the grid");
        return index;
    }
  }
  return index;
}

State make_state(const ir::Stencil& stencil, Extents extents) {
  State state;
  state.extents = extents;
  for (const ir::Field& field : stencil.fields)
    state.fields.emplace_back(field.role == ir::Role::stepped ? field.levels() : 1,
                              Grid(cells(extents), Scalar{field.type}));
  for (const ir::Param& param : stencil.params)
    state.params.push_back(param.has_default ? param.value : Scalar{param.type});
  return state;
}

void run(const ir::Stencil& stencil, State& state, int64_t steps) {
  for (int64_t s = 0; s < steps; ++s) step(stencil, state);
}

}  // namespace stencilc::interp
