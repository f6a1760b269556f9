#include "plan/analysis/window_reach.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ir/boundary.h"

namespace stencilc::plan {
namespace {

void widen(Planes& planes, const Planes& other) {
  planes.low = std::max(planes.low, other.low);
  planes.high = std::max(planes.high, other.high);
}
Planes sum(const Planes& a, const Planes& b) { return {a.low + b.low, a.high + b.high}; }

// Does a read across a side find the value of a cell beside the last one, on this side of it?
bool mirrors(const ir::Stencil& stencil) {
  for (const ir::Field& field : stencil.fields)
    for (const ir::Side& side : field.boundary.sides[stencil.rank() - 1])
      if (ir::kind_of(side).mirrors()) return true;
  return false;
}

class Analysis {
 public:
  Analysis(const ir::Stencil& stencil, const std::vector<Launch>& launches)
      : stencil_(stencil),
        launches_(launches),
        axis_(stencil.rank() - 1),
        both_(mirrors(stencil)),
        made_(stencil.fields.size()) {
    result_.fields.resize(stencil.fields.size());
    result_.before.resize(stencil.fields.size());
    result_.launches.resize(launches.size());
  }

  WindowReach operator()() {
    points();
    for (size_t l = launches_.size(); l-- > 0;) {
      needed_.assign(stencil_.fields.size(), {});
      folds(launches_[l]);
      stores(launches_[l], result_.launches[l]);
    }
    // A cell that no statement assigns keeps the level before, so a step reads what it stores.
    for (size_t f = 0; f < stencil_.fields.size(); ++f)
      if (changes(f)) widen(result_.fields[f], made_[f]), widen(result_.step, result_.fields[f]);
    return std::move(result_);
  }

 private:
  bool changes(size_t f) const {
    const ir::Field& field = stencil_.fields[f];
    return field.role == ir::Role::stepped || field.role == ir::Role::in_place;
  }

  // From a cell that is needed so far beside the window, a read at an offset.
  Planes around(const Planes& readers, const ir::Offset& offset) const {
    const int at = offset[axis_];
    if (both_) return sum(readers, {std::abs(at), std::abs(at)});
    return {std::max(0, readers.low - at), std::max(0, readers.high + at)};
  }

  // In memory, of what the step begins with or of what a launch before has made. A field in place
  // has both in one array.
  void read(const ir::Read& one, const Planes& readers) {
    const Planes planes = around(readers, one.offset);
    const bool in_place = stencil_.fields[one.field].role == ir::Role::in_place;
    if (one.level <= 0) widen(result_.fields[one.field], planes);
    if (one.level < 0) widen(result_.before[one.field], planes);
    if (one.level == 1 || in_place) widen(made_[one.field], planes);
  }

  void reads_of(const std::vector<ir::ExprPtr>& roots, const Planes& readers, const Launch& launch,
                int own) {
    for (const ir::ExprPtr& node : ir::nodes_of(roots)) {
      const auto* one = ir::as<ir::Read>(node);
      if (!one) continue;
      if (one->level == 1 && launch.stores_field(stencil_, one->field)) {
        if (one->field != own) widen(needed_[one->field], around(readers, one->offset));
      } else {
        read(*one, readers);
      }
    }
  }

  // Samples are the window's whose first cell is in it: others of their cells lie one further.
  void points() {
    for (const ir::Sample& sample : stencil_.samples) {
      const Planes beside = {0, stencil_.points[sample.points].linear ? 1 : 0};
      if (sample.after) widen(result_.injections, beside);
      for (const ir::ExprPtr& node : ir::nodes_of({sample.value}))
        if (const auto* one = ir::as<ir::Read>(node)) read(*one, beside);
    }
    for (const ir::Injection& injection : stencil_.injections) {
      widen(made_[injection.field], result_.injections);
      for (const ir::ExprPtr& node : ir::nodes_of({injection.value}))
        if (const auto* one = ir::as<ir::Read>(node)) read(*one, result_.injections);
    }
  }

  void folds(const Launch& launch) {
    for (const Combined& one : launch.combines) {
      const ir::Reduction& reduction = stencil_.reductions[one.reduction];
      reads_of({reduction.value, reduction.domain.mask}, {}, launch, -1);
    }
  }

  void stores(const Launch& launch, WindowReach::Launch& result) {
    std::vector<int> updates;
    for (const Stored& one : launch.stores) updates.push_back(one.update);
    std::sort(updates.begin(), updates.end());
    for (const int u : updates) widen(result.beside, made_[stencil_.updates[u].field]);
    if (const int colors = stencil_.colors.count(); colors != 0) {
      for (const int u : updates)
        for (const ir::ExprPtr& node : ir::nodes_of(roots_of(stencil_.updates[u])))
          if (const auto* one = ir::as<ir::Read>(node);
              one && launch.stores_field(stencil_, one->field))
            widen(result.color, around({}, one->offset));
    }
    // The first colour computes most.
    Planes computed = result.beside;
    for (int c = 1; c < stencil_.colors.count(); ++c) computed = sum(computed, result.color);
    for (const int u : updates) {
      const int field = stencil_.updates[u].field;
      widen(made_[field], computed);
      widen(needed_[field], computed);
    }
    for (size_t n = updates.size(); n-- > 0;) {
      const ir::Update& update = stencil_.updates[updates[n]];
      reads_of(roots_of(update), needed_[update.field], launch, update.field);
    }
  }

  const ir::Stencil& stencil_;
  const std::vector<Launch>& launches_;
  const int axis_;
  const bool both_;
  // By field: of its t+1, the planes beside the window that later launches read in memory; and of
  // the launch at hand, those for which it computes it.
  std::vector<Planes> made_, needed_;
  WindowReach result_;
};

}  // namespace

WindowReach window_reach(const ir::Stencil& stencil, const std::vector<Launch>& launches) {
  return Analysis(stencil, launches)();
}

namespace {

// Do the ends of the grid along the last axis show, where some of the fields go on around them?
bool ends_show(const ir::Stencil& stencil) {
  const auto cut = static_cast<size_t>(stencil.rank() - 1);
  const auto goes_round = [&](const ir::Field& field) {
    return field.boundary.sides[cut][0].edge == ir::Edge::periodic;
  };
  if (std::none_of(stencil.fields.begin(), stencil.fields.end(), goes_round)) return false;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* read = ir::as<ir::Read>(node);
        read && read->offset[cut] != 0 &&
        !goes_round(stencil.fields[static_cast<size_t>(read->field)]))
      return true;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.low[cut] != 0 || one.domain.high[cut] != 0) return true;
  return std::any_of(stencil.reductions.begin(), stencil.reductions.end(),
                     [&](const ir::Reduction& one) {
                       return one.domain.low[cut] != 0 || one.domain.high[cut] != 0;
                     });
}

}  // namespace

bool knows_its_plane(const ir::Stencil& stencil) {
  const int cut = stencil.rank() - 1;
  // Pieces of a grid of one axis begin at any cell, and lists of points have coordinates.
  if (cut == 0 || !stencil.points.empty() || stencil.colors.count() != 0) return true;
  if (ends_show(stencil)) return true;
  for (const ir::Field& field : stencil.fields)
    for (const ir::Side& side : field.boundary.sides[static_cast<size_t>(cut)])
      if (side.edge == ir::Edge::ghost) return true;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) {
    if (const auto* at = ir::as<ir::Coordinate>(node); at && at->axis == cut) return true;
    if (const auto* all = ir::as<ir::Extent>(node); all && all->axis == cut) return true;
  }
  const auto limited = [&](const ir::Domain& domain) {
    return std::any_of(domain.limits.begin(), domain.limits.end(),
                       [&](const ir::Limit& limit) { return limit.axis == cut; });
  };
  return std::any_of(stencil.updates.begin(), stencil.updates.end(),
                     [&](const ir::Update& update) {
                       return std::any_of(update.cases.begin(), update.cases.end(),
                                          [&](const ir::Case& one) { return limited(one.domain); });
                     }) ||
         std::any_of(stencil.reductions.begin(), stencil.reductions.end(),
                     [&](const ir::Reduction& one) { return limited(one.domain); });
}

}  // namespace stencilc::plan
