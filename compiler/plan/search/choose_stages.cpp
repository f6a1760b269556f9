#include "plan/search/choose_stages.h"

#include <algorithm>
#include <vector>

#include "ir/work.h"
#include "plan/search/choose.h"
#include "plan/search/choose_blocks.h"

namespace stencilc::plan {
namespace {

// The instructions of a cell, in all launches.
int64_t work_of(const Stages& stages) {
  int64_t work = 0;
  for (const Launch& launch : stages.launches) {
    std::vector<ir::ExprPtr> values;
    for (const Stored& stored : launch.stores) values.push_back(stored.value);
    work += ir::instructions_of(values).weighted();
  }
  return work;
}

}  // namespace

std::optional<Schedule> with_fewer_launches(Survey& survey, const Schedule& schedule) {
  constexpr double kMostRegisters = 128;
  constexpr int64_t kMostWork = 3;  // times that of more launches; it doubles with each stage
  if (schedule.steps > 1 || schedule.fusion != Fusion::best || !survey.makes_kernels()) return {};
  Schedule one = naive(survey.stencil.rank());
  one.early = schedule.early;
  one.edge_cells = schedule.edge_cells;
  one.fusion = Fusion::recompute;
  const Stages& stages = survey.stages(one);
  if (!stages.problem.empty() || stages.launches.size() >= survey.stages(schedule).launches.size())
    return {};
  if (work_of(stages) > kMostWork * work_of(survey.stages(schedule))) return {};
  const std::vector<KernelSize>& sizes = survey.kernel_sizes(one);
  if (std::ranges::any_of(
          sizes, [](const KernelSize& size) { return registers_of(size) > kMostRegisters; }))
    return {};
  one.reason += "; values of t+1 are computed again at neighbouring cells, in fewer launches";
  return with_blocks(survey, one);
}

double least_gain_of_fewer(const Forecast& fewer, const Forecast& more) {
  constexpr double kGain = 0.98, kComputed = 1.1;
  return computes(fewer) && !computes(more) ? kComputed : kGain;
}

}  // namespace stencilc::plan
