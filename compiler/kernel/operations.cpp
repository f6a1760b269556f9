#include "kernel/operations.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "kernel/build.h"

namespace stencilc::kernel {
namespace {

constexpr int kWidestAccess = 16;  // bytes

bool is_fast(Fn function) { return function >= Fn::quotient && function <= Fn::reciprocal_root; }
// The length of a function, of exp being 1; 0: it is an operation like others.
double length(Fn function) {
  switch (function) {
    case Fn::exp:
      return 1;
    case Fn::log:
      return 1.3;
    case Fn::sin:
    case Fn::cos:
    case Fn::tanh:
      return 2;
    case Fn::tan:
      return 3;
    case Fn::pow:
      return 5;
    default:
      return 0;
  }
}

// Divisions by powers of two become products.
bool is_power_of_two(const ExprPtr& expr) {
  const auto* number = as<Real>(expr);
  int exponent = 0;
  return number && std::abs(std::frexp(number->value, &exponent)) == 0.5;
}

class CodeCounter {
 public:
  OperationCounts result() {
    for (const auto& [name, count] : stored_) total_.cells = std::max(total_.cells, count);
    return total_;
  }

  void in(const Body& body) {
    for (const Stmt& stmt : body) std::visit([&](const auto& node) { one(node); }, stmt.node);
  }

 private:
  void of(const ExprPtr& root) {
    std::unordered_set<const Expr*> known;
    count(root, known);
  }
  void count(const ExprPtr& expr, std::unordered_set<const Expr*>& known) {
    if (!expr || !known.insert(expr.get()).second) return;
    std::visit([&](const auto& node) { add(node, *expr); }, expr->node);
    if (expr->type == Type::index) return;
    for_each_child(*expr, [&](const ExprPtr& child) { count(child, known); });
  }

  void plain(Type type) {
    if (type == Type::index || type == Type::boolean) return;
    (type == Type::f64 ? total_.f64 : is_float(type) ? total_.f32 : total_.integer) += passes_;
  }
  void slow(Type type, double& of_f32, double& of_f64, double count = 1) {
    (type == Type::f64 ? of_f64 : of_f32) += passes_ * count;
  }
  // The sine and the cosine of a variable share most of their code.
  double length_of(const Call& node) {
    constexpr double kOther = 0.6;
    const bool angle = node.function == Fn::sin || node.function == Fn::cos;
    const auto* var = angle ? as<Var>(node.args[0]) : nullptr;
    if (!var) return length(node.function);
    const auto [place, fresh] = angles_.try_emplace(var->name, node.function);
    return fresh || place->second == node.function ? length(node.function) : kOther;
  }
  void called(Fn function, Type type, double count) {
    slow(type, total_.functions, total_.functions_f64, count);
    if (type != Type::f64 && function != Fn::exp && function != Fn::log)
      total_.branching += passes_ * count;
  }
  void add(const Bin& node, const Expr& expr) {
    const bool is_integer = node.op == BinOp::idiv || node.op == BinOp::mod;
    if ((node.op == BinOp::div && !is_power_of_two(node.right)) ||
        (is_integer && exponent_of_divisor(node) < 0)) {
      if (expr.type != Type::index) slow(expr.type, total_.divisions, total_.divisions_f64);
    } else {
      plain(node.left->type);
    }
  }
  void add(const Fma&, const Expr& expr) { plain(expr.type); }
  void add(const Call& node, const Expr& expr) {
    if (node.function == Fn::ghost_place) places_ += passes_;
    if (node.function == Fn::sqrt || is_fast(node.function))
      slow(expr.type, total_.divisions, total_.divisions_f64);
    else if (const double functions = length_of(node); functions > 0)
      called(node.function, expr.type, functions);
    else
      plain(expr.type);
    if (node.function == Fn::over_number) plain(expr.type);
  }
  void add(const Convert&, const Expr& expr) {
    if (expr.type != Type::index) total_.conversions += passes_;
  }
  void add(const Pick&, const Expr& expr) {
    if (expr.type != Type::index) total_.choices += passes_;
  }
  void add(const Load& node, const Expr&) {
    if (node.buffer.registers == 0 || node.buffer.shared) total_.loads += passes_;
  }
  void add(const Beside&, const Expr&) { total_.loads += passes_; }
  template <class Other>
  void add(const Other&, const Expr&) {}

  // Accesses of so many values.
  static double accesses(const Buffer& memory, double values, int width) {
    const int most = std::max(1, kWidestAccess / std::max(1, bytes_of(memory.element)));
    return std::ceil(values / std::min(most, std::max(1, width)));
  }
  void moved(const Copy& copy) {
    const double values = static_cast<double>(copy.width) * copy.count;
    const bool loads = copy.from.registers == 0 || copy.from.shared;
    const bool stores = copy.to.registers == 0 || copy.to.shared;
    if (loads) total_.loads += passes_ * accesses(copy.from, values, copy.width);
    if (stores) store(copy.to, values, copy.width);
    if (!loads && !stores) total_.moves += passes_ * values;
  }
  void store(const Buffer& to, double values, int width) {
    total_.stores += passes_ * accesses(to, values, width);
    if (to.shared) return;
    stored_[to.name] += passes_ * values;
    ++stores_;
  }

  void one(const Let& node) { of(node.value); }
  void one(const Assign& node) { of(node.value); }
  void one(const Store& node) {
    of(node.value);
    if (node.buffer.registers == 0 || node.buffer.shared) store(node.buffer, 1, 1);
  }
  void one(const Combine& node) { of(node.value); }
  void one(const Copy& node) { moved(node); }
  void one(const Fill& node) { moved(node.copy); }
  void one(const FillRow& node) {
    total_.loads +=
        passes_ * accesses(node.from, static_cast<double>(node.width) * node.count, node.width);
  }
  void one(const Sides& node) { total_.loads += passes_ * (node.left + node.right); }
  void one(const StoreRow& node) { moved(node.copy); }
  void one(const Variants& node) { in(node.body); }
  void one(const FastDivision& node) { in(node.body); }
  void one(const If& node) {
    of(node.condition);
    const bool outer = outermost_ && !node.no.empty();
    const bool was = std::exchange(outermost_, false);
    const double before = passes_;
    passes_ *= node.share;
    if (node.share > 0) in(node.yes);
    passes_ = before;
    if (outer) {
      CodeCounter edges;
      edges.in(node.no);
      total_.edge_places += passes_ * edges.places_;
    } else {
      in(node.no);
    }
    outermost_ = was;
  }
  void one(const For& node) {
    const auto *from = as<Int>(node.first), *to = as<Int>(node.last);
    const double before = passes_;
    if ((node.mark == For::unrolled || node.counts) && from && to)
      passes_ *= std::max<double>(1, static_cast<double>(to->value - from->value));
    const size_t stored = stores_;
    in(node.body);
    if (node.mark == For::rolled && node.counts && stores_ > stored)
      total_.turns = std::max(total_.turns, passes_ / before);
    passes_ = before;
  }
  template <class Other>
  void one(const Other&) {}

  OperationCounts total_;
  double places_ = 0;
  size_t stores_ = 0;  // statements that store into memory
  double passes_ = 1;  // of the unrolled loops around the statement
  bool outermost_ = true;
  std::unordered_map<std::string, double> stored_;
  std::unordered_map<std::string, Fn> angles_;  // variables of which there is a sine or a cosine
};

}  // namespace

OperationCounts operations_of(const Body& body) {
  CodeCounter counter;
  counter.in(body);
  return counter.result();
}

}  // namespace stencilc::kernel
