#include "plan/search/complete_schedule.h"

#include <algorithm>

#include "plan/search/choose.h"
#include "plan/temporal/survey.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {
namespace {

// Steps that are taken one by one: as the compiler chooses, or, where all are, as it was asked.
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
  // Blocks that take several steps read cells of others, whose next values are not yet to be there:
  // as many levels are stored as are read.
  for (size_t f = 0; f < stencil.fields.size() && several; ++f)
    if (stencil.fields[f].role == ir::Role::stepped)
      schedule.stages.buffers[f] = 2 * stencil.fields[f].levels();
  schedule.single = {single_of(schedule, survey, device, !several)};
  for (Schedule& one : schedule.smaller) one = complete(one, survey, target, device);
  return schedule;
}

}  // namespace stencilc::plan
