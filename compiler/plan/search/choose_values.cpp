#include "plan/search/choose_values.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "plan/model/one_step.h"
#include "plan/schedule/value_placement.h"

namespace stencilc::plan {
namespace {

using Names = std::vector<std::string>;

// The least predicted gain over a step without global values.
constexpr double kGain = 1.2;
// Kernels that spill are taken to last so many times as long as predicted.
constexpr double kSpills = 2;
// So many of the values that save most are tried together.
constexpr size_t kCounts[] = {1, 2, 3, 4, 6, 8, 12, 16};

class Placement {
 public:
  Placement(const ir::Stencil& stencil, Device device, const std::array<int64_t, 3>& extents,
            const SizesOf& sizes, const MayKeep& may_keep)
      : stencil_(stencil),
        device_(std::move(device)),
        extents_(extents),
        sizes_(sizes),
        may_keep_(may_keep) {
    device_.box_copies = false;  // temporaries have no maps
  }

  // The names that are predicted to be best; none: no value gains.
  Names best() const {
    const Names all = candidates();
    Names best;
    double least = HUGE_VAL;
    const auto take_if_less = [&](const Names& names) {
      const double time = estimate(names);
      if (time >= least) return;
      least = time;
      best = names;
    };
    size_t tried = 0;
    for (const size_t count : kCounts) {
      if (tried == all.size()) break;
      tried = std::min(count, all.size());
      take_if_less(Names(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(tried)));
    }
    for (const std::string& name : Names(best)) {
      if (best.size() < 2) break;
      Names fewer = best;
      std::erase(fewer, name);
      take_if_less(fewer);
    }
    return best;
  }

  // The schedule with these values, and its time.
  std::pair<Schedule, double> chosen(const Names& names) const {
    const ir::Stencil placed = with_global(stencil_, names);
    Schedule schedule = choose(placed, Target::cuda, 2, device_, extents_, sizes_of(placed));
    Survey survey(placed, sizes_of(placed));
    survey.kernel_sizes(schedule);
    const double time = seconds(survey, schedule);
    schedule.global = names;
    return {std::move(schedule), time};
  }

  double seconds(Survey& survey, const Schedule& schedule) const {
    const Forecast seen = forecast(survey, schedule, device_, extents_);
    return seen.rate == 0 ? HUGE_VAL : seen.seconds() * (seen.spills ? kSpills : 1);
  }

  KernelSizes sizes_of(const ir::Stencil& stencil) const {
    return [this, &stencil](const Schedule& schedule) { return sizes_(stencil, schedule); };
  }

 private:
  // The values that several cells read, those first whose repeated work is most; as many as may be
  // in memory together.
  Names candidates() const {
    std::vector<std::pair<int64_t, std::string>> work;
    for (const Value& value : values_in(stencil_)) {
      if (!value.problem.empty() || value.offsets.size() < 2) continue;
      constexpr int kSlow = 10;  // instructions of a division or a function
      const ir::Instructions of = ir::instructions_of({value.expr});
      const int64_t once = of.f32 + of.f64 + of.integer + kSlow * (of.divisions + of.functions);
      work.emplace_back(-once * (static_cast<int64_t>(value.offsets.size()) - 1), value.name);
    }
    std::stable_sort(work.begin(), work.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Names names;
    for (const auto& [saved, name] : work) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      names.push_back(name);
      if (may_keep_ && !may_keep_(with_global(stencil_, names))) names.pop_back();
    }
    return names;
  }

  // The time of a step with one cell per thread.
  double estimate(const Names& names) const {
    const ir::Stencil placed = with_global(stencil_, names);
    Survey survey(placed, sizes_of(placed));
    const Schedule one = naive(placed.rank());
    survey.kernel_sizes(one);
    return seconds(survey, one);
  }

  const ir::Stencil& stencil_;
  Device device_;
  const std::array<int64_t, 3>& extents_;
  const SizesOf& sizes_;
  const MayKeep& may_keep_;
};

}  // namespace

Schedules choose_with_values(const ir::Stencil& stencil, Target target, int optimisation,
                             const Device& device, const std::array<int64_t, 3>& extents,
                             const SizesOf& sizes, const MayKeep& may_keep) {
  const Placement placement(stencil, device, extents, sizes, may_keep);
  Schedules own =
      choose_all(stencil, target, optimisation, device, extents, placement.sizes_of(stencil));
  if (target != Target::cuda || optimisation == 0) return own;
  const Names names = placement.best();
  if (names.empty()) return own;
  auto [schedule, time] = placement.chosen(names);
  Survey survey(stencil, placement.sizes_of(stencil));
  if (own.schedule.steps == 1) survey.kernel_sizes(own.schedule);
  if (time * kGain < placement.seconds(survey, own.schedule)) return schedule;
  return own;
}

}  // namespace stencilc::plan
