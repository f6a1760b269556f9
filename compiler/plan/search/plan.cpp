#include "plan/search/plan.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <utility>

#include "plan/analysis/window_reach.h"
#include "plan/schedule/fission.h"
#include "plan/schedule/marched_values.h"
#include "plan/schedule/setup_values.h"
#include "plan/schedule/staged_values.h"
#include "plan/schedule/streamed_values.h"
#include "plan/search/choose.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

namespace {

// Warps that fold hold 32 cells of one row, whatever the schedule is for.
Schedule folding(Schedule schedule, int rank) {
  schedule.edge_cells = false;
  if (schedule.vector == 1 && schedule.threads[0] % 32 == 0 && schedule.shared == Shared::none)
    return schedule;
  return schedule.coarsen > 1 ? columns(rank) : naive(rank);
}

// Blocks of several steps read cells of other blocks, whose new values must not be there yet. So a
// launch stores as many levels as it reads.
std::vector<int> buffers_of(const ir::Stencil& stencil, const Stages& stages, bool several) {
  std::vector<int> buffers = stages.buffers;
  for (size_t f = 0; f < stencil.fields.size() && several; ++f)
    if (stencil.fields[f].role == ir::Role::stepped) buffers[f] = 2 * stencil.fields[f].levels();
  return buffers;
}

// For single steps beside launches of several: chosen by the compiler.
Schedule beside(const Schedules& schedules, Survey& survey, const Device& device) {
  Device own = device;
  if (!survey.stencil.setups.empty()) own.box_copies = false;  // temporaries have no maps
  Schedule single = schedules.single ? *schedules.single : coarsened(survey, own);
  single.fusion = schedules.schedule.fusion;
  return single;
}

void add_names(const std::vector<std::string>& more, std::vector<std::string>& names) {
  for (const std::string& name : more)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// Why launches have shapes of their own.
std::vector<std::string> reasons_of_shapes(const Schedule& schedule) {
  std::vector<std::string> reasons;
  for (const Schedule& other : schedule.others)
    reasons.push_back("the launch of `" + other.of + "` has a shape of its own: " + other.reason);
  return reasons;
}

// Which values blocks keep in shared memory, and which of those that the schedule names they do
// not.
std::vector<std::string> reasons_of_tiles(Survey& survey, const Schedule& schedule) {
  std::vector<std::string> reasons;
  std::set<std::string> staged;
  const std::vector<Launch>& launches = survey.stages(schedule).launches;
  std::vector<std::string> wanted;
  bool march = false;
  for (const Launch& launch : launches) {
    const Schedule own = schedule.of_launch(survey.stencil, launch);
    march |= !marched_values(survey.stencil, launch, own).empty();
    add_names(own.tile_values, wanted);
    for (const StagedValue& one : staged_values(survey.stencil, launch, own.tile_values).values)
      staged.insert(one.name);
  }
  std::string kept, others;
  for (const std::string& name : wanted) {
    std::string& names = staged.contains(name) ? kept : others;
    names += (names.empty() ? "`" : ", `") + name + "`";
  }
  if (!kept.empty())
    reasons.push_back(
        (march ? "in planes, through which blocks go along z, computed once per plane: "
               : "in tiles, computed once per block: ") +
        kept + "; " + std::to_string(staged_bytes(survey.stencil, launches, schedule)) +
        " bytes of shared memory");
  if (!others.empty())
    reasons.push_back(
        "not in tiles: " + others +
        "; no launch reads it at several cells, or its launch makes `t+1` that it reads, or "
        "recomputes values of `t+1`");
  return reasons;
}

// The same of values in registers.
std::vector<std::string> reasons_of_streams(Survey& survey, const Schedule& schedule) {
  std::vector<std::string> reasons;
  const std::vector<Launch>& launches = survey.stages(schedule).launches;
  int lost = 0;
  std::vector<std::string> wanted, streamed;
  for (const Launch& launch : launches) {
    const Schedule own = schedule.of_launch(survey.stencil, launch);
    const StreamedValues values =
        streamed_values(survey.stencil, launch, false, own.stream_values, own.vector);
    lost = std::max(lost, values.left + values.right);
    add_names(own.stream_values, wanted);
    add_names(streamed_names(survey.stencil, {launch}, own.stream_values, own.vector), streamed);
  }
  std::string kept, others;
  for (const std::string& name : wanted) {
    const auto of_name = [&](const ir::Field& field) {
      return field.name == name && !field.temporary;
    };
    // What became of fields the launches tell.
    if (std::ranges::any_of(survey.stencil.fields, of_name)) continue;
    std::string& names = std::ranges::find(streamed, name) != streamed.end() ? kept : others;
    names += (names.empty() ? "`" : ", `") + name + "`";
  }
  if (!kept.empty())
    reasons.push_back("in registers along the stream, computed once by each warp: " + kept + "; " +
                      std::to_string(lost) + " of " + std::to_string(kWarp) +
                      " lanes update no cell");
  if (!others.empty())
    reasons.push_back(
        "not in registers along the stream: " + others +
        "; no launch reads it at several cells, or its launch folds, has colours, makes `t+1` that "
        "it reads, or reads so far along x that few lanes of a warp would update cells");
  return reasons;
}

// Launches of several steps store what each cell adds to a sample, each of its own cells alone.
bool samples_between_cells(const ir::Stencil& stencil) {
  return std::any_of(stencil.samples.begin(), stencil.samples.end(), [&](const ir::Sample& sample) {
    return stencil.points[sample.points].linear;
  });
}

}  // namespace

int Plan::widest_vector() const {
  int widest = std::max(schedule.vector, single.vector);
  for (const Schedule& other : single.others) widest = std::max(widest, other.vector);
  for (const Several& one : several) widest = std::max(widest, one.schedule.vector);
  return widest;
}

Schedule Plan::shape_of(const ir::Stencil& of, const Launch& launch, bool folds) const {
  Schedule own = single.of_launch(of, launch);
  return folds ? folding(std::move(own), of.rank()) : own;
}

Plan make_plan(Survey& survey, const Schedules& schedules, Target target, const Device& device,
               const Parts& parts) {
  const Schedule& schedule = schedules.schedule;
  Plan plan;
  plan.target = target;
  plan.schedule = schedule;
  plan.stages = survey.stages(schedule);
  for (std::string& reason : reasons_of_shapes(schedule))
    plan.stages.reasons.push_back(std::move(reason));
  for (std::string& reason : reasons_of_tiles(survey, schedule))
    plan.stages.reasons.push_back(std::move(reason));
  for (std::string& reason : reasons_of_streams(survey, schedule))
    plan.stages.reasons.push_back(std::move(reason));
  plan.windows = parts.windows;
  if (!survey.stencil.setups.empty()) {
    plan.setup = std::make_shared<const ir::Stencil>(setup_step(survey.stencil));
    plan.setup_launches = stages(*plan.setup, Fusion::best, false).launches;
  }
  Temporal first = temporal(survey, schedule);
  plan.why_one = first.why_one;
  if (first.steps > 1 && plan.windows && samples_between_cells(survey.stencil)) {
    plan.why_one = "the cells of a sample may lie in two pieces of the grid";
  } else if (first.steps > 1) {
    plan.several.push_back({schedule, std::move(first), schedules.least_cells});
    for (const Schedule& smaller : schedules.smaller)
      plan.several.push_back({smaller, temporal(survey, smaller)});
  }
  plan.buffers = buffers_of(survey.stencil, plan.stages, !plan.several.empty());
  plan.single = schedule.steps == 1     ? schedule
                : !plan.several.empty() ? beside(schedules, survey, device)
                                        : schedule.one_step();
  // One cell a thread: it runs once.
  plan.setup_schedule = target == Target::cpu ? plan.single : naive(survey.stencil.rank());
  plan.pieces =
      parts.windows ? knows_its_plane(survey.stencil) : parts.pieces && survey.stencil.rank() > 1;
  plan.boxes = parts.boxes || parts.pieces || plan.windows;
  if (plan.boxes) {  // most boxes have few cells near the boundary
    plan.single.edge_cells = false;
    for (Schedule& other : plan.single.others) other.edge_cells = false;
  }
  assert(!plan.boxes || plan.windows || schedule.global.empty());
  assert(!plan.boxes || schedule.setup.empty());
  return plan;
}

Plan make_plan(const ir::Stencil& stencil, const Schedules& schedules, Target target,
               const Device& device, const Parts& parts) {
  std::shared_ptr<const ir::Stencil> own;
  const Schedule& schedule = schedules.schedule;
  if (!schedule.global.empty() || !schedule.setup.empty() || !schedule.fission.empty())
    own = std::make_shared<const ir::Stencil>(prepared(stencil, schedule));
  Survey survey(own ? *own : stencil);
  Plan plan = make_plan(survey, schedules, target, device, parts);
  plan.stencil = own;
  return plan;
}

}  // namespace stencilc::plan
