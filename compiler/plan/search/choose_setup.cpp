#include "plan/search/choose_setup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/work.h"
#include "plan/model/one_step.h"
#include "plan/schedule/setup_values.h"
#include "plan/schedule/value_placement.h"
#include "plan/search/choose.h"

namespace stencilc::plan {
namespace {

// The steps of a run, over which the time of its set-up is spread.
constexpr int kStepsOfRun = 100;
// The least predicted gain: set-up values take memory.
constexpr double kGainOfSetup = 1.05, kGainOfForm = 1.03, kGainOfSteps = 1.7;
// Kernels that spill are taken to last so many times as long as predicted.
constexpr double kOfSpills = 2;
// The least instructions that reading a value saves a cell, if it has no root, division or
// function, which count as ten.
constexpr int64_t kWorthReading = 10;
// The same for each byte that a step then reads more.
constexpr int64_t kOfByte = 8;

using NamesOfSetup = std::vector<std::string>;

// The values that take long enough to be read instead, and that may be in memory together: the ones
// with most work come first.
NamesOfSetup worth_setting_up(const ir::Stencil& stencil, const MayKeep& may_keep) {
  const std::vector<std::string> all = all_setups(stencil);
  std::vector<std::pair<int64_t, std::string>> found;
  for (const SetupValue& value : setup_values(stencil)) {
    const int64_t work = ir::instructions_of({value.expr}).weighted();
    if (work < kWorthReading || std::ranges::find(all, value.name) == all.end()) continue;
    found.emplace_back(-work, value.name);
  }
  std::ranges::stable_sort(found, {}, &std::pair<int64_t, std::string>::first);
  std::vector<std::string> names;
  for (const auto& [work, name] : found) {
    if (std::ranges::find(names, name) != names.end()) continue;
    names.push_back(name);
    if (may_keep && !may_keep(with_setup(stencil, names))) names.pop_back();
  }
  return names;
}

// Those, and fewer: without values that make a step read more bytes than they are worth, or that
// make it read more at all.
std::vector<NamesOfSetup> sets_of(const ir::Stencil& stencil, const MayKeep& may_keep) {
  std::vector<NamesOfSetup> sets = {worth_setting_up(stencil, may_keep)};
  std::map<std::string, int64_t> work;
  for (const SetupValue& value : setup_values(stencil))
    work[value.name] += ir::instructions_of({value.expr}).weighted();
  for (const bool free : {false, true}) {
    NamesOfSetup some;
    int read = ir::compulsory_traffic(stencil).read;
    for (const std::string& name : sets[0]) {
      some.push_back(name);
      const int then = ir::compulsory_traffic(with_setup(stencil, some)).read;
      if (then - read > 0 && (free || work[name] < kOfByte * (then - read)))
        some.pop_back();
      else
        read = then;
    }
    if (std::ranges::find(sets, some) == sets.end()) sets.push_back(some);
  }
  std::erase_if(sets, [](const NamesOfSetup& names) { return names.empty(); });
  return sets;
}

// The time of a step of a stencil that has its set-up values.
double time_of_step(const ir::Stencil& stencil, const Schedule& schedule, const Device& device,
                    const std::array<int64_t, 3>& extents, const SizesOf& sizes) {
  const ir::Stencil placed = with_global(stencil, schedule.global);
  Survey survey(placed, [&](const Schedule& one) { return sizes(placed, one); });
  if (schedule.steps == 1) survey.kernel_sizes(schedule);
  const Forecast seen = forecast(survey, schedule, device, extents);
  // Kernels with values in tiles or along streams are made of parts, of which the estimate of
  // registers takes too many.
  const bool spills = seen.spills && !schedule.has_tiles() && schedule.stream_values.empty();
  return seen.rate == 0 ? HUGE_VAL : seen.seconds() * (spills ? kOfSpills : 1);
}

double time_of_setup(const ir::Stencil& placed, const Device& device,
                     const std::array<int64_t, 3>& extents) {
  const Forecast seen = forecast(setup_step(placed), naive(placed.rank()), device, extents);
  return seen.rate == 0 ? 0 : seen.seconds();
}

// The least predicted gain. Predictions of different forms of kernels are less precise beside each
// other than those of one form, and least so between one step a launch and several
// (bench/notes/model.md).
double least_gain_of_setup(const Schedule& before, const Schedule& after) {
  if (before.steps != after.steps) return kGainOfSteps;
  return before.preset == after.preset && before.vector == after.vector ? kGainOfSetup
                                                                        : kGainOfForm;
}

std::string two_digits(double number) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.2f", number);
  return text.data();
}

}  // namespace

Schedules choose_with_setup(const ir::Stencil& stencil, Target target, int optimisation,
                            const Device& device, const std::array<int64_t, 3>& extents,
                            const SizesOf& sizes, const MayKeep& may_keep) {
  Schedules own =
      choose_with_values(stencil, target, optimisation, device, extents, sizes, may_keep);
  if (target != Target::cuda || optimisation == 0) return own;
  const std::vector<NamesOfSetup> sets = sets_of(stencil, may_keep);
  if (sets.empty()) return own;
  Device without_maps = device;  // temporaries have none
  without_maps.box_copies = false;
  const double before = time_of_step(stencil, own.schedule, device, extents, sizes);
  const Schedule plain = own.schedule;
  double least = before / kGainOfSetup;
  for (const NamesOfSetup& names : sets) {
    const ir::Stencil placed = with_setup(stencil, names);
    Schedules other =
        choose_with_values(placed, target, optimisation, without_maps, extents, sizes, may_keep);
    const double after = time_of_step(placed, other.schedule, without_maps, extents, sizes) +
                         time_of_setup(placed, device, extents) / kStepsOfRun;
    if (!(after < std::min(least, before / least_gain_of_setup(plain, other.schedule)))) continue;
    least = after;
    own = std::move(other);
    own.schedule.setup = names;
    for (Schedule& smaller : own.smaller) smaller.setup = names;
    if (before < HUGE_VAL)
      own.schedule.reason +=
          "; what no step changes is set up before the first one, which is predicted to make runs "
          "of " +
          std::to_string(kStepsOfRun) + " steps " + two_digits(before / after) + " times as fast";
  }
  return own;
}

}  // namespace stencilc::plan
