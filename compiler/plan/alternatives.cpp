#include "plan/alternatives.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "plan/choose.h"
#include "plan/space.h"

namespace stencilc::plan {
namespace {

using Kind = std::tuple<bool, Shared, bool, int, Taps>;
Kind kind_of(const Schedule& one) {
  return {one.preset == "naive", one.shared, one.scatter, one.vector, one.taps};
}

}  // namespace

std::vector<Alternative> alternatives(const ir::Stencil& stencil, const Schedule& taken,
                                      const Device& device) {
  const int rank = stencil.rank();
  std::vector<Schedule> all = {naive(rank)};
  if (rank > 1) all.push_back(columns(rank));
  if (rank > 1 && stencil.colors.count() == 0) {
    const std::vector<Schedule> more = shapes(reads_of(stencil), rank, device);
    all.insert(all.end(), more.begin(), more.end());
  }
  std::map<Kind, Alternative> best;
  for (size_t n = 1; n < all.size(); ++n) all[n].preset = "coarsened";
  for (Schedule& one : all) {
    if (kind_of(one) == kind_of(taken)) continue;
    one.stages = taken.stages;
    Forecast forecast = plan::forecast(stencil, one, device, usual_extents(rank));
    if (forecast.rate == 0 || forecast.spills) continue;
    Alternative& other = best[kind_of(one)];
    if (forecast.rate > other.forecast.rate) other = {one, std::move(forecast)};
  }
  std::vector<Alternative> result;
  for (auto& [kind, one] : best) result.push_back(std::move(one));
  std::stable_sort(result.begin(), result.end(), [](const Alternative& a, const Alternative& b) {
    return a.forecast.rate > b.forecast.rate;
  });
  return result;
}

}  // namespace stencilc::plan
