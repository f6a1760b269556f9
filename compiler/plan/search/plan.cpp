#include "plan/search/plan.h"

#include <algorithm>
#include <utility>

#include "plan/schedule/value_placement.h"
#include "plan/search/choose.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

namespace {

// Warps that fold hold 32 cells of one row, whatever the schedule is for.
Schedule folding(const Schedule& schedule, int rank) {
  if (schedule.vector == 1 && schedule.threads[0] % 32 == 0 && schedule.shared == Shared::none)
    return schedule;
  return schedule.coarsen > 1 ? columns(rank) : naive(rank);
}

}  // namespace

int Plan::widest_vector() const {
  int widest = std::max(schedule.vector, single.vector);
  for (const Schedule& smaller : schedule.smaller) widest = std::max(widest, smaller.vector);
  return widest;
}

Plan make_plan(Survey& survey, Schedule schedule, Target target) {
  Plan plan;
  plan.target = target;
  Temporal first = temporal(survey, schedule);
  plan.why_one = first.why_one;
  if (first.steps > 1) {
    plan.several.push_back({schedule, std::move(first)});
    for (const Schedule& smaller : schedule.smaller)
      plan.several.push_back({smaller, temporal(survey, smaller)});
  }
  plan.single = schedule.single.empty() ? schedule : schedule.single[0];
  plan.folding = folding(plan.single, survey.stencil.rank());
  plan.schedule = std::move(schedule);
  return plan;
}

Plan make_plan(const ir::Stencil& stencil, Schedule schedule, Target target) {
  std::shared_ptr<const ir::Stencil> own;
  if (!schedule.global.empty())
    own = std::make_shared<const ir::Stencil>(with_global(stencil, schedule.global));
  Survey survey(own ? *own : stencil);
  Plan plan = make_plan(survey, std::move(schedule), target);
  plan.stencil = own;
  return plan;
}

}  // namespace stencilc::plan
