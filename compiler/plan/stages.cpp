#include "plan/stages.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "plan/expand.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

// What an update may cost whose launch recomputes: distinct points it reads, and values computed
// beside the cell. Beyond, the caches and the arithmetic cost what the memory saved: on an H200
// (docs/performance.md) 8 points with 2 values and 13 with 4 gain 1.4 times, 49 with 6 nothing.
constexpr int kMaxPoints = 20;
constexpr int kMaxRecomputed = 4;

// Divisions, roots and what is longer are not computed twice for a value in memory; those that are
// the same in every cell cost nothing.
bool is_long(const ExprPtr& expr) {
  const auto* apply = ir::as<ir::Apply>(expr);
  if (!apply || !ir::is_float(expr->type)) return false;
  if (apply->op != ir::Op::div && apply->op != ir::Op::sqrt && !ir::is_transcendental(apply->op))
    return false;
  const std::vector<ExprPtr> parts = ir::nodes_of({expr});
  return std::any_of(parts.begin(), parts.end(),
                     [](const ExprPtr& part) { return ir::as<ir::Read>(part) != nullptr; });
}

// What is computed more than once is one value, whatever reads it.
ExprPtr as_next(const ir::Stencil& stencil, int field, const ExprPtr& value) {
  return ir::make(value->type,
                  ir::Named{stencil.fields[field].name + "_next", -1 - field, {}, value});
}

class Planner {
 public:
  Planner(const ir::Stencil& stencil, Fusion fusion, bool fuses_reductions)
      : stencil_(stencil), fusion_(fusion), fuses_reductions_(fuses_reductions) {}

  Stages plan() {
    before();
    for (size_t u = 0; u < stencil_.updates.size(); ++u) place(static_cast<int>(u));
    for (Launch& launch : result_.launches)
      if (!launch.stores.empty()) spell_out(launch);
    after();
    for (Launch& launch : result_.launches) launch.margin = margin(launch);
    buffers();
    return std::move(result_);
  }

 private:
  // Reductions of the levels t and older come first: the updates may read them.
  void before() {
    Launch asked, always;
    for (size_t r = 0; r < stencil_.reductions.size(); ++r) {
      const ir::Reduction& reduction = stencil_.reductions[r];
      if (reduction.after) continue;
      Launch& launch = read_by_updates(static_cast<int>(r)) ? always : asked;
      launch.combines.push_back(combined(static_cast<int>(r), {}));
    }
    always.every_step = true;
    for (Launch& launch : {std::ref(always), std::ref(asked)})
      if (!launch.combines.empty()) result_.launches.push_back(std::move(launch));
  }

  bool read_by_updates(int reduction) const {
    std::vector<ExprPtr> roots;
    for (const ir::Update& update : stencil_.updates)
      for (const ExprPtr& root : roots_of(update)) roots.push_back(root);
    for (const ir::Injection& one : stencil_.injections) roots.push_back(one.value);
    for (const ExprPtr& node : ir::nodes_of(roots))
      if (const auto* ref = ir::as<ir::ReductionRef>(node); ref && ref->reduction == reduction)
        return true;
    return false;
  }

  Combined combined(int r, const std::vector<ExprPtr>& made) const {
    const ir::Reduction& reduction = stencil_.reductions[r];
    const auto of = [&](int f) { return made.empty() ? nullptr : made[f]; };
    return {r, expand(reduction.value, of), expand(reduction.domain.mask, of),
            !holds_inside(reduction.domain)};
  }

  // The values of t+1 that the launch makes, by field; each spelt out.
  std::vector<ExprPtr> made_by(const Launch& launch, std::vector<Whole>* wholes = nullptr) const {
    std::vector<ExprPtr> made(stencil_.fields.size());
    for (const Stored& stored : launch.stores) {
      const ir::Update& update = stencil_.updates[stored.update];
      Whole one = whole(stencil_, update, [&](int f) { return made[f]; });
      if (one.value) made[update.field] = as_next(stencil_, update.field, one.value);
      if (wholes) wholes->push_back(std::move(one));
    }
    return made;
  }

  // The fields of the launch that an update reads beside the cell at t+1.
  std::set<int> read_beside(const ir::Update& update, const Launch& launch) const {
    std::set<int> fields;
    for (const ExprPtr& node : ir::nodes_of(roots_of(update))) {
      const auto* read = ir::as<ir::Read>(node);
      if (read && read->level == 1 && read->field != update.field && read->offset != ir::Offset{} &&
          launch.stores_field(stencil_, read->field))
        fields.insert(read->field);
    }
    return fields;
  }

  std::string named(const std::set<int>& fields) const {
    std::string text;
    for (const int f : fields)
      text += (text.empty() ? "`" : ", `") + stencil_.fields[f].name + "[t+1]`";
    return text;
  }

  // Puts the update into the last launch, or into a new one.
  void place(int u) {
    const ir::Update& update = stencil_.updates[u];
    const std::string name = "`" + stencil_.fields[update.field].name + "`";
    const bool fresh = result_.launches.empty() || result_.launches.back().stores.empty();
    const std::set<int> beside =
        fresh ? std::set<int>() : read_beside(update, result_.launches.back());
    if (fresh || beside.empty()) {
      if (fresh) result_.launches.emplace_back();
      result_.launches.back().stores.push_back({u, nullptr, nullptr});
      return;
    }
    Launch joined = result_.launches.back();
    joined.stores.push_back({u, nullptr, nullptr});
    std::set<std::tuple<int, int, ir::Offset>> distinct;
    bool long_ones = false;
    std::set<std::pair<int, ir::Offset>> recomputed;
    const ExprPtr value = made_by(joined)[update.field];
    for (const ExprPtr& node : ir::nodes_of({value})) {
      if (const auto* read = ir::as<ir::Read>(node))
        distinct.emplace(read->field, read->level, read->offset);
      const auto* let = ir::as<ir::Named>(node);
      if (!let || let->let >= 0 || let->offset == ir::Offset{}) continue;
      recomputed.emplace(let->let, let->offset);
      const std::vector<ExprPtr> inner = ir::nodes_of({let->value});
      long_ones |= std::any_of(inner.begin(), inner.end(), is_long);
    }
    const int points = static_cast<int>(distinct.size());
    const bool cheap =
        points <= kMaxPoints && !long_ones && static_cast<int>(recomputed.size()) <= kMaxRecomputed;
    if (fusion_ == Fusion::split || (fusion_ == Fusion::best && !cheap)) {
      result_.launches.emplace_back();
      result_.launches.back().stores.push_back({u, nullptr, nullptr});
      result_.reasons.push_back(
          name + " in a launch of its own: it reads " + named(beside) + " beside the cell" +
          (fusion_ == Fusion::split
               ? ""
               : ", and recomputing " + std::to_string(recomputed.size()) + " values " +
                     (long_ones ? "would divide or take roots again"
                                : "would read " + std::to_string(points) + " points")));
      return;
    }
    result_.launches.back() = std::move(joined);
    result_.reasons.push_back(name + " in the same launch: " + named(beside) + " beside the cell " +
                              (recomputed.size() == 1
                                   ? "is one value"
                                   : "are " + std::to_string(recomputed.size()) + " values") +
                              " recomputed, from " + std::to_string(points) + " points in all");
  }

  // The values of the launch. One that others of the launch read keeps its name.
  void spell_out(Launch& launch) const {
    std::vector<Whole> wholes;
    const std::vector<ExprPtr> made = made_by(launch, &wholes);
    std::set<const ir::Expr*> read;
    for (const Whole& one : wholes)
      for (const ExprPtr& node : ir::nodes_of({one.value, one.when})) read.insert(node.get());
    for (size_t s = 0; s < launch.stores.size(); ++s) {
      Stored& stored = launch.stores[s];
      const ExprPtr& next = made[stencil_.updates[stored.update].field];
      stored.value = next && read.count(next.get()) ? next : wholes[s].value;
      stored.when = wholes[s].when;
      stored.skipped = wholes[s].none;
    }
  }

  // Reductions of t+1 join the last launch, or follow it.
  void after() {
    std::vector<int> all;
    for (size_t r = 0; r < stencil_.reductions.size(); ++r)
      if (stencil_.reductions[r].after) all.push_back(static_cast<int>(r));
    if (all.empty()) return;
    std::string why;
    if (!fuses_reductions_) why = "the rows of a block are no multiples of 32 cells";
    if (stencil_.colors.count() != 0) why = "the colours are updated one by one";
    if (!stencil_.injections.empty()) why = "sources change the fields behind the updates";
    if (result_.launches.empty() || result_.launches.back().stores.empty())
      why = "nothing is stored";
    for (const int r : all)
      for (const ExprPtr& node :
           ir::nodes_of({stencil_.reductions[r].value, stencil_.reductions[r].domain.mask}))
        if (const auto* read = ir::as<ir::Read>(node);
            read && read->level == 1 && read->offset != ir::Offset{})
          why = "`" + stencil_.fields[read->field].name + "[t+1]` is read beside the cell";
    if (!why.empty()) result_.launches.emplace_back();
    Launch& last = result_.launches.back();
    std::vector<ExprPtr> made;
    if (why.empty()) {
      made = made_by(last);
      // The same nodes the stores are made of, so that nothing is computed twice.
      for (const Stored& stored : last.stores)
        if (stored.value) made[stencil_.updates[stored.update].field] = stored.value;
    }
    for (const int r : all) last.combines.push_back(combined(r, made));
    result_.reasons.push_back(why.empty() ? "reductions in the same launch as the updates"
                                          : "reductions in a launch of their own: " + why);
  }

  ir::Reach margin(const Launch& launch) const {
    std::vector<ExprPtr> roots;
    for (const Stored& stored : launch.stores) {
      roots.push_back(stored.value);
      roots.push_back(stored.when);
    }
    for (const Combined& one : launch.combines) {
      roots.push_back(one.value);
      roots.push_back(one.mask);
    }
    const ir::Reach reads = ir::reach(roots);
    ir::Reach result = reads;
    // A cell where t+1 is recomputed lies inside, whatever that value reads: beyond the rim there
    // is none.
    for (const ExprPtr& node : ir::nodes_of(roots))
      if (const auto* made = ir::as<ir::Named>(node); made && made->let < 0)
        for (int a = 0; a < stencil_.rank(); ++a) {
          result.low[a] = std::max(result.low[a], -made->offset[a]);
          result.high[a] = std::max(result.high[a], made->offset[a]);
        }
    const std::set<int> recomputed = recomputed_beside(launch);
    for (const Stored& stored : launch.stores) {
      const ir::Update& update = stencil_.updates[stored.update];
      // What is recomputed beside the cell is decided there.
      const ir::Reach beside = recomputed.count(update.field) ? reads : ir::Reach();
      for (const ir::Case& one : update.cases) widen(result, one.domain, beside);
    }
    for (const Combined& one : launch.combines)
      widen(result, stencil_.reductions[one.reduction].domain, {});
    return result;
  }

  // So far from the rim that the domain is decided, `beside` cells around, too.
  void widen(ir::Reach& margin, const ir::Domain& domain, const ir::Reach& beside) const {
    const auto at_least = [](int& side, int depth, int more) {
      if (depth > 0) side = std::max(side, depth + more);
    };
    for (int a = 0; a < stencil_.rank(); ++a) {
      at_least(margin.low[a], domain.low[a], beside.low[a]);
      at_least(margin.high[a], domain.high[a], beside.high[a]);
    }
    for (const ir::Limit& limit : domain.limits) {
      const int a = limit.axis;
      if (limit.from_end)
        at_least(margin.high[a], -limit.offset, beside.high[a]);
      else
        at_least(margin.low[a], limit.offset, beside.low[a]);
    }
  }

  // t+1 may go into the buffer of the oldest level where no other cell and no later launch reads
  // that level.
  void buffers() {
    for (size_t f = 0; f < stencil_.fields.size(); ++f) {
      const ir::Field& field = stencil_.fields[f];
      const int own =
          field.role == ir::Role::stepped ? field.levels() + !overwrites(static_cast<int>(f)) : 1;
      result_.buffers.push_back(own);
    }
  }

  bool overwrites(int f) const {
    const int oldest = -stencil_.fields[f].oldest_level;
    bool stored = false;
    for (const Launch& launch : result_.launches) {
      const bool now = launch.stores_field(stencil_, f);
      const std::set<int> recomputed = recomputed_beside(launch);
      // A cell that keeps its value reads level t.
      if (now && oldest == 0 && recomputed.count(f)) return false;
      for (const Stored& one : launch.stores) {
        const ir::Update& update = stencil_.updates[one.update];
        const std::vector<ExprPtr> roots = roots_of(update);
        if (now && reads(roots, f, oldest, !recomputed.count(update.field))) return false;
        if (stored && reads(roots, f, oldest, false)) return false;
      }
      for (const Combined& one : launch.combines)
        if (stored ? reads({one.value, one.mask}, f, oldest, false)
                   : now && reads({one.value, one.mask}, f, oldest, true))
          return false;
      stored |= now;
    }
    std::vector<ExprPtr> last;
    for (const ir::Injection& one : stencil_.injections) last.push_back(one.value);
    for (const ir::Sample& one : stencil_.samples)
      if (one.after) last.push_back(one.value);
    return !reads(last, f, oldest, false);
  }

  static std::vector<ExprPtr> roots_of(const ir::Update& update) {
    std::vector<ExprPtr> roots;
    for (const ir::Case& one : update.cases) {
      roots.push_back(one.value);
      roots.push_back(one.domain.mask);
    }
    return roots;
  }

  // The fields of the launch whose t+1 is computed at other cells, too: read beside the cell, or
  // read by one that is.
  std::set<int> recomputed_beside(const Launch& launch) const {
    std::set<int> result;
    for (auto stored = launch.stores.rbegin(); stored != launch.stores.rend(); ++stored) {
      const ir::Update& update = stencil_.updates[stored->update];
      for (const ExprPtr& node : ir::nodes_of(roots_of(update))) {
        const auto* read = ir::as<ir::Read>(node);
        if (read && read->level == 1 && read->field != update.field &&
            launch.stores_field(stencil_, read->field) &&
            (read->offset != ir::Offset{} || result.count(update.field)))
          result.insert(read->field);
      }
    }
    return result;
  }

  // Is the level of the field read at all, or (only_beside) at another cell?
  static bool reads(const std::vector<ExprPtr>& roots, int field, int level, bool only_beside) {
    for (const ExprPtr& node : ir::nodes_of(roots)) {
      const auto* read = ir::as<ir::Read>(node);
      if (read && read->field == field && read->level == level &&
          (!only_beside || read->offset != ir::Offset{}))
        return true;
    }
    return false;
  }

  const ir::Stencil& stencil_;
  const Fusion fusion_;
  const bool fuses_reductions_;
  Stages result_;
};

}  // namespace

bool Launch::stores_field(const ir::Stencil& stencil, int field) const {
  return std::any_of(stores.begin(), stores.end(), [&](const Stored& stored) {
    return stencil.updates[stored.update].field == field;
  });
}

Stages stages(const ir::Stencil& stencil, Fusion fusion, bool fuses_reductions) {
  return Planner(stencil, fusion, fuses_reductions).plan();
}

}  // namespace stencilc::plan
