#include "sema/expressions/difference_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/expressions/expressions.h"

namespace stencilc::sema {

using ast::NamedArg;
using ast::Range;
using ir::Op;

namespace {

Operand operand(const Fraction& weight) {
  return weight.below == 1 ? literal_integer(weight.above) : literal_real(nearest(weight), weight);
}

const NamedArg* find(const ast::Call& call, std::string_view name) {
  for (const NamedArg& arg : call.named)
    if (arg.name.name == name) return &arg;
  return nullptr;
}

}  // namespace

// A displacement and its weight.
struct DifferenceCalls::WeightedOffset {
  ir::Offset offset = {};
  Fraction weight;
};

bool DifferenceCalls::check_named(const ast::Call& call,
                                  std::initializer_list<std::string_view> known,
                                  const std::string& shape) {
  for (const NamedArg& arg : call.named) {
    const std::string& name = arg.name.name;
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (is_known && find(call, name) == &arg) continue;
    engine_
        .report(diag::wrong_arity, arg.name.at,
                is_known ? fmt::format("`{}` is given twice", name)
                         : fmt::format("`{}` has no argument `{}`", call.function.name, name))
        .note("it is used as " + shape);
    return false;
  }
  return check_count(call, 1, shape, engine_);
}

// The argument `order`, or its default.
std::optional<int> DifferenceCalls::difference_order(const ast::Call& call, bool sided,
                                                     const Frame& frame) {
  const NamedArg* arg = find(call, "order");
  if (!arg) return sided ? 1 : 2;
  const auto order = expressions_.constant_integer(arg->value, frame, "the order");
  if (!order) return {};
  if (sided ? *order >= 1 && *order <= kMaxSidedOrder
            : *order >= 2 && *order <= kMaxCentralOrder && *order % 2 == 0)
    return static_cast<int>(*order);
  const std::string allowed =
      sided ? fmt::format("one-sided differences have an order from 1 to {}", kMaxSidedOrder)
            : fmt::format("{} differences have an even order from 2 to {}",
                          find(call, "at") ? "staggered" : "central", kMaxCentralOrder);
  engine_.report(diag::bad_order, arg->value->at,
                 fmt::format("the order is {}; {}", *order, allowed));
  return {};
}

// Of the argument of the call, with the terms in the given order.
Operand DifferenceCalls::weighted_sum(const std::vector<WeightedOffset>& terms,
                                      const ast::Call& call, const Range& at, const Frame& frame) {
  Operand sum;
  int argument = -1;
  for (const WeightedOffset& term : terms) {
    ir::Offset place = frame.shift;
    for (int a = 0; a < ir::kMaxRank; ++a) place[a] += term.offset[a];
    const Operand value =
        arguments_.read(call.args[0], call.function.name + "_argument", frame, place, at, argument);
    const Operand product = operators_.arithmetic(Op::mul, operand(term.weight), value, at);
    sum = &term == &terms.front() ? product : operators_.arithmetic(Op::add, sum, product, at);
    if (sum.kind == Operand::failed) return fail();
  }
  return sum;
}

Operand DifferenceCalls::along_axis(const Difference& difference, int axis, const ast::Call& call,
                                    const Range& at, const Frame& frame) {
  std::vector<WeightedOffset> terms;
  for (const WeightedNode& node : difference) {
    terms.push_back({{}, node.weight});
    terms.back().offset[axis] = node.node;
  }
  return weighted_sum(terms, call, at, frame);
}

// The sum of the second derivatives along all axes on a grid of unit spacing. In source order the
// terms are: the cell itself, then for each axis the cells k below and k above for k = 1, 2, ...
Operand DifferenceCalls::laplacian(const ast::Call& call, const Range& at, const Frame& frame) {
  if (!check_named(call, {"order"}, "`laplacian(u)` or `laplacian(u, order = 4)`")) return fail();
  const auto order = difference_order(call, false, frame);
  if (!order) return fail();
  const int p = *order / 2, rank = scope_.stencil.rank();
  const Difference second = central_difference(2, *order);
  std::vector<WeightedOffset> terms = {{{}, Fraction{rank, 1} * second[p].weight}};
  for (int axis = 0; axis < rank; ++axis)
    for (int k = 1; k <= p; ++k)
      for (const int side : {-k, k}) {
        terms.push_back({{}, second[p + side].weight});
        terms.back().offset[axis] = side;
      }
  return weighted_sum(terms, call, at, frame);
}

// Whether there is such a difference: at the cell, between cells, on one side, upwind.
bool DifferenceCalls::check_form(const ast::Call& call, const std::vector<int>& axes) {
  const std::string& name = call.function.name;
  const NamedArg* form = nullptr;
  for (const NamedArg& arg : call.named) {
    if (arg.name.name == "order") continue;
    if (form) {
      engine_
          .report(diag::bad_difference, arg.name.at,
                  fmt::format("one difference cannot take both `{}` and `{}`", form->name.name,
                              arg.name.name))
          .help(
              "`at` is for a place between two cells, `side` for one side, `upwind` for a "
              "velocity");
      return false;
    }
    form = &arg;
  }
  if (!form || axes.size() == 1) return true;
  const std::string& kind = form->name.name;
  const std::string a = "d" + scope_.stencil.axes[axes[0]], b = "d" + scope_.stencil.axes[axes[1]];
  std::string instead;
  if (a != b)
    instead =
        fmt::format("put one inside the other: `{0}({1}(u, {2} = ...), {2} = ...)`", a, b, kind);
  else if (kind == "at")
    instead = fmt::format("write `{0}({0}(u, at = +1/2), at = -1/2)`", a);
  else if (kind == "upwind")
    instead = fmt::format("write `{0}(u, side = -1)` or `{0}(u, side = +1)`", name);
  if (instead.empty()) return true;
  engine_
      .report(diag::bad_difference, form->name.at,
              fmt::format("`{}` does not take `{}`", name, kind))
      .help(instead);
  return false;
}

// 1 or -1, if the argument is that times `unit`.
std::optional<int> DifferenceCalls::difference_side(const NamedArg& arg, double unit,
                                                    const std::string& help, const Frame& frame) {
  const auto value = expressions_.constant_number(arg.value, frame,
                                                  fmt::format("the argument `{}`", arg.name.name));
  if (!value) return {};
  if (value->real == unit) return 1;
  if (value->real == -unit) return -1;
  engine_
      .report(diag::bad_difference, arg.value->at,
              fmt::format("`{}` is {}", arg.name.name, value->real))
      .help(help);
  return {};
}

// dx, dxx and dxy: the terms ascend along each axis; the last axis changes fastest.
Operand DifferenceCalls::derivative(const std::vector<int>& axes, const ast::Call& call,
                                    const Range& at, const Frame& frame) {
  if (find_binding(call.function.name, frame)) {  // fn f(u, dx) = dx(u)
    engine_
        .report(diag::not_a_function, call.function.at,
                fmt::format("`{}` is called, but it is not a function", call.function.name))
        .help(fmt::format("rename the argument to use the difference `{}`", call.function.name));
    return fail();
  }
  const int axis = axes[0], derivative = static_cast<int>(axes.size());
  std::string shape = fmt::format("`{0}(u)` or `{0}(u, order = 4)`", call.function.name);
  if (derivative == 1) shape += ", with `at = +1/2`, `side = -1` or `upwind = v` for other forms";
  if (!check_named(call, {"order", "at", "side", "upwind"}, shape) || !check_form(call, axes))
    return fail();
  const NamedArg *between = find(call, "at"), *side = find(call, "side"),
                 *upwind = find(call, "upwind");
  const auto order = difference_order(call, side || upwind, frame);
  if (!order) return fail();
  if (between) {
    const auto half = difference_side(
        *between, 0.5, "write `at = +1/2` or `at = -1/2`; without `at` it is taken at the cell",
        frame);
    return half ? along_axis(staggered_difference(*order, *half), axis, call, at, frame) : fail();
  }
  if (side) {
    const auto where = difference_side(
        *side, 1, "write `side = -1` for the cells below or `side = +1` for those above", frame);
    return where ? along_axis(sided_difference(derivative, *order, *where), axis, call, at, frame)
                 : fail();
  }
  if (upwind) return upwind_difference(*upwind, *order, axis, call, at, frame);
  if (derivative == 1 || axes[0] == axes[1])
    return along_axis(central_difference(derivative, *order), axis, call, at, frame);
  const Difference first = central_difference(1, *order);
  std::vector<WeightedOffset> terms;
  for (const WeightedNode& a : first)
    for (const WeightedNode& b : first) {
      terms.push_back({{}, a.weight * b.weight});
      terms.back().offset[axes[0]] = a.node;
      terms.back().offset[axes[1]] = b.node;
    }
  return weighted_sum(terms, call, at, frame);
}

// v > 0 ? backward : forward; only one of the two if v is a known number.
Operand DifferenceCalls::upwind_difference(const NamedArg& upwind, int order, int axis,
                                           const ast::Call& call, const Range& at,
                                           const Frame& frame) {
  const Operand positive = operators_.compare(Op::gt, expressions_.evaluate(upwind.value, frame),
                                              literal_integer(0), upwind.value->at);
  if (positive.kind == Operand::failed) return fail();
  const auto on_side = [&](int side) {
    return along_axis(sided_difference(1, order, side), axis, call, at, frame);
  };
  if (const auto* known = ir::as<ir::Constant>(positive.expr))
    return on_side(known->value.integer ? -1 : 1);
  const Operand backward = on_side(-1), forward = on_side(1);
  if (backward.kind == Operand::failed || forward.kind == Operand::failed) return fail();
  const ir::Type type = operators_.common_type(backward, forward);
  const ir::ExprPtr yes = operators_.in_type(backward, type, at),
                    no = operators_.in_type(forward, type, at);
  return yes && no ? typed(ir::apply(Op::select, type, {positive.expr, yes, no})) : fail();
}

}  // namespace stencilc::sema
