// Divisions and roots of the cells that a thread computes side by side: see usually() in kernel.h.
//
// before   for v in 0 .. 4: c[v] <- a[v] / sqrt(b[v])
// after    usually
//            for v in 0 .. 4: c[v] <- quotient(a[v], root(b[v]))
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "kernel/build.h"

namespace stencilc::kernel {
namespace {

constexpr int kWorthIt = 2;  // operations of a thread; one by itself waits for no other
// With more values cells side by side take registers from other warps: lattice_boltzmann 168 for
// 120.
constexpr int kRegisters = 128;

// A division by a power of two is a product.
bool is_product(const Bin& node) {
  const auto* real = as<Real>(node.right);
  int exponent = 0;
  return real && std::fabs(std::frexp(real->value, &exponent)) == 0.5;
}

bool is_division(const Expr& expr) {
  const auto* node = std::get_if<Bin>(&expr.node);
  return node && node->op == BinOp::div && (expr.type == Type::f32 || expr.type == Type::f64) &&
         !is_product(*node);
}

bool is_root(const Expr& expr) {
  const auto* node = std::get_if<Call>(&expr.node);
  return node && node->function == Fn::sqrt && (expr.type == Type::f32 || expr.type == Type::f64);
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

// What statements do, as far as it says whether they may run twice.
struct Effects {
  bool repeats = true;  // no statement that has to run once, or in all lanes of a warp at once
  int operations = 0;   // divisions and roots
  std::set<std::string> declared, assigned, read;
  std::vector<Store> stores;
  std::vector<Load> loads;

  void see(const ExprPtr& expr) {
    if (!expr) return;
    const auto* call = as<Call>(expr);
    if (as<Beside>(expr) || (call && call->function == Fn::moved)) repeats = false;
    if (const auto* name = as<Var>(expr)) read.insert(name->name);
    if (const auto* load = as<Load>(expr)) loads.push_back(*load);
    if (is_division(*expr) || is_root(*expr)) ++operations;
    for (const ExprPtr& child : children(*expr)) see(child);
  }
  void see(const Body& body) {
    for (const Stmt& stmt : body) see(stmt);
  }
  void see(const Stmt& stmt) {
    if (const auto* let = std::get_if<Let>(&stmt.node)) {
      see(let->value);
      declared.insert(let->name);
    } else if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
      see(assign->value);
      assigned.insert(assign->name);
    } else if (const auto* store = std::get_if<Store>(&stmt.node)) {
      for (const ExprPtr& expr : {store->row, store->at, store->value}) see(expr);
      stores.push_back(*store);
    } else if (const auto* array = std::get_if<Array>(&stmt.node)) {
      if (array->buffer.shared) repeats = false;
      declared.insert(array->buffer.name);
    } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
      see(branch->condition);
      see(branch->yes);
      see(branch->no);
    } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
      if (!loop->first || loop->next) repeats = false;
      for (const ExprPtr& expr : {loop->first, loop->last}) see(expr);
      declared.insert(loop->name);
      see(loop->body);
    } else if (!std::get_if<Note>(&stmt.node) && !std::get_if<Line>(&stmt.node)) {
      repeats = false;
    }
  }

  // In rows that are never the same one?
  bool apart(const ExprPtr& a, const ExprPtr& b) const {
    std::map<std::string, int64_t> difference;
    if (!add_to(difference, a, 1) || !add_to(difference, b, -1)) return false;
    if (difference[""] == 0) return false;
    return std::all_of(difference.begin(), difference.end(), [&](const auto& term) {
      return term.first.empty() ||
             (term.second == 0 && !declared.count(term.first) && !assigned.count(term.first));
    });
  }
  // A variable from outside that is both assigned and read; empty: none.
  std::string updated() const {
    for (const std::string& name : assigned)
      if (read.count(name) && !declared.count(name)) return name;
    return {};
  }
  bool overwrites() const {
    return std::any_of(stores.begin(), stores.end(), [&](const Store& store) {
      return !declared.count(store.buffer.name) &&
             std::any_of(loads.begin(), loads.end(), [&](const Load& load) {
               return load.buffer.name == store.buffer.name &&
                      !(store.row && load.row && apart(store.row, load.row));
             });
    });
  }
  // Registers that hold what a cell reads and makes in arrays.
  int held() const {
    std::set<
        std::tuple<std::string, std::map<std::string, int64_t>, std::map<std::string, int64_t>>>
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
  bool may_run_twice() const { return repeats && updated().empty() && !overwrites(); }
};

// May all passes of a loop over `v` do what `first` is of, and then all what `second` is of? Where
// both touch an array it is at a place that is another one in each pass, or in other rows.
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

// The expression by operations of usual numbers.
struct Rewrite {
  ExprPtr operator()(const ExprPtr& expr) const {
    if (!expr) return expr;
    if (is_division(*expr)) {
      const auto& node = std::get<Bin>(expr->node);
      const auto* one = as<Real>(node.left);
      if (!one || one->value != 1)
        return call(expr->type, Fn::quotient, {(*this)(node.left), (*this)(node.right)});
      if (is_root(*node.right))
        return call(expr->type, Fn::reciprocal_root, {(*this)(children(*node.right)[0])});
      return call(expr->type, Fn::reciprocal, {(*this)(node.right)});
    }
    if (is_root(*expr)) return call(expr->type, Fn::root, {(*this)(children(*expr)[0])});
    Expr copy = *expr;
    std::visit([&](auto& node) { one(node); }, copy.node);
    return std::make_shared<const Expr>(std::move(copy));
  }
  void operator()(Body& body) const {
    for (Stmt& stmt : body) {
      if (auto* let = std::get_if<Let>(&stmt.node)) {
        let->value = (*this)(let->value);
      } else if (auto* assign = std::get_if<Assign>(&stmt.node)) {
        assign->value = (*this)(assign->value);
      } else if (auto* store = std::get_if<Store>(&stmt.node)) {
        store->value = (*this)(store->value);
      } else if (auto* branch = std::get_if<If>(&stmt.node)) {
        branch->condition = (*this)(branch->condition);
        (*this)(branch->yes);
        (*this)(branch->no);
      } else if (auto* loop = std::get_if<For>(&stmt.node)) {
        (*this)(loop->body);
      }
    }
  }

 private:
  void replace(ExprPtr& expr) const { expr = (*this)(expr); }
  template <class Node>
  void one(Node&) const {}
  void one(Bin& node) const {
    replace(node.left);
    replace(node.right);
  }
  void one(Neg& node) const { replace(node.value); }
  void one(Not& node) const { replace(node.value); }
  void one(Fma& node) const {
    for (ExprPtr* expr : {&node.a, &node.b, &node.c}) replace(*expr);
  }
  void one(Call& node) const {
    for (ExprPtr& arg : node.args) replace(arg);
  }
  void one(Convert& node) const { replace(node.value); }
  void one(Pick& node) const {
    for (ExprPtr* expr : {&node.condition, &node.yes, &node.no}) replace(*expr);
  }
};

class Pass {
 public:
  void run(Body& body, bool of_cells) {
    for (size_t n = 0; n < body.size(); ++n) {
      Stmt& stmt = body[n];
      if (auto* loop = std::get_if<For>(&stmt.node)) {
        if (is_worth_it(*loop)) {
          stmt = wrapped({std::move(stmt)});
        } else if (auto parts = parted(*loop)) {
          stmt = {std::move(parts->first)};
          body.insert(body.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                      wrapped({{std::move(parts->second)}}));
        } else {
          run(loop->body, true);
        }
      } else if (auto* branch = std::get_if<If>(&stmt.node)) {
        run(branch->yes, true);
        run(branch->no, true);
      } else if (auto* twice = std::get_if<Twice>(&stmt.node)) {
        run(twice->body, true);
      }
    }
    if (of_cells) wrap_list(body);
  }

 private:
  // A loop over cells whose own statements divide.
  static bool is_worth_it(const For& loop) {
    const auto *first = as<Int>(loop.first), *last = as<Int>(loop.last);
    if (!first || !last || loop.next) return false;
    Effects own, all;
    for (const Stmt& stmt : loop.body)
      if (!std::get_if<For>(&stmt.node)) own.see(stmt);
    all.see(Stmt{loop});
    const int64_t cells = last->value - first->value;
    return own.operations * cells >= kWorthIt && all.held() * cells <= kRegisters &&
           all.may_run_twice();
  }

  // Two loops, of which the second divides and may run twice, where the whole may not.
  static std::optional<std::pair<For, For>> parted(const For& loop) {
    size_t begin = 0;
    const auto effects = [&](size_t from, size_t to) {
      Effects all;
      for (size_t n = from; n < to; ++n) all.see(loop.body[n]);
      return all;
    };
    const size_t count = loop.body.size();
    while (begin < count && effects(begin, begin + 1).operations == 0) ++begin;
    for (size_t n = begin; n-- > 0;) {  // with all values that it reads
      const std::set<std::string> names = effects(n, n + 1).declared;
      const std::set<std::string> used =
          used_names({loop.body.begin() + static_cast<std::ptrdiff_t>(begin), loop.body.end()});
      if (std::any_of(names.begin(), names.end(), [&](const auto& one) { return used.count(one); }))
        begin = n;
    }
    if (begin == 0 || begin == count) return std::nullopt;
    std::pair<For, For> parts = {loop, loop};
    parts.first.body.erase(parts.first.body.begin() + static_cast<std::ptrdiff_t>(begin),
                           parts.first.body.end());
    parts.second.body.erase(parts.second.body.begin(),
                            parts.second.body.begin() + static_cast<std::ptrdiff_t>(begin));
    const Effects first = effects(0, begin), second = effects(begin, count);
    if (!is_worth_it(parts.second) || !first.repeats || !may_part(first, second, loop.name))
      return std::nullopt;
    return parts;
  }

  // The statements of one cell, from the first that divides to the last that needs its values.
  static void wrap_list(Body& body) {
    size_t begin = body.size(), end = 0;
    int operations = 0;
    for (size_t n = 0; n < body.size(); ++n) {
      Effects one;
      if (!std::get_if<For>(&body[n].node)) one.see(body[n]);
      if (one.operations == 0) continue;
      operations += one.operations;
      begin = std::min(begin, n);
      end = n + 1;
    }
    if (operations < kWorthIt) return;
    for (;;) {
      Effects all;
      for (size_t n = begin; n < end; ++n) all.see(body[n]);
      if (!all.repeats) return;
      if (const std::string name = all.updated(); !name.empty()) {
        if (!declares(body, name, begin)) return;
        continue;
      }
      const size_t last = last_use(body, end, all.declared);
      if (last == end) {
        if (all.overwrites()) return;
        break;
      }
      end = last;
    }
    const auto from = body.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = body.begin() + static_cast<std::ptrdiff_t>(end);
    Body inside(std::make_move_iterator(from), std::make_move_iterator(to));
    body.erase(from + 1, to);
    body[begin] = wrapped(std::move(inside));
  }
  // Moves `begin` to where the variable is declared, if that is before it in the body.
  static bool declares(const Body& body, const std::string& name, size_t& begin) {
    for (size_t n = begin; n-- > 0;)
      if (const auto* let = std::get_if<Let>(&body[n].node); let && let->name == name) {
        begin = n;
        return true;
      }
    return false;
  }
  static size_t last_use(const Body& body, size_t end, const std::set<std::string>& names) {
    for (size_t n = body.size(); n > end; --n)
      for (const std::string& used : used_names({body[n - 1]}))
        if (names.count(used)) return n;
    return end;
  }

  static Stmt wrapped(Body body) {
    Rewrite()(body);
    return {Usually{std::move(body)}};
  }
};

// Says at the first of them what they are for.
bool explain(Body& body) {
  for (size_t n = 0; n < body.size(); ++n) {
    Stmt& stmt = body[n];
    if (std::get_if<Usually>(&stmt.node)) {
      body.insert(
          body.begin() + static_cast<std::ptrdiff_t>(n),
          {Note{"Divisions and roots without a branch; if a number is rare, all of it is computed "
                "anew."}});
      return true;
    }
    auto* loop = std::get_if<For>(&stmt.node);
    auto* branch = std::get_if<If>(&stmt.node);
    auto* twice = std::get_if<Twice>(&stmt.node);
    if ((loop && explain(loop->body)) || (twice && explain(twice->body)) ||
        (branch && (explain(branch->yes) || explain(branch->no))))
      return true;
  }
  return false;
}

}  // namespace

Body usually(Body body) {
  Pass().run(body, false);
  explain(body);
  return body;
}

}  // namespace stencilc::kernel
