#include "passes/effects.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>

#include "kernel/build.h"

namespace stencilc::passes {

using namespace kernel;

namespace {

// A division by a power of two is a product.
bool is_product(const Bin& node) {
  const auto* real = as<Real>(node.right);
  int exponent = 0;
  return real && std::fabs(std::frexp(real->value, &exponent)) == 0.5;
}

// Adds `factor` times an index to a sum of variables, each times a number, and of numbers ("").
// False: it is no such sum.
bool add_to(std::map<std::string, int64_t>& sum, const ExprPtr& expr, int64_t factor) {
  if (const auto* number = as<Int>(expr)) {
    sum[""] += factor * number->value;
    return true;
  }
  if (const auto* name = as<Var>(expr)) {
    sum[name->name] += factor;
    return true;
  }
  const auto* node = as<Bin>(expr);
  if (!node) return false;
  const auto *left = as<Int>(node->left), *right = as<Int>(node->right);
  if (node->op == BinOp::mul && left) return add_to(sum, node->right, factor * left->value);
  if (node->op == BinOp::mul && right) return add_to(sum, node->left, factor * right->value);
  if (node->op != BinOp::add && node->op != BinOp::sub) return false;
  return add_to(sum, node->left, factor) &&
         add_to(sum, node->right, node->op == BinOp::add ? factor : -factor);
}

bool is_zero(const ExprPtr& expr) {
  const auto* real = as<Real>(expr);
  return real && real->value == 0;
}

}  // namespace

bool is_division(const Expr& expr) {
  const auto* node = std::get_if<Bin>(&expr.node);
  return node && node->op == BinOp::div && (expr.type == Type::f32 || expr.type == Type::f64) &&
         !is_product(*node);
}

bool is_root(const Expr& expr) {
  const auto* node = std::get_if<Call>(&expr.node);
  return node && node->function == Fn::sqrt && (expr.type == Type::f32 || expr.type == Type::f64);
}

// Does a division or root take part in the value?
bool Effects::divides(const ExprPtr& expr) const {
  if (!expr) return false;
  const auto* name = as<Var>(expr);
  const auto* load = as<Load>(expr);
  if ((name && divided.count(name->name)) || (load && divided.count(load->buffer.name)))
    return true;
  if (is_division(*expr) || is_root(*expr)) return true;
  bool any = false;
  for_each_child(*expr, [&](const ExprPtr& part) { any = any || divides(part); });
  return any;
}

void Effects::see(const ExprPtr& expr) {
  if (!expr) return;
  const auto* call = as<Call>(expr);
  if (as<Beside>(expr) || (call && call->function == Fn::moved)) repeats = false;
  if (const auto* name = as<Var>(expr)) read.insert(name->name);
  if (const auto* load = as<Load>(expr)) loads.push_back(*load);
  if (const auto* node = as<Bin>(expr); node && expr->type == Type::boolean) {
    if (is_zero(node->right)) compared_to_zero.insert(node->left.get());
    if (is_zero(node->left)) compared_to_zero.insert(node->right.get());
  }
  if (is_division(*expr) || is_root(*expr)) ++operations;
  for_each_child(*expr, [&](const ExprPtr& child) { see(child); });
}

void Effects::see(const Body& body) {
  for (const Stmt& stmt : body) see(stmt);
}

// What is written where a condition holds that is another one when rare numbers are done exactly
// would stay, if it is from outside.
void Effects::see_writes(const std::string& name, bool divided_value) {
  if (under_divided_ > 0 && !declared.count(name)) repeats = false;
  if (divided_value || under_divided_ > 0) divided.insert(name);
}

void Effects::see(const Stmt& stmt) {
  if (const auto* let = std::get_if<Let>(&stmt.node)) {
    see(let->value);
    declared.insert(let->name);
    see_writes(let->name, divides(let->value));
  } else if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
    see(assign->value);
    assigned.insert(assign->name);
    see_writes(assign->name, divides(assign->value));
  } else if (const auto* store = std::get_if<Store>(&stmt.node)) {
    for (const ExprPtr& expr : {store->row, store->at, store->value}) see(expr);
    stores.push_back(*store);
    see_writes(store->buffer.name, divides(store->value));
    if (divides(store->row) || divides(store->at)) repeats = false;
  } else if (const auto* array = std::get_if<Array>(&stmt.node)) {
    if (array->buffer.shared) repeats = false;
    declared.insert(array->buffer.name);
  } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
    see(branch->condition);
    const bool by_quotient = divides(branch->condition);
    if (by_quotient) ++under_divided_;
    see(branch->yes);
    see(branch->no);
    if (by_quotient) --under_divided_;
  } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
    if (!loop->first || loop->next) repeats = false;
    for (const ExprPtr& expr : {loop->first, loop->last}) see(expr);
    declared.insert(loop->name);
    see(loop->body);
  } else if (!std::get_if<Note>(&stmt.node) && !std::get_if<Line>(&stmt.node)) {
    repeats = false;
  }
}

bool Effects::apart(const ExprPtr& a, const ExprPtr& b) const {
  std::map<std::string, int64_t> difference;
  if (!add_to(difference, a, 1) || !add_to(difference, b, -1)) return false;
  if (difference[""] == 0) return false;
  return std::all_of(difference.begin(), difference.end(), [&](const auto& term) {
    return term.first.empty() ||
           (term.second == 0 && !declared.count(term.first) && !assigned.count(term.first));
  });
}

std::string Effects::updated() const {
  for (const std::string& name : assigned)
    if (read.count(name) && !declared.count(name)) return name;
  return {};
}

bool Effects::overwrites() const {
  return std::any_of(stores.begin(), stores.end(), [&](const Store& store) {
    return !declared.count(store.buffer.name) &&
           std::any_of(loads.begin(), loads.end(), [&](const Load& load) {
             return load.buffer.name == store.buffer.name &&
                    !(store.row && load.row && apart(store.row, load.row));
           });
  });
}

int Effects::held() const {
  std::set<std::tuple<std::string, std::map<std::string, int64_t>, std::map<std::string, int64_t>>>
      places;
  int count = 0;
  const auto add = [&](const Buffer& buffer, const ExprPtr& row, const ExprPtr& at) {
    std::map<std::string, int64_t> of_row, of_place;
    if (row) add_to(of_row, row, 1);
    add_to(of_place, at, 1);
    if (places.emplace(buffer.name, of_row, of_place).second)
      count += buffer.element == Type::f64 || buffer.element == Type::i64 ? 2 : 1;
  };
  for (const Store& store : stores) add(store.buffer, store.row, store.at);
  for (const Load& load : loads) add(load.buffer, load.row, load.at);
  return count;
}

bool may_part(const Effects& first, const Effects& second, const std::string& v) {
  const auto of_a_pass = [&](const auto& a, const auto& b) {
    if (a.buffer.name != b.buffer.name) return true;
    if (a.row && b.row && first.apart(a.row, b.row) && second.apart(a.row, b.row)) return true;
    std::map<std::string, int64_t> place, difference;
    if (!add_to(place, a.at, 1) || place[v] == 0) return false;
    return add_to(difference, a.at, 1) && add_to(difference, b.at, -1) &&
           std::all_of(difference.begin(), difference.end(),
                       [](const auto& term) { return term.second == 0; });
  };
  const auto all = [&](const auto& some, const auto& others) {
    return std::all_of(some.begin(), some.end(), [&](const auto& a) {
      return std::all_of(others.begin(), others.end(),
                         [&](const auto& b) { return of_a_pass(a, b); });
    });
  };
  return first.assigned.empty() && second.assigned.empty() && all(first.stores, second.stores) &&
         all(first.stores, second.loads) && all(first.loads, second.stores);
}

}  // namespace stencilc::passes
