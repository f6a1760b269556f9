#include "plan/search/alternatives.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "plan/search/choose.h"
#include "plan/search/spatial_shapes.h"
#include "plan/search/temporal_shapes.h"
#include "plan/words/decision_words.h"

namespace stencilc::plan {
namespace {

// Launches of several steps are of the same kind if they take the same number of steps.
using Kind = std::tuple<bool, Shared, bool, bool, int, Taps, int>;
Kind kind_of(const Schedule& one) {
  if (one.steps > 1) return {false, Shared::none, false, false, 0, Taps::terms, one.steps};
  return {one.preset == "naive", one.shared, one.lanes, one.scatter, one.vector, one.taps, 1};
}

// Schedules without spills first, then the faster ones.
std::pair<bool, double> order_of(const Forecast& one) {
  return {one.rate > 0 && !one.spills, one.rate > 0 ? 1 / one.seconds() : 0};
}

}  // namespace

std::vector<Alternative> alternatives(const ir::Stencil& stencil, const Schedule& taken,
                                      const Device& device, const std::array<int64_t, 3>& extents,
                                      KernelSizes sizes) {
  const int rank = stencil.rank();
  Survey survey(stencil, std::move(sizes));
  std::vector<Schedule> all = {naive(rank)};
  if (rank > 1) all.push_back(columns(rank));
  if (stencil.colors.count() == 0) {
    if (rank > 1) {
      const std::vector<Schedule> more = shapes(reads_of(stencil), rank, device);
      all.insert(all.end(), more.begin(), more.end());
    }
    if (rank == 3) {
      const std::vector<Schedule> lanes = shapes_of_lanes(reads_of(stencil));
      all.insert(all.end(), lanes.begin(), lanes.end());
    }
    const std::vector<Schedule> deep = deep_shapes(survey, device, extents);
    all.insert(all.end(), deep.begin(), deep.end());
  }
  std::map<Kind, Alternative> best;
  for (size_t n = 1; n < all.size(); ++n) all[n].preset = "coarsened";
  for (Schedule& one : all) {
    if (kind_of(one) == kind_of(taken)) continue;
    if (one.steps == 1) one.fusion = taken.fusion;
    Forecast forecast = plan::forecast(survey, one, device, extents);
    if (forecast.launches.empty()) continue;
    const auto [other, first] = best.try_emplace(kind_of(one), Alternative{one, forecast});
    if (!first && order_of(forecast) > order_of(other->second.forecast))
      other->second = {one, std::move(forecast)};
  }
  std::vector<Alternative> result;
  for (auto& [kind, one] : best) {
    if (survey.makes_kernels() && one.schedule.steps == 1) {
      survey.kernel_sizes(one.schedule);
      one.forecast = plan::forecast(survey, one.schedule, device, extents);
    }
    result.push_back(std::move(one));
  }
  std::stable_sort(result.begin(), result.end(), [](const Alternative& a, const Alternative& b) {
    return order_of(a.forecast) > order_of(b.forecast);
  });
  return result;
}

std::vector<std::string> not_modelled(const Device& device, const ir::Stencil& stencil) {
  const int rank = stencil.rank();
  std::vector<std::string> parts;
  if (rank < 3) parts.push_back("sides=lanes");
  const bool tiles =
      stencil.colors.count() == 0 && weighs_tiles(reads_of(stencil), rank, device.box_copies);
  for (const Shared shared : {Shared::loads, Shared::async, Shared::boxes}) {
    if ((shared == Shared::async && !device.async_copies) ||
        (tiles && shared == tile_of_loops(device)))
      continue;
    if (shared == Shared::boxes && (!device.box_copies || rank == 3)) continue;
    parts.push_back("shared=" + name(shared));
  }
  if (rank > 1) parts.push_back("ends=peeled");
  parts.push_back("loads=texture");
  return parts;
}

}  // namespace stencilc::plan
