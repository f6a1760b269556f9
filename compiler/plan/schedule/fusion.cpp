#include "plan/schedule/fusion.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "ir/work.h"
#include "plan/schedule/inline_updates.h"
#include "plan/schedule/streamed_values.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

// Why the blocks of a launch cannot keep its staged fields; or empty. In a block of usual shape
// they may take so many bytes, and so many times the instructions that the cells of the block take.
std::string problem_of_staged(const ir::Stencil& stencil, const Launch& launch) {
  constexpr std::array<std::array<double, ir::kMaxRank>, ir::kMaxRank> kBlocks = {
      {{256, 1, 1}, {32, 16, 1}, {32, 4, 4}}};
  constexpr double kMostBytes = 65536, kMostWork = 2.5;
  const std::array<bool, ir::kMaxRank> periodic = periodic_axes(stencil, launch);
  for (const Stored& stored : launch.stores)
    for (const ExprPtr& node : ir::nodes_of(roots_of(stencil.updates[stored.update]))) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read || read->level != 1 || !launch.staged.contains(read->field)) continue;
      const ir::Field& field = stencil.fields[read->field];
      for (int a = 0; a < stencil.rank(); ++a)
        if (periodic[a] && read->offset[a] != 0 &&
            field.boundary.sides[a][0].edge != ir::Edge::periodic)
          return "along " + stencil.axes[a] + " only some of these fields are periodic";
    }
  const std::array<double, ir::kMaxRank>& block = kBlocks[stencil.rank() - 1];
  const std::map<int, ir::Reach> around = needed_around(stencil, launch);
  double bytes = 0, work = 0, least = 0;
  for (const Stored& stored : launch.stores) {
    const ir::Update& update = stencil.updates[stored.update];
    const double own = static_cast<double>(ir::instructions_of(roots_of(update)).weighted());
    least += own;
    work += own;
    const auto staged = around.find(update.field);
    if (staged == around.end()) continue;
    double cells = 1, all = 1;
    for (int a = 0; a < stencil.rank(); ++a) {
      cells *= block[a] + staged->second.low[a] + staged->second.high[a];
      all *= block[a];
    }
    bytes += cells * ir::bytes(stencil.fields[update.field].type);
    work += own * (cells / all - 1);
  }
  if (bytes > kMostBytes) return "a block has too little shared memory for more";
  if (work > kMostWork * least)
    return "the cells around a block would take more time than those of the block";
  return "";
}

// Which launch an update may join: the last one, so that launches follow the program, or the first
// one after which all that it reads is there.
enum class Order { written, earliest };

class Planner {
 public:
  Planner(const ir::Stencil& stencil, Fusion fusion, bool fuses_reductions,
          const Streaming& streaming, Order order)
      : stencil_(stencil),
        fusion_(fusion),
        fuses_reductions_(fuses_reductions),
        streaming_(streaming),
        order_(order) {}

  Stages plan() {
    tell_temporaries();
    before();
    for (size_t u = 0; u < stencil_.updates.size(); ++u) place(static_cast<int>(u));
    for (Launch& launch : result_.launches)
      if (!launch.stores.empty()) spell_out(launch);
    tell_staged();
    after();
    for (Launch& launch : result_.launches) {
      launch.margin = margin_of(stencil_, launch);
      add_ghosts(launch);
    }
    result_.buffers = buffers_of(stencil_, result_.launches);
    return std::move(result_);
  }

 private:
  void tell_temporaries() {
    for (const bool setup : {true, false}) {
      std::set<int> fields;
      int bytes = 0;
      for (size_t f = 0; f < stencil_.fields.size(); ++f)
        if (stencil_.fields[f].temporary && stencil_.fields[f].setup == setup) {
          fields.insert(static_cast<int>(f));
          bytes += ir::bytes(stencil_.fields[f].type);
        }
      if (fields.empty()) continue;
      result_.reasons.push_back((setup ? "set up before the first step of a run: "
                                       : "kept in memory, computed once per cell: ") +
                                named(fields) + ", " + std::to_string(bytes) + " bytes per cell");
    }
  }

  void add_ghosts(Launch& launch) const {
    for (size_t s = 0; s < launch.stores.size(); ++s)
      if (stencil_.fields[stencil_.updates[launch.stores[s].update].field].ghosts != ir::Offset{})
        launch.ghosts.push_back(static_cast<int>(s));
  }

  // Reductions of t and older levels come first, because the updates may read them.
  void before() {
    Launch on_request, always;
    const std::set<int> read = read_by_updates();
    for (size_t r = 0; r < stencil_.reductions.size(); ++r) {
      const ir::Reduction& reduction = stencil_.reductions[r];
      if (reduction.after) continue;
      Launch& launch = read.count(static_cast<int>(r)) != 0 ? always : on_request;
      launch.combines.push_back(combined(static_cast<int>(r), {}));
    }
    always.every_step = true;
    for (Launch& launch : {std::ref(always), std::ref(on_request)})
      if (!launch.combines.empty()) result_.launches.push_back(std::move(launch));
  }

  std::set<int> read_by_updates() const {
    if (stencil_.reductions.empty()) return {};
    std::vector<ExprPtr> roots;
    for (const ir::Update& update : stencil_.updates)
      for (const ExprPtr& root : roots_of(update)) roots.push_back(root);
    for (const ir::Injection& one : stencil_.injections) roots.push_back(one.value);
    std::set<int> reductions;
    for (const ExprPtr& node : ir::nodes_of(roots))
      if (const auto* ref = ir::as<ir::ReductionRef>(node)) reductions.insert(ref->reduction);
    return reductions;
  }

  Combined combined(int r, const std::vector<ExprPtr>& made) const {
    const ir::Reduction& reduction = stencil_.reductions[r];
    ir::MovedValues moved;
    const auto of = [&](int f) { return made.empty() ? nullptr : made[f]; };
    return {r, expand(reduction.value, of, moved), expand(reduction.domain.mask, of, moved),
            !holds_inside(reduction.domain)};
  }

  std::string named(const std::set<int>& fields) const {
    std::string text;
    for (const int f : fields)
      text += (text.empty() ? "`" : ", `") + stencil_.fields[f].name +
              (stencil_.fields[f].temporary ? "`" : "[t+1]`");
    return text;
  }

  // The first launch that may store the update, if it joins the one that computes what it reads. It
  // comes no earlier than what reads the level that it may overwrite.
  size_t earliest(const ir::Update& update) const {
    size_t at = 0;
    while (at + 1 < result_.launches.size() && result_.launches[at].stores.empty()) ++at;
    std::set<int> next;
    for (const ExprPtr& node : ir::nodes_of(roots_of(update)))
      if (const auto* read = ir::as<ir::Read>(node); read && read->level == 1)
        next.insert(read->field);
    const int oldest = -stencil_.fields[update.field].oldest_level;
    const bool steps = stencil_.fields[update.field].role == ir::Role::stepped;
    for (size_t n = at + 1; n < result_.launches.size(); ++n)
      for (const Stored& stored : result_.launches[n].stores) {
        const ir::Update& other = stencil_.updates[stored.update];
        if (next.contains(other.field) ||
            (steps && reads_level(roots_of(other), update.field, oldest)))
          at = n;
      }
    return at;
  }

  static bool reads_level(const std::vector<ExprPtr>& roots, int field, int level) {
    return std::ranges::any_of(ir::nodes_of(roots), [&](const ExprPtr& node) {
      const auto* read = ir::as<ir::Read>(node);
      return read && read->field == field && read->level == level;
    });
  }

  // Adds the update to a launch, or to a new one.
  void place(int u) {
    const ir::Update& update = stencil_.updates[u];
    if (result_.launches.empty() || result_.launches.back().stores.empty())
      result_.launches.emplace_back();
    if (update.apart && !result_.launches.back().stores.empty()) return begin_apart(u);
    const size_t at = order_ == Order::earliest ? earliest(update) : result_.launches.size() - 1;
    Launch& last = result_.launches[at];
    const std::set<int> beside = read_beside(stencil_, update, last);
    if (beside.empty() && !last.along_stream) {
      last.stores.push_back({u, nullptr, nullptr});
      return;
    }
    const std::string name = "`" + stencil_.fields[update.field].name + "`";
    const auto apart = [&](const std::string& why) {
      if (at + 1 < result_.launches.size()) {
        result_.launches[at + 1].stores.push_back({u, nullptr, nullptr});
        return;
      }
      begin(u, name + " has a launch of its own: it reads " + named(beside) +
                   " in neighbouring cells" + why);
    };
    const bool kept = std::any_of(beside.begin(), beside.end(),
                                  [&](int field) { return stencil_.fields[field].temporary; });
    if (kept || fusion_ == Fusion::split) return apart("");
    Launch joined = last;
    joined.stores.push_back({u, nullptr, nullptr});
    const bool streams = last.along_stream || std::ranges::any_of(beside, [&](int field) {
                           return is_streamed(stencil_.fields[field].name);
                         });
    if (streams) {
      Launch streamed = joined;
      streamed.along_stream = true;
      streamed.staged = recomputed_beside(stencil_, streamed);
      Launch spelled_out = streamed;
      spell_out(spelled_out);
      const std::string problem = streaming_problem(stencil_, spelled_out, streaming_);
      if (problem.empty()) {
        last = std::move(streamed);
        return;
      }
      // Launches hold values along a stream or recompute them.
      if (last.along_stream)
        return beside.empty() ? begin(u, name + " has a launch of its own: " + problem)
                              : apart(", and " + problem);
      result_.reasons.push_back(named(beside) +
                                " is not in registers along the stream: " + problem);
    }
    if (fusion_ == Fusion::tile) {
      joined.staged = recomputed_beside(stencil_, joined);
      const std::string problem = problem_of_staged(stencil_, joined);
      if (!problem.empty()) return apart(", and " + problem);
      last = std::move(joined);
      return;
    }
    const Cost cost = cost_of_last(stencil_, joined);
    if (fusion_ == Fusion::recompute && cost.is_long() && result_.problem.empty())
      result_.problem = "`stages=recompute`: " + name + " reads " + named(beside) +
                        " in neighbouring cells, and recomputing that would make the kernel too "
                        "long";
    if (cost.is_long() || (fusion_ == Fusion::best && !cost.is_low())) return apart(why_not(cost));
    last = std::move(joined);
    result_.reasons.push_back(
        name + " shares the launch: it recomputes " +
        (cost.recomputed == 1 ? "one value" : std::to_string(cost.recomputed) + " values") +
        " of " + named(beside) + " in neighbouring cells, from " + std::to_string(cost.points) +
        " points in all");
  }

  // A launch of its own.
  void begin(int u, std::string reason) {
    result_.launches.emplace_back().stores.push_back({u, nullptr, nullptr});
    result_.reasons.push_back(std::move(reason));
  }

  // A launch of its own, because the schedule asks for it.
  void begin_apart(int u) {
    const ir::Update& update = stencil_.updates[u];
    std::set<int> stored;
    for (const ExprPtr& node : ir::nodes_of(roots_of(update)))
      if (const auto* read = ir::as<ir::Read>(node);
          read && read->level == 1 && read->offset == ir::Offset{} && read->field != update.field &&
          !stencil_.fields[read->field].temporary)
        stored.insert(read->field);
    const std::string beside = named(read_beside(stencil_, update, result_.launches.back()));
    begin(u, "`" + stencil_.fields[update.field].name +
                 (beside.empty()
                      ? "` begins a launch that it could share"
                      : "` begins a launch: it reads " + beside + " in neighbouring cells") +
                 (stored.empty() ? "" : ", and reads " + named(stored) + " there"));
  }

  bool is_streamed(const std::string& name) const {
    return std::ranges::find(streaming_.names, name) != streaming_.names.end();
  }

  // Which t+1 blocks, or threads that stream, compute for each other.
  void tell_staged() {
    for (const Launch& launch : result_.launches) {
      if (launch.staged.empty()) continue;
      const std::string first =
          stencil_.fields[stencil_.updates[launch.stores[0].update].field].name;
      result_.reasons.push_back(
          launch.along_stream
              ? "in registers along the stream of the launch of `" + first +
                    "`, stored and read there by later statements: " + named(launch.staged)
              : "in tiles of the launch of `" + first +
                    "`, computed once per block: " + named(launch.staged));
    }
  }

  static std::string why_not(const Cost& cost) {
    if (cost.is_long()) return ", and recomputing that would make the kernel too long";
    return ", and recomputing " + std::to_string(cost.recomputed) + " values " +
           (cost.divides_again ? "would repeat divisions or roots"
                               : "would read " + std::to_string(cost.points) + " points");
  }

  // Inlines the values of the launch. A value that others of the launch read keeps its name.
  void spell_out(Launch& launch) const {
    const Made made = made_by(stencil_, launch);
    std::unordered_set<const ir::Expr*> read;
    if (launch.stores.size() > 1)  // there are others
      for (const Whole& one : made.wholes)
        for (const ExprPtr& node : ir::nodes_of({one.value, one.when})) read.insert(node.get());
    for (size_t s = 0; s < launch.stores.size(); ++s) {
      Stored& stored = launch.stores[s];
      const ExprPtr& next = made.next[stencil_.updates[stored.update].field];
      stored.value = next && read.count(next.get()) ? next : made.wholes[s].value;
      stored.when = made.wholes[s].when;
      stored.skipped = made.wholes[s].none;
    }
  }

  // Reductions of t+1 join the last launch, or follow it.
  void after() {
    std::vector<int> all;
    for (size_t r = 0; r < stencil_.reductions.size(); ++r)
      if (stencil_.reductions[r].after) all.push_back(static_cast<int>(r));
    if (all.empty()) return;
    std::string why;
    if (!fuses_reductions_) why = "the rows of a block are not a multiple of 32 cells";
    if (stencil_.colors.count() != 0) why = "the colours are updated one after the other";
    if (!stencil_.injections.empty()) why = "sources change the fields after the updates";
    if (result_.launches.empty() || result_.launches.back().stores.empty())
      why = "the updates store nothing";
    else if (result_.launches.back().along_stream)
      why = "the updates keep `t+1` in registers along a stream";
    for (const int r : all)
      for (const ExprPtr& node :
           ir::nodes_of({stencil_.reductions[r].value, stencil_.reductions[r].domain.mask}))
        if (const auto* read = ir::as<ir::Read>(node);
            read && read->level == 1 && read->offset != ir::Offset{})
          why = "`" + stencil_.fields[read->field].name + "[t+1]` is read in neighbouring cells";
    if (!why.empty()) result_.launches.emplace_back();
    Launch& last = result_.launches.back();
    std::vector<ExprPtr> made;
    if (why.empty()) {
      made = made_by(stencil_, last).next;
      // They use the nodes of the stores, so that nothing is computed twice.
      for (const Stored& stored : last.stores)
        if (stored.value && !last.staged.contains(stencil_.updates[stored.update].field))
          made[stencil_.updates[stored.update].field] = stored.value;
    }
    for (const int r : all) last.combines.push_back(combined(r, made));
    result_.reasons.push_back(why.empty() ? "reductions share the launch of the updates"
                                          : "reductions have a launch of their own: " + why);
  }

  const ir::Stencil& stencil_;
  const Fusion fusion_;
  const bool fuses_reductions_;
  const Streaming& streaming_;
  const Order order_;
  Stages result_;
};

// Has a step fewer launches so, and no field more buffers?
bool is_shorter(const Stages& one, const Stages& other) {
  if (!one.problem.empty() || one.launches.size() >= other.launches.size()) return false;
  for (size_t f = 0; f < one.buffers.size(); ++f)
    if (one.buffers[f] > other.buffers[f]) return false;
  return true;
}

}  // namespace

Stages stages(const ir::Stencil& stencil, Fusion fusion, bool fuses_reductions,
              const Streaming& streaming) {
  Stages result = Planner(stencil, fusion, fuses_reductions, streaming, Order::written).plan();
  // Two launches are there because one reads beside the cell what the other computes. Colours are
  // updated one after the other. What a launch keeps along a stream decides what it can take up.
  const auto stores = [](const Launch& launch) { return !launch.stores.empty(); };
  // Launches that the schedule splits follow the program.
  if (std::ranges::count_if(result.launches, stores) < 3 || stencil.colors.count() != 0 ||
      !streaming.names.empty() || std::ranges::any_of(stencil.updates, &ir::Update::apart))
    return result;
  Stages early = Planner(stencil, fusion, fuses_reductions, streaming, Order::earliest).plan();
  return is_shorter(early, result) ? early : result;
}

}  // namespace stencilc::plan
