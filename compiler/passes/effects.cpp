#include "passes/effects.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
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

bool Effects::see(const ExprPtr& expr) {
  if (!expr) return false;
  bool divides = false;
  if (const auto* name = as<Var>(expr)) {
    read.insert(name->name);
    divides = divided.contains(name->name);
  } else if (const auto* load = as<Load>(expr)) {
    loads.push_back(load);
    divides = divided.contains(load->buffer.name);
  } else if (is_division(*expr) || is_root(*expr)) {
    ++operations;
    divides = true;
  } else if (takes_of_lanes(*expr)) {
    repeats = false;
  }
  for_each_child(*expr, [&](const ExprPtr& child) { divides |= see(child); });
  return divides;
}

void Effects::see(const Body& body) {
  for (const Stmt& stmt : body) see(stmt);
}

// What is written where a condition holds that is another one when rare numbers are done exactly
// would stay, if it is from outside.
void Effects::see_writes(const std::string& name, bool divided_value) {
  if (under_divided_ > 0 && !declared.contains(name)) repeats = false;
  if (divided_value || under_divided_ > 0) divided.insert(name);
}

void Effects::see(const Stmt& stmt) {
  if (const auto* let = std::get_if<Let>(&stmt.node)) {
    const bool divides = see(let->value);
    declared.insert(let->name);
    see_writes(let->name, divides);
  } else if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
    const bool divides = see(assign->value);
    assigned.insert(assign->name);
    see_writes(assign->name, divides);
  } else if (const auto* store = std::get_if<Store>(&stmt.node)) {
    const bool divided_row = see(store->row), divided_place = see(store->at);
    if (divided_row || divided_place) repeats = false;
    see_writes(store->buffer.name, see(store->value));
    stores.push_back(store);
  } else if (const auto* array = std::get_if<Array>(&stmt.node)) {
    if (array->buffer.shared) repeats = false;
    declared.insert(array->buffer.name);
  } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
    const bool by_quotient = see(branch->condition);
    if (by_quotient) ++under_divided_;
    see(branch->yes);
    see(branch->no);
    if (by_quotient) --under_divided_;
  } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
    see(*loop);
  } else if (!std::get_if<Note>(&stmt.node) && !std::get_if<Line>(&stmt.node)) {
    repeats = false;
  }
}

void Effects::see(const For& loop) {
  if (!loop.first || loop.next) repeats = false;
  see(loop.first);
  see(loop.last);
  declared.insert(loop.name);
  see(loop.body);
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
  std::string first;
  for (const std::string& name : assigned)
    if ((first.empty() || name < first) && read.contains(name) && !declared.contains(name))
      first = name;
  return first;
}

bool Effects::overwrites() const {
  return std::ranges::any_of(stores, [&](const Store* store) {
    return !declared.contains(store->buffer.name) &&
           std::ranges::any_of(loads, [&](const Load* load) {
             return load->buffer.name == store->buffer.name &&
                    !(store->row && load->row && apart(store->row, load->row));
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
  for (const Store* store : stores) add(store->buffer, store->row, store->at);
  for (const Load* load : loads) add(load->buffer, load->row, load->at);
  return count;
}

bool may_part(const Effects& first, const Effects& second, const std::string& v) {
  const auto of_a_pass = [&](const auto* a, const auto* b) {
    if (a->buffer.name != b->buffer.name) return true;
    if (a->row && b->row && first.apart(a->row, b->row) && second.apart(a->row, b->row))
      return true;
    std::map<std::string, int64_t> place, difference;
    if (!add_to(place, a->at, 1) || place[v] == 0) return false;
    return add_to(difference, a->at, 1) && add_to(difference, b->at, -1) &&
           std::all_of(difference.begin(), difference.end(),
                       [](const auto& term) { return term.second == 0; });
  };
  const auto all = [&](const auto& some, const auto& others) {
    return std::ranges::all_of(some, [&](const auto* a) {
      return std::ranges::all_of(others, [&](const auto* b) { return of_a_pass(a, b); });
    });
  };
  return first.assigned.empty() && second.assigned.empty() && all(first.stores, second.stores) &&
         all(first.stores, second.loads) && all(first.loads, second.stores);
}

}  // namespace stencilc::passes
