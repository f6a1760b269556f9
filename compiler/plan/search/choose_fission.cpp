#include "plan/search/choose_fission.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "plan/analysis/footprint.h"
#include "plan/model/one_step.h"
#include "plan/schedule/fission.h"
#include "plan/search/choose.h"
#include "plan/search/choose_blocks.h"
#include "plan/search/choose_launches.h"

namespace stencilc::plan {
namespace {

// The least predicted gain (bench/notes/one-step.md, "Launches that are split"), and how many times
// as fast as the step takes a copy has to move the bytes.
constexpr double kGainOfSplit = 1.05, kGainOfCopy = 1.1;
// Shapes of single launches make the step at most so many times as fast, and statements that share
// launches again make it at most so many times.
constexpr double kGainOfShapes = 1.3, kGainOfJoining = 2;

// Splits the launches of a step.
class Splitting {
 public:
  Splitting(const ir::Stencil& stencil, const Schedule& whole, const Device& device,
            const std::array<int64_t, 3>& extents, const SizesOf& sizes)
      : stencil_(stencil), device_(device), extents_(extents), sizes_(sizes) {
    // Temporaries have no maps.
    if (!whole.setup.empty() || !whole.global.empty()) device_.box_copies = false;
    placed_ = prepared(stencil, whole);
    buffers_ = stages(placed_, whole.fusion, whole.has_whole_warps()).buffers;
    base_ = whole;
    base_.others.clear();
    if (!whole.has_tiles() && whole.stream_values.empty()) return;
    Survey survey(placed_, [&](const Schedule& one) { return sizes_(placed_, one); });
    base_ = with_blocks(survey, naive(placed_.rank()));
    base_.early = whole.early;
    base_.setup = whole.setup;
    base_.global = whole.global;
  }

  // The time of a step; HUGE_VAL: a kernel cannot run, or split launches spill, or need a buffer
  // that launches did not need before.
  double seconds(const Schedule& schedule) const {
    const ir::Stencil split = with_fission(placed_, schedule.fission);
    Survey survey(split, [&](const Schedule& one) { return sizes_(split, one); });
    const std::vector<int>& buffers = survey.stages(schedule).buffers;
    for (size_t f = 0; f < buffers.size(); ++f)
      if (buffers[f] > buffers_[f]) return HUGE_VAL;
    survey.kernel_sizes(schedule);
    const Forecast seen = forecast(survey, schedule, device_, extents_);
    const bool spills = seen.spills && !schedule.fission.empty();
    return seen.rate == 0 || spills ? HUGE_VAL : seen.seconds();
  }

  // All statements but the first of each launch.
  std::vector<std::string> statements() const {
    Survey survey(placed_);
    std::vector<std::string> names;
    for (const Launch& launch : survey.stages(base_).launches)
      for (size_t s = 1; s < launch.stores.size(); ++s)
        names.push_back(placed_.fields[placed_.updates[launch.stores[s].update].field].name);
    return names;
  }

  Schedule with(std::vector<std::string> names) const {
    Schedule schedule = base_;
    schedule.fission = std::move(names);
    return schedule;
  }
  Schedule with_shapes(const Schedule& schedule) const {
    return with_own_shapes(stencil_, schedule, device_, extents_, sizes_);
  }

  // The time in which a copy moves what the launches have to read and store.
  double least_seconds(const Schedule& schedule) const {
    const ir::Stencil split = with_fission(placed_, schedule.fission);
    Survey survey(split);
    const Card& card = card_for(device_);
    const double copied = card.copy ? *card.copy : card.bandwidth.value_or(0);
    double bytes = 0;
    for (const Launch& launch : survey.stages(schedule).launches) {
      if (launch.stores.empty()) continue;
      const Footprint one = footprint_of(survey.reads(launch), naive(split.rank()), split.rank());
      bytes += one.compulsory + one.stored;
    }
    double cells = 1;
    for (const int64_t extent : extents_) cells *= static_cast<double>(extent);
    return copied == 0 ? 0 : bytes * cells / (copied * 1e9);
  }

 private:
  const ir::Stencil& stencil_;
  Device device_;
  const std::array<int64_t, 3>& extents_;
  const SizesOf& sizes_;
  ir::Stencil placed_;  // with values in memory, before launches are split
  std::vector<int> buffers_;
  Schedule base_;
};

std::string two_digits_of(double number) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.2f", number);
  return text.data();
}

}  // namespace

Schedule with_split_launches(const ir::Stencil& stencil, Schedule schedule, const Device& device,
                             const std::array<int64_t, 3>& extents, const SizesOf& sizes) {
  if (schedule.steps > 1 || stencil.colors.count() != 0) return schedule;
  const Splitting splitting(stencil, schedule, device, extents, sizes);
  const std::vector<std::string> all = splitting.statements();
  if (all.empty()) return schedule;
  const double before = splitting.seconds(schedule);
  Schedule best = splitting.with(all);
  if (splitting.least_seconds(best) * kGainOfCopy >= before) return schedule;
  double least = splitting.seconds(best);
  if (least > before * kGainOfJoining) return schedule;
  for (const std::string& name : all) {
    if (best.fission.size() < 2) break;
    Schedule joined = best;
    std::erase(joined.fission, name);
    const double time = splitting.seconds(joined);
    if (time > least) continue;
    best = std::move(joined);
    least = time;
  }
  if (!(least < before * kGainOfShapes)) return schedule;
  best = splitting.with_shapes(best);
  least = splitting.seconds(best);
  if (!(least * kGainOfSplit < before)) return schedule;
  best.reason += "; launches are split, which is predicted to make a step " +
                 two_digits_of(before / least) + " times as fast";
  return best;
}

}  // namespace stencilc::plan
