// First upwards through the expression: which nodes are numbers, which are linear, and which are
// neither. Then downwards: the derivative of the whole expression by each node, which is a number
// if the expression is linear; for a read it is its weight.
#include "lint/linear.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ir/node_map.h"

namespace stencilc::lint {
namespace {

struct Form {
  // apart: does not read the fields, but its value is not known. other: anything else.
  enum Kind { number, apart, linear, other } kind = other;
  ir::Scalar value;  // of a number
};

Form number(const ir::Scalar& value) { return {Form::number, value}; }

double real(const Form& form) {
  return ir::is_float(form.value.type) ? form.value.real : static_cast<double>(form.value.integer);
}

class Linearity {
 public:
  Linearity(const std::vector<bool>& unknown, const Values& values)
      : unknown_(unknown), values_(values) {}

  std::optional<std::vector<Tap>> terms(const ir::ExprPtr& root) {
    const std::vector<ir::ExprPtr> nodes = ir::nodes_of(std::vector{root});
    for (const ir::ExprPtr& node : nodes)
      forms_[node.get()] =
          std::visit([&](const auto& inner) { return form(inner, *node); }, node->node);
    if (form_of(root).kind == Form::other) return {};
    slopes_[root.get()] = 1;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
      if (form_of(*node).kind == Form::linear) descend(**node);
    std::vector<Tap> taps;
    for (const auto& [place, weight] : weights_) {
      const auto& [field, level, offset] = place;
      taps.push_back({field, level, offset, weight});
    }
    return taps;
  }

 private:
  const Form& form_of(const ir::ExprPtr& expr) const { return *forms_.find(expr.get()); }

  Form form(const ir::Constant& node, const ir::Expr&) { return number(node.value); }
  Form form(const ir::ParamRef& node, const ir::Expr&) {
    const auto& value = values_.params[node.param];
    return value ? number(*value) : Form{Form::apart, {}};
  }
  Form form(const ir::WeightRef& node, const ir::Expr&) {
    const std::vector<ir::Scalar>& weights = values_.weights[node.array];
    return weights.empty() ? Form{Form::apart, {}} : number(weights[node.element]);
  }
  Form form(const ir::Read& node, const ir::Expr& expr) {
    if (!unknown_[node.field]) return {Form::apart, {}};
    return {ir::is_float(expr.type) ? Form::linear : Form::other, {}};
  }
  Form form(const ir::Named& node, const ir::Expr&) { return form_of(node.value); }
  Form form(const ir::Cast& node, const ir::Expr& expr) {
    const Form& inner = form_of(node.value);
    if (inner.kind == Form::number)
      return number(node.saturate ? ir::saturate(inner.value, expr.type)
                                  : ir::convert(inner.value, expr.type));
    if (inner.kind == Form::linear && !ir::is_float(expr.type)) return {};
    return inner;
  }
  // A reduction may read the fields; sums do not exist yet.
  Form form(const ir::ReductionRef&, const ir::Expr&) { return {}; }
  Form form(const ir::Sum&, const ir::Expr&) { return {}; }
  template <class Leaf>
  Form form(const Leaf&, const ir::Expr&) {
    return {Form::apart, {}};
  }

  Form form(const ir::Apply& node, const ir::Expr& expr) {
    if (node.op == ir::Op::select) {
      const Form& condition = form_of(node.args[0]);
      if (condition.kind == Form::number)
        return form_of(node.args[condition.value.integer != 0 ? 1 : 2]);
    }
    const auto any = [&](Form::Kind kind) {
      return std::ranges::any_of(node.args,
                                 [&](const ir::ExprPtr& arg) { return form_of(arg).kind == kind; });
    };
    if (any(Form::other)) return {};
    if (any(Form::linear)) return {stays_linear(node) ? Form::linear : Form::other, {}};
    if (any(Form::apart)) return {Form::apart, {}};
    std::vector<ir::Scalar> values;
    for (const ir::ExprPtr& arg : node.args) values.push_back(form_of(arg).value);
    return number(
        ir::apply(node.op, ir::is_comparison(node.op) ? node.args[0]->type : expr.type, values));
  }

  bool stays_linear(const ir::Apply& node) const {
    const auto kind = [&](int arg) { return form_of(node.args[arg]).kind; };
    const auto is_product = [&] {
      return (kind(0) != Form::linear && kind(1) != Form::linear) || kind(0) == Form::number ||
             kind(1) == Form::number;
    };
    switch (node.op) {
      case ir::Op::neg:
      case ir::Op::add:
      case ir::Op::sub:
        return true;
      case ir::Op::mul:
      case ir::Op::fma:
        return is_product();
      case ir::Op::div:
        return kind(1) == Form::number;
      default:
        return false;
    }
  }

  void give(const ir::ExprPtr& child, double slope) {
    if (form_of(child).kind == Form::linear) slopes_[child.get()] += slope;
  }

  void descend(const ir::Expr& expr) {
    const double slope = slopes_[&expr];
    if (const auto* read = std::get_if<ir::Read>(&expr.node))
      weights_[{read->field, read->level, read->offset}] += slope;
    else if (const auto* apply = std::get_if<ir::Apply>(&expr.node))
      descend(*apply, slope);
    else
      ir::for_each_child(expr, [&](const ir::ExprPtr& child) { give(child, slope); });
  }

  void descend(const ir::Apply& node, double slope) {
    const std::vector<ir::ExprPtr>& args = node.args;
    switch (node.op) {
      case ir::Op::neg:
        return give(args[0], -slope);
      case ir::Op::add:
        give(args[0], slope);
        return give(args[1], slope);
      case ir::Op::sub:
        give(args[0], slope);
        return give(args[1], -slope);
      case ir::Op::fma:
        give(args[2], slope);
        [[fallthrough]];
      case ir::Op::mul:
        give(args[0], slope * real(form_of(args[1])));
        return give(args[1], slope * real(form_of(args[0])));
      case ir::Op::div:
        return give(args[0], slope / real(form_of(args[1])));
      default:  // a selection with a known condition
        return give(args[form_of(args[0]).value.integer != 0 ? 1 : 2], slope);
    }
  }

  const std::vector<bool>& unknown_;
  const Values& values_;
  ir::NodeMap<Form> forms_;
  ir::NodeMap<double> slopes_;
  std::map<std::tuple<int, int, ir::Offset>, double> weights_;
};

}  // namespace

std::optional<std::vector<Tap>> linear_terms(const ir::ExprPtr& expr,
                                             const std::vector<bool>& unknown,
                                             const Values& values) {
  return Linearity(unknown, values).terms(expr);
}

}  // namespace stencilc::lint
