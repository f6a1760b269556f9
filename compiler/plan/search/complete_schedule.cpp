#include "plan/search/complete_schedule.h"

#include <algorithm>

#include "plan/search/choose.h"
#include "plan/temporal/survey.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {
namespace {

// The schedule for single steps: chosen by the compiler, or, if all steps are single, the requested
// one.
Schedule single_of(const Schedule& schedule, Survey& survey, const Device& device, bool all) {
  constexpr int kCells = 8;
  Schedule single = all ? schedule : coarsened(survey, device);
  if (all) single.coarsen = std::min(single.coarsen, kCells);
  if (single.vector == kCellsOfBits) single.vector = kCells;
  single.steps = 1;
  single.full = false;
  single.fusion = schedule.fusion;
  single.stages = schedule.stages;
  return single;
}

}  // namespace

Schedule complete(Schedule schedule, Survey& survey, Target target, const Device& device) {
  const ir::Stencil& stencil = survey.stencil;
  const bool whole_warps = target == Target::cpu || schedule.threads[0] % 32 == 0;
  schedule.stages = survey.stages(schedule.fusion, whole_warps);
  if (schedule.steps == 1) return schedule;
  const bool several = temporal(survey, schedule).steps > 1;
  // Blocks of several steps read cells of other blocks, whose new values must not be there yet. So
  // a launch stores as many levels as it reads.
  for (size_t f = 0; f < stencil.fields.size() && several; ++f)
    if (stencil.fields[f].role == ir::Role::stepped)
      schedule.stages.buffers[f] = 2 * stencil.fields[f].levels();
  schedule.single = {single_of(schedule, survey, device, !several)};
  for (Schedule& one : schedule.smaller) one = complete(one, survey, target, device);
  return schedule;
}

}  // namespace stencilc::plan
