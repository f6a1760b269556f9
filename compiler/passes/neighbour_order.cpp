#include "passes/neighbour_order.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernel/build.h"
#include "kernel/uses.h"

namespace stencilc::passes {

using namespace kernel;  // its statements are what is looked at

namespace {

constexpr int kFewWords = 40;         // that are live at once: another order gains nothing
constexpr double kEnoughFewer = 0.9;  // of the words that were live before
constexpr size_t kTogether = 24;      // statements that are placed for one

int words_of(Type type) { return type == Type::boolean ? 0 : (bytes_of(type) + 3) / 4; }

// Does it say nothing to other threads, and ask them nothing? Else it stays where it is.
bool is_private(const ExprPtr& expr) {
  if (!expr) return true;
  if (takes_of_lanes(*expr) || as<Entry>(expr)) return false;
  bool all = true;
  for_each_child(*expr, [&](const ExprPtr& child) { all = all && is_private(child); });
  return all;
}
bool is_movable(const Stmt& stmt) {
  if (const auto* let = std::get_if<Let>(&stmt.node)) return is_private(let->value);
  if (const auto* assign = std::get_if<Assign>(&stmt.node)) return is_private(assign->value);
  return std::holds_alternative<Line>(stmt.node);
}

// A statement that gives a value, which has its number.
struct Node {
  size_t at = 0;            // in the list
  int line = 0;             // of the .stn
  int words = 0;            // that the value takes
  std::vector<int> takes;   // values
  std::vector<int> after;   // statements that come first
  std::vector<int> users;   // statements that come later because of it
  std::vector<int> places;  // in memory, that it loads from: the same number for all arrays
  int uses = 0;             // statements that take the value, and one more if it is needed later
};
using Nodes = std::vector<Node>;
using Order = std::vector<int>;

// The line of the .stn that the statement is from.
int line_at(const Body& body, size_t at) {
  while (at-- > 0)
    if (const auto* mark = std::get_if<Line>(&body[at].node)) return mark->line;
  return 0;
}

class NodesOf {
 public:
  // The statements first .. last-1 of a list. `later`: the names that are used after them.
  NodesOf(const Body& body, size_t first, size_t last,
          const std::unordered_set<std::string>& later) {
    int line = line_at(body, first);
    for (size_t at = first; at < last; ++at) {
      if (const auto* mark = std::get_if<Line>(&body[at].node)) line = mark->line;
      if (const auto* let = std::get_if<Let>(&body[at].node))
        add(at, line, let->name, let->value, false);
      if (const auto* assign = std::get_if<Assign>(&body[at].node))
        add(at, line, assign->name, assign->value, true);
    }
    for (const auto& [name, value] : newest_)
      if (later.contains(name)) ++nodes[value].uses;
  }
  Nodes nodes;

 private:
  void add(size_t at, int line, const std::string& name, const ExprPtr& value, bool again) {
    const int id = static_cast<int>(nodes.size());
    nodes.push_back({at, line, words_of(value->type), {}, {}, {}, {}, 0});
    Uses uses;
    uses.in(value);
    for (const std::string& used : uses.names) {
      readers_[used].push_back(id);
      const auto found = newest_.find(used);
      if (found == newest_.end()) continue;
      depends(id, found->second);
      nodes[id].takes.push_back(found->second);
      ++nodes[found->second].uses;
    }
    if (again) {
      if (const auto found = newest_.find(name); found != newest_.end()) depends(id, found->second);
      for (const int reader : readers_[name])
        if (reader != id) depends(id, reader);
    }
    readers_[name].clear();
    newest_[name] = id;
    add_places(value, nodes[id].places);
  }
  void depends(int id, int on) {
    nodes[id].after.push_back(on);
    nodes[on].users.push_back(id);
  }
  void add_places(const ExprPtr& expr, std::vector<int>& places) {
    if (const auto* load = as<Load>(expr); load && load->buffer.registers == 0) {
      const auto [found, fresh] =
          places_.try_emplace(print(load->at), static_cast<int>(places_.size()));
      if (std::ranges::find(places, found->second) == places.end()) places.push_back(found->second);
      return;
    }
    for_each_child(*expr, [&](const ExprPtr& child) { add_places(child, places); });
  }

  std::unordered_map<std::string, int> newest_;                // value of a variable
  std::unordered_map<std::string, std::vector<int>> readers_;  // of it
  std::unordered_map<std::string, int> places_;
};

// The most words that are live at once.
int peak_of(const Nodes& nodes, const Order& order) {
  std::vector<int> uses;
  for (const Node& node : nodes) uses.push_back(node.uses);
  int live = 0, most = 0;
  for (const int id : order) {
    for (const int value : nodes[id].takes)
      if (--uses[value] == 0) live -= nodes[value].words;
    if (nodes[id].uses > 0) live += nodes[id].words;
    most = std::max(most, live);
  }
  return most;
}

// What comes first while few words are live: what loads from the places of the last statements, or
// what leaves the fewest loaded values. Later: what leaves the fewest values.
enum Rule { same_place, fewest_loaded };

class Scheduler {
 public:
  Scheduler(const Nodes& nodes, Rule rule, int few)
      : nodes_(nodes),
        rule_(rule),
        few_(few),
        done_(nodes.size()),
        waiting_(nodes.size()),
        in_cone_(nodes.size()),
        cones_(nodes.size()),
        asked_by_(nodes.size()) {
    for (const Node& node : nodes) uses_.push_back(node.uses);
  }

  Order order() {
    const int count = static_cast<int>(nodes_.size());
    for (int next = 0; static_cast<int>(order_.size()) < count;) {
      while (next < count && (done_[next] || waits_for_user(next))) ++next;
      if (next == count) {
        for (int id = 0; id < count; ++id)
          if (!done_[id]) place(id);
        break;
      }
      int best = next;
      Score least = score(next, find_cone(next, nodes_.size()));
      std::erase_if(candidates_, [&](int one) { return done_[one]; });
      for (const int one : candidates_) {
        const Cone& cone = cone_of(one);
        if (cone.statements.empty()) continue;
        if (const Score its = score(one, cone); its < least) best = one, least = its;
      }
      const Cone cone = find_cone(best, nodes_.size());
      if (!cone.places.empty()) places_ = cone.places;
      for (const int id : cone.statements) place(id);
    }
    return std::move(order_);
  }

 private:
  using Score = std::tuple<int, int, int>;
  // The statements that are placed for one, itself the last; none if they are too many.
  struct Cone {
    bool known = false;
    std::vector<int> statements;
    std::vector<int> places;     // in memory
    int growth = 0, loaded = 0;  // of words, and of those that are loaded
  };

  // A load is placed for the statement that takes it.
  bool waits_for_user(int id) const {
    return nodes_[id].takes.empty() && !nodes_[id].users.empty();
  }

  const Cone& cone_of(int id) {
    if (!cones_[id].known) {
      cones_[id] = find_cone(id, kTogether);
      const auto asks = [&](int one) { asked_by_[one].push_back(id); };
      asks(id);
      for (const int one : seen_) {
        asks(one);
        for (const int value : nodes_[one].takes) asks(value);
      }
    }
    return cones_[id];
  }
  Cone find_cone(int id, size_t limit) {
    Cone cone;
    cone.known = true;
    seen_.clear();
    const bool all = see(id, limit);
    for (const int one : seen_) in_cone_[one] = false;
    if (!all) return cone;
    cone.statements = seen_;
    std::sort(cone.statements.begin(), cone.statements.end());
    const auto count = [&](int value, int sign) {
      cone.growth += sign * nodes_[value].words;
      if (nodes_[value].takes.empty()) cone.loaded += sign * nodes_[value].words;
    };
    for (const int one : cone.statements) {
      for (const int value : nodes_[one].takes)
        if (--uses_[value] == 0) count(value, -1);
      if (nodes_[one].uses > 0) count(one, 1);
    }
    for (const int one : cone.statements) {
      for (const int value : nodes_[one].takes) ++uses_[value];
      cone.places.insert(cone.places.end(), nodes_[one].places.begin(), nodes_[one].places.end());
    }
    std::sort(cone.places.begin(), cone.places.end());
    cone.places.erase(std::unique(cone.places.begin(), cone.places.end()), cone.places.end());
    return cone;
  }
  bool see(int id, size_t limit) {
    if (done_[id] || in_cone_[id]) return true;
    if (seen_.size() == limit) return false;
    in_cone_[id] = true;
    seen_.push_back(id);
    return std::ranges::all_of(nodes_[id].after, [&](int one) { return see(one, limit); });
  }
  Score score(int id, const Cone& cone) const {
    int first = cone.loaded;
    if (rule_ == same_place) {
      first = 0;
      for (const int at : cone.places) first += std::ranges::binary_search(places_, at) ? 0 : 1;
    }
    return live_ <= few_ ? Score{first, cone.growth, id} : Score{cone.growth, first, id};
  }
  void place(int id) {
    const Node& node = nodes_[id];
    done_[id] = true;
    order_.push_back(id);
    forget(id);
    for (const int value : node.takes) {
      if (--uses_[value] == 0) live_ -= nodes_[value].words;
      forget(value);
    }
    if (node.uses > 0) live_ += node.words;
    for (const int user : node.users) {
      if (waiting_[user]) continue;
      waiting_[user] = true;
      candidates_.push_back(user);
    }
  }
  // The cones that it is in, or that take it, are other ones now.
  void forget(int id) {
    for (const int one : asked_by_[id]) cones_[one].known = false;
    asked_by_[id].clear();
  }

  const Nodes& nodes_;
  Rule rule_;
  int few_, live_ = 0;
  std::vector<bool> done_, waiting_, in_cone_;
  std::vector<Cone> cones_;
  std::vector<std::vector<int>> asked_by_;  // [statement]: whose cones have asked for it
  std::vector<int> uses_, candidates_, seen_, places_;
  Order order_;
};

// Orders the statements first .. last-1 of the list.
void order_run(Body& body, size_t first, size_t last) {
  Uses later;
  for (size_t at = last; at < body.size(); ++at) {
    later.in(body[at]);
    if (const auto* assign = std::get_if<Assign>(&body[at].node)) later.names.insert(assign->name);
  }
  const Nodes nodes = NodesOf(body, first, last, later.names).nodes;
  Order best(nodes.size());
  for (size_t n = 0; n < best.size(); ++n) best[n] = static_cast<int>(n);
  const int before = peak_of(nodes, best);
  if (before <= kFewWords) return;
  int least = static_cast<int>(before * kEnoughFewer) + 1;
  const Order same = best;
  constexpr std::pair<Rule, double> kTries[] = {{same_place, 0.5}, {fewest_loaded, 0.5}};
  for (const auto& [rule, share] : kTries) {
    Order order = Scheduler(nodes, rule, static_cast<int>(before * share)).order();
    const int peak = peak_of(nodes, order);
    if (peak < least) least = peak, best = std::move(order);
  }
  if (best == same) return;
  Body ordered;
  int line = line_at(body, first);
  const int line_after = line_at(body, last);
  for (const int id : best) {
    if (const int of = nodes[id].line; of != line) ordered.push_back(Line{line = of});
    ordered.push_back(std::move(body[nodes[id].at]));
  }
  if (line != line_after) ordered.push_back(Line{line_after});
  const auto from = body.begin() + static_cast<std::ptrdiff_t>(first);
  const auto to = body.begin() + static_cast<std::ptrdiff_t>(last);
  append(ordered, Body(std::make_move_iterator(to), std::make_move_iterator(body.end())));
  body.erase(from, body.end());
  append(body, std::move(ordered));
}

void order_list(Body& body) {
  for (Stmt& stmt : body) {
    if (auto* loop = std::get_if<For>(&stmt.node)) order_list(loop->body);
    if (auto* local = std::get_if<Local>(&stmt.node)) order_list(local->body);
    if (auto* variants = std::get_if<Variants>(&stmt.node)) order_list(variants->body);
    if (auto* branch = std::get_if<If>(&stmt.node)) {
      order_list(branch->yes);
      order_list(branch->no);
    }
  }
  for (size_t last = body.size(); last > 0; --last) {
    size_t first = last;
    while (first > 0 && is_movable(body[first - 1])) --first;
    if (first == last) continue;
    order_run(body, first, last);
    last = first + 1;
  }
}

}  // namespace

Body ordered_by_neighbours(Body body) {
  order_list(body);
  return body;
}

void order_by_neighbours(Launch& launch) {
  if (launch.kernel.by_neighbours) order_list(launch.kernel.body);
}

void order_by_neighbours(Module& module) {
  for (Launch& launch : module.launches) order_by_neighbours(launch);
}

}  // namespace stencilc::passes
