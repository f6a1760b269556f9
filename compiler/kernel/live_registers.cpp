#include "kernel/live_registers.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernel/build.h"
#include "kernel/ring.h"

namespace stencilc::kernel {
namespace {

constexpr int kWord = 4;     // bytes
constexpr int kAddress = 2;  // words

int words_of(Type type) { return type == Type::boolean ? 0 : (bytes_of(type) + kWord - 1) / kWord; }
// Narrow elements share registers, but bytes are taken apart as soon as they are computed with.
int words_of_elements(const Buffer& array, int count) {
  const int bytes = bytes_of(array.element);
  return (count * (bytes == 1 ? kWord : bytes) + kWord - 1) / kWord;
}

// The operations of a FastDivision that differ when it runs once more.
bool is_fast(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.node);
  return call && call->function >= Fn::quotient && call->function <= Fn::reciprocal_root;
}

class Liveness {
 public:
  // `inside`: of an `If` with two branches that lies in no other one, only the first counts.
  // `once`: as if a FastDivision never ran again.
  Liveness(bool inside, bool once) : inside_(inside), once_(once) {}

  void in(const Body& body) {
    const size_t outer = declared_.size();
    for (const Stmt& stmt : body) {
      ++now_;
      std::visit([&](const auto& node) { one(node); }, stmt.node);
    }
    while (declared_.size() > outer) {
      auto& hidden = names_[declared_.back().first];
      hidden = declared_.back().second;
      declared_.pop_back();
    }
  }

  // Places in memory that differ by more than a number of cells.
  int addresses() const { return static_cast<int>(addresses_.size()); }

  int peak() const {
    std::vector<int> change(now_ + 2);
    for (const Range& range : ranges_) {
      if (range.first < 0 || range.last < range.first) continue;
      const int words = std::min(range.words, range.set);
      change[range.first] += words;
      change[range.last + 1] -= words;
    }
    int live = 0, most = 0;
    for (int at = 0; at <= now_; ++at) {
      live += change[at];
      const bool has_some = at < static_cast<int>(temporaries_.size());
      most = std::max(most, live + (has_some ? temporaries_[at] : 0));
    }
    return most;
  }

  // Whether the body has what `once` is about, or `inside`.
  bool may_run_again() const { return may_run_again_; }
  bool has_two_branches() const { return has_two_branches_; }

 private:
  struct Range {
    int first = -1, last = -1, words = 0;
    int set = 0;  // words that get a value: not all of an array do
  };

  void declare(std::string_view name, int words) {
    auto [place, fresh] = names_.try_emplace(name, -1);
    declared_.emplace_back(name, place->second);
    place->second = static_cast<int>(ranges_.size());
    ranges_.push_back({-1, -1, words, 0});
  }
  Range* range(std::string_view name) {
    const auto found = names_.find(name);
    return found == names_.end() || found->second < 0 ? nullptr : &ranges_[found->second];
  }
  void set(std::string_view name, int words) {
    if (Range* one = range(name)) {
      one->set += words * passes_;
      if (one->first < 0) one->first = now_;
      one->last = std::max(one->last, now_);
    }
  }
  void set(const Buffer& array, int elements) {
    set(array.name, words_of_elements(array, elements));
  }
  void use(std::string_view name) {
    if (Range* one = range(name)) one->last = std::max(one->last, now_);
  }

  static bool is_leaf(const Expr& expr) {
    return std::holds_alternative<Var>(expr.node) || std::holds_alternative<Int>(expr.node) ||
           std::holds_alternative<Real>(expr.node);
  }
  // The words that an expression needs beside what is live.
  int need(const ExprPtr& expr) {
    if (!expr) return 0;
    if (is_leaf(*expr)) {
      name_of(*expr);
      return 0;
    }
    if (const auto found = needs_.find(expr.get()); found != needs_.end()) {
      touch(expr);
      return found->second;
    }
    return needs_[expr.get()] = need_of(*expr);
  }
  void touch(const ExprPtr& expr) {
    if (!touched_.insert({expr.get(), now_}).second) return;
    name_of(*expr);
    for_each_child(*expr, [&](const ExprPtr& child) { touch(child); });
  }
  void name_of(const Expr& expr) {
    if (const auto* var = std::get_if<Var>(&expr.node)) use(var->name);
    if (const auto* load = std::get_if<Load>(&expr.node)) use(load->buffer.name);
  }
  int need_of(const Expr& expr) {
    name_of(expr);
    std::vector<std::pair<int, int>> children;  // what each needs, and what it leaves
    for_each_child(expr, [&](const ExprPtr& child) {
      children.emplace_back(need(child), is_leaf(*child) ? 0 : words_of(child->type));
    });
    // Those that need most beyond what they leave come first.
    std::sort(children.begin(), children.end(),
              [](const auto& a, const auto& b) { return a.first - a.second > b.first - b.second; });
    int held = 0, most = 0;
    for (const auto& [needs, leaves] : children) {
      most = std::max(most, held + needs);
      held += leaves;
    }
    int own = words_of(expr.type);
    if (const auto* load = std::get_if<Load>(&expr.node)) {
      if (load->buffer.registers > 0 && !load->buffer.shared) return 0;
      reaches(load->buffer, load->at);
      own = std::max(own, kAddress);
    }
    return std::max({most, held, own});
  }
  void reaches(const Buffer& buffer, const ExprPtr& at) {
    if (buffer.registers == 0) addresses_.insert(buffer.name + place(at));
  }
  // An index as text, without numbers that are added to it.
  static std::string place(const ExprPtr& at) {
    if (!at) return "";
    if (const auto* number = as<Int>(at))
      return number->name.empty() ? std::to_string(number->value) : number->name;
    if (const auto* var = as<Var>(at)) return var->name;
    std::string text = "(";
    if (const auto* bin = as<Bin>(at)) {
      const bool moves = bin->op == BinOp::add || bin->op == BinOp::sub;
      if (moves && as<Int>(bin->right)) return place(bin->left);
      text += std::to_string(static_cast<int>(bin->op));
    }
    for_each_child(*at, [&](const ExprPtr& child) { text += " " + place(child); });
    return text + ")";
  }

  // What a FastDivision computes without its divisions and roots is computed once, and what these
  // take of that stays live until the divisions have run again.
  void again(std::string_view name, const ExprPtr& value) {
    if (!twice_ || (!is_rare(value) && rare_.count(name) == 0)) return;
    rare_.insert(name);
    keep(value);
  }
  bool is_rare(const ExprPtr& expr) {
    if (!expr) return false;
    if (const auto* var = as<Var>(expr)) return rare_.count(var->name) != 0;
    if (const auto found = is_rare_.find(expr.get()); found != is_rare_.end()) return found->second;
    bool rare = is_fast(*expr);
    if (const auto* load = as<Load>(expr)) rare |= rare_.count(load->buffer.name) != 0;
    for_each_child(*expr, [&](const ExprPtr& child) { rare |= is_rare(child); });
    return is_rare_[expr.get()] = rare;
  }
  void keep(const ExprPtr& expr) {
    if (!expr || as<Int>(expr) || as<Real>(expr) || expr->type == Type::index) return;
    if (is_rare(expr)) {
      for_each_child(*expr, [&](const ExprPtr& child) { keep(child); });
      return;
    }
    const auto* var = as<Var>(expr);
    const auto* load = as<Load>(expr);
    if (var || (load && load->buffer.registers > 0)) {
      const auto found = names_.find(var ? var->name : load->buffer.name);
      if (found != names_.end() && found->second >= 0) kept_.insert(found->second);
      return;
    }
    if (!kept_exprs_.insert(expr.get()).second) return;
    kept_.insert(static_cast<int>(ranges_.size()));
    const int words = words_of(expr->type) * passes_;
    ranges_.push_back({now_, now_, words, words});
  }
  static bool begins_anew(const Body& body) {
    const auto* let = body.empty() ? nullptr : std::get_if<Let>(&body.front().node);
    const auto* call = let ? as<Call>(let->value) : nullptr;
    return call && call->function == Fn::anew;
  }
  // What was live before `first` and is used since then is live until now.
  void extend(int first) {
    for (Range& range : ranges_)
      if (range.first >= 0 && range.first <= first && range.last > first)
        range.last = std::max(range.last, now_);
  }

  void takes(std::initializer_list<ExprPtr> exprs, int more = 0) {
    int most = more;
    for (const ExprPtr& expr : exprs) most = std::max(most, need(expr));
    if (temporaries_.size() <= static_cast<size_t>(now_)) temporaries_.resize(now_ + 1);
    temporaries_[now_] = std::max(temporaries_[now_], most);
  }

  void one(const Let& node) {
    takes({node.value});
    again(node.name, node.value);
    declare(node.name, words_of(node.value->type));
    // A variable that begins as a number takes no register before it is assigned.
    if (!node.mutable_ || !(as<Int>(node.value) || as<Real>(node.value)))
      set(node.name, words_of(node.value->type));
  }
  void one(const Assign& node) {
    takes({node.value});
    again(node.name, node.value);
    set(node.name, words_of(node.value->type));
  }
  void one(const Store& node) {
    takes({node.at, node.row, node.value}, node.buffer.registers > 0 ? 0 : kAddress);
    again(node.buffer.name, node.value);
    reaches(node.buffer, node.at);
    set(node.buffer, 1);
  }
  void one(const Combine& node) { takes({node.value, node.x, node.row}, kAddress); }
  void one(const Array& node) {
    if (node.buffer.shared) return;
    const int elements = node.buffer.registers * node.buffer.rows;
    declare(node.buffer.name, words_of_elements(node.buffer, elements));
    if (node.zeros) set(node.buffer, elements);
  }
  void one(const Transpose& node) {
    use(node.cells.name), use(node.bits.name);
    set(node.cells, node.cells.registers), set(node.bits, node.bits.registers);
  }
  void one(const AsyncCopy& node) { takes({node.to_at, node.from_at, node.whole}, 2 * kAddress); }
  void one(const Copy& node) {
    takes({node.to_at, node.from_at}, kAddress);
    reaches(node.from, node.from_at);
    reaches(node.to, node.to_at);
    use(node.from.name);
    set(node.to, node.width * node.count);
  }
  void one(const Fill& node) {
    one(node.copy);
    takes({node.whole});
  }
  void one(const FillRow& node) {
    takes({node.x, node.whole}, kAddress);
    set(node.to, node.width * node.count);
  }
  void one(const Sides& node) {
    takes({node.own, node.from_at}, kAddress);
    set(node.to, node.left + node.right);
  }
  void one(const StoreRow& node) {
    one(node.copy);
    takes({node.whole, node.limit});
  }
  void one(const Local&) {}
  void one(const Perform& node) {
    for (const ExprPtr& arg : node.args) takes({arg});
  }
  void one(const Return& node) { takes({node.value}); }
  void one(const Variants& node) {
    takes({node.condition});
    in(node.body);
  }
  void one(const FastDivision& node) {
    may_run_again_ = true;
    if (twice_ || once_) return in(node.body);
    const int first = now_;
    twice_ = !begins_anew(node.body);
    in(node.body);
    twice_ = false;
    ++now_;
    for (const int at : kept_) ranges_[at].last = std::max(ranges_[at].last, now_);
    extend(first);
    rare_.clear();
    is_rare_.clear();
    kept_.clear();
    kept_exprs_.clear();
  }
  void one(const For& node) {
    takes({node.first, node.last});
    const bool unrolled = node.mark == For::unrolled;
    if (node.first && !unrolled) {
      declare(node.name, words_of(node.type));
      set(node.name, words_of(node.type));
    }
    const int first = now_, outer = passes_;
    const auto *from = as<Int>(node.first), *to = as<Int>(node.last);
    if (unrolled && from && to)
      passes_ *= static_cast<int>(std::max<int64_t>(1, to->value - from->value));
    in(node.body);
    passes_ = outer;
    ++now_;
    if (unrolled) return;
    use(node.name);
    extend(first);
  }
  void one(const If& node) {
    takes({node.condition});
    has_two_branches_ |= !node.no.empty();
    const bool outer = inside_ && !node.no.empty();
    const bool was = std::exchange(inside_, false);
    in(node.yes);
    if (!outer) in(node.no);
    inside_ = was;
  }
  template <class Other>
  void one(const Other&) {}

  bool inside_, once_;
  bool may_run_again_ = false, has_two_branches_ = false;
  int now_ = 0, passes_ = 1;  // of the unrolled loops around the statement
  std::vector<Range> ranges_;
  // Names are those of the body, which stays.
  std::unordered_map<std::string_view, int> names_;
  std::vector<std::pair<std::string_view, int>> declared_;  // and what the name stood for before
  std::vector<int> temporaries_;                            // [statement]
  std::unordered_map<const Expr*, int> needs_;
  struct Hash {
    size_t operator()(const std::pair<const Expr*, int>& key) const {
      return std::hash<const void*>()(key.first) * 31 + static_cast<size_t>(key.second);
    }
  };
  std::unordered_set<std::pair<const Expr*, int>, Hash> touched_;
  std::unordered_set<std::string> addresses_;
  bool twice_ = false;                             // inside a FastDivision
  std::unordered_set<std::string_view> rare_;      // variables that depend on its divisions
  std::unordered_map<const Expr*, bool> is_rare_;  // which expressions do
  std::unordered_set<int> kept_;                   // ranges that last until its end
  std::unordered_set<const Expr*> kept_exprs_;
};

// A division, a root or a function is a sequence of about so many instructions.
constexpr double kSlow = 12;
bool is_slow(const Expr& expr) {
  if (const auto* bin = std::get_if<Bin>(&expr.node))
    return bin->op == BinOp::div ||
           ((bin->op == BinOp::idiv || bin->op == BinOp::mod) && exponent_of_divisor(*bin) < 0);
  const auto* call = std::get_if<Call>(&expr.node);
  return is_fast(expr) || (call && call->function >= Fn::sqrt && call->function <= Fn::pow);
}

// Counts operations of expressions, a shared one once for each statement.
class Operations {
 public:
  double in(const Body& body) {
    double count = 0;
    for (const Stmt& stmt : body)
      count += std::visit([&](const auto& node) { return one(node); }, stmt.node);
    return count;
  }

 private:
  double of(const ExprPtr& root) {
    std::unordered_set<const Expr*> known;
    return count(root, known);
  }
  double count(const ExprPtr& expr, std::unordered_set<const Expr*>& known) {
    if (!expr || !known.insert(expr.get()).second) return 0;
    if (expr->type == Type::index) return 0;
    const auto* load = as<Load>(expr);
    const bool leaf = as<Var>(expr) || as<Real>(expr) || (load && load->buffer.registers > 0);
    double sum = leaf ? 0 : is_slow(*expr) ? kSlow : 1;
    for_each_child(*expr, [&](const ExprPtr& child) { sum += count(child, known); });
    return sum;
  }
  double one(const Let& node) { return of(node.value); }
  double one(const Assign& node) { return of(node.value); }
  double one(const Store& node) { return 1 + of(node.value); }
  double one(const Copy& node) { return node.count; }
  double one(const Fill& node) { return node.copy.count; }
  double one(const FillRow& node) { return node.count; }
  double one(const StoreRow& node) { return node.copy.count; }
  double one(const Variants& node) { return in(node.body); }
  double one(const FastDivision& node) { return in(node.body); }
  double one(const If& node) { return of(node.condition) + in(node.yes) + in(node.no); }
  double one(const For& node) {
    const auto *from = as<Int>(node.first), *to = as<Int>(node.last);
    const bool unrolled = node.mark == For::unrolled && from && to;
    return in(node.body) *
           (unrolled ? std::max<double>(1, static_cast<double>(to->value - from->value)) : 1);
  }
  template <class Other>
  double one(const Other&) {
    return 0;
  }
};

}  // namespace

double unrolled_operations(const Body& body) { return Operations().in(body); }

RegisterUse register_use(const Body& body) {
  Liveness all(false, false);
  all.in(body);
  const int words = all.peak();
  const auto words_if = [&](bool inside, bool once) {
    Liveness some(inside, once);
    some.in(body);
    return some.peak();
  };
  return {all.may_run_again() ? words_if(false, true) : words, words,
          all.has_two_branches() ? words_if(true, false) : words, all.addresses()};
}

int live_words(const Body& body) { return register_use(body).live_words; }

}  // namespace stencilc::kernel
