#include "plan/search/choose_steps.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "plan/model/one_step.h"
#include "plan/search/temporal_shapes.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Whether divisions, roots or transcendental functions depend on the step number. With one step per
// launch each thread computes them once; with several steps, each row would.
bool counts_long(const ir::Stencil& stencil) {
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::ExprPtr& root : roots_of(update)) values.push_back(root);
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* apply = ir::as<ir::Apply>(node);
    if (!apply || !ir::is_float(node->type)) continue;
    const bool takes_long =
        apply->op == ir::Op::div || apply->op == ir::Op::sqrt || ir::is_transcendental(apply->op);
    if (takes_long && node->counts) return true;
  }
  return false;
}

std::string unknown_to_model(const std::string& what) {
  return "the performance model does not cover several steps per launch with " + what;
}

// Why the model cannot predict resident tiles, and below, streaming; or empty.
std::string problem_of_resident_tile(const ir::Stencil& stencil, const Reads& reads) {
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.mask) return unknown_to_model("updates under a mask");
  if (reads.narrowest < 4) return unknown_to_model("fields with fewer than 4 bytes per cell");
  if (reads.slow) return unknown_to_model("divisions, roots or transcendental functions");
  return "";
}
std::string problem_of_streaming(Survey& survey, const Reads& reads) {
  const ir::Stencil& stencil = survey.stencil;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      if (one.domain.mask) return unknown_to_model("updates under a mask");
  if (reads.narrowest < 4 && reads.work.integer > 0 && !holds_bits(survey))
    return unknown_to_model("integers of fewer than 4 bytes that cannot be packed into bits");
  if (reads.slow && reads.shares)
    return unknown_to_model(
        "divisions, roots or transcendental functions that neighbouring cells share");
  if (reads.slow && stencil.rank() == 3)
    return unknown_to_model("divisions, roots or transcendental functions in 3-D");
  return "";
}

// Whether the tile is one of those that were timed with sources and receivers. For a wave in
// 16384x16384 cells with a row of 1000 receivers they were 3.4 times as fast as one step per
// launch. Larger blocks, of which a multiprocessor holds one, were 2.8 times as fast, where the
// model predicts more.
bool takes_points_well(const Schedule& one) {
  constexpr int kWarps = 8, kSteps = 6;
  return is_resident_tile(one) && one.threads[1] <= kWarps && one.steps <= kSteps;
}

// Seconds per step, including launches; infinite if the schedule does not run well. In 1-D,
// schedules for one step are not chosen by their registers.
double seconds(Survey& survey, const Schedule& schedule, const Device& device,
               const std::array<int64_t, 3>& extents) {
  const Forecast seen = forecast(survey, schedule, device, extents);
  const bool spills = seen.spills && (survey.stencil.rank() > 1 || schedule.steps > 1);
  if (seen.rate == 0 || spills) return HUGE_VAL;
  return seen.seconds();
}

// On smaller grids another schedule is faster.
int64_t least_cells(Survey& survey, const Schedule& one, const Schedule& several,
                    const Device& device, const std::array<int64_t, 3>& extents) {
  const int rank = survey.stencil.rank();
  const auto least = *std::min_element(extents.begin(), extents.begin() + rank);
  for (int64_t n = 128; n < least; n += n / (rank == 2 ? 4 : 8)) {
    const std::array<int64_t, 3> grid = {n, n, rank == 2 ? 1 : n};
    if (seconds(survey, several, device, grid) < seconds(survey, one, device, grid))
      return n * n * (rank == 2 ? 1 : n);
  }
  return 1;
}

// The fastest shape, and its seconds per step.
std::pair<const Schedule*, double> fastest(Survey& survey, const std::vector<Schedule>& shapes,
                                           const Device& device,
                                           const std::array<int64_t, 3>& extents) {
  constexpr double kAsFast = 1.01;  // predictions are not more precise
  constexpr double kDeeper = 1.02;  // more steps of a streaming launch gain less than predicted
  std::vector<double> times;
  for (const Schedule& shape : shapes) times.push_back(seconds(survey, shape, device, extents));
  if (times.empty()) return {nullptr, HUGE_VAL};
  const double least = *std::min_element(times.begin(), times.end());
  const auto first = std::find_if(times.begin(), times.end(),
                                  [&](double time) { return time <= least * kAsFast; });
  const Schedule* best = &shapes[first - times.begin()];
  size_t chosen = best - shapes.data();
  for (size_t i = 0; i < shapes.size() && best->full && survey.stencil.rank() == 2; ++i) {
    const bool fewer = shapes[i].steps < shapes[chosen].steps,
               as_many = shapes[i].steps == shapes[chosen].steps;
    if (shapes[i].full && times[i] <= least * kDeeper &&
        (fewer || (as_many && times[i] < times[chosen])))
      chosen = i;
  }
  best = &shapes[chosen];
  // Among tiles, the one whose threads hold less.
  for (size_t i = 0; i < shapes.size(); ++i)
    if (times[i] <= least * kAsFast && is_resident_tile(*best) && is_resident_tile(shapes[i]) &&
        shapes[i].rows * shapes[i].planes < best->rows * best->planes)
      best = &shapes[i];
  return {best, least};
}

std::string reason_of(const Schedule& best, Survey& survey) {
  const ir::Stencil& stencil = survey.stencil;
  const std::string steps = std::to_string(best.steps) + " steps per launch: each ";
  if (stencil.rank() == 1) return steps + "warp keeps a tile in registers for all of them";
  if (is_resident_tile(best)) return steps + "block keeps a tile in registers for all of them";
  const bool blocks = stencil.rank() == 3;
  std::string inputs;
  const Temporal several = temporal(survey, best);
  for (const int field : several.inputs())
    inputs += (inputs.empty() ? "; rows of `" : ", `") + stencil.fields[field].name + "`";
  if (!inputs.empty()) inputs += " stay in shared memory until the last step has read them";
  return steps + (blocks ? "block" : "warp") + " streams along `" + stencil.axes.back() +
         "` and keeps in registers, for each step, " +
         (blocks         ? "the newest plane and the partial sums of the next planes"
          : best.scatter ? "the partial sums of the next rows"
                         : "the rows that the next rows still read") +
         (best.vector == kCellsOfBits ? ", 32 cells per word" : "") + inputs;
}

}  // namespace

StepChoice choose_steps(const ir::Stencil& stencil, const Schedule& one, const Device& device,
                        const std::array<int64_t, 3>& extents) {
  Survey survey(stencil);
  return choose_steps(survey, one, device, extents);
}

StepChoice choose_steps(Survey& survey, const Schedule& one, const Device& device,
                        const std::array<int64_t, 3>& extents) {
  const ir::Stencil& stencil = survey.stencil;
  StepChoice result;
  const Reads& reads = survey.reads();
  const std::string no_resident_tile = problem_of_resident_tile(stencil, reads);
  const bool resident_tile = no_resident_tile.empty();
  result.why_one =
      reads.beside.empty() ? "a step reads no neighbouring cells"
      : has_points(stencil) && stencil.rank() != 2
          ? "with sources or receivers, several steps per launch were no faster in "
            "measurements in 1-D and 3-D; a schedule can still ask for them"
      : counts_long(stencil)
          ? unknown_to_model("divisions, roots or transcendental functions of the step number")
      : resident_tile       ? ""
      : stencil.rank() == 1 ? no_resident_tile
                            : problem_of_streaming(survey, reads);
  if (!result.why_one.empty()) return result;
  std::vector<Schedule> shapes = deep_shapes(survey, device, extents);
  const bool streams = problem_of_streaming(survey, reads).empty();
  std::erase_if(shapes, [&](const Schedule& one) {
    return is_resident_tile(one) ? !resident_tile : !streams;
  });
  if (has_points(stencil))
    std::erase_if(shapes, [&](const Schedule& one) { return !takes_points_well(one); });
  if (shapes.empty()) {
    Schedule two;
    two.vector = 4;
    if (stencil.rank() > 1) two.threads[1] = two.rows = 4;
    two.steps = 2;
    two.threads[0] = kWarp;
    if (stencil.rank() == 3) {
      two.threads[1] = 8;
      two.scatter = true;
      two.coarsen = 64;
      two.coarsen_axis = 2;
    }
    two.fusion = one.fusion;
    result.why_one = temporal(survey, two).why_one;
    if (result.why_one.empty()) result.why_one = no_resident_tile;
    return result;
  }
  const auto [found, least] = fastest(survey, shapes, device, extents);
  // Shapes that keep rows were measured less than shapes that keep sums; and a small gain is not
  // worth the longer code.
  const double gain = found->scatter || stencil.rank() == 1 ? 1.1 : 1.3;
  // If neither runs well, one step per launch fits every device.
  if (std::isinf(least) || least * gain > seconds(survey, one, device, extents)) return result;
  Schedules chosen(*found);
  Schedule& best = chosen.schedule;
  best.reason = reason_of(best, survey);
  if (!is_resident_tile(best)) {
    // For grids that leave most of a GPU idle, resident tiles of their own.
    constexpr int64_t kSmall = 1024;
    const std::array<int64_t, 3> small = {kSmall, kSmall, 1};
    std::vector<Schedule> tiles;
    if (resident_tile && stencil.rank() == 2) tiles = tiles_in_the_plane(survey, device);
    const auto [tile, time] = fastest(survey, tiles, device, small);
    if (tile && time * 1.3 < seconds(survey, one, device, small)) {
      chosen.smaller = {*tile};
      chosen.smaller[0].reason = reason_of(*tile, survey);
    }
    const Schedule& other = chosen.smaller.empty() ? one : *tile;
    chosen.least_cells = least_cells(survey, other, best, device, extents);
  }
  result.schedules = std::move(chosen);
  return result;
}

}  // namespace stencilc::plan
