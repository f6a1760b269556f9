#include "plan/search/choose_launches.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "plan/model/one_step.h"
#include "plan/schedule/fission.h"
#include "plan/search/temporal_shapes.h"

namespace stencilc::plan {
namespace {

// The least predicted gain of a shape over that of the other launches, and of those in the plane
// and along a line. What was measured is in bench/notes/one-step.md, "Shapes of single launches".
constexpr double kGainOfOwn = 1.05, kGainInThePlane = 1.1;
// What the L2 holds is moved so fast that vectors gain less.
constexpr double kHeld = 1.15;
// Registers of a thread with vectors in the plane, by the estimate. Of more, launches lost.
constexpr double kMostRegisters = 150;

// The time of the launch, times what streams in space last longer by the measure of least_gain().
double weighted_seconds(Survey& of_launch, const Schedule& shape, const Device& device,
                        const std::array<int64_t, 3>& extents) {
  of_launch.kernel_sizes(shape);
  const Forecast seen = forecast(of_launch, shape, device, extents);
  if (seen.rate == 0) return HUGE_VAL;
  const bool weighs = shape.preset != "naive" && of_launch.stencil.rank() == 3;
  const double longer =
      weighs ? std::max(least_gain(of_launch, shape), is_held_by_l2(seen) ? kHeld : 0) : 1;
  return seen.seconds() * longer;
}

// Whether the launch is predicted to gain by a shape of several cells over that of the others.
bool gains(Survey& of_launch, const Schedule& own, const Schedule& others, const Device& device,
           const std::array<int64_t, 3>& extents) {
  const bool space = of_launch.stencil.rank() == 3;
  const std::vector<KernelSize>& sizes = of_launch.kernel_sizes(own);
  if (std::ranges::any_of(sizes, [&](const KernelSize& size) {
        return is_too_large(size, own, device) ||
               (!space && own.taps == Taps::terms && registers_of(size) > kMostRegisters);
      }))
    return false;
  return weighted_seconds(of_launch, own, device, extents) *
             (space ? kGainOfOwn : kGainInThePlane) <
         weighted_seconds(of_launch, others, device, extents);
}

// Shapes of one kind are too close to each other by prediction.
auto sort_of(const Schedule& shape) {
  return std::tuple(shape.preset == "naive", shape.vector, shape.coarsen > 1, shape.scatter,
                    shape.lanes, shape.taps, shape.shared, shape.edge_cells);
}

// The launches, each by the first field that it stores.
std::vector<std::string> names_of(const ir::Stencil& stencil, const Stages& stages) {
  std::vector<std::string> names;
  for (const Launch& launch : stages.launches)
    if (!launch.stores.empty())
      names.push_back(stencil.fields[stencil.updates[launch.stores[0].update].field].name);
  return names;
}

}  // namespace

Schedule with_own_shapes(const ir::Stencil& stencil, Schedule schedule, const Device& device,
                         const std::array<int64_t, 3>& extents, const SizesOf& sizes) {
  if (schedule.steps > 1 || schedule.fusion != Fusion::best || schedule.has_tiles() ||
      !schedule.stream_values.empty())
    return schedule;
  const ir::Stencil placed = prepared(stencil, schedule);
  Device own_device = device;
  if (!schedule.setup.empty() || !schedule.global.empty()) own_device.box_copies = false;
  Survey survey(placed, [&](const Schedule& one) { return sizes(placed, one); });
  const std::vector<std::string> names = names_of(placed, survey.stages(schedule));
  if (names.size() < 2) return schedule;
  // Streams in space are too short on small grids.
  const bool small = placed.steps() && is_small(extents);
  if (small && placed.rank() == 3) return schedule;
  std::vector<Schedule> others;
  for (const std::string& name : names) {
    Survey of_launch(survey, name);
    Schedule own = shape_of_one_step(of_launch, own_device, extents, small);
    if (own.preset == "naive" || sort_of(own) == sort_of(schedule) ||
        !gains(of_launch, own, schedule, own_device, extents))
      continue;
    own.of = name;
    others.push_back(std::move(own));
  }
  schedule.others = std::move(others);
  return schedule;
}

}  // namespace stencilc::plan
