#include "plan/search/choose_streams.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ir/work.h"
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
// The same of launches that keep fields along the stream, and how many columns their threads have.
// The one that gained, in columns of 36 cells, lasts 0.74 times as long as predicted; most others
// that were measured lose, so near ties are not taken. In half as long columns more rows are
// computed twice, which the forecast counts for one length alone.
constexpr double kOfFields = 1.1, kOfShort = 1.08, kMostOfFields = 128;
constexpr int kColumnsOfFields = 4;
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

// The instructions of a cell in what a launch stores of one field.
double work_of(const Stored& stored) {
  return static_cast<double>(ir::instructions_of({stored.value, stored.when}).weighted());
}

// Do later statements of the launches do little with what they read of outputs along the stream:
// take the largest of 3 x 3 of them, say? Where they make values of their own of it, these are
// computed near the boundary as often as they are read; where the later statement is as long as the
// first one, two short passes were faster than a long one (bench/notes/streams-of-values.md).
bool reads_fields_briefly(const ir::Stencil& stencil, const std::vector<Launch>& launches,
                          const Schedule& schedule) {
  constexpr double kBrief = 0.25;  // of the work of what makes them
  for (const Launch& launch : launches) {
    if (!launch.along_stream) continue;
    const StreamedValues streamed =
        streamed_values(stencil, launch, false, schedule.stream_values, schedule.vector);
    for (const StagedValue& value : streamed.values.values) {
      if (value.is_field() && stencil.fields[value.field].role != ir::Role::output) return false;
      const bool of_fields = std::ranges::any_of(value.reads, [&](const StagedRead& read) {
        return streamed.values.values[read.value].is_field();
      });
      if (of_fields) return false;
    }
    double makes = 0, reads = 0;
    for (const Stored& stored : launch.stores)
      (launch.staged.contains(stencil.updates[stored.update].field) ? makes : reads) +=
          work_of(stored);
    if (reads > kBrief * makes) return false;
  }
  return true;
}

// The schedule with t+1 of all fields along the stream besides all values; none: no launch is
// saved, or those that read the fields have much to do.
std::optional<Schedule> with_fields(Survey& survey, const Schedule& schedule) {
  const std::vector<std::string> fields = streamable_fields(survey.stencil);
  if (fields.empty()) return {};
  Schedule one = schedule;
  one.vector = kColumnsOfFields;
  one.stream_values = placeable(survey.stencil);
  one.stream_values.insert(one.stream_values.end(), fields.begin(), fields.end());
  const std::vector<Launch>& launches = survey.stages(one).launches;
  if (launches.size() >= survey.stages(schedule).launches.size() ||
      !reads_fields_briefly(survey.stencil, launches, one))
    return {};
  one.stream_values = streamed_names(survey.stencil, launches, one.stream_values, one.vector);
  if (one.stream_values.empty()) return {};
  one.reason =
      "each thread computes four columns of cells, and keeps values and what earlier statements "
      "made for those that follow and for threads beside it in registers";
  return one;
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
  const auto take_if_fast = [&](Schedule one, int cells, double most_registers, double lasts) {
    one.coarsen = cells;
    const Forecast seen = forecast(one);
    const auto holds_many = [&](const Prediction& launch) {
      return launch.size && registers_of(*launch.size) > most_registers;
    };
    if (seen.rate == 0 || seen.spills || !std::ranges::all_of(seen.launches, is_short) ||
        (one.vector > 1 && std::ranges::any_of(seen.launches, holds_many)))
      return;
    const double time = seen.seconds() * lasts * (seen.launches.size() > 1 ? kOfMany : 1);
    if (!best || time < best->seconds) best = Timed{std::move(one), time};
  };
  for (const int width : {1, 2}) {
    if (width > 1 && (stencil.colors.count() != 0 || survey.reads().widest == 8)) continue;
    Schedule of_width = base;
    of_width.vector = width;
    if (width > 1)
      of_width.reason =
          "each thread computes two columns of cells, and keeps values for those that follow and "
          "for threads beside it in registers";
    of_width.stream_values = placeable(stencil);
    of_width.stream_values =
        streamed_names(stencil, survey.stages(of_width).launches, of_width.stream_values, width);
    if (of_width.stream_values.empty()) continue;
    for (const int cells : {16, 32})
      take_if_fast(of_width, cells, kMostOfTwo, width > 1 ? kOfTwo : kStreams);
  }
  if (stencil.colors.count() != 0 || survey.reads().widest == 8) return best;
  if (const std::optional<Schedule> fields = with_fields(survey, base))
    for (const int cells : {36, 18})  // queues of three rows need no moves between registers
      take_if_fast(*fields, cells, kMostOfFields, cells == 36 ? kOfFields : kOfFields * kOfShort);
  return best;
}

}  // namespace stencilc::plan
