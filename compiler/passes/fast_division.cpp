#include "passes/fast_division.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernel/build.h"
#include "kernel/rewrite.h"
#include "kernel/uses.h"
#include "passes/effects.h"
#include "passes/needed_divisions.h"
#include "passes/second_run.h"
#include "passes/stores_apart.h"

namespace stencilc::passes {

using namespace kernel;  // its statements are what is looked at

namespace {

// One by one: statements between two divisions that share a check.
constexpr int kBetween = 6;
constexpr int kWorthIt = 2;  // operations of a thread; one by itself waits for no other
// With more values cells side by side take registers from other warps: lattice_boltzmann 168 for
// 120.
constexpr int kRegisters = 128;

using ExprSet = std::unordered_set<const Expr*>;

// Of such a number st::quotient_of tells by one comparison what is rare.
bool has_one_check(double number) { return std::abs(number) >= 0x1p-20 && std::abs(number) <= 1; }

// The expression by operations of ordinary numbers.
struct Rewrite {
  const ExprSet& compared_to_zero;
  const Conditions& conditions;
  ExprPtr needed = nullptr;  // the condition of the variable in work

  ExprPtr fast(const ExprPtr& expr, Fn function, std::vector<ExprPtr> args) const {
    if (needed) args.push_back(needed);
    return call(expr->type, function, std::move(args));
  }
  ExprPtr operator()(const ExprPtr& expr) const {
    if (!expr) return expr;
    if (is_division(*expr)) {
      const auto& node = std::get<Bin>(expr->node);
      const auto* one = as<Real>(node.left);
      if (compared_to_zero.count(node.right.get()))
        return fast(expr, Fn::quotient_or_infinity, {(*this)(node.left), (*this)(node.right)});
      if (!one || one->value != 1)
        return fast(expr, one && has_one_check(one->value) ? Fn::quotient_of : Fn::quotient,
                    {(*this)(node.left), (*this)(node.right)});
      if (is_root(*node.right))
        return fast(expr, Fn::reciprocal_root, {(*this)(children(*node.right)[0])});
      return fast(expr, Fn::reciprocal, {(*this)(node.right)});
    }
    if (is_root(*expr)) return fast(expr, Fn::root, {(*this)(children(*expr)[0])});
    // No index divides.
    if (as<Load>(expr) || as<Beside>(expr) || as<Entry>(expr)) return expr;
    Expr copy = *expr;
    replace_children(copy, [&](ExprPtr& child) { child = (*this)(child); });
    return std::make_shared<const Expr>(std::move(copy));
  }
  // The condition of a variable of this list, or null.
  ExprPtr condition_of(const Body& body, const std::string& name) const {
    const auto list = conditions.find(&body);
    if (list == conditions.end()) return nullptr;
    const auto found = list->second.find(name);
    return found == list->second.end() ? nullptr : found->second;
  }
  void operator()(Body& body) const {
    for (Stmt& stmt : body) {
      if (auto* let = std::get_if<Let>(&stmt.node)) {
        const Rewrite rewrite{compared_to_zero, conditions, condition_of(body, let->name)};
        let->value = rewrite(let->value);
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
};

bool is_zero(const ExprPtr& expr) {
  const auto* real = as<Real>(expr);
  return real && real->value == 0;
}

// What is compared to zero in a body, without its variants and functions.
void add_compared_to_zero(const ExprPtr& expr, ExprSet& compared) {
  if (!expr) return;
  if (const auto* node = as<Bin>(expr); node && expr->type == Type::boolean) {
    if (is_zero(node->right)) compared.insert(node->left.get());
    if (is_zero(node->left)) compared.insert(node->right.get());
  }
  for_each_child(*expr, [&](const ExprPtr& child) { add_compared_to_zero(child, compared); });
}
void add_compared_to_zero(const Body& body, ExprSet& compared) {
  for (const Stmt& stmt : body) {
    if (const auto* let = std::get_if<Let>(&stmt.node)) {
      add_compared_to_zero(let->value, compared);
    } else if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
      add_compared_to_zero(assign->value, compared);
    } else if (const auto* store = std::get_if<Store>(&stmt.node)) {
      for (const ExprPtr& expr : {store->row, store->at, store->value})
        add_compared_to_zero(expr, compared);
    } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
      add_compared_to_zero(branch->condition, compared);
      add_compared_to_zero(branch->yes, compared);
      add_compared_to_zero(branch->no, compared);
    } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
      add_compared_to_zero(loop->first, compared);
      add_compared_to_zero(loop->last, compared);
      add_compared_to_zero(loop->body, compared);
    }
  }
}

class Pass {
 public:
  // `one_by_one`: each statement that divides runs twice by itself, so that nothing is kept for it.
  explicit Pass(bool one_by_one = false) : one_by_one_(one_by_one) {}

  // A kernel, or the body of variants or of a function in it.
  void run(Body& body, bool of_cells) {
    add_compared_to_zero(body, compared_to_zero_);
    add_parts(body, parts_);
    run_list(body, of_cells);
  }

 private:
  void run_list(Body& body, bool of_cells) {
    for (size_t n = 0; n < body.size(); ++n) {
      Stmt& stmt = body[n];
      if (auto* loop = std::get_if<For>(&stmt.node)) {
        if (one_by_one_) {
          run_list(loop->body, true);
        } else if (is_worth_it(*loop)) {
          stmt = wrapped({std::move(stmt)});
        } else if (auto parts = parted(*loop)) {
          stmt = {std::move(parts->first)};
          body.insert(body.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                      wrapped({{std::move(parts->second)}}));
        } else {
          run_list(loop->body, true);
        }
      } else if (auto* branch = std::get_if<If>(&stmt.node)) {
        run_list(branch->yes, true);
        run_list(branch->no, true);
      } else if (auto* variants = std::get_if<Variants>(&stmt.node)) {
        run(variants->body, true);
      } else if (auto* local = std::get_if<Local>(&stmt.node)) {
        run(local->body, true);
      }
    }
    if (of_cells && one_by_one_)
      wrap_each(body);
    else if (of_cells)
      wrap_list(body);
  }

  // Divisions that only few others come between share a check, behind those others.
  void wrap_each(Body& body) {
    Body result;
    std::vector<Let> together;
    int between = 0;
    const auto wrap_those = [&] {
      for (const Let& let : together)
        result.push_back({Let{let.name, make(let.value->type, Real{0}), true}});
      Body inside;
      for (Let& let : together) inside.push_back({Assign{let.name, std::move(let.value)}});
      if (!inside.empty()) result.push_back(wrapped(std::move(inside)));
      together.clear();
      between = 0;
    };
    for (Stmt& stmt : body) {
      const auto* let = std::get_if<Let>(&stmt.node);
      Effects one;
      if (let) one.see(stmt);
      const bool divides = one.operations > 0 && !let->mutable_ && is_float(let->value->type);
      if (!together.empty() && !may_come_before(stmt, together)) wrap_those();
      if (divides) {
        together.push_back(*let);
        continue;
      }
      if (!together.empty() && ++between > kBetween) wrap_those();
      result.push_back(std::move(stmt));
    }
    wrap_those();
    body = std::move(result);
  }
  // May the statement run before those?
  static bool may_come_before(const Stmt& stmt, const std::vector<Let>& those) {
    const auto* let = std::get_if<Let>(&stmt.node);
    const auto* assign = std::get_if<Assign>(&stmt.node);
    if (!let && !assign) return std::holds_alternative<Line>(stmt.node);
    Uses uses;
    uses.in(let ? let->value : assign->value);
    return std::ranges::none_of(those, [&](const Let& one) {
      Uses own;
      own.in(one.value);
      return uses.names.contains(one.name) || (assign && own.names.contains(assign->name));
    });
  }

  // A loop over cells whose own statements divide.
  static bool is_worth_it(const For& loop) {
    const auto *first = as<Int>(loop.first), *last = as<Int>(loop.last);
    if (!first || !last || loop.next) return false;
    Effects own, all;
    for (const Stmt& stmt : loop.body)
      if (!std::get_if<For>(&stmt.node)) own.see(stmt);
    all.see(loop);
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
      Uses used;
      for (size_t later = begin; later < count; ++later) used.in(loop.body[later]);
      if (std::ranges::any_of(effects(n, n + 1).declared,
                              [&](const auto& name) { return used.names.contains(name); }))
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

  // Behind which statement of a list no other one uses a name.
  class LastUses {
   public:
    explicit LastUses(const Body& body) {
      for (size_t n = 0; n < body.size(); ++n) {
        Uses uses;
        uses.in(body[n]);
        for (const std::string& name : uses.names) ends_[name] = n + 1;
      }
    }
    // The end of the statements that use one of the names, or `least` if that is later.
    size_t of(const Effects::Names& names, size_t least) const {
      for (const std::string& name : names)
        if (const auto found = ends_.find(name); found != ends_.end())
          least = std::max(least, found->second);
      return least;
    }

   private:
    std::unordered_map<std::string, size_t> ends_;
  };

  // The statements of one cell, from the first that divides to the last that needs its values.
  void wrap_list(Body& body) {
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
    if (std::ranges::any_of(body, takes_lanes)) return wrap_between_lanes(body);
    const LastUses last_uses(body);
    Effects all;
    for (size_t n = begin; n < end; ++n) all.see(body[n]);
    for (;;) {
      if (!all.repeats) return wrap_before_stores(body, begin, end, last_uses);
      if (const std::string name = all.updated(); !name.empty()) {
        if (!declares(body, name, begin)) return;
        all = {};
        for (size_t n = begin; n < end; ++n) all.see(body[n]);
        continue;
      }
      const size_t last = last_uses.of(all.declared, end);
      if (last == end) {
        if (all.overwrites()) return wrap_before_stores(body, begin, end, last_uses);
        break;
      }
      while (end < last) all.see(body[end++]);
    }
    const auto from = body.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = body.begin() + static_cast<std::ptrdiff_t>(end);
    Body inside(std::make_move_iterator(from), std::make_move_iterator(to));
    body.erase(from + 1, to);
    body[begin] = wrapped(std::move(inside));
  }
  static bool takes_lanes(const Stmt& stmt) {
    const auto any = [](const auto& self, const ExprPtr& expr) -> bool {
      bool found = takes_of_lanes(*expr);
      for_each_child(*expr, [&](const ExprPtr& child) { found = found || self(self, child); });
      return found;
    };
    const auto* let = std::get_if<Let>(&stmt.node);
    return let && any(any, let->value);
  }
  // The statements between those for which all lanes of a warp come together: each time from the
  // first that divides to the last that does or uses the quotients.
  void wrap_between_lanes(Body& body) {
    size_t end = body.size();
    for (size_t n = body.size(); n-- > 0;) {
      if (n > 0 && !takes_lanes(body[n])) continue;
      const size_t begin = takes_lanes(body[n]) ? n + 1 : n;
      wrap_part(body, begin, end);
      end = n;
    }
  }
  void wrap_part(Body& body, size_t begin, size_t end) {
    int operations = 0;
    size_t first = end, last = begin;
    Effects divided;
    for (size_t n = begin; n < end; ++n) {
      Effects one;
      const auto* let = std::get_if<Let>(&body[n].node);
      if (let) one.see(body[n]);
      if (!let && first < end) break;  // only values may come between
      if (one.operations > 0) first = std::min(first, n);
      operations += one.operations;
      if (let && first < end) {
        divided.see(body[n]);
        if (one.operations > 0 || divided.divided.contains(let->name)) last = n + 1;
      }
    }
    if (operations < kWorthIt) return;
    const auto from = body.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = body.begin() + static_cast<std::ptrdiff_t>(last);
    const Body region(from, to), rest(to, body.end());
    std::set<std::string> used;
    const std::set<std::string> later = used_names(rest);
    for (const Stmt& stmt : region)
      if (const auto* let = std::get_if<Let>(&stmt.node); let && later.contains(let->name))
        used.insert(let->name);
    std::optional<StoresApart> apart = values_apart(region, used);
    if (!apart) return;
    Body anew = std::move(apart->variables);
    anew.push_back(wrapped(std::move(apart->inside)));
    append(anew, rest);
    body.erase(from, body.end());
    append(body, std::move(anew));
  }
  // The same of statements that write what they read: the stores come after it.
  void wrap_before_stores(Body& body, size_t begin, size_t end, const LastUses& last_uses) {
    Effects all;
    for (size_t n = begin, last = end; n < last; last = last_uses.of(all.declared, end)) {
      end = last;
      while (n < end) all.see(body[n++]);  // with all that uses its values
    }
    const auto from = body.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = body.begin() + static_cast<std::ptrdiff_t>(end);
    std::optional<StoresApart> apart = stores_apart(Body(from, to));
    if (!apart) return;
    Body anew = std::move(apart->variables);
    anew.push_back(wrapped(std::move(apart->inside)));
    append(anew, std::move(apart->stores));
    append(anew, Body(to, body.end()));
    body.erase(from, body.end());
    append(body, std::move(anew));
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
  Stmt wrapped(Body body) {
    const Conditions conditions = conditions_of_divisions(body, parts_);
    Rewrite{compared_to_zero_, conditions}(body);
    return {FastDivision{std::move(body)}};
  }

  const bool one_by_one_;
  ExprSet compared_to_zero_;  // which may well be zero
  Parts parts_;
};

// Says at the first of them what they are for.
bool explain(Body& body) {
  for (size_t n = 0; n < body.size(); ++n) {
    Stmt& stmt = body[n];
    if (std::get_if<FastDivision>(&stmt.node)) {
      body.insert(
          body.begin() + static_cast<std::ptrdiff_t>(n),
          {Note{"Divisions and roots without a branch; if a number is rare, all of it is computed "
                "anew."}});
      return true;
    }
    auto* loop = std::get_if<For>(&stmt.node);
    auto* branch = std::get_if<If>(&stmt.node);
    auto* variants = std::get_if<Variants>(&stmt.node);
    auto* local = std::get_if<Local>(&stmt.node);
    if ((loop && explain(loop->body)) || (variants && explain(variants->body)) ||
        (local && explain(local->body)) ||
        (branch && (explain(branch->yes) || explain(branch->no))))
      return true;
  }
  return false;
}

bool any_operation(const ExprPtr& expr) {
  if (!expr) return false;
  if (is_division(*expr) || is_root(*expr)) return true;
  bool any = false;
  for_each_child(*expr, [&](const ExprPtr& part) { any = any || any_operation(part); });
  return any;
}

// Does a statement that the pass looks into divide, or take a root?
bool any_operation(const Body& body) {
  return std::any_of(body.begin(), body.end(), [](const Stmt& stmt) {
    if (const auto* let = std::get_if<Let>(&stmt.node)) return any_operation(let->value);
    if (const auto* assign = std::get_if<Assign>(&stmt.node)) return any_operation(assign->value);
    if (const auto* store = std::get_if<Store>(&stmt.node))
      return any_operation(store->row) || any_operation(store->at) || any_operation(store->value);
    if (const auto* branch = std::get_if<If>(&stmt.node))
      return any_operation(branch->condition) || any_operation(branch->yes) ||
             any_operation(branch->no);
    if (const auto* loop = std::get_if<For>(&stmt.node))
      return any_operation(loop->first) || any_operation(loop->last) || any_operation(loop->body);
    if (const auto* variants = std::get_if<Variants>(&stmt.node))
      return any_operation(variants->body);
    const auto* local = std::get_if<Local>(&stmt.node);
    return local && any_operation(local->body);
  });
}

}  // namespace

Body with_fast_division(Body body, bool one_by_one) {
  if (!any_operation(body)) return body;
  Pass(one_by_one).run(body, false);
  begin_anew(body);
  explain(body);
  return body;
}

void divide_fast(Launch& launch) {
  // A thread of a list of points divides by itself: no other division waits beside its own.
  if (launch.places < 0 && launch.ghosts_of.empty())
    launch.kernel.body =
        with_fast_division(std::move(launch.kernel.body), launch.kernel.through_planes);
}

void divide_fast(Module& module) {
  for (Launch& launch : module.launches) divide_fast(launch);
}

}  // namespace stencilc::passes
