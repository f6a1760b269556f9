#include "plan/search/choose_streams.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "plan/model/one_step.h"
#include "plan/schedule/streamed_values.h"
#include "plan/schedule/value_placement.h"
#include "plan/search/choose.h"

namespace stencilc::plan {
namespace {

// How many times as long as predicted such steps last, at most, if their passes are short
// (bench/notes/streams-of-values.md): of threads of one column, and of two; and those of several
// launches.
constexpr double kStreams = 0.95, kOfTwo = 1.1, kOfMany = 1.05;
// Two columns of f64, or of many values, take so many registers that fewer warps are resident.
constexpr double kMostOfTwo = 80;
// Instructions for a cell that are few, with those of the passes before the first one; and of a
// division.
constexpr double kShortPass = 700, kOfDivision = 12;

bool is_short(const Prediction& launch) {
  if (!launch.size) return false;
  const KernelCode& code = launch.size->code;
  return code.f32 + code.f64 + code.integer + code.choices +
             kOfDivision * (code.divisions + code.divisions_f64) <=
         kShortPass * std::max(1.0, code.cells);
}

bool holds_many(const Prediction& launch) {
  return launch.size && registers_of(*launch.size) > kMostOfTwo;
}

// The schedule with all values along the stream, and with t+1 of all fields besides, if that makes
// launches fewer.
std::vector<Schedule> with_names(Survey& survey, const Schedule& schedule) {
  std::vector<Schedule> all;
  std::vector<std::string> names = placeable(survey.stencil);
  std::vector<std::string> fields = streamable_fields(survey.stencil);
  size_t launches = 0;
  for (const bool with_fields : {false, true}) {
    if (with_fields && fields.empty()) break;
    if (with_fields) names.insert(names.end(), fields.begin(), fields.end());
    Schedule one = schedule;
    one.stream_values = names;
    const std::vector<Launch>& stages = survey.stages(one).launches;
    one.stream_values = streamed_names(survey.stencil, stages, names, one.vector);
    if (!with_fields) launches = stages.size();
    if (with_fields && stages.size() >= launches) break;
    if (!one.stream_values.empty()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::optional<Timed> with_streams(
    Survey& survey, bool early, const std::function<Forecast(const Schedule& schedule)>& forecast) {
  const ir::Stencil& stencil = survey.stencil;
  if (stencil.rank() != 2) return std::nullopt;
  Schedule base = naive(stencil.rank());
  base.preset = "coarsened";
  base.early = early;
  base.threads = {kWarp, 4, 1};
  base.coarsen_axis = 1;
  base.reason =
      "each thread computes a column of cells, and keeps values for those that follow and for "
      "threads beside it in registers";
  std::optional<Timed> best;
  for (const int width : {1, 2}) {
    if (width > 1 && (stencil.colors.count() != 0 || survey.reads().widest == 8)) continue;
    Schedule of_width = base;
    of_width.vector = width;
    if (width > 1)
      of_width.reason =
          "each thread computes two columns of cells, and keeps values for those that follow and "
          "for threads beside it in registers";
    for (Schedule& of_names : with_names(survey, of_width))
      for (const int cells : {16, 32}) {
        of_names.coarsen = cells;
        const Forecast seen = forecast(of_names);
        if (seen.rate == 0 || seen.spills || !std::ranges::all_of(seen.launches, is_short))
          continue;
        if (width > 1 && std::ranges::any_of(seen.launches, holds_many)) continue;
        const double time = seen.seconds() * (width > 1 ? kOfTwo : kStreams) *
                            (seen.launches.size() > 1 ? kOfMany : 1);
        if (!best || time < best->seconds) best = Timed{of_names, time};
      }
  }
  return best;
}

}  // namespace stencilc::plan
