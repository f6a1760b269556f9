// Computes what kernel statements mean, one thread of it, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "interp/interpreter.h"
#include "kernel/build.h"

namespace stencilc::testing {

// The statements and expressions that reads of f64 fields are made of.
struct Machine {
  struct Value {
    double real = 0;
    int64_t integer = 0;
  };
  std::map<std::string, Value> variables;
  std::map<std::string, double> arrays;  // of one value each
  std::function<double(int64_t)> load;   // from any other place

  static ir::Edge edge(kernel::Side side) {
    constexpr ir::Edge kEdges[] = {ir::Edge::constant, ir::Edge::clamp, ir::Edge::reflect,
                                   ir::Edge::mirror, ir::Edge::antireflect};
    return kEdges[static_cast<int>(side)];
  }
  Value run(const kernel::ExprPtr& expr) {
    return std::visit([&](const auto& node) { return one(node, *expr); }, expr->node);
  }
  void run(const kernel::Body& body) {
    for (const kernel::Stmt& stmt : body) {
      if (const auto* let = std::get_if<kernel::Let>(&stmt.node))
        variables[let->name] = run(let->value);
      else if (const auto* assign = std::get_if<kernel::Assign>(&stmt.node))
        variables.at(assign->name) = run(assign->value);
      else if (const auto* store = std::get_if<kernel::Store>(&stmt.node))
        arrays.at(store->buffer.name) = run(store->value).real;
      else if (const auto* split = std::get_if<kernel::If>(&stmt.node))
        run(run(split->condition).integer != 0 ? split->yes : split->no);
      else
        ADD_FAILURE() << "a statement no read needs";
    }
  }
  template <class Other>
  Value one(const Other&, const kernel::Expr&) {
    ADD_FAILURE() << "an expression no read needs";
    return {};
  }
  Value one(const kernel::Int& node, const kernel::Expr&) { return {0, node.value}; }
  Value one(const kernel::Real& node, const kernel::Expr&) { return {node.value, 0}; }
  Value one(const kernel::Var& node, const kernel::Expr&) { return variables.at(node.name); }
  Value one(const kernel::Neg& node, const kernel::Expr&) {
    const Value value = run(node.value);
    return {-value.real, -value.integer};
  }
  Value one(const kernel::Not& node, const kernel::Expr&) {
    return {0, run(node.value).integer == 0};
  }
  Value one(const kernel::Fma& node, const kernel::Expr&) {
    return {std::fma(run(node.a).real, run(node.b).real, run(node.c).real), 0};
  }
  Value one(const kernel::Convert& node, const kernel::Expr& expr) {
    const Value value = run(node.value);
    const bool to_real = expr.type == kernel::Type::f64 && node.value->type != kernel::Type::f64;
    return to_real ? Value{static_cast<double>(value.integer), 0} : value;
  }
  Value one(const kernel::Load& node, const kernel::Expr&) {
    const auto array = arrays.find(node.buffer.name);
    return {array != arrays.end() ? array->second : load(run(node.at).integer), 0};
  }
  Value one(const kernel::Pick& node, const kernel::Expr&) {
    return run(run(node.condition).integer != 0 ? node.yes : node.no);
  }
  Value one(const kernel::Bin& node, const kernel::Expr&) {
    const Value a = run(node.left);
    if (node.op == kernel::BinOp::and_ && a.integer == 0) return {0, 0};
    if (node.op == kernel::BinOp::or_ && a.integer != 0) return {0, 1};
    const Value b = run(node.right);
    switch (node.op) {
      case kernel::BinOp::add:
        return {a.real + b.real, a.integer + b.integer};
      case kernel::BinOp::sub:
        return {a.real - b.real, a.integer - b.integer};
      case kernel::BinOp::mul:
        return {a.real * b.real, a.integer * b.integer};
      case kernel::BinOp::lt:
        return {0, a.integer < b.integer};
      case kernel::BinOp::le:
        return {0, a.integer <= b.integer};
      case kernel::BinOp::eq:
        return {0, a.integer == b.integer};
      case kernel::BinOp::gt:
        return {0, a.integer > b.integer};
      case kernel::BinOp::ge:
        return {0, a.integer >= b.integer};
      case kernel::BinOp::and_:
      case kernel::BinOp::or_:
        return b;
      default:
        ADD_FAILURE() << "an operator no read needs";
        return {};
    }
  }
  Value one(const kernel::Call& node, const kernel::Expr&) {
    const int64_t index = run(node.args.at(0)).integer, extent = run(node.args.at(1)).integer;
    const auto land = [&](ir::Edge low, ir::Edge high) {
      return interp::extend(low, high, index, extent);
    };
    switch (node.function) {
      case kernel::Fn::clamp:
        return {0, land(ir::Edge::clamp, ir::Edge::clamp).index};
      case kernel::Fn::reflect:
        return {0, land(ir::Edge::reflect, ir::Edge::reflect).index};
      case kernel::Fn::mirror:
        return {0, land(ir::Edge::mirror, ir::Edge::mirror).index};
      case kernel::Fn::wrap:
        return {0, land(ir::Edge::periodic, ir::Edge::periodic).index};
      case kernel::Fn::fold:
        return {0, land(edge(node.low), edge(node.high)).index};
      case kernel::Fn::flips:
        return {0, land(edge(node.low), edge(node.high)).negated};
      default:
        ADD_FAILURE() << "a function no read needs";
        return {};
    }
  }
};

}  // namespace stencilc::testing
