#include "plan/tuning/neighbours.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "plan/schedule/fission.h"
#include "plan/schedule/streamed_values.h"
#include "plan/search/choose.h"
#include "plan/syntax/parse_schedule.h"
#include "plan/syntax/print_schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

using Shapes = std::vector<Schedule>;

// The schedule with one field set to each of these values.
template <class Field>
void with(const Schedule& schedule, Field Schedule::*field, const std::vector<Field>& values,
          Shapes& list) {
  for (const Field& value : values) {
    list.push_back(schedule);
    list.back().*field = value;
  }
}

std::vector<int> halved_and_doubled(int count) { return {2 * count, count / 2}; }

// More and fewer threads along each axis, and the same number divided differently.
void other_threads(const Schedule& schedule, int rank, Shapes& list) {
  for (int a = 0; a < rank; ++a) {
    for (const int count : halved_and_doubled(schedule.threads[a])) {
      Schedule other = schedule;
      other.threads[a] = count;
      list.push_back(other);
      for (int b = 0; b < rank; ++b) {
        if (b == a || count > schedule.threads[a]) continue;
        list.push_back(other);
        list.back().threads[b] *= 2;
      }
    }
  }
}

// Other counts along the streamed axis, and the same count along another axis.
void other_columns(const Schedule& schedule, int rank, Shapes& list) {
  with(schedule, &Schedule::coarsen, halved_and_doubled(schedule.coarsen), list);
  with(schedule, &Schedule::coarsen, {schedule.coarsen + schedule.coarsen / 2}, list);
  const int below = static_cast<int>(std::bit_floor(static_cast<unsigned>(schedule.coarsen)));
  if (below != schedule.coarsen) with(schedule, &Schedule::coarsen, {below, 2 * below}, list);
  for (int a = 0; a < rank; ++a)
    if (a != schedule.coarsen_axis) with(schedule, &Schedule::coarsen_axis, {a}, list);
}

// Resident blocks: one more or fewer; if none is set, as many as leave a thread 128 and 64
// registers.
void other_residents(const Schedule& schedule, const Device& device, Shapes& list) {
  if (schedule.resident > 0) {
    with(schedule, &Schedule::resident, {0, schedule.resident - 1, schedule.resident + 1}, list);
    return;
  }
  const int threads = schedule.block_threads();
  for (const int registers : {128, 64})
    with(schedule, &Schedule::resident, {device.registers / registers / threads}, list);
}

// One cell per thread: other limits of registers, so that one block of 128 threads more or fewer
// fits on a multiprocessor, and the cells near the boundary with the others or apart.
void other_cells(const Schedule& schedule, int rank, Shapes& list) {
  with(schedule, &Schedule::registers, {0, 64, 80, 96, 128, 168}, list);
  if (rank > 1) with(schedule, &Schedule::edge_cells, {!schedule.edge_cells}, list);
  with(schedule, &Schedule::by_neighbours, {!schedule.by_neighbours}, list);
}

Shapes changes(const Schedule& schedule, int rank, const Device& device) {
  Shapes list;
  if (schedule.fusion == Fusion::best)
    with(schedule, &Schedule::fusion, {Fusion::split, Fusion::recompute}, list);
  else
    with(schedule, &Schedule::fusion, {Fusion::best}, list);
  if (schedule.preset != "loops") {
    other_threads(schedule, rank, list);
    other_residents(schedule, device, list);
    with(schedule, &Schedule::loads, {Loads::plain, Loads::texture}, list);
    if (rank == 3 && schedule.steps == 1) with(schedule, &Schedule::swizzle, {0, 32, 64}, list);
    if (schedule.preset == "naive") other_cells(schedule, rank, list);
  }
  if (schedule.preset == "coarsened") {
    with(schedule, &Schedule::vector, halved_and_doubled(schedule.vector), list);
    other_columns(schedule, rank, list);
    with(schedule, &Schedule::scatter, {!schedule.scatter}, list);
    with(schedule, &Schedule::lanes, {!schedule.lanes}, list);
    with(schedule, &Schedule::peeled, {!schedule.peeled}, list);
    if (rank == 3 && schedule.steps == 1)
      with(schedule, &Schedule::registers, {0, 96, 128, 168}, list);
  }
  if (schedule.preset == "coarsened" && rank < 3)
    with(schedule, &Schedule::taps, {Taps::terms, Taps::unrolled, Taps::rolled}, list);
  if (schedule.preset == "coarsened" && rank > 1)
    with(schedule, &Schedule::rows, halved_and_doubled(schedule.rows), list);
  if (schedule.preset == "coarsened" && rank == 2 && schedule.rows > 1)
    with(schedule, &Schedule::rows, {schedule.rows + 1, schedule.rows - 1}, list);
  if (schedule.preset == "coarsened") {
    with(schedule, &Schedule::shared, {Shared::none, Shared::loads, Shared::async, Shared::boxes},
         list);
  }
  if (schedule.steps > 1) {
    const int steps = schedule.steps;
    with(schedule, &Schedule::steps, {steps - 2, steps - 1, steps + 1, steps + 2}, list);
    with(schedule, &Schedule::ahead, {schedule.ahead + 1, schedule.ahead - 1}, list);
  }
  if (schedule.shared != Shared::none) {
    with(schedule, &Schedule::ahead, {schedule.ahead + 1, schedule.ahead - 1}, list);
    with(schedule, &Schedule::fill, {Filling::together, Filling::split, Filling::producers}, list);
  }
  return list;
}

// Launches split everywhere and nowhere, and at one statement more or fewer.
void other_fissions(const Schedule& schedule, const ir::Stencil& stencil, Shapes& list) {
  if (schedule.steps > 1 || schedule.preset == "loops") return;
  Schedule joined = schedule;
  joined.fission.clear();
  const std::vector<std::string> all = separable(prepared(stencil, joined));
  if (all.empty()) return;
  std::vector<std::vector<std::string>> sets = {all, {}};
  const auto splits = [&](const std::string& name) {
    return std::ranges::find(schedule.fission, name) != schedule.fission.end();
  };
  for (const std::string& changed : all) {
    sets.emplace_back();
    std::ranges::copy_if(all, std::back_inserter(sets.back()), [&](const std::string& name) {
      return splits(name) != (name == changed);
    });
  }
  with(schedule, &Schedule::fission, sets, list);
}

// Changes to the shape of one launch of a step that has several.
void other_launches(const Schedule& schedule, const ir::Stencil& stencil, const Device& device,
                    Shapes& list) {
  if (schedule.preset == "loops" || schedule.steps > 1) return;
  const ir::Stencil placed = prepared(stencil, schedule);
  Survey survey(placed);
  std::vector<Launch> launches = survey.stages(schedule).launches;
  std::erase_if(launches, [](const Launch& launch) { return launch.stores.empty(); });
  if (launches.size() < 2) return;
  const std::vector<std::string> fields = streamable_fields(placed);
  for (const Launch& launch : launches) {
    if (launch.along_stream) continue;  // has the shape of the step
    Schedule others = schedule;         // without a shape of this launch
    std::erase_if(others.others,
                  [&](const Schedule& one) { return launch.stores_field(placed, one.of); });
    if (others.others.size() < schedule.others.size()) list.push_back(others);
    const std::string& name = placed.fields[placed.updates[launch.stores[0].update].field].name;
    const Schedule own = schedule.of_launch(placed, launch);
    Shapes shapes = changes(own, stencil.rank(), device);
    Survey of_launch(survey, name);
    shapes.push_back(naive(stencil.rank()));
    shapes.push_back(columns(stencil.rank()));
    shapes.push_back(coarsened(of_launch, device));
    for (Schedule& one : shapes) {
      if (one.fusion != own.fusion) continue;
      one.of = name;
      std::erase_if(one.stream_values, [&](const std::string& value) {
        return std::ranges::find(fields, value) != fields.end();
      });
      list.push_back(others);
      list.back().others.push_back(std::move(one));
    }
  }
}

}  // namespace

std::vector<std::string> neighbours(const std::string& schedule, const ir::Stencil& stencil,
                                    Target target, const Device& device) {
  const Choice from = parse(schedule, stencil, target, device);
  if (!from.problem.empty()) return {};
  Survey survey(stencil);
  const auto launches = [&](const Schedule& one) { return survey.stages(one).launches.size(); };
  std::vector<std::string> taken = {print(from.schedule, stencil)};
  Shapes list = changes(from.schedule, stencil.rank(), device);
  other_fissions(from.schedule, stencil, list);
  other_launches(from.schedule, stencil, device, list);
  for (const Schedule& one : list) {
    const Choice choice = parse(print(one, stencil), stencil, target, device);
    if (!choice.problem.empty()) continue;
    const bool same_stages = launches(choice.schedule) == launches(from.schedule);
    if (one.fusion != from.schedule.fusion && same_stages) continue;
    const std::string text = print(choice.schedule, stencil);
    if (std::find(taken.begin(), taken.end(), text) == taken.end()) taken.push_back(text);
  }
  taken.erase(taken.begin());
  return taken;
}

}  // namespace stencilc::plan
