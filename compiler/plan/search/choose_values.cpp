#include "plan/search/choose_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "plan/model/one_step.h"
#include "plan/schedule/value_placement.h"
#include "plan/search/choose_blocks.h"
#include "plan/search/choose_stages.h"
#include "plan/search/choose_streams.h"
#include "plan/search/choose_tiles.h"

namespace stencilc::plan {
namespace {

using Names = std::vector<std::string>;

// The least predicted gain over a step without global values, which gain more than predicted; but
// with threads of one cell a single value does not (bench/notes/one-step.md, "Launch values").
constexpr double kGain = 0.97, kGainOfOne = 1.05;
// And where threads of one side compute several cells: those gain less beside one cell a thread,
// and more in 3-D.
constexpr double kSeveralCells = 1.05, kSeveralInSpace = 0.95;
// The least predicted gain of values in tiles beside others in memory.
constexpr double kGainBeside = 1.05;
// Without global values kernels in the order of neighbours may have so many times the operations.
constexpr double kAsMuch = 1.25;
// Kernels that spill are taken to last so many times as long as predicted.
constexpr double kSpills = 2;
// Values beyond these are not considered.
constexpr size_t kMostValues = 64;
// How many sets of values are compared by the schedules that they allow: those with which threads
// of one cell take at most so many times as long as with the best one.
constexpr size_t kSets = 3;
constexpr double kNearlyAsFast = 1.1;
// The least predicted gain over the set with which threads of one cell are fastest.
constexpr double kGainOfOther = 1.1;
// And in tiles, where they take the place of another form.
constexpr double kGainOfOtherTile = 1.2;
// So few are also left out one by one.
constexpr size_t kFew = 12;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Placement {
 public:
  Placement(const ir::Stencil& stencil, Device device, const std::array<int64_t, 3>& extents,
            const SizesOf& sizes, const MayKeep& may_keep)
      : stencil_(stencil),
        device_(std::move(device)),
        extents_(extents),
        sizes_(sizes),
        may_keep_(may_keep),
        values_(values_in(stencil)) {
    device_.box_copies = false;  // temporaries have no maps
  }

  // The sets of names with which threads of one cell are predicted to be fastest, the best one
  // first: threads of several cells may be faster with another. None: no value gains.
  std::vector<Names> best() const {
    const std::vector<Names> groups = candidates();
    std::vector<std::pair<double, Names>> tried;
    Names best;
    double least = HUGE_VAL;
    const auto take_if_less = [&](const Names& names) {
      const double time = estimate(names);
      tried.emplace_back(time, names);
      if (time >= least) return;
      least = time;
      best = names;
    };
    Names first;
    for (const Names& group : groups) {
      first.insert(first.end(), group.begin(), group.end());
      take_if_less(first);
    }
    const auto try_without = [&](const Names& some) {
      Names fewer = best;
      std::erase_if(fewer, [&](const std::string& name) { return contains(some, name); });
      if (!fewer.empty() && fewer.size() < best.size()) take_if_less(fewer);
    };
    for (size_t n = groups.size(); n-- > 0;) try_without(groups[n]);
    if (best.size() <= kFew)
      for (const std::string& name : Names(best)) try_without({name});
    std::ranges::stable_sort(tried, {}, &std::pair<double, Names>::first);
    std::vector<Names> sets;
    for (const auto& [time, names] : tried)
      if (time < HUGE_VAL && time <= kNearlyAsFast * least && sets.size() < kSets)
        sets.push_back(names);
    return sets;
  }

  // The schedule with these values, and its time.
  std::pair<Schedule, double> chosen(const Names& names) const {
    const ir::Stencil placed = with_global(stencil_, values_, names);
    Schedule schedule = choose(placed, Target::cuda, 2, device_, extents_, sizes_of(placed, names));
    Survey survey(placed, sizes_of(placed, names));
    survey.kernel_sizes(schedule);
    const double time = seconds(survey, schedule);
    schedule.global = names;
    return {std::move(schedule), time};
  }

  double seconds(Survey& survey, const Schedule& schedule) const {
    const Forecast seen = forecast(survey, schedule, device_, extents_);
    return seen.rate == 0 ? HUGE_VAL : seen.seconds() * (seen.spills ? kSpills : 1);
  }

  // Of a thread of each kernel.
  double operations(const Schedule& schedule) const {
    const ir::Stencil placed = with_global(stencil_, values_, schedule.global);
    double sum = 0;
    for (const KernelSize& size : sizes_of(placed, schedule.global)(schedule))
      sum += size.operations;
    return sum;
  }

  // The schedule with statements in the order of neighbours, where that gains, and its time.
  std::optional<Timed> by_neighbours(const Schedule& written) const {
    const ir::Stencil placed = with_global(stencil_, values_, written.global);
    Survey survey(placed, sizes_of(placed, written.global));
    Schedule schedule = with_order(survey, written);
    if (!schedule.by_neighbours) return {};
    schedule.registers = 0;
    schedule.edge_cells = false;
    schedule = with_edges(survey, with_blocks(survey, schedule), device_, extents_);
    survey.kernel_sizes(schedule);
    return Timed{schedule, seconds(survey, schedule)};
  }

  // The schedule with values in tiles that the launches of one cell a thread compute several times,
  // beside those in memory, and its time.
  std::optional<Timed> with_tiles_beside(const Schedule& kept) const {
    constexpr size_t kGroups = 4;
    if (kept.global.empty() || kept.preset != "naive") return {};
    const ir::Stencil placed = with_global(stencil_, values_, kept.global);
    Survey survey(placed, sizes_of(placed, kept.global));
    const auto time = [&](const Schedule& schedule) {
      survey.kernel_sizes(schedule);
      return seconds(survey, schedule);
    };
    std::optional<Timed> best;
    Names inner;
    size_t tried = 0;
    for (const Names& group : groups_of(placed)) {
      if (tried++ == kGroups) break;
      Names more = inner;
      more.insert(more.end(), group.begin(), group.end());
      const std::optional<Timed> tiles =
          with_tiles_beside_memory(survey, more, device_, kept.early, time);
      if (!tiles || (best && tiles->seconds >= best->seconds)) continue;
      best = tiles;
      inner = std::move(more);
    }
    if (best) best->schedule.global = kept.global;
    return best;
  }

  // Of the stencil that keeps these values.
  KernelSizes sizes_of(const ir::Stencil& stencil, const Names& names) const {
    return [this, &stencil, names](const Schedule& schedule) {
      const auto [place, fresh] = known_.try_emplace({names, shape_of_thread(schedule)});
      if (fresh) place->second = sizes_(stencil, schedule);
      return place->second;
    };
  }

 private:
  // The values that several cells read. Each is the one that saves most work if those before it are
  // kept. Those that save the same stand in one group, since they mostly do the same along another
  // axis or for another field. Those that do not fit into memory with the ones before are left out.
  std::vector<Names> candidates() const {
    std::vector<Names> groups;
    Names names;
    int64_t last = 0;
    ir::Stencil placed = stencil_;
    std::set<std::string> too_large;
    while (names.size() < kMostValues) {
      const auto [saved, name] = most_saving(placed, too_large);
      if (saved == 0) break;
      names.push_back(name);
      ir::Stencil next = with_global(stencil_, values_, names);
      if (may_keep_ && !may_keep_(next)) {
        names.pop_back();
        too_large.insert(name);
        continue;
      }
      placed = std::move(next);
      if (saved != last) groups.emplace_back();
      groups.back().push_back(name);
      last = saved;
    }
    return groups;
  }

  // Those that the stencil computes several times, by what one of them saves.
  static std::vector<Names> groups_of(const ir::Stencil& stencil) {
    std::map<int64_t, Names, std::greater<>> groups;
    for (const Value& value : values_in(stencil)) {
      const int64_t once = ir::instructions_of({value.expr}).weighted();
      const int64_t saved = once * (static_cast<int64_t>(value.offsets.size()) - 1);
      if (value.problem.empty() && saved > 0) groups[saved].push_back(value.name);
    }
    std::vector<Names> result;
    for (auto& [saved, names] : groups) {
      result.push_back(std::move(names));
    }
    return result;
  }

  // The instructions that are saved if a value is computed once and not for each offset at which it
  // is read, and the value that saves most of those that are not left out.
  static std::pair<int64_t, std::string> most_saving(const ir::Stencil& stencil,
                                                     const std::set<std::string>& left_out) {
    std::pair<int64_t, std::string> best;
    for (const Value& value : values_in(stencil)) {
      if (!value.problem.empty() || value.offsets.size() < 2 || left_out.count(value.name))
        continue;
      const int64_t once = ir::instructions_of({value.expr}).weighted();
      const int64_t saved = once * (static_cast<int64_t>(value.offsets.size()) - 1);
      if (saved > best.first) best = {saved, value.name};
    }
    return best;
  }

  // The time of a step with one cell per thread.
  double estimate(const Names& names) const {
    const ir::Stencil placed = with_global(stencil_, values_, names);
    Survey survey(placed, sizes_of(placed, names));
    const Schedule one = with_blocks(survey, naive(placed.rank()));
    survey.kernel_sizes(one);
    return seconds(survey, one);
  }

  const ir::Stencil& stencil_;
  Device device_;
  const std::array<int64_t, 3>& extents_;
  const SizesOf& sizes_;
  const MayKeep& may_keep_;
  const std::vector<Value> values_;
  mutable std::map<std::pair<Names, ShapeOfThread>, std::vector<KernelSize>> known_;
};

}  // namespace

Schedules choose_with_values(const ir::Stencil& stencil, Target target, int optimisation,
                             const Device& device, const std::array<int64_t, 3>& extents,
                             const SizesOf& sizes, const MayKeep& may_keep) {
  const Placement placement(stencil, device, extents, sizes, may_keep);
  Schedules own =
      choose_all(stencil, target, optimisation, device, extents, placement.sizes_of(stencil, {}));
  if (target != Target::cuda || optimisation == 0) return own;
  const Schedule without_values = own.schedule;
  Survey survey(stencil, placement.sizes_of(stencil, {}));
  if (own.schedule.steps == 1) survey.kernel_sizes(own.schedule);
  const auto weight = [&](const Schedule& one) {
    if (one.steps > 1 || one.vector * one.rows * one.coarsen == 1) return 1.0;
    return stencil.rank() == 3 ? kSeveralInSpace : kSeveralCells;
  };
  double least = placement.seconds(survey, own.schedule) * weight(own.schedule);
  const std::optional<Schedule> fewer = with_fewer_launches(survey, own.schedule);
  const auto forecast_of = [&](const Schedule& one) {
    return forecast(survey, one, device, extents);
  };
  const double gain_of_fewer =
      fewer ? least_gain_of_fewer(forecast_of(*fewer), forecast_of(own.schedule)) : 1;
  const std::vector<Names> sets = placement.best();
  std::optional<Timed> kept;
  for (const Names& names : sets) {
    auto [schedule, time] = placement.chosen(names);
    time *= weight(schedule);
    if (!kept || time * kGainOfOther < kept->seconds) kept = Timed{std::move(schedule), time};
  }
  if (kept) {
    const bool alone = kept->schedule.global.size() == 1 && weight(kept->schedule) == 1;
    if (kept->seconds * (alone ? kGainOfOne : kGain) < least) {
      own = kept->schedule;
      least = kept->seconds;
    }
  }
  if (fewer && placement.seconds(survey, *fewer) * gain_of_fewer < least) {
    own = *fewer;
    least = placement.seconds(survey, own.schedule);
  }
  if (own.schedule.steps > 1) return own;
  // Kernels with tiles are made of parts, of which the estimate of registers takes too many. Which
  // values gain most in memory does not say which of them gain most in tiles; but the best of
  // several forecasts is too good to be compared to other forms.
  std::optional<Timed> tiles;
  for (const Names& names : sets) {
    const std::optional<Timed> other =
        with_tiles(survey, names, device, own.schedule.early, least, [&](const Schedule& schedule) {
          survey.kernel_sizes(schedule);
          const Forecast seen = forecast_of(schedule);
          return seen.rate == 0 ? HUGE_VAL : seen.seconds();
        });
    if (!other) continue;
    const double time = other->seconds * (&names == &sets.front() ? 1 : kGainOfOtherTile);
    if (!tiles)
      tiles = Timed{other->schedule, time};
    else if (other->seconds < tiles->seconds)
      tiles = Timed{other->schedule, std::min(time, tiles->seconds)};
  }
  const std::optional<Timed> beside = placement.with_tiles_beside(own.schedule);
  const std::optional<Timed> streams =
      with_streams(survey, own.schedule.early, [&](const Schedule& schedule) {
        survey.kernel_sizes(schedule);
        return forecast_of(schedule);
      });
  const bool tiled = tiles && tiles->seconds < least &&
                     !(beside && beside->seconds * kGainBeside < tiles->seconds);
  if (!tiled && beside && beside->seconds * kGainBeside < least) return beside->schedule;
  if (streams && streams->seconds < (tiled ? tiles->seconds : least)) return streams->schedule;
  if (tiled) return tiles->schedule;
  // How much the order of neighbours gains is not known well enough to be compared to tiles. It may
  // make values in memory needless that save little work.
  std::optional<Timed> ordered;
  if (!own.schedule.global.empty() &&
      placement.operations(without_values) <= kAsMuch * placement.operations(own.schedule))
    ordered = placement.by_neighbours(without_values);
  if (!ordered || ordered->seconds >= least) ordered = placement.by_neighbours(own.schedule);
  if (ordered) own.schedule = ordered->schedule;
  return own;
}

}  // namespace stencilc::plan
